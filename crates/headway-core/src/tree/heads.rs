//! Head arrays: the bare shape of a dependency analysis.

use std::ops::Deref;

use crate::{Error, Result};

/// The head of each word: `heads[w - 1]` for word w, 0 for a root.
///
/// Every head is 0 or a word. Nothing else is promised: there may be several roots, none, and
/// cycles, as a parser that picks each head by itself leaves them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Heads(Vec<u32>);

impl Heads {
    pub fn new(heads: Vec<u32>) -> Result<Self> {
        let words = heads.len();
        if u32::try_from(words).is_err() {
            return Err(Error::setting(format!("{words} words are too many for one tree")));
        }
        match heads.iter().position(|&head| head as usize > words) {
            None => Ok(Heads(heads)),
            Some(at) => Err(Error::setting(out_of_range(at + 1, heads[at], words))),
        }
    }

    /// The head of `word`.
    pub fn of(&self, word: u32) -> u32 {
        self.0[word as usize - 1]
    }

    /// Every word with its head.
    pub fn arcs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (1..).zip(&self.0).map(|(word, &head)| (word, head))
    }

    /// The words whose head is 0.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        self.arcs().filter(|&(_, head)| head == 0).map(|(word, _)| word)
    }
}

impl Deref for Heads {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

pub(super) fn out_of_range(word: usize, head: u32, words: usize) -> String {
    format!("word {word}: head {head} is out of range; a head is 0 (root) or a word, 1 to {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_must_be_words_or_the_root() {
        let error = Heads::new(vec![2, 0, 4]).unwrap_err().to_string();
        assert_eq!(error, "word 3: head 4 is out of range; a head is 0 (root) or a word, 1 to 3");
    }

    #[test]
    fn cycles_and_several_roots_are_held() {
        let heads = Heads::new(vec![2, 1, 0, 0, 5]).unwrap();
        assert_eq!(heads.roots().collect::<Vec<_>>(), [3, 4]);
        assert_eq!(heads.of(2), 1);
    }
}
