//! What a search may do, apart from the model.

use std::time::Duration;

use super::dependency::DependencySettings;
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Cube pruning (Huang & Chiang 2007): the best extensions first, up to `pop_limit`.
    Cube,
    /// Every extension of every hypothesis that is kept.
    Stack,
}

/// What becomes of a word without a rule of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownWords {
    Copy,
    Drop,
    /// Copied with `UNK:` before it.
    Mark,
}

/// What the orientation of a phrase is measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orienting {
    /// The phrase before, for word- and phrase-based models.
    Phrase,
    /// The largest block that ends there (Galley & Manning 2008).
    Hierarchical,
}

/// The settings of `[search]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub algorithm: Algorithm,
    /// Extensions taken into a stack by cube pruning.
    pub pop_limit: usize,
    /// Cube pruning: how much of its slack (see `Phrase`) an option is hoped to use, which
    /// decides what is evaluated at all. More is slower and finds better scores.
    pub hope: f32,
    /// Hypotheses kept of those that cover equally many words.
    pub stack: usize,
    /// Hypotheses worse than the best of their stack by more than this are dropped.
    pub threshold: f32,
    /// Farthest jump; none is no limit, 0 is monotone.
    pub distortion_limit: Option<u32>,
    /// Rules tried for one source phrase.
    pub options: usize,
    /// Longest source phrase.
    pub max_phrase: usize,
    pub unknown: UnknownWords,
    pub orienting: Orienting,
    /// The dependency language model, where there is one.
    pub dependency: DependencySettings,
    /// Longer sentences are translated in pieces of at most this many words.
    pub max_words: usize,
    /// Chart search: longest source span of a rule; longer ones are joined by glue alone.
    pub span_limit: usize,
    /// After this time a sentence is finished in a hurry.
    pub time_limit: Option<Duration>,
}

impl Search {
    pub fn check(&self) -> Result<()> {
        let limits = [
            ("pop_limit", self.pop_limit),
            ("stack", self.stack),
            ("options", self.options),
            ("max_phrase", self.max_phrase),
            ("max_words", self.max_words),
            ("span_limit", self.span_limit),
        ];
        if let Some((name, _)) = limits.iter().find(|(_, limit)| *limit == 0) {
            return Err(Error::setting(format!("search.{name} is 0; at least 1 is needed")));
        }
        let most = [
            ("options", self.options, 60_000),
            ("max_words", self.max_words, 10_000),
            ("span_limit", self.span_limit, 10_000),
        ];
        if let Some((name, limit, most)) = most.iter().find(|(_, limit, most)| limit > most) {
            return Err(Error::setting(format!("search.{name} is {limit}; at most {most}")));
        }
        if !(0.0..=1.0).contains(&self.hope) {
            let message = format!("search.hope is {}; expected 0 to 1", self.hope);
            return Err(Error::setting(message));
        }
        if self.threshold.is_nan() || self.threshold < 0.0 {
            let message = format!("search.threshold is {}; expected 0 or more", self.threshold);
            return Err(Error::setting(message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Search {
        Search {
            algorithm: Algorithm::Cube,
            pop_limit: 400,
            hope: 0.5,
            stack: 200,
            threshold: f32::INFINITY,
            distortion_limit: Some(6),
            options: 20,
            max_phrase: 7,
            unknown: UnknownWords::Copy,
            orienting: Orienting::Phrase,
            dependency: DependencySettings::default(),
            max_words: 250,
            span_limit: 20,
            time_limit: None,
        }
    }

    #[test]
    fn limits_that_leave_nothing_are_refused() {
        assert!(some().check().is_ok());
        let stack = Search { stack: 0, ..some() }.check();
        assert_eq!(stack.unwrap_err().to_string(), "search.stack is 0; at least 1 is needed");
        assert!(Search { threshold: -1.0, ..some() }.check().is_err());
        assert!(Search { max_words: 1 << 20, ..some() }.check().is_err());
    }
}
