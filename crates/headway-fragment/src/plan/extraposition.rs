//! Which relative clauses may stand behind the German verb.

use crate::meaning::{AdjunctKind, Clause, Filler, Nominal};

/// Keeps an extraposed relative clause only where no other noun comes between it and its own:
/// the reader would take it for the nearer one's.
pub fn settle(clause: &mut Clause) {
    let nominal =
        |filler: &Filler| !matches!(filler, Filler::Home | Filler::Nominal(Nominal::Pronoun(..)));
    let others = clause.adjuncts.iter().any(|adjunct| match adjunct.kind {
        AdjunctKind::Adverb(_) | AdjunctKind::Asked(_) | AdjunctKind::Time(_) => false,
        AdjunctKind::Preposition(_)
        | AdjunctKind::Place(_)
        | AdjunctKind::Agent(_)
        | AdjunctKind::Clause(_) => true,
    });
    let count = clause.complements.iter().filter(|item| nominal(&item.filler)).count();
    let free = !others && clause.content.is_none() && clause.conjunct.is_none();
    if let Some(subject) = &mut clause.subject {
        keep(subject, free && count == 0);
    }
    for complement in &mut clause.complements {
        if let Filler::Nominal(nominal) = &mut complement.filler {
            keep(nominal, free && count == 1);
        }
    }
}

fn keep(nominal: &mut Nominal, extraposed: bool) {
    if let Nominal::Noun(phrase) = nominal
        && let Some(relative) = &mut phrase.relative
    {
        relative.extraposed &= extraposed;
    }
}
