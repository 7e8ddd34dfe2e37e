//! Models with given probabilities, for tests and examples.

use std::collections::BTreeMap;

use super::lexical::{Lexical, key};
use super::model::OrderModel;
use super::options::Options;
use super::tables::Tables;
use crate::{Error, Result, Vocabulary};

/// Probabilities of some offsets, given and not estimated. What they leave of 1 goes to the less
/// specific table: that of (label, dependent), then of the label, then all offsets alike.
#[derive(Debug, Clone, Copy, Default)]
pub struct Table<'a> {
    pub label: &'a str,
    pub governor: Option<&'a str>,
    pub dependent: Option<&'a str>,
    /// Only subtrees of the same class of sizes as this; None: all sizes.
    pub size: Option<u32>,
    pub offsets: &'a [(i32, f64)],
}

impl OrderModel {
    /// A model with the probabilities of tables: for tests and examples. `mapping` has
    /// P(label | source label) as (source label, label, probability); other labels stand for
    /// themselves. A table of a label is needed for every label that is named.
    pub fn from_tables(
        options: Options,
        tables: &[Table<'_>],
        mapping: &[(&str, &str, f64)],
    ) -> Result<Self> {
        options.check()?;
        for table in tables {
            let sum: f64 = table.offsets.iter().map(|&(_, probability)| probability).sum();
            if !(0.0..=1.0 + 1e-9).contains(&sum) {
                return Err(Error::setting(format!("{}: probabilities sum to {sum}", table.label)));
            }
        }
        let (general, lexical): (Vec<&Table<'_>>, Vec<&Table<'_>>) =
            tables.iter().partition(|table| table.dependent.is_none());
        let mut labels = Vocabulary::default();
        for table in &general {
            labels.add(table.label);
        }
        let (sources, mapping) = given_mapping(&labels, mapping)?;
        let (words, lexical) = given_lexical(options, &labels, &lexical)?;
        let offsets = given_offsets(options, &labels, &general);
        let seen = vec![1; labels.len()];
        let tables = Tables { options, labels, seen, offsets, sources, mapping, words, lexical };
        Ok(Self::new(tables))
    }
}

fn unknown_label(label: &str) -> Error {
    Error::setting(format!("{label}: no table of this label without words"))
}

fn given_mapping(
    labels: &Vocabulary,
    mapping: &[(&str, &str, f64)],
) -> Result<(Vocabulary, Vec<f64>)> {
    let mut sources = labels.clone();
    for (source, ..) in mapping {
        sources.add(source);
    }
    let width = labels.len();
    let mut rows = vec![0.0; (sources.len() + 1) * width];
    for (number, source) in sources.words().enumerate() {
        let given: Vec<_> = mapping.iter().filter(|(other, ..)| *other == source).collect();
        if given.is_empty() {
            rows[number * width + number] = 1.0;
        }
        for (_, label, probability) in given {
            let label = labels.get(label).ok_or_else(|| unknown_label(label))?;
            rows[number * width + label.index()] = *probability;
        }
    }
    rows[sources.len() * width..].fill(1.0 / width.max(1) as f64);
    Ok((sources, rows))
}

fn given_offsets(options: Options, labels: &Vocabulary, tables: &[&Table<'_>]) -> Vec<f64> {
    let (classes, outcomes) = (options.classes(), options.outcomes());
    let mut rows = vec![1.0 / outcomes as f64; labels.len() * classes * outcomes];
    // Tables for one size are laid over those for all.
    let general = tables.iter().filter(|table| table.size.is_none());
    for table in general.chain(tables.iter().filter(|table| table.size.is_some())) {
        let label = labels.get(table.label).map_or(0, |id| id.index());
        for class in (0..classes).filter(|&class| table.has(options, class)) {
            let row = &mut rows[(label * classes + class) * outcomes..][..outcomes];
            let rest = 1.0 - table.offsets.iter().map(|(_, probability)| probability).sum::<f64>();
            row.iter_mut().for_each(|shorter| *shorter *= rest.max(0.0));
            for &(offset, probability) in table.offsets {
                row[options.outcome(offset)] += probability;
            }
        }
    }
    rows
}

fn given_lexical(
    options: Options,
    labels: &Vocabulary,
    tables: &[&Table<'_>],
) -> Result<(Vocabulary, Lexical)> {
    let mut words = Vocabulary::default();
    let mut contexts = BTreeMap::new();
    for table in tables {
        let label = labels.get(table.label).ok_or_else(|| unknown_label(table.label))?;
        let dependent = words.add(table.dependent.unwrap_or_default()).0;
        let governor = table.governor.map(|governor| words.add(governor).0);
        for class in (0..options.classes()).filter(|&class| table.has(options, class)) {
            let context = contexts.entry((dependent, key(class, label.0)));
            context.or_insert_with(BTreeMap::new).insert(governor, *table);
        }
    }
    let mut lexical = Lexical::default();
    for ((dependent, key), tables) in contexts {
        lexical.begin(dependent, key);
        let (own, backoff) = tables.get(&None).map_or((vec![], 1.0), |table| table.own(options));
        lexical.dependents.push(&own, backoff);
        for (governor, table) in tables {
            if let Some(governor) = governor {
                lexical.governors.push(governor);
                let (own, backoff) = table.own(options);
                lexical.pairs.push(&own, backoff);
            }
        }
        lexical.governor_starts.push(lexical.governors.len() as u32);
    }
    lexical.finish(words.len());
    Ok((words, lexical))
}

impl Table<'_> {
    fn has(&self, options: Options, class: usize) -> bool {
        self.size.is_none_or(|size| options.class(size) == class)
    }

    /// The probabilities by number of offset, and what they leave.
    fn own(&self, options: Options) -> (Vec<(usize, f64)>, f64) {
        let numbered = self.offsets.iter().map(|&(offset, p)| (options.outcome(offset), p));
        let mut own: Vec<(usize, f64)> = numbered.collect();
        own.sort_by_key(|&(outcome, _)| outcome);
        let rest = 1.0 - own.iter().map(|(_, probability)| probability).sum::<f64>();
        (own, rest.max(0.0))
    }
}
