//! For sentences too long to search: each word goes on where the last match stopped if it can,
//! else to where the longest run of matches starts.

use std::cmp::Reverse;

use super::classes::Pair;

/// How many places are compared, and how far ahead.
const CANDIDATES: usize = 64;

/// Adjacent matches of one alignment with most matches.
pub fn greedy(pair: &Pair) -> u32 {
    let mut state = Greedy {
        pair,
        used: vec![false; pair.places.len()],
        counts: pair.classes.iter().map(|class| vec![0; class.forms.len()]).collect(),
        starts: vec![0; pair.classes.len()],
    };
    let (mut adjacent, mut next) = (0, None);
    for word in 0..pair.words.len() {
        let place = state.choose(word, next);
        adjacent += u32::from(place.is_some() && place == next);
        place.into_iter().for_each(|place| state.take(place));
        next = place.map(|place| place + 1);
    }
    adjacent
}

struct Greedy<'a> {
    pair: &'a Pair,
    used: Vec<bool>,
    /// How many places are used, by class and form.
    counts: Vec<Vec<usize>>,
    /// All places of a class before this one of them are used.
    starts: Vec<usize>,
}

impl Greedy<'_> {
    fn choose(&mut self, word: usize, next: Option<usize>) -> Option<usize> {
        let pair = self.pair;
        let number = pair.words[word].class?;
        let places = &pair.classes[number].places;
        let start = &mut self.starts[number];
        while places.get(*start).is_some_and(|&place| self.used[place]) {
            *start += 1;
        }
        let fits = |place: &usize| pair.suits(word, *place) && self.allows(word, *place);
        if let Some(place) = next.filter(fits) {
            return Some(place);
        }
        let candidates = places[self.starts[number]..].iter().copied().filter(|place| fits(place));
        // The first of the longest.
        candidates.take(CANDIDATES).min_by_key(|&place| Reverse(self.run(word, place)))
    }

    fn allows(&self, word: usize, place: usize) -> bool {
        let (seen, form) = (&self.pair.words[word], self.pair.form(place));
        let Some(number) = seen.class.filter(|_| !self.used[place]) else { return false };
        let used = &self.counts[number];
        let choices = self.pair.choices(word, used);
        if form == seen.form {
            return choices.exact;
        }
        choices.other && self.pair.spares(word, number, form, used)
    }

    fn run(&self, word: usize, place: usize) -> usize {
        let suits =
            |&step: &usize| self.pair.suits(word + step, place + step) && !self.used[place + step];
        (0..CANDIDATES).take_while(suits).count()
    }

    fn take(&mut self, place: usize) {
        self.used[place] = true;
        if let Some(found) = self.pair.places[place] {
            self.counts[found.class][found.form] += 1;
        }
    }
}
