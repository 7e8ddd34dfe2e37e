//! What the labels of the source become in the target (§3.4.2), counted in aligned pairs of trees.

use rayon::prelude::*;

use super::pairs::{Bitree, Files, Pairs};
use super::smoothing::interpolate;
use super::train::check_labels;
use crate::tree::DependencyTree;
use crate::{Monitor, Result, Vocabulary};

/// How many pairs were read, and how many dependencies of their source sides have a counterpart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Linked {
    pub pairs: u64,
    pub dependencies: u64,
    pub linked: u64,
}

/// How often a source label was linked to a target label.
#[derive(Debug, Default)]
pub struct LabelCounts {
    sources: Vocabulary,
    /// By source label, then by target label, as far as there are any.
    counts: Vec<Vec<u64>>,
}

impl LabelCounts {
    pub fn add(&mut self, source: &str, target: u32) {
        let source = self.sources.add(source).index();
        self.counts.resize(self.counts.len().max(source + 1), Vec::new());
        let row = &mut self.counts[source];
        row.resize(row.len().max(target as usize + 1), 0);
        row[target as usize] += 1;
    }

    /// Reads all pairs. New labels of the target are added to `labels`.
    pub fn read(
        &mut self,
        pairs: &Pairs,
        punctuation_apart: bool,
        labels: &mut Vocabulary,
        monitor: &Monitor,
    ) -> Result<Linked> {
        let mut files = Files::open(pairs)?;
        let mut total = Linked::default();
        while let Some(batch) = files.read()? {
            let links = |pair: &Bitree| pair.links(punctuation_apart);
            let found: Vec<(u64, Vec<(u32, u32)>)> = batch.par_iter().map(links).collect();
            for (pair, (dependencies, links)) in batch.iter().zip(found) {
                total.dependencies += dependencies;
                total.linked += links.len() as u64;
                for (source, target) in links {
                    let target = labels.add(label(&pair.target, target)).0;
                    self.add(label(&pair.source, source), target);
                }
            }
            check_labels(&self.sources, &pairs.source)?;
            check_labels(labels, &pairs.target)?;
            monitor.advance(files.pairs - total.pairs)?;
            total.pairs = files.pairs;
        }
        Ok(total)
    }

    /// The source labels, and P(label | source label) by row, with a last row for unknown ones.
    ///
    /// A label of the target that was never linked as one of the source stands for itself.
    /// An unknown one may be any, in proportion to how often each was `seen`.
    pub fn distributions(mut self, labels: &Vocabulary, seen: &[u64]) -> (Vocabulary, Vec<f64>) {
        let any = interpolate(seen, &vec![1.0 / labels.len().max(1) as f64; labels.len()]);
        let mut rows = Vec::new();
        for mut counts in self.counts {
            counts.resize(labels.len(), 0);
            rows.extend(interpolate(&counts, &any));
        }
        for (number, label) in labels.words().enumerate() {
            if self.sources.get(label).is_none() {
                self.sources.add(label);
                rows.extend((0..labels.len()).map(|other| f64::from(u8::from(other == number))));
            }
        }
        rows.extend(any);
        (self.sources, rows)
    }
}

fn label(tree: &DependencyTree, word: u32) -> &str {
    &tree.labels()[word as usize - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Words with heads and labels, one sentence per line: `man:2:subj saw:0:root`.
    fn conllu(text: &str) -> String {
        let mut file = String::new();
        for line in text.lines() {
            for (number, word) in line.split(' ').filter(|word| !word.is_empty()).enumerate() {
                let parts: Vec<&str> = word.split(':').collect();
                let (head, label) = (parts[1], parts[2]);
                let number = number + 1;
                file += &format!("{number}\t{}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n", parts[0]);
            }
            file += if line.is_empty() { "# text =\n\n" } else { "\n" };
        }
        file
    }

    fn read(source: &str, target: &str, links: &str, apart: bool) -> Result<(Linked, Vec<String>)> {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = directory.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let pairs = Pairs {
            source: file("s", &conllu(source)),
            target: file("t", &conllu(target)),
            alignment: file("a", links),
        };
        let mut labels = Vocabulary::default();
        let mut counts = LabelCounts::default();
        let linked = counts.read(&pairs, apart, &mut labels, &Monitor::default())?;
        let mut shown = Vec::new();
        for (source, row) in counts.sources.words().zip(&counts.counts) {
            for (target, count) in labels.words().zip(row).filter(|&(_, &count)| count > 0) {
                shown.push(format!("{source} {target} {count}"));
            }
        }
        Ok((linked, shown))
    }

    #[test]
    fn arcs_between_aligned_words_are_linked() {
        // dem Mann gefiel es | the man liked it: subject and object change places.
        let source = "dem:2:det Mann:3:iobj gefiel:0:root es:3:nsubj .:3:punct\n\nja:0:root";
        let target = "the:2:det man:3:nsubj liked:0:root it:3:obj .:3:punct\n\nyes:0:root";
        let links = "0-0 1-1 2-2 3-3 4-4\n\n0-0\n";
        let (linked, shown) = read(source, target, links, false).unwrap();
        assert_eq!(linked, Linked { pairs: 3, dependencies: 4, linked: 4 });
        assert_eq!(shown, ["det det 1", "iobj nsubj 1", "nsubj obj 1", "punct punct 1"]);
        let (linked, shown) = read(source, target, links, true).unwrap();
        assert_eq!((linked.dependencies, shown.len()), (3, 3));
    }

    #[test]
    fn several_links_count_for_each_arc_and_none_for_nothing() {
        // Hauptstadt | capital city: only the outer arc has its head at the governor's word.
        let source = "Hauptstadt:2:nsubj wuchs:0:root schnell:2:advmod";
        let target = "capital:2:compound city:3:nsubj grew:0:root";
        let (linked, shown) = read(source, target, "0-0 0-1 1-2\n", false).unwrap();
        assert_eq!((linked.dependencies, linked.linked), (2, 1));
        assert_eq!(shown, ["nsubj nsubj 1"]);
        let (_, shown) = read("a:2:x b:0:root", "c:0:root d:1:y", "0-0 1-1\n", false).unwrap();
        assert!(shown.is_empty(), "an arc in the other direction");
    }

    #[test]
    fn unseen_labels_stand_for_themselves_or_for_any() {
        let mut labels = Vocabulary::default();
        for label in ["a", "b"] {
            labels.add(label);
        }
        let mut counts = LabelCounts::default();
        (0..3).for_each(|_| counts.add("x", 1));
        let (sources, rows) = counts.distributions(&labels, &[30, 10]);
        assert_eq!(sources.words().collect::<Vec<_>>(), ["x", "a", "b"]);
        let any = [(30.0 + 5.0) / 50.0, (10.0 + 5.0) / 50.0];
        let expected = [5.0 * any[0] / 8.0, (3.0 + 5.0 * any[1]) / 8.0, 1.0, 0.0, 0.0, 1.0];
        for (found, expected) in rows.iter().zip(expected.iter().chain(&any)) {
            assert!((found - expected).abs() < 1e-12, "{rows:?}");
        }
        assert_eq!(rows.len(), 8);
    }

    #[test]
    fn what_does_not_fit_together_is_named() {
        let complaint = |source: &str, target: &str, links: &str| {
            read(source, target, links, false).unwrap_err().to_string()
        };
        let error = complaint("a:0:r\nb:0:r", "a:0:r", "0-0\n0-0\n");
        assert!(error.contains("s:3: no partner") && error.contains("after 1 sent"), "{error}");
        let error = complaint("a:0:r", "a:0:r", "0-0\n\n");
        assert!(error.contains("a:2: no partner"), "{error}");
        let error = complaint("a:0:r", "a:0:r\nb:0:r", "0-0\n0-0\n");
        assert!(error.contains("t:3: no partner"), "{error}");
        let error = complaint("a:0:r", "a:0:r", "0-1\n");
        assert!(error.contains("a:1: link 0-1 is outside"), "{error}");
        let error = complaint("a:0:r b:_:r", "a:0:r", "0-0\n");
        assert!(error.contains("s:1: some words have a head"), "{error}");
        let (linked, shown) = read("a:_:r b:_:r", "a:0:r", "0-0\n", false).unwrap();
        assert_eq!((linked.pairs, linked.dependencies, shown.len()), (1, 0, 0));
    }
}
