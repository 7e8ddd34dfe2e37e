use std::path::{Path, PathBuf};

use headway_core::extract::{
    self as core, Corpus, Edges, Kind, Neighbours, Phrasal, PhraseLimits, RuleLimits, Significance,
    Smoothing, Structures, TreeOptions,
};
use headway_core::table::moses::{MosesWriter, Style};
use headway_core::table::{RuleSink, TableWriter};
use headway_core::tree::conllu::Tags;
use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// The settings section `[extract]`.
#[derive(FromPyObject)]
pub struct ExtractSettings {
    kind: String,
    smoothing: String,
    significance: Threshold,
    counts: bool,
    tags: String,
    max_sentence_length: usize,
    phrase: PhraseSettings,
    reordering: ReorderingSettings,
    hiero: RuleSettings,
    str2dep: RuleSettings,
    #[pyo3(attribute("str2dep"))]
    dependency: DependencySettings,
}

/// A name or a number.
#[derive(FromPyObject)]
enum Threshold {
    Number(f64),
    Name(String),
}

#[derive(FromPyObject)]
struct PhraseSettings {
    max_length: usize,
}

#[derive(FromPyObject)]
struct ReorderingSettings {
    model: String,
    orientations: String,
    direction: String,
    condition: String,
    smoothing: f64,
}

#[derive(FromPyObject)]
struct RuleSettings {
    slots: usize,
    source_symbols: usize,
    initial_length: usize,
    min_slot_words: usize,
    adjacent_slots: bool,
    unaligned_edges: bool,
    fractional_counts: bool,
}

/// What string-to-dependency rules have besides.
#[derive(FromPyObject)]
struct DependencySettings {
    labels: bool,
    structures: String,
    phrasal: String,
    phrasal_length: usize,
}

/// The value called `name` among known ones.
fn choice<T: Copy>(setting: &str, name: &str, known: &[(&str, T)]) -> Result<T> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        Error::setting(format!(
            "extract.{setting}: unknown choice {name:?}; expected one of {names}"
        ))
    })
}

impl RuleSettings {
    fn limits(&self) -> RuleLimits {
        let edges = if self.unaligned_edges { Edges::Loose } else { Edges::Tight };
        RuleLimits {
            initial: PhraseLimits { length: self.initial_length, edges },
            slots: self.slots,
            source_symbols: self.source_symbols,
            slot_words: self.min_slot_words,
            adjacent_slots: self.adjacent_slots,
            fractional_counts: self.fractional_counts,
        }
    }
}

impl ReorderingSettings {
    fn core(&self) -> Result<Option<core::Reordering>> {
        let models: Vec<(&str, Option<Neighbours>)> = Neighbours::ALL
            .iter()
            .map(|&(name, model)| (name, Some(model)))
            .chain([("none", None)])
            .collect();
        let orientations = [("msd", false), ("mslr", true)];
        let directions = [
            ("bidirectional", (true, true)),
            ("backward", (true, false)),
            ("forward", (false, true)),
        ];
        let conditions = [("fe", false), ("f", true)];
        let sides = choice("reordering.orientations", &self.orientations, &orientations)?;
        let (backward, forward) = choice("reordering.direction", &self.direction, &directions)?;
        let source_only = choice("reordering.condition", &self.condition, &conditions)?;
        let smoothing = self.smoothing;
        let model = choice("reordering.model", &self.model, &models)?;
        Ok(model.map(|neighbours| core::Reordering {
            neighbours,
            sides,
            backward,
            forward,
            source_only,
            smoothing,
        }))
    }
}

impl ExtractSettings {
    fn core(&self, memory: u64, temp: Option<PathBuf>) -> Result<core::Options> {
        let kind = choice("kind", &self.kind, &Kind::ALL)?;
        let dependency = kind == Kind::StringToDependency;
        let tags = choice("tags", &self.tags, &[("upos", Tags::Upos), ("xpos", Tags::Xpos)])?;
        Ok(core::Options {
            kind,
            phrase_length: self.phrase.max_length,
            rules: if dependency { self.str2dep.limits() } else { self.hiero.limits() },
            trees: TreeOptions {
                labels: (dependency && self.dependency.labels).then_some(tags),
                structures: choice(
                    "str2dep.structures",
                    &self.dependency.structures,
                    &Structures::ALL,
                )?,
                phrasal: choice("str2dep.phrasal", &self.dependency.phrasal, &Phrasal::ALL)?,
                phrasal_length: self.dependency.phrasal_length,
            },
            reordering: self.reordering.core()?,
            smoothing: choice("smoothing", &self.smoothing, &Smoothing::ALL)?,
            significance: significance(&self.significance)?,
            counts: self.counts,
            sentence_length: self.max_sentence_length,
            memory,
            temp,
        })
    }
}

fn significance(threshold: &Threshold) -> Result<Option<Significance>> {
    let named = [
        ("none", None),
        ("alpha+epsilon", Some(Significance::AlphaPlus)),
        ("alpha-epsilon", Some(Significance::AlphaMinus)),
    ];
    match threshold {
        Threshold::Number(value) => Ok(Some(Significance::Value(*value))),
        Threshold::Name(name) => choice("significance", name, &named),
    }
}

/// Pairs, pairs skipped, rules, rules left out.
type Report = (u64, u64, u64, u64);

/// Extracts rules into a file.
#[pyfunction]
#[pyo3(signature = (
    source, target, alignments, trees, output, text, reordering, settings, memory, temp, threads, progress,
))]
#[allow(clippy::too_many_arguments)] // one per option; Python names them
pub fn extract_rules(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    alignments: Vec<PathBuf>,
    trees: Option<PathBuf>,
    output: PathBuf,
    text: bool,
    reordering: Option<PathBuf>,
    settings: ExtractSettings,
    memory: u64,
    temp: Option<PathBuf>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let options = settings.core(memory, temp).map_err(raise)?;
    let corpus = Corpus { source, target, alignments, trees };
    let report = watch(py, threads, progress, |monitor| {
        let mut sink = sink(&output, text, reordering.as_deref(), &options, monitor)?;
        core::extract(&corpus, &options, &mut *sink, monitor)
    })?;
    Ok((report.pairs, report.skipped, report.rules, report.left_out))
}

/// A table file, or Moses' text.
fn sink<'a>(
    output: &Path,
    text: bool,
    reordering: Option<&Path>,
    options: &core::Options,
    monitor: &'a Monitor,
) -> Result<Box<dyn RuleSink + Send + 'a>> {
    if !text {
        return Ok(Box::new(TableWriter::create(output, monitor)?));
    }
    let style = if options.kind == Kind::Phrase { Style::Phrase } else { Style::Hierarchical };
    let writer = MosesWriter::create(output, reordering, style)?;
    let by_source = options.reordering.is_some_and(|model| model.source_only);
    Ok(Box::new(if by_source { writer.reordering_by_source() } else { writer }))
}
