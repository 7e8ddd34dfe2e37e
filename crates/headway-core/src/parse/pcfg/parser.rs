//! A parser of brackets, in one file with its tagger.

use std::path::Path;

use crate::container::{Container, ContainerWriter, Kind};
use crate::parse::multiclass::numbers;
use crate::parse::tag::Tagger;
use crate::parse::tree_parser::TreeParser;
use crate::tree::conllu::Tags;
use crate::tree::penn::{Assembler, HeadRules};
use crate::tree::{ConstituentTree, DependencyTree};
use crate::{Error, Monitor, Result};

use super::bank::BracketBank;
use super::binarise::brackets;
use super::chains::Chains;
use super::decode::Objective;
use super::learn::Learnt;
use super::search::Search;
use super::store;
use super::symbols::Symbols;
use super::train::{Grown, PcfgTraining, SearchSettings};

const KIND: Kind = Kind { name: "pcfg", version: 1 };

/// A trained parser.
#[derive(Debug, Clone)]
pub struct PcfgParser {
    tagger: Tagger,
    symbols: Symbols,
    chains: Chains,
    learnt: Learnt,
    search: Search,
    settings: SearchSettings,
}

impl PcfgParser {
    /// Learns from brackets.
    pub fn train(bank: &BracketBank, how: &PcfgTraining, monitor: &Monitor) -> Result<Self> {
        how.check()?;
        let visits: f64 = bank.trees.iter().map(|(_, weight)| weight).sum();
        let passes = how.refinement.passes() * bank.trees.len() as u64;
        monitor.expect(visits as u64 * how.tagger.rounds + passes);
        let tagger = how.tagger.train(&bank.tagged()?, monitor)?;
        let Grown { mut learnt, symbols, chains } = how.grow(bank, monitor)?;
        store::round(&mut learnt);
        let search = Search::new(&learnt, &symbols);
        Ok(PcfgParser { tagger, symbols, chains, learnt, search, settings: how.search })
    }

    /// The logarithm of the likelihood before each step of EM, but for a constant; empty unless
    /// just trained.
    pub fn likelihoods(&self) -> &[f64] {
        &self.learnt.likelihoods
    }

    /// How many symbols there are, and how many variants of them.
    pub fn sizes(&self) -> (usize, usize) {
        (self.symbols.len(), self.learnt.model.grammar.all_states())
    }

    /// The same parser with another objective or threshold.
    pub fn with_search(mut self, settings: SearchSettings) -> Result<Self> {
        settings.check()?;
        self.settings = settings;
        Ok(self)
    }

    pub fn search_settings(&self) -> SearchSettings {
        self.settings
    }

    /// The best brackets of words with the logarithm of their objective.
    fn scored(&self, forms: &[String], tags: Option<&[String]>) -> (f64, ConstituentTree) {
        let mut built = Assembler::default();
        built.open("");
        let mut score = 0.0;
        let mut start = 0;
        for end in piece_ends(forms, self.settings.max_words) {
            let tags = tags.map(|tags| &tags[start..end]);
            let (more, tree) = self.piece(&forms[start..end], tags, start == 0);
            score += more;
            built.inside_of(&tree);
            start = end;
        }
        (score, built.finish())
    }

    fn piece(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        begins: bool,
    ) -> (f64, ConstituentTree) {
        let Learnt { model, .. } = &self.learnt;
        let scores = |(at, form): (usize, &String)| {
            let first = begins && at == 0;
            let given = tags.and_then(|tags| self.symbols.tag(&tags[at]));
            match given {
                Some(tag) => model.lexicon.scores_of_tag(form, first, tag, &model.grammar),
                None => model.lexicon.scores(form, first, &model.grammar),
            }
        };
        let words = forms.iter().enumerate().map(scores).collect();
        let found = self.search.best(&words, &self.settings);
        found.map_or_else(
            || (0.0, self.flat(forms, tags)),
            |(score, tree)| (score, brackets(&tree, &self.symbols, &self.chains, forms)),
        )
    }

    /// The dependency tree of brackets, with the words as they were before they were escaped.
    fn dependencies(&self, forms: &[String], tree: &ConstituentTree) -> Result<DependencyTree> {
        let found = tree.dependencies(self.settings.heads)?;
        let heads = found.heads().to_vec();
        let label = |&head: &u32| if head == 0 { "root" } else { "dep" }.to_string();
        let labels = heads.iter().map(label).collect();
        DependencyTree::new(forms.to_vec(), heads, found.tags().to_vec(), labels)
    }

    /// What is said of words that the grammar cannot put together: their tags.
    fn flat(&self, forms: &[String], tags: Option<&[String]>) -> ConstituentTree {
        let found = match tags {
            Some(tags) => tags.to_vec(),
            None => self.tag(forms),
        };
        let mut built = Assembler::default();
        built.open("");
        // A tag that marks traces would make a word one of them.
        let tag = |tag: &str| match tag {
            "" | "-NONE-" => "X".to_string(),
            _ => tag.to_string(),
        };
        found.iter().zip(forms).for_each(|(found, form)| built.word(&tag(found), form));
        built.finish()
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let damaged = || Error::model(path, "the parser in it is damaged; train it again");
        let &[objective, threshold, max_words, heads] = &numbers::<f64>(&container, "search")?[..]
        else {
            return Err(damaged());
        };
        let objective = Objective::ALL.get(objective as usize).ok_or_else(damaged)?.1;
        let heads = HeadRules::NAMES.get(heads as usize).ok_or_else(damaged)?.1;
        let max_words = max_words as usize;
        if !(0.0..1.0).contains(&threshold) || max_words == 0 {
            return Err(damaged());
        }
        let symbols = Symbols::read_sections(&container)?.ok_or_else(damaged)?;
        let chains = Chains::read_sections(&container, symbols.labels.len())?;
        let learnt = store::read_sections(&container, &symbols)?.ok_or_else(damaged)?;
        let search = Search::new(&learnt, &symbols);
        Ok(PcfgParser {
            tagger: Tagger::read_sections(&container)?,
            symbols,
            chains: chains.ok_or_else(damaged)?,
            learnt,
            search,
            settings: SearchSettings { objective, threshold, max_words, heads },
        })
    }
}

/// Where the pieces of a sentence end that are parsed each for itself: behind punctuation in the
/// second half of what fits, if there is any.
fn piece_ends(forms: &[String], most: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    while start < forms.len() {
        let mut end = forms.len();
        if end - start > most {
            end = start + most;
            let is_mark = |at: &usize| !forms[*at].chars().any(char::is_alphanumeric);
            let cut = (start + most.div_ceil(2)..end).rev().find(is_mark);
            end = cut.map_or(end, |at| at + 1);
        }
        ends.push(end);
        start = end;
    }
    ends
}

impl TreeParser for PcfgParser {
    fn tagging(&self) -> (&Tagger, Tags) {
        (&self.tagger, Tags::Xpos)
    }

    fn best_tree(&self, forms: &[String], tags: Option<&[String]>) -> Result<DependencyTree> {
        let tags = tags.map(|tags| self.tags_for(forms, Some(tags))).transpose()?;
        self.dependencies(forms, &self.scored(forms, tags.as_deref()).1)
    }

    fn best_brackets(&self, forms: &[String], tags: Option<&[String]>) -> Result<ConstituentTree> {
        Ok(self.scored(forms, tags).1)
    }

    fn best_trees(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        monitor: &Monitor,
    ) -> Result<Vec<(f64, DependencyTree)>> {
        monitor.check()?;
        let tags = tags.map(|tags| self.tags_for(forms, Some(tags))).transpose()?;
        let (score, tree) = self.scored(forms, tags.as_deref());
        let tree = self.dependencies(forms, &tree)?;
        Ok(if k == 0 { Vec::new() } else { vec![(score, tree)] })
    }

    fn save(&self, path: &Path) -> Result<()> {
        let sections = 1 + Symbols::SECTIONS + 1 + store::SECTIONS + Tagger::SECTIONS;
        let mut writer = ContainerWriter::create(path, KIND, sections)?;
        writer.section("search")?;
        let SearchSettings { objective, threshold, max_words, heads } = self.settings;
        let objective = Objective::ALL.iter().position(|(_, one)| *one == objective);
        let heads = HeadRules::NAMES.iter().position(|(_, one)| *one == heads);
        let [objective, heads] = [objective, heads].map(|place| place.unwrap_or(0) as f64);
        let numbers = [objective, threshold, max_words as f64, heads];
        writer.write(bytemuck::cast_slice(&numbers))?;
        self.symbols.write_sections(&mut writer)?;
        self.chains.write_sections(&mut writer)?;
        store::write_sections(&self.learnt, &mut writer)?;
        self.tagger.write_sections(&mut writer)?;
        writer.finish()
    }
}
