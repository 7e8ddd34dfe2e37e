//! Word translation probabilities counted from the links, and the lexical weights of rules
//! made from them (Koehn, Och & Marcu 2003).

use rustc_hash::FxHashMap;

use super::pair::Pair;
use crate::table::Symbol;

/// Stands for what unaligned words are linked to. Word w is number w + 1 here.
const NULL: u32 = 0;

/// How often words are linked, as each worker sees it.
#[derive(Debug, Default)]
pub struct LinkCounts(FxHashMap<(u32, u32), u64>);

impl LinkCounts {
    pub fn add(&mut self, pair: &Pair) {
        let (mut unlinked_source, mut unlinked_target) =
            (vec![true; pair.source.len()], vec![true; pair.target.len()]);
        for &(source, target) in &pair.links {
            let (source, target) = (usize::from(source), usize::from(target));
            (unlinked_source[source], unlinked_target[target]) = (false, false);
            self.count(pair.source[source] + 1, pair.target[target] + 1);
        }
        for (word, _) in pair.source.iter().zip(unlinked_source).filter(|(_, unlinked)| *unlinked) {
            self.count(word + 1, NULL);
        }
        for (word, _) in pair.target.iter().zip(unlinked_target).filter(|(_, unlinked)| *unlinked) {
            self.count(NULL, word + 1);
        }
    }

    fn count(&mut self, source: u32, target: u32) {
        *self.0.entry((source, target)).or_default() += 1;
    }
}

/// Probabilities in both directions: of each count, its share of all links of either word.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// The entries of source word s are `rows[s]..rows[s + 1]`.
    rows: Vec<u32>,
    targets: Vec<u32>,
    counts: Vec<u64>,
    source_totals: Vec<u64>,
    target_totals: Vec<u64>,
}

impl Lexicon {
    pub fn new(workers: impl IntoIterator<Item = LinkCounts>) -> Self {
        let all = workers.into_iter().flat_map(|counts| counts.0);
        let mut all: Vec<((u32, u32), u64)> = all.collect();
        all.sort_unstable();
        let mut lexicon = Lexicon::default();
        for equal in all.chunk_by(|one, other| one.0 == other.0) {
            let ((source, target), count) = (equal[0].0, equal.iter().map(|(_, n)| n).sum::<u64>());
            let row = source as usize;
            lexicon.rows.resize(lexicon.rows.len().max(row + 1), lexicon.targets.len() as u32);
            lexicon.targets.push(target);
            lexicon.counts.push(count);
            add_at(&mut lexicon.source_totals, row, count);
            add_at(&mut lexicon.target_totals, target as usize, count);
        }
        lexicon.rows.push(lexicon.targets.len() as u32);
        lexicon
    }

    /// w(target | source) and w(source | target); 0 for words never linked.
    fn probabilities(&self, source: u32, target: u32) -> (f64, f64) {
        let row = source as usize;
        let Some(&[start, end]) = self.rows.get(row..row + 2) else { return (0.0, 0.0) };
        let (start, end) = (start as usize, end as usize);
        let Ok(found) = self.targets[start..end].binary_search(&target) else { return (0.0, 0.0) };
        let count = self.counts[start + found] as f64;
        let (by_source, by_target) = (self.source_totals[row], self.target_totals[target as usize]);
        (count / by_source as f64, count / by_target as f64)
    }

    /// lex(target | source) and lex(source | target) of a rule's words under its links: for
    /// each word the mean over its counterparts, or NULL if it has none. Slots have no part.
    pub fn weights(
        &self,
        source: &[Symbol],
        target: &[Symbol],
        links: &[(u8, u8)],
        scratch: &mut Sums,
    ) -> (f64, f64) {
        scratch.reset(source.len(), target.len());
        for &(s, t) in links {
            let (s, t) = (usize::from(s), usize::from(t));
            let (Symbol::Word(source), Symbol::Word(target)) = (source[s], target[t]) else {
                continue;
            };
            let (direct, inverse) = self.probabilities(source.0 + 1, target.0 + 1);
            scratch.target[t].add(direct);
            scratch.source[s].add(inverse);
        }
        let null_target = |word| self.probabilities(NULL, word).0;
        let null_source = |word| self.probabilities(word, NULL).1;
        (
            product(target, &scratch.target, null_target),
            product(source, &scratch.source, null_source),
        )
    }
}

/// Sums per word, reused from rule to rule.
#[derive(Debug, Default)]
pub struct Sums {
    source: Vec<Sum>,
    target: Vec<Sum>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    sum: f64,
    count: u32,
}

impl Sum {
    fn add(&mut self, probability: f64) {
        self.sum += probability;
        self.count += 1;
    }
}

impl Sums {
    fn reset(&mut self, source: usize, target: usize) {
        for (sums, length) in [(&mut self.source, source), (&mut self.target, target)] {
            sums.clear();
            sums.resize(length, Sum::default());
        }
    }
}

fn product(side: &[Symbol], sums: &[Sum], null: impl Fn(u32) -> f64) -> f64 {
    let words = side.iter().zip(sums).filter_map(|(symbol, sum)| match symbol {
        Symbol::Slot(_) => None,
        Symbol::Word(word) if sum.count == 0 => Some(null(word.0 + 1)),
        Symbol::Word(_) => Some(sum.sum / f64::from(sum.count)),
    });
    words.product()
}

fn add_at(totals: &mut Vec<u64>, place: usize, count: u64) {
    totals.resize(totals.len().max(place + 1), 0);
    totals[place] += count;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;

    #[test]
    fn weights_are_means_over_counterparts() {
        let pair = |source: &[u32], target: &[u32], links: &[(u16, u16)]| Pair {
            source: source.to_vec(),
            target: target.to_vec(),
            links: links.to_vec(),
            tree: None,
        };
        let (mut one, mut other) = (LinkCounts::default(), LinkCounts::default());
        one.add(&pair(&[0, 1], &[0, 1], &[(0, 0), (0, 1)]));
        other.add(&pair(&[0, 2], &[0], &[(0, 0)]));
        let lexicon = Lexicon::new([one, other]);
        // Source 0 is linked three times, twice to target 0.
        assert_eq!(lexicon.probabilities(1, 1), (2.0 / 3.0, 1.0));
        // NULL on the target side is linked to sources 1 and 2.
        assert_eq!(lexicon.probabilities(2, NULL), (1.0, 0.5));
        assert_eq!(lexicon.probabilities(9, 1), (0.0, 0.0));
        assert_eq!(lexicon.probabilities(3, 2), (0.0, 0.0));
        let word = |id| Symbol::Word(WordId(id));
        let weights = lexicon.weights(
            &[word(0), Symbol::Slot(0), word(1)],
            &[word(0), word(1), Symbol::Slot(0)],
            &[(0, 0), (0, 1)],
            &mut Sums::default(),
        );
        assert_eq!(weights.0, 2.0 / 3.0 * (1.0 / 3.0));
        assert_eq!(weights.1, 1.0 * 0.5);
    }
}
