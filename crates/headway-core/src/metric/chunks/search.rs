//! Word by word through the hypothesis, with the best partial alignments of each set of words
//! used in the reference.

use std::cmp::Reverse;

use super::classes::Pair;

/// The most adjacent matches that were found, and whether no alignment has more.
pub struct Outcome {
    pub adjacent: u32,
    pub exact: bool,
}

/// An alignment of the words so far.
struct Partial {
    /// Places of the reference, a bit each. Those of a class whose words are all behind are all
    /// taken as used, so that alignments become equal as soon as nothing tells them apart.
    used: Vec<u64>,
    /// More is better, so it comes first.
    adjacent: Reverse<u32>,
    /// The place that would make the next match an adjacent one.
    next: Option<usize>,
}

impl Partial {
    fn is_used(&self, place: usize) -> bool {
        self.used[place / 64] >> (place % 64) & 1 == 1
    }

    fn mark(&mut self, place: usize) {
        self.used[place / 64] |= 1 << (place % 64);
    }
}

/// The best alignment among those reached with `width` partial ones kept at each word. With
/// `known`, only what could be better than that many adjacent matches is looked at.
pub fn search(pair: &Pair, width: usize, known: Option<u32>) -> Outcome {
    let used = vec![0; pair.places.len().div_ceil(64)];
    let mut beam = vec![Partial { used, adjacent: Reverse(0), next: None }];
    let mut exact = true;
    for word in 0..pair.words.len() {
        let mut step = Step { pair, word, known, found: Vec::with_capacity(beam.len()) };
        beam.iter().for_each(|partial| step.extend(partial));
        beam = distinct(step.found);
        if beam.len() > width {
            exact = false;
            beam.sort_by_cached_key(|partial| Reverse(promise(pair, word + 1, partial)));
            beam.truncate(width);
        }
    }
    let found = beam.iter().map(|partial| partial.adjacent.0).max();
    Outcome { adjacent: found.max(known).unwrap_or(0), exact }
}

/// All that can become of one word.
struct Step<'a> {
    pair: &'a Pair,
    word: usize,
    known: Option<u32>,
    found: Vec<Partial>,
}

impl Step<'_> {
    fn extend(&mut self, partial: &Partial) {
        let (pair, word) = (self.pair, self.word);
        let seen = &pair.words[word];
        let Some(number) = seen.class else {
            return self.push(partial, None);
        };
        let class = &pair.classes[number];
        let free = |place: &&usize| !partial.is_used(**place);
        let mut used = vec![0; class.forms.len()];
        for place in class.places.iter().filter(|place| !free(place)) {
            used[pair.form(*place)] += 1;
        }
        let choices = pair.choices(word, &used);
        for place in class.places.iter().filter(free) {
            let form = pair.form(*place);
            let allowed = if form == seen.form {
                choices.exact
            } else {
                choices.other && pair.spares(word, number, form, &used)
            };
            if allowed {
                self.push(partial, Some(*place));
            }
        }
        if choices.skip {
            self.push(partial, None);
        }
    }

    fn push(&mut self, partial: &Partial, place: Option<usize>) {
        let (pair, word) = (self.pair, self.word);
        let saved = u32::from(place.is_some() && place == partial.next);
        let adjacent = partial.adjacent.0 + saved;
        let ahead = place.map(|place| place + 1);
        let next = ahead.filter(|&at| pair.suits(word + 1, at) && !partial.is_used(at));
        // Without a place to go on at, the next word's match is no adjacent one.
        let bound = pair.bound(word + 1 + usize::from(next.is_none()));
        if self.known.is_some_and(|known| adjacent + bound <= known) {
            return;
        }
        let mut extended =
            Partial { used: partial.used.clone(), adjacent: Reverse(adjacent), next };
        match pair.words[word].class.filter(|_| pair.words[word].is_last) {
            Some(class) => pair.classes[class].places.iter().for_each(|&at| extended.mark(at)),
            None => place.into_iter().for_each(|place| extended.mark(place)),
        }
        self.found.push(extended);
    }
}

/// Of those with the same words used, the best: with one adjacent match less, no place to go on
/// at could make up for more than that one.
fn distinct(mut found: Vec<Partial>) -> Vec<Partial> {
    // With a place to go on at before without one.
    found.sort_unstable_by(|a, b| {
        let key = |one: &Partial| (one.adjacent, one.next.is_none(), one.next);
        a.used.cmp(&b.used).then_with(|| key(a).cmp(&key(b)))
    });
    found.dedup_by(|one, before| {
        let same = one.used == before.used;
        same && (one.adjacent != before.adjacent || one.next.is_none() || one.next == before.next)
    });
    found
}

/// Adjacent matches, with those that lie ahead if the words go on as they do.
fn promise(pair: &Pair, word: usize, partial: &Partial) -> u32 {
    let Some(place) = partial.next else { return partial.adjacent.0 };
    let ahead = (0..LOOK_AHEAD).take_while(|&step| {
        pair.suits(word + step, place + step) && !partial.is_used(place + step)
    });
    partial.adjacent.0 + ahead.count() as u32
}

const LOOK_AHEAD: usize = 8;
