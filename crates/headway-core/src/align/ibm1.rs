//! IBM model 1 (Brown et al. 1993): every word of the given sentence, NULL among them, is as
//! likely as any other to generate a word.

use super::lexicon::Counts;

/// Adds the expected counts of one sentence pair and answers its log-likelihood.
///
/// `entries` and `probabilities` hold `width` values (NULL and the given words) for each
/// generated word.
pub fn expect(entries: &[u32], probabilities: &[f32], width: usize, counts: &Counts) -> f64 {
    let mut likelihood = 0.0;
    for (entries, row) in entries.chunks_exact(width).zip(probabilities.chunks_exact(width)) {
        let total: f32 = row.iter().sum();
        let scale = 1.0 / total;
        for (&entry, &probability) in entries.iter().zip(row) {
            counts.add(entry, probability * scale);
        }
        likelihood += f64::from(total / width as f32).ln();
    }
    likelihood
}

/// For each generated word the probability of each generator.
pub fn posteriors(probabilities: &[f32], width: usize, posteriors: &mut Vec<f32>) {
    posteriors.clear();
    for row in probabilities.chunks_exact(width) {
        let total: f32 = row.iter().sum();
        posteriors.extend(row.iter().map(|&probability| probability / total));
    }
}
