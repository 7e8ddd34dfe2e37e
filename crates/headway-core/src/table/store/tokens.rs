//! Counting tokens, most of which are small numbers.

use rustc_hash::FxHashMap;

use super::column::Style;
use crate::table::packed::{CodeBuilder, SMALL};

/// Different numbers of one column kept in memory before those seen once are forgotten.
const MOST_TOKENS: usize = 1 << 22;

/// How often each token of a code was seen.
#[derive(Debug, Clone, Default)]
pub struct TokenCounts {
    small: Vec<u64>,
    others: FxHashMap<u64, u64>,
}

impl TokenCounts {
    #[inline]
    pub fn add(&mut self, token: u64, count: u64) {
        if token >= SMALL as u64 {
            *self.others.entry(token).or_default() += count;
            return;
        }
        if self.small.is_empty() {
            self.small = vec![0; SMALL];
        }
        self.small[token as usize] += count;
    }

    /// Keeps the memory bounded: rare numbers will be written in full, which needs no place.
    pub fn forget_rare(&mut self) {
        if self.others.len() <= MOST_TOKENS {
            return;
        }
        let before = self.others.len();
        self.others.retain(|&token, &mut count| !Style::is_rare(token, count));
        self.add(Style::ESCAPE, (before - self.others.len()) as u64);
    }

    /// The code; of a column of numbers, without places for those seen once.
    pub fn builder(self, numbers: bool) -> CodeBuilder {
        let mut builder = CodeBuilder::default();
        let small = self.small.into_iter().enumerate().map(|(token, count)| (token as u64, count));
        for (token, count) in small.chain(self.others) {
            let rare = numbers && Style::is_rare(token, count);
            builder.add(if rare { Style::ESCAPE } else { token }, count);
        }
        builder
    }
}
