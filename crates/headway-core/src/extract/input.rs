//! Sentence pairs with links and trees, read side by side.

use std::path::{Path, PathBuf};

use super::pair::{Pair, Place, Tree};
use super::shape::GENERIC_LABEL;
use crate::align::Alignment;
use crate::text::Lines;
use crate::tree::Heads;
use crate::tree::conllu::{Column, Format, Reader, Sentence, Tags};
use crate::{Error, Result, Vocabulary, WordId, table};

/// The files of a parallel corpus.
#[derive(Debug, Clone)]
pub struct Corpus {
    pub source: PathBuf,
    pub target: PathBuf,
    /// One or more alignments of all pairs; a pair counts once with the links of each.
    pub alignments: Vec<PathBuf>,
    pub trees: Option<PathBuf>,
}

/// Reads pairs in the memory of a few.
pub struct Pairs {
    source: Lines,
    target: Lines,
    alignments: Vec<Lines>,
    trees: Option<Trees>,
    tags: Option<Tags>,
    /// Whether trees must have the words of the text, up to their case.
    pub same_words: bool,
    pub words: Words,
}

struct Trees {
    reader: Reader,
    path: PathBuf,
    /// A sentence read, but not used yet.
    next: Option<Sentence>,
}

impl Trees {
    fn open(path: &Path) -> Result<Self> {
        let reader = Reader::open(path, Format::ConllU)?;
        Ok(Trees { reader, path: path.to_path_buf(), next: None })
    }

    fn next(&mut self) -> Result<Option<Sentence>> {
        match self.next.take() {
            Some(sentence) => Ok(Some(sentence)),
            None => self.reader.next(),
        }
    }

    /// Some files have a comment without words for an empty sentence, others nothing.
    fn skip_empty(&mut self) -> Result<()> {
        self.next = self.next()?.filter(|sentence| !sentence.is_empty());
        Ok(())
    }
}

/// The words and labels seen so far.
#[derive(Debug, Default)]
pub struct Words {
    pub source: Vocabulary,
    pub target: Vocabulary,
    pub labels: Vocabulary,
}

impl Pairs {
    /// Labels are taken from `tags`, or are all generic.
    pub fn open(corpus: &Corpus, tags: Option<Tags>) -> Result<Self> {
        let mut words = Words::default();
        let generic = words.labels.add(table::GENERIC_LABEL);
        debug_assert_eq!(generic.0, GENERIC_LABEL);
        Ok(Pairs {
            source: Lines::open(&corpus.source)?,
            target: Lines::open(&corpus.target)?,
            alignments: corpus
                .alignments
                .iter()
                .map(|path| Lines::open(path))
                .collect::<Result<_>>()?,
            trees: corpus.trees.as_deref().map(Trees::open).transpose()?,
            tags,
            same_words: false,
            words,
        })
    }

    /// At least `most` pairs as long as there are some; none at the end.
    pub fn read(&mut self, most: usize) -> Result<Vec<Pair>> {
        let mut batch = Vec::with_capacity(most);
        while batch.len() < most {
            if !self.next(&mut batch)? {
                break;
            }
        }
        Ok(batch)
    }

    /// The next pair with the links of each alignment; whether there was one.
    fn next(&mut self, batch: &mut Vec<Pair>) -> Result<bool> {
        let source = read_words(&mut self.source, &mut self.words.source)?;
        let target = read_words(&mut self.target, &mut self.words.target)?;
        let links: Result<Option<Vec<Alignment>>> =
            self.alignments.iter_mut().map(read_links).collect();
        let (Some(source), Some(target), Some(links)) = (source, target, links?) else {
            self.check_end()?;
            return Ok(false);
        };
        for (links, lines) in links.iter().zip(&self.alignments) {
            links.check(source.len(), target.len()).map_err(|message| lines.error(message))?;
        }
        let tree = self.read_tree(&target)?;
        batch.extend(links.iter().map(|links| Pair {
            source: source.clone(),
            target: target.clone(),
            links: places(links),
            tree: tree.clone(),
        }));
        Ok(true)
    }

    /// All files must end together.
    fn check_end(&mut self) -> Result<()> {
        let all = [&self.source, &self.target].into_iter().chain(&self.alignments);
        let longest = all.clone().max_by_key(|lines| lines.number());
        let shortest = all.min_by_key(|lines| lines.number());
        if let (Some(longest), Some(shortest)) = (longest, shortest)
            && longest.number() != shortest.number()
        {
            return Err(longest.error(format!(
                "a line without partner: {} ends after {} lines; \
                 source, target and alignment need the same number of lines",
                shortest.path().display(),
                shortest.number(),
            )));
        }
        if let Some(trees) = &mut self.trees
            && let Some(sentence) = trees.next()?
        {
            let message = format!(
                "a tree without sentence: {} ends after {} lines (empty lines have no tree)",
                self.target.path().display(),
                self.target.number(),
            );
            return Err(Error::format(&trees.path, sentence.line(), message));
        }
        Ok(())
    }

    /// The tree of a target sentence; an empty one has none.
    fn read_tree(&mut self, target: &[u32]) -> Result<Option<Tree>> {
        let words = target.len();
        let Some(trees) = &mut self.trees else { return Ok(None) };
        if words == 0 {
            trees.skip_empty()?;
            return Ok(None);
        }
        let found = trees.next()?;
        let path = &trees.path;
        let Some(sentence) = found else {
            return Err(self.target.error(format!(
                "a sentence without tree: {} has one for each sentence before",
                path.display()
            )));
        };
        if sentence.len() != words {
            let message = format!(
                "expected the tree of a sentence of {words} words ({}:{}), found {} words; \
                 parse the same tokens",
                self.target.path().display(),
                self.target.number(),
                sentence.len(),
            );
            return Err(Error::format(path, sentence.line(), message));
        }
        if self.same_words {
            check_words(&sentence, path, target, &self.words.target, &self.target)?;
        }
        tree(&sentence, self.tags, &mut self.words.labels, path)
    }
}

fn check_words(
    sentence: &Sentence,
    path: &Path,
    target: &[u32],
    words: &Vocabulary,
    lines: &Lines,
) -> Result<()> {
    for (number, (row, &word)) in (1..).zip(sentence.words().zip(target)) {
        let (form, word) = (sentence.cell(row, Column::Form), words.word(WordId(word)));
        if form != word && form.to_lowercase() != word.to_lowercase() {
            let message = format!(
                "word {number} of the tree is {form:?}, that of {}:{} is {word:?}; parse the \
                 same tokens",
                lines.path().display(),
                lines.number(),
            );
            return Err(Error::format(path, sentence.line(), message));
        }
    }
    Ok(())
}

fn read_words(lines: &mut Lines, vocabulary: &mut Vocabulary) -> Result<Option<Vec<u32>>> {
    let Some(line) = lines.next()? else { return Ok(None) };
    Ok(Some(line.split_whitespace().map(|word| vocabulary.add(word).0).collect()))
}

fn read_links(lines: &mut Lines) -> Result<Option<Alignment>> {
    let Some(line) = lines.next()? else { return Ok(None) };
    let parsed = Alignment::parse(line);
    parsed.map(Some).map_err(|message| lines.error(message))
}

/// Pairs that are too long for places are passed over later, so theirs may be cut.
fn places(links: &Alignment) -> Vec<(Place, Place)> {
    links.links().iter().map(|&(source, target)| (source as Place, target as Place)).collect()
}

/// None if no word has a head: the sentence was not parsed.
fn tree(
    sentence: &Sentence,
    tags: Option<Tags>,
    labels: &mut Vocabulary,
    path: &Path,
) -> Result<Option<Tree>> {
    if sentence.words().all(|row| row.head.is_none()) {
        return Ok(None);
    }
    let wrong = |message: String| Error::format(path, sentence.line(), message);
    let heads: Option<Vec<u32>> = sentence.words().map(|row| row.head).collect();
    let heads = heads.ok_or_else(|| {
        wrong("some words have a head and some have none (_); parse the sentence again".into())
    })?;
    let heads = Heads::new(heads).map_err(|error| wrong(error.to_string()))?;
    let column = tags.map(|tags| match tags {
        Tags::Upos => Column::Upos,
        Tags::Xpos => Column::Xpos,
    });
    let label = |row| match column.map(|column| sentence.cell(row, column)) {
        None | Some("_") => GENERIC_LABEL,
        Some(tag) => labels.add(tag).0,
    };
    Ok(Some(Tree { heads, labels: sentence.words().map(label).collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const TREES: &str =
        "1\tx\t_\tNOUN\tNN\t_\t2\tdep\t_\t_\n2\ty\t_\tVERB\tVB\t_\t0\troot\t_\t_\n\n";

    fn read(source: &str, target: &str, alignment: &str, trees: Option<&str>) -> Result<Vec<Pair>> {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = directory.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let corpus = Corpus {
            source: file("s", source),
            target: file("t", target),
            alignments: vec![file("a", alignment)],
            trees: trees.map(|text| file("trees", text)),
        };
        Pairs::open(&corpus, Some(Tags::Xpos))?.read(100)
    }

    fn complaint(source: &str, target: &str, alignment: &str, trees: Option<&str>) -> String {
        read(source, target, alignment, trees).unwrap_err().to_string()
    }

    #[test]
    fn pairs_are_read_side_by_side() {
        let pairs = read("a b\n\nb\n", "x y\n\n\n", "0-1 1-0\n\n\n", Some(TREES)).unwrap();
        assert_eq!(pairs[0].source, [0, 1]);
        assert_eq!(pairs[0].links, [(0, 1), (1, 0)]);
        let tree = pairs[0].tree.as_ref().unwrap();
        assert_eq!((&tree.heads[..], &tree.labels[..]), (&[2, 0][..], &[1, 2][..]));
        assert_eq!((pairs[2].source.as_slice(), pairs[2].tree.is_none()), (&[1][..], true));
        let untagged = read("a b\n", "x y\n", "0-0\n", Some(&TREES.replace("NN", "_"))).unwrap();
        let labels = &untagged[0].tree.as_ref().unwrap().labels[..];
        assert_eq!((labels[0], labels[1] == GENERIC_LABEL), (GENERIC_LABEL, false));
        let trees = format!("# text = x y\n{TREES}# text =\n\n{TREES}");
        let pairs = read("a\n\nb\n\n", "x y\n\nx y\n\n", "\n\n\n\n", Some(&trees)).unwrap();
        assert_eq!(
            [0, 1, 2, 3].map(|pair: usize| pairs[pair].tree.is_some()),
            [true, false, true, false]
        );
    }

    #[test]
    fn what_does_not_fit_together_is_named_with_its_line() {
        let error = complaint("a\nb\n", "x\n", "0-0\n0-0\n", None);
        assert!(
            error.contains("2: a line without partner") && error.contains("1 lines"),
            "{error}"
        );
        let error = complaint("a\n", "x\n", "0-0\n0-0\n", None);
        assert!(error.contains("a:2: a line without partner"), "{error}");
        let error = complaint("a\nb\n", "x\ny\n", "0-0\n0-1\n", None);
        assert!(error.contains("a:2: link 0-1 is outside"), "{error}");
        let error = complaint("a\n", "x\n", "0:0\n", None);
        assert!(error.contains("a:1: expected a link"), "{error}");
    }

    #[test]
    fn trees_must_fit_the_target() {
        let error = complaint("a\n", "x\n", "0-0\n", Some(TREES));
        assert!(error.contains("trees:1: expected the tree of a sentence of 1 words"), "{error}");
        let error = complaint("a\na\n", "x y\nx y\n", "0-0\n0-0\n", Some(TREES));
        assert!(error.contains("t:2: a sentence without tree"), "{error}");
        let twice = TREES.repeat(2);
        let error = complaint("a\n", "x y\n", "0-0\n", Some(&twice));
        assert!(error.contains("trees:4: a tree without sentence"), "{error}");
        let half = TREES.replace("\t0\t", "\t_\t");
        let error = complaint("a\n", "x y\n", "0-0\n", Some(&half));
        assert!(error.contains("trees:1: some words have a head"), "{error}");
        let none = half.replace("\t2\tdep", "\t_\tdep");
        assert!(read("a\n", "x y\n", "0-0\n", Some(&none)).unwrap()[0].tree.is_none());
    }
}
