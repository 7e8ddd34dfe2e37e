//! One n-gram line of an ARPA file: `log10-probability words… [log10-back-off]`.

use crate::error::snippet;
use crate::lm::{Entry, MOST_LOG10};

/// The columns of a line, between tabs or spaces in any number.
pub(super) fn columns(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t']).filter(|column| !column.is_empty())
}

/// Splits a line into its words and values; the message says what is wrong.
pub(super) fn parse<'a>(line: &'a str, words: &mut [&'a str]) -> Result<Entry, String> {
    let order = words.len();
    if line.contains("\t\t") {
        let line = snippet(line.as_bytes());
        return Err(format!("expected {order} words between tabs, found none in {line}"));
    }
    let mut columns = columns(line);
    let prob = columns.next().unwrap_or_default();
    let log10_prob = value(prob, "log10 probability")?;
    for (found, word) in words.iter_mut().enumerate() {
        *word = columns.next().ok_or_else(|| {
            let line = snippet(line.as_bytes());
            format!("expected a log10 probability and {order} words, found {found} words in {line}")
        })?;
    }
    let log10_backoff = columns.next().map_or(Ok(0.0), |text| value(text, "log10 back-off"))?;
    if columns.next().is_some() {
        let (line, most) = (snippet(line.as_bytes()), order + 2);
        return Err(format!("expected at most {most} columns for a {order}-gram, found {line}"));
    }
    if log10_prob > 0.0 {
        return Err(format!(
            "log10 probability {} is above 0, which no probability has",
            snippet(prob.as_bytes())
        ));
    }
    Ok(Entry { log10_prob: log10_prob + 0.0, log10_backoff: log10_backoff + 0.0 })
}

fn value(text: &str, what: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if value.abs() <= MOST_LOG10 => Ok(value),
        Ok(value) if value.is_finite() => {
            Err(format!("expected a {what} from -1e6 to 1e6, found {}", snippet(text.as_bytes())))
        }
        Ok(_) => Err(format!("expected a finite {what}, found {}", snippet(text.as_bytes()))),
        Err(_) => Err(format!("expected a {what}, found {}", snippet(text.as_bytes()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str, order: usize) -> Result<(f32, f32, Vec<&str>), String> {
        let mut words = vec![""; order];
        parse(line, &mut words).map(|entry| (entry.log10_prob, entry.log10_backoff, words))
    }

    #[test]
    fn columns_are_separated_by_tabs_or_spaces() {
        assert_eq!(parsed("-1\ta b\t-0.5", 2), Ok((-1.0, -0.5, vec!["a", "b"])));
        assert_eq!(parsed("-1 a  b -0.5 ", 2), Ok((-1.0, -0.5, vec!["a", "b"])));
        assert_eq!(parsed("-1e-3\ta", 1), Ok((-0.001, 0.0, vec!["a"])));
        assert_eq!(parsed("-99\t<s>\t1.5", 1), Ok((-99.0, 1.5, vec!["<s>"])));
    }

    #[test]
    fn each_defect_has_its_message() {
        let message = |line, order| parsed(line, order).unwrap_err();
        assert!(message("x a", 1).contains("expected a log10 probability, found \"x\""));
        assert!(message("nan a", 1).contains("expected a finite log10 probability"));
        assert!(message("-inf a", 1).contains("finite"));
        assert!(message("-1e39 a", 1).contains("finite"));
        assert!(message("-3e38 a", 1).contains("expected a log10 probability from -1e6 to 1e6"));
        assert!(message("-1 a 2e6", 1).contains("expected a log10 back-off from -1e6 to 1e6"));
        assert!(message("0.5 a", 1).contains("above 0"));
        assert!(message("-1 a inf", 1).contains("expected a finite log10 back-off"));
        assert!(message("-1 a", 2).contains("found 1 words"));
        assert!(message("-1 a -1 c", 1).contains("at most 3 columns"));
        assert!(message("-1\t\t-0.5", 1).contains("between tabs"));
        assert!(message("", 1).contains("expected a log10 probability"));
    }
}
