//! Saying that something is not so.

use super::Planner;
use super::clause::Ask;
use crate::features::Case;
use crate::lexicon::{AdverbKind, GermanSlot};
use crate::meaning::{
    AdjunctKind, Clause, Determiner, EnglishNo, EnglishTense, Filler, Negation, Nominal, Predicate,
    Tense,
};
use crate::time::TimePhrase;

impl Planner<'_> {
    pub(super) fn negate(&mut self, clause: &mut Clause, ask: &Ask) {
        if !self.rng.chance(0.16) || clause.epistemic || !can_be_negated(clause) {
            return;
        }
        clause.contracted = self.rng.chance(0.4);
        if clause.modal.is_some_and(|modal| modal.plain) {
            return;
        }
        if has_new_object(clause) {
            self.say_no(clause);
            return;
        }
        let perfect =
            clause.english_tense == EnglishTense::Perfect && clause.tense == Tense::Perfect;
        let present = clause.tense == Tense::Present
            && clause.english_tense != EnglishTense::Will
            && clause.modal.is_none();
        let alone = clause.adjuncts.is_empty();
        clause.negation = if perfect && alone && self.rng.chance(0.6) {
            Negation::NotYet
        } else if present && alone && ask.statement && self.rng.chance(0.25) {
            if clause.english_tense == EnglishTense::Progressive {
                clause.english_tense = EnglishTense::Present;
            }
            Negation::NoLonger
        } else {
            Negation::Not
        };
    }

    /// *kein* takes the place of *ein* or of nothing.
    fn say_no(&mut self, clause: &mut Clause) {
        let id = clause.id;
        let short = clause.verb().is_some_and(|verb| matches!(verb.english.base, "have" | "need"));
        let english = if short && self.rng.chance(0.5) { EnglishNo::No } else { EnglishNo::NotA };
        for complement in &mut clause.complements {
            if let Filler::Nominal(Nominal::Noun(phrase)) = &mut complement.filler
                && matches!(phrase.determiner, Determiner::Indefinite)
            {
                phrase.determiner = Determiner::No(id, english);
                clause.negation = Negation::Determiner(english);
                return;
            }
        }
    }
}

fn has_new_object(clause: &Clause) -> bool {
    clause.complements.iter().any(|item| {
        let object = item.slot.german == GermanSlot::Bare(Case::Accusative);
        object && matches!(&item.filler, Filler::Nominal(Nominal::Noun(phrase)) if matches!(phrase.determiner, Determiner::Indefinite))
    })
}

/// *nicht* with *viele Leute*, *oft* or *drei Hunde* would raise the question what is denied.
pub fn can_be_negated(clause: &Clause) -> bool {
    let quantified = |nominal: &Nominal| match nominal {
        Nominal::Noun(phrase) => {
            use Determiner::{All, Every, Indefinite, Many, Numeral, Some};
            matches!(phrase.determiner, Every | Many | Some | All | Numeral(_) | Indefinite)
                || phrase.relative.is_some()
        }
        Nominal::Join(..) => true,
        _ => false,
    };
    let subject = clause.subject.as_ref().is_none_or(|nominal| !quantified(nominal));
    let complements =
        clause.complements.iter().all(|item| match (&item.filler, item.slot.german) {
            (Filler::Nominal(Nominal::Noun(phrase)), GermanSlot::Bare(Case::Accusative)) => {
                matches!(phrase.determiner, Determiner::Indefinite)
                    || !quantified(&Nominal::Noun(phrase.clone()))
            }
            (Filler::Nominal(nominal), _) => !quantified(nominal),
            _ => false,
        });
    let adjuncts = clause.adjuncts.iter().all(|adjunct| match &adjunct.kind {
        AdjunctKind::Adverb(adverb) => matches!(adverb.kind, AdverbKind::Time),
        AdjunctKind::Time(TimePhrase::Every(_)) => false,
        AdjunctKind::Time(_) => true,
        _ => false,
    });
    let degree = match &clause.predicate {
        Predicate::Adjectives(uses, _) => uses.len() == 1,
        Predicate::Age(..) | Predicate::Comparative(..) => false,
        _ => true,
    };
    subject && complements && adjuncts && degree
}
