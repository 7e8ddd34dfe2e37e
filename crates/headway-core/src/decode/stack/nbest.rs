//! The best translations of a forest, as translations.

use super::derive::{Segment, Translation};
use crate::Result;
use crate::decode::UnknownWords;
use crate::forest::{Derivation, Flags, Forest};

/// Derivations looked at for each different translation that is wanted.
const EFFORT: usize = 20;

/// The `most` best derivations, or the best ones of as many different translations.
pub fn n_best(forest: &Forest, most: usize, distinct: bool) -> Result<Vec<Translation>> {
    let weighted = forest.weighted()?;
    let found =
        if distinct { weighted.distinct_k_best(most, EFFORT)? } else { weighted.k_best(most)? };
    found.iter().map(|derivation| translation(forest, derivation)).collect()
}

fn translation(forest: &Forest, derivation: &Derivation) -> Result<Translation> {
    let edges = &derivation.edges;
    let words = forest.target(edges)?.into_iter().map(|word| forest.word(word).to_string());
    let mut features = vec![0.0; forest.features().len()];
    for (place, value) in forest.feature_totals(edges) {
        features[place as usize] = value;
    }
    let mut translation = Translation {
        words: words.collect(),
        score: derivation.score,
        features,
        links: forest.alignment(edges)?,
        ..Translation::default()
    };
    let mut place = 0;
    for segment in forest.segments(edges)? {
        let flags = forest.edge(segment.edge).flags();
        let target = segment.target.first().map_or((place, place), |span| (span.start, span.end));
        place = target.1;
        if let Some(source) = segment.source.first() {
            let (source, unknown) = ((source.start, source.end), treatment(flags));
            translation.segments.push(Segment { source, target, unknown });
        }
        translation.hurried = translation.hurried || flags.contains(Flags::FALLBACK);
    }
    Ok(translation)
}

fn treatment(flags: Flags) -> Option<UnknownWords> {
    let treatments = [
        (Flags::COPIED, UnknownWords::Copy),
        (Flags::DROPPED, UnknownWords::Drop),
        (Flags::MARKED, UnknownWords::Mark),
    ];
    treatments.iter().find(|(flag, _)| flags.contains(*flag)).map(|&(_, treatment)| treatment)
}
