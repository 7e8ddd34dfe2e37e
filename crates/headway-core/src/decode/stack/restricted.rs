//! What constraints leave of the options of a piece, and what they add.

use crate::decode::cache::{Options, Prepared};
use crate::decode::constraint::{Forced, Restrictions, Shape};
use crate::decode::{Model, Phrase, Search};
use crate::table::Symbol;

/// Spans with their options, in order.
type Spans = Vec<(u32, u32, Options)>;

/// The options of all spans under constraints.
pub fn restricted(
    spans: Spans,
    restrictions: &Restrictions,
    model: &Model,
    search: &Search,
) -> Spans {
    let mut found: Spans = Vec::with_capacity(spans.len());
    for (start, end, options) in spans {
        if restrictions.bars(start, end) {
            continue;
        }
        let options = match restrictions.concerns(start, end) {
            true => allowed(&options, (start, end), restrictions, search),
            false => options,
        };
        if !options.phrases.is_empty() {
            found.push((start, end, options));
        }
    }
    for forced in restrictions.forced() {
        add(&mut found, forced, model, search);
    }
    found
}

/// The options that constraints leave.
fn allowed(
    options: &Options,
    span: (u32, u32),
    restrictions: &Restrictions,
    search: &Search,
) -> Options {
    let is_allowed = |phrase: &&Phrase| restrictions.allow(&shape(phrase, span));
    let phrases = options.phrases.iter().filter(is_allowed).cloned().collect();
    Prepared::all(phrases, search)
}

fn shape(phrase: &Phrase, (start, end): (u32, u32)) -> Shape {
    let source = (start..end).map(|word| (Symbol::Word(crate::WordId(0)), word..word + 1));
    let target = phrase.target.iter().map(|&word| Symbol::Word(word));
    Shape::new(source, target, phrase.links.iter().copied())
}

/// Adds what a constraint puts in place of some words.
fn add(spans: &mut Spans, forced: &Forced, model: &Model, search: &Search) {
    let (start, end) = (forced.span.start, forced.span.end);
    let phrase = Phrase::of_forced(model, search, forced);
    match spans.binary_search_by_key(&(start, end), |span| (span.0, span.1)) {
        Ok(place) => {
            let phrases = spans[place].2.phrases.iter().cloned().chain([phrase]).collect();
            spans[place].2 = Prepared::all(phrases, search);
        }
        Err(place) => spans.insert(place, (start, end, Prepared::all(vec![phrase], search))),
    }
}
