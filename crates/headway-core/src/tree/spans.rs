//! Which spans of a sentence are well-formed dependency structures.
//!
//! Shen, Xu and Weischedel (2010), Definitions 1 to 3. A span is *fixed* on its word h if h
//! alone has its head outside and h alone may have children outside; it is *floating* if the
//! words C with a head outside, two or more, share that head and no word of the span has a
//! child outside.
//!
//! Head 0 is read as the definitions have it: a position outside every span and left of every
//! word. So neighbouring roots with all that is below them float to the right of 0; `head` says
//! so to whoever wants words only.

use super::Heads;
use super::children::Children;
use super::range_min::RangeMin;

/// What Definitions 1 to 3 call a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structure<'a> {
    /// Fixed on this word.
    Fixed(u32),
    /// Complete siblings, all left of their head: the category (C, −, −).
    FloatingLeft {
        head: u32,
        children: &'a [u32],
    },
    /// Complete siblings, all right of their head (0: roots): the category (−, −, C).
    FloatingRight {
        head: u32,
        children: &'a [u32],
    },
    IllFormed,
}

/// Prepared in O(n) from any head array; answers for any span in O(1).
pub struct Spans {
    heads: Heads,
    children: Children,
    /// For each word the leftmost and the rightmost of its children.
    leftmost_child: RangeMin,
    rightmost_child: RangeMin,
    /// The same with its head among them: how far its links reach.
    leftmost_link: RangeMin,
    rightmost_link: RangeMin,
}

impl Spans {
    pub fn new(heads: &Heads) -> Self {
        let children = Children::new(heads);
        let words = || 1..=heads.len() as u32;
        let left = |word| children.of(word).first().copied().unwrap_or(word);
        let right = |word| children.of(word).last().copied().unwrap_or(word);
        Spans {
            leftmost_child: RangeMin::new(words().map(left).collect()),
            rightmost_child: largest(words().map(right)),
            leftmost_link: RangeMin::new(words().map(|w| left(w).min(heads.of(w))).collect()),
            rightmost_link: largest(words().map(|w| right(w).max(heads.of(w)))),
            heads: heads.clone(),
            children,
        }
    }

    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// The structure of the words `first..=last`.
    ///
    /// Anything but `1 <= first <= last <= n` is no span, and so ill-formed.
    pub fn structure(&self, first: u32, last: u32) -> Structure<'_> {
        if first == 0 || first > last || last as usize > self.heads.len() {
            return Structure::IllFormed;
        }
        let Some(linked) = self.word_linked_outside(first, last) else {
            return Structure::IllFormed; // a closed cycle: every head is inside
        };
        if self.is_fixed_on(linked, first, last) {
            return Structure::Fixed(linked);
        }
        self.floating(first, last).unwrap_or(Structure::IllFormed)
    }

    /// A word of the span with a link (to a head or a child) that leaves it. In a fixed
    /// structure that can only be its head.
    fn word_linked_outside(&self, first: u32, last: u32) -> Option<u32> {
        let (from, to) = (first as usize - 1, last as usize - 1);
        let left = self.leftmost_link.position(from, to);
        if self.leftmost_link.value(left) < first {
            return Some(left as u32 + 1);
        }
        let right = self.rightmost_link.position(from, to);
        (reach(self.rightmost_link.value(right)) > last).then_some(right as u32 + 1)
    }

    /// Definition 1: the head of `head` is outside, and no link of another word leaves the span.
    fn is_fixed_on(&self, head: u32, first: u32, last: u32) -> bool {
        let closed = |from: u32, to: u32| {
            let (from, to) = (from as usize - 1, to as usize - 1);
            self.leftmost_link.min(from, to) >= first
                && reach(self.rightmost_link.min(from, to)) <= last
        };
        !(first..=last).contains(&self.heads.of(head))
            && (head == first || closed(first, head - 1))
            && (head == last || closed(head + 1, last))
    }

    /// Definition 2, for a span that has a link to outside.
    fn floating(&self, first: u32, last: u32) -> Option<Structure<'_>> {
        let (from, to) = (first as usize - 1, last as usize - 1);
        if self.leftmost_child.min(from, to) < first
            || reach(self.rightmost_child.min(from, to)) > last
        {
            return None;
        }
        // No child is outside, so every link that leaves goes to a head, and every child of a
        // word in the span is one of its words: the others are those with heads outside.
        let outside = to - from + 1 - self.children.count(first, last);
        let child = self.word_linked_outside(first, last)?;
        let (head, rank) = (self.heads.of(child), self.children.rank(child));
        // `child` is the leftmost of this head, so if as many of its siblings as there are
        // words with heads outside lie in the span, they are all of them.
        let children = self.children.of(head).get(rank..rank + outside)?;
        if *children.last()? > last {
            return None;
        }
        Some(match head > last {
            true => Structure::FloatingLeft { head, children },
            false => Structure::FloatingRight { head, children },
        })
    }
}

/// Range maxima as range minima of the mirrored values.
fn largest(values: impl Iterator<Item = u32>) -> RangeMin {
    RangeMin::new(values.map(reach).collect())
}

/// Mirrors a position, and mirrors it back.
fn reach(position: u32) -> u32 {
    u32::MAX - position
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Definition 1 as it is printed.
    fn fixed(d: &[u32], i: u32, j: u32, h: u32) -> bool {
        let inside = |k: u32| i <= k && k <= j;
        let n = d.len() as u32;
        inside(h)
            && !inside(d[h as usize - 1])
            && (i..=j).all(|k| k == h || inside(d[k as usize - 1]))
            && (1..=n).all(|k| inside(k) || d[k as usize - 1] == h || !inside(d[k as usize - 1]))
    }

    /// Definition 2 as it is printed, with the h that it finds. There is at most one C: it must
    /// hold all words with heads outside, and may hold no other.
    fn floating(d: &[u32], i: u32, j: u32) -> Option<(u32, Vec<u32>)> {
        let inside = |k: u32| i <= k && k <= j;
        let n = d.len() as u32;
        let c: Vec<u32> = (i..=j).filter(|&k| !inside(d[k as usize - 1])).collect();
        let h = (0..=n).find(|&h| !inside(h) && c.iter().all(|&k| d[k as usize - 1] == h))?;
        let others = (1..=n).all(|k| inside(k) || !inside(d[k as usize - 1]));
        (!c.is_empty() && others).then_some((h, c))
    }

    /// Definition 3 as it is printed.
    fn check(d: &[u32]) {
        let spans = Spans::new(&Heads::new(d.to_vec()).unwrap());
        let n = d.len() as u32;
        for (i, j) in (1..=n).flat_map(|i| (i..=n).map(move |j| (i, j))) {
            let heads: Vec<u32> = (i..=j).filter(|&h| fixed(d, i, j, h)).collect();
            let float = floating(d, i, j);
            let found = spans.structure(i, j);
            match (&heads[..], &float) {
                ([h], _) => assert_eq!(found, Structure::Fixed(*h), "{d:?} {i}..={j}"),
                ([], Some((h, c))) if j < *h => {
                    assert_eq!(
                        found,
                        Structure::FloatingLeft { head: *h, children: c },
                        "{d:?} {i}..={j}"
                    );
                }
                ([], Some((h, c))) => {
                    assert_eq!(
                        found,
                        Structure::FloatingRight { head: *h, children: c },
                        "{d:?} {i}..={j}"
                    );
                }
                ([], None) => assert_eq!(found, Structure::IllFormed, "{d:?} {i}..={j}"),
                (several, _) => panic!("{d:?} {i}..={j} is fixed on each of {several:?}"),
            }
        }
    }

    #[test]
    fn the_definitions_hold_on_every_head_array_of_up_to_five_words() {
        for n in 0..=5u32 {
            for code in 0..(n + 1).pow(n) {
                let d: Vec<u32> = (0..n).map(|k| code / (n + 1).pow(k) % (n + 1)).collect();
                check(&d);
            }
        }
    }

    #[test]
    fn what_is_no_span_is_ill_formed() {
        let spans = Spans::new(&Heads::new(vec![2, 0]).unwrap());
        for (first, last) in [(0, 1), (2, 1), (1, 3), (0, 0), (u32::MAX, u32::MAX)] {
            assert_eq!(spans.structure(first, last), Structure::IllFormed);
        }
        assert_eq!(Spans::new(&Heads::default()).structure(1, 1), Structure::IllFormed);
    }

    #[test]
    fn the_examples_of_the_paper() {
        // the boy will find it interesting (Figure 1)
        let d = Heads::new(vec![2, 4, 4, 0, 4, 4]).unwrap();
        let spans = Spans::new(&d);
        assert_eq!(spans.structure(1, 2), Structure::Fixed(2));
        assert_eq!(spans.structure(1, 4), Structure::Fixed(4));
        assert_eq!(spans.structure(1, 3), Structure::FloatingLeft { head: 4, children: &[2, 3] });
        assert_eq!(spans.structure(5, 6), Structure::FloatingRight { head: 4, children: &[5, 6] });
        assert_eq!(spans.structure(2, 3), Structure::IllFormed);
    }

    /// Mostly near heads, so that well-formed spans are common; long enough for many blocks.
    fn heads_near(longest: usize) -> impl Strategy<Value = Vec<u32>> {
        proptest::collection::vec((0u32..10, -4i64..=4), 1..longest).prop_map(|words| {
            let n = words.len() as i64;
            let head = |(at, &(kind, offset)): (usize, &(u32, i64))| match kind {
                0 => 0,
                1 => (at as i64 * 7919 + offset).rem_euclid(n + 1) as u32,
                _ => (at as i64 + 1 + offset).clamp(0, n) as u32,
            };
            words.iter().enumerate().map(head).collect()
        })
    }

    /// A random projective tree over `first..=last` under `head`.
    fn projective(
        d: &mut [u32],
        first: u32,
        last: u32,
        head: u32,
        random: &mut impl FnMut() -> u32,
    ) {
        if first > last {
            return;
        }
        let cut = first + random() % (last - first + 1);
        let word = first + random() % (cut - first + 1);
        d[word as usize - 1] = head;
        projective(d, first, word - 1, word, random);
        projective(d, word + 1, cut, word, random);
        projective(d, cut + 1, last, head, random);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_definitions_hold_on_random_head_arrays(d in heads_near(100)) {
            check(&d);
        }

        #[test]
        fn the_definitions_hold_on_random_projective_forests(n in 1u32..150, seed: u32) {
            let mut d = vec![0; n as usize];
            let mut state = seed | 1;
            projective(&mut d, 1, n, 0, &mut || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 8
            });
            check(&d);
        }
    }
}
