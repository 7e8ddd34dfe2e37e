//! Text in, trees out, line by line.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::text::{Lines, Output, Sink, Tokeniser, Tokens, pipeline};
use crate::tree::ConstituentTree;
use crate::tree::conllu::{Format, Sentence, Tags, Word, Writer};
use crate::{Error, Monitor, Result};

use super::tree_parser::{TreeParser, Unknown, check_length};

/// Parses each line of a file and writes a CoNLL-U file; answers how many lines there were, and
/// how many words were unknown.
/// Lines are tokenised first, or hold words parted by spaces where there is no tokeniser.
pub fn parse_lines(
    parser: &dyn TreeParser,
    input: &Path,
    output: &Path,
    tokeniser: Option<&Tokeniser>,
    monitor: &Monitor,
) -> Result<(u64, Unknown)> {
    let mut sink = TreeSink(Writer::create(output, Format::ConllU)?);
    let work = |forms: &[String], tokens: Option<&Tokens>| sentence(parser, forms, tokens);
    let found = each_line(parser, input, &mut sink, tokeniser, work, monitor)?;
    sink.0.finish()?;
    Ok(found)
}

/// The same into a file of Penn brackets, a tree a line.
pub fn bracket_lines(
    parser: &dyn TreeParser,
    input: &Path,
    output: &Path,
    tokeniser: Option<&Tokeniser>,
    monitor: &Monitor,
) -> Result<(u64, Unknown)> {
    let mut sink = BracketSink(Output::create(output)?);
    let work = |forms: &[String], _: Option<&Tokens>| parser.brackets(forms, None);
    let found = each_line(parser, input, &mut sink, tokeniser, work, monitor)?;
    sink.0.finish()?;
    Ok(found)
}

/// Writes what `work` makes of the words of each line.
fn each_line<T: Send>(
    parser: &dyn TreeParser,
    input: &Path,
    sink: &mut impl Sink<T>,
    tokeniser: Option<&Tokeniser>,
    work: impl Fn(&[String], Option<&Tokens>) -> Result<T> + Sync,
    monitor: &Monitor,
) -> Result<(u64, Unknown)> {
    let mut lines = Lines::open(input)?;
    let path = input.to_path_buf();
    let (words, unknown) = (AtomicU64::new(0), AtomicU64::new(0));
    let read = move || {
        Ok(lines
            .next()?
            .map(|line| line.to_string())
            .map(|line| Line { number: lines.number(), line }))
    };
    let work = |line: &Line| {
        monitor.check()?;
        let tokens = tokeniser.map(|tokeniser| tokeniser.tokenise(&line.line));
        let forms: Vec<String> = match &tokens {
            Some(tokens) => tokens.words().map(str::to_string).collect(),
            None => line.line.split_whitespace().map(str::to_string).collect(),
        };
        check_length(&forms)
            .map_err(|error| Error::format(&path, line.number, error.to_string()))?;
        let counts = parser.count_unknown(&forms);
        words.fetch_add(counts.words, Ordering::Relaxed);
        unknown.fetch_add(counts.unknown, Ordering::Relaxed);
        work(&forms, tokens.as_ref())
    };
    let count = pipeline(read, work, sink, monitor)?;
    Ok((count, Unknown { words: words.into_inner(), unknown: unknown.into_inner() }))
}

struct Line {
    number: u64,
    line: String,
}

impl crate::text::Item for Line {
    fn size(&self) -> usize {
        self.line.len()
    }
}

struct TreeSink(Writer);

impl Sink<Sentence> for TreeSink {
    fn write(&mut self, sentence: Sentence) -> Result<()> {
        self.0.write(&sentence)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

struct BracketSink(Output);

impl Sink<ConstituentTree> for BracketSink {
    fn write(&mut self, tree: ConstituentTree) -> Result<()> {
        self.0.write_line(&tree.to_string())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

fn sentence(
    parser: &dyn TreeParser,
    forms: &[String],
    tokens: Option<&Tokens>,
) -> Result<Sentence> {
    let (tree, coarse) = parser.parse_with_coarse(forms)?;
    let text = tokens.map_or_else(|| forms.join(" "), |tokens| tokens.text().trim().to_string());
    let joined = tokens.map_or_else(Vec::new, unspaced);
    let words: Vec<Word> = (0..tree.len())
        .map(|at| {
            let tag = tree.tags()[at].clone();
            let (upos, xpos) = match parser.tags() {
                Tags::Upos => (tag, String::new()),
                Tags::Xpos => (coarse.get(at).cloned().unwrap_or_default(), tag),
            };
            let space = joined.get(at).is_some_and(|&joined| joined);
            let misc = if space { "SpaceAfter=No".to_string() } else { String::new() };
            let (head, deprel) = (Some(tree.heads()[at]), tree.labels()[at].clone());
            Word { form: forms[at].clone(), upos, xpos, head, deprel, misc, ..Word::default() }
        })
        .collect();
    let text = text.replace(['\n', '\r', '\t'], " ");
    let comment = if text.is_empty() { "text =".to_string() } else { format!("text = {text}") };
    Sentence::from_words(&[comment], &words)
}

/// For each token, whether the next one stands right behind it.
fn unspaced(tokens: &Tokens) -> Vec<bool> {
    let after = tokens.spans().iter().skip(1).map(|span| span.0);
    let mut joined: Vec<bool> =
        tokens.spans().iter().zip(after).map(|(span, next)| span.1 == next).collect();
    joined.push(false);
    joined
}
