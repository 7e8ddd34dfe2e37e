//! The first look at all rules: which shapes, trees, labels and reordering scores there are,
//! how each column's numbers are best written, which words are linked how often.

use rustc_hash::FxHashMap;

use super::coding::{CONTEXTS, COUNT_COLUMNS, context};
use super::column::{Guess, Style};
use super::infer::Pair;
use super::notation::Notation;
use super::spool::{Rules, Spool};
use super::strings::{StringCounts, count};
use crate::table::packed::width_of;
use crate::table::{Rule, Structure, StructureKind, Symbol};
use crate::{Monitor, Result};

pub const TREES: usize = CONTEXTS;
pub const LABELS: usize = CONTEXTS + 1;
pub const GROUPS: usize = CONTEXTS + 2;
const STRING_CODES: usize = CONTEXTS + 3;
/// Pairs kept in memory before those seen once are forgotten.
const MOST_PAIRS: usize = 1 << 21;
/// The same for strings of one kind.
const MOST_STRINGS: usize = 1 << 19;

pub struct Survey {
    pub strings: Vec<StringCounts>,
    columns: Vec<ColumnSurvey>,
    pub pairs: FxHashMap<u64, Pair>,
    /// Whether strings seen once were forgotten on the way.
    pub forgot: bool,
}

/// How many numbers of a column have six digits or fewer.
#[derive(Clone, Copy, Default)]
struct ColumnSurvey {
    numbers: u64,
    decimals: u64,
}

impl Survey {
    pub fn of(spool: &Spool, features: usize, group: &[usize], monitor: &Monitor) -> Result<Self> {
        let columns = COUNT_COLUMNS + features;
        let mut all = Survey::new(columns);
        spool.work(
            spool.step(),
            |rules| Survey::of_block(rules, columns, group),
            |blocks| {
                monitor.check()?;
                blocks.into_iter().for_each(|block| all.merge(block));
                Ok(())
            },
        )?;
        Ok(all)
    }

    fn new(columns: usize) -> Self {
        Survey {
            strings: vec![StringCounts::default(); STRING_CODES],
            columns: vec![ColumnSurvey::default(); columns],
            pairs: FxHashMap::default(),
            forgot: false,
        }
    }

    fn of_block(mut rules: Rules<'_>, columns: usize, group: &[usize]) -> Self {
        let mut survey = Survey::new(columns);
        let (mut rule, mut string) = (Rule::default(), Vec::new());
        while rules.next(&mut rule) {
            survey.strings(&rule, group, &mut string);
            survey.numbers(&rule);
            for &(from, to) in &rule.links {
                if let Some(pair) = pair(&rule, from, to) {
                    survey.pairs.entry(pair).or_default().count += 1;
                }
            }
        }
        survey
    }

    fn strings(&mut self, rule: &Rule, group: &[usize], string: &mut Vec<u32>) {
        shape(rule, string);
        count(&mut self.strings[context(&rule.source)], string);
        if let Some(structure) = &rule.structure {
            tree(structure, string);
            count(&mut self.strings[TREES], string);
            labels(structure, string);
            count(&mut self.strings[LABELS], string);
        }
        if !group.is_empty() {
            grouped(rule, group, string);
            count(&mut self.strings[GROUPS], string);
        }
    }

    fn numbers(&mut self, rule: &Rule) {
        if let Some(counts) = rule.counts {
            let counts = [counts.source, counts.joint, counts.target];
            self.columns.iter_mut().zip(counts).for_each(|(column, count)| column.add(count));
        }
        for (column, &value) in self.columns[COUNT_COLUMNS..].iter_mut().zip(&rule.features) {
            column.add(value);
        }
    }

    #[allow(clippy::iter_over_hash_type)] // sums do not depend on the order
    fn merge(&mut self, other: Survey) {
        for (all, block) in self.strings.iter_mut().zip(other.strings) {
            for (string, count) in block {
                *all.entry(string).or_default() += count;
            }
            if all.len() > MOST_STRINGS {
                all.retain(|_, count| *count > 1);
                self.forgot = true;
            }
        }
        for (all, block) in self.columns.iter_mut().zip(other.columns) {
            all.merge(&block);
        }
        for (pair, found) in other.pairs {
            self.pairs.entry(pair).or_default().count += found.count;
        }
        if self.pairs.len() > MOST_PAIRS {
            self.pairs.retain(|_, pair| pair.count > 1);
        }
    }

    /// How a column is written whose numbers all lie in `range`.
    pub fn style(&self, column: usize, guess: Guess, range: &Span) -> Style {
        let survey = &self.columns[column];
        // A few odd numbers may be written in full.
        let decimal = survey.decimals * 20 >= survey.numbers * 19;
        let notation = if decimal { Notation::Decimal } else { Notation::Binary };
        let (lowest, highest) = range.keys(notation);
        Style { notation, guess, lowest, width: width_of(u64::from(highest - lowest)) }
    }
}

impl ColumnSurvey {
    fn add(&mut self, value: f32) {
        self.numbers += 1;
        self.decimals += u64::from(Notation::Decimal.key(value).is_some());
    }

    fn merge(&mut self, other: &ColumnSurvey) {
        self.numbers += other.numbers;
        self.decimals += other.decimals;
    }
}

/// From where to where the bits of a column's numbers go. For positive numbers they rise with
/// the number.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    lowest: u32,
    highest: u32,
    lowest_positive: u32,
    highest_positive: u32,
}

impl Default for Span {
    fn default() -> Self {
        Span { lowest: u32::MAX, highest: 0, lowest_positive: u32::MAX, highest_positive: 0 }
    }
}

impl Span {
    pub fn add(&mut self, number: f32) {
        let bits = number.to_bits();
        (self.lowest, self.highest) = (self.lowest.min(bits), self.highest.max(bits));
        if number > 0.0 {
            self.lowest_positive = self.lowest_positive.min(bits);
            self.highest_positive = self.highest_positive.max(bits);
        }
    }

    fn keys(&self, notation: Notation) -> (u32, u32) {
        let key = |bits: u32| notation.nearest(f64::from(f32::from_bits(bits))).unwrap_or(0);
        let (lowest, highest) = match notation {
            Notation::Binary => (self.lowest, self.highest),
            Notation::Decimal if self.lowest == 0 => (0, key(self.highest_positive)),
            Notation::Decimal => (key(self.lowest_positive), key(self.highest_positive)),
        };
        if lowest <= highest { (lowest, highest) } else { (0, 0) }
    }
}

/// A pair of words as one number: the source word above, the target word below.
pub fn pair(rule: &Rule, from: u8, to: u8) -> Option<u64> {
    match (rule.source.get(usize::from(from)), rule.target.get(usize::from(to))) {
        (Some(Symbol::Word(source)), Some(Symbol::Word(target))) => {
            Some(u64::from(source.0) << 32 | u64::from(target.0))
        }
        _ => None,
    }
}

/// By target place: 0 and the slot's number, or 1 more than the word's links and where these
/// start.
pub fn shape(rule: &Rule, string: &mut Vec<u32>) {
    string.clear();
    for (place, symbol) in rule.target.iter().enumerate() {
        if let Symbol::Slot(slot) = symbol {
            string.extend([0, u32::from(*slot)]);
            continue;
        }
        let mark = string.len();
        string.push(1);
        for &(from, _) in rule.links.iter().filter(|&&(_, to)| usize::from(to) == place) {
            string[mark] += 1;
            string.push(u32::from(from));
        }
    }
}

pub fn tree(structure: &Structure, string: &mut Vec<u32>) {
    string.clear();
    string.extend(match structure.kind {
        StructureKind::Fixed(place) => [0, u32::from(place)],
        StructureKind::FloatingLeft => [1, 0],
        StructureKind::FloatingRight => [2, 0],
    });
    string.extend(structure.heads.iter().map(|&head| u32::from(head)));
}

pub fn labels(structure: &Structure, string: &mut Vec<u32>) {
    string.clear();
    string.push(structure.label.0);
    string.extend(structure.slot_labels.iter().map(|label| label.0));
}

pub fn grouped(rule: &Rule, group: &[usize], string: &mut Vec<u32>) {
    string.clear();
    string.extend(group.iter().map(|&feature| rule.features[feature].to_bits()));
}
