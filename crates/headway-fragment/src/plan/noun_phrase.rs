//! Who and what: pronouns, names and noun phrases with all that goes with them.

use super::{Entity, Planner};
use crate::features::{Case, Gender, Number, Person, Referent};
use crate::lexicon::{Adverb, AdverbKind, Classes, NameKind, Noun};
use crate::meaning::{
    AdjectiveUse, Determiner, Id, Nominal, NounPhrase, Numeral, PrepositionPhrase,
};

/// What a place in a clause wants to know of its filler.
#[derive(Debug, Clone, Copy)]
pub struct Want {
    pub classes: Classes,
    /// Whose things are spoken of: the subject, for other places than the subject.
    pub owner: Option<Referent>,
    pub pronoun: f64,
    /// No relative clause, no attribute.
    pub light: bool,
}

impl Planner<'_> {
    /// A filler of these classes.
    pub(super) fn entity(&mut self, want: Want) -> Option<Entity> {
        let person = self.lexicon.class("person");
        let adult = person.union(self.lexicon.class("adult"));
        if want.classes.meets(adult) {
            if self.rng.chance(want.pronoun) {
                return self.person_pronoun(want.owner);
            }
            if self.rng.chance(0.18) {
                return self.person_name();
            }
        }
        if !want.light && want.classes.meets(person) && self.spend(3) && self.rng.chance(0.1) {
            return self.joined(want);
        }
        self.noun_entity(want)
    }

    /// Classes of anyone who is not described.
    pub(super) fn anyone(&self) -> Classes {
        self.lexicon.classes("person adult")
    }

    fn person_pronoun(&mut self, other: Option<Referent>) -> Option<Entity> {
        use Gender::{Feminine, Masculine};
        use Number::{Plural, Singular};
        use Person::{First, Second, Third};
        let formal = Referent { formal: true, ..Referent::new(Third, Plural, Masculine) };
        let choices = [
            (2.0, Referent::new(First, Singular, Masculine)),
            (1.0, Referent::new(Second, Singular, Masculine)),
            (3.0, Referent::new(Third, Singular, Masculine)),
            (3.0, Referent::new(Third, Singular, Feminine)),
            (1.5, Referent::new(First, Plural, Masculine)),
            (0.4, Referent::new(Second, Plural, Masculine)),
            (2.0, Referent::new(Third, Plural, Masculine)),
            (0.7, formal),
        ];
        // Nobody sees himself by accident: *ich* and *mich*, *wir* and *mich* do not meet.
        let clash = |referent: &Referent| match other {
            Some(other) if referent.is_third() => other.is_third() && other.number == Plural,
            Some(other) => !other.is_third(),
            None => self.asking && referent.person == First,
        };
        let free: Vec<_> = choices.into_iter().filter(|(_, referent)| !clash(referent)).collect();
        let referent = self.rng.weighted(&free)?;
        Some(Entity { nominal: Nominal::Pronoun(Id::fresh(), referent), classes: self.anyone() })
    }

    fn person_name(&mut self) -> Option<Entity> {
        let names: Vec<_> = self
            .lexicon
            .names
            .iter()
            .filter(|name| name.is_person() && !self.used.contains(&name.german))
            .collect();
        let name = self.rng.pick(&names)?;
        self.used.push(name.german);
        Some(Entity { nominal: Nominal::Name(Id::fresh(), name), classes: self.anyone() })
    }

    /// *der Mann und seine Schwester*.
    fn joined(&mut self, want: Want) -> Option<Entity> {
        let classes = self.lexicon.class("person");
        let want = Want { classes, light: true, pronoun: 0.0, ..want };
        let first = self.entity(want)?;
        let second = self.entity(Want { owner: Some(first.nominal.referent()), ..want })?;
        let mut members = vec![first.nominal, second.nominal];
        if self.spend(3) && self.rng.chance(0.2) {
            members.extend(self.entity(Want { owner: None, ..want }).map(|third| third.nominal));
        }
        Some(Entity { nominal: Nominal::Join(Id::fresh(), members), classes: first.classes })
    }

    pub(super) fn noun_entity(&mut self, want: Want) -> Option<Entity> {
        let noun = self.noun(want.classes)?;
        let number = match noun.plural {
            Some(_) if noun.classes.meets(self.lexicon.class("pair")) => Number::Plural,
            Some(_) if noun.classes.meets(self.lexicon.class("parent")) => Number::Singular,
            Some(_) if self.rng.chance(0.28) => Number::Plural,
            _ => Number::Singular,
        };
        let determiner = self.determiner(noun, number, want.owner);
        let mut phrase = NounPhrase::new(noun, number, determiner);
        self.adjectives(&mut phrase);
        if !want.light {
            self.modifiers(&mut phrase);
        }
        Some(Entity { classes: noun.classes, nominal: Nominal::Noun(Box::new(phrase)) })
    }

    fn determiner(
        &mut self,
        noun: &'static Noun,
        number: Number,
        owner: Option<Referent>,
    ) -> Determiner {
        let kin = noun.classes.meets(self.lexicon.class("kin"));
        let ownable = self.lexicon.classes("kin pet portable ride home clothing group");
        let mine = if kin {
            8.0
        } else if noun.classes.meets(ownable) {
            1.2
        } else {
            0.0
        };
        let plural = number == Number::Plural;
        let count = noun.plural.is_some();
        let single = if count && !plural { 1.0 } else { 0.0 };
        let many = if plural { 1.0 } else { 0.0 };
        // A particular father is the one, but a new brother may turn up.
        let parent = noun.classes.meets(self.lexicon.class("parent"));
        let new = if parent {
            0.0
        } else if kin {
            0.4
        } else {
            1.0
        };
        // The kitchen and the door are those of the house one is in.
        let unique = if noun.classes.meets(self.lexicon.classes("room part")) { 0.2 } else { 1.0 };
        let possessive = Determiner::Possessive(self.owner(owner));
        let named = self.named_owner();
        let numeral = Determiner::Numeral(self.count());
        let choices = [
            (4.0, Determiner::Definite),
            (2.6 * single * new * unique, Determiner::Indefinite),
            (if (plural && !kin) || !count { 1.6 } else { 0.0 }, Determiner::Indefinite),
            (mine, possessive),
            (if kin { 1.5 } else { mine * 0.4 }, named),
            (if kin { 0.0 } else { 0.6 }, Determiner::This),
            (1.8 * many * new, numeral),
            (0.6 * many * new, Determiner::Many),
            (0.6 * many * new, Determiner::Some),
            (0.5 * many, Determiner::All),
            (if kin { 0.0 } else { 0.2 * single }, Determiner::Every),
        ];
        self.rng.weighted(&choices).unwrap_or(Determiner::Definite)
    }

    /// Whose: mostly the subject's.
    fn owner(&mut self, subject: Option<Referent>) -> Referent {
        use Gender::{Feminine, Masculine};
        match subject {
            Some(subject) if self.rng.chance(0.88) => subject,
            _ => {
                let choices = [
                    (3.0, Referent::new(Person::First, Number::Singular, Masculine)),
                    (1.5, Referent::new(Person::Second, Number::Singular, Masculine)),
                    (1.5, Referent::new(Person::Third, Number::Singular, Masculine)),
                    (1.5, Referent::new(Person::Third, Number::Singular, Feminine)),
                    (1.0, Referent::new(Person::First, Number::Plural, Masculine)),
                    (0.7, Referent::new(Person::Third, Number::Plural, Masculine)),
                ];
                self.rng.weighted(&choices).unwrap_or(choices[0].1)
            }
        }
    }

    fn named_owner(&mut self) -> Determiner {
        let names: Vec<_> =
            self.lexicon.names.iter().filter(|name| name.kind == NameKind::Given).collect();
        match self.rng.pick(&names) {
            Some(name) => Determiner::Owner(Id::fresh(), name),
            None => Determiner::Definite,
        }
    }

    pub(super) fn count(&mut self) -> Numeral {
        if self.rng.chance(0.8) {
            Numeral::Words(self.rng.between(2, 12))
        } else {
            Numeral::Digits(self.rng.between(13, 60))
        }
    }

    /// Adjectives in their order: *ein schöner alter roter Mantel*.
    fn adjectives(&mut self, phrase: &mut NounPhrase) {
        let mut probability = 0.38;
        while phrase.adjectives.len() < 2 && self.rng.chance(probability) && self.spend(1) {
            let taken: Vec<u8> = phrase.adjectives.iter().map(|one| one.adjective.order).collect();
            let fitting: Vec<_> = self
                .lexicon
                .adjectives
                .iter()
                .filter(|adjective| {
                    adjective.attributive && adjective.classes.meets(phrase.noun.classes)
                })
                .filter(|adjective| !taken.contains(&adjective.order))
                .collect();
            let Some(adjective) = self.rng.pick(&fitting) else { return };
            let degree = self.degree(adjective.gradable && phrase.adjectives.is_empty(), false);
            phrase.adjectives.push(AdjectiveUse { id: Id::fresh(), adjective, degree });
            probability = 0.15;
        }
        phrase.adjectives.sort_by_key(|one| one.adjective.order);
        if phrase.adjectives.len() > 1 {
            phrase.adjectives.iter_mut().for_each(|one| one.degree = None);
        }
    }

    pub(super) fn degree(
        &mut self,
        gradable: bool,
        predicate: bool,
    ) -> Option<(Id, &'static Adverb)> {
        if !gradable || !self.rng.chance(if predicate { 0.35 } else { 0.1 }) || !self.spend(1) {
            return None;
        }
        let adverbs: Vec<_> = self
            .lexicon
            .adverbs
            .iter()
            .filter(|adverb| {
                adverb.kind == AdverbKind::Degree
                    && (predicate || !matches!(adverb.german, "zu" | "so"))
            })
            .collect();
        self.rng.pick(&adverbs).map(|adverb| (Id::fresh(), adverb))
    }

    /// An owner, a prepositional attribute or a relative clause, if there is room.
    fn modifiers(&mut self, phrase: &mut NounPhrase) {
        let definite = matches!(phrase.determiner, Determiner::Definite);
        if definite && self.rng.chance(0.16) && self.spend(3) {
            phrase.owner = self.genitive(phrase.noun);
        }
        let countable = phrase.noun.plural.is_some();
        let plain = phrase.owner.is_none()
            && matches!(phrase.determiner, Determiner::Definite | Determiner::Indefinite);
        if plain && countable && self.rng.chance(0.14) && self.spend(3) {
            phrase.attribute = self.attribute(phrase.noun);
        }
        let bare = phrase.attribute.is_none() && phrase.owner.is_none();
        let kind = matches!(
            phrase.determiner,
            Determiner::Definite
                | Determiner::Indefinite
                | Determiner::Numeral(_)
                | Determiner::Some
                | Determiner::Many
        );
        if bare && kind && countable && self.chance(0.1, 0.4) {
            self.add_relative(phrase);
        }
    }

    /// *das Haus des alten Mannes*, *die Tür der Kirche*.
    fn genitive(&mut self, noun: &'static Noun) -> Option<Nominal> {
        let owned = self.lexicon.classes("portable ride home pet kin");
        let classes = if noun.classes.meets(self.lexicon.class("part")) {
            self.lexicon.classes("building")
        } else if noun.classes.meets(owned) {
            self.lexicon.class("person")
        } else {
            return None;
        };
        let owner = self.noun(classes)?;
        let several = classes == self.lexicon.class("person") && self.rng.chance(0.2);
        let number = if several { Number::Plural } else { Number::Singular };
        let first = Referent::new(Person::First, Number::Singular, Gender::Masculine);
        let kin = owner.classes.meets(self.lexicon.class("kin"));
        let determiner = if kin { Determiner::Possessive(first) } else { Determiner::Definite };
        let mut phrase = NounPhrase::new(owner, number, determiner);
        self.adjectives(&mut phrase);
        Some(Nominal::Noun(Box::new(phrase)))
    }

    /// *die Frau mit dem Hut*, *das Buch auf dem Tisch*.
    fn attribute(&mut self, noun: &'static Noun) -> Option<PrepositionPhrase> {
        let rows = [
            ("person", "mit", Case::Dative, "with", "clothing bag"),
            ("portable", "auf", Case::Dative, "on", "surface"),
            ("message", "von", Case::Dative, "from", "kin"),
            ("story", "über", Case::Accusative, "about", "nature animal trip"),
            ("building", "an", Case::Dative, "by", "waterside"),
            ("animal", "in", Case::Dative, "in", "outdoor"),
            ("furniture", "in", Case::Dative, "in", "indoor"),
            ("vehicle", "vor", Case::Dative, "in front of", "building"),
        ];
        let fitting: Vec<_> =
            rows.into_iter().filter(|row| noun.classes.meets(self.lexicon.class(row.0))).collect();
        let (_, german, case, english, classes) = self.rng.pick(&fitting)?;
        let object = self.noun(self.lexicon.classes(classes))?;
        let kin = object.classes.meets(self.lexicon.class("kin"));
        let determiner =
            if kin { Determiner::Possessive(self.owner(None)) } else { Determiner::Definite };
        let pair = object.classes.meets(self.lexicon.class("pair"));
        let number = if pair { Number::Plural } else { Number::Singular };
        let mut phrase = NounPhrase::new(object, number, determiner);
        self.adjectives(&mut phrase);
        let (german, english) = match phrase.noun.place {
            Some(place) if german == "in" => (place.at, place.at_english),
            _ => (german, english),
        };
        let object = Nominal::Noun(Box::new(phrase));
        Some(PrepositionPhrase { id: Id::fresh(), german, case, english, object })
    }
}
