//! The head among the parts of a phrase.

use super::phrases::Part;
use super::table::Table;

/// The part that the table says, or else the first from the end it names that is no
/// punctuation.
pub(super) fn head(table: &Table, category: &str, parts: &[Part]) -> usize {
    let row = table.row(category);
    let word = |part: &Part| !part.is_punctuation();
    let (end, other) = match row.from_left {
        true => (0, parts.iter().position(word)),
        false => (parts.len() - 1, parts.iter().rposition(word)),
    };
    row.find(parts).or(other).unwrap_or(end)
}

/// Collins's rule for coordination: if a conjunction stands before the head, what stands before
/// the conjunction is the head. Punctuation, which his parser took out beforehand, is passed
/// over, on both sides of the conjunction.
pub(super) fn before_conjunction(parts: &[Part], head: usize) -> usize {
    let word_before = |place: usize| parts[..place].iter().rposition(|part| !part.is_punctuation());
    word_before(head)
        .filter(|&place| parts[place].category == "CC")
        .and_then(word_before)
        .unwrap_or(head)
}

/// Hangs all parts from a word, but for the one whose word it is.
pub(super) fn attach_to(head: u32, parts: &[Part], heads: &mut [u32]) {
    for part in parts.iter().filter(|part| part.word != head) {
        heads[part.word as usize - 1] = head;
    }
}
