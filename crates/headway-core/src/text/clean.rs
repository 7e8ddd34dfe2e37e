//! Cleaning parallel text: dropping pairs nothing can be learnt from, and saying which.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::pairs::{Fault, Pair, PairOutput, PairSink, PairSource};
use crate::{Error, Monitor, Result};

/// How many line numbers are kept for each reason.
const EXAMPLES: usize = 5;
const STEP: u64 = 1024;

/// What a pair may be like. 0 turns a limit off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    pub max_words: u32,
    pub max_characters: u32,
    /// Words of the longer side to words of the shorter.
    pub max_ratio: f64,
    pub keep_repeated: bool,
    /// Bad bytes stop the work instead of being dropped.
    pub strict: bool,
}

impl Limits {
    fn check(&self) -> Result<()> {
        if self.max_ratio.is_nan() || self.max_ratio != 0.0 && self.max_ratio < 1.0 {
            let message = "clean.max_ratio: expected at least 1 (or 0 for no limit), found";
            return Err(Error::setting(format!("{message} {}", self.max_ratio)));
        }
        Ok(())
    }
}

/// Why a pair was dropped. A pair with several reasons counts for the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Encoding,
    Column,
    Language,
    Control,
    Empty,
    Words,
    Characters,
    Ratio,
    Repeated,
}

impl Reason {
    pub const ALL: [Reason; 9] = [
        Reason::Encoding,
        Reason::Column,
        Reason::Language,
        Reason::Control,
        Reason::Empty,
        Reason::Words,
        Reason::Characters,
        Reason::Ratio,
        Reason::Repeated,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Reason::Encoding => "invalid UTF-8",
            Reason::Column => "no second column",
            Reason::Language => "language missing",
            Reason::Control => "control character",
            Reason::Empty => "empty side",
            Reason::Words => "too many words",
            Reason::Characters => "too many characters",
            Reason::Ratio => "length ratio",
            Reason::Repeated => "repeated pair",
        }
    }
}

/// What came of cleaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CleanReport {
    pub read: u64,
    pub kept: u64,
    dropped: [(u64, Vec<u64>); Reason::ALL.len()],
}

impl CleanReport {
    /// How many pairs were dropped for a reason, and the lines of the first few.
    pub fn dropped(&self, reason: Reason) -> (u64, &[u64]) {
        let (count, examples) = &self.dropped[reason as usize];
        (*count, examples)
    }

    fn drop(&mut self, reason: Reason, line: u64) {
        let (count, examples) = &mut self.dropped[reason as usize];
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(line);
        }
    }
}

/// Writes the pairs of `source` that are within the limits. The source must have been opened
/// for cleaning, which normalises white space and measures each side.
pub fn clean(
    source: &mut PairSource,
    output: &PairOutput,
    limits: &Limits,
    monitor: &Monitor,
) -> Result<CleanReport> {
    limits.check()?;
    let mut sink = PairSink::create(output)?;
    let mut cleaner = Cleaner { limits, seen: Seen::default(), report: CleanReport::default() };
    while let Some(pair) = source.next(monitor)? {
        match cleaner.reason(&pair) {
            None => sink.write(&pair)?,
            Some(Reason::Encoding) if limits.strict => return Err(source.error()),
            Some(_) => {}
        }
        if cleaner.report.read.is_multiple_of(STEP) {
            monitor.advance(STEP)?;
        }
    }
    sink.finish()?;
    Ok(cleaner.report)
}

/// Hashes of the pairs kept so far: 10 to 20 bytes each in the table. The chance that any two
/// different pairs of ten million share a hash is 3 in a million.
type Seen = HashSet<u64, FxBuildHasher>;

struct Cleaner<'a> {
    limits: &'a Limits,
    seen: Seen,
    report: CleanReport,
}

impl Cleaner<'_> {
    /// Counts the pair, and says why it is dropped if it is.
    fn reason(&mut self, pair: &Pair<'_>) -> Option<Reason> {
        self.report.read += 1;
        let reason = unsound(pair).or_else(|| self.excess(pair)).or_else(|| self.repeated(pair));
        match reason {
            Some(reason) => self.report.drop(reason, pair.number),
            None => self.report.kept += 1,
        }
        reason
    }

    fn excess(&self, pair: &Pair<'_>) -> Option<Reason> {
        let (source, target) = (pair.source.check, pair.target.check);
        let over = |limit: u32, one: u32, other: u32| limit > 0 && one.max(other) > limit;
        if over(self.limits.max_words, source.words, target.words) {
            return Some(Reason::Words);
        }
        if over(self.limits.max_characters, source.characters, target.characters) {
            return Some(Reason::Characters);
        }
        let (short, long) = (source.words.min(target.words), source.words.max(target.words));
        let ratio = self.limits.max_ratio;
        (ratio > 0.0 && f64::from(long) > f64::from(short) * ratio).then_some(Reason::Ratio)
    }

    fn repeated(&mut self, pair: &Pair<'_>) -> Option<Reason> {
        if self.limits.keep_repeated {
            return None;
        }
        let hash = xxh3_64_with_seed(pair.target.bytes, xxh3_64(pair.source.bytes));
        (!self.seen.insert(hash)).then_some(Reason::Repeated)
    }
}

fn unsound(pair: &Pair<'_>) -> Option<Reason> {
    match pair.fault() {
        Some(Fault::Encoding) => Some(Reason::Encoding),
        Some(Fault::Column) => Some(Reason::Column),
        Some(Fault::Language) => Some(Reason::Language),
        Some(Fault::Control) => Some(Reason::Control),
        // White space has been removed, but invisible characters alone are no words either.
        None if pair.source.check.words == 0 || pair.target.check.words == 0 => Some(Reason::Empty),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pairs::Reading;
    use std::fs;

    const LIMITS: Limits = Limits {
        max_words: 5,
        max_characters: 30,
        max_ratio: 3.0,
        keep_repeated: false,
        strict: false,
    };

    fn cleaned(text: &[u8], limits: &Limits) -> Result<(String, CleanReport)> {
        let directory = tempfile::tempdir().unwrap();
        let (path, out) = (directory.path().join("t.tsv"), directory.path().join("o.tsv"));
        fs::write(&path, text).unwrap();
        let mut source = PairSource::tsv(&path, Reading::Cleaning).unwrap();
        let report =
            clean(&mut source, &PairOutput::Tsv(out.clone()), limits, &Monitor::default())?;
        Ok((fs::read_to_string(out).unwrap(), report))
    }

    #[test]
    fn every_reason_drops_and_is_counted() {
        let text = b"ok  one\t gut eins \n\
            \xFF\tb\n\
            no tab\n\
            a\x01\tb\n\
            \t b\n\
            a b c d e f\ta b c\n\
            abcdefghijklmnopqrstuvwxyzabcde\tb\n\
            a\ta b c d\n\
            ok one\tgut eins\n\
            \x00\tb\n";
        let (kept, report) = cleaned(text, &LIMITS).unwrap();
        assert_eq!(kept, "ok one\tgut eins\n");
        assert_eq!((report.read, report.kept), (10, 1));
        let expected: [(Reason, u64, &[u64]); 9] = [
            (Reason::Encoding, 1, &[2]),
            (Reason::Column, 1, &[3]),
            (Reason::Language, 0, &[]),
            (Reason::Control, 2, &[4, 10]),
            (Reason::Empty, 1, &[5]),
            (Reason::Words, 1, &[6]),
            (Reason::Characters, 1, &[7]),
            (Reason::Ratio, 1, &[8]),
            (Reason::Repeated, 1, &[9]),
        ];
        for (reason, count, lines) in expected {
            assert_eq!(report.dropped(reason), (count, lines), "{}", reason.name());
        }
    }

    #[test]
    fn strict_stops_at_bad_bytes() {
        let error = cleaned(b"a\tb\na\tb\xFF\n", &Limits { strict: true, ..LIMITS }).unwrap_err();
        assert!(error.to_string().contains("t.tsv:2: not UTF-8: byte 0xff at column 2"), "{error}");
    }

    #[test]
    fn limits_can_be_turned_off_and_must_make_sense() {
        let open = Limits {
            max_words: 0,
            max_characters: 0,
            max_ratio: 0.0,
            keep_repeated: true,
            strict: false,
        };
        let text = b"a\ta b c d e f g h\na\ta b c d e f g h\n";
        assert_eq!(cleaned(text, &open).unwrap().1.kept, 2);
        assert!(cleaned(text, &Limits { max_ratio: 0.5, ..LIMITS }).is_err());
    }

    #[test]
    fn examples_are_few() {
        let (_, report) = cleaned(&b"\tb\n".repeat(100), &LIMITS).unwrap();
        assert_eq!(report.dropped(Reason::Empty), (100, &[1, 2, 3, 4, 5][..]));
    }
}
