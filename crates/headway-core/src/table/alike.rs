//! Unknown words that are a form of a known one: `jëlal` where the table has `jëlaal`.

use rustc_hash::FxHashMap;

use super::{NodeId, RuleTable, Symbol, Words};
use crate::{Result, WordId};

/// Words by their first letters, whatever their case, in the order of their ids.
pub type Initials = FxHashMap<char, Vec<WordId>>;

pub fn initials(words: &Words) -> Initials {
    let mut initials = Initials::default();
    for (id, word) in (0..).map(WordId).zip(words.iter()) {
        if let Some(first) = word.and_then(|word| word.chars().next()) {
            initials.entry(folded(first)).or_default().push(id);
        }
    }
    initials
}

fn folded(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

/// Shorter words are like too many others.
const SHORTEST: usize = 4;

impl RuleTable {
    /// The source word most like one that the table lacks, if at least this share of its letters
    /// agrees: 1 − edits / letters of the longer one. Of equals, that with most rules.
    ///
    /// Only words of letters have one, and both begin with the same letter; case does not count,
    /// and words of less than four letters must agree in all else. A word that is translated by
    /// itself is a name, and so is what is like it: it has none.
    pub fn alike(&self, word: &str, share: f64) -> Result<Option<&str>> {
        let letters: Vec<char> = word.chars().map(folded).collect();
        // Letters and what goes with them, such as vowel signs, but no numbers or addresses.
        let odd = |letter: &char| letter.is_numeric() || letter.is_ascii_punctuation();
        let spelt = |letter: &char| !odd(letter) || "-'".contains(*letter);
        let Some(first) = letters.first().filter(|_| letters.iter().all(spelt)) else {
            return Ok(None);
        };
        if self.source().get(word).is_some() {
            return Ok(None);
        }
        let (mut nearest, mut best) =
            (Vec::new(), if letters.len() < SHORTEST { 1.0 } else { share });
        for &id in self.initials().get(first).into_iter().flatten() {
            let known = self.source().word(id).unwrap_or_default();
            let Some(found) = likeness(&letters, known, best) else { continue };
            let node = self.child(self.root(), Symbol::Word(id));
            let Some(node) = node.filter(|&node| self.has_rules(node)) else { continue };
            if found > best {
                nearest.clear();
                best = found;
            }
            nearest.push((id, node));
        }
        self.one_with_most_rules(&nearest)
    }

    fn one_with_most_rules(&self, words: &[(WordId, NodeId)]) -> Result<Option<&str>> {
        let (mut chosen, mut most) = (None, 0);
        for &(id, node) in words {
            let own = self.source().word(id).unwrap_or_default();
            let itself = self.target().get(own).map(Symbol::Word);
            let (mut rules, mut is_name) = (0, false);
            self.visit(node, &[Symbol::Word(id)], |rule| {
                rules += 1;
                is_name |= rule.target.len() == 1 && rule.target.first().copied() == itself;
            })?;
            if rules > most {
                (chosen, most) = ((!is_name).then_some(own), rules);
            }
        }
        Ok(chosen)
    }
}

/// The share of letters that agree, if it is at least `least`.
fn likeness(letters: &[char], known: &str, least: f64) -> Option<f64> {
    let known: Vec<char> = known.chars().map(folded).collect();
    let longer = letters.len().max(known.len()) as f64;
    let share = |edits: usize| Some(1.0 - edits as f64 / longer).filter(|&share| share >= least);
    share(letters.len().abs_diff(known.len())).and_then(|_| share(edits(letters, &known)))
}

/// Letters to insert, delete or replace.
fn edits(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (place, with) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != with);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By the definition: the fewest of all ways to begin.
    fn slow(one: &[char], other: &[char]) -> usize {
        match (one, other) {
            ([], rest) | (rest, []) => rest.len(),
            ([a, one_rest @ ..], [b, other_rest @ ..]) => {
                let replaced = slow(one_rest, other_rest) + usize::from(a != b);
                replaced.min(slow(one_rest, other) + 1).min(slow(one, other_rest) + 1)
            }
        }
    }

    proptest! {
        #[test]
        fn edits_are_the_fewest(one in "[abc]{0,6}", other in "[abc]{0,6}") {
            let [one, other]: [Vec<char>; 2] = [one, other].map(|it| it.chars().collect());
            prop_assert_eq!(edits(&one, &other), slow(&one, &other));
        }

        #[test]
        fn likeness_is_never_missed(one in "[ab]{1,7}", other in "[ab]{1,7}", least in 0.0..1.0) {
            let letters: Vec<char> = one.chars().collect();
            let known: Vec<char> = other.chars().collect();
            let longer = letters.len().max(known.len()) as f64;
            let share = 1.0 - slow(&letters, &known) as f64 / longer;
            prop_assert_eq!(likeness(&letters, &other, least), (share >= least).then_some(share));
        }
    }
}
