//! Many sentences, as many at a time as there are threads.

use rayon::prelude::*;

use super::source::Source;
use super::translation::Translation;
use crate::{Monitor, Result};

/// Translates sentences, each on its own.
pub fn translate_all(
    sources: &[Source],
    monitor: &Monitor,
    translate: impl Fn(&Source) -> Result<Translation> + Sync,
) -> Result<Vec<Translation>> {
    monitor.expect(sources.len() as u64);
    let one = |source: &Source| {
        monitor.check()?;
        let translation = translate(source)?;
        monitor.advance(1)?;
        Ok(translation)
    };
    sources.par_iter().with_max_len(1).map(one).collect()
}
