//! What a person reads in a table: Tables 2 and 3 of the paper.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::file::Table;
use super::rows::{Entry, row};
use crate::deporder::is_punctuation;
use crate::{Monitor, Result};

/// A dependency as it is shown; the root has no words.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub parent: Option<String>,
    pub child: String,
    pub left: bool,
    pub count: u32,
    /// ln p(child | parent, direction), and that of the lexical weight.
    pub probability: f32,
    pub lexical: f32,
}

/// A row and an entry of it by number; the more frequent is greater, then the earlier.
#[derive(PartialEq, Eq)]
struct Ranked(u32, Reverse<(u32, u32)>);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0, &self.1).cmp(&(other.0, &other.1))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Table {
    /// The most frequent dependencies with at least two words in one of the phrases and no phrase
    /// of punctuation alone (Table 2).
    pub fn most_frequent(&self, many: usize, monitor: &Monitor) -> Result<Vec<Listed>> {
        let rows = self.rows(0);
        let mut best: BinaryHeap<Reverse<Ranked>> = BinaryHeap::new();
        for row in 0..rows.totals.len() as u32 {
            monitor.check()?;
            for (number, entry) in (0..).zip(rows.row(row)) {
                let ranked = Ranked(entry.count, Reverse((row, number)));
                let full = best.len() >= many;
                if full && best.peek().is_none_or(|least| ranked <= least.0) {
                    continue;
                }
                if self.is_worth_showing(row, entry) {
                    best.push(Reverse(ranked));
                    if full {
                        best.pop();
                    }
                }
            }
        }
        let best = best.into_sorted_vec().into_iter().map(|Reverse(Ranked(_, Reverse(at)))| at);
        let listed = best.map(|(row, number)| self.listed(row, &rows.row(row)[number as usize]));
        let mut listed: Vec<Listed> = listed.collect();
        listed
            .sort_by_cached_key(|one| (Reverse(one.count), one.parent.clone(), one.child.clone()));
        Ok(listed)
    }

    fn is_worth_showing(&self, row: u32, entry: &Entry) -> bool {
        let phrases = self.phrases(0);
        let words = |phrase: u32| phrases.words(phrase as usize).unwrap_or_default();
        let (parent, child) = (words(row >> 1), words(entry.child));
        let marks =
            |words: &[u32]| words.iter().all(|&word| is_punctuation(&self.clusters.spelt(&[word])));
        let is_root = (row >> 1) as usize == phrases.len();
        parent.len().max(child.len()) >= 2 && (is_root || !marks(parent)) && !marks(child)
    }

    /// The most probable children of a phrase (None is the root) on one side (Table 3).
    pub fn children(&self, parent: Option<&[&str]>, left: bool, many: usize) -> Vec<Listed> {
        let phrases = self.phrases(0);
        let number = parent
            .map(|words| self.clusters.numbers(words).0.and_then(|words| phrases.find(&words)));
        let row = match number {
            None if left => return Vec::new(),
            None => row(phrases.len(), None, false),
            Some(None) => return Vec::new(),
            Some(Some(phrase)) => row(phrases.len(), Some(phrase), left),
        };
        let mut entries: Vec<&Entry> = self.rows(0).row(row).iter().collect();
        let text = |entry: &Entry| {
            self.clusters.spelt(phrases.words(entry.child as usize).unwrap_or_default())
        };
        // Spelling is slow: only where it decides, among the last counts that are shown.
        entries.sort_by_key(|entry| Reverse(entry.count));
        if let Some(last) = entries.get(many.wrapping_sub(1)).map(|entry| entry.count) {
            entries.retain(|entry| entry.count >= last);
        }
        entries.sort_by_cached_key(|entry| (Reverse(entry.count), text(entry)));
        entries.into_iter().take(many).map(|entry| self.listed(row, entry)).collect()
    }

    fn listed(&self, row: u32, entry: &Entry) -> Listed {
        let phrases = self.phrases(0);
        let text =
            |phrase: u32| self.clusters.spelt(phrases.words(phrase as usize).unwrap_or_default());
        let parent = row >> 1;
        Listed {
            parent: ((parent as usize) < phrases.len()).then(|| text(parent)),
            child: text(entry.child),
            left: row & 1 == 1,
            count: entry.count,
            probability: self.rows(0).probability(row, entry),
            lexical: entry.lexical,
        }
    }
}
