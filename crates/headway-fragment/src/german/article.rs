//! Articles and the words declined like them.

use super::Slot;
use crate::features::{Gender, Number};

/// Row of a table of endings: masculine, feminine, neuter, plural.
fn row(slot: Slot) -> usize {
    match (slot.number, slot.gender) {
        (Number::Plural, _) => 3,
        (_, Gender::Masculine) => 0,
        (_, Gender::Feminine) => 1,
        (_, Gender::Neuter) => 2,
    }
}

pub(super) type Endings = [[&'static str; 4]; 4];

pub(super) fn ending(table: &Endings, slot: Slot) -> &'static str {
    table[row(slot)][slot.case as usize]
}

const DEFINITE: Endings = [
    ["der", "den", "dem", "des"],
    ["die", "die", "der", "der"],
    ["das", "das", "dem", "des"],
    ["die", "die", "den", "der"],
];
const RELATIVE: Endings = [
    ["der", "den", "dem", "dessen"],
    ["die", "die", "der", "deren"],
    ["das", "das", "dem", "dessen"],
    ["die", "die", "denen", "deren"],
];
const DER_WORD: Endings = [
    ["er", "en", "em", "es"],
    ["e", "e", "er", "er"],
    ["es", "es", "em", "es"],
    ["e", "e", "en", "er"],
];
const EIN_WORD: Endings =
    [["", "en", "em", "es"], ["e", "e", "er", "er"], ["", "", "em", "es"], ["e", "e", "en", "er"]];

pub fn definite(slot: Slot) -> &'static str {
    ending(&DEFINITE, slot)
}

pub fn relative(slot: Slot) -> &'static str {
    ending(&RELATIVE, slot)
}

/// *dies-*, *jed-*, *welch-*, *all-*, *viel-*, *einig-*.
pub fn der_word(stem: &str, slot: Slot) -> String {
    format!("{stem}{}", ending(&DER_WORD, slot))
}

/// *ein*, *kein*, *mein*, *unser*, *euer* …
pub fn ein_word(stem: &str, slot: Slot) -> String {
    match (stem, ending(&EIN_WORD, slot)) {
        ("euer", ending) if !ending.is_empty() => format!("eur{ending}"),
        (_, ending) => format!("{stem}{ending}"),
    }
}

/// Preposition and article in one word, where German writes them so.
pub fn contraction(preposition: &str, slot: Slot) -> Option<&'static str> {
    if slot.number == Number::Plural {
        return None;
    }
    match (preposition, definite(slot)) {
        ("in", "dem") => Some("im"),
        ("an", "dem") => Some("am"),
        ("von", "dem") => Some("vom"),
        ("zu", "dem") => Some("zum"),
        ("bei", "dem") => Some("beim"),
        ("zu", "der") => Some("zur"),
        ("in", "das") => Some("ins"),
        ("an", "das") => Some("ans"),
        _ => None,
    }
}

/// What a reader of a table finds in a cell; used by tests of whole paradigms.
#[cfg(test)]
pub(super) fn slots(gender: Gender, number: Number) -> [Slot; 4] {
    use crate::features::Case;
    Case::ALL.map(|case| Slot { gender, number, case })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Case;
    use Gender::{Feminine, Masculine, Neuter};
    use Number::{Plural, Singular};

    #[test]
    fn articles_follow_gender_number_and_case() {
        let forms = |gender, number| slots(gender, number).map(definite).join(" ");
        assert_eq!(forms(Masculine, Singular), "der den dem des");
        assert_eq!(forms(Feminine, Singular), "die die der der");
        assert_eq!(forms(Neuter, Singular), "das das dem des");
        assert_eq!(forms(Feminine, Plural), "die die den der");
    }

    #[test]
    fn ein_words_lack_an_ending_in_three_cells() {
        let forms =
            |stem, gender| slots(gender, Singular).map(|slot| ein_word(stem, slot)).join(" ");
        assert_eq!(forms("kein", Masculine), "kein keinen keinem keines");
        assert_eq!(forms("unser", Neuter), "unser unser unserem unseres");
        assert_eq!(forms("euer", Feminine), "eure eure eurer eurer");
    }

    #[test]
    fn relative_pronouns_differ_from_articles_in_the_long_forms() {
        let forms = |gender, number| slots(gender, number).map(relative).join(" ");
        assert_eq!(forms(Masculine, Singular), "der den dem dessen");
        assert_eq!(forms(Feminine, Singular), "die die der deren");
        assert_eq!(forms(Neuter, Plural), "die die denen deren");
    }

    #[test]
    fn contractions_are_singular() {
        let slot = Slot { gender: Masculine, number: Singular, case: Case::Dative };
        assert_eq!(contraction("in", slot), Some("im"));
        assert_eq!(contraction("auf", slot), None);
        assert_eq!(contraction("in", Slot { number: Plural, ..slot }), None);
    }
}
