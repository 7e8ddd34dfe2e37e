//! Being: adjectives, comparisons, ages and professions.

use super::noun_phrase::Want;
use super::{Entity, Planner};
use crate::features::Number;
use crate::lexicon::Adjective;
use crate::meaning::{
    AdjectiveUse, Determiner, Id, Joint, Nominal, NounPhrase, Numeral, Predicate,
};

/// What is the one although it is the other.
const CONTRASTS: [(&str, &str); 10] = [
    ("klein", "gemütlich"),
    ("alt", "schön"),
    ("teuer", "schön"),
    ("kurz", "interessant"),
    ("schwierig", "wichtig"),
    ("jung", "klug"),
    ("müde", "glücklich"),
    ("arm", "glücklich"),
    ("langsam", "billig"),
    ("lang", "spannend"),
];

impl Planner<'_> {
    /// Something to say of a subject with *sein*.
    pub(super) fn copula(&mut self, subject: &Entity) -> Option<Predicate> {
        let kinds = [(5.0, 0), (1.5, 1), (1.5, 2), (0.8, 3), (1.2, 4), (0.8, 5)];
        match self.rng.weighted(&kinds)? {
            1 => self.comparison(subject),
            2 => self.two_adjectives(subject),
            3 => self.contrast(subject),
            4 => self.profession(subject),
            5 => self.age(subject),
            _ => {
                let adjective = self.predicative(subject)?;
                Some(Predicate::Adjectives(vec![self.said(adjective)], Joint::And))
            }
        }
    }

    fn predicative(&mut self, subject: &Entity) -> Option<&'static Adjective> {
        let said = said_already(&subject.nominal);
        let fitting: Vec<_> = self
            .lexicon
            .adjectives
            .iter()
            .filter(|one| {
                one.predicative && one.classes.meets(subject.classes) && !said.contains(&one.order)
            })
            .collect();
        self.rng.pick(&fitting)
    }

    fn said(&mut self, adjective: &'static Adjective) -> AdjectiveUse {
        AdjectiveUse { id: Id::fresh(), adjective, degree: self.degree(adjective.gradable, true) }
    }

    fn two_adjectives(&mut self, subject: &Entity) -> Option<Predicate> {
        let (first, second) = (self.predicative(subject)?, self.predicative(subject)?);
        if first.order == second.order || first.passing != second.passing {
            return None;
        }
        let uses = [first, second].map(|adjective| AdjectiveUse {
            id: Id::fresh(),
            adjective,
            degree: None,
        });
        Some(Predicate::Adjectives(uses.to_vec(), Joint::And))
    }

    fn contrast(&mut self, subject: &Entity) -> Option<Predicate> {
        let (first, second) = self.rng.pick(&CONTRASTS)?;
        let (first, second) = (self.lexicon.adjective(first)?, self.lexicon.adjective(second)?);
        let said = said_already(&subject.nominal);
        let fits =
            |one: &Adjective| one.classes.meets(subject.classes) && !said.contains(&one.order);
        if !fits(first) || !fits(second) {
            return None;
        }
        let uses = [first, second].map(|adjective| AdjectiveUse {
            id: Id::fresh(),
            adjective,
            degree: None,
        });
        Some(Predicate::Adjectives(uses.to_vec(), Joint::But))
    }

    /// *größer als der Hund*: of two things of a kind.
    fn comparison(&mut self, subject: &Entity) -> Option<Predicate> {
        let adjective = self
            .predicative(subject)
            .filter(|one| one.gradable && one.german != "kaputt" && one.german != "leer")?;
        let than = self.entity(Want {
            classes: adjective.classes,
            owner: Some(subject.nominal.referent()),
            pronoun: 0.0,
            light: true,
        })?;
        let said = said_already(&than.nominal).contains(&adjective.order);
        let alike = than.classes.meets(subject.classes) && !said;
        let adjective = AdjectiveUse { id: Id::fresh(), adjective, degree: None };
        alike.then_some(Predicate::Comparative(adjective, than.nominal))
    }

    /// *Sie ist Ärztin*.
    fn profession(&mut self, subject: &Entity) -> Option<Predicate> {
        let referent = subject.nominal.referent();
        let described = matches!(subject.nominal, Nominal::Noun(_));
        let person = subject.classes.meets(self.lexicon.class("adult"));
        if !person || described || !referent.is_third() {
            return None;
        }
        let noun = self.noun(self.lexicon.class("job"))?;
        let single = referent.number == Number::Singular;
        if single && noun.gender != referent.gender {
            return None;
        }
        Some(Predicate::Noun(Box::new(NounPhrase::new(noun, referent.number, Determiner::Bare))))
    }

    /// *Er ist 25 Jahre alt*.
    fn age(&mut self, subject: &Entity) -> Option<Predicate> {
        let adjective = self.lexicon.adjective("alt")?;
        let young = subject.classes.meets(self.lexicon.class("young"));
        let fits = young || subject.classes.meets(self.lexicon.classes("adult building"));
        let years = if young {
            Numeral::Words(self.rng.between(4, 12))
        } else {
            Numeral::Digits(self.rng.between(20, 80))
        };
        (fits && said_already(&subject.nominal).is_empty()).then_some(Predicate::Age(
            Id::fresh(),
            years,
            adjective,
        ))
    }
}

/// Kinds of adjectives before the noun: *der alte Mann ist jung* is not said.
fn said_already(nominal: &Nominal) -> Vec<u8> {
    match nominal {
        Nominal::Noun(phrase) => phrase.adjectives.iter().map(|one| one.adjective.order).collect(),
        _ => Vec::new(),
    }
}
