//! Whether a rule makes sense: what a table could not keep is refused before it is written.

use super::record::LONGEST;
use crate::table::{Header, Rule, Symbol};
use crate::{Vocabulary, WordId};

/// How many slots a side has.
pub fn slots(side: &[Symbol]) -> usize {
    side.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_))).count()
}

pub fn words(side: &[Symbol]) -> impl Iterator<Item = WordId> {
    side.iter().filter_map(|symbol| match symbol {
        Symbol::Word(word) => Some(*word),
        Symbol::Slot(_) => None,
    })
}

/// What is wrong with a rule, if anything is.
pub fn wrong(rule: &Rule, header: &Header) -> Option<&'static str> {
    let known =
        |side: &[Symbol], all: &Vocabulary| words(side).all(|word| word.index() < all.len());
    let is_word =
        |side: &[Symbol], place: u8| matches!(side.get(usize::from(place)), Some(Symbol::Word(_)));
    let numbers: Vec<u8> = rule
        .source
        .iter()
        .filter_map(|symbol| match symbol {
            Symbol::Slot(number) => Some(*number),
            Symbol::Word(_) => None,
        })
        .collect();
    let once = |&slot: &u8| {
        rule.target.iter().filter(|&&symbol| symbol == Symbol::Slot(slot)).count() == 1
    };
    let checks = [
        (!rule.source.is_empty(), "its source side is empty"),
        (rule.source.len().max(rule.target.len()) <= LONGEST, "a side has more than 255 symbols"),
        (rule.features.len() == header.features.len(), "a feature is missing or too many"),
        (known(&rule.source, &header.source), "a source word is not in the vocabulary"),
        (known(&rule.target, &header.target), "a target word is not in the vocabulary"),
        (
            numbers.iter().zip(0_u8..).all(|(&slot, place)| slot == place),
            "its slots are not numbered from the left",
        ),
        (
            numbers.iter().all(once) && slots(&rule.target) == numbers.len(),
            "the slots of its sides differ",
        ),
        (rule.links.len() <= usize::from(u16::MAX), "it has more than 65,535 links"),
        (
            rule.links
                .iter()
                .all(|&(from, to)| is_word(&rule.source, from) && is_word(&rule.target, to)),
            "a link does not join two words",
        ),
        (
            well_structured(rule, header, numbers.len()),
            "its structure does not fit its target side",
        ),
    ];
    checks.into_iter().find(|(right, _)| !right).map(|(_, what)| what)
}

fn well_structured(rule: &Rule, header: &Header, slots: usize) -> bool {
    let Some(structure) = &rule.structure else { return true };
    structure.heads.len() == rule.target.len()
        && structure.slot_labels.len() == slots
        && structure.heads.iter().all(|&head| usize::from(head) <= rule.target.len())
        && structure
            .slot_labels
            .iter()
            .chain([&structure.label])
            .all(|label| label.index() < header.labels.len())
}
