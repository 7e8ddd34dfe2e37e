//! Personal and possessive pronouns.

use crate::features::{Gender, Number, Person, Referent};

fn row(referent: &Referent) -> [&'static str; 3] {
    match (referent.english_person(), referent.number, referent.sex) {
        (Person::First, Number::Singular, _) => ["I", "me", "my"],
        (Person::First, Number::Plural, _) => ["we", "us", "our"],
        (Person::Second, ..) => ["you", "you", "your"],
        (_, Number::Plural, _) => ["they", "them", "their"],
        (_, _, Gender::Masculine) => ["he", "him", "his"],
        (_, _, Gender::Feminine) => ["she", "her", "her"],
        (_, _, Gender::Neuter) => ["it", "it", "its"],
    }
}

pub fn subject(referent: &Referent) -> &'static str {
    row(referent)[0]
}

pub fn object(referent: &Referent) -> &'static str {
    row(referent)[1]
}

pub fn possessive(owner: &Referent) -> &'static str {
    row(owner)[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_follow_the_natural_gender() {
        let table = Referent::new(Person::Third, Number::Singular, Gender::Masculine);
        let table = Referent { sex: Gender::Neuter, ..table };
        assert_eq!([subject(&table), object(&table), possessive(&table)], ["it", "it", "its"]);
        let you = Referent {
            formal: true,
            ..Referent::new(Person::Third, Number::Plural, Gender::Masculine)
        };
        assert_eq!(subject(&you), "you");
    }
}
