//! Choosing what to say: a random utterance whose words go together.

mod adjunct;
mod clause;
mod complement;
mod extraposition;
mod frame;
mod front;
mod negation;
mod noun_phrase;
mod predicate;
mod question;
mod relative;
mod statement;
mod subordinate;

use super::lexicon::{Classes, Lexicon, Noun, lexicon};
use super::meaning::{Nominal, Utterance};
use super::rng::Rng;

/// Somebody or something in the story, with the classes that verbs select by.
#[derive(Debug, Clone)]
pub struct Entity {
    pub nominal: Nominal,
    pub classes: Classes,
}

/// One utterance being planned.
pub struct Planner<'a> {
    rng: &'a mut Rng,
    lexicon: &'static Lexicon,
    difficulty: f64,
    /// How many words may still be added beyond the bare sentence.
    budget: i32,
    /// Clauses that may still be nested.
    depth: u32,
    /// Nouns said already: nobody says them twice without need.
    used: Vec<&'static str>,
    /// The past is told in the perfect.
    spoken: bool,
    /// Nobody asks what he himself did.
    asking: bool,
    /// Some clause found nothing that can be said of its subject.
    stuck: bool,
}

impl<'a> Planner<'a> {
    /// Whether what was planned is better thrown away.
    pub fn is_stuck(&self) -> bool {
        self.stuck
    }

    pub fn new(rng: &'a mut Rng, difficulty: f64) -> Self {
        let most = 8.0 + 18.0 * difficulty;
        let budget = rng.below(most as usize + 1) as i32;
        let depth = 1
            + u32::from(rng.chance(0.25 + 0.5 * difficulty))
            + u32::from(rng.chance(0.6 * difficulty));
        let spoken = rng.chance(0.5);
        Planner {
            rng,
            lexicon: lexicon(),
            difficulty,
            budget,
            depth,
            used: Vec::new(),
            spoken,
            asking: false,
            stuck: false,
        }
    }

    pub fn utterance(&mut self) -> Utterance {
        let long = 1.0 + 1.5 * self.difficulty;
        let kinds = [(5.0, 0), (long, 1), (long, 2), (1.2, 3), (1.0, 4), (1.4, 5), (0.3, 6)];
        match self.rng.weighted(&kinds) {
            Some(1) => self.with_subordinate(),
            Some(2) => self.with_content(),
            Some(3) => self.coordinated(),
            Some(4) => self.yes_no_question(),
            Some(5) => self.wh_question(),
            Some(6) => self.existence(),
            _ => self.plain_statement(),
        }
    }

    /// A probability that grows with difficulty from `easy` to `hard`.
    fn chance(&mut self, easy: f64, hard: f64) -> bool {
        let probability = easy + (hard - easy) * self.difficulty;
        self.rng.chance(probability)
    }

    /// Takes `words` from the budget if it holds them.
    fn spend(&mut self, words: i32) -> bool {
        let enough = self.budget >= words;
        if enough {
            self.budget -= words;
        }
        enough
    }

    /// A noun of one of these classes that was not said yet.
    fn noun(&mut self, classes: Classes) -> Option<&'static Noun> {
        let nouns: Vec<&'static Noun> = self
            .lexicon
            .nouns
            .iter()
            .filter(|noun| noun.classes.meets(classes) && !self.used.contains(&noun.english))
            .collect();
        let noun = self.rng.pick(&nouns)?;
        self.used.push(noun.english);
        Some(noun)
    }
}
