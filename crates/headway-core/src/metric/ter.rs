//! TER (Snover et al. 2006): edits with shifts of words, by the rules and limits of sacrebleu's
//! form of Tercom, so that both find the same number of edits.

use rustc_hash::FxHashMap;

use super::{Judge, Metric};

const LONGEST_SHIFT: usize = 10;
const FARTHEST_SHIFT: usize = 50;
const BEAM: usize = 25;
const MOST_CANDIDATES: usize = 1000;
const FAR: u32 = u32::MAX / 2;

/// Edits per reference word, in percent and negative: larger is better.
pub struct Ter;

impl Metric for Ter {
    fn width(&self) -> usize {
        2
    }

    fn judge(&self, references: &[Vec<&str>]) -> Box<dyn Judge> {
        Box::new(References(references.iter().map(|words| Reference::new(words)).collect()))
    }

    fn score(&self, sums: &[f64]) -> f64 {
        let [edits, words] = [sums[0], sums[1]];
        if words > 0.0 {
            -(100.0 * (edits / words))
        } else if edits > 0.0 {
            -100.0
        } else {
            0.0
        }
    }

    fn sentence_score(&self, statistics: &[f64]) -> f64 {
        self.score(statistics)
    }
}

struct References(Vec<Reference>);

impl Judge for References {
    /// Fewest edits to any reference, and the mean length of the references.
    fn judge(&self, words: &[&str], statistics: &mut Vec<f64>) {
        let edits = self.0.iter().map(|reference| reference.edits(words)).min().unwrap_or(0);
        let lengths: usize = self.0.iter().map(|reference| reference.ids.len()).sum();
        statistics.push(f64::from(edits));
        statistics.push(lengths as f64 / self.0.len().max(1) as f64);
    }
}

struct Reference {
    words: FxHashMap<String, u32>,
    ids: Vec<u32>,
}

impl Reference {
    fn new(reference: &[&str]) -> Self {
        let mut words = FxHashMap::default();
        let mut id = |word: &&str| {
            let next = words.len() as u32;
            *words.entry((*word).to_string()).or_insert(next)
        };
        let ids = reference.iter().map(&mut id).collect();
        Reference { words, ids }
    }

    fn edits(&self, words: &[&str]) -> u32 {
        if self.ids.is_empty() {
            return words.len() as u32;
        }
        // A word of no reference is never equal to one of it.
        let id = |word: &&str| self.words.get(*word).copied().unwrap_or(u32::MAX);
        let mut hypothesis: Vec<u32> = words.iter().map(id).collect();
        let (mut shifts, mut checked) = (0, 0);
        let mut matrix = Matrix::new(&hypothesis, &self.ids);
        // Shifts go on until they stop to save edits; when too many were looked at, the last
        // one found is not done.
        while let Some((gain, shifted)) = matrix.best_shift(&hypothesis, &mut checked) {
            if checked >= MOST_CANDIDATES || gain <= 0 {
                break;
            }
            shifts += 1;
            hypothesis = shifted;
            matrix = Matrix::new(&hypothesis, &self.ids);
        }
        shifts + matrix.distance()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    Keep,
    Replace,
    /// A word of the reference that the hypothesis lacks.
    Insert,
    Delete,
}

/// Edit distances of all beginnings of a hypothesis and of its reference, near the diagonal.
struct Matrix<'a> {
    reference: &'a [u32],
    rows: Vec<u32>,
    length: usize,
}

impl<'a> Matrix<'a> {
    fn new(hypothesis: &[u32], reference: &'a [u32]) -> Self {
        let (length, width) = (hypothesis.len(), reference.len() + 1);
        let mut rows = vec![FAR; (length + 1) * width];
        for (place, cell) in rows[..width].iter_mut().enumerate() {
            *cell = place as u32;
        }
        let mut matrix = Matrix { reference, rows, length };
        for row in 1..=length {
            let (above, own) = matrix.rows[(row - 1) * width..].split_at_mut(width);
            let range = beam(row, length, reference.len());
            fill(hypothesis[row - 1], reference, above, &mut own[..width], range);
        }
        matrix
    }

    fn row(&self, row: usize) -> &[u32] {
        let width = self.reference.len() + 1;
        &self.rows[row * width..(row + 1) * width]
    }

    fn distance(&self) -> u32 {
        self.row(self.length)[self.reference.len()]
    }

    /// The distance after a shift, from the first row that it changes.
    fn distance_after(&self, shifted: &[u32], same: usize, scratch: &mut [Vec<u32>; 2]) -> u32 {
        let width = self.reference.len() + 1;
        let [above, own] = scratch;
        above.clear();
        above.extend_from_slice(self.row(same));
        for row in same + 1..=self.length {
            own.clear();
            own.resize(width, FAR);
            let range = beam(row, self.length, self.reference.len());
            fill(shifted[row - 1], self.reference, above, own, range);
            std::mem::swap(above, own);
        }
        above[width - 1]
    }

    /// The edits from the hypothesis to the reference, in order.
    fn edits(&self, hypothesis: &[u32]) -> Vec<Edit> {
        let (mut row, mut column) = (self.length, self.reference.len());
        let mut edits = Vec::with_capacity(row.max(column));
        while row > 0 || column > 0 {
            let edit = self.last_edit(hypothesis, row, column);
            edits.push(edit);
            row -= usize::from(edit != Edit::Insert);
            column -= usize::from(edit != Edit::Delete);
        }
        edits.reverse();
        edits
    }

    /// The first of keep or replace, delete, insert that gives the distance.
    fn last_edit(&self, hypothesis: &[u32], row: usize, column: usize) -> Edit {
        if row == 0 {
            return Edit::Insert;
        }
        if column == 0 {
            return Edit::Delete;
        }
        let here = self.row(row)[column];
        let equal = hypothesis[row - 1] == self.reference[column - 1];
        if self.row(row - 1)[column - 1] + u32::from(!equal) == here {
            return if equal { Edit::Keep } else { Edit::Replace };
        }
        if self.row(row - 1)[column] + 1 == here { Edit::Delete } else { Edit::Insert }
    }

    /// The shift that saves most edits, and how many; `None` if none may be tried.
    fn best_shift(&self, hypothesis: &[u32], checked: &mut usize) -> Option<(i64, Vec<u32>)> {
        let found = Errors::of(&self.edits(hypothesis));
        let before = i64::from(self.distance());
        let mut best: Option<(Rank, Vec<u32>)> = None;
        let mut scratch = [Vec::new(), Vec::new()];
        for (start, place, length) in matches(hypothesis, self.reference) {
            if !found.allow(start, place, length) {
                continue;
            }
            for target in found.targets(place, length) {
                let shifted = shift(hypothesis, start, length, target);
                let same = start.min(target);
                let after = i64::from(self.distance_after(&shifted, same, &mut scratch));
                let rank = (before - after, length, -(start as i64), -(target as i64));
                *checked += 1;
                if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                    best = Some((rank, shifted));
                }
            }
            if *checked >= MOST_CANDIDATES {
                break;
            }
        }
        best.map(|((gain, ..), shifted)| (gain, shifted))
    }
}

/// Edits saved, then longest, earliest, nearest to the beginning.
type Rank = (i64, usize, i64, i64);

/// Columns of a row that are looked at: some on each side of a line from corner to corner.
fn beam(row: usize, length: usize, width: usize) -> std::ops::Range<usize> {
    let ratio = width as f64 / length as f64;
    let half = if (BEAM as f64) < ratio / 2.0 {
        (ratio / 2.0 + BEAM as f64).ceil() as usize
    } else {
        BEAM
    };
    let middle = (row as f64 * ratio).floor() as usize;
    let end = if row == length { width + 1 } else { (middle + half).min(width + 1) };
    middle.saturating_sub(half)..end
}

fn fill(
    word: u32,
    reference: &[u32],
    above: &[u32],
    own: &mut [u32],
    columns: std::ops::Range<usize>,
) {
    for column in columns {
        own[column] = match column {
            0 => above[0] + 1,
            _ => {
                let replace = above[column - 1] + u32::from(word != reference[column - 1]);
                replace.min(above[column] + 1).min(own[column - 1] + 1).min(FAR)
            }
        };
    }
}

/// Where an alignment goes wrong.
struct Errors {
    /// For each reference word the place of the hypothesis word it stands at, −1 before all.
    align: Vec<i64>,
    reference: Vec<bool>,
    hypothesis: Vec<bool>,
}

impl Errors {
    fn of(edits: &[Edit]) -> Self {
        let mut errors =
            Errors { align: Vec::new(), reference: Vec::new(), hypothesis: Vec::new() };
        for &edit in edits {
            let wrong = edit != Edit::Keep;
            if edit != Edit::Insert {
                errors.hypothesis.push(wrong);
            }
            if edit != Edit::Delete {
                errors.reference.push(wrong);
                errors.align.push(errors.hypothesis.len() as i64 - 1);
            }
        }
        errors
    }

    /// Whether moving these words there could help: some are wrong here and missing there, and
    /// they do not stand there already.
    fn allow(&self, start: usize, place: usize, length: usize) -> bool {
        let wrong = self.hypothesis[start..start + length].contains(&true);
        let missing = self.reference[place..place + length].contains(&true);
        let there = self.align[place];
        let inside = there >= start as i64 && there < (start + length) as i64;
        wrong && missing && !inside
    }

    /// Places before which the words may go: after what stands at each of the reference words,
    /// beginning with the one before them.
    fn targets(&self, place: usize, length: usize) -> Vec<usize> {
        let mut targets: Vec<usize> = Vec::with_capacity(length + 1);
        for word in place..=place + length {
            let target = match word.checked_sub(1) {
                None => 0,
                Some(word) => (self.align[word] + 1) as usize,
            };
            if targets.last() != Some(&target) {
                targets.push(target);
            }
        }
        targets
    }
}

/// Start in the hypothesis, start in the reference, length of all word sequences in both.
fn matches<'a>(
    hypothesis: &'a [u32],
    reference: &'a [u32],
) -> impl Iterator<Item = (usize, usize, usize)> + 'a {
    let pairs = (0..hypothesis.len()).flat_map(|start| {
        let first = start.saturating_sub(FARTHEST_SHIFT);
        let end = reference.len().min(start + FARTHEST_SHIFT + 1);
        (first..end.max(first)).map(move |place| (start, place))
    });
    pairs.flat_map(|(start, place)| {
        let both = hypothesis[start..].iter().zip(&reference[place..]).take(LONGEST_SHIFT);
        let longest = both.take_while(|(a, b)| a == b).count();
        (1..=longest).map(move |length| (start, place, length))
    })
}

/// The words with some of them moved before `target`, or as far behind it as they are long if
/// it lies among them.
fn shift(words: &[u32], start: usize, length: usize, target: usize) -> Vec<u32> {
    let end = start + length;
    let mut shifted = Vec::with_capacity(words.len());
    if target < start {
        shifted.extend_from_slice(&words[..target]);
        shifted.extend_from_slice(&words[start..end]);
        shifted.extend_from_slice(&words[target..start]);
        shifted.extend_from_slice(&words[end..]);
    } else {
        let stop = if target > end { target } else { (length + target).min(words.len()) };
        shifted.extend_from_slice(&words[..start]);
        shifted.extend_from_slice(&words[end..stop]);
        shifted.extend_from_slice(&words[start..end]);
        shifted.extend_from_slice(&words[stop..]);
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(hypothesis: &str, reference: &str) -> u32 {
        let reference: Vec<&str> = super::super::words(reference);
        Reference::new(&reference).edits(&super::super::words(hypothesis))
    }

    #[test]
    fn a_shift_is_one_edit_however_long() {
        assert_eq!(edits("c d e a b", "a b c d e"), 1);
        assert_eq!(edits("a b c", "a b c"), 0);
        assert_eq!(edits("", "a b"), 2);
        assert_eq!(edits("a b", ""), 2);
        assert_eq!(edits("x a b y", "a b"), 2);
    }

    #[test]
    fn lengths_that_differ_wildly_are_no_trouble() {
        let long = "a b c d ".repeat(60);
        assert_eq!(edits("a", &long), 239);
        assert_eq!(edits(&long, "a"), 239);
    }
}
