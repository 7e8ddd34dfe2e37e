//! The dependencies of one source tree, and what a phrase does to them.

use smallvec::SmallVec;

use super::placed::Placed;
use super::{DependencyOrder, NO_WORD, OrderScoring, PhraseSpans};
use crate::decode::trees::UsableTree;
use crate::deporder::OrderModel;
use crate::tree::{Licences, Subtrees};

/// Part of a state. Dependencies go by their dependents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// The items behind this one are of a tree, which the order agrees with.
    Tree {
        number: u32,
        /// Its score relative to that of the best tree, as bits.
        behind: u32,
        /// The sum of the best scores of dependencies with neither end translated, in steps of
        /// `1 / STEPS`: whole numbers, because it must not depend on the order of summing.
        untouched: i32,
    },
    /// The last phrase is in this subtree, which is not finished.
    Inside { top: u32 },
    /// Words under the dependent are translated, the governor is not: as many words back as
    /// `distance` says, and the dependent's translation, if that is known.
    Dependent { arc: u32, distance: u32, word: u32 },
    /// The governor is translated, nothing under the dependent is.
    Governor { arc: u32, distance: u32, word: u32 },
    /// The offset is known, the dependent's translation is not.
    Offset { arc: u32, offset: i32, governor: u32 },
}

pub const STEPS: f32 = 1024.0;

/// Stands for the translation of a dependent that has none yet.
const PENDING: u32 = NO_WORD - 1;
/// Stands for the label of a dependency that is not scored.
const UNSCORED: u32 = u32::MAX;

/// What a phrase changes.
#[derive(Debug, Default, PartialEq)]
pub struct Change {
    /// ln P_d of the dependencies whose order is decided now.
    pub score: f32,
    /// The best scores of dependencies that had neither end translated before.
    pub touched: i32,
    pub unlicensed: bool,
    /// Whether a subtree is left before it is finished.
    pub leaves: bool,
}

/// The dependencies of a tree, ready to be scored. Words are those that count, from 1.
pub struct Arcs<'m> {
    model: &'m OrderModel,
    pub subtrees: Subtrees,
    licences: Option<Licences>,
    /// By dependent.
    labels: Vec<u32>,
    sizes: Vec<u32>,
    best: Vec<i32>,
    pub share: f32,
    lexical: bool,
    cohesion: bool,
    longest: u32,
}

/// A phrase over the words from `first` to `last` of a tree; none if `last` is smaller.
#[derive(Clone, Copy)]
pub struct Covering<'a> {
    pub first: u32,
    pub last: u32,
    /// Where the first of these is in the phrase, and each after it.
    pub places: &'a [usize],
    pub placed: &'a Placed,
    /// Whether a word of the tree is covered, with this phrase.
    pub covered: &'a dyn Fn(u32) -> bool,
}

impl Covering<'_> {
    fn has(&self, word: u32) -> bool {
        (self.first..=self.last).contains(&word)
    }

    fn place(&self, word: u32) -> usize {
        self.places[(word - self.first) as usize]
    }

    fn word(&self, word: u32) -> u32 {
        self.placed.word(self.place(word))
    }
}

impl Item {
    fn arc(&self) -> Option<u32> {
        match *self {
            Item::Dependent { arc, .. } | Item::Governor { arc, .. } | Item::Offset { arc, .. } => {
                Some(arc)
            }
            Item::Tree { .. } | Item::Inside { .. } => None,
        }
    }
}

impl<'m> Arcs<'m> {
    pub fn new(feature: &'m DependencyOrder, tree: &UsableTree) -> Self {
        let (model, how) = (feature.model.as_ref(), &feature.how);
        let soft = how.soft_constraints;
        let subtrees = tree.subtrees();
        let words = || 1..=subtrees.len() as u32;
        let label = |word: u32| match (how.scoring, subtrees.head(word)) {
            (OrderScoring::None, _) | (_, 0) => UNSCORED,
            _ if tree.under_mark[word as usize - 1] => UNSCORED,
            _ => model.label(&tree.labels[word as usize - 1]),
        };
        let labels: Vec<u32> = words().map(label).collect();
        let sizes: Vec<u32> = words().map(|word| subtrees.size(word)).collect();
        let best = |(&label, &size): (&u32, &u32)| match label {
            UNSCORED => 0,
            label => (model.best(label, size) * STEPS).round() as i32,
        };
        let best = labels.iter().zip(&sizes).map(best).collect();
        Arcs {
            model,
            licences: (soft && how.spans != PhraseSpans::Licensed).then(|| tree.licences()),
            subtrees,
            labels,
            sizes,
            best,
            share: tree.share as f32,
            lexical: feature.lexical,
            cohesion: soft && !how.contiguous,
            longest: model.options().longest,
        }
    }

    /// The sum of all best scores.
    pub fn untouched(&self) -> i32 {
        self.best.iter().sum()
    }

    /// What becomes of the items of a tree; the new ones are added to `next`.
    pub fn extend(&self, items: &[Item], by: Covering<'_>, next: &mut Vec<Item>) -> Change {
        let mut change = Change::default();
        if let (Some(licences), true) = (&self.licences, by.first <= by.last) {
            change.unlicensed = !licences.is_licensed(by.first, by.last);
        }
        if self.cohesion {
            change.leaves = self.leave(items, by, next);
        }
        let begin = next.len();
        for &item in items {
            let (kept, score) = self.advance(item, by);
            next.extend(kept);
            change.score += score;
        }
        let old = next.len();
        for word in by.first..=by.last {
            self.add_governor(word, items, by, next, &mut change);
            self.add_dependents(word, (items, old), by, next, &mut change);
        }
        next[begin..].sort_unstable_by_key(Item::arc);
        change
    }

    /// Whether the phrase covers a word of a subtree.
    fn touches(&self, by: Covering<'_>, top: u32) -> bool {
        (by.first..=by.last).any(|word| self.subtrees.holds(top, word))
    }

    /// An item behind the phrase, if there is something left of it, and what it scores.
    fn advance(&self, item: Item, by: Covering<'_>) -> (Option<Item>, f32) {
        let words = by.placed.words;
        let grown = |distance: u32| (distance + words).min(self.longest);
        match item {
            Item::Dependent { arc, distance, word } => {
                let (governor, touched) = (self.subtrees.head(arc), self.touches(by, arc));
                match (by.has(governor), touched) {
                    (true, true) => (None, 0.0), // in one phrase: the table ordered them
                    (true, false) => {
                        let before = by.placed.seen_from_before(by.place(governor));
                        self.decide(arc, -((distance + before) as i32), by.word(governor), word)
                    }
                    (false, true) => {
                        let word = if by.has(arc) { by.word(arc) } else { word };
                        (Some(Item::Dependent { arc, distance: 1, word }), 0.0)
                    }
                    (false, false) => {
                        let distance = grown(distance);
                        (Some(Item::Dependent { arc, distance, word }), 0.0)
                    }
                }
            }
            Item::Governor { arc, distance, word } => match self.touches(by, arc) {
                true => {
                    let dependent = if by.has(arc) { by.word(arc) } else { PENDING };
                    self.decide(arc, distance as i32, word, dependent)
                }
                false => {
                    let distance = grown(distance);
                    (Some(Item::Governor { arc, distance, word }), 0.0)
                }
            },
            Item::Offset { arc, offset, governor } if by.has(arc) => {
                self.decide(arc, offset, governor, by.word(arc))
            }
            Item::Offset { .. } => (Some(item), 0.0),
            Item::Tree { .. } => (None, 0.0),
            Item::Inside { .. } => (None, 0.0),
        }
    }

    /// A dependency whose offset is known now: its score, or that it waits for the dependent.
    fn decide(&self, arc: u32, offset: i32, governor: u32, dependent: u32) -> (Option<Item>, f32) {
        if self.lexical && dependent == PENDING {
            let longest = self.longest as i32;
            let offset = offset.clamp(-longest, longest);
            return (Some(Item::Offset { arc, offset, governor }), 0.0);
        }
        (None, self.score(arc, offset, governor, dependent))
    }

    fn score(&self, arc: u32, offset: i32, governor: u32, dependent: u32) -> f32 {
        let known = |word: u32| (self.lexical && word < PENDING).then_some(word);
        let (label, size) = (self.labels[arc as usize - 1], self.sizes[arc as usize - 1]);
        self.model.score(label, known(governor), known(dependent), size, offset)
    }

    fn is_scored(&self, arc: u32) -> bool {
        self.labels[arc as usize - 1] != UNSCORED
    }

    /// The dependencies of a word that is translated now on its dependents.
    fn add_governor(
        &self,
        governor: u32,
        items: &[Item],
        by: Covering<'_>,
        next: &mut Vec<Item>,
        change: &mut Change,
    ) {
        for &arc in self.subtrees.children(governor) {
            if !self.is_scored(arc) || find(items, arc) {
                continue;
            }
            change.touched += self.best[arc as usize - 1];
            if !self.touches(by, arc) {
                let place = by.place(governor);
                let distance = by.placed.seen_from_after(place).min(self.longest);
                next.push(Item::Governor { arc, distance, word: self.shown(by.word(governor)) });
            }
        }
    }

    /// The dependencies above a word that is translated now, whose governors are still to come
    /// and which nothing touched before: they are neither among `items`, nor new and behind `old`.
    fn add_dependents(
        &self,
        word: u32,
        (items, old): (&[Item], usize),
        by: Covering<'_>,
        next: &mut Vec<Item>,
        change: &mut Change,
    ) {
        let mut arc = word;
        loop {
            let governor = self.subtrees.head(arc);
            let closed = governor == 0 || by.has(governor) || (by.covered)(governor);
            // What is touched below is touched above.
            if closed || find(items, arc) || find(&next[old..], arc) {
                return;
            }
            if self.is_scored(arc) {
                let word = if arc == word { by.word(arc) } else { PENDING };
                next.push(Item::Dependent { arc, distance: 1, word: self.shown(word) });
                change.touched += self.best[arc as usize - 1];
            }
            arc = governor;
        }
    }

    /// A word as states have it: where words do not count, they are all alike.
    fn shown(&self, word: u32) -> u32 {
        if self.lexical { word } else { NO_WORD }
    }

    /// Whether the phrase leaves a subtree; adds the innermost ones that are open behind it.
    fn leave(&self, items: &[Item], by: Covering<'_>, next: &mut Vec<Item>) -> bool {
        let inside = items.iter().filter(|item| matches!(item, Item::Inside { .. }));
        if by.first > by.last {
            next.extend(inside);
            return false;
        }
        let open = |word: u32| {
            let mut top = word;
            while top != 0 && self.subtrees.words(top).iter().all(|&word| (by.covered)(word)) {
                top = self.subtrees.head(top);
            }
            (top != 0).then_some(top)
        };
        let mut tops: SmallVec<[u32; 8]> = (by.first..=by.last).filter_map(open).collect();
        tops.sort_unstable();
        tops.dedup();
        let holds_another = |top: u32| {
            let others = tops.iter().filter(|&&other| other != top);
            others.into_iter().any(|&other| self.subtrees.holds(top, other))
        };
        let innermost = tops.iter().filter(|&&top| !holds_another(top));
        next.extend(innermost.map(|&top| Item::Inside { top }));
        inside
            .into_iter()
            .any(|item| matches!(*item, Item::Inside { top } if !self.touches(by, top)))
    }

    /// The best that a tree's dependencies can still score.
    pub fn outlook(&self, items: &[Item], untouched: i32) -> f32 {
        let at = |arc: u32| (self.labels[arc as usize - 1], self.sizes[arc as usize - 1]);
        let expected = |item: &Item| match *item {
            Item::Dependent { arc, distance, .. } => {
                let (label, size) = at(arc);
                self.model.best_before(label, size, distance)
            }
            Item::Governor { arc, distance, .. } => {
                let (label, size) = at(arc);
                self.model.best_after(label, size, distance)
            }
            Item::Offset { arc, offset, governor } => self.score(arc, offset, governor, PENDING),
            Item::Tree { .. } | Item::Inside { .. } => 0.0,
        };
        untouched as f32 / STEPS + items.iter().map(expected).sum::<f32>()
    }
}

/// Whether there is an item of a dependency.
fn find(items: &[Item], arc: u32) -> bool {
    items.iter().any(|item| item.arc() == Some(arc))
}
