//! Theorems 1 to 4 and the rules of the null structure, on random structures.

use super::{Category, Direction, Link, Operation, Partial};
use crate::random::Random;
use crate::tree::{Heads, Spans, Structure};
use proptest::prelude::*;

/// A random well-formed structure over the words from `first` on, joined at random.
fn random_structure(first: u32, words: u32, random: &mut Random) -> Partial {
    if words == 1 {
        return Partial::word(first);
    }
    let cut = 1 + random.below(words as usize - 1) as u32;
    loop {
        let left = random_structure(first, cut, random);
        let right = random_structure(first + cut, words - cut, random);
        let (_, operation) = Operation::ALL[random.below(4)];
        if let Some(whole) = left.join(operation, &right) {
            return whole;
        }
    }
}

/// What Definitions 1 to 3 say of a structure's words in a sentence with a head for them.
fn by_definition(structure: &Partial) -> Option<Category> {
    let words = structure.links().len() as u32;
    let category = structure.category()?;
    // The words come after one word and before another; one of these two is the root and, if
    // they are several, the head of the open words.
    let root = match category {
        Category::Floating(Direction::Left, _) => words + 2,
        _ => 1,
    };
    let mut heads = vec![root; words as usize + 2];
    heads[root as usize - 1] = 0;
    for (place, link) in structure.links().iter().enumerate() {
        if let Link::To(head) = link {
            heads[place + 1] = head - structure.first() + 2;
        }
    }
    let spans = Spans::new(&Heads::new(heads).ok()?);
    let back = |children: &[u32]| children.iter().map(|c| c + structure.first() - 2).collect();
    match spans.structure(2, words + 1) {
        Structure::Fixed(head) => Some(Category::Fixed(head + structure.first() - 2)),
        Structure::FloatingLeft { children, .. } => {
            Some(Category::Floating(Direction::Left, back(children)))
        }
        Structure::FloatingRight { children, .. } => {
            Some(Category::Floating(Direction::Right, back(children)))
        }
        Structure::IllFormed => None,
    }
}

/// A random projective tree: each span gets a root, each side of it is split among children.
fn random_heads(words: u32, random: &mut Random) -> Heads {
    let mut heads = vec![0; words as usize];
    let mut open = vec![(1, words, 0)];
    while let Some((first, last, head)) = open.pop() {
        let root = first + random.below((last - first + 1) as usize) as u32;
        heads[root as usize - 1] = head;
        for (mut start, end) in [(first, root), (root + 1, last + 1)] {
            while start < end {
                let stop = start + random.below((end - start) as usize) as u32;
                open.push((start, stop, root));
                start = stop + 1;
            }
        }
    }
    Heads::new(heads).unwrap()
}

fn spans_of(words: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=words).flat_map(move |first| (first..=words).map(move |last| (first, last)))
}

/// All ways to make the structure of a span from those of two parts of it.
fn decompositions(spans: &Spans, whole: &Partial, first: u32, last: u32) -> usize {
    let parts = (first..last).filter_map(|cut| {
        let left = Partial::of_span(spans, first, cut);
        left.zip(Partial::of_span(spans, cut + 1, last))
    });
    parts
        .flat_map(|(left, right)| Operation::ALL.map(|(_, operation)| left.join(operation, &right)))
        .filter(|joined| joined.as_ref() == Some(whole))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Theorem 1: fixed on h, and no outside word depends on h: floating with children {h}.
    #[test]
    fn a_complete_fixed_structure_can_be_raised(seed: u64, words in 1_u32..12) {
        let heads = random_heads(words, &mut Random::new(seed, 1));
        let spans = Spans::new(&heads);
        for (first, last) in spans_of(words) {
            let Structure::Fixed(head) = spans.structure(first, last) else { continue };
            let inside = |word: u32| (first..=last).contains(&word);
            if (1..=words).all(|word| inside(word) || heads.of(word) != head) {
                // The three conditions of Definition 2 with C = {h}.
                prop_assert!(!inside(heads.of(head)));
                prop_assert!((first..=last).all(|word| word == head || inside(heads.of(word))));
                prop_assert!((1..=words).all(|word| inside(word) || !inside(heads.of(word))));
                let raised = Category::Fixed(head).raise(Direction::Left);
                prop_assert_eq!(raised, Some(Category::Floating(Direction::Left, vec![head])));
            }
        }
    }

    /// Theorems 2 and 3: categories follow structures, and what is built is well-formed.
    #[test]
    fn operations_are_sound_and_categories_follow(seed: u64, one in 1_u32..8, two in 1_u32..8) {
        let mut random = Random::new(seed, 2);
        let (left, right) =
            (random_structure(1, one, &mut random), random_structure(1 + one, two, &mut random));
        for (_, operation) in Operation::ALL {
            let (Some(a), Some(b)) = (left.category(), right.category()) else { unreachable!() };
            let expected = Category::combine(operation, &a, &b);
            let joined = left.join(operation, &right);
            prop_assert_eq!(joined.is_some(), expected.is_some());
            if let Some(joined) = joined {
                prop_assert_eq!(joined.category(), expected);
                prop_assert_eq!(by_definition(&joined), joined.category());
                prop_assert_eq!(joined.null_words(), 0);
            }
        }
    }

    /// Theorem 4: every well-formed structure of two and more words is made of two others.
    #[test]
    fn every_well_formed_structure_decomposes(seed: u64, words in 2_u32..12) {
        let spans = Spans::new(&random_heads(words, &mut Random::new(seed, 3)));
        for (first, last) in spans_of(words).filter(|(first, last)| first < last) {
            if let Some(whole) = Partial::of_span(&spans, first, last) {
                prop_assert!(decompositions(&spans, &whole, first, last) > 0, "{first}..={last}");
            }
        }
    }

    /// §5.6: OP(X, e) = OP(e, X) = X, and e where OP is undefined; no word gets lost.
    #[test]
    fn null_structures_leave_others_as_they_are(seed: u64, one in 1_u32..6, two in 1_u32..6) {
        let mut random = Random::new(seed, 4);
        let structure = random_structure(1, one, &mut random);
        let null = Partial::null(1 + one, two as usize);
        for (_, operation) in Operation::ALL {
            let joined = structure.join_or_null(operation, &null);
            prop_assert_eq!(joined.category(), structure.category());
            prop_assert_eq!(joined.null_words(), two as usize);
            prop_assert_eq!(&joined.links()[..one as usize], structure.links());
            let before = Partial::null(0, 1).join_or_null(operation, &structure);
            prop_assert_eq!(before.category(), structure.category());
            prop_assert!(null.join_or_null(operation, &Partial::null(9, 1)).is_null());
            let other = random_structure(1 + one, two, &mut random);
            let any = structure.join_or_null(operation, &other);
            prop_assert_eq!(any.links().len(), (one + two) as usize);
            let undefined = structure.join(operation, &other).is_none();
            prop_assert_eq!(any.is_null(), undefined);
            if undefined {
                // The words that were open have no head; the others keep theirs.
                let links = structure.links().iter().chain(other.links());
                let open = links.clone().filter(|link| **link == Link::Open).count();
                prop_assert_eq!(any.null_words(), open);
                let closed = |old: &Link| if *old == Link::Open { Link::Null } else { *old };
                let expected: Vec<Link> = links.map(closed).collect();
                prop_assert_eq!(any.links(), &expected[..]);
            }
        }
    }
}

#[test]
fn figure_5_from_the_example_tree() {
    // the boy will find it interesting
    let [the, boy, will, find] = [1, 2, 3, 4].map(Partial::word);
    let subject = the.join(Operation::LeftAdjoin, &boy).unwrap();
    let before = subject.join(Operation::LeftConcatenate, &will).unwrap();
    assert_eq!(before.category(), Some(Category::Floating(Direction::Left, vec![2, 3])));
    let verb = before.join(Operation::LeftAdjoin, &find).unwrap();
    let after = Partial::word(5).join(Operation::RightConcatenate, &Partial::word(6)).unwrap();
    let whole = verb.join(Operation::RightAdjoin, &after).unwrap();
    let heads = [Link::To(2), Link::To(4), Link::To(4), Link::Open, Link::To(4), Link::To(4)];
    assert_eq!(whole.links(), heads);
    assert_eq!(after.join(Operation::LeftAdjoin, &Partial::word(7)), None);
}
