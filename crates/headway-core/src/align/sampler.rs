//! Several aligners of one corpus that differ in their seeds, with the work that they share done
//! once.

use super::aligner::{Aligner, learning_sides};
use super::bitext::{Bitext, Side};
use super::direction::{Direction, Training};
use crate::{Monitor, Result};

/// IBM 1 and the HMM of both directions, from which aligners with different seeds go on.
#[derive(Debug)]
pub struct AlignerSampler {
    source: Side,
    target: Side,
    forward: Direction,
    backward: Direction,
    lowercase: bool,
    training: Training,
}

impl AlignerSampler {
    /// Does everything that does not depend on the seed; arguments are those of `Aligner::train`.
    pub fn train(
        bitext: &Bitext,
        lowercase: bool,
        longest: usize,
        training: &Training,
        monitor: &Monitor,
    ) -> Result<Self> {
        monitor.expect(2 * Direction::work(bitext.len(), training.passes_before_sampling()));
        let [source, target] = learning_sides(bitext, lowercase, longest);
        let forward = Direction::before_sampling(&source, &target, training, monitor)?;
        let backward = Direction::before_sampling(&target, &source, training, monitor)?;
        Ok(AlignerSampler { source, target, forward, backward, lowercase, training: *training })
    }

    /// The aligner that `Aligner::train` makes with this seed.
    pub fn aligner(&self, seed: u64, monitor: &Monitor) -> Result<Aligner> {
        let (source, target) = (&self.source, &self.target);
        let training = Training { seed, ..self.training };
        monitor.expect(2 * Direction::work(source.len(), training.passes_of_sampling()));
        let forward = self.forward.continued(source, target, &training, monitor)?;
        let backward = self.backward.continued(target, source, &training, monitor)?;
        Ok(Aligner::new([source, target], self.lowercase, &training, [forward, backward]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::ModelKind;
    use crate::random::Random;

    /// Sentences in which word n mostly stands for word n, and pairs of more words than are learnt
    /// from.
    fn bitext() -> Bitext {
        let (mut bitext, mut random) = (Bitext::default(), Random::new(5, 0));
        for pair in 0..300 {
            let words: Vec<usize> = (0..1 + pair % 9).map(|_| random.below(12)).collect();
            let forms = |letter: char| words.iter().map(|w| format!("{letter}{w}")).collect();
            let (source, mut target): (Vec<String>, Vec<String>) = (forms('S'), forms('t'));
            target.reverse();
            bitext.source.push(source.iter().map(String::as_str));
            bitext.target.push(target.iter().skip(pair % 2).map(String::as_str));
        }
        bitext
    }

    #[test]
    fn aligners_are_those_of_whole_trainings() {
        let (bitext, monitor) = (bitext(), Monitor::default());
        for (_, model) in ModelKind::ALL {
            let training = Training {
                model,
                ibm1_iterations: 3,
                hmm_iterations: 2,
                fertility_iterations: 3,
                sweeps: 2,
                null: 0.1,
                lexical_prior: 1e-4,
                fertility_prior: 1.0,
                punctuation_apart: true,
                jump_words: 3,
                jump_prior: 50.0,
                seed: 1,
            };
            let sampler = AlignerSampler::train(&bitext, true, 8, &training, &monitor).unwrap();
            for seed in [1, 2, 3] {
                let alone = Training { seed, ..training };
                let whole = Aligner::train(&bitext, true, 8, &alone, &monitor).unwrap();
                let sampled = sampler.aligner(seed, &monitor).unwrap();
                assert_eq!(saved(&sampled), saved(&whole), "{model:?} {seed}");
                let links = sampled.align(&bitext, 9, &monitor).unwrap();
                assert_eq!(links, whole.align(&bitext, 9, &monitor).unwrap(), "{model:?} {seed}");
            }
        }
    }

    fn saved(aligner: &Aligner) -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("aligner");
        aligner.save(&path).unwrap();
        std::fs::read(&path).unwrap()
    }
}
