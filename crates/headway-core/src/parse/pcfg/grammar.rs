//! The rules of a grammar and the probabilities of their variants.
//!
//! Each symbol A is split into variants A₀ A₁ …; a rule A → B C has a table of probabilities of
//! Aₓ → B_y C_z, x slowest. A variant's rules of two children and of one share one distribution.

/// A → B C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binary {
    pub left: u16,
    pub right: u16,
    pub parent: u16,
}

/// A → B, one step above a word or a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unary {
    pub child: u16,
    pub parent: u16,
}

/// The rules between symbols, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    pub binary: Vec<Binary>,
    pub unary: Vec<Unary>,
}

/// Numbers for the variants of all rules: probabilities, or how often they are expected.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tables {
    pub binary: Vec<f64>,
    pub unary: Vec<f64>,
    /// Of each variant as the root.
    pub root: Vec<f64>,
}

/// Rules with probabilities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grammar {
    pub rules: Rules,
    /// How many variants each symbol has.
    pub sizes: Vec<usize>,
    /// The first variant of each symbol among those of all; one more for their number.
    pub states: Vec<usize>,
    /// Where the table of each rule begins; one more for the end.
    pub binary_at: Vec<usize>,
    pub unary_at: Vec<usize>,
    pub tables: Tables,
}

impl Grammar {
    /// Rules whose variants all have the number 1.
    pub fn new(rules: Rules, sizes: Vec<usize>) -> Self {
        let starts = |sizes: &mut dyn Iterator<Item = usize>| {
            let mut starts = vec![0];
            let mut end = 0;
            for size in sizes {
                end += size;
                starts.push(end);
            }
            starts
        };
        let states = starts(&mut sizes.iter().copied());
        let size = |symbol: u16| sizes[symbol as usize];
        let binary_at = starts(
            &mut rules
                .binary
                .iter()
                .map(|rule| size(rule.parent) * size(rule.left) * size(rule.right)),
        );
        let unary_at =
            starts(&mut rules.unary.iter().map(|rule| size(rule.parent) * size(rule.child)));
        let tables = Tables {
            binary: vec![1.0; binary_at[rules.binary.len()]],
            unary: vec![1.0; unary_at[rules.unary.len()]],
            root: vec![1.0; states[sizes.len()]],
        };
        Grammar { rules, sizes, states, binary_at, unary_at, tables }
    }

    pub fn symbols(&self) -> usize {
        self.sizes.len()
    }

    pub fn size(&self, symbol: u16) -> usize {
        self.sizes[symbol as usize]
    }

    /// How many variants there are of all symbols.
    pub fn all_states(&self) -> usize {
        self.states[self.sizes.len()]
    }

    /// The place of a symbol's first variant.
    pub fn state(&self, symbol: u16) -> usize {
        self.states[symbol as usize]
    }

    pub fn binary(&self, rule: usize) -> &[f64] {
        &self.tables.binary[self.binary_at[rule]..self.binary_at[rule + 1]]
    }

    pub fn unary(&self, rule: usize) -> &[f64] {
        &self.tables.unary[self.unary_at[rule]..self.unary_at[rule + 1]]
    }

    /// The probabilities under which these counts are most likely. Variants without counts keep
    /// those that they have.
    pub fn maximise(&mut self, counts: Tables) {
        let totals = self.row_totals(&counts);
        let old = std::mem::take(&mut self.tables);
        let mut tables = counts;
        self.each_row(&mut tables, &old, |state, row, before| match totals[state] {
            total if total > 0.0 => row.iter_mut().for_each(|value| *value = share(*value, total)),
            _ => row.copy_from_slice(before),
        });
        let total: f64 = tables.root.iter().sum();
        tables.root.iter_mut().for_each(|value| *value = share(*value, total));
        self.tables = tables;
    }

    /// The sum of all rules of each variant.
    pub fn row_totals(&self, tables: &Tables) -> Vec<f64> {
        let mut totals = vec![0.0; self.all_states()];
        for (rule, at) in self.rules.binary.iter().zip(&self.binary_at) {
            let width = self.size(rule.left) * self.size(rule.right);
            for x in 0..self.size(rule.parent) {
                let row = &tables.binary[at + x * width..at + (x + 1) * width];
                totals[self.state(rule.parent) + x] += row.iter().sum::<f64>();
            }
        }
        for (rule, at) in self.rules.unary.iter().zip(&self.unary_at) {
            let width = self.size(rule.child);
            for x in 0..self.size(rule.parent) {
                let row = &tables.unary[at + x * width..at + (x + 1) * width];
                totals[self.state(rule.parent) + x] += row.iter().sum::<f64>();
            }
        }
        totals
    }

    /// Visits each rule of each variant, beside the same place of other tables.
    fn each_row(
        &self,
        tables: &mut Tables,
        other: &Tables,
        mut visit: impl FnMut(usize, &mut [f64], &[f64]),
    ) {
        for (rule, &at) in self.rules.binary.iter().zip(&self.binary_at) {
            let width = self.size(rule.left) * self.size(rule.right);
            for x in 0..self.size(rule.parent) {
                let range = at + x * width..at + (x + 1) * width;
                let row = &mut tables.binary[range.clone()];
                visit(self.state(rule.parent) + x, row, &other.binary[range]);
            }
        }
        for (rule, &at) in self.rules.unary.iter().zip(&self.unary_at) {
            let width = self.size(rule.child);
            for x in 0..self.size(rule.parent) {
                let range = at + x * width..at + (x + 1) * width;
                let row = &mut tables.unary[range.clone()];
                visit(self.state(rule.parent) + x, row, &other.unary[range]);
            }
        }
    }

    /// Moves the probabilities of each variant by this share towards the mean of the symbol's
    /// variants (Petrov et al. 2006, section 2.3).
    pub fn smooth(&mut self, share: f64) {
        let Grammar { rules, sizes, binary_at, unary_at, tables, .. } = self;
        let size = |symbol: u16| sizes[symbol as usize];
        for (at, rule) in rules.binary.iter().enumerate() {
            let table = &mut tables.binary[binary_at[at]..binary_at[at + 1]];
            smooth_rows(table, size(rule.parent), share);
        }
        for (at, rule) in rules.unary.iter().enumerate() {
            let table = &mut tables.unary[unary_at[at]..unary_at[at + 1]];
            smooth_rows(table, size(rule.parent), share);
        }
    }
}

/// A part of a total. What is almost nothing is nothing: tiny numbers are slow.
fn share(part: f64, total: f64) -> f64 {
    const LEAST: f64 = 1e-30;
    let share = part / total;
    if share > LEAST { share } else { 0.0 }
}

/// Moves each of several rows by this share towards their mean.
pub fn smooth_rows(table: &mut [f64], rows: usize, share: f64) {
    if rows < 2 {
        return;
    }
    let width = table.len() / rows;
    for column in 0..width {
        let mean = (0..rows).map(|row| table[row * width + column]).sum::<f64>() / rows as f64;
        for row in 0..rows {
            let value = &mut table[row * width + column];
            *value = (1.0 - share) * *value + share * mean;
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::random::Random;

    /// A small grammar with all rules between its symbols, tags first, and random numbers.
    pub fn random_grammar(random: &mut Random, tags: u16, phrases: u16, most: usize) -> Grammar {
        let all = tags + phrases;
        let mut rules = Rules::default();
        for parent in tags..all {
            for left in 0..all {
                rules.binary.extend((0..all).map(|right| Binary { left, right, parent }));
                if left != parent {
                    rules.unary.push(Unary { child: left, parent });
                }
            }
        }
        rules.binary.sort_unstable();
        rules.unary.sort_unstable();
        let sizes = (0..all).map(|_| 1 + random.below(most)).collect();
        let mut grammar = Grammar::new(rules, sizes);
        let mut counts = grammar.tables.clone();
        for table in [&mut counts.binary, &mut counts.unary, &mut counts.root] {
            table.iter_mut().for_each(|value| *value = random.next_f64());
        }
        grammar.maximise(counts);
        grammar
    }

    #[test]
    fn the_rules_of_each_variant_sum_to_one_smoothed_or_not() {
        let mut grammar = random_grammar(&mut Random::new(1, 1), 2, 3, 4);
        for share in [0.0, 0.1, 1.0] {
            grammar.smooth(share);
            let totals = grammar.row_totals(&grammar.tables);
            for symbol in 2..5 {
                let own = &totals[grammar.states[symbol]..grammar.states[symbol + 1]];
                assert!(own.iter().all(|total| (total - 1.0).abs() < 1e-12));
            }
        }
        // Smoothed all the way, variants are alike.
        let rule = grammar.rules.binary.len() - 1;
        let rows = grammar.size(grammar.rules.binary[rule].parent);
        let table = grammar.binary(rule);
        let width = table.len() / rows;
        for row in table.chunks(width) {
            assert!(row.iter().zip(table).all(|(one, other)| (one - other).abs() < 1e-12));
        }
    }
}
