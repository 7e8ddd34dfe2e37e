//! How probable a word is as the dependent of another: p_lex(y | x, d), by relative frequency.

use rustc_hash::FxHashMap;

/// The root as a governor.
pub const ROOT: u32 = u32::MAX >> 1;

/// Counts of dependencies between words (or clusters), and of governors with their direction.
#[derive(Debug, Default)]
pub struct Lexical {
    links: FxHashMap<(u32, u32), u64>,
    governors: FxHashMap<u32, u64>,
}

/// A governor and a direction as one number.
pub fn side(governor: u32, left: bool) -> u32 {
    governor << 1 | u32::from(left)
}

impl Lexical {
    pub fn add(&mut self, side: u32, dependent: u32, count: u64) {
        *self.links.entry((side, dependent)).or_insert(0) += count;
        *self.governors.entry(side).or_insert(0) += count;
    }

    /// The same with another number for each word.
    pub fn mapped(&self, class: impl Fn(u32) -> u32) -> Lexical {
        let mut mapped = Lexical::default();
        self.links.iter().for_each(|(&(governor, dependent), &count)| {
            let (word, left) = (governor >> 1, governor & 1 == 1);
            let word = if word == ROOT { ROOT } else { class(word) };
            mapped.add(side(word, left), class(dependent), count);
        });
        mapped
    }

    pub fn probability(&self, side: u32, dependent: u32) -> f64 {
        let count = self.links.get(&(side, dependent)).copied().unwrap_or_default();
        let all = self.governors.get(&side).copied().unwrap_or_default();
        if all == 0 { 0.0 } else { count as f64 / all as f64 }
    }
}
