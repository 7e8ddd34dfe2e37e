//! The line filters of the command line: tokenising, detokenising, casing.

use std::path::Path;

use super::detokenise::detokenise;
use super::input::Lines;
use super::language::Language;
use super::output::Output;
use super::pairs::distinct;
use super::pipeline::{Item, Sink, pipeline};
use super::tokenise::Tokeniser;
use super::tokens::{Tokens, gaps, read_gaps, write_gaps};
use super::truecase::{Truecaser, recase};
use crate::error::snippet;
use crate::{Error, Monitor, Result};

/// Text in, tokens parted by single spaces out. `spacing` gets what stood between the tokens,
/// so that `detokenise_lines` can restore each line exactly. Answers how many lines there were.
pub fn tokenise_lines(
    input: &Path,
    output: &Path,
    spacing: Option<&Path>,
    tokeniser: &Tokeniser,
    lowercase: bool,
    monitor: &Monitor,
) -> Result<u64> {
    let mut lines = Lines::open(input)?;
    if let Some(spacing) = spacing {
        distinct(output, spacing, "tokens and spacing")?;
    }
    let mut files = Files::create(output, spacing)?;
    let spaced = spacing.is_some();
    let read = move || Ok(lines.next()?.map(str::to_string));
    let work = |line: &String| Ok(tokenised_line(line, tokeniser, lowercase, spaced));
    let count = pipeline(read, work, &mut files, monitor)?;
    files.finish()?;
    Ok(count)
}

fn tokenised_line(
    line: &str,
    tokeniser: &Tokeniser,
    lowercase: bool,
    spaced: bool,
) -> (String, String) {
    let mut spans = Vec::new();
    tokeniser.spans(line, &mut spans);
    let mut tokens = String::with_capacity(line.len() + spans.len());
    for (index, &(start, end)) in spans.iter().enumerate() {
        if index > 0 {
            tokens.push(' ');
        }
        tokens.push_str(&line[start..end]);
    }
    let mut side = String::new();
    if spaced {
        write_gaps(gaps(line, &spans), &mut side);
    }
    (if lowercase { tokeniser.language().lowercase(&tokens) } else { tokens }, side)
}

/// Tokens in, text out: exactly as it was with the `spacing` of `tokenise_lines`, by the rules
/// of the language without.
pub fn detokenise_lines(
    input: &Path,
    output: &Path,
    spacing: Option<&Path>,
    language: &Language,
    monitor: &Monitor,
) -> Result<u64> {
    if let Some(spacing) = spacing {
        distinct(input, spacing, "tokens and spacing")?;
        return restore_lines(input, output, spacing, monitor);
    }
    let join = |line: &str| detokenise(&line.split_whitespace().collect::<Vec<_>>(), language);
    map_lines(input, output, join, monitor)
}

fn restore_lines(input: &Path, output: &Path, spacing: &Path, monitor: &Monitor) -> Result<u64> {
    let (mut lines, mut side) = (Lines::open(input)?, Lines::open(spacing)?);
    let spacing = spacing.to_path_buf();
    let mut files = Files::create(output, None)?;
    let read = move || {
        let line = lines.next()?.map(str::to_string);
        match (line, side.next()?) {
            (Some(line), Some(gaps)) => {
                Ok(Some(Spaced { number: lines.number(), line, gaps: gaps.to_string() }))
            }
            (None, None) => Ok(None),
            (Some(_), None) => Err(lines
                .error("the spacing file has fewer lines than this; was it made from this text?")),
            (None, Some(_)) => Err(side.error(
                "the spacing file has more lines than the tokens; was it made from this text?",
            )),
        }
    };
    let work = |item: &Spaced| {
        let restored = restored_line(&item.line, &item.gaps);
        restored.map_err(|message| Error::format(&spacing, item.number, message))
    };
    let count = pipeline(read, work, &mut files, monitor)?;
    files.finish()?;
    Ok(count)
}

fn restored_line(line: &str, spacing: &str) -> std::result::Result<String, String> {
    let gaps = read_gaps(spacing).ok_or_else(|| {
        format!("expected spacing such as \"+_+\", found {}; name the file that `headway tokenise --spacing` wrote", snippet(spacing.as_bytes()))
    })?;
    let words: Vec<&str> = if line.is_empty() { Vec::new() } else { line.split(' ').collect() };
    match Tokens::from_parts(&words, &gaps) {
        Ok(tokens) => Ok(tokens.text().to_string()),
        Err(error) => Err(format!("{error}; was it made from this text?")),
    }
}

/// Tokens in, tokens out with sentence beginnings in their usual case.
pub fn truecase_lines(
    input: &Path,
    output: &Path,
    truecaser: &Truecaser,
    headlines: bool,
    monitor: &Monitor,
) -> Result<u64> {
    let apply =
        |line: &str| truecaser.apply(&line.split(' ').collect::<Vec<_>>(), headlines).join(" ");
    map_lines(input, output, apply, monitor)
}

/// Tokens in, tokens out with capitals where sentences begin.
pub fn recase_lines(
    input: &Path,
    output: &Path,
    language: &Language,
    monitor: &Monitor,
) -> Result<u64> {
    let apply = |line: &str| recase(&line.split(' ').collect::<Vec<_>>(), language).join(" ");
    map_lines(input, output, apply, monitor)
}

fn map_lines(
    input: &Path,
    output: &Path,
    work: impl Fn(&str) -> String + Sync,
    monitor: &Monitor,
) -> Result<u64> {
    let mut lines = Lines::open(input)?;
    let mut files = Files::create(output, None)?;
    let read = move || Ok(lines.next()?.map(str::to_string));
    let count = pipeline(read, |line: &String| Ok(work(line)), &mut files, monitor)?;
    files.finish()?;
    Ok(count)
}

/// A line of tokens and what stands between them.
struct Spaced {
    number: u64,
    line: String,
    gaps: String,
}

impl Item for Spaced {
    fn size(&self) -> usize {
        self.line.len() + self.gaps.len()
    }
}

/// The file of results and, where asked for, the one of spacing.
struct Files {
    lines: Output,
    spacing: Option<Output>,
    /// Somebody may be waiting at the other end of a pipe.
    watched: bool,
}

impl Files {
    fn create(lines: &Path, spacing: Option<&Path>) -> Result<Self> {
        Ok(Files {
            lines: Output::create(lines)?,
            spacing: spacing.map(Output::create).transpose()?,
            watched: lines.as_os_str() == "-",
        })
    }

    fn finish(self) -> Result<()> {
        self.lines.finish()?;
        self.spacing.map_or(Ok(()), Output::finish)
    }
}

impl Sink<String> for Files {
    fn write(&mut self, line: String) -> Result<()> {
        self.lines.write_line(&line)
    }

    fn flush(&mut self) -> Result<()> {
        if self.watched { self.lines.flush() } else { Ok(()) }
    }
}

impl Sink<(String, String)> for Files {
    fn write(&mut self, (line, gaps): (String, String)) -> Result<()> {
        if let Some(spacing) = &mut self.spacing {
            spacing.write_line(&gaps)?;
        }
        self.lines.write_line(&line)
    }

    fn flush(&mut self) -> Result<()> {
        Sink::<String>::flush(self)
    }
}
