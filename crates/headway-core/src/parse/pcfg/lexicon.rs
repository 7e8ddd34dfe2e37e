//! How well each variant of a tag goes with each word.
//!
//! Words are scored by P(tag | word) / P(tag), which is P(word | tag) but for a factor of the
//! word. Of words seen seldom, and of those never seen, the classes say something too (Petrov et
//! al. 2006, section 2.4, have the first; here the classes back off to more general ones).

use std::ops::Range;

use crate::container::{Container, ContainerWriter};
use crate::parse::multiclass::numbers;
use crate::random::Random;
use crate::{Error, Result, Vocabulary};

use super::grammar::{Grammar, smooth_rows};
use super::rows::Rows;
use super::shape::classes;

/// What is settled about words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordSettings {
    pub lowercase: bool,
    /// Words seen up to so often say how words of their classes are tagged.
    pub rare: u64,
    /// How many times a word counts as seen with the tags of its class.
    pub class_weight: f64,
    /// How many times a class counts as seen with the tags of the more general one.
    pub back_off: f64,
    /// The share by which variants of a tag are moved towards their mean.
    pub smoothing: f64,
}

impl WordSettings {
    pub fn check(&self) -> Result<()> {
        let WordSettings { class_weight, back_off, smoothing, .. } = *self;
        for (name, value, most) in [
            ("class_weight", class_weight, 1e6),
            ("back_off", back_off, 1e6),
            ("word_smoothing", smoothing, 1.0),
        ] {
            if !(0.0..=most).contains(&value) {
                let message = format!("parse.pcfg.{name}: {value} is not in 0 to {most}");
                return Err(Error::setting(message));
            }
        }
        Ok(())
    }
}

/// Words seen at least so often have no tags but those that they were seen with.
const SETTLED: f64 = 10.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Lexicon {
    pub settings: WordSettings,
    words: Vocabulary,
    classes: Vocabulary,
    word_rows: Rows,
    class_rows: Rows,
    /// How often each variant of all symbols stood above a word.
    totals: Vec<f64>,
    all: f64,
}

/// A word with its tag, as training sees it: the rows that it counts in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    pub tag: u16,
    word: u32,
    /// Rows of classes, the most general one first; none if the word is not rare.
    own_classes: Vec<u32>,
    /// What the word's score draws on beside its own row.
    classes: Vec<u32>,
}

/// A word of the treebank: what it is, whether it begins a sentence, its tag.
pub struct Token<'a> {
    pub word: &'a str,
    pub first: bool,
    pub tag: u16,
    pub weight: f64,
}

impl Lexicon {
    /// A lexicon of unsplit tags without counts, and an item for each token.
    pub fn new(tokens: &[Token<'_>], symbols: usize, settings: WordSettings) -> (Self, Vec<Item>) {
        let (mut words, mut classes_) = (Vocabulary::default(), Vocabulary::default());
        let folded: Vec<String> =
            tokens.iter().map(|token| fold(token.word, settings.lowercase)).collect();
        let ids: Vec<u32> = folded.iter().map(|word| words.add(word).0).collect();
        let mut seen = vec![0_u64; words.len()];
        ids.iter().for_each(|&id| seen[id as usize] += 1);
        let class_ids: Vec<Vec<u32>> = folded
            .iter()
            .zip(tokens)
            .map(|(word, token)| {
                let found = classes(word, token.first);
                found.iter().rev().map(|class| classes_.add(class).0).collect()
            })
            .collect();
        let is_rare = |id: u32| seen[id as usize] <= settings.rare;
        let word_pairs = ids.iter().zip(tokens).map(|(&id, token)| (id, token.tag));
        let class_pairs = (0..tokens.len())
            .filter(|&at| is_rare(ids[at]))
            .flat_map(|at| class_ids[at].iter().map(move |&class| (class, tokens[at].tag)));
        let word_rows = Rows::new(words.len(), &sorted(word_pairs.collect()));
        let class_rows = Rows::new(classes_.len(), &sorted(class_pairs.collect()));
        let items = tokens.iter().enumerate().map(|(at, token)| {
            let row = |&class: &u32| class_rows.find(class as usize, token.tag);
            let classes: Vec<u32> =
                class_ids[at].iter().filter_map(row).map(|row| row as u32).collect();
            let own = if is_rare(ids[at]) { classes.clone() } else { Vec::new() };
            let word = word_rows.find(ids[at] as usize, token.tag).unwrap_or(0) as u32;
            Item { tag: token.tag, word, own_classes: own, classes }
        });
        let items = items.collect();
        let totals = vec![0.0; symbols];
        let lexicon =
            Lexicon { settings, words, classes: classes_, word_rows, class_rows, totals, all: 0.0 };
        (lexicon, items)
    }

    /// Forgets all counts.
    pub fn clear(&mut self) {
        self.word_rows.clear();
        self.class_rows.clear();
        self.totals.fill(0.0);
        self.all = 0.0;
    }

    /// Counts an item, by the variants of its tag; `states` are the places of these.
    pub fn count(&mut self, item: &Item, states: Range<usize>, counts: &[f64]) {
        add(self.word_rows.counts_mut(item.word as usize), counts);
        for &row in &item.own_classes {
            add(self.class_rows.counts_mut(row as usize), counts);
        }
        add(&mut self.totals[states], counts);
        self.all += counts.iter().sum::<f64>();
    }

    /// The scores of an item of the treebank under each variant of its tag.
    pub fn item_scores(&self, item: &Item, grammar: &Grammar, of_rows: &RowTotals) -> Vec<f64> {
        let size = grammar.size(item.tag);
        let mut backed = vec![0.0; size];
        for &row in &item.classes {
            let total = of_rows.classes[row as usize];
            self.back_off(&mut backed, self.class_rows.counts(row as usize), total);
        }
        let seen = of_rows.words[item.word as usize];
        let counts = self.word_rows.counts(item.word as usize);
        let mut scores: Vec<f64> = counts.to_vec();
        self.score(&mut scores, seen, &backed, grammar.state(item.tag));
        scores
    }

    /// For each row, the counts of all rows of its word or class.
    pub fn row_totals(&self) -> RowTotals {
        let totals = |rows: &Rows| {
            let of = |item: usize| std::iter::repeat_n(rows.total(item), rows.of(item).len());
            (0..rows.starts.len() - 1).flat_map(of).collect()
        };
        RowTotals { words: totals(&self.word_rows), classes: totals(&self.class_rows) }
    }

    /// The tags that a word may have, with the score of each variant.
    pub fn scores(&self, word: &str, first: bool, grammar: &Grammar) -> Vec<(u16, Vec<f64>)> {
        let word = fold(word, self.settings.lowercase);
        let known = self.known(&word, first);
        let seen: f64 = known.iter().map(|&id| self.word_rows.total(id)).sum();
        let backed = self.by_class(&word, first, grammar);
        let mut found: Vec<(u16, Vec<f64>)> = Vec::new();
        for &id in &known {
            for row in self.word_rows.of(id) {
                found.push((self.word_rows.tags[row], self.word_rows.counts(row).to_vec()));
            }
        }
        if seen < SETTLED {
            for (tag, _) in &backed {
                if !found.iter().any(|(other, _)| other == tag) {
                    found.push((*tag, vec![0.0; grammar.size(*tag)]));
                }
            }
        }
        found.sort_by_key(|(tag, _)| *tag);
        for (tag, scores) in &mut found {
            let none = vec![0.0; scores.len()];
            let backed = backed.iter().find(|(other, _)| other == tag);
            self.score(scores, seen, backed.map_or(&none, |(_, one)| one), grammar.state(*tag));
        }
        found
    }

    /// The scores of a tag that is given, for a word that need not have been seen with it.
    pub fn scores_of_tag(
        &self,
        word: &str,
        first: bool,
        tag: u16,
        grammar: &Grammar,
    ) -> Vec<(u16, Vec<f64>)> {
        let mut found = self.scores(word, first, grammar);
        found.retain(|(other, scores)| *other == tag && scores.iter().any(|&score| score > 0.0));
        if found.is_empty() {
            found.push((tag, vec![1.0; grammar.size(tag)]));
        }
        found
    }

    /// Words by which a word is known: itself; itself without the capital of a sentence's
    /// beginning; and as treebanks write quotation marks.
    fn known(&self, word: &str, first: bool) -> Vec<usize> {
        let plain = |word: &str| self.words.get(word).map(|id| id.index());
        let mut known: Vec<usize> = plain(word).into_iter().collect();
        if known.is_empty() {
            let quotes: &[&str] = match word {
                "\"" => &["``", "''"],
                "“" | "„" | "«" => &["``"],
                "”" | "»" => &["''"],
                _ => &[],
            };
            known.extend(quotes.iter().filter_map(|quote| plain(quote)));
        }
        if known.is_empty() && word.contains('’') {
            known.extend(plain(&word.replace('’', "'")));
        }
        if known.is_empty() && first {
            known.extend(plain(&word.to_lowercase()));
        }
        known
    }

    /// The share of each variant of each tag among the rare words that look like this one.
    fn by_class(&self, word: &str, first: bool, grammar: &Grammar) -> Vec<(u16, Vec<f64>)> {
        let mut backed: Vec<(u16, Vec<f64>)> = Vec::new();
        for class in classes(word, first).iter().rev() {
            let Some(class) = self.classes.get(class) else { continue };
            let total = self.class_rows.total(class.index());
            if total <= 0.0 {
                continue;
            }
            if backed.is_empty() {
                let tags = self.class_rows.of(class.index()).map(|row| self.class_rows.tags[row]);
                backed = tags.map(|tag| (tag, vec![0.0; grammar.size(tag)])).collect();
            }
            for (tag, shares) in &mut backed {
                let row = self.class_rows.find(class.index(), *tag);
                self.back_off(shares, row.map_or(&[], |row| self.class_rows.counts(row)), total);
            }
        }
        backed
    }

    /// Goes from the shares of variants in a class to those in a more special one.
    fn back_off(&self, shares: &mut [f64], counts: &[f64], total: f64) {
        let weight = self.settings.back_off;
        let counts = counts.iter().copied().chain(std::iter::repeat(0.0));
        for (share, count) in shares.iter_mut().zip(counts) {
            *share = if total > 0.0 { (count + weight * *share) / (total + weight) } else { 0.0 };
        }
    }

    /// From counts to scores.
    fn score(&self, counts: &mut [f64], seen: f64, backed: &[f64], state: usize) {
        let weight =
            if backed.iter().any(|&one| one > 0.0) { self.settings.class_weight } else { 0.0 };
        // A word never seen is what its class says, whatever the weight of that.
        let (weight, seen) = if seen > 0.0 { (weight, seen) } else { (1.0, 0.0) };
        for (at, (count, backed)) in counts.iter_mut().zip(backed).enumerate() {
            let share = (*count + weight * backed) / (seen + weight);
            let total = self.totals[state + at];
            *count = if total > 0.0 { share * self.all / total } else { 0.0 };
        }
        let rows = counts.len();
        smooth_rows(counts, rows, self.settings.smoothing);
    }

    /// Splits each variant in two, alike but for some noise.
    pub fn split(&mut self, noise: f64, random: &mut Random) {
        self.word_rows.split(noise, random);
        self.class_rows.split(0.0, random);
        self.totals = self.totals.iter().flat_map(|&total| [total / 2.0; 2]).collect();
    }

    /// Makes one variant of several, as `becomes` says for each symbol.
    pub fn merge(&mut self, becomes: &[Vec<usize>]) {
        self.word_rows.merge(becomes);
        self.class_rows.merge(becomes);
        let mut old = self.totals.iter();
        let mut totals = Vec::new();
        for becomes in becomes {
            let start = totals.len();
            totals.resize(start + 1 + becomes[becomes.len() - 1], 0.0);
            becomes.iter().zip(&mut old).for_each(|(&to, total)| totals[start + to] += total);
        }
        self.totals = totals;
    }

    /// Rounds counts to what a file keeps of them.
    pub fn round(&mut self) {
        self.word_rows.round();
        self.class_rows.round();
    }

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        let WordSettings { lowercase, rare, class_weight, back_off, smoothing } = self.settings;
        writer.section("word-settings")?;
        let flags = [f64::from(u8::from(lowercase)), rare as f64];
        writer.write(bytemuck::cast_slice(&flags))?;
        writer.write(bytemuck::cast_slice(&[class_weight, back_off, smoothing, self.all]))?;
        writer.section("totals")?;
        writer.write(bytemuck::cast_slice(&self.totals))?;
        self.words.write_sections(writer, "words")?;
        self.classes.write_sections(writer, "classes")?;
        self.word_rows.write_sections(writer, "word")?;
        self.class_rows.write_sections(writer, "class")
    }

    pub const SECTIONS: usize = 12;

    pub fn read_sections(container: &Container, grammar: &Grammar) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the lexicon in it is damaged");
        let settings = numbers::<f64>(container, "word-settings")?;
        let &[lowercase, rare, class_weight, back_off, smoothing, all] = &settings[..] else {
            return Err(damaged());
        };
        let totals: Vec<f64> = numbers(container, "totals")?;
        let sound = |value: &f64| (0.0..1e15).contains(value);
        if !settings.iter().chain(&totals).all(sound)
            || smoothing > 1.0
            || totals.len() != grammar.all_states()
        {
            return Err(damaged());
        }
        let words = Vocabulary::read_sections(container, "words")?;
        let classes = Vocabulary::read_sections(container, "classes")?;
        let lowercase = lowercase == 1.0;
        let rare = rare as u64;
        Ok(Lexicon {
            settings: WordSettings { lowercase, rare, class_weight, back_off, smoothing },
            word_rows: Rows::read_sections(container, "word", words.len(), grammar)?,
            class_rows: Rows::read_sections(container, "class", classes.len(), grammar)?,
            words,
            classes,
            totals,
            all,
        })
    }
}

/// What `Lexicon::row_totals` answers.
pub struct RowTotals {
    words: Vec<f64>,
    classes: Vec<f64>,
}

fn fold(word: &str, lowercase: bool) -> String {
    if lowercase { word.to_lowercase() } else { word.to_string() }
}

fn add(sums: &mut [f64], counts: &[f64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

fn sorted(mut pairs: Vec<(u32, u16)>) -> Vec<(u32, u16)> {
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
