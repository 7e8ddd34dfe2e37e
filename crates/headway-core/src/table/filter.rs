//! Which rules some sentences can use.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{NodeId, RuleTable, Symbol};
use crate::text::Lines;
use crate::{Monitor, Result, WordId};

/// Sentences worked on at once.
const BATCH: usize = 4096;

/// Source sides that match within some sentence: words one after the other, and at least one
/// word for each slot.
pub struct Matches {
    nodes: Vec<AtomicU64>,
}

impl Matches {
    pub fn new(table: &RuleTable) -> Self {
        let words = table.nodes().div_ceil(64) as usize;
        Matches { nodes: (0..words).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Adds what matches in the sentences of a file, one a line, words between spaces.
    pub fn add_file(&self, table: &RuleTable, path: &Path, monitor: &Monitor) -> Result<()> {
        let mut lines = Lines::open(path)?;
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH {
                let Some(line) = lines.next()? else { break };
                batch.push(line.to_string());
            }
            if batch.is_empty() {
                return Ok(());
            }
            batch.par_iter().try_for_each(|line| {
                self.add(table, line);
                monitor.check()
            })?;
        }
    }

    pub fn add(&self, table: &RuleTable, sentence: &str) {
        let words = sentence.split_ascii_whitespace().map(|word| table.source().get(word));
        let words: Vec<Option<WordId>> = words.collect();
        let starts: Vec<usize> = (0..words.len()).collect();
        self.walk(table, table.root(), 0, &words, &starts);
    }

    /// `starts` are the places where the next symbol may begin, in order.
    fn walk(
        &self,
        table: &RuleTable,
        node: NodeId,
        slots: u8,
        words: &[Option<WordId>],
        starts: &[usize],
    ) {
        let mut next: BTreeMap<WordId, Vec<usize>> = BTreeMap::new();
        for &start in starts {
            if let Some(&Some(word)) = words.get(start) {
                next.entry(word).or_default().push(start + 1);
            }
        }
        for (word, starts) in next {
            if let Some(child) = table.child(node, Symbol::Word(word)) {
                self.mark(child);
                self.walk(table, child, slots, words, &starts);
            }
        }
        let first = starts.first().map_or(words.len(), |first| first + 1);
        if first > words.len() || starts.is_empty() {
            return;
        }
        if let Some(child) = table.child(node, Symbol::Slot(slots)) {
            self.mark(child);
            let starts: Vec<usize> = (first..=words.len()).collect();
            self.walk(table, child, slots.saturating_add(1), words, &starts);
        }
    }

    fn mark(&self, node: NodeId) {
        if let Some(word) = self.nodes.get((node.0 / 64) as usize) {
            word.fetch_or(1 << (node.0 % 64), Relaxed);
        }
    }

    pub fn contains(&self, node: NodeId) -> bool {
        let word = self.nodes.get((node.0 / 64) as usize);
        word.is_some_and(|word| word.load(Relaxed) & (1 << (node.0 % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vocabulary;
    use crate::table::{Header, Rule, RuleSink, TableWriter};
    use proptest::prelude::*;

    fn symbol() -> impl Strategy<Value = Symbol> {
        prop_oneof![
            1 => Just(Symbol::Slot(0)),
            2 => (0_u32..3).prop_map(|word| Symbol::Word(WordId(word))),
        ]
    }

    fn written(path: &Path, sources: &[Vec<Symbol>]) -> RuleTable {
        let monitor = Monitor::default();
        let mut writer = TableWriter::create(path, &monitor).unwrap();
        let mut words = Vocabulary::default();
        for word in ["a", "b", "c"] {
            words.add(word);
        }
        writer.begin(&Header { source: words, ..Header::default() }).unwrap();
        for source in sources {
            let slots = source.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_)));
            let (source, target) = (source.clone(), slots.copied().collect());
            writer.rule(&Rule { source, target, ..Rule::default() }).unwrap();
        }
        writer.finish().unwrap();
        RuleTable::open(path).unwrap()
    }

    /// Whether a pattern matches at the very start, leaving some rest.
    fn matches(pattern: &[Symbol], words: &[&str]) -> bool {
        match (pattern, words) {
            ([], _) => true,
            ([Symbol::Slot(_), rest @ ..], [_, ..]) => {
                (1..=words.len()).any(|used| matches(rest, &words[used..]))
            }
            ([Symbol::Word(word), rest @ ..], [first, words @ ..]) => {
                ["a", "b", "c"][word.index()] == *first && matches(rest, words)
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn the_same_as_trying_every_rule_at_every_place(
            sources in prop::collection::vec(prop::collection::vec(symbol(), 1..5), 0..20),
            sentences in prop::collection::vec("[a-d]( [a-d]){0,6}", 0..3),
        ) {
            let mut sources = sources;
            for source in &mut sources {
                let slots = source.iter_mut().filter(|symbol| matches!(symbol, Symbol::Slot(_)));
                slots.zip(0..).for_each(|(symbol, number)| *symbol = Symbol::Slot(number));
            }
            sources.sort();
            let directory = tempfile::tempdir().unwrap();
            let table = written(&directory.path().join("t"), &sources);
            let found = Matches::new(&table);
            sentences.iter().for_each(|sentence| found.add(&table, sentence));
            let header = table.header().unwrap();
            let mut walk = table.sources();
            while let Some((node, source)) = walk.next(&table) {
                let spell = |symbol: &Symbol| match symbol {
                    Symbol::Word(word) => {
                        let word = header.source.word(*word);
                        Symbol::Word(WordId(u32::from(word.as_bytes()[0] - b'a')))
                    }
                    slot => *slot,
                };
                let source: Vec<Symbol> = source.iter().map(spell).collect();
                let expected = sentences.iter().any(|sentence| {
                    let words: Vec<&str> = sentence.split(' ').collect();
                    (0..words.len()).any(|start| matches(&source, &words[start..]))
                });
                prop_assert_eq!(found.contains(node), expected, "{:?}", source);
            }
        }
    }
}
