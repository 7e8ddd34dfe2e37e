//! Many sentences, as many at a time as there are threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::limits::unsound;
use super::source::Source;
use super::translation::{Request, Translation};
use crate::error::snippet;
use crate::{Error, Monitor, Result};

/// Translates sentences, each on its own. An error names its sentence, the first one that fails,
/// whatever the number of threads.
pub fn translate_all(
    sources: &[Source],
    request: Request,
    monitor: &Monitor,
    translate: impl Fn(&Source) -> Result<Translation> + Sync,
) -> Result<Vec<Translation>> {
    monitor.expect(sources.len() as u64);
    let failed = AtomicUsize::new(usize::MAX);
    let one = |(place, source): (usize, &Source)| {
        monitor.check()?;
        if place > failed.load(Relaxed) {
            return Err(Error::Interrupted);
        }
        let found = guarded(|| translate(source).and_then(sound));
        let translation = found.map_err(|error| {
            if !matches!(error, Error::Interrupted) {
                failed.fetch_min(place, Relaxed);
            }
            at_sentence(error, request.before + place as u64 + 1, source.words())
        })?;
        monitor.advance(1)?;
        Ok(translation)
    };
    let mut found: Vec<Result<Translation>> =
        sources.par_iter().enumerate().with_max_len(1).map(one).collect();
    let first = failed.into_inner();
    if first < found.len() {
        found.swap_remove(first)?;
    }
    found.into_iter().collect()
}

/// A panic is a defect of the program, but it must not hide which sentence led to it.
fn guarded(translate: impl FnOnce() -> Result<Translation>) -> Result<Translation> {
    // Nothing that a sentence leaves half done is used again: caches only take whole entries.
    catch_unwind(AssertUnwindSafe(translate))
        .unwrap_or_else(|_| Err(Error::internal("translating it failed")))
}

/// Refuses scores that are not finite: nothing that was compared with them means anything.
fn sound(translation: Translation) -> Result<Translation> {
    let is_finite = |one: &Translation| {
        one.score.is_finite() && one.features.iter().all(|value| value.is_finite())
    };
    match is_finite(&translation) && translation.n_best.iter().all(is_finite) {
        true => Ok(translation),
        false => Err(unsound()),
    }
}

/// The error with the number of the sentence and its first words.
fn at_sentence(error: Error, number: u64, sentence: &[String]) -> Error {
    if matches!(error, Error::Interrupted) {
        return error;
    }
    let words = sentence.iter().take(10).map(String::as_str);
    let start = snippet(words.collect::<Vec<_>>().join(" ").as_bytes());
    Error::Sentence { number, start, cause: Box::new(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(
        translate: impl Fn(&Source) -> Result<Translation> + Sync,
    ) -> Result<Vec<Translation>> {
        let source = |number: u32| Source::new(vec!["Satz".to_string(), number.to_string()]);
        let sources: Vec<Source> = (0..40).map(source).collect();
        let request = Request { before: 100, ..Request::default() };
        translate_all(&sources, request, &Monitor::default(), translate)
    }

    #[test]
    fn the_first_sentence_that_fails_is_named() {
        for _ in 0..20 {
            let found = translated(|source| match source.words()[1].parse() {
                Ok(11 | 12 | 39) => Err(Error::setting("no rule")),
                Ok(7) => panic!("a defect"),
                _ => Ok(Translation::default()),
            });
            let expected = "sentence 108 (\"Satz 7\"): translating it failed";
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }

    #[test]
    fn no_score_is_infinite_or_no_number() {
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let with = |score, value| {
                let found = Translation { score, features: vec![value], ..Translation::default() };
                translated(|_| Ok(found.clone()))
            };
            assert!(with(0.5, 1.0).is_ok());
            for found in [with(wrong, 1.0), with(0.5, wrong)] {
                let message = found.unwrap_err().to_string();
                assert!(message.starts_with("sentence 101 (\"Satz 0\"): a score is"), "{message}");
            }
        }
    }

    #[test]
    fn work_that_was_stopped_is_no_failure() {
        assert!(matches!(translated(|_| Err(Error::Interrupted)), Err(Error::Interrupted)));
    }
}
