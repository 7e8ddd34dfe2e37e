//! n-best lists in files, so that a tuning can go on where it stopped: a candidate a line,
//! `sentence TAB words TAB feature:value …`, with all digits.

use std::fmt::Write;
use std::path::Path;

use super::pool::Entry;
use crate::Result;
use crate::error::snippet;
use crate::text::{Lines, Output};

pub fn save(path: &Path, lists: &[Vec<Entry>]) -> Result<()> {
    let mut output = Output::create(path)?;
    for (sentence, list) in lists.iter().enumerate() {
        for entry in list {
            let mut line = format!("{sentence}\t{}\t", entry.words.join(" "));
            for (place, (feature, value)) in entry.features.iter().enumerate() {
                let space = if place > 0 { " " } else { "" };
                // Writing to a string cannot fail.
                let _ = write!(line, "{space}{feature}:{value}");
            }
            output.write_line(&line)?;
        }
    }
    output.finish()
}

/// The lists of so many sentences.
pub fn load(path: &Path, sentences: usize) -> Result<Vec<Vec<Entry>>> {
    let mut lists = vec![Vec::new(); sentences];
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next()? {
        match parsed(line) {
            Some((sentence, entry)) if sentence < sentences => lists[sentence].push(entry),
            _ => {
                let found = snippet(line.as_bytes());
                let message = "expected `sentence TAB words TAB feature:value …`";
                return Err(lines.error(format!("{message}, found {found}; tune anew")));
            }
        }
    }
    Ok(lists)
}

fn parsed(line: &str) -> Option<(usize, Entry)> {
    let mut fields = line.split('\t');
    let (sentence, words, features) = (fields.next()?, fields.next()?, fields.next()?);
    let feature = |text: &str| {
        let (feature, value) = text.split_once(':')?;
        Some((feature.parse().ok()?, value.parse().ok()?))
    };
    let words = words.split(' ').filter(|word| !word.is_empty());
    let features = features.split(' ').filter(|feature| !feature.is_empty());
    let entry = Entry {
        words: words.map(ToString::to_string).collect(),
        features: features.map(feature).collect::<Option<_>>()?,
    };
    fields.next().is_none().then_some((sentence.parse().ok()?, entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_as_they_were() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lists.zst");
        let entry = |words: &[&str], features: &[(u32, f64)]| Entry {
            words: words.iter().map(ToString::to_string).collect(),
            features: features.to_vec(),
        };
        let lists = vec![
            vec![entry(&["a", "|||"], &[(0, 0.1), (7, -1e-300)]), entry(&[], &[])],
            vec![],
            vec![entry(&["b"], &[(3, f64::from(0.1_f32))])],
        ];
        save(&path, &lists).unwrap();
        assert_eq!(load(&path, 3).unwrap(), lists);
        assert!(load(&path, 1).unwrap_err().to_string().contains("tune anew"));
        std::fs::write(directory.path().join("bad"), "0\ta\t1=2\n").unwrap();
        assert!(load(&directory.path().join("bad"), 3).is_err());
    }
}
