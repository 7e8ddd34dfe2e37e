//! What parsers learn from: the sentences of one or more treebanks, each with its weight.

use std::path::{Path, PathBuf};

use crate::random::Random;
use crate::tree::conllu::{Column, Format, Reader, Sentence, Tags};
use crate::tree::{DependencyTree, Topology};
use crate::{Error, Monitor, Result};

use super::tag::names::joined;

/// A treebank and how much it counts beside the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub path: PathBuf,
    pub format: Format,
    pub weight: f64,
}

/// A sentence with its gold tree.
#[derive(Debug, Clone)]
pub struct Example {
    pub tree: DependencyTree,
    pub weight: f64,
}

/// Sentences that nothing can be learnt from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// With a cycle of heads.
    pub cyclic: u64,
    /// With a word without a head.
    pub unparsed: u64,
    /// Without words.
    pub empty: u64,
}

/// The sentences to learn from. Sentences with several roots are taken as they are.
#[derive(Debug, Clone, Default)]
pub struct Treebank {
    pub examples: Vec<Example>,
    pub left_out: LeftOut,
}

/// Most copies of one sentence that a weight may ask for.
pub const MOST_WEIGHT: f64 = 1000.0;

const NO_TREE: &str = "no sentence with a tree in it; name a treebank with heads in column 7";

impl Treebank {
    /// Reads treebanks; every word needs a tag in the column `tags`.
    pub fn read(sources: &[Source], tags: Tags, monitor: &Monitor) -> Result<Self> {
        Self::read_with(sources, NO_TREE, monitor, |treebank, sentence, source| {
            treebank.add(sentence, source, tags)
        })
    }

    /// The same with the tags of column 5 (XPOS), joined with those of column 4 where it has any.
    pub fn read_joined(sources: &[Source], monitor: &Monitor) -> Result<Self> {
        Self::read_with(sources, NO_TREE, monitor, |treebank, sentence, source| {
            let before = treebank.examples.len();
            treebank.add(sentence, source, Tags::Xpos)?;
            for example in &mut treebank.examples[before..] {
                example.tree = with_coarse_tags(&example.tree, sentence)?;
            }
            Ok(())
        })
    }

    /// The same for those who learn from words and tags alone: heads need not be there, and
    /// every word hangs from the root.
    pub fn read_tagged(sources: &[Source], tags: Tags, monitor: &Monitor) -> Result<Self> {
        let message = "no sentence in it; name a file of tagged sentences";
        Self::read_with(sources, message, monitor, |treebank, sentence, source| {
            treebank.add_tagged(sentence, source, tags)
        })
    }

    fn read_with(
        sources: &[Source],
        if_empty: &str,
        monitor: &Monitor,
        add: impl Fn(&mut Treebank, &Sentence, &Source) -> Result<()>,
    ) -> Result<Self> {
        let mut treebank = Treebank::default();
        for source in sources {
            check_weight(&source.path, source.weight)?;
            let mut reader = Reader::open(&source.path, source.format)?;
            while let Some(sentence) = reader.next()? {
                monitor.check()?;
                add(&mut treebank, &sentence, source)?;
            }
        }
        if treebank.examples.is_empty() {
            let path = sources.first().map(|source| source.path.clone()).unwrap_or_default();
            return Err(Error::format(&path, 1, if_empty));
        }
        Ok(treebank)
    }

    fn add_tagged(&mut self, sentence: &Sentence, source: &Source, tags: Tags) -> Result<()> {
        if sentence.is_empty() {
            self.left_out.empty += 1;
            return Ok(());
        }
        let column = |column| -> Vec<String> {
            sentence.words().map(|row| sentence.cell(row, column).to_string()).collect()
        };
        let forms = column(Column::Form);
        let tag_column = if tags == Tags::Upos { Column::Upos } else { Column::Xpos };
        let (heads, labels) = (vec![0; forms.len()], vec!["_".to_string(); forms.len()]);
        let tree = DependencyTree::new(forms, heads, column(tag_column), labels)?;
        check_tags(&tree, &source.path, sentence, tags)?;
        self.examples.push(Example { tree, weight: source.weight });
        Ok(())
    }

    fn add(&mut self, sentence: &Sentence, source: &Source, tags: Tags) -> Result<()> {
        if sentence.is_empty() {
            self.left_out.empty += 1;
        } else if sentence.words().any(|row| row.head.is_none()) {
            self.left_out.unparsed += 1;
        } else {
            let tree = sentence.tree(tags)?;
            check_tags(&tree, &source.path, sentence, tags)?;
            if Topology::new(tree.heads()).has_cycle() {
                self.left_out.cyclic += 1;
            } else {
                self.examples.push(Example { tree, weight: source.weight });
            }
        }
        Ok(())
    }

    /// The order in which examples are visited in one round: shuffled, each as often as its
    /// weight says; of a weight with a fraction, the rest is left to chance.
    pub fn round(&self, seed: u64, round: u64) -> Vec<u32> {
        let mut random = Random::new(seed, round);
        let mut order = Vec::with_capacity(self.examples.len());
        for (at, example) in self.examples.iter().enumerate() {
            let whole = example.weight.floor();
            let visits = whole as usize + usize::from(random.next_f64() < example.weight - whole);
            order.extend(std::iter::repeat_n(at as u32, visits));
        }
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        order
    }
}

/// The tree of a sentence with both columns of tags.
fn with_coarse_tags(tree: &DependencyTree, sentence: &Sentence) -> Result<DependencyTree> {
    let coarse = sentence.words().map(|row| sentence.cell(row, Column::Upos));
    let tags = tree.tags().iter().zip(coarse).map(|(fine, coarse)| joined(fine, coarse)).collect();
    let (forms, heads, labels) = (tree.forms(), tree.heads(), tree.labels());
    DependencyTree::new(forms.to_vec(), heads.to_vec(), tags, labels.to_vec())
}

/// Refuses weights of treebanks that make no sense.
pub fn check_weight(path: &Path, weight: f64) -> Result<()> {
    if weight > 0.0 && weight <= MOST_WEIGHT {
        return Ok(());
    }
    let path = path.display();
    Err(Error::setting(format!(
        "{path}:{weight}: the weight of a treebank is above 0 and at most {MOST_WEIGHT}"
    )))
}

fn check_tags(tree: &DependencyTree, path: &Path, sentence: &Sentence, tags: Tags) -> Result<()> {
    let Some(word) = tree.tags().iter().position(|tag| tag == "_") else { return Ok(()) };
    let line = sentence.words().nth(word).map_or(sentence.line(), |row| sentence.row_line(row));
    let (column, other) = match tags {
        Tags::Upos => ("4 (UPOS)", "xpos"),
        Tags::Xpos => ("5 (XPOS)", "upos"),
    };
    let word = word + 1;
    Err(Error::format(
        path,
        line,
        format!(
            "word {word} has no tag in column {column}; use --tags {other}, or tag the treebank"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const GOOD: &str = "1\ta\t_\tX\tx\t_\t2\tdet\t_\t_\n2\tb\t_\tY\ty\t_\t0\troot\t_\t_\n\n";

    fn read(text: &str, tags: Tags, weight: f64) -> Result<Treebank> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.conllu");
        fs::write(&path, text).unwrap();
        let source = Source { path, format: Format::ConllU, weight };
        Treebank::read(&[source], tags, &Monitor::default())
    }

    #[test]
    fn sentences_without_a_tree_are_left_out_and_counted() {
        let cyclic = GOOD.replace("\t0\troot", "\t1\troot");
        let bare = GOOD.replace("\t0\troot", "\t_\troot");
        let found = read(&format!("{GOOD}{cyclic}{bare}# empty\n\n"), Tags::Xpos, 1.0).unwrap();
        assert_eq!(found.examples.len(), 1);
        assert_eq!(found.left_out, LeftOut { cyclic: 1, unparsed: 1, empty: 1 });
        assert!(read(&cyclic, Tags::Xpos, 1.0).unwrap_err().to_string().contains("no sentence"));
    }

    #[test]
    fn tags_are_read_with_or_without_heads() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.conllu");
        let bare = GOOD.replace("\t0\troot", "\t_\t_");
        fs::write(&path, format!("{GOOD}{bare}# empty\n\n")).unwrap();
        let source = Source { path, format: Format::ConllU, weight: 1.0 };
        let found = Treebank::read_tagged(&[source], Tags::Xpos, &Monitor::default()).unwrap();
        assert_eq!((found.examples.len(), found.left_out.empty), (2, 1));
        assert!(found.examples.iter().all(|one| one.tree.tags() == ["x", "y"]));
    }

    #[test]
    fn both_columns_of_tags_are_joined_where_there_are_two() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.conllu");
        let cyclic = GOOD.replace("\t0\troot", "\t1\troot");
        fs::write(&path, format!("{GOOD}{cyclic}{}", GOOD.replace("\tX\t", "\t_\t"))).unwrap();
        let source = Source { path, format: Format::ConllU, weight: 1.0 };
        let found = Treebank::read_joined(&[source], &Monitor::default()).unwrap();
        let tags: Vec<&[String]> = found.examples.iter().map(|one| one.tree.tags()).collect();
        assert_eq!(tags, [["x\tX", "y\tY"], ["x", "y\tY"]]);
    }

    #[test]
    fn a_missing_tag_is_named() {
        let range = "\n2-3\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb";
        let bare = GOOD.replace("\ty\t", "\t_\t").replace("\n2\tb", range);
        let bare = bare.replace("\n\n", "\n3\tc\t_\tY\ty\t_\t2\tx\t_\t_\n\n");
        let error = read(&format!("{GOOD}\n# a = b\n{bare}"), Tags::Xpos, 1.0).unwrap_err();
        assert!(error.to_string().ends_with(
            "t.conllu:8: word 2 has no tag in column 5 (XPOS); use --tags upos, or tag the treebank"
        ));
        assert!(read(&GOOD.replace("\ty\t", "\t_\t"), Tags::Upos, 1.0).is_ok());
    }

    #[test]
    fn weights_are_visits() {
        let treebank = read(GOOD, Tags::Upos, 2.5).unwrap();
        let visits: usize = (0..1000).map(|round| treebank.round(1, round).len()).sum();
        assert!((2400..2600).contains(&visits), "{visits}");
        assert!(read(GOOD, Tags::Upos, 0.0).is_err() && read(GOOD, Tags::Upos, 1e9).is_err());
        assert!(read(GOOD, Tags::Upos, f64::NAN).is_err());
    }
}
