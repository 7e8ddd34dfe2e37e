//! Parts put where they come from: what Johansson & Nugues (2007) do before heads are found.

use super::phrases::{Phrases, has_function};

/// Puts each phrase that moved (`WHNP-1`, `S-TPC-2`, `SBAR-3`) where its trace (`*T*-1`,
/// `*ICH*-3`) stands, so that it hangs from the word that it depends on. Of several traces the
/// first counts; a phrase with its own trace inside stays.
pub(super) fn undo(phrases: &mut Phrases) {
    let mut done = vec![false; phrases.nodes()];
    for place in 0..phrases.nodes() {
        let index = phrases
            .trace(place)
            .and_then(|trace| trace.strip_prefix("*T*-").or_else(|| trace.strip_prefix("*ICH*-")));
        let Some(index) = index.filter(|index| is_number(index)) else {
            continue;
        };
        let moved = (1..phrases.nodes()).find(|&node| {
            phrases.trace(node).is_none()
                && phrases.label(node).rsplit_once('-').is_some_and(|(_, last)| last == index)
        });
        let Some(moved) = moved.filter(|&node| phrases.has_words(node)) else {
            continue;
        };
        if !done[moved] && !phrases.is_within(place, moved) {
            phrases.replace(place, moved);
            done[moved] = true;
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Dissolves small clauses: in `consider (S (NP-SBJ him) (ADJP-PRD great))` both parts hang from
/// the verb.
pub(super) fn lift_small_clauses(phrases: &mut Phrases) {
    for node in 1..phrases.nodes() {
        let parts = phrases.children(node);
        let any = |fits: &dyn Fn(&str) -> bool| {
            parts.iter().any(|&part| phrases.has_words(part) && fits(phrases.label(part)))
        };
        if phrases.category(node) == "S"
            && phrases.category(phrases.parent(node)) == "VP"
            && any(&|label| has_function(label, "SBJ"))
            && any(&|label| has_function(label, "PRD"))
            && !parts.iter().any(|&part| phrases.category(part) == "VP")
        {
            phrases.dissolve(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::penn::HeadRules;
    use crate::tree::penn::heads::tests::heads as heads_by;

    fn heads(text: &str) -> Vec<u32> {
        heads_by(HeadRules::Lth, text)
    }

    #[test]
    fn moved_phrases_hang_where_their_trace_stands() {
        let topic = "(SINV (S-TPC-1 (NP-SBJ (PRP it)) (VP (VBZ rains))) (, ,) \
                     (VP (VBD thinks) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (NP-SBJ (PRP he)))";
        assert_eq!(heads(topic), [2, 4, 4, 0, 4]);
        let question = "(SBARQ (WHNP-1 (WP what)) (SQ (VBD did) (NP-SBJ (PRP he)) \
                        (VP (VB say) (SBAR (-NONE- 0) (S (NP-SBJ (PRP she)) (VP (VBD saw) (NP (-NONE- *T*-1))))))))";
        assert_eq!(heads(question), [6, 0, 2, 2, 6, 4]);
        let apart = "(S (NP-SBJ (NP (DT a) (NN man)) (SBAR (-NONE- *ICH*-2))) (VP (VBD came) \
                     (SBAR-2 (WHNP-3 (WP who)) (S (NP-SBJ (-NONE- *T*-3)) (VP (VBD sang))))))";
        assert_eq!(heads(apart), [2, 3, 0, 5, 2]);
    }

    #[test]
    fn a_phrase_around_its_own_trace_stays() {
        let text = "(S-1 (NP (PRP he)) (VP (VBD left) (PRN (, ,) (S (NP (PRP she)) (VP (VBD said) (S (-NONE- *T*-1)))))))";
        assert_eq!(heads(&format!("( (S {text}))")), [2, 0, 5, 5, 2]);
    }

    #[test]
    fn small_clauses_dissolve() {
        let text =
            "(S (NP-SBJ (PRP I)) (VP (VBP find) (S (NP-SBJ (PRP him)) (ADJP-PRD (JJ great)))))";
        assert_eq!(heads(text), [2, 0, 2, 2]);
    }
}
