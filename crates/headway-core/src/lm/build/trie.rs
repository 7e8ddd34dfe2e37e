//! Laying out a model as a trie.

use super::codebook::{Codebook, Which};
use super::levels::Levels;
use crate::lm::table::{
    BACKOFF_BITS, BitWriter, Info, Layout, Lexicon, PROB_BITS, SectionSink, Widths,
};
use crate::{Monitor, Result};

/// What merging values changed at most, by n-gram length from 2 on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loss {
    pub probs: Vec<f32>,
    pub backoffs: Vec<f32>,
}

/// Writes all sections of the model; with `quantise`, values in so many bits at most.
pub fn write_trie(
    levels: &Levels,
    quantise: Option<u32>,
    out: &mut dyn SectionSink,
    monitor: &Monitor,
) -> Result<Loss> {
    let mut info = levels.describe(Layout::Trie)?;
    let mut loss = Loss::default();
    Lexicon::write(&levels.vocabulary, out)?;
    write_unigrams(levels, out)?;
    for length in 2..=info.order() {
        monitor.check()?;
        let (level, workspace) = (&levels.grams[length - 1], &levels.workspace);
        let probs = Codebook::new(level, Which::Prob, PROB_BITS, quantise, workspace)?;
        write_list(&probs, &format!("{length}-probs"), out)?;
        info.prob_bits[length - 1] = u64::from(probs.bits);
        loss.probs.push(probs.error);
        let mut backoffs = None;
        if length < info.order() {
            let book = Codebook::new(level, Which::Backoff, BACKOFF_BITS, quantise, workspace)?;
            write_list(&book, &format!("{length}-backoffs"), out)?;
            info.backoff_bits[length - 1] = u64::from(book.bits);
            loss.backoffs.push(book.error);
            backoffs = Some(book);
        }
        write_level(levels, &info, length, &probs, backoffs.as_ref(), out)?;
    }
    info.write(out)?;
    Ok(loss)
}

fn write_list(book: &Codebook, name: &str, out: &mut dyn SectionSink) -> Result<()> {
    if let Some(values) = &book.values {
        out.section(name)?;
        out.write(bytemuck::cast_slice(values))?;
    }
    Ok(())
}

fn write_unigrams(levels: &Levels, out: &mut dyn SectionSink) -> Result<()> {
    out.section("1-grams")?;
    let mut followers = Followers::new(levels, 1);
    let mut reader = levels.grams[0].reader();
    while let Some(gram) = reader.next()? {
        let first = followers.first(&gram.words[..1])?;
        out.write(bytemuck::cast_slice(&[gram.values.prob, gram.values.backoff, first]))?;
    }
    let (unknown, end) = (levels.unknown_values()?, followers.end()?);
    out.write(bytemuck::cast_slice(&[unknown.prob, unknown.backoff, end]))?;
    out.write(bytemuck::cast_slice(&[0, 0, end]))
}

fn write_level(
    levels: &Levels,
    info: &Info,
    length: usize,
    probs: &Codebook,
    backoffs: Option<&Codebook>,
    out: &mut dyn SectionSink,
) -> Result<()> {
    out.section(&format!("{length}-grams"))?;
    let widths = Widths::new(info, length);
    let mut rows = BitWriter::new(out);
    let mut followers = Followers::new(levels, length);
    let mut reader = levels.grams[length - 1].reader();
    while let Some(gram) = reader.next()? {
        rows.push(u64::from(gram.words[length - 1]), widths.word)?;
        rows.push(probs.code(&gram), widths.prob)?;
        if let Some(backoffs) = backoffs {
            rows.push(u64::from(gram.values.extends_left()), widths.mark)?;
            rows.push(backoffs.code(&gram), widths.backoff)?;
            let first = followers.first(&gram.words[..length])?;
            rows.push(u64::from(first), widths.next)?;
        }
    }
    if backoffs.is_some() {
        // One more row, only to say where the followers of the last end.
        for width in [widths.word, widths.prob, widths.mark, widths.backoff] {
            rows.push(0, width)?;
        }
        rows.push(u64::from(followers.end()?), widths.next)?;
    }
    rows.finish()
}

/// Walks through the next longer n-grams beside their contexts.
struct Followers<'a> {
    reader: Option<super::spool::SpoolReader<'a, super::gram::Gram>>,
    length: usize,
    /// The number of the first that has not been passed, and its context.
    rank: u32,
    head: Option<super::gram::Words>,
    begun: bool,
}

impl<'a> Followers<'a> {
    fn new(levels: &'a Levels, length: usize) -> Self {
        let reader = levels.grams.get(length).map(super::spool::Spool::reader);
        Followers { reader, length, rank: 0, head: None, begun: false }
    }

    fn advance(&mut self) -> Result<()> {
        self.head = match &mut self.reader {
            Some(reader) => reader.next()?.map(|gram| gram.words),
            None => None,
        };
        Ok(())
    }

    /// The number of the first n-gram with this context or a later one.
    fn first(&mut self, context: &[u32]) -> Result<u32> {
        if !self.begun {
            self.begun = true;
            self.advance()?;
        }
        while self.head.is_some_and(|head| head[..self.length] < *context) {
            self.rank += 1;
            self.advance()?;
        }
        Ok(self.rank)
    }

    /// The number behind the last.
    fn end(&mut self) -> Result<u32> {
        self.first(&[u32::MAX; crate::lm::MAX_ORDER][..self.length])
    }
}
