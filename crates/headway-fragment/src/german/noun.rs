//! Noun declension.

use crate::features::{Case, Number};
use crate::lexicon::Noun;

pub fn form(noun: &Noun, number: Number, case: Case) -> String {
    match (number, case) {
        (Number::Plural, Case::Dative) => dative_plural(plural(noun)),
        (Number::Plural, _) => plural(noun).into(),
        (_, Case::Genitive) => noun.genitive.into(),
        (_, Case::Accusative | Case::Dative) if noun.weak => plural(noun).into(),
        _ => noun.lemma.into(),
    }
}

fn plural(noun: &Noun) -> &'static str {
    noun.plural.unwrap_or(noun.lemma)
}

/// *den Männern*, but *den Frauen* and *den Autos*.
fn dative_plural(plural: &str) -> String {
    let bare = plural.ends_with('n') || plural.ends_with('s');
    format!("{plural}{}", if bare { "" } else { "n" })
}

/// The genitive of a name: *Annas*.
pub fn name_genitive(name: &str) -> String {
    if name.ends_with(['s', 'z', 'x', 'ß']) { format!("{name}’") } else { format!("{name}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::lexicon;

    fn paradigm(lemma: &str) -> String {
        let noun = lexicon().noun(lemma).unwrap();
        let forms = Number::ALL.map(|number| Case::ALL.map(|case| form(noun, number, case)));
        forms.concat().join(" ")
    }

    #[test]
    fn nouns_decline() {
        for forms in [
            "Mann Mann Mann Mannes Männer Männer Männern Männer",
            "Frau Frau Frau Frau Frauen Frauen Frauen Frauen",
            "Kind Kind Kind Kindes Kinder Kinder Kindern Kinder",
            "Auto Auto Auto Autos Autos Autos Autos Autos",
            "Apfel Apfel Apfel Apfels Äpfel Äpfel Äpfeln Äpfel",
            "Museum Museum Museum Museums Museen Museen Museen Museen",
            "Freundin Freundin Freundin Freundin Freundinnen Freundinnen Freundinnen Freundinnen",
        ] {
            assert_eq!(paradigm(forms.split(' ').next().unwrap()), forms);
        }
    }

    #[test]
    fn weak_nouns_show_every_case_but_the_nominative() {
        let forms = "Student Studenten Studenten Studenten Studenten Studenten Studenten Studenten";
        assert_eq!(paradigm("Student"), forms);
        assert!(paradigm("Junge").starts_with("Junge Jungen Jungen Jungen "));
        assert!(paradigm("Nachbar").starts_with("Nachbar Nachbarn Nachbarn Nachbarn "));
    }
}
