//! What stands first in a statement.

use super::Planner;
use crate::features::{Case, Gender, Number, Person};
use crate::lexicon::{AdverbKind, GermanSlot};
use crate::meaning::{AdjunctKind, Clause, Complement, Filler, Front, Nominal};

impl Planner<'_> {
    /// Chooses the first place in German and, apart from it, in English.
    pub(super) fn choose_front(&mut self, clause: &mut Clause) {
        let subject = if self.difficulty < 0.5 { 6.0 } else { 4.0 };
        let mut choices = vec![(subject, Front::Subject)];
        for (number, adjunct) in clause.adjuncts.iter().enumerate() {
            choices.push((adjunct_weight(&adjunct.kind), Front::Adjunct(number)));
        }
        for (number, complement) in clause.complements.iter().enumerate() {
            if is_clear(clause, complement) {
                choices.push((0.3 + 0.9 * self.difficulty, Front::Complement(number)));
            }
        }
        clause.front = self.rng.weighted(&choices).unwrap_or(Front::Subject);
        clause.english_front = self.english_front(clause);
    }

    fn english_front(&mut self, clause: &Clause) -> Option<usize> {
        let movable = |kind: &AdjunctKind| match kind {
            AdjunctKind::Time(_) | AdjunctKind::Clause(_) => true,
            AdjunctKind::Preposition(phrase) => phrase.case == Case::Genitive,
            AdjunctKind::Adverb(adverb) => {
                adverb.kind == AdverbKind::Time && adverb.english != "immediately"
            }
            _ => false,
        };
        // Another word that English always puts first leaves no room.
        let taken = clause.adjuncts.iter().any(|adjunct| match &adjunct.kind {
            AdjunctKind::Adverb(adverb) => {
                matches!(adverb.kind, AdverbKind::Stance | AdverbKind::Front)
            }
            _ => false,
        });
        if taken {
            return None;
        }
        if let Front::Adjunct(number) = clause.front {
            let clause_first = matches!(clause.adjuncts[number].kind, AdjunctKind::Clause(_));
            let chance = if clause_first { 0.8 } else { 0.6 };
            if movable(&clause.adjuncts[number].kind) && self.rng.chance(chance) {
                return Some(number);
            }
        }
        let heavy = clause.content.is_some()
            || clause.complements.iter().any(|item| super::complement::is_heavy(&item.filler));
        let timed = |kind: &AdjunctKind| movable(kind) && !matches!(kind, AdjunctKind::Clause(_));
        heavy.then(|| clause.adjuncts.iter().position(|adjunct| timed(&adjunct.kind))).flatten()
    }
}

fn adjunct_weight(kind: &AdjunctKind) -> f64 {
    match kind {
        AdjunctKind::Time(_) => 4.0,
        AdjunctKind::Clause(_) => 4.0,
        AdjunctKind::Place(_) => 2.0,
        AdjunctKind::Preposition(phrase) if phrase.case == Case::Genitive => 3.0,
        AdjunctKind::Adverb(adverb) => match adverb.kind {
            AdverbKind::Front => 12.0,
            AdverbKind::Stance => 4.0,
            AdverbKind::Time => 4.0,
            _ => 0.0,
        },
        _ => 0.0,
    }
}

/// Whether an object can stand first without being taken for the subject.
fn is_clear(clause: &Clause, complement: &Complement) -> bool {
    let Filler::Nominal(Nominal::Noun(phrase)) = &complement.filler else { return false };
    let known = !Nominal::Noun(phrase.clone()).is_indefinite() && phrase.relative.is_none();
    let Some(subject) = &clause.subject else { return false };
    if !known
        || matches!(subject, Nominal::Expletive(_) | Nominal::Asked(..) | Nominal::Gap(..))
        || subject.is_indefinite()
    {
        return false;
    }
    let object = phrase.referent();
    let shown = object.number == Number::Singular && object.gender == Gender::Masculine;
    let doer = subject.referent();
    let marked = subject.is_pronoun()
        && (doer.person != Person::Third
            || doer.number == Number::Singular && doer.gender == Gender::Masculine);
    match complement.slot.german {
        GermanSlot::Bare(Case::Dative) => true,
        GermanSlot::Bare(_) => shown || marked,
        _ => false,
    }
}
