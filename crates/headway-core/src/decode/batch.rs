//! Many sentences, as many at a time as there are threads.

use rayon::prelude::*;

use super::translation::Translation;
use crate::{Monitor, Result};

/// Translates sentences, each on its own.
pub fn translate_all(
    sentences: &[Vec<String>],
    monitor: &Monitor,
    translate: impl Fn(&[&str]) -> Result<Translation> + Sync,
) -> Result<Vec<Translation>> {
    monitor.expect(sentences.len() as u64);
    let one = |sentence: &Vec<String>| {
        monitor.check()?;
        let translation = translate(&visible(sentence))?;
        monitor.advance(1)?;
        Ok(translation)
    };
    sentences.par_iter().with_max_len(1).map(one).collect()
}

/// Words that text cannot hold, empty or with white space, are shown as an open box.
pub fn visible(sentence: &[String]) -> Vec<&str> {
    let odd = |word: &str| word.is_empty() || word.contains(char::is_whitespace);
    sentence.iter().map(|word| if odd(word) { "\u{2423}" } else { word }).collect()
}
