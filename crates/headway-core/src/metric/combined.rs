//! The mean of several metrics, such as (BLEU − TER) / 2.

use super::{Judge, Metric};

pub struct Combined {
    parts: Vec<Box<dyn Metric>>,
}

impl Combined {
    pub fn new(parts: Vec<Box<dyn Metric>>) -> Self {
        Combined { parts }
    }

    /// The mean of what each part says about its share of the numbers.
    fn mean(&self, numbers: &[f64], score: impl Fn(&dyn Metric, &[f64]) -> f64) -> f64 {
        let (mut sum, mut rest) = (0.0, numbers);
        for part in &self.parts {
            let (own, others) = rest.split_at(part.width());
            sum += score(part.as_ref(), own);
            rest = others;
        }
        sum / self.parts.len().max(1) as f64
    }
}

impl Metric for Combined {
    fn width(&self) -> usize {
        self.parts.iter().map(|part| part.width()).sum()
    }

    fn judge(&self, references: &[Vec<&str>]) -> Box<dyn Judge> {
        Box::new(Judges(self.parts.iter().map(|part| part.judge(references)).collect()))
    }

    fn score(&self, sums: &[f64]) -> f64 {
        self.mean(sums, |part, numbers| part.score(numbers))
    }

    fn sentence_score(&self, statistics: &[f64]) -> f64 {
        self.mean(statistics, |part, numbers| part.sentence_score(numbers))
    }
}

struct Judges(Vec<Box<dyn Judge>>);

impl Judge for Judges {
    fn judge(&self, words: &[&str], statistics: &mut Vec<f64>) {
        for part in &self.0 {
            part.judge(words, statistics);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bleu, Ter};
    use super::*;

    #[test]
    fn the_mean_is_that_of_the_parts() {
        let both = Combined::new(vec![Box::new(Bleu), Box::new(Ter)]);
        let references = [vec!["a", "b", "c", "d", "e"]];
        let (mut all, mut bleu, mut ter) = (Vec::new(), Vec::new(), Vec::new());
        let words = ["a", "b", "c", "d", "x"];
        both.judge(&references).judge(&words, &mut all);
        Bleu.judge(&references).judge(&words, &mut bleu);
        Ter.judge(&references).judge(&words, &mut ter);
        assert_eq!(both.score(&all), (Bleu.score(&bleu) + Ter.score(&ter)) / 2.0);
        assert_eq!(Ter.score(&ter), -20.0);
    }
}
