//! Structures over neighbouring words, built from the bottom up.

use super::{Category, Direction, Operation};
use crate::tree::{Spans, Structure};

/// Where the head of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Link {
    /// This word of the structure, by its place in the sentence.
    To(u32),
    /// Not yet in the structure: the word is its head, or one of its siblings.
    Open,
    /// Nowhere: the word is in no structure (§5.6).
    Null,
}

/// A structure over the words from `first` on. Where no word is `Open` it is the null structure
/// e: its words have found no common head, and those without any are `Null`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Partial {
    first: u32,
    links: Vec<Link>,
    /// For two and more open words, on which side of their head they stand.
    direction: Option<Direction>,
}

impl Partial {
    /// One word without children.
    pub fn word(place: u32) -> Self {
        Partial { first: place, links: vec![Link::Open], direction: None }
    }

    /// The null structure over so many words.
    pub fn null(first: u32, words: usize) -> Self {
        Partial { first, links: vec![Link::Null; words], direction: None }
    }

    /// The words `first..=last` of a tree, as far as they are well-formed there.
    pub fn of_span(spans: &Spans, first: u32, last: u32) -> Option<Self> {
        let (open, direction): (Vec<u32>, _) = match spans.structure(first, last) {
            Structure::Fixed(head) => (vec![head], None),
            Structure::FloatingLeft { children, .. } => (children.to_vec(), Some(Direction::Left)),
            Structure::FloatingRight { children, .. } => {
                (children.to_vec(), Some(Direction::Right))
            }
            Structure::IllFormed => return None,
        };
        let link = |word: u32| match open.contains(&word) {
            true => Link::Open,
            false => Link::To(spans.heads().of(word)),
        };
        Some(Partial { first, links: (first..=last).map(link).collect(), direction })
    }

    pub fn first(&self) -> u32 {
        self.first
    }

    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Words in no structure: each is discounted.
    pub fn null_words(&self) -> usize {
        self.links.iter().filter(|link| **link == Link::Null).count()
    }

    pub fn is_null(&self) -> bool {
        !self.links.contains(&Link::Open)
    }

    fn open(&self) -> Vec<u32> {
        let places = self.first..;
        let open = places.zip(&self.links).filter(|(_, link)| **link == Link::Open);
        open.map(|(place, _)| place).collect()
    }

    /// cat(T) of Definition 3; None for the null structure.
    pub fn category(&self) -> Option<Category> {
        match (&self.open()[..], self.direction) {
            ([], _) => None,
            ([head], _) => Some(Category::Fixed(*head)),
            (children, Some(direction)) => Some(Category::Floating(direction, children.to_vec())),
            (_, None) => None,
        }
    }

    /// Joins two neighbours, `self` left of `other`; None where the operation is undefined.
    /// With a null structure all operations are defined and leave the other one as it is.
    pub fn join(&self, operation: Operation, other: &Partial) -> Option<Partial> {
        let category = match (self.category(), other.category()) {
            (Some(one), Some(two)) => Some(Category::combine(operation, &one, &two)?),
            (one, two) => one.or(two),
        };
        let mut links: Vec<Link> = self.links.iter().chain(&other.links).copied().collect();
        let direction = match category {
            Some(Category::Fixed(head)) => {
                let places = self.first..;
                for (_, link) in places.zip(&mut links).filter(|(place, _)| *place != head) {
                    if *link == Link::Open {
                        *link = Link::To(head);
                    }
                }
                None
            }
            Some(Category::Floating(direction, _)) => Some(direction),
            None => None,
        };
        Some(Partial { first: self.first, links, direction })
    }

    /// The same where an undefined operation gives the null structure. What was joined before
    /// stays joined: only the words that were still open end in no structure.
    pub fn join_or_null(&self, operation: Operation, other: &Partial) -> Partial {
        self.join(operation, other).unwrap_or_else(|| {
            let links = self.links.iter().chain(&other.links).copied().collect();
            Partial { first: self.first, links, direction: None }.closed()
        })
    }

    /// The null structure that is left when the open words will find no head.
    pub fn closed(mut self) -> Partial {
        for link in self.links.iter_mut().filter(|link| **link == Link::Open) {
            *link = Link::Null;
        }
        Partial { direction: None, ..self }
    }
}
