//! Writing a table: rules are put aside as they come, looked at, and coded in `finish`.

use std::path::{Path, PathBuf};

use super::check::{slots, words, wrong};
use super::levels::Levels;
use super::plan::{Encoded, Plan};
use super::seen::{Seen, lexical};
use super::spool::Spool;
use super::trie::TrieBuilder;
use crate::container::{ContainerWriter, Kind};
use crate::scratch::Scratch;
use crate::table::packed::{FieldReader, FieldWriter, write_words};
use crate::table::{Header, Rule, RuleSink, Scale};
use crate::{Error, Monitor, Result};

pub const KIND: Kind = Kind { name: "rules", version: 1 };

/// Writes a rule table. Words and labels that no rule uses are left out.
pub struct TableWriter<'a> {
    path: PathBuf,
    /// Made at once, so that a place that cannot be written to is known before the work.
    container: Option<ContainerWriter>,
    monitor: &'a Monitor,
    header: Header,
    spool: Spool,
    /// By vocabulary (source, target, labels) and id.
    used: [Vec<bool>; 3],
    facts: Facts,
    seen: Seen,
    /// The features that hold the lexical scores.
    lexical: [Option<usize>; 2],
}

/// What `headway table info` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    pub rules: u64,
    pub sources: u64,
    /// Rules with slots, and rules with a dependency structure.
    pub with_slots: u64,
    pub with_structure: u64,
    pub longest_source: u64,
    pub most_slots: u64,
}

impl<'a> TableWriter<'a> {
    /// Nothing is written under this name before `finish`.
    pub fn create(path: &Path, monitor: &'a Monitor) -> Result<Self> {
        if path.as_os_str() == "-" {
            let message = "a rule table is read in place: it cannot go to standard output";
            return Err(Error::setting(message));
        }
        Ok(TableWriter {
            path: path.to_path_buf(),
            container: Some(ContainerWriter::create(path, KIND, 3)?),
            monitor,
            header: Header::default(),
            spool: Spool::new(Scratch::beside(path)),
            used: Default::default(),
            facts: Facts::default(),
            seen: Seen::default(),
            lexical: [None; 2],
        })
    }

    fn note(&mut self, rule: &Rule) {
        self.seen.note(rule, self.lexical);
        let slots = slots(&rule.source);
        self.facts.with_slots += u64::from(slots > 0);
        self.facts.with_structure += u64::from(rule.structure.is_some());
        self.facts.longest_source = self.facts.longest_source.max(rule.source.len() as u64);
        self.facts.most_slots = self.facts.most_slots.max(slots as u64);
        for (side, used) in [&rule.source, &rule.target].into_iter().zip(&mut self.used) {
            words(side).for_each(|word| used[word.index()] = true);
        }
        if let Some(structure) = &rule.structure {
            let labels = structure.slot_labels.iter().chain([&structure.label]);
            labels.for_each(|label| self.used[2][label.index()] = true);
        }
    }
}

impl RuleSink for TableWriter<'_> {
    fn begin(&mut self, header: &Header) -> Result<()> {
        self.header = header.clone();
        let lengths = [header.source.len(), header.target.len(), header.labels.len()];
        self.used = lengths.map(|length| vec![false; length]);
        self.lexical = lexical(header);
        self.seen = Seen::new(header.features.len());
        Ok(())
    }

    fn rule(&mut self, rule: &Rule) -> Result<()> {
        if let Some(wrong) = wrong(rule, &self.header) {
            return Err(Error::setting(format!("a rule cannot be kept: {wrong}")));
        }
        self.note(rule);
        let kept = if rule.links.is_sorted() {
            self.spool.push(rule)?
        } else {
            let mut rule = rule.clone();
            rule.links.sort_unstable();
            self.spool.push(&rule)?
        };
        match kept {
            Some(_) => Ok(()),
            None => Err(Error::setting("a rule cannot be kept: rules must come sorted by source")),
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.facts.rules = self.spool.rules;
        self.facts.sources = self.spool.sources;
        let (kept, numbers) = kept_words(&self.header, &self.used);
        self.seen.renumber(&numbers);
        self.spool.renumber(numbers);
        let mut fields = FieldWriter::default();
        write_facts(&self.facts, &kept, &mut fields);
        for vocabulary in [&kept.source, &kept.target, &kept.labels] {
            write_words(&vocabulary.words().collect::<Vec<_>>(), &mut fields);
        }
        let plan = Plan::make(&self.spool, &kept, &self.seen, &mut fields, self.monitor)?;
        let mut trie = TrieBuilder::new(self.facts.most_slots, kept.source.len() as u64);
        let mut levels = Levels::new(&self.path);
        self.spool.work(
            1,
            |rules| plan.encode(rules),
            |blocks| {
                self.monitor.check()?;
                blocks.into_iter().try_for_each(|block| add(block, &mut trie, &mut levels))
            },
        )?;
        trie.finish(&mut fields);
        let Some(mut container) = self.container.take() else { return Ok(()) };
        container.section("facts")?;
        container.write(&fields.facts)?;
        container.section("body")?;
        container.write(&fields.body)?;
        container.section("options")?;
        levels.write(&mut container)?;
        container.finish()
    }
}

fn add(block: Encoded, trie: &mut TrieBuilder, levels: &mut Levels) -> Result<()> {
    if block.incomplete {
        return Err(Error::internal("a rule has no code in its table"));
    }
    let mut symbols = &block.symbols[..];
    for &(length, bits) in &block.sources {
        let (source, rest) = symbols.split_at(length);
        trie.add(source, bits);
        symbols = rest;
    }
    for (level, bits) in block.levels.into_iter().enumerate() {
        levels.append(level, bits)?;
    }
    Ok(())
}

fn write_facts(facts: &Facts, header: &Header, fields: &mut FieldWriter) {
    for fact in facts.numbers() {
        fields.number(fact);
    }
    fields.number(header.features.len() as u64);
    for feature in &header.features {
        fields.text(&feature.name);
        fields.number(u64::from(feature.scale == Scale::Value));
    }
}

impl Facts {
    fn numbers(&self) -> [u64; 6] {
        [
            self.rules,
            self.sources,
            self.with_slots,
            self.with_structure,
            self.longest_source,
            self.most_slots,
        ]
    }

    /// The counterpart of `write_facts`, but for the features.
    pub fn read(fields: &mut FieldReader<'_>) -> Option<Self> {
        Some(Facts {
            rules: fields.number()?,
            sources: fields.number()?,
            with_slots: fields.number()?,
            with_structure: fields.number()?,
            longest_source: fields.number()?,
            most_slots: fields.number()?,
        })
    }
}

/// The used words and labels, and the new numbers of all.
fn kept_words(header: &Header, used: &[Vec<bool>; 3]) -> (Header, [Vec<u32>; 3]) {
    let mut kept = Header { features: header.features.clone(), ..Header::default() };
    let old = [&header.source, &header.target, &header.labels];
    let new = [&mut kept.source, &mut kept.target, &mut kept.labels];
    let mut numbers = [const { Vec::new() }; 3];
    for (index, (old, new)) in old.into_iter().zip(new).enumerate() {
        for (word, &used) in old.words().zip(&used[index]) {
            numbers[index].push(new.len() as u32);
            if used {
                new.add(word);
            }
        }
    }
    (kept, numbers)
}
