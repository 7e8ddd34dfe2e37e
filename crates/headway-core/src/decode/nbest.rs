//! The best translations of a forest, as translations.

use super::settings::UnknownWords;
use super::translation::{Request, Segment, Translation};
use crate::Result;
use crate::consensus::safest_derivation;
use crate::forest::{Derivation, Flags, Forest, Span};

/// Derivations looked at for each different translation that is wanted.
pub const EFFORT: usize = 20;

/// The best derivations that a request asks for, or the best ones of as many different
/// translations, for each of which `effort` are looked at, as long as `go_on` says so of the number
/// found. Where it asks for the safest one and that says what none of them says, it takes the place
/// of the last.
pub fn derivations(
    forest: &Forest,
    request: Request,
    effort: usize,
    go_on: impl Fn(usize) -> bool,
) -> Result<Vec<Derivation>> {
    let (most, effort) = (request.n_best, request.distinct.then_some(effort));
    let weighted = forest.weighted()?;
    let mut found = weighted.k_best_while(most, effort, &go_on)?;
    let Some((gain, scale)) = request.safest.filter(|_| most > 0 && go_on(found.len())) else {
        return Ok(found);
    };
    if let Some(edges) = safest_derivation(forest, scale, gain)? {
        let words = forest.target(&edges)?;
        for one in &found {
            if forest.target(&one.edges)? == words {
                return Ok(found);
            }
        }
        found.truncate(most.saturating_sub(1).max(1));
        let score = edges.iter().map(|edge| weighted.scores()[edge.index()]).sum();
        let place = found.partition_point(|one| one.score >= score);
        found.insert(place, Derivation { score, edges });
    }
    Ok(found)
}

/// The same as translations.
pub fn n_best(
    forest: &Forest,
    request: Request,
    go_on: impl Fn(usize) -> bool,
) -> Result<Vec<Translation>> {
    let found = derivations(forest, request, EFFORT, go_on)?;
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
        let target = hull(&segment.target).unwrap_or((place, place));
        place = target.1;
        if let Some(source) = hull(&segment.source) {
            let unknown = treatment(flags);
            translation.segments.push(Segment { source, target, unknown, rule: None });
        }
        translation.hurried = translation.hurried || flags.contains(Flags::FALLBACK);
    }
    Ok(translation)
}

/// From the first of some spans, which are in order, to the last.
fn hull(spans: &[Span]) -> Option<(u32, u32)> {
    Some((spans.first()?.start, spans.last()?.end))
}

/// What became of an unknown word, as flags have it.
pub fn treatment(flags: Flags) -> Option<UnknownWords> {
    let treatments = [
        (Flags::COPIED, UnknownWords::Copy),
        (Flags::DROPPED, UnknownWords::Drop),
        (Flags::MARKED, UnknownWords::Mark),
    ];
    treatments.iter().find(|(flag, _)| flags.contains(*flag)).map(|&(_, treatment)| treatment)
}
