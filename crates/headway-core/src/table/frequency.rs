//! How frequent source words are, as far as a table knows.

use super::{RuleTable, Symbol};
use crate::{Result, WordId};

impl RuleTable {
    /// Each source word with the count of its source side: 1 where no rule translates it alone, or
    /// where the table keeps no counts.
    pub fn source_counts(&self) -> Result<Vec<(&str, f32)>> {
        let mut found = Vec::new();
        for (id, word) in (0..).map(WordId).zip(self.source().iter()) {
            if let Some(word) = word {
                found.push((word, self.count_of(id)?));
            }
        }
        Ok(found)
    }

    fn count_of(&self, word: WordId) -> Result<f32> {
        let (side, mut count) = ([Symbol::Word(word)], 1_f32);
        if let Some(node) = self.find(&side) {
            self.visit(node, &side, |rule| {
                count = rule.counts.map_or(count, |counts| count.max(counts.source));
            })?;
        }
        Ok(count)
    }
}
