//! Constraints that cannot be obeyed together are refused before search.

use super::{Constraint, Force, Forced, cross, overlap};
use crate::{Error, Result};

/// The least logarithm of a probability that a forced translation may have.
const LEAST_SCORE: f64 = -1e6;

/// Refuses constraints that lie outside a sentence of so many words or contradict each other.
pub fn check(constraints: &[Constraint], length: u32) -> Result<()> {
    for constraint in constraints {
        let span = constraint.span();
        if span.is_empty() || span.end > length {
            let (start, end) = (span.start, span.end);
            let message = format!("a constraint on the words from {start} to before {end}");
            return Err(Error::setting(format!("{message}; the sentence has {length}")));
        }
        if let Constraint::Forced(forced) = constraint {
            check_forced(forced)?;
        }
    }
    for (place, one) in constraints.iter().enumerate() {
        for other in &constraints[..place] {
            check_pair(other, one)?;
        }
    }
    Ok(())
}

fn check_forced(forced: &Forced) -> Result<()> {
    let odd = |word: &&String| word.is_empty() || word.contains(char::is_whitespace);
    if let Some(word) = forced.target.iter().find(odd) {
        let message = format!("the forced word {word:?} is empty or has white space");
        return Err(Error::setting(format!("{message}; give a list of words")));
    }
    if !(LEAST_SCORE..=-LEAST_SCORE).contains(&forced.score) {
        let score = forced.score;
        let message = format!("the score of a forced translation is {score}");
        return Err(Error::setting(format!("{message}; give the logarithm of a probability")));
    }
    Ok(())
}

fn check_pair(one: &Constraint, other: &Constraint) -> Result<()> {
    use Constraint::{Forced as F, Wall};
    if matches!(one, Wall(_)) || matches!(other, Wall(_)) {
        return Ok(());
    }
    let spans = (one.span(), other.span());
    let wrong = match (one, other) {
        // Inclusive ones compete with each other as with the rules of the table.
        (F(a), F(b)) => {
            let compete = a.force == Force::Inclusive && b.force == Force::Inclusive;
            !compete && spans.0 != spans.1 && overlap(&spans.0, &spans.1)
        }
        _ => cross(&spans.0, &spans.1),
    };
    if !wrong {
        return Ok(());
    }
    let message = format!("{} and {} contradict each other", named(one), named(other));
    let advice = match (one, other) {
        (F(_), F(_)) => "leave one out",
        _ => "let one lie within the other, or apart",
    };
    Err(Error::setting(format!("{message}: they share words; {advice}")))
}

fn named(constraint: &Constraint) -> String {
    let (start, end) = (constraint.span().start, constraint.span().end);
    match constraint {
        Constraint::Forced(_) => format!("the forced span ({start}, {end})"),
        Constraint::Zone(_) => format!("the zone ({start}, {end})"),
        Constraint::Wall(at) => format!("the wall {at}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forced(start: u32, end: u32, force: Force) -> Constraint {
        let target = vec!["x".to_string()];
        Constraint::Forced(Forced { span: start..end, target, force, score: 0.0 })
    }

    fn message(constraints: &[Constraint]) -> String {
        check(constraints, 5).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn what_cannot_be_obeyed_together_is_refused() {
        use Constraint::{Wall, Zone};
        let exclusive = |start, end| forced(start, end, Force::Exclusive);
        let inclusive = |start, end| forced(start, end, Force::Inclusive);
        for fine in [
            vec![Zone(0..3), Zone(1..3), Zone(3..5), Wall(2), Wall(4)],
            vec![exclusive(0, 2), exclusive(0, 2), exclusive(2, 3), Zone(0..2), Zone(0..1)],
            vec![inclusive(0, 2), inclusive(1, 3), Wall(1)],
        ] {
            assert_eq!(message(&fine), "");
        }
        let crossing = "the zone (0, 2) and the zone (1, 3) contradict each other: they share \
                        words; let one lie within the other, or apart";
        assert_eq!(message(&[Zone(0..2), Zone(1..3)]), crossing);
        assert!(message(&[exclusive(0, 2), inclusive(1, 2)]).contains("(1, 2) contradict"));
        assert!(message(&[Zone(1..3), inclusive(2, 4)]).contains("the forced span (2, 4)"));
        assert!(message(&[Zone(3..6)]).contains("the sentence has 5"));
        assert!(message(&[Wall(0)]).contains("from 0 to before 0"));
    }

    #[test]
    fn forced_words_are_words_and_their_scores_numbers() {
        let wrong = |target: &str, score| {
            let target = vec![target.to_string()];
            let forced = Forced { span: 0..1, target, force: Force::Exclusive, score };
            message(&[Constraint::Forced(forced)])
        };
        assert_eq!(wrong("x", -2.0), "");
        assert!(wrong("x y", 0.0).contains("white space"));
        assert!(wrong("", 0.0).contains("empty"));
        for score in [f64::NAN, f64::NEG_INFINITY, 1e9] {
            assert!(wrong("x", score).contains("logarithm"));
        }
    }
}
