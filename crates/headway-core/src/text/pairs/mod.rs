//! Parallel text: pairs of lines from two files, a TSV file or a TMX file, streaming.
//!
//! Files are read and examined on threads of their own, in blocks; whoever asks for the next
//! pair gets them in order.

mod block;
mod examine;
mod lines;
mod metered;
mod sink;
mod stream;
mod tmx_input;
mod tmx_output;
mod tsv;
mod utf16;

use std::path::{Path, PathBuf};

use crate::error::snippet;
use crate::{Error, Monitor, Result};

pub use block::Text;
pub use examine::{Check, Fault, Reading};
pub use lines::LinePairs;
pub use sink::PairSink;
pub use stream::PairStream;

/// One pair, on loan until the next.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The line it stands on, or begins on.
    pub number: u64,
    pub source: Text<'a>,
    pub target: Text<'a>,
    /// Further columns of a TSV file, tabs included.
    pub rest: &'a [u8],
}

impl Pair<'_> {
    pub fn fault(&self) -> Option<Fault> {
        self.source.check.fault.or(self.target.check.fault)
    }
}

/// Where pairs come from.
pub enum PairSource {
    Lines(LinePairs),
    Stream(PairStream),
}

impl PairSource {
    /// Line-aligned files.
    pub fn lines(source: &Path, target: &Path, reading: Reading) -> Result<Self> {
        LinePairs::open(source, target, reading).map(PairSource::Lines)
    }

    /// The same, followed by the pairs of two more line-aligned files.
    pub fn followed_by(self, source: &Path, target: &Path) -> Result<Self> {
        match self {
            PairSource::Lines(lines) => lines.followed_by(source, target).map(PairSource::Lines),
            PairSource::Stream(_) => Err(Error::setting("only line-aligned files can be joined")),
        }
    }

    /// `source<TAB>target`, further columns allowed.
    pub fn tsv(path: &Path, reading: Reading) -> Result<Self> {
        tsv::open(path, reading).map(PairSource::Stream)
    }

    /// The segments of two languages in a TMX file.
    pub fn tmx(path: &Path, languages: (&str, &str), reading: Reading) -> Result<Self> {
        tmx_input::open(path, languages, reading).map(PairSource::Stream)
    }

    pub fn next(&mut self, monitor: &Monitor) -> Result<Option<Pair<'_>>> {
        match self {
            PairSource::Lines(lines) => lines.next(monitor),
            PairSource::Stream(stream) => stream.next(monitor),
        }
    }

    /// What is wrong with the pair given last, as an error that says where.
    pub fn error(&self) -> Error {
        let pair = match self {
            PairSource::Lines(lines) => lines.last(),
            PairSource::Stream(stream) => stream.last(),
        };
        let in_source = pair.as_ref().is_some_and(|pair| pair.source.check.fault.is_some());
        let path = match self {
            PairSource::Lines(lines) => lines.path(in_source),
            PairSource::Stream(stream) => stream.path(),
        };
        match pair {
            Some(pair) => {
                let text = if in_source { pair.source } else { pair.target };
                describe(path, pair.number, text)
            }
            None => Error::format(path, 1, "no pair was read"),
        }
    }
}

fn describe(path: &Path, line: u64, text: Text<'_>) -> Error {
    let (bytes, shown) = (text.bytes, snippet(text.bytes));
    let message = match text.check.fault {
        Some(Fault::Encoding) => {
            let column = std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to());
            let byte = bytes.get(column).copied().unwrap_or_default();
            format!(
                "not UTF-8: byte 0x{byte:02x} at column {} of {shown}; convert the file to UTF-8, or drop such lines with `headway clean`",
                column + 1
            )
        }
        Some(Fault::Control) => {
            format!("control character in {shown}; `headway clean` drops such lines")
        }
        Some(Fault::Column) => {
            format!("expected source<TAB>target, found no tab in {shown}; is this a TSV file?")
        }
        Some(Fault::Language) | None => format!("a language is missing in the unit with {shown}"),
    };
    Error::format(path, line, message)
}

/// The two files of a pair must be two.
pub(crate) fn distinct(first: &Path, second: &Path, what: &str) -> Result<()> {
    if first == second {
        let name = first.display();
        return Err(Error::setting(format!("{name} is given for both {what}; name two files")));
    }
    Ok(())
}

/// Where pairs go, named but not yet opened.
#[derive(Debug, Clone)]
pub enum PairOutput {
    Lines(PathBuf, PathBuf),
    Tsv(PathBuf),
    Tmx { path: PathBuf, source_language: String, target_language: String },
}

/// Writes every pair of `source`, which must be sound; answers how many pairs were written and
/// how many units of a TMX file lacked a language.
pub fn convert(
    source: &mut PairSource,
    output: &PairOutput,
    monitor: &Monitor,
) -> Result<(u64, u64)> {
    let mut sink = PairSink::create(output)?;
    let (mut written, mut skipped) = (0, 0);
    while let Some(step) = copy_pair(source, &mut sink, monitor)? {
        if step {
            written += 1
        } else {
            skipped += 1
        }
        if (written + skipped) % 1024 == 0 {
            monitor.advance(1024)?;
        }
    }
    sink.finish()?;
    Ok((written, skipped))
}

/// None at the end, false for a unit that lacks a language.
fn copy_pair(
    source: &mut PairSource,
    sink: &mut PairSink,
    monitor: &Monitor,
) -> Result<Option<bool>> {
    let Some(pair) = source.next(monitor)? else { return Ok(None) };
    match pair.fault() {
        None => {
            sink.write(&pair)?;
            Ok(Some(true))
        }
        Some(Fault::Language) => Ok(Some(false)),
        Some(_) => Err(source.error()),
    }
}

#[cfg(test)]
mod tests;
