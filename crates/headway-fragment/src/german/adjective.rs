//! Adjective declension: strong, weak and mixed.

use super::Slot;
use super::article::{Endings, ending};

/// What stands before the adjective decides how much it has to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declension {
    /// Nothing that shows case: *guter Wein*, *zwei gute Freunde*.
    Strong,
    /// A der-word: *der gute Mann*.
    Weak,
    /// An ein-word: *ein guter Mann*.
    Mixed,
}

const STRONG: Endings = [
    ["er", "en", "em", "en"],
    ["e", "e", "er", "er"],
    ["es", "es", "em", "en"],
    ["e", "e", "en", "er"],
];
const WEAK: Endings = [
    ["e", "en", "en", "en"],
    ["e", "e", "en", "en"],
    ["e", "e", "en", "en"],
    ["en", "en", "en", "en"],
];
const MIXED: Endings = [
    ["er", "en", "en", "en"],
    ["e", "e", "en", "en"],
    ["es", "es", "en", "en"],
    ["en", "en", "en", "en"],
];

/// The attributive form of an adjective, positive or comparative.
pub fn attributive(adjective: &str, declension: Declension, slot: Slot) -> String {
    let table = match declension {
        Declension::Strong => &STRONG,
        Declension::Weak => &WEAK,
        Declension::Mixed => &MIXED,
    };
    format!("{}{}", stem(adjective), ending(table, slot))
}

/// Endings find *hoch*, *dunkel*, *teuer* and *müde* changed.
fn stem(adjective: &str) -> String {
    if adjective == "hoch" {
        return "hoh".into();
    }
    for (full, short) in [("el", "l"), ("euer", "eur")] {
        if let Some(start) = adjective.strip_suffix(full) {
            return format!("{start}{short}");
        }
    }
    adjective.strip_suffix('e').unwrap_or(adjective).into()
}

/// The regular comparative: *schöner*, *dunkler*, *teurer*.
pub fn comparative(adjective: &str) -> String {
    format!("{}er", stem(adjective))
}

#[cfg(test)]
mod tests {
    use super::super::article::slots;
    use super::*;
    use crate::features::Gender::{self, Feminine, Masculine, Neuter};
    use crate::features::Number::{self, Plural, Singular};

    fn paradigm(declension: Declension, gender: Gender, number: Number) -> String {
        slots(gender, number).map(|slot| attributive("gut", declension, slot)).join(" ")
    }

    #[test]
    fn endings_follow_the_three_declensions() {
        let rows = [
            (Declension::Strong, Masculine, Singular, "guter guten gutem guten"),
            (Declension::Strong, Feminine, Singular, "gute gute guter guter"),
            (Declension::Strong, Neuter, Singular, "gutes gutes gutem guten"),
            (Declension::Strong, Masculine, Plural, "gute gute guten guter"),
            (Declension::Strong, Feminine, Plural, "gute gute guten guter"),
            (Declension::Strong, Neuter, Plural, "gute gute guten guter"),
            (Declension::Weak, Masculine, Singular, "gute guten guten guten"),
            (Declension::Weak, Feminine, Singular, "gute gute guten guten"),
            (Declension::Weak, Neuter, Singular, "gute gute guten guten"),
            (Declension::Weak, Masculine, Plural, "guten guten guten guten"),
            (Declension::Weak, Feminine, Plural, "guten guten guten guten"),
            (Declension::Weak, Neuter, Plural, "guten guten guten guten"),
            (Declension::Mixed, Masculine, Singular, "guter guten guten guten"),
            (Declension::Mixed, Feminine, Singular, "gute gute guten guten"),
            (Declension::Mixed, Neuter, Singular, "gutes gutes guten guten"),
            (Declension::Mixed, Masculine, Plural, "guten guten guten guten"),
            (Declension::Mixed, Feminine, Plural, "guten guten guten guten"),
            (Declension::Mixed, Neuter, Plural, "guten guten guten guten"),
        ];
        for (declension, gender, number, forms) in rows {
            assert_eq!(paradigm(declension, gender, number), forms, "{declension:?} {gender:?}");
        }
    }

    #[test]
    fn stems_change_before_endings() {
        let slot = slots(Masculine, Singular)[1];
        for (adjective, form) in [
            ("hoch", "hohen"),
            ("dunkel", "dunklen"),
            ("teuer", "teuren"),
            ("müde", "müden"),
            ("sauber", "sauberen"),
        ] {
            assert_eq!(attributive(adjective, Declension::Weak, slot), form);
        }
        assert_eq!(comparative("teuer"), "teurer");
        assert_eq!(comparative("müde"), "müder");
        assert_eq!(comparative("klein"), "kleiner");
    }
}
