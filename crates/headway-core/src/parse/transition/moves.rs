//! The classes of the model: steps with the labels that a treebank has for them.

use crate::container::{Container, ContainerWriter};
use crate::{Error, Result, Vocabulary, WordId};

use super::gold::Gold;
use super::system::{Action, System};

/// A step and the label of the arc it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    pub action: Action,
    pub label: u16,
}

/// All steps of a model, by class, those of one action next to each other.
#[derive(Debug, Clone)]
pub struct Moves {
    labels: Vocabulary,
    moves: Vec<Move>,
}

impl Moves {
    /// The steps that gold trees ask for. Each action has a label, seen or not, so that there
    /// is a way to the end from every state.
    pub fn new<'g>(
        system: System,
        labels: Vocabulary,
        trees: impl Iterator<Item = &'g Gold>,
    ) -> Result<Self> {
        let plain = |action| Move { action, label: 0 };
        let mut moves = vec![plain(Action::Shift)];
        moves.push(plain(if system == System::Eager { Action::Reduce } else { Action::Swap }));
        let mut seen = vec![[false; 3]; labels.len().max(1)];
        const ARCS: [Action; 3] = [Action::Left, Action::Right, Action::Root];
        for gold in trees {
            for word in 1..=gold.words() as u32 {
                let head = gold.head(word);
                let root = head == 0 || head as usize > gold.words();
                let arc = if root { 2 } else { usize::from(head < word) };
                seen[gold.label(word) as usize][arc] = true;
            }
        }
        for (arc, action) in ARCS.into_iter().enumerate() {
            let before = moves.len();
            let known = seen.iter().zip(0..).filter(|(arcs, _)| arcs[arc]);
            moves.extend(known.map(|(_, label)| Move { action, label }));
            if moves.len() == before {
                moves.push(plain(action));
            }
        }
        if moves.len() > usize::from(u16::MAX) {
            let found = labels.len();
            return Err(Error::setting(format!(
                "{found} different labels: is column 8 of labels?"
            )));
        }
        Ok(Moves { labels, moves })
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn of(&self, class: u16) -> Move {
        self.moves[class as usize]
    }

    /// Every class with its step.
    pub fn all(&self) -> impl Iterator<Item = (u16, Move)> + '_ {
        (0..).zip(self.moves.iter().copied())
    }

    pub fn label(&self, label: u16) -> &str {
        self.labels.word(WordId(u32::from(label)))
    }

    pub const SECTIONS: usize = 3;

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        writer.section("moves")?;
        for &Move { action, label } in &self.moves {
            let [low, high] = label.to_le_bytes();
            writer.write(&[action as u8, low, high])?;
        }
        self.labels.write_sections(writer, "labels")
    }

    pub fn read_sections(container: &Container) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the steps in it are damaged");
        let labels = Vocabulary::read_sections(container, "labels")?;
        let mut moves = Vec::new();
        for bytes in container.section("moves")?.chunks(3) {
            let &[action, low, high] = bytes else { return Err(damaged()) };
            let action = *Action::ALL.get(usize::from(action)).ok_or_else(damaged)?;
            moves.push(Move { action, label: u16::from_le_bytes([low, high]) });
        }
        let known = moves.iter().all(|one| usize::from(one.label) < labels.len());
        let found = |action| moves.iter().any(|one: &Move| one.action == action);
        let arcs = [Action::Shift, Action::Left, Action::Right, Action::Root];
        let whole = known && arcs.into_iter().all(found) && moves.is_sorted();
        if whole { Ok(Moves { labels, moves }) } else { Err(damaged()) }
    }
}
