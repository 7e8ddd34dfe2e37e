//! The words, read once from the tables beside this file.

mod classes;
mod entries;
mod table;
mod verbs;

use std::sync::OnceLock;

pub use classes::Classes;
pub use entries::{Adjective, Adverb, AdverbKind, Name, NameKind, Noun};
pub use verbs::{Clausal, EnglishSlot, GermanSlot, Slot, Verb};

use classes::ClassNames;
use table::rows;

const NOUNS: &str = include_str!("nouns.tsv");
const PLACES: &str = include_str!("places.tsv");
const VERBS: &str = include_str!("verbs.tsv");
const ADJECTIVES: &str = include_str!("adjectives.tsv");
const ADVERBS: &str = include_str!("adverbs.tsv");
const NAMES: &str = include_str!("names.tsv");

#[derive(Debug)]
pub struct Lexicon {
    pub nouns: Vec<Noun>,
    pub verbs: Vec<Verb>,
    pub adjectives: Vec<Adjective>,
    pub adverbs: Vec<Adverb>,
    pub names: Vec<Name>,
    classes: ClassNames,
}

/// The one lexicon.
pub fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    // The tables are part of the program: a test reads them, no user can spoil them.
    LEXICON.get_or_init(|| Lexicon::read().expect("the built-in lexicon is well formed"))
}

impl Lexicon {
    fn read() -> Result<Self, String> {
        let mut classes = ClassNames::default();
        let nouns = entries::nouns(rows(NOUNS), rows(PLACES), &mut classes)?;
        let verbs = verbs::verbs(rows(VERBS), &classes)?;
        let adjectives = entries::adjectives(rows(ADJECTIVES), &classes)?;
        let adverbs = entries::adverbs(rows(ADVERBS))?;
        let names = entries::names(rows(NAMES))?;
        Ok(Lexicon { nouns, verbs, adjectives, adverbs, names, classes })
    }

    /// The class of this name; none if no noun has it.
    pub fn class(&self, name: &str) -> Classes {
        self.classes.find(name).unwrap_or_default()
    }

    /// The union of classes, separated by spaces.
    pub fn classes(&self, names: &str) -> Classes {
        names.split(' ').map(|name| self.class(name)).fold(Classes::default(), Classes::union)
    }

    #[cfg(test)]
    pub fn noun(&self, lemma: &str) -> Option<&Noun> {
        self.nouns.iter().find(|noun| noun.lemma == lemma)
    }

    /// The first verb of this lemma, particle included.
    pub fn verb(&self, lemma: &str) -> Option<&Verb> {
        self.verbs.iter().find(|verb| verb.german.lemma() == lemma)
    }

    pub fn adjective(&self, lemma: &str) -> Option<&Adjective> {
        self.adjectives.iter().find(|adjective| adjective.german == lemma)
    }

    #[cfg(test)]
    pub fn adverb(&self, lemma: &str) -> Option<&Adverb> {
        self.adverbs.iter().find(|adverb| adverb.german == lemma)
    }

    #[cfg(test)]
    pub fn name(&self, name: &str) -> Option<&Name> {
        self.names.iter().find(|entry| entry.german == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lexicon_is_as_large_as_promised() {
        let lexicon = Lexicon::read().unwrap();
        assert!(lexicon.nouns.len() >= 200, "{}", lexicon.nouns.len());
        assert!(lexicon.verbs.len() >= 150, "{}", lexicon.verbs.len());
        assert!(lexicon.adjectives.len() >= 70);
        assert!(lexicon.adverbs.len() >= 45);
        assert!(lexicon.names.len() >= 40);
    }

    #[test]
    fn no_entry_is_given_twice() {
        let lexicon = lexicon();
        let mut lemmas: Vec<&str> = lexicon.nouns.iter().map(|noun| noun.lemma).collect();
        lemmas.sort_unstable();
        let count = lemmas.len();
        lemmas.dedup();
        assert_eq!(lemmas.len(), count);
    }

    #[test]
    fn every_verb_and_adjective_finds_nouns() {
        let lexicon = lexicon();
        let filled =
            |classes: Classes| lexicon.nouns.iter().any(|noun| noun.classes.meets(classes));
        for verb in &lexicon.verbs {
            assert!(verb.expletive || filled(verb.subject), "{}", verb.german.lemma());
            for slot in verb.slots.iter().filter(|slot| slot.takes_nominal()) {
                assert!(filled(slot.classes), "{}", verb.german.lemma());
            }
        }
        for adjective in &lexicon.adjectives {
            assert!(filled(adjective.classes), "{}", adjective.german);
        }
    }

    #[test]
    fn every_place_has_its_prepositions() {
        let lexicon = lexicon();
        let place = lexicon.class("place");
        for noun in &lexicon.nouns {
            assert_eq!(noun.classes.meets(place), noun.place.is_some(), "{}", noun.lemma);
        }
    }
}
