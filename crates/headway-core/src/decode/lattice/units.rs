//! What edges say: a phrase of the source and words for it. Arcs are scored between these, for
//! many edges share one.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::graph::Lattice;
use crate::decode::feature::SourceSpan;
use crate::forest::{Forest, Symbol};

/// A phrase as features of arcs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit<'a> {
    pub source: SourceSpan,
    pub words: Vec<&'a str>,
}

/// Finds what the edges of a lattice say, and numbers it.
pub fn units<'a>(lattice: &mut Lattice, forest: &'a Forest) -> Vec<Unit<'a>> {
    let mut known: HashMap<(SourceSpan, Vec<u32>), u32, FxBuildHasher> = HashMap::default();
    let mut units = Vec::new();
    for edge in &mut lattice.edges {
        let said = edge.parts.iter().map(|&part| forest.edge(part));
        let (mut words, mut source) = (Vec::new(), SourceSpan::default());
        for part in said {
            let own = part.symbols().filter_map(|symbol| match symbol {
                Symbol::Word(word) => Some(word),
                Symbol::Slot(_) => None,
            });
            let before = words.len();
            words.extend(own);
            // Words that were dropped before or behind it are no part of the phrase.
            if let Some(span) = part.spans().first().filter(|_| words.len() > before) {
                source = SourceSpan { start: span.start as i32, end: span.end as i32 };
            }
        }
        edge.unit = *known.entry((source, words)).or_insert_with_key(|(source, words)| {
            let words = words.iter().map(|&word| forest.word(word)).collect();
            units.push(Unit { source: *source, words });
            units.len() as u32 - 1
        });
    }
    units
}
