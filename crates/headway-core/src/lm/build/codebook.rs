//! Lists of the values that occur, so that each is stored as a short number.
//!
//! Without loss where that saves space: a Kneser–Ney model has few different back-offs. With
//! loss on request: values near each other share their mean.

use super::gram::{BLANK, EXTENDS_LEFT, Gram, NO_EXTENSION};
use super::levels::Workspace;
use super::spool::Spool;
use crate::Result;
use crate::lm::table::bits;

/// Which of the two values of an n-gram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Prob,
    Backoff,
}

impl Which {
    fn of(self, gram: &Gram) -> u32 {
        match self {
            Which::Prob => gram.values.prob & !EXTENDS_LEFT,
            Which::Backoff => gram.values.backoff,
        }
    }

    /// Values that say something else than a number are never averaged.
    fn is_special(self, value: u32) -> bool {
        match self {
            Which::Prob => value == BLANK,
            Which::Backoff => value == 0 || value == NO_EXTENSION,
        }
    }
}

/// How the values of one n-gram length are written.
pub(super) struct Codebook {
    which: Which,
    /// Bits of a code.
    pub bits: u32,
    /// The values, sorted by `order`; None if values stand for themselves.
    pub values: Option<Vec<u32>>,
    /// The largest difference between a value and what is read for it.
    pub error: f32,
}

/// A value and how many have it.
type Group = (u32, u64);

impl Codebook {
    /// `plain` is the width of a value itself, `most` the bits that codes may have at most if
    /// values are to be merged.
    pub fn new(
        level: &Spool<Gram>,
        which: Which,
        plain: u32,
        most: Option<u32>,
        workspace: &Workspace,
    ) -> Result<Self> {
        let groups = groups(level, which, workspace)?;
        let exact = bits((groups.len() as u64).saturating_sub(1));
        let values: Vec<u32> = groups.iter().map(|&(value, _)| value).collect();
        if let Some(most) = most.filter(|&most| exact > most) {
            let (values, error) = merged(&groups, which, 1 << most);
            return Ok(Codebook { which, bits: most, values: Some(values), error });
        }
        let listed = u64::from(exact) * level.len() + 32 * groups.len() as u64;
        if exact < plain && listed < u64::from(plain) * level.len() {
            return Ok(Codebook { which, bits: exact, values: Some(values), error: 0.0 });
        }
        Ok(Codebook { which, bits: plain, values: None, error: 0.0 })
    }

    pub fn code(&self, gram: &Gram) -> u64 {
        let value = self.which.of(gram);
        let Some(values) = &self.values else { return u64::from(value) };
        let index = match values.binary_search_by_key(&order(value), |&value| order(value)) {
            Ok(index) => index,
            Err(after) => self.nearest(values, after, value),
        };
        index as u64
    }

    fn nearest(&self, values: &[u32], after: usize, value: u32) -> usize {
        let distance = |index: &usize| match values.get(*index) {
            Some(&other) if !self.which.is_special(other) => {
                (f32::from_bits(other) - f32::from_bits(value)).abs()
            }
            _ => f32::INFINITY,
        };
        // Up to two special values may stand between a value and its neighbours.
        let candidates = after.saturating_sub(3)..(after + 3).min(values.len());
        let nearest = candidates.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.unwrap_or(0)
    }
}

/// Makes the bits of floats sort as the floats do, -0 before 0.
fn order(value: u32) -> u32 {
    if value >> 31 == 1 { !value } else { value | 1 << 31 }
}

fn groups(level: &Spool<Gram>, which: Which, workspace: &Workspace) -> Result<Vec<Group>> {
    let mut sorter = workspace.sorter::<u32>();
    let mut reader = level.reader();
    while let Some(gram) = reader.next()? {
        sorter.push(order(which.of(&gram)))?;
    }
    let sorted = sorter.finish()?;
    let mut groups: Vec<Group> = Vec::new();
    let mut reader = sorted.reader()?;
    while let Some(ordered) = reader.next()? {
        let value = if ordered >> 31 == 1 { ordered & !(1 << 31) } else { !ordered };
        match groups.last_mut() {
            Some((last, many)) if *last == value => *many += 1,
            _ => groups.push((value, 1)),
        }
    }
    Ok(groups)
}

/// At most `most` values that stand for all groups: special ones as they are, the others in
/// bins of about as many n-grams each, by their mean. Also the largest difference.
fn merged(groups: &[Group], which: Which, most: usize) -> (Vec<u32>, f32) {
    let special = groups.iter().filter(|&&(value, _)| which.is_special(value));
    let mut values: Vec<u32> = special.map(|&(value, _)| value).collect();
    let plain: Vec<Group> =
        groups.iter().copied().filter(|&(value, _)| !which.is_special(value)).collect();
    let mut left: u64 = plain.iter().map(|&(_, many)| many).sum();
    let mut bins = most.saturating_sub(values.len()).max(1) as u64;
    let (mut start, mut error) = (0, 0.0_f32);
    while start < plain.len() {
        let target = left.div_ceil(bins);
        let (mut end, mut inside) = (start, 0);
        while end < plain.len() && (end == start || inside + plain[end].1 / 2 < target || bins == 1)
        {
            inside += plain[end].1;
            end += 1;
        }
        let mean = mean(&plain[start..end]);
        let ends = [plain[start].0, plain[end - 1].0];
        let widest = ends.map(|value| (f32::from_bits(value) - mean).abs());
        error = error.max(widest[0]).max(widest[1]);
        values.push(mean.to_bits());
        (start, left, bins) = (end, left - inside, (bins - 1).max(1));
    }
    values.sort_unstable_by_key(|&value| order(value));
    values.dedup();
    (values, error)
}

fn mean(groups: &[Group]) -> f32 {
    let many: u64 = groups.iter().map(|&(_, many)| many).sum();
    let sum: f64 = groups.iter().map(|&(v, many)| f64::from(f32::from_bits(v)) * many as f64).sum();
    (sum / many as f64) as f32
}
