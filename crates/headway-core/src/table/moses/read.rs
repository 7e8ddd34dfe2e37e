//! Moses tables into whatever takes rules.
//!
//! Lines are read once, sorted by the bytes of their words, joined with the reordering table
//! and handed on. Memory holds the vocabularies and one run of the sort.

use std::path::{Path, PathBuf};

use super::Style;
use super::join::{Reordering, ReorderingColumns};
use super::key::{Token, push_side, read_side};
use super::line::{Line, style_of};
use super::symbols::{is_glue, join_slots, structure, tokens};
use crate::scratch::Scratch;
use crate::table::sort::{Sorted, Sorter};
use crate::table::store::{push_rest, read_rest};
use crate::table::{Feature, Header, Rule, RuleSink, TRANSLATION_FEATURES};
use crate::text::Lines;
use crate::{Error, Monitor, Result, Vocabulary, WordId};

/// What to read and how.
#[derive(Debug, Clone)]
pub struct MosesTables {
    /// Phrase or rule tables, read as one.
    pub tables: Vec<PathBuf>,
    pub reordering: Option<PathBuf>,
    /// What the reordering table holds; None to go by the number of its columns.
    pub columns: Option<ReorderingColumns>,
    /// Names of the scores; those of Moses if empty.
    pub names: Vec<String>,
    /// Bytes that sorting may take.
    pub memory: usize,
    /// The table to make; what sorting cannot keep in memory goes to files beside it.
    pub output: PathBuf,
}

/// What happened on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub rules: u64,
    /// Glue rules, which belong to the decoder: left out.
    pub glue: u64,
    /// Scores of 0, whose logarithm is the floor.
    pub zeros: u64,
    /// Lines whose sparse features or properties are left out.
    pub sparse: u64,
    pub properties: u64,
    /// Rules that the reordering table lacks: they get 1, which adds nothing to the model.
    pub without_reordering: u64,
    /// Lines of the reordering table that no rule had.
    pub unused_reordering: u64,
    /// Columns of the reordering table.
    pub reordering_columns: u64,
}

impl MosesTables {
    pub fn read(&self, sink: &mut dyn RuleSink, monitor: &Monitor) -> Result<Report> {
        let mut reading = Reading { sorter: Some(self.sorter()), ..Reading::default() };
        for table in &self.tables {
            reading.table(table, monitor)?;
        }
        let reordering = match &self.reordering {
            Some(path) => {
                let columns = self.columns.as_ref();
                Some(Reordering::read(path, columns, self.sorter(), monitor)?)
            }
            None => None,
        };
        reading.header.features = self.features(reading.scores, reordering.as_ref())?;
        reading.hand_on(reordering, sink, monitor)
    }

    fn sorter(&self) -> Sorter {
        Sorter::new(Scratch::beside(&self.output), self.memory / 2)
    }

    fn features(
        &self,
        scores: Option<usize>,
        reordering: Option<&Reordering>,
    ) -> Result<Vec<Feature>> {
        let many = scores.unwrap_or(TRANSLATION_FEATURES.len());
        let mut names = self.names.clone();
        if names.is_empty() {
            let standard = |index: usize| TRANSLATION_FEATURES.get(index).filter(|_| many >= 4);
            let name =
                |index| standard(index).map_or(format!("score{}", index + 1), ToString::to_string);
            names = (0..many).map(name).collect();
        }
        if names.len() != many {
            let message = format!("{} names for {many} scores; give one for each", names.len());
            return Err(Error::setting(message));
        }
        names.extend(reordering.map_or(Vec::new(), Reordering::names));
        if let Some(twice) = (1..names.len()).find(|&place| names[..place].contains(&names[place]))
        {
            let message = format!("{} is the name of two scores; each needs its own", names[twice]);
            return Err(Error::setting(message));
        }
        Ok(names.into_iter().map(Feature::probability).collect())
    }
}

#[derive(Default)]
struct Reading {
    header: Header,
    style: Option<Style>,
    scores: Option<usize>,
    sorter: Option<Sorter>,
    record: Vec<u8>,
    report: Report,
}

impl Reading {
    fn table(&mut self, path: &Path, monitor: &Monitor) -> Result<()> {
        let mut lines = Lines::open(path)?;
        while let Some(line) = lines.next()? {
            self.record.clear();
            let kept = self.line(line).map_err(|message| lines.error(message))?;
            if let Some(sorter) = self.sorter.as_mut().filter(|_| kept) {
                sorter.push(&self.record)?;
                self.report.rules += 1;
            }
            monitor.advance(1)?;
        }
        Ok(())
    }

    /// Makes the record of a line; false if it is a glue rule.
    fn line(&mut self, text: &str) -> std::result::Result<bool, String> {
        let style = *self.style.get_or_insert_with(|| style_of(text));
        let line = Line::parse(text, style)?;
        if is_glue(&line)? {
            self.report.glue += 1;
            return Ok(false);
        }
        let expected = *self.scores.get_or_insert(line.scores.len());
        if line.scores.len() != expected {
            let found = line.scores.len();
            return Err(format!("expected {expected} scores as in the first line, found {found}"));
        }
        self.report.zeros += line.scores.iter().filter(|&&score| score == 0.0).count() as u64;
        self.report.sparse += u64::from(line.has_sparse);
        self.report.properties += u64::from(line.has_properties);
        self.push(line, style == Style::Hierarchical)?;
        Ok(true)
    }

    fn push(&mut self, line: Line<'_>, slots: bool) -> std::result::Result<(), String> {
        let source = tokens(&line.source, slots);
        let mut target = tokens(&line.target, slots);
        let links = join_slots(&source, &mut target, &line.links)?;
        for (side, words) in
            [(&source, &mut self.header.source), (&target, &mut self.header.target)]
        {
            for token in side {
                if let Token::Word(word) = token {
                    words.add(word);
                }
            }
            push_side(side, &mut self.record);
        }
        let slots = source.iter().filter(|token| matches!(token, Token::Slot(_))).count();
        let structure = match &line.structure {
            Some(words) => Some(structure(words, target.len(), slots, &mut self.header.labels)?),
            None => None,
        };
        let (counts, features) = (line.counts, line.scores);
        let rule = Rule { structure, links, counts, features, ..Rule::default() };
        push_rest(&rule, &mut self.record);
        Ok(())
    }

    fn hand_on(
        mut self,
        mut reordering: Option<Reordering>,
        sink: &mut dyn RuleSink,
        monitor: &Monitor,
    ) -> Result<Report> {
        for words in [&mut self.header.source, &mut self.header.target] {
            *words = sorted(words);
        }
        sink.begin(&self.header)?;
        if let Some(sorter) = self.sorter.take() {
            self.rules(sorter.finish()?, reordering.as_mut(), sink, monitor)?;
        }
        sink.finish()?;
        if let Some(reordering) = reordering {
            self.report.reordering_columns = reordering.scores as u64;
            self.report.unused_reordering = reordering.unused()?;
        }
        Ok(self.report)
    }

    fn rules(
        &mut self,
        mut records: Sorted,
        mut reordering: Option<&mut Reordering>,
        sink: &mut dyn RuleSink,
        monitor: &Monitor,
    ) -> Result<()> {
        let mut rule = Rule::default();
        while let Some(record) = records.next()? {
            let read = read_side(record, &self.header.source, &mut rule.source)
                .and_then(|rest| read_side(rest, &self.header.target, &mut rule.target))
                .and_then(|rest| read_rest(rest, &mut rule));
            debug_assert!(read.is_some(), "a record reads as it was written");
            if let Some(reordering) = &mut reordering {
                let found = reordering.join(record, &mut rule.features)?;
                self.report.without_reordering += u64::from(!found);
            }
            sink.rule(&rule)?;
            monitor.check()?;
        }
        Ok(())
    }
}

/// The same words in the order of their bytes.
fn sorted(vocabulary: &Vocabulary) -> Vocabulary {
    let mut order: Vec<u32> = (0..vocabulary.len() as u32).collect();
    order.sort_unstable_by_key(|&id| vocabulary.word(WordId(id)));
    let mut sorted = Vocabulary::default();
    for id in order {
        sorted.add(vocabulary.word(WordId(id)));
    }
    sorted
}
