//! A trained parser: tagger, scores of arcs, search and labels, in one file.

use std::path::Path;

use crate::container::{Container, ContainerWriter, Kind};
use crate::tree::DependencyTree;
use crate::tree::conllu::Tags;
use crate::{Error, Monitor, Result};

use super::graph::{ArcScores, Feature, GraphModel, GraphTraining, Search};
use super::labels::Labeller;
use super::tag::names::{coarse_part, fine_name};
use super::tag::{Tagger, TaggerTraining, jackknife};
use super::tree_parser::{Parsed, TreeParser, check_length};
use super::treebank::Treebank;

const KIND: Kind = Kind { name: "parser", version: 2 };

/// How a parser is trained.
#[derive(Debug, Clone, Copy)]
pub struct Training {
    pub tagger: TaggerTraining,
    /// Parts of the treebank that are tagged by a tagger trained on the others.
    pub folds: usize,
    pub graph: GraphTraining,
    pub label_rounds: u64,
    /// The column of tags that it writes.
    pub tags: Tags,
}

/// A trained parser.
#[derive(Debug, Clone)]
pub struct Parser {
    tagger: Tagger,
    model: GraphModel,
    labeller: Labeller,
    search: Search,
    single_root: bool,
    tags: Tags,
}

/// One of the best few trees of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub tree: DependencyTree,
    pub score: f64,
    pub probability: f64,
}

impl Parser {
    pub fn train(treebank: &Treebank, how: &Training, monitor: &Monitor) -> Result<Self> {
        how.graph.check()?;
        let visits: f64 = treebank.examples.iter().map(|example| example.weight).sum();
        let folds = if how.folds < 2 { 0 } else { how.folds as u64 - 1 };
        let rounds = how.tagger.rounds * (1 + folds) + how.graph.rounds + how.label_rounds;
        monitor.expect(visits as u64 * rounds);
        let tagger = how.tagger.train(treebank, monitor)?;
        let tags = jackknife(treebank, &how.tagger, how.folds, monitor)?;
        let model = how.graph.train(treebank, &tags, monitor)?;
        let lowercase = how.graph.lowercase;
        let (rounds, seed) = (how.label_rounds, how.graph.seed);
        let labeller = Labeller::train(treebank, &tags, lowercase, rounds, seed, monitor)?;
        let GraphTraining { search, single_root, .. } = how.graph;
        Ok(Parser { tagger, model, labeller, search, single_root, tags: how.tags })
    }

    pub fn search(&self) -> Search {
        self.search
    }

    pub fn single_root(&self) -> bool {
        self.single_root
    }

    pub fn model(&self) -> &GraphModel {
        &self.model
    }

    /// The same parser with another way to search.
    pub fn with_search(self, search: Search) -> Self {
        Parser { search, ..self }
    }

    /// The scores of all arcs between words with these tags.
    pub fn scores(&self, forms: &[String], tags: &[String]) -> Result<ArcScores> {
        check_length(forms)?;
        let names = self.names(forms, Some(tags))?;
        Ok(self.arc_scores(forms, &names))
    }

    fn arc_scores(&self, forms: &[String], names: &[String]) -> ArcScores {
        self.model.scores(&self.model.numbering().input(forms, names))
    }

    /// The tags of words as the model knows them: joined ones where it was trained on both
    /// columns, even if only fine ones are given.
    fn names(&self, forms: &[String], given: Option<&[String]>) -> Result<Vec<String>> {
        let Some(given) = given else {
            let tags = self.tagger.tag(forms);
            return Ok(tags.into_iter().map(|tag| self.tagger.name(tag).to_string()).collect());
        };
        let given = self.tags_for(forms, Some(given))?;
        if self.tagger.tags().words().all(|tag| coarse_part(tag).is_none()) {
            return Ok(given);
        }
        Ok(self.tagger.tag_within(forms, &given))
    }

    /// Why an arc has its score.
    pub fn explain(
        &self,
        forms: &[String],
        tags: &[String],
        head: usize,
        modifier: usize,
    ) -> Result<Vec<Feature>> {
        self.model.explain(forms, &self.names(forms, Some(tags))?, head, modifier)
    }

    fn best(&self, forms: &[String], names: &[String]) -> Result<DependencyTree> {
        let scores = self.arc_scores(forms, names);
        self.tree(forms, names, self.search.best(&scores, self.single_root))
    }

    /// The best tree of any shape, however it searches else.
    pub fn spanning_tree(&self, forms: &[String]) -> Result<DependencyTree> {
        let names = self.names(forms, None)?;
        let scores = self.arc_scores(forms, &names);
        self.tree(forms, &names, Search::Mst.best(&scores, self.single_root))
    }

    fn tree(&self, forms: &[String], names: &[String], heads: Vec<u32>) -> Result<DependencyTree> {
        let labels = self.labeller.label(forms, names, &heads);
        let tags = names.iter().map(|name| fine_name(name).to_string()).collect();
        DependencyTree::new(forms.to_vec(), heads, tags, labels)
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let damaged = || Error::model(path, "the parser in it is damaged; train it again");
        let &[search, single_root, upos] = container.section("parser")? else {
            return Err(damaged());
        };
        Ok(Parser {
            tagger: Tagger::read_sections(&container)?,
            model: GraphModel::read_sections(&container)?,
            labeller: Labeller::read_sections(&container)?,
            search: Search::ALL.get(search as usize).ok_or_else(damaged)?.1,
            single_root: single_root == 1,
            tags: if upos == 1 { Tags::Upos } else { Tags::Xpos },
        })
    }
}

impl TreeParser for Parser {
    fn tagging(&self) -> (&Tagger, Tags) {
        (&self.tagger, self.tags)
    }

    fn tag(&self, forms: &[String]) -> Vec<String> {
        let fine = |tag| fine_name(self.tagger.name(tag)).to_string();
        self.tagger.tag(forms).into_iter().map(fine).collect()
    }

    fn best_tree(&self, forms: &[String], tags: Option<&[String]>) -> Result<DependencyTree> {
        self.best(forms, &self.names(forms, tags)?)
    }

    fn best_tree_with_coarse(&self, forms: &[String]) -> Result<Parsed> {
        let names = self.names(forms, None)?;
        // A treebank may give some of its tags no coarse one.
        let coarse = |name: &String| coarse_part(name).unwrap_or_default().to_string();
        Ok((self.best(forms, &names)?, names.iter().map(coarse).collect()))
    }

    fn best_trees(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        monitor: &Monitor,
    ) -> Result<Vec<(f64, DependencyTree)>> {
        let names = self.names(forms, tags)?;
        let scores = self.arc_scores(forms, &names);
        let found = self.search.kbest(&scores, self.single_root, k, monitor)?;
        let tree = |(score, heads)| Ok((score, self.tree(forms, &names, heads)?));
        found.into_iter().map(tree).collect()
    }

    fn save(&self, path: &Path) -> Result<()> {
        let sections = 1 + Tagger::SECTIONS + GraphModel::SECTIONS + Labeller::SECTIONS;
        let mut writer = ContainerWriter::create(path, KIND, sections)?;
        writer.section("parser")?;
        let upos = u8::from(self.tags == Tags::Upos);
        writer.write(&[self.search as u8, u8::from(self.single_root), upos])?;
        self.tagger.write_sections(&mut writer)?;
        self.model.write_sections(&mut writer)?;
        self.labeller.write_sections(&mut writer)?;
        writer.finish()
    }
}
