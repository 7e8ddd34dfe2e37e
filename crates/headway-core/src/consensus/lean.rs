//! A forest without features, spans and links: scaled scores, tails and target sides, numbered
//! alike for all forests of a sentence.

use rustc_hash::FxHashMap;

use crate::forest::{EdgeId, Forest, Log, Semiring, Symbol};
use crate::{Error, Result};

/// Beyond this, differences of scores say nothing but which is the best.
const STEEPEST: f64 = 1e6;

/// The words of a sentence's translations, each once, whichever system said them.
#[derive(Debug, Default)]
pub struct Numbers {
    words: FxHashMap<String, u32>,
    texts: Vec<String>,
    /// The letters of each word, as numbers.
    letters: Vec<Vec<u32>>,
}

impl Numbers {
    pub fn word(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        let number = self.letters.len() as u32;
        self.words.insert(word.to_string(), number);
        self.texts.push(word.to_string());
        self.letters.push(word.chars().map(u32::from).collect());
        number
    }

    /// The word of a number.
    pub fn text(&self, word: u32) -> &str {
        &self.texts[word as usize]
    }

    /// The number of a word that some system said.
    pub fn known(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// The letters of words, one after the other, as chrF reads them.
    pub fn spelt(&self, words: &[u32]) -> Vec<u32> {
        words.iter().flat_map(|&word| self.letters[word as usize].iter().copied()).collect()
    }
}

/// A part of a target side: a unit (word or letter), or what a tail yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Unit(u32),
    Slot(u32),
}

#[derive(Debug, Clone)]
pub(super) struct LeanEdge {
    pub score: f64,
    pub tails: Vec<u32>,
    pub parts: Vec<Part>,
    /// The edge of the forest, or the place in the list.
    pub origin: u32,
}

impl LeanEdge {
    /// The tails whose words are part of the target side; others yield no words.
    fn said(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|part| match *part {
            Part::Slot(slot) => Some(self.tails[slot as usize] as usize),
            Part::Unit(_) => None,
        })
    }

    pub(super) fn says(&self, slot: usize) -> bool {
        self.parts.contains(&Part::Slot(slot as u32))
    }
}

/// Nodes in topological order, each with its edges; the last one is the goal.
#[derive(Debug, Clone, Default)]
pub struct Lean {
    pub(super) nodes: Vec<Vec<LeanEdge>>,
}

impl Lean {
    /// Of a forest, with at most about `edges` edges (those in the best derivations) and scores
    /// times `scale`. Without a derivation it has no nodes.
    pub fn of_forest(
        forest: &Forest,
        scale: f64,
        edges: usize,
        numbers: &mut Numbers,
    ) -> Result<Self> {
        check_scale(scale)?;
        let weighted = forest.weighted()?;
        let best = weighted.best_scores();
        if best[forest.goal().index()] == f64::NEG_INFINITY {
            return Ok(Lean::default());
        }
        let kept = near_the_best(&weighted.max_marginals(), edges);
        let scores = weighted.scores();
        let mut names = vec![u32::MAX; forest.node_count()];
        let mut lean = Lean::default();
        let words: Vec<u32> =
            (0..forest.words().len() as u32).map(|word| numbers.word(forest.word(word))).collect();
        for node in forest.nodes() {
            let live = node.edges().filter(|edge| {
                kept[edge.id().index()]
                    && edge.tails().iter().all(|tail| names[tail.index()] != u32::MAX)
            });
            let edges: Vec<LeanEdge> = live
                .map(|edge| LeanEdge {
                    score: scores[edge.id().index()] * scale,
                    tails: edge.tails().iter().map(|tail| names[tail.index()]).collect(),
                    parts: edge.symbols().map(|symbol| part(symbol, &words)).collect(),
                    origin: edge.id().0,
                })
                .collect();
            if !edges.is_empty() {
                names[node.id().index()] = lean.nodes.len() as u32;
                lean.nodes.push(edges);
            }
            if node.id() == forest.goal() {
                break;
            }
        }
        Ok(lean)
    }

    /// Of a list of translations: one edge each.
    pub fn of_list(list: &[(Vec<u32>, f64)], scale: f64) -> Result<Self> {
        check_scale(scale)?;
        if list.is_empty() {
            return Ok(Lean::default());
        }
        let edge = |(place, (words, score)): (usize, &(Vec<u32>, f64))| LeanEdge {
            score: score * scale,
            tails: Vec::new(),
            parts: words.iter().map(|&word| Part::Unit(word)).collect(),
            origin: place as u32,
        };
        Ok(Lean { nodes: vec![list.iter().enumerate().map(edge).collect()] })
    }

    /// The same with letters in place of words.
    pub fn spelt(&self, numbers: &Numbers) -> Self {
        let spell = |edge: &LeanEdge| {
            let parts = edge.parts.iter().flat_map(|&part| match part {
                Part::Unit(word) => {
                    numbers.letters[word as usize].iter().map(|&it| Part::Unit(it)).collect()
                }
                Part::Slot(_) => vec![part],
            });
            LeanEdge { parts: parts.collect(), ..edge.clone() }
        };
        Lean { nodes: self.nodes.iter().map(|edges| edges.iter().map(spell).collect()).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn edge_count(&self) -> usize {
        self.nodes.iter().map(Vec::len).sum()
    }

    /// For each edge its probability given its head, in the order of nodes.
    pub(super) fn shares(&self) -> Vec<Vec<f64>> {
        let mut inside: Vec<f64> = Vec::with_capacity(self.nodes.len());
        let mut shares = Vec::with_capacity(self.nodes.len());
        for edges in &self.nodes {
            let scores: Vec<f64> = edges
                .iter()
                .map(|edge| {
                    edge.score + edge.tails.iter().map(|&it| inside[it as usize]).sum::<f64>()
                })
                .collect();
            let sum = scores.iter().fold(Log::zero(), |sum, &score| Log::plus(sum, score));
            inside.push(sum);
            shares.push(scores.iter().map(|score| (score - sum).exp()).collect());
        }
        shares
    }

    /// For each node how often a translation says what is below it, on average.
    pub(super) fn uses(&self, shares: &[Vec<f64>]) -> Vec<f64> {
        let mut uses = vec![0.0; self.nodes.len()];
        if let Some(goal) = uses.last_mut() {
            *goal = 1.0;
        }
        for (node, edges) in self.nodes.iter().enumerate().rev() {
            for (edge, share) in edges.iter().zip(&shares[node]) {
                for tail in edge.said() {
                    uses[tail] += uses[node] * share;
                }
            }
        }
        uses
    }

    pub(super) fn origin(&self, node: usize, edge: usize) -> EdgeId {
        EdgeId(self.nodes[node][edge].origin)
    }
}

fn part(symbol: Symbol, words: &[u32]) -> Part {
    match symbol {
        Symbol::Word(word) => Part::Unit(words[word as usize]),
        Symbol::Slot(slot) => Part::Slot(slot),
    }
}

/// Which edges stand in the best derivations: about so many, those of equal worth together, and
/// always those of the best derivation.
fn near_the_best(marginals: &[f64], edges: usize) -> Vec<bool> {
    let mut order: Vec<f64> = marginals.iter().copied().filter(|it| it.is_finite()).collect();
    if order.len() <= edges.max(1) {
        return marginals.iter().map(|it| it.is_finite()).collect();
    }
    order.sort_unstable_by(|a, b| b.total_cmp(a));
    // The rounding of sums along different paths.
    let slack = 1e-9 * order[0].abs().max(1.0);
    let lowest = order[edges.max(1) - 1].min(order[0]) - slack;
    marginals.iter().map(|&it| it >= lowest).collect()
}

fn check_scale(scale: f64) -> Result<()> {
    match scale.is_finite() && (0.0..=STEEPEST).contains(&scale) {
        true => Ok(()),
        false => Err(Error::Setting(format!("consensus: a scale of {scale}; expected 0 to 1e6"))),
    }
}
