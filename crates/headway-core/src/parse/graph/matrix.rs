//! The scores of all arcs of a sentence.

/// Scores of arcs between words 1 to n and the root, 0. Rows are modifiers: all arcs into a
/// word lie side by side, which is how spanning trees are searched.
#[derive(Debug, Clone, PartialEq)]
pub struct ArcScores {
    words: usize,
    scores: Vec<f64>,
}

impl ArcScores {
    /// Arcs of `words` words, all with score 0.
    pub fn new(words: usize) -> Self {
        ArcScores { words, scores: vec![0.0; words * (words + 1)] }
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// The score of the arc from `head` (0 is the root) to `modifier` (1 to n).
    #[inline]
    pub fn get(&self, head: usize, modifier: usize) -> f64 {
        self.scores[(modifier - 1) * (self.words + 1) + head]
    }

    #[inline]
    pub fn set(&mut self, head: usize, modifier: usize, score: f64) {
        self.scores[(modifier - 1) * (self.words + 1) + head] = score;
    }

    /// The scores of all heads of `modifier`; its own place means nothing.
    pub fn into_word(&self, modifier: usize) -> &[f64] {
        &self.scores[(modifier - 1) * (self.words + 1)..modifier * (self.words + 1)]
    }

    /// The sum of the arcs of a tree, `heads[w - 1]` for word w.
    pub fn sum(&self, heads: &[u32]) -> f64 {
        heads.iter().zip(1..).map(|(&head, word)| self.get(head as usize, word)).sum()
    }

    /// More than any tree can gain by its arcs: what is charged for each root where there is to
    /// be one. Charging it makes trees with the fewest roots best, and one is always enough.
    pub fn root_charge(&self) -> f64 {
        let (low, high) = self
            .scores
            .iter()
            .fold((0.0, 0.0), |(low, high): (f64, f64), &score| (low.min(score), high.max(score)));
        (high - low + 1.0) * (self.words + 1) as f64
    }
}

/// Trees by brute force, for tests.
#[cfg(test)]
pub mod enumeration {
    use super::ArcScores;
    use crate::random::Random;

    /// Random scores with few equal sums.
    pub fn random_scores(words: usize, seed: u64) -> ArcScores {
        let mut random = Random::new(seed, words as u64);
        let mut scores = ArcScores::new(words);
        for modifier in 1..=words {
            for head in (0..=words).filter(|&head| head != modifier) {
                scores.set(head, modifier, 10.0 * random.next_f64() - 5.0);
            }
        }
        scores
    }

    /// All trees, best first.
    pub fn all_trees(
        scores: &ArcScores,
        projective: bool,
        single_root: bool,
    ) -> Vec<(f64, Vec<u32>)> {
        let words = scores.words();
        let mut trees = Vec::new();
        for number in 0..(words + 1).pow(words as u32) {
            let digit = |at: usize| (number / (words + 1).pow(at as u32) % (words + 1)) as u32;
            let heads: Vec<u32> = (0..words).map(digit).collect();
            let roots = heads.iter().filter(|&&head| head == 0).count();
            let tree = acyclic(&heads) && (!single_root || roots == 1 || words == 0);
            if tree && (!projective || nested(&heads)) {
                trees.push((scores.sum(&heads), heads));
            }
        }
        trees.sort_by(|one, other| other.0.total_cmp(&one.0));
        trees
    }

    /// Every word reaches the root in as many steps as there are words.
    fn acyclic(heads: &[u32]) -> bool {
        let up = |at: u32| if at == 0 { 0 } else { heads[at as usize - 1] };
        (1..=heads.len() as u32).all(|word| (0..heads.len()).fold(word, |at, _| up(at)) == 0)
    }

    /// No two arcs cross, those from the root included.
    fn nested(heads: &[u32]) -> bool {
        let arcs: Vec<(u32, u32)> =
            heads.iter().zip(1..).map(|(&head, word)| (head.min(word), head.max(word))).collect();
        arcs.iter().all(|one| {
            arcs.iter().all(|other| !(one.0 < other.0 && other.0 < one.1 && one.1 < other.1))
        })
    }
}
