//! A parser that was learnt without trees, in one file with its tagger.

use std::path::Path;

use crate::container::{Container, ContainerWriter, Kind};
use crate::parse::multiclass::numbers;
use crate::parse::tag::{Tagger, TaggerTraining};
use crate::parse::tree_parser::TreeParser;
use crate::parse::treebank::Treebank;
use crate::tree::DependencyTree;
use crate::tree::conllu::Tags;
use crate::{Error, Monitor, Result, Vocabulary};

use super::chart::viterbi;
use super::em::Em;
use super::grammar::Grammar;
use super::punctuation::Punctuation;

const KIND: Kind = Kind { name: "dmv", version: 1 };

/// How a parser is learnt from tagged sentences.
#[derive(Debug, Clone)]
pub struct DmvTraining {
    pub tagger: TaggerTraining,
    pub em: Em,
    /// Longer sentences, punctuation not counted, are left to the tagger.
    pub max_words: usize,
    /// Tags of words that are taken out, as those without a letter or digit are, and put back
    /// under the root.
    pub punctuation: Vec<String>,
    pub single_root: bool,
    /// The column of tags.
    pub tags: Tags,
}

/// How learning went.
#[derive(Debug, Clone)]
pub struct Learning {
    /// The sentences short enough for EM.
    pub sentences: usize,
    /// The logarithm of the likelihood before each step and at the end.
    pub likelihoods: Vec<f64>,
}

/// A trained parser.
#[derive(Debug, Clone)]
pub struct DmvParser {
    tagger: Tagger,
    tags: Tags,
    single_root: bool,
    names: Vocabulary,
    punctuation: Punctuation,
    grammar: Grammar,
    /// The same with room for what training did not see.
    open: Grammar,
    likelihood: f64,
    start: u64,
}

impl DmvParser {
    /// Learns from tags alone.
    pub fn train(
        treebank: &Treebank,
        how: &DmvTraining,
        monitor: &Monitor,
    ) -> Result<(Self, Learning)> {
        how.em.check()?;
        let punctuation = Punctuation::new(&how.punctuation);
        let mut names = Vocabulary::default();
        let (mut sentences, mut weights) = (Vec::new(), Vec::new());
        for example in &treebank.examples {
            let words = example.tree.forms().iter().zip(example.tree.tags());
            let words = words.filter(|(form, tag)| !punctuation.has(form, tag));
            let tags: Vec<&String> = words.map(|(_, tag)| tag).collect();
            if (1..=how.max_words).contains(&tags.len()) {
                sentences.push(tags.iter().map(|tag| names.add(tag).0 as u16).collect());
                weights.push(example.weight);
            }
        }
        check(&sentences, &names, how.max_words)?;
        let visits: f64 = treebank.examples.iter().map(|example| example.weight).sum();
        let steps = how.em.steps() * sentences.len() as u64;
        monitor.expect(visits as u64 * how.tagger.rounds + steps);
        let tagger = how.tagger.train(treebank, monitor)?;
        let learnt = how.em.learn(&sentences, &weights, names.len(), monitor)?;
        let parser = DmvParser {
            tagger,
            tags: how.tags,
            single_root: how.single_root,
            names,
            punctuation,
            open: learnt.grammar.open(),
            grammar: learnt.grammar,
            likelihood: learnt.likelihoods.last().copied().unwrap_or(f64::NEG_INFINITY),
            start: learnt.start,
        };
        Ok((parser, Learning { sentences: sentences.len(), likelihoods: learnt.likelihoods }))
    }

    /// The logarithm of the likelihood of what it learnt from.
    pub fn likelihood(&self) -> f64 {
        self.likelihood
    }

    /// The start that it was learnt from: 0 is the harmonic one.
    pub fn start(&self) -> u64 {
        self.start
    }

    fn scored(&self, forms: &[String], tags: Vec<String>) -> Result<(DependencyTree, f64)> {
        let is_word = |at: &usize| !self.punctuation.has(&forms[*at], &tags[*at]);
        let places: Vec<usize> = (0..tags.len()).filter(is_word).collect();
        let unknown = self.names.len() as u16;
        let number = |&at: &usize| self.names.get(&tags[at]).map_or(unknown, |id| id.0 as u16);
        let sentence: Vec<u16> = places.iter().map(number).collect();
        let (found, score) = viterbi(&self.open, &sentence);
        let mut heads = self.punctuation_heads(&places, &found, tags.len());
        for (&place, &head) in places.iter().zip(&found) {
            let head = (head as usize).checked_sub(1).and_then(|head| places.get(head));
            heads[place] = head.map_or(0, |&head| head as u32 + 1);
        }
        let label = |(at, &head): (usize, &u32)| match (head, is_word(&at)) {
            (0, _) => "root",
            (_, true) => "dep",
            (_, false) => "punct",
        };
        let labels = heads.iter().enumerate().map(label).map(str::to_string).collect();
        Ok((DependencyTree::new(forms.to_vec(), heads, tags, labels)?, score))
    }

    /// All words under the root: the word that is it where there may be but one, itself else.
    fn punctuation_heads(&self, places: &[usize], found: &[u32], words: usize) -> Vec<u32> {
        if !self.single_root {
            return vec![0; words];
        }
        let root = found.iter().position(|&head| head == 0).and_then(|root| places.get(root));
        let root = root.copied().unwrap_or(0);
        (0..words).map(|at| if at == root { 0 } else { root as u32 + 1 }).collect()
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let damaged = || Error::model(path, "the parser in it is damaged; train it again");
        let &[upos, single_root] = container.section("parser")? else { return Err(damaged()) };
        let names = Vocabulary::read_sections(&container, "names")?;
        let [root, stop, go, choose] =
            ["root", "stop", "go", "choose"].map(|name| numbers::<f64>(&container, name));
        let grammar =
            Grammar { tags: names.len(), root: root?, stop: stop?, go: go?, choose: choose? };
        let &[likelihood, start] = &numbers::<u64>(&container, "learnt")?[..] else {
            return Err(damaged());
        };
        if !grammar.is_whole() {
            return Err(damaged());
        }
        Ok(DmvParser {
            tagger: Tagger::read_sections(&container)?,
            tags: if upos == 1 { Tags::Upos } else { Tags::Xpos },
            single_root: single_root == 1,
            names,
            punctuation: Punctuation::read_sections(&container)?,
            open: grammar.open(),
            grammar,
            likelihood: f64::from_bits(likelihood),
            start,
        })
    }
}

impl TreeParser for DmvParser {
    fn tagging(&self) -> (&Tagger, Tags) {
        (&self.tagger, self.tags)
    }

    fn best_tree(&self, forms: &[String], tags: Option<&[String]>) -> Result<DependencyTree> {
        Ok(self.scored(forms, self.tags_for(forms, tags)?)?.0)
    }

    fn best_trees(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        monitor: &Monitor,
    ) -> Result<Vec<(f64, DependencyTree)>> {
        monitor.check()?;
        let (tree, score) = self.scored(forms, self.tags_for(forms, tags)?)?;
        Ok(if k == 0 { Vec::new() } else { vec![(score, tree)] })
    }

    fn save(&self, path: &Path) -> Result<()> {
        let mut writer = ContainerWriter::create(path, KIND, 10 + Tagger::SECTIONS)?;
        writer.section("parser")?;
        writer.write(&[u8::from(self.tags == Tags::Upos), u8::from(self.single_root)])?;
        writer.section("learnt")?;
        writer.write(&self.likelihood.to_le_bytes())?;
        writer.write(&self.start.to_le_bytes())?;
        self.names.write_sections(&mut writer, "names")?;
        self.punctuation.write_sections(&mut writer)?;
        let Grammar { root, stop, go, choose, .. } = &self.grammar;
        for (name, logs) in [("root", root), ("stop", stop), ("go", go), ("choose", choose)] {
            writer.section(name)?;
            writer.write(bytemuck::cast_slice(logs))?;
        }
        self.tagger.write_sections(&mut writer)?;
        writer.finish()
    }
}

fn check(sentences: &[Vec<u16>], names: &Vocabulary, max_words: usize) -> Result<()> {
    // Tables grow with the square of the number of tags.
    const MOST_TAGS: usize = 2000;
    if sentences.is_empty() {
        return Err(Error::setting(format!(
            "no sentence of 1 to {max_words} words without punctuation; raise parse.dmv.max_words"
        )));
    }
    if names.len() > MOST_TAGS {
        let found = names.len();
        return Err(Error::setting(format!(
            "{found} different tags, more than {MOST_TAGS}: is this the column of tags?"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::tag::TaggerKind;
    use crate::parse::treebank::Example;

    fn strings(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    fn trained(single_root: bool) -> DmvParser {
        let example = |tags: &str| {
            let tags = strings(tags);
            let heads = vec![0; tags.len()];
            let tree = DependencyTree::new(tags.clone(), heads, tags.clone(), tags).unwrap();
            Example { tree, weight: 1.0 }
        };
        let examples = ["D N V .", "D A N V D N .", "N V", ", V N ."].map(example).to_vec();
        let treebank = Treebank { examples, ..Treebank::default() };
        let kind = TaggerKind::Full;
        let how = DmvTraining {
            tagger: TaggerTraining { kind, lowercase: false, rounds: 3, seed: 1 },
            em: Em { iterations: 5, tolerance: 0.0, harmonic: true, restarts: 0, seed: 1 },
            max_words: 10,
            punctuation: strings(", ."),
            single_root,
            tags: Tags::Upos,
        };
        DmvParser::train(&treebank, &how, &Monitor::default()).unwrap().0
    }

    #[test]
    fn punctuation_hangs_from_the_root() {
        let tags = strings(", D N , V .");
        let tree = trained(true).parse(&tags, Some(&tags)).unwrap();
        assert!(tree.topology().is_tree());
        let root = tree.heads().roots().next().unwrap();
        assert!([1, 4, 6].iter().all(|&at| tree.heads().of(at) == root), "{tree:?}");
        let tree = trained(false).parse(&tags, Some(&tags)).unwrap();
        assert!([1, 4, 6].iter().all(|&at| tree.heads().of(at) == 0));
        let only = strings(", . ,");
        let tree = trained(true).parse(&only, Some(&only)).unwrap();
        assert_eq!(tree.heads()[..], [0, 1, 1]);
        assert!(trained(true).parse(&[], None).unwrap().is_empty());
    }

    #[test]
    fn punctuation_with_tags_of_its_own_is_taken_out() {
        let (forms, tags) = (strings("- D N ... V ."), strings("Z:--- D N ... V Z:---"));
        let tree = trained(true).parse(&forms, Some(&tags)).unwrap();
        let labels: Vec<bool> = tree.labels().iter().map(|label| label == "punct").collect();
        assert_eq!(labels, [true, false, false, true, false, true]);
        let words = trained(true).parse(&strings("D N V"), None).unwrap();
        let kept: Vec<u32> = words.heads().iter().copied().collect();
        let place = |head: u32| [0, 2, 3, 5][head as usize];
        let expected: Vec<u32> = kept.into_iter().map(place).collect();
        assert_eq!([1, 2, 4].map(|at: usize| tree.heads()[at]), expected[..]);
    }

    #[test]
    fn parsers_are_the_same_once_saved() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("parser.bin");
        let parser = trained(true);
        parser.save(&path).unwrap();
        let again = DmvParser::load(&path).unwrap();
        assert_eq!((&again.grammar, again.likelihood), (&parser.grammar, parser.likelihood));
        let forms = strings("D N V D X .");
        assert_eq!(again.parse(&forms, None).unwrap(), parser.parse(&forms, None).unwrap());
    }
}
