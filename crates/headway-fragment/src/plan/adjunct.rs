//! When, where, how, with whom, why.

use super::Planner;
use super::clause::Ask;
use super::complement::is_heavy;
use super::frame::Frame;
use super::noun_phrase::Want;
use crate::features::{Case, Number};
use crate::lexicon::{AdverbKind, GermanSlot, Verb};
use crate::meaning::{
    Adjunct, AdjunctKind, Clause, Determiner, Id, Nominal, NounPhrase, Numeral, Predicate,
    PrepositionPhrase, Unit,
};
use crate::time::{DAYS, MONTHS, PARTS_OF_DAY, SEASONS, TimePhrase};

impl Planner<'_> {
    /// Adds adjuncts; says whether one tells the time to come. None if a needed one is missing.
    pub(super) fn adjuncts(&mut self, clause: &mut Clause, ask: &Ask) -> Option<bool> {
        let verb = clause.verb();
        let stative = verb.is_none_or(|verb| verb.has("stative") || verb.has("exist"));
        // A state that lasts has no date; behind a clause a date would be taken into it.
        let lasts = match &clause.predicate {
            Predicate::Verb(_) => stative && ask.frame != Frame::Since,
            Predicate::Adjectives(uses, _) => !uses.iter().all(|one| one.adjective.passing),
            _ => true,
        };
        let heavy = clause.complements.iter().any(|item| is_heavy(&item.filler));
        let undated = lasts || heavy && !ask.statement;
        let needed = match ask.frame {
            Frame::Since => true,
            Frame::Habit => !stative && clause.modal.is_none() && ask.adjuncts > 0,
            _ => false,
        };
        let mut dated = false;
        let room = ask.adjuncts > 0 && !undated && self.rng.chance(0.45) && self.spend(1);
        if needed || room {
            match self.temporal(clause, ask, stative) {
                Some(kind) => {
                    dated = true;
                    clause.adjuncts.push(Adjunct { id: Id::fresh(), kind });
                }
                None if needed => return None,
                None => {}
            }
        }
        if ask.adjuncts > 1 {
            self.circumstances(clause, ask, verb);
        }
        Some(dated)
    }

    /// An adverb or phrase of time that goes with the frame.
    fn temporal(&mut self, clause: &Clause, ask: &Ask, stative: bool) -> Option<AdjunctKind> {
        let frame = ask.frame;
        if frame == Frame::Since || matches!(frame, Frame::Before | Frame::Background) {
            return self.time_phrase(frame, clause);
        }
        if self.rng.chance(0.45) && frame != Frame::Perfect && frame != Frame::Now {
            return self.time_phrase(frame, clause).filter(|_| !(stative && frame == Frame::Habit));
        }
        let main = ask.statement;
        let adverbs: Vec<_> = self
            .lexicon
            .adverbs
            .iter()
            .filter(|adverb| adverb.fits(frame.name()))
            .filter(|adverb| match adverb.kind {
                AdverbKind::Time => main || !matches!(adverb.english, "later" | "afterwards"),
                AdverbKind::Again => !stative,
                AdverbKind::Aspect => frame == Frame::Perfect || main,
                AdverbKind::Often => !stative && (frame != Frame::Past || main),
                AdverbKind::Front => main && clause.verb().is_some_and(|verb| verb.has("brief")),
                _ => false,
            })
            .collect();
        let adverbs: Vec<_> = match frame {
            Frame::Habit => {
                adverbs.into_iter().filter(|adverb| adverb.kind == AdverbKind::Often).collect()
            }
            _ => adverbs,
        };
        self.rng.pick(&adverbs).map(AdjunctKind::Adverb)
    }

    fn time_phrase(&mut self, frame: Frame, clause: &Clause) -> Option<AdjunctKind> {
        let brief = clause.verb().is_none_or(|verb| verb.has("brief") || verb.has("stative"));
        let unit = self.rng.pick(&[Unit::Week, Unit::Month, Unit::Year])?;
        let day = self.rng.pick(&[Unit::Day, Unit::Week, Unit::Year, Unit::Day])?;
        let pick = |number: usize| &DAYS[number % DAYS.len()];
        let (n, digits) = (self.rng.below(84), self.rng.between(1950, 2019));
        let count = Numeral::Words(self.rng.between(2, 12));
        let clock = Numeral::Words(self.rng.between(2, 12));
        let choices: Vec<(f64, TimePhrase)> = match frame {
            Frame::Past => vec![
                (2.0, TimePhrase::Day(pick(n))),
                (1.0, TimePhrase::Month(&MONTHS[n % 12])),
                (1.0, TimePhrase::PartOfDay(&PARTS_OF_DAY[n % 3])),
                (2.0, TimePhrase::Last(unit)),
                (
                    2.0,
                    TimePhrase::Ago(
                        count,
                        self.rng.pick(&[Unit::Day, Unit::Week, Unit::Month, Unit::Year])?,
                    ),
                ),
                (0.7, TimePhrase::Year(digits)),
                (1.0, TimePhrase::Clock(clock)),
                (
                    if brief { 0.0 } else { 1.0 },
                    TimePhrase::For(count, self.rng.pick(&[Unit::Hour, Unit::Hour, Unit::Day])?),
                ),
            ],
            Frame::Future => vec![
                (2.0, TimePhrase::Day(pick(n))),
                (1.0, TimePhrase::Season(&SEASONS[n % 4])),
                (2.0, TimePhrase::Next(unit)),
                (0.8, TimePhrase::Clock(clock)),
            ],
            Frame::Habit => vec![
                (3.0, TimePhrase::Every(day)),
                (0.8, TimePhrase::Season(&SEASONS[n % 4])),
                (0.8, TimePhrase::PartOfDay(&PARTS_OF_DAY[n % 3])),
            ],
            Frame::Since => vec![(1.0, TimePhrase::Since(count, self.since_unit(clause)?))],
            _ => return None,
        };
        self.rng.weighted(&choices).map(AdjunctKind::Time)
    }

    fn since_unit(&mut self, clause: &Clause) -> Option<Unit> {
        let hours = clause.verb().is_some_and(|verb| verb.has("hours"));
        let units = if hours { [Unit::Hour, Unit::Minute] } else { [Unit::Month, Unit::Year] };
        self.rng.pick(&units)
    }

    /// Stance, manner, company, place and cause.
    fn circumstances(&mut self, clause: &mut Clause, ask: &Ask, verb: Option<&'static Verb>) {
        if ask.statement && self.rng.chance(0.07) && self.spend(1) {
            self.stance(clause, ask.frame);
        }
        let heavy = clause.complements.iter().any(|item| is_heavy(&item.filler));
        let Some(verb) = verb.filter(|_| !heavy && clause.content.is_none()) else { return };
        if self.rng.chance(0.16) && self.spend(1) {
            self.manner(clause, verb);
        }
        if verb.has("with") && self.rng.chance(0.15) && self.spend(3) {
            self.company(clause);
        }
        let local =
            verb.has("place") && !clause.complements.iter().any(|item| is_local(item.slot.german));
        if local && self.rng.chance(0.3) && self.spend(2) {
            self.place_adjunct(clause, verb);
        }
        if ask.statement
            && ask.frame == Frame::Past
            && !verb.has("stative")
            && self.rng.chance(0.05)
            && self.spend(3)
        {
            self.cause(clause);
        }
    }

    fn stance(&mut self, clause: &mut Clause, frame: Frame) {
        let adverbs: Vec<_> = self
            .lexicon
            .adverbs
            .iter()
            .filter(|adverb| {
                matches!(adverb.kind, AdverbKind::Stance | AdverbKind::Middle)
                    && adverb.fits(frame.name())
            })
            .collect();
        if let Some(adverb) = self.rng.pick(&adverbs).filter(|_| clause.modal.is_none()) {
            clause.adjuncts.push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Adverb(adverb) });
        }
    }

    fn manner(&mut self, clause: &mut Clause, verb: &'static Verb) {
        let plural = clause.agreement.number == Number::Plural;
        let adverbs: Vec<_> = self
            .lexicon
            .adverbs
            .iter()
            .filter(|adverb| match adverb.kind {
                AdverbKind::Manner("group") => {
                    plural
                        && verb.has("group")
                        && clause.complements.iter().all(|item| is_local(item.slot.german))
                }
                AdverbKind::Manner(group) => verb.has(group),
                _ => false,
            })
            .collect();
        if let Some(adverb) = self.rng.pick(&adverbs) {
            clause.adjuncts.push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Adverb(adverb) });
        }
    }

    /// *mit seiner Schwester*.
    fn company(&mut self, clause: &mut Clause) {
        let alone = |adjunct: &Adjunct| matches!(&adjunct.kind, AdjunctKind::Adverb(adverb) if matches!(adverb.kind, AdverbKind::Manner("alone" | "group")));
        if clause.adjuncts.iter().any(alone) {
            return;
        }
        let want = Want {
            classes: self.lexicon.class("kin"),
            owner: Some(clause.agreement),
            pronoun: 0.0,
            light: true,
        };
        let Some(entity) = self.noun_entity(want) else { return };
        let phrase = PrepositionPhrase {
            id: Id::fresh(),
            german: "mit",
            case: Case::Dative,
            english: "with",
            object: entity.nominal,
        };
        clause.adjuncts.push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Preposition(phrase) });
    }

    fn place_adjunct(&mut self, clause: &mut Clause, verb: &Verb) {
        let indoor = verb.has("indoor");
        let classes = self.lexicon.class(if indoor { "indoor" } else { "place" });
        let kind = if !indoor && self.rng.chance(0.2) {
            let adverbs: Vec<_> = self
                .lexicon
                .adverbs
                .iter()
                .filter(|adverb| adverb.kind == AdverbKind::Place)
                .collect();
            self.rng.pick(&adverbs).map(AdjunctKind::Adverb)
        } else if !indoor && self.rng.chance(0.15) {
            self.town().map(|town| self.located("in", "in", town))
        } else {
            self.place(classes, None).and_then(|place| self.at(place))
        };
        clause.adjuncts.extend(kind.map(|kind| Adjunct { id: Id::fresh(), kind }));
    }

    pub(super) fn at(&self, place: Nominal) -> Option<AdjunctKind> {
        let Nominal::Noun(phrase) = &place else { return None };
        let words = phrase.noun.place?;
        Some(self.located(words.at, words.at_english, place))
    }

    fn located(&self, german: &'static str, english: &'static str, object: Nominal) -> AdjunctKind {
        AdjunctKind::Place(PrepositionPhrase {
            id: Id::fresh(),
            german,
            case: Case::Dative,
            english,
            object,
        })
    }

    /// *wegen des Regens*.
    fn cause(&mut self, clause: &mut Clause) {
        let Some(noun) = self.noun(self.lexicon.class("cause")) else { return };
        let phrase = NounPhrase::new(noun, Number::Singular, Determiner::Definite);
        let object = Nominal::Noun(Box::new(phrase));
        let (german, english) =
            if self.rng.chance(0.6) { ("wegen", "because of") } else { ("trotz", "despite") };
        let phrase =
            PrepositionPhrase { id: Id::fresh(), german, case: Case::Genitive, english, object };
        clause.adjuncts.push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Preposition(phrase) });
    }
}

fn is_local(slot: GermanSlot) -> bool {
    matches!(slot, GermanSlot::At | GermanSlot::To | GermanSlot::Nach)
        || matches!(slot, GermanSlot::Preposition(word, _) if matches!(word, "in" | "auf" | "über"))
}
