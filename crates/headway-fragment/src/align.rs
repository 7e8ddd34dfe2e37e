//! Gold word alignment: words of the two languages that say the same piece of meaning.

use super::meaning::{Link, Part};
use super::words::Token;

/// What a word goes with where the other language has no word of its kind: an auxiliary with
/// the verb, *zu* with the infinitive, *Jahr* with the year. Other words stay unaligned.
fn fallback(part: Part) -> Option<Part> {
    match part {
        Part::Passive => Some(Part::Auxiliary),
        Part::Auxiliary | Part::To => Some(Part::Head),
        Part::Unit => Some(Part::Numeral),
        _ => None,
    }
}

/// Pairs of places in the German and the English sentence, counted from 0, in order.
pub fn align(german: &[Token], english: &[Token]) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(german.len() * 2);
    pairs.extend(directed(german, english));
    pairs.extend(directed(english, german).map(|(target, source)| (source, target)));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn directed<'a>(from: &'a [Token], to: &'a [Token]) -> impl Iterator<Item = (u32, u32)> + 'a {
    from.iter().enumerate().flat_map(move |(place, token)| {
        let links = token.links.iter().flat_map(|&link| counterparts(link, to));
        links.map(move |other| (place as u32, other))
    })
}

fn counterparts((id, part): Link, tokens: &[Token]) -> Vec<u32> {
    let mut part = Some(part);
    while let Some(wanted) = part {
        let found: Vec<u32> = (0..tokens.len())
            .filter(|&place| tokens[place].links.contains(&(id, wanted)))
            .map(|place| place as u32)
            .collect();
        if !found.is_empty() {
            return found;
        }
        part = fallback(wanted);
    }
    Vec::new()
}
