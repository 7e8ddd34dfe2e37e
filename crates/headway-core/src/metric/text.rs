//! Statistics of whole texts, on all cores.

use rayon::prelude::*;

use super::Metric;
use super::chunks::Word;
use super::meteor::{Numbers, meteor_numbers};
use crate::{Error, Monitor, Result};

/// The words of a line, cut at the same characters at which Python's `split` cuts.
pub fn words(line: &str) -> Vec<&str> {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    line.split(is_space).filter(|word| !word.is_empty()).collect()
}

/// The statistics of each line against the same line of each reference.
pub fn statistics(
    metric: &dyn Metric,
    hypotheses: &[String],
    references: &[Vec<String>],
    monitor: &Monitor,
) -> Result<Vec<Vec<f64>>> {
    check(hypotheses.len(), references)?;
    monitor.expect(hypotheses.len() as u64);
    let judge = |(line, hypothesis): (usize, &String)| {
        monitor.advance(1)?;
        let own: Vec<Vec<&str>> = references.iter().map(|lines| words(&lines[line])).collect();
        let mut numbers = Vec::with_capacity(metric.width());
        metric.judge(&own).judge(&words(hypothesis), &mut numbers);
        Ok(numbers)
    };
    hypotheses.par_iter().enumerate().map(judge).collect()
}

/// METEOR's numbers of each line against the same line of each reference.
pub fn meteor_lines(
    hypotheses: &[Vec<Word>],
    references: &[Vec<Vec<Word>>],
    monitor: &Monitor,
) -> Result<Vec<Numbers>> {
    check(hypotheses.len(), references)?;
    monitor.expect(hypotheses.len() as u64);
    let judge = |(line, hypothesis): (usize, &Vec<Word>)| {
        monitor.advance(1)?;
        let own: Vec<Vec<Word>> = references.iter().map(|lines| lines[line].clone()).collect();
        Ok(meteor_numbers(hypothesis, &own))
    };
    hypotheses.par_iter().enumerate().map(judge).collect()
}

/// Raises unless there are references, each with a line for each hypothesis.
fn check<T>(expected: usize, references: &[Vec<T>]) -> Result<()> {
    if references.is_empty() {
        return Err(Error::setting("no reference to compare with; give at least one"));
    }
    match references.iter().position(|lines| lines.len() != expected) {
        None => Ok(()),
        Some(place) => {
            let (number, found) = (place + 1, references[place].len());
            let message = format!("reference {number} has {found} lines for {expected} hypotheses");
            Err(Error::setting(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bleu;
    use super::*;

    #[test]
    fn lines_are_compared_with_their_own_references() {
        let lines = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let hypotheses = lines(&["a b", ""]);
        let monitor = Monitor::default();
        let found = statistics(&Bleu, &hypotheses, &[lines(&["a c", "b"])], &monitor).unwrap();
        assert_eq!(found[0][..3], [2.0, 2.0, 1.0]);
        assert_eq!(found[1][..3], [0.0, 1.0, 0.0]);
        let short = statistics(&Bleu, &hypotheses, &[lines(&["a"])], &monitor);
        assert!(short.unwrap_err().to_string().contains("1 lines for 2"));
        assert!(statistics(&Bleu, &hypotheses, &[], &monitor).is_err());
    }

    #[test]
    fn words_end_where_python_ends_them() {
        assert_eq!(words(" a\u{1c}b\u{a0}c\u{200b}d\t"), ["a", "b", "c\u{200b}d"]);
    }
}
