//! Personal, reflexive and possessive pronouns.

use crate::features::{Case, Gender, Number, Person, Referent};

/// *ich mich mir*, … ; the formal *Sie* keeps its capital.
pub fn personal(referent: &Referent, case: Case) -> &'static str {
    let forms = match (referent.formal, referent.person, referent.number, referent.gender) {
        (true, ..) => ["Sie", "Sie", "Ihnen"],
        (_, Person::First, Number::Singular, _) => ["ich", "mich", "mir"],
        (_, Person::First, Number::Plural, _) => ["wir", "uns", "uns"],
        (_, Person::Second, Number::Singular, _) => ["du", "dich", "dir"],
        (_, Person::Second, Number::Plural, _) => ["ihr", "euch", "euch"],
        (_, _, Number::Plural, _) => ["sie", "sie", "ihnen"],
        (_, _, _, Gender::Masculine) => ["er", "ihn", "ihm"],
        (_, _, _, Gender::Feminine) => ["sie", "sie", "ihr"],
        (_, _, _, Gender::Neuter) => ["es", "es", "ihm"],
    };
    match case {
        Case::Nominative => forms[0],
        Case::Accusative => forms[1],
        Case::Dative | Case::Genitive => forms[2],
    }
}

/// The accusative reflexive.
pub fn reflexive(referent: &Referent) -> &'static str {
    match (referent.formal, referent.person) {
        (false, Person::First | Person::Second) => personal(referent, Case::Accusative),
        _ => "sich",
    }
}

/// The stem that endings of *ein* are added to.
pub fn possessive(owner: &Referent) -> &'static str {
    match (owner.formal, owner.person, owner.number, owner.gender) {
        (true, ..) => "Ihr",
        (_, Person::First, Number::Singular, _) => "mein",
        (_, Person::First, Number::Plural, _) => "unser",
        (_, Person::Second, Number::Singular, _) => "dein",
        (_, Person::Second, Number::Plural, _) => "euer",
        (_, _, Number::Plural, _) | (_, _, _, Gender::Feminine) => "ihr",
        _ => "sein",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_agree_with_what_they_stand_for() {
        let third = |number, gender| Referent::new(Person::Third, number, gender);
        let she = third(Number::Singular, Gender::Feminine);
        let they = third(Number::Plural, Gender::Feminine);
        let it = third(Number::Singular, Gender::Neuter);
        assert_eq!(
            Case::ALL[..3].iter().map(|&case| personal(&she, case)).collect::<Vec<_>>().join(" "),
            "sie sie ihr"
        );
        assert_eq!(personal(&they, Case::Dative), "ihnen");
        assert_eq!(personal(&it, Case::Dative), "ihm");
        assert_eq!((possessive(&she), possessive(&it), possessive(&they)), ("ihr", "sein", "ihr"));
    }

    #[test]
    fn formal_address_is_capital_and_reflexive_with_sich() {
        let you = Referent {
            formal: true,
            ..Referent::new(Person::Third, Number::Plural, Gender::Masculine)
        };
        assert_eq!(personal(&you, Case::Dative), "Ihnen");
        assert_eq!(possessive(&you), "Ihr");
        assert_eq!(reflexive(&you), "sich");
    }
}
