//! How long to look at each span.
//!
//! Most spans are part of no good translation. A first pass, in which few extensions are tried,
//! tells for each span the best translation that uses it; the second one looks long at those
//! that did best, and less long the worse they did. Ranks decide, so that the scale of weights
//! does not matter.

use super::arena::{JOIN, NONE};
use super::search::Searching;

/// Extensions to be tried for each span.
pub struct Focus {
    most: usize,
    spans: Vec<usize>,
    prefix: usize,
}

/// Share of the extensions that the first pass tries; and where neighbours are joined in several
/// ways, so that the same words come with many states and fewer tell little.
const COARSE: f64 = 0.1;
const COARSE_JOINS: f64 = 0.3;
/// Share that the second pass tries for spans that did badly, or were part of nothing.
const LOW: f64 = 0.15;
/// So many spans for each word are looked at as long as possible; after as many more it is
/// half as long, and so on.
const SPANS_PER_WORD: f64 = 0.5;
/// No pass tries fewer for any span.
const LEAST: usize = 5;

impl Focus {
    /// The first pass of a search that tries at most so many.
    pub fn new(most: usize, spans: usize, joins: bool) -> Self {
        let coarse = share(most, if joins { COARSE_JOINS } else { COARSE });
        Focus { most, spans: vec![coarse; spans], prefix: coarse }
    }

    pub fn span(&self, place: usize) -> usize {
        self.spans[place]
    }

    pub fn prefix(&self) -> usize {
        self.prefix
    }

    /// The second pass, from what the first one found.
    pub fn refined(self, found: &Searching<'_>, finals: &[(u32, f32)]) -> Self {
        let best = best_through(found, finals, self.spans.len());
        let used = |&place: &usize| best[place] > f32::NEG_INFINITY;
        let mut order: Vec<usize> = (0..best.len()).filter(used).collect();
        order.sort_by(|&a, &b| best[b].total_cmp(&best[a]).then(a.cmp(&b)));
        let low = share(self.most, LOW);
        let mut spans = vec![low; best.len()];
        let half = found.words.len() as f64 * SPANS_PER_WORD;
        for (rank, place) in order.into_iter().enumerate() {
            let halvings = (rank as f64 / half - 1.0).max(0.0);
            spans[place] = share(self.most, 0.5_f64.powf(halvings)).max(low);
        }
        Focus { spans, prefix: self.most, ..self }
    }
}

fn share(most: usize, part: f64) -> usize {
    ((most as f64 * part) as usize).max(LEAST).min(most)
}

/// For each span, the score of the best translation of which it is a part.
fn best_through(found: &Searching<'_>, finals: &[(u32, f32)], spans: usize) -> Vec<f32> {
    let items = &found.arena.items;
    let mut through = vec![f32::NEG_INFINITY; items.len()];
    for &(item, total) in finals {
        through[item as usize] = total;
    }
    let mut best = vec![f32::NEG_INFINITY; spans];
    // Items are made after those that they are made of.
    for id in (0..items.len()).rev() {
        let total = through[id];
        if total == f32::NEG_INFINITY {
            continue;
        }
        let head = &items[id];
        if head.set == JOIN || found.rule(head).is_some() {
            let place = found.place(head.start, head.end);
            best[place] = best[place].max(total);
        }
        let mut at = id as u32;
        while at != NONE {
            let item = &items[at as usize];
            let other = total - head.score + item.score;
            for &tail in item.tails.iter().filter(|&&tail| tail != NONE) {
                through[tail as usize] = through[tail as usize].max(other);
            }
            at = item.next;
        }
    }
    best
}
