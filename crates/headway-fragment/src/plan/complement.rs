//! Filling the places that a verb opens.

use super::Planner;
use super::noun_phrase::Want;
use crate::features::{Case, Gender, Number, Referent};
use crate::lexicon::{Classes, GermanSlot, NameKind, Slot, Verb};
use crate::meaning::{
    Clause, Complement, Determiner, Filler, Id, Nominal, NounPhrase, Numeral, Unit,
};

impl Planner<'_> {
    /// Every place of the verb but `skip`, optional ones as there is room. None if one stays empty.
    pub(super) fn complements(
        &mut self,
        clause: &mut Clause,
        verb: &'static Verb,
        skip: Option<usize>,
    ) -> Option<()> {
        for (number, slot) in verb.slots.iter().enumerate() {
            if skip == Some(number) {
                continue;
            }
            if slot.optional && !(self.rng.chance(0.4) && self.spend(2)) {
                continue;
            }
            let light = clause.complements.iter().any(|item| is_heavy(&item.filler))
                || verb.slots.len() > 1 && number == 0;
            let filler = self.filler(slot, clause.agreement, light)?;
            clause.complements.push(Complement { id: Id::fresh(), slot: *slot, filler });
        }
        Some(())
    }

    pub(super) fn filler(&mut self, slot: &Slot, subject: Referent, light: bool) -> Option<Filler> {
        match slot.german {
            GermanSlot::Price => {
                Some(Filler::Measure(Numeral::Digits(self.rng.between(2, 99) * 5), Unit::Euro))
            }
            GermanSlot::Duration => {
                let unit = self.rng.pick(&[Unit::Hour, Unit::Hour, Unit::Minute, Unit::Day])?;
                let low = if unit == Unit::Minute { 10 } else { 2 };
                Some(Filler::Measure(Numeral::Words(self.rng.between(low, 12)), unit))
            }
            GermanSlot::At | GermanSlot::To => self.place_filler(slot, subject),
            GermanSlot::Nach => self.town().map(Filler::Nominal),
            GermanSlot::Bare(case) => {
                let pronoun = if case == Case::Dative { 0.4 } else { 0.25 };
                self.nominal_filler(slot, subject, pronoun, light)
            }
            GermanSlot::Preposition(..) => self.nominal_filler(slot, subject, 0.15, light),
        }
    }

    fn nominal_filler(
        &mut self,
        slot: &Slot,
        subject: Referent,
        pronoun: f64,
        light: bool,
    ) -> Option<Filler> {
        let want = Want { classes: slot.classes, owner: Some(subject), pronoun, light };
        // Of a mixed set a thing is as good as a person; a pronoun would always be a person.
        let person = self.lexicon.class("person");
        let mixed = self
            .lexicon
            .nouns
            .iter()
            .any(|noun| noun.classes.meets(slot.classes) && !noun.classes.meets(person));
        let want = Want { pronoun: if mixed { pronoun * 0.4 } else { pronoun }, ..want };
        self.entity(want).map(|entity| Filler::Nominal(entity.nominal))
    }

    fn place_filler(&mut self, slot: &Slot, subject: Referent) -> Option<Filler> {
        let town = slot.classes.is_empty() || slot.classes.meets(self.lexicon.class("settlement"));
        let anywhere = slot.classes.is_empty() || slot.classes.meets(self.lexicon.class("place"));
        if anywhere && self.rng.chance(0.15) {
            return Some(Filler::Home);
        }
        if slot.german == GermanSlot::At && town && self.rng.chance(0.3) {
            return self.town().map(Filler::Nominal);
        }
        let classes =
            if slot.classes.is_empty() { self.lexicon.class("place") } else { slot.classes };
        self.place(classes, Some(subject)).map(Filler::Nominal)
    }

    pub(super) fn town(&mut self) -> Option<Nominal> {
        let kinds = [NameKind::Town, NameKind::Country];
        let names: Vec<_> =
            self.lexicon.names.iter().filter(|name| kinds.contains(&name.kind)).collect();
        self.rng.pick(&names).map(|name| Nominal::Name(Id::fresh(), name))
    }

    /// A place that is known, with few words.
    pub(super) fn place(&mut self, classes: Classes, owner: Option<Referent>) -> Option<Nominal> {
        let noun = self.noun(classes)?;
        let home = noun.classes.meets(self.lexicon.class("home"));
        let determiner = match owner {
            Some(owner) if home && owner.sex != Gender::Neuter => Determiner::Possessive(owner),
            _ if self.rng.chance(0.12) => Determiner::Indefinite,
            _ => Determiner::Definite,
        };
        let mut phrase = NounPhrase::new(noun, Number::Singular, determiner);
        if self.spend(6) && self.chance(0.03, 0.2) {
            self.add_relative(&mut phrase);
        }
        Some(Nominal::Noun(Box::new(phrase)))
    }
}

pub fn is_heavy(filler: &Filler) -> bool {
    matches!(filler, Filler::Nominal(nominal) if nominal.is_heavy())
}
