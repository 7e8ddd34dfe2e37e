//! What the head of a word is worth: its score, or how sure the parser is of it.
//!
//! Scores are learnt with a margin, and have no unit: long words of a treebank's favourite
//! topics gain more than others. What compares a head with the others of the same word has one.

/// How heads count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeadScore {
    /// By the sum of their scores (Galley & Manning 2009).
    #[default]
    Raw,
    /// By the logarithm of their probability among all heads that the word could have.
    LogProbability,
    /// By what they are ahead of the second best.
    Margin,
}

/// The same with its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    pub score: HeadScore,
    /// Scores are multiplied by this before they become probabilities.
    pub scale: f32,
    /// More than this is never gained or lost by one word, unless heads count by their scores.
    pub clip: f32,
}

impl Default for Worth {
    fn default() -> Self {
        Worth { score: HeadScore::Raw, scale: 1.0, clip: 5.0 }
    }
}

/// The heads that a word could have so far: the score of the best, and what it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct Candidates {
    pub best: f32,
    /// The logarithm of the sum of all, or the second best.
    pub other: f32,
}

impl Candidates {
    pub const NONE: Candidates = Candidates { best: f32::NEG_INFINITY, other: f32::NEG_INFINITY };
}

impl Worth {
    /// Takes one more head in.
    #[inline]
    pub fn with(self, candidates: Candidates, score: f32) -> Candidates {
        let Candidates { best, other } = candidates;
        let other = match self.score {
            HeadScore::Raw => other,
            HeadScore::LogProbability => log_sum(other, self.scale * score),
            HeadScore::Margin => other.max(best.min(score)),
        };
        Candidates { best: best.max(score), other }
    }

    /// What the best head is worth.
    #[inline]
    pub fn of_best(self, Candidates { best, other }: Candidates) -> f32 {
        match self.score {
            HeadScore::Raw => best,
            HeadScore::LogProbability => (self.scale * best - other).max(-self.clip),
            HeadScore::Margin => (best - other).min(self.clip),
        }
    }

    /// What a head is worth, given all: `scores` has one for each place from the root on, and the
    /// word itself is at `word`.
    pub fn of_head(self, scores: &[f64], word: usize, head: usize) -> f64 {
        let (mine, clip) = (scores[head], f64::from(self.clip));
        let heads = scores.iter().enumerate().filter(|&(place, _)| place != word);
        match self.score {
            HeadScore::Raw => mine,
            HeadScore::LogProbability => {
                let scale = f64::from(self.scale);
                let sum: f64 = heads.map(|(_, score)| (scale * (score - mine)).exp()).sum();
                (-sum.ln()).max(-clip)
            }
            HeadScore::Margin => {
                let others = heads.filter(|&(place, _)| place != head);
                let second = others.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
                (mine - second).clamp(-clip, clip)
            }
        }
    }
}

#[inline]
fn log_sum(one: f32, other: f32) -> f32 {
    let (high, low) = (one.max(other), one.min(other));
    if low == f32::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_taken_in_one_by_one_are_worth_what_all_together_are() {
        let scores = [0.3, -1.2, f64::NAN, 2.5, 2.1, -0.4]; // NaN is the word itself
        for score in [HeadScore::Raw, HeadScore::LogProbability, HeadScore::Margin] {
            for clip in [0.1, 0.3, 9.0] {
                let worth = Worth { score, scale: 0.7, clip };
                let heads = scores.iter().filter(|score| !score.is_nan());
                let taken = heads.fold(Candidates::NONE, |all, &it| worth.with(all, it as f32));
                let expected = worth.of_head(&scores, 2, 3);
                assert!((f64::from(worth.of_best(taken)) - expected).abs() < 1e-5);
                assert!(worth.of_head(&scores, 2, 4) <= expected);
            }
        }
    }

    #[test]
    fn the_only_head_is_certain() {
        let worth = |score| Worth { score, scale: 2.0, clip: 3.0 };
        let only = |score| worth(score).of_best(worth(score).with(Candidates::NONE, -7.0));
        assert_eq!(only(HeadScore::LogProbability), 0.0);
        assert_eq!(only(HeadScore::Margin), 3.0);
    }
}
