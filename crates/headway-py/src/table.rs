use std::path::PathBuf;
use std::sync::Arc;

use headway_core::table::moses::{MosesTables, MosesWriter, ReorderingColumns, Style};
use headway_core::table::{
    Matches, Rule, RuleTable as Core, Scale, Sources, StructureKind, Symbol, TableWriter, Words,
};
use headway_core::{Error, WordId};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// A word, or the number of a slot.
#[derive(IntoPyObject)]
pub enum Token {
    Slot(u8),
    Word(String),
}

/// Kind, place of the head if fixed, heads, label, labels of the slots.
pub type StructureParts = (&'static str, Option<u8>, Vec<u8>, String, Vec<String>);
/// Source, target, structure, links, counts (target, source, joint), features as stored,
/// features as the model sees them, score.
pub type RuleParts = (
    Vec<Token>,
    Vec<Token>,
    Option<StructureParts>,
    Vec<(u8, u8)>,
    Option<(f32, f32, f32)>,
    Vec<f32>,
    Vec<f32>,
    Option<f64>,
);

/// A mapped rule table.
#[pyclass(module = "headway", frozen)]
pub struct RuleTable {
    pub core: Arc<Core>,
}

#[pymethods]
impl RuleTable {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| Core::open(&path)).map_err(raise)?;
        Ok(RuleTable { core: Arc::new(core) })
    }

    /// Reads the whole file and compares checksums.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        watch(py, 1, None, |_| self.core.verify())
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.core.path().to_path_buf()
    }

    /// Numbers about the table by name.
    fn facts(&self) -> Vec<(&'static str, u64)> {
        let facts = self.core.facts();
        vec![
            ("bytes", self.core.size()),
            ("rules", facts.rules),
            ("sources", facts.sources),
            ("nodes", self.core.nodes()),
            ("with_slots", facts.with_slots),
            ("with_structure", facts.with_structure),
            ("longest_source", facts.longest_source),
            ("most_slots", facts.most_slots),
            ("source_words", self.core.source().len() as u64),
            ("target_words", self.core.target().len() as u64),
            ("labels", self.core.labels().len() as u64),
        ]
    }

    /// Names of the features, and whether each is a probability.
    fn features(&self) -> Vec<(String, bool)> {
        let features = self.core.features().iter();
        features
            .map(|feature| (feature.name.clone(), feature.scale == Scale::Probability))
            .collect()
    }

    /// The rules of a source side, `[X]` standing for a slot; the best first if there are
    /// weights.
    fn options(
        &self,
        py: Python<'_>,
        source: &str,
        weights: Option<Vec<f32>>,
        top: Option<usize>,
    ) -> PyResult<Vec<RuleParts>> {
        py.detach(|| self.look_up(source, weights.as_deref(), top)).map_err(raise)
    }

    /// Spans of a sentence that have rules: first word, word after the last, number of rules.
    fn spans(&self, py: Python<'_>, sentence: &str) -> PyResult<Vec<(usize, usize, usize)>> {
        py.detach(|| self.all_spans(sentence)).map_err(raise)
    }

    /// Whether some rule has this source side.
    fn has(&self, source: &str) -> bool {
        let node = self.core.query(source).and_then(|source| self.core.find(&source));
        node.is_some_and(|node| self.core.has_rules(node))
    }

    /// For each word, if no rule has it, the source word most like it, if at least this share of
    /// letters agrees.
    fn alike(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        share: f64,
    ) -> PyResult<Vec<Option<String>>> {
        let one = |word: &String| {
            let found = self.core.alike(word, share)?;
            Ok::<_, Error>(found.map(ToString::to_string))
        };
        let all = || words.iter().map(one).collect::<headway_core::Result<Vec<_>>>();
        py.detach(all).map_err(raise)
    }

    /// Each source word with the count of its source side; 1 where there is none.
    fn source_counts(&self, py: Python<'_>) -> PyResult<Vec<(String, f32)>> {
        let counted = || {
            let found = self.core.source_counts()?;
            Ok(found.into_iter().map(|(word, count)| (word.to_string(), count)).collect())
        };
        py.detach(counted).map_err(raise)
    }

    /// A walk over all rules.
    fn rules(&self) -> RuleWalk {
        RuleWalk { core: Arc::clone(&self.core), sources: self.core.sources() }
    }
}

impl RuleTable {
    fn look_up(
        &self,
        source: &str,
        weights: Option<&[f32]>,
        top: Option<usize>,
    ) -> headway_core::Result<Vec<RuleParts>> {
        if let Some(weights) = weights {
            self.core.check_weights(weights)?;
        }
        let Some(node) = self.core.query(source).and_then(|source| self.core.find(&source)) else {
            return Ok(Vec::new());
        };
        let most = top.unwrap_or(usize::MAX);
        match weights {
            Some(weights) => {
                let best = self.core.best(node, weights, top)?;
                Ok(best
                    .iter()
                    .map(|best| parts(&self.core, &best.rule, Some(best.score)))
                    .collect())
            }
            None => {
                let rules = self.core.rules(node)?;
                Ok(rules.iter().take(most).map(|rule| parts(&self.core, rule, None)).collect())
            }
        }
    }

    fn all_spans(&self, sentence: &str) -> headway_core::Result<Vec<(usize, usize, usize)>> {
        let words: Vec<Option<WordId>> =
            sentence.split_ascii_whitespace().map(|word| self.core.source().get(word)).collect();
        let mut spans = Vec::new();
        for start in 0..words.len() {
            let (mut node, mut path) = (self.core.root(), Vec::new());
            for (end, &word) in words.iter().enumerate().skip(start) {
                let Some(word) = word.map(Symbol::Word) else { break };
                let Some(next) = self.core.child(node, word) else { break };
                (node, path) = (next, [path, vec![word]].concat());
                let mut many = 0;
                self.core.visit(node, &path, |_| many += 1)?;
                if many > 0 {
                    spans.push((start, end + 1, many));
                }
            }
        }
        Ok(spans)
    }
}

/// Hands over all rules of a table, those of one source side at a time.
#[pyclass(module = "headway")]
pub struct RuleWalk {
    core: Arc<Core>,
    sources: Sources,
}

#[pymethods]
impl RuleWalk {
    /// The rules of the next source sides, about `many`; empty at the end.
    fn next(&mut self, py: Python<'_>, many: usize) -> PyResult<Vec<RuleParts>> {
        let RuleWalk { core, sources } = self;
        let read = || {
            let mut rules = Vec::new();
            while rules.len() < many {
                let Some((node, source)) = sources.next(core) else { break };
                core.visit(node, source, |rule| rules.push(parts(core, rule, None)))?;
            }
            Ok(rules)
        };
        py.detach(read).map_err(raise)
    }
}

pub fn parts(table: &Core, rule: &Rule, score: Option<f64>) -> RuleParts {
    let structure = rule.structure.as_ref().map(|structure| {
        let (kind, head) = match structure.kind {
            StructureKind::Fixed(head) => ("fixed", Some(head)),
            StructureKind::FloatingLeft => ("floating-left", None),
            StructureKind::FloatingRight => ("floating-right", None),
        };
        let label = |label: &WordId| spelt(table.labels(), *label);
        let slots = structure.slot_labels.iter().map(label).collect();
        (kind, head, structure.heads.clone(), label(&structure.label), slots)
    });
    let model = rule.features.iter().zip(table.features());
    (
        tokens(&rule.source, table.source()),
        tokens(&rule.target, table.target()),
        structure,
        rule.links.clone(),
        rule.counts.map(|counts| (counts.target, counts.source, counts.joint)),
        rule.features.clone(),
        model.map(|(&value, feature)| feature.scale.model_value(value)).collect(),
        score,
    )
}

fn tokens(side: &[Symbol], words: &Words) -> Vec<Token> {
    let token = |symbol: &Symbol| match symbol {
        Symbol::Slot(number) => Token::Slot(*number),
        Symbol::Word(word) => Token::Word(spelt(words, *word)),
    };
    side.iter().map(token).collect()
}

fn spelt(words: &Words, word: WordId) -> String {
    words.word(word).unwrap_or_default().to_string()
}

/// Makes a rule table from Moses' text tables; answers what happened, by name.
#[pyfunction]
#[pyo3(signature = (tables, output, reordering, columns, names, memory, threads, progress))]
#[allow(clippy::too_many_arguments)] // one per option; Python names them
pub fn import_moses(
    py: Python<'_>,
    tables: Vec<PathBuf>,
    output: PathBuf,
    reordering: Option<PathBuf>,
    columns: Option<(Vec<String>, bool)>,
    names: Vec<String>,
    memory: usize,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<(&'static str, u64)>> {
    let columns = columns.map(|(names, by_source)| ReorderingColumns { names, by_source });
    let moses = MosesTables { tables, reordering, columns, names, memory, output };
    let report = watch(py, threads, progress, |monitor| {
        moses.read(&mut TableWriter::create(&moses.output, monitor)?, monitor)
    })?;
    Ok(vec![
        ("rules", report.rules),
        ("glue", report.glue),
        ("zeros", report.zeros),
        ("sparse", report.sparse),
        ("properties", report.properties),
        ("without_reordering", report.without_reordering),
        ("unused_reordering", report.unused_reordering),
        ("reordering_columns", report.reordering_columns),
    ])
}

/// Writes a rule table as Moses' text tables, the reordering table with one line for each rule or
/// (`by_source`) for each source side; answers the number of rules.
#[pyfunction]
pub fn export_moses(
    py: Python<'_>,
    table: &RuleTable,
    output: PathBuf,
    reordering: Option<PathBuf>,
    by_source: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let core = &table.core;
    let hierarchical = core.facts().with_slots > 0;
    let style = if hierarchical { Style::Hierarchical } else { Style::Phrase };
    watch(py, 1, progress, |monitor| {
        let mut writer = MosesWriter::create(&output, reordering.as_deref(), style)?;
        if by_source {
            writer = writer.reordering_by_source();
        }
        core.copy(&mut writer, |_| true, None, monitor)
    })
}

/// Copies the rules that some sentence of the inputs (all rules if there are none) can use,
/// and of each source side the best by weights; answers the number of rules.
#[pyfunction]
pub fn filter_table(
    py: Python<'_>,
    table: &RuleTable,
    output: PathBuf,
    inputs: Option<Vec<PathBuf>>,
    weights: Option<Vec<f32>>,
    top: Option<usize>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let core = &table.core;
    if let Some(weights) = &weights {
        core.check_weights(weights).map_err(raise)?;
    }
    let best = match (&weights, top) {
        (Some(weights), Some(top)) => Some((&weights[..], top)),
        (None, None) => None,
        _ => return Err(raise(Error::setting("the best rules need both weights and a number"))),
    };
    watch(py, threads, progress, |monitor| {
        let matches = Matches::new(core);
        for input in inputs.iter().flatten() {
            matches.add_file(core, input, monitor)?;
        }
        let mut writer = TableWriter::create(&output, monitor)?;
        let keep = |node| inputs.is_none() || matches.contains(node);
        core.copy(&mut writer, keep, best, monitor)
    })
}
