//! A trained transition-based parser, in one file with its tagger.

use std::path::Path;

use crate::container::{Container, ContainerWriter, Kind};
use crate::parse::multiclass::Multiclass;
use crate::parse::tag::{Tagger, TaggerTraining, jackknife};
use crate::parse::tree_parser::TreeParser;
use crate::parse::treebank::Treebank;
use crate::tree::DependencyTree;
use crate::tree::conllu::Tags;
use crate::{Error, Monitor, Result};

use super::features::Input;
use super::greedy::Judge;
use super::moves::Moves;
use super::state::State;
use super::system::System;
use super::train::TransitionTraining;

const KIND: Kind = Kind { name: "steps", version: 1 };

/// More states side by side than this only take memory.
pub const MOST_BEAM: usize = 10_000;

/// How parser and tagger are trained.
#[derive(Debug, Clone, Copy)]
pub struct TransitionSetup {
    pub tagger: TaggerTraining,
    /// Parts of the treebank that are tagged by a tagger trained on the others.
    pub folds: usize,
    pub transition: TransitionTraining,
    /// The column of tags that it was trained on and writes.
    pub tags: Tags,
}

/// A trained parser.
#[derive(Debug, Clone)]
pub struct TransitionParser {
    tagger: Tagger,
    system: System,
    single_root: bool,
    lowercase: bool,
    beam: usize,
    tags: Tags,
    moves: Moves,
    model: Multiclass,
}

impl TransitionParser {
    pub fn train(treebank: &Treebank, how: &TransitionSetup, monitor: &Monitor) -> Result<Self> {
        how.transition.check()?;
        check_beam(how.transition.beam)?;
        let visits: f64 = treebank.examples.iter().map(|example| example.weight).sum();
        let folds = how.folds.saturating_sub(1) as u64;
        let rounds = how.tagger.rounds * (1 + folds) + how.transition.rounds;
        monitor.expect(visits as u64 * rounds);
        let tagger = how.tagger.train(treebank, monitor)?;
        let tags = jackknife(treebank, &how.tagger, how.folds, monitor)?;
        let (moves, model) = how.transition.train(treebank, &tags, monitor)?;
        let TransitionTraining { system, single_root, lowercase, beam, .. } = how.transition;
        let tags = how.tags;
        Ok(TransitionParser { tagger, system, single_root, lowercase, beam, tags, moves, model })
    }

    pub fn system(&self) -> System {
        self.system
    }

    pub fn beam(&self) -> usize {
        self.beam
    }

    /// The same parser with a beam of another size; 1 is greedy.
    pub fn with_beam(self, beam: usize) -> Result<Self> {
        check_beam(beam)?;
        Ok(TransitionParser { beam, ..self })
    }

    fn judge(&self) -> Judge<'_, Multiclass> {
        let TransitionParser { system, single_root, moves, model, .. } = self;
        Judge { system: *system, single: *single_root, moves, model }
    }

    fn tree(&self, forms: &[String], tags: Vec<String>, state: &State) -> Result<DependencyTree> {
        let (heads, labels) = state.arcs();
        let labels = labels.into_iter().map(|label| self.moves.label(label).to_string()).collect();
        DependencyTree::new(forms.to_vec(), heads, tags, labels)
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let damaged = || Error::model(path, "the parser in it is damaged; train it again");
        let &[system, single_root, lowercase, upos] = container.section("parser")? else {
            return Err(damaged());
        };
        let beam = container.section("beam")?.try_into().map_err(|_| damaged())?;
        let beam = usize::try_from(u64::from_le_bytes(beam)).map_err(|_| damaged())?;
        check_beam(beam).map_err(|_| damaged())?;
        let moves = Moves::read_sections(&container)?;
        Ok(TransitionParser {
            tagger: Tagger::read_sections(&container)?,
            system: System::ALL.get(system as usize).ok_or_else(damaged)?.1,
            single_root: single_root == 1,
            lowercase: lowercase == 1,
            beam,
            tags: if upos == 1 { Tags::Upos } else { Tags::Xpos },
            model: Multiclass::read_sections(&container, "step", moves.len())?,
            moves,
        })
    }
}

impl TreeParser for TransitionParser {
    fn tagging(&self) -> (&Tagger, Tags) {
        (&self.tagger, self.tags)
    }

    fn best_tree(&self, forms: &[String], tags: Option<&[String]>) -> Result<DependencyTree> {
        let tags = self.tags_for(forms, tags)?;
        let input = Input::new(forms, &tags, self.lowercase);
        if self.beam == 1 {
            return self.tree(forms, tags, &self.judge().greedy(&input));
        }
        let items = self.judge().beam(&input, self.beam);
        let best = items.first().ok_or_else(|| Error::internal("a beam without states"))?;
        self.tree(forms, tags, &best.state)
    }

    fn best_trees(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        monitor: &Monitor,
    ) -> Result<Vec<(f64, DependencyTree)>> {
        let tags = self.tags_for(forms, tags)?;
        let input = Input::new(forms, &tags, self.lowercase);
        check_beam(k.max(1))?;
        let mut found: Vec<(f64, DependencyTree)> = Vec::new();
        for item in self.judge().beam(&input, self.beam.max(k)) {
            monitor.check()?;
            let tree = self.tree(forms, tags.clone(), &item.state)?;
            if found.len() < k && found.iter().all(|(_, known)| *known != tree) {
                found.push((item.score, tree));
            }
        }
        Ok(found)
    }

    fn save(&self, path: &Path) -> Result<()> {
        let sections = 2 + Tagger::SECTIONS + Moves::SECTIONS + 4;
        let mut writer = ContainerWriter::create(path, KIND, sections)?;
        writer.section("parser")?;
        let upos = u8::from(self.tags == Tags::Upos);
        let (single, lowercase) = (u8::from(self.single_root), u8::from(self.lowercase));
        writer.write(&[self.system as u8, single, lowercase, upos])?;
        writer.section("beam")?;
        writer.write(&(self.beam as u64).to_le_bytes())?;
        self.tagger.write_sections(&mut writer)?;
        self.moves.write_sections(&mut writer)?;
        self.model.write_sections(&mut writer, "step")?;
        writer.finish()
    }
}

fn check_beam(beam: usize) -> Result<()> {
    if (1..=MOST_BEAM).contains(&beam) {
        return Ok(());
    }
    Err(Error::setting(format!("a beam of {beam} states; use 1 (greedy) to {MOST_BEAM}")))
}
