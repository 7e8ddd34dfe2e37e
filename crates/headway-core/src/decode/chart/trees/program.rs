//! The structure of a rule as search builds it: what to join once its slots are filled.

use smallvec::{SmallVec, smallvec};

use super::model::{GENERIC, Gain, Piece, TreeModel};
use super::plan::{Plan, ordered};
use crate::table::{Rule, RuleTable, StructureKind, Symbol};
use crate::tree::structure::Operation;

/// A step over a pile of structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Puts one of the program's own pieces on the pile.
    Piece(u32),
    /// Puts what fills a slot there.
    Slot(u8),
    /// Joins the upper two; see `ordered`.
    Join(Operation),
    /// Makes the uppermost the null structure.
    Drop,
}

/// How the structure of a rule comes about. What needs no slot is joined already.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub steps: Steps,
    pub pieces: SmallVec<[Piece; 2]>,
    /// What the joins made already are worth.
    pub gain: Gain,
}

/// Part of a structure while a program is made.
enum Made {
    Piece(Piece),
    Steps(Steps),
}

pub type Steps = SmallVec<[Step; 16]>;

impl Program {
    /// That of a rule by its plan; one without has the null structure.
    pub fn of_rule(trees: &TreeModel, table: &RuleTable, rule: &Rule, plan: &[Plan]) -> Self {
        let mut program = Program::default();
        let mut pile: SmallVec<[Made; 4]> = SmallVec::new();
        for step in plan {
            let made = match *step {
                Plan::Symbol(place) => symbol(trees, table, rule, place),
                Plan::Join(operation) => {
                    let (Some(above), Some(below)) = (pile.pop(), pile.pop()) else { break };
                    program.join(trees, operation, below, above)
                }
            };
            pile.push(made);
        }
        let Some(whole) = pile.pop() else { return Program::without_structure(rule) };
        program.steps = program.steps_of(whole);
        program
    }

    /// That of words without a rule: all of them hang from the last one, as in most names.
    pub fn of_spelled(trees: &TreeModel, words: &[String]) -> Self {
        let mut gain = Gain::default();
        let leaves = words.iter().rev().map(|word| trees.unknown(word));
        let whole = leaves.reduce(|whole, word| {
            let (joined, more) = trees.join(Operation::LeftAdjoin, &word, &whole);
            gain += more;
            joined
        });
        Program { gain, ..Program::of_piece(whole.unwrap_or_default()) }
    }

    /// That of a single word, or of none.
    fn of_piece(piece: Piece) -> Self {
        Program {
            steps: smallvec![Step::Piece(0)],
            pieces: smallvec![piece],
            gain: Gain::default(),
        }
    }

    /// The null structure: all words pay, and the open ones of what fills slots.
    fn without_structure(rule: &Rule) -> Self {
        let mut program = Program::of_piece(Piece::default());
        for symbol in &rule.target {
            match symbol {
                Symbol::Word(_) => program.gain.ill_formed += 1,
                Symbol::Slot(slot) => {
                    let join = Step::Join(Operation::RightAdjoin);
                    program.steps.extend([Step::Slot(*slot), Step::Drop, join]);
                }
            }
        }
        program
    }

    fn steps_of(&mut self, made: Made) -> Steps {
        match made {
            Made::Steps(steps) => steps,
            Made::Piece(piece) => {
                self.pieces.push(piece);
                smallvec![Step::Piece(self.pieces.len() as u32 - 1)]
            }
        }
    }

    fn join(&mut self, trees: &TreeModel, operation: Operation, below: Made, above: Made) -> Made {
        match (below, above) {
            (Made::Piece(below), Made::Piece(above)) => {
                let (left, right) = ordered(operation, below, above);
                let (piece, gain) = trees.join(operation, &left, &right);
                self.gain += gain;
                Made::Piece(piece)
            }
            (below, above) => {
                let mut steps = self.steps_of(below);
                steps.extend(self.steps_of(above));
                steps.push(Step::Join(operation));
                Made::Steps(steps)
            }
        }
    }
}

/// A target symbol; the word that heads all carries the label of the whole.
fn symbol(trees: &TreeModel, table: &RuleTable, rule: &Rule, place: u8) -> Made {
    match rule.target.get(usize::from(place)) {
        Some(&Symbol::Word(word)) => {
            let heading =
                rule.structure.as_ref().filter(|it| it.kind == StructureKind::Fixed(place));
            let label = heading.map_or(GENERIC, |structure| trees.label(structure.label));
            Made::Piece(trees.leaf(table, word, label))
        }
        Some(&Symbol::Slot(slot)) => Made::Steps(smallvec![Step::Slot(slot)]),
        None => Made::Piece(Piece::default()),
    }
}
