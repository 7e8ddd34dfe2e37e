//! The outside part of the chart: how often each decision is expected in a sentence.

use super::chart::{Chart, Sum, Table, Total};
use super::grammar::{Counts, Grammar, LEFT, RIGHT};

/// Adds the expected counts of a sentence, and the logarithm of its probability, `weight` times.
pub fn expect(grammar: &Grammar, sentence: &[u16], weight: f64, counts: &mut Counts) {
    let chart = Chart::new::<Total>(grammar, sentence);
    let total = chart.sum::<Total>();
    if !total.is_finite() {
        return;
    }
    counts.likelihood += weight * total;
    let table = || Table::new(sentence.len());
    let mut outside = Outside {
        chart: &chart,
        total,
        weight,
        open: table(),
        done: table(),
        arc: table(),
        counts,
    };
    outside.root();
    for width in (0..sentence.len()).rev() {
        let heads = 0..sentence.len() - width;
        for side in [LEFT, RIGHT] {
            heads.clone().for_each(|head| outside.open(side, head, head + width));
        }
        for side in [LEFT, RIGHT] {
            heads.clone().for_each(|head| outside.arc(side, head, head + width));
        }
    }
}

/// Everything around a part of a parse, from the widest parts down.
struct Outside<'a> {
    chart: &'a Chart<'a>,
    total: f64,
    weight: f64,
    open: Table,
    done: Table,
    arc: Table,
    counts: &'a mut Counts,
}

fn add(cell: &mut f64, value: f64) {
    *cell = Total::add(*cell, value);
}

impl Outside<'_> {
    fn share(&self, log: f64) -> f64 {
        self.weight * (log - self.total).exp()
    }

    fn root(&mut self) {
        let chart = self.chart;
        let last = chart.words() - 1;
        for at in 0..chart.words() {
            let tag = chart.sentence[at] as usize;
            self.counts.root[tag] += self.share(chart.under_root(at));
            let (root, mirrored) = (chart.grammar.root[tag], chart.mirror(at));
            add(self.done.at_mut(LEFT, mirrored, last), root + chart.done.at(RIGHT, at, last));
            add(self.done.at_mut(RIGHT, at, last), root + chart.done.at(LEFT, mirrored, last));
        }
    }

    /// From a head that has stopped to the same before, and to its last dependent.
    fn open(&mut self, side: usize, head: usize, end: usize) {
        let chart = self.chart;
        let done = self.done.at(side, head, end);
        let valence = Grammar::valence(chart.tag(side, head), side, end == head);
        self.counts.stop[valence] += self.share(done + chart.done.at(side, head, end));
        add(self.open.at_mut(side, head, end), done + chart.stop(side, head, end));
        let around = self.open.at(side, head, end);
        for last in head + 1..=end {
            add(self.arc.at_mut(side, head, last), around + chart.done.at(side, last, end));
            add(self.done.at_mut(side, last, end), around + chart.arc.at(side, head, last));
        }
    }

    /// From a head with its newest dependent to the head before, and to the dependent.
    fn arc(&mut self, side: usize, head: usize, dependent: usize) {
        if head == dependent {
            return;
        }
        let chart = self.chart;
        let around = self.arc.at(side, head, dependent);
        let (tag, other) = (chart.tag(side, head), chart.tag(side, dependent));
        let expected = self.share(around + chart.arc.at(side, head, dependent));
        self.counts.choose[chart.grammar.pair(tag, side, other)] += expected;
        for end in head..dependent {
            let step = around + chart.step(side, head, end, dependent);
            let (open, inner) =
                (chart.open.at(side, head, end), chart.inner(side, dependent, end + 1));
            let valence = Grammar::valence(tag, side, end == head);
            self.counts.go[valence] += self.share(step + open + inner);
            add(self.open.at_mut(side, head, end), step + inner);
            let (dependent, from) = (chart.mirror(dependent), chart.mirror(end + 1));
            add(self.done.at_mut(1 - side, dependent, from), step + open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chart::tests::{all_trees, decisions, random_case};
    use super::*;

    #[test]
    fn likelihood_and_expected_counts_are_those_of_all_trees() {
        for words in 1..=5 {
            let trees = all_trees(words);
            for seed in 0..30 {
                let (grammar, sentence) = random_case(seed, words);
                let mut found = Counts::new(grammar.tags());
                expect(&grammar, &sentence, 2.0, &mut found);
                let each: Vec<Counts> =
                    trees.iter().map(|heads| decisions(heads, &sentence, &grammar)).collect();
                let total: f64 = each.iter().map(|one| one.likelihood.exp()).sum();
                assert!((found.likelihood - 2.0 * total.ln()).abs() < 1e-9);
                let expected = |pick: fn(&Counts) -> &Vec<f64>, at: usize| -> f64 {
                    each.iter().map(|one| 2.0 * one.likelihood.exp() / total * pick(one)[at]).sum()
                };
                let kinds: [fn(&Counts) -> &Vec<f64>; 4] =
                    [|one| &one.root, |one| &one.stop, |one| &one.go, |one| &one.choose];
                for pick in kinds {
                    for (at, value) in pick(&found).iter().enumerate() {
                        assert!((value - expected(pick, at)).abs() < 1e-9, "{words} words");
                    }
                }
            }
        }
    }

    #[test]
    fn long_sentences_do_not_underflow() {
        let (grammar, sentence) = random_case(3, 150);
        let mut counts = Counts::new(3);
        expect(&grammar, &sentence, 1.0, &mut counts);
        assert!(counts.likelihood.is_finite() && counts.likelihood < 0.0);
        let arcs: f64 = counts.choose.iter().sum();
        assert!(
            (arcs - 149.0).abs() < 1e-6 && (counts.root.iter().sum::<f64>() - 1.0).abs() < 1e-6
        );
    }
}
