//! Choosing the codes, and writing rules with them.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::coding::{CONTEXTS, COUNT_COLUMNS, COUNTS, STRUCTURE, context, guessed, word_at};
use super::column::{Guess, Style, write_code};
use super::infer::Weights;
use super::lexicon::{Direction, Entries, Lexicon, Linked};
use super::notation::Notation;
use super::spool::{Rules, Spool};
use super::strings::StringEncoder;
use super::survey::{GROUPS, LABELS, Survey, TREES, grouped, labels, shape, tree};
use crate::table::packed::{BitWriter, CodeBuilder, Encoder, FieldReader, FieldWriter};
use crate::table::{Counts, Header, REORDERING_PREFIX, Rule, Symbol, TRANSLATION_FEATURES};
use crate::{Error, Monitor, Result};

const KINDS: usize = 0;
const RANKS: usize = 1;
const WORDS: usize = 2;
const COLUMNS: usize = 3;
/// Different numbers of one column kept in memory before those seen once are forgotten.
const MOST_TOKENS: usize = 1 << 22;

/// All codes of a table in the making.
pub struct Plan {
    lexicon: Lexicon,
    ranks: FxHashMap<u64, u64>,
    strings: Vec<StringEncoder>,
    group: Vec<usize>,
    styles: Vec<Style>,
    encoders: Vec<Encoder>,
}

/// The options of a few source sides.
#[derive(Default)]
pub struct Encoded {
    /// Symbols of all source sides, and for each its length and the bits of its options.
    pub symbols: Vec<Symbol>,
    pub sources: Vec<(usize, u64)>,
    /// By length less one: the options of source sides of that length.
    pub levels: Vec<BitWriter>,
}

impl Plan {
    /// Looks at all rules a few times; what a reader needs goes to `fields`.
    pub fn make(
        spool: &Spool,
        header: &Header,
        fields: &mut FieldWriter,
        monitor: &Monitor,
    ) -> Result<Self> {
        let group = group(header);
        let mut survey = Survey::of(spool, header.features.len(), &group, monitor)?;
        let styles = styles(&survey, header);
        let place = |name| header.features.iter().position(|feature| feature.name == name);
        let lexical = [place(TRANSLATION_FEATURES[3]), place(TRANSLATION_FEATURES[1])];
        let pairs = std::mem::take(&mut survey.pairs);
        let mut weights = Weights::new(pairs, header.source.len(), header.target.len(), lexical);
        weights.infer(spool, monitor)?;
        let entries = weights.entries();
        let lexicon = written_lexicon(&entries, lexicon_notation(&styles, lexical), fields)?;
        let ranks = ranks(&entries);
        let strings = written_strings(survey.strings, &group, fields);
        let mut plan = Plan { lexicon, ranks, strings, group, styles, encoders: Vec::new() };
        plan.write_codes(spool, fields, monitor)?;
        Ok(plan)
    }

    /// Counts all tokens, makes the codes, and writes them in the order of `Coding::read`.
    fn write_codes(
        &mut self,
        spool: &Spool,
        fields: &mut FieldWriter,
        monitor: &Monitor,
    ) -> Result<()> {
        let mut counts: Vec<FxHashMap<u64, u64>> =
            vec![FxHashMap::default(); COLUMNS + self.styles.len()];
        spool.work(
            |rules| self.tokens(rules),
            |blocks| {
                counts.par_iter_mut().enumerate().for_each(|(code, counts)| {
                    let tokens = blocks.iter().flat_map(|block| &block[code]);
                    tokens.for_each(|&token| *counts.entry(token).or_default() += 1);
                    forget_rare(code, counts);
                });
                monitor.check()
            },
        )?;
        for (code, counts) in counts.into_iter().enumerate() {
            let (built, encoder) = code_of(code, counts).build();
            if code >= COLUMNS {
                self.styles[code - COLUMNS].to_fields(fields);
            }
            write_code(&built, fields);
            self.encoders.push(encoder);
        }
        Ok(())
    }

    fn tokens(&self, mut rules: Rules<'_>) -> Vec<Vec<u64>> {
        let mut port =
            Counting { tokens: vec![Vec::new(); COLUMNS + self.styles.len()], plan: self };
        let (mut rule, mut source, mut previous) = (Rule::default(), Vec::new(), None);
        while rules.next(&mut rule) {
            if rule.source != source {
                source.clone_from(&rule.source);
                previous = None;
            }
            self.walk(&rule, previous, &mut port);
            previous = rule.counts;
        }
        port.tokens
    }

    /// The options of a block's source sides.
    pub fn encode(&self, mut rules: Rules<'_>) -> Encoded {
        let mut encoded = Encoded::default();
        let mut port = Writing { bits: BitWriter::default(), plan: self };
        let (mut rule, mut source, mut previous, mut many) = (Rule::default(), Vec::new(), None, 0);
        while rules.next(&mut rule) {
            if rule.source != source {
                encoded.end_source(&source, many, std::mem::take(&mut port.bits));
                source.clone_from(&rule.source);
                (previous, many) = (None, 0);
            }
            self.walk(&rule, previous, &mut port);
            previous = rule.counts;
            many += 1;
        }
        encoded.end_source(&source, many, port.bits);
        encoded
    }

    /// Everything a rule is made of, in the order it is read.
    fn walk(&self, rule: &Rule, previous: Option<Counts>, port: &mut impl Port) {
        let mut string = Vec::new();
        let kind = u64::from(rule.structure.is_some()) * STRUCTURE
            + u64::from(rule.counts.is_some()) * COUNTS;
        port.token(KINDS, kind);
        shape(rule, &mut string);
        port.string(context(&rule.source), &string);
        let links = self.walk_words(rule, port);
        if let Some(structure) = &rule.structure {
            tree(structure, &mut string);
            port.string(TREES, &string);
            labels(structure, &mut string);
            port.string(LABELS, &string);
        }
        if let Some(counts) = rule.counts {
            port.number(0, counts.source, previous.map(|previous| previous.source.into()));
            port.number(1, counts.joint, None);
            port.number(2, counts.target, None);
        }
        for (index, &value) in rule.features.iter().enumerate() {
            if !self.group.contains(&index) {
                let guess = self.styles[COUNT_COLUMNS + index].guess;
                let guess = guessed(guess, rule, &links, &self.lexicon);
                port.number(COUNT_COLUMNS + index, value, guess);
            }
        }
        self.walk_group(rule, &mut string, port);
    }

    fn walk_words(&self, rule: &Rule, port: &mut impl Port) -> Vec<Linked> {
        let mut links = Vec::with_capacity(rule.links.len());
        for (place, symbol) in rule.target.iter().enumerate() {
            let Symbol::Word(word) = symbol else { continue };
            let word = word.0;
            let here = rule.links.iter().filter(|&&(_, to)| usize::from(to) == place);
            let mut alone = true;
            for (index, &(from, to)) in here.enumerate() {
                let Some(source) = word_at(&rule.source, from) else { continue };
                let mut entry = self.lexicon.find(source, word);
                if index == 0 {
                    let rank =
                        self.ranks.get(&(u64::from(source) << 32 | u64::from(word))).copied();
                    port.token(RANKS, rank.map_or(0, |rank| rank + 1));
                    alone = rank.is_none();
                    let start = self.lexicon.entries(source).map(|(start, _)| start);
                    entry = rank.and_then(|rank| Some(start? + rank));
                }
                links.push(Linked { from, to, entry });
            }
            if alone {
                port.token(WORDS, word.into());
            }
        }
        links
    }

    fn walk_group(&self, rule: &Rule, string: &mut Vec<u32>, port: &mut impl Port) {
        if self.group.is_empty() {
            return;
        }
        grouped(rule, &self.group, string);
        if !port.group(string) {
            for &feature in &self.group {
                port.number(COUNT_COLUMNS + feature, rule.features[feature], None);
            }
        }
    }
}

/// What happens to the pieces of a rule.
trait Port {
    fn token(&mut self, code: usize, token: u64);
    fn string(&mut self, code: usize, string: &[u32]);
    /// Answers whether the group is told by this alone.
    fn group(&mut self, string: &[u32]) -> bool;
    fn number(&mut self, column: usize, value: f32, guess: Option<f64>);
}

struct Counting<'a> {
    tokens: Vec<Vec<u64>>,
    plan: &'a Plan,
}

impl Port for Counting<'_> {
    fn token(&mut self, code: usize, token: u64) {
        self.tokens[code].push(token);
    }

    fn string(&mut self, _: usize, _: &[u32]) {}

    fn group(&mut self, string: &[u32]) -> bool {
        self.plan.strings[GROUPS].knows(string)
    }

    fn number(&mut self, column: usize, value: f32, guess: Option<f64>) {
        self.tokens[COLUMNS + column].push(self.plan.styles[column].token(value, guess));
    }
}

struct Writing<'a> {
    bits: BitWriter,
    plan: &'a Plan,
}

impl Port for Writing<'_> {
    fn token(&mut self, code: usize, token: u64) {
        let known = self.plan.encoders[code].write(token, &mut self.bits);
        debug_assert!(known, "every token was counted");
    }

    fn string(&mut self, code: usize, string: &[u32]) {
        self.plan.strings[code].write_or_inline(string, &mut self.bits);
    }

    fn group(&mut self, string: &[u32]) -> bool {
        self.plan.strings[GROUPS].write(string, &mut self.bits)
    }

    fn number(&mut self, column: usize, value: f32, guess: Option<f64>) {
        let encoder = &self.plan.encoders[COLUMNS + column];
        let known = self.plan.styles[column].write(value, guess, encoder, &mut self.bits);
        debug_assert!(known, "every number was counted");
    }
}

impl Encoded {
    fn end_source(&mut self, source: &[Symbol], many: u64, options: BitWriter) {
        if source.is_empty() {
            return;
        }
        if self.levels.len() < source.len() {
            self.levels.resize(source.len(), BitWriter::default());
        }
        let level = &mut self.levels[source.len() - 1];
        let start = level.position();
        level.push_gamma(many);
        let bits = options.position();
        level.append(&options.finish(), bits);
        self.symbols.extend_from_slice(source);
        self.sources.push((source.len(), level.position() - start));
    }
}

/// Reordering scores come from few counts, so they recur together.
fn group(header: &Header) -> Vec<usize> {
    let reordering = |&index: &usize| header.features[index].name.starts_with(REORDERING_PREFIX);
    (0..header.features.len()).filter(reordering).collect()
}

fn styles(survey: &Survey, header: &Header) -> Vec<Style> {
    let names = header.features.iter().map(|feature| match feature.name.as_str() {
        name if name == TRANSLATION_FEATURES[0] => Guess::JointByTarget,
        name if name == TRANSLATION_FEATURES[1] => Guess::LexicalSource,
        name if name == TRANSLATION_FEATURES[2] => Guess::JointBySource,
        name if name == TRANSLATION_FEATURES[3] => Guess::LexicalTarget,
        _ => Guess::None,
    });
    let guesses = [Guess::Previous, Guess::None, Guess::None].into_iter().chain(names);
    guesses.enumerate().map(|(column, guess)| survey.style(column, guess)).collect()
}

fn lexicon_notation(styles: &[Style], lexical: [Option<usize>; 2]) -> Notation {
    let decimal = |&feature: &usize| styles[COUNT_COLUMNS + feature].notation == Notation::Decimal;
    if lexical.iter().flatten().all(decimal) { Notation::Decimal } else { Notation::Binary }
}

/// The lexicon as a reader will see it: guesses must be the same to the bit.
fn written_lexicon(
    entries: &Entries,
    notation: Notation,
    fields: &mut FieldWriter,
) -> Result<Lexicon> {
    Lexicon::write(entries, notation, fields);
    let mut alone = FieldWriter::default();
    Lexicon::write(entries, notation, &mut alone);
    Lexicon::read(&mut FieldReader::new(&alone.facts, alone.body.into()))
        .ok_or_else(|| Error::setting("the lexicon of the table cannot be written"))
}

fn ranks(entries: &Entries) -> FxHashMap<u64, u64> {
    let lists = entries.lists.iter().enumerate();
    lists
        .flat_map(|(source, list)| {
            let pair = move |target: u32| (source as u64) << 32 | u64::from(target);
            list.iter().zip(0..).map(move |(&(target, _), rank)| (pair(target), rank))
        })
        .collect()
}

fn written_strings(
    strings: Vec<super::strings::StringCounts>,
    group: &[usize],
    fields: &mut FieldWriter,
) -> Vec<StringEncoder> {
    let mut encoders = Vec::new();
    for (code, strings) in strings.into_iter().enumerate() {
        if code == GROUPS {
            fields.number(group.len() as u64);
            group.iter().for_each(|&feature| fields.number(feature as u64));
        }
        encoders.push(StringEncoder::build(strings, fields));
    }
    encoders
}

/// Keeps the memory bounded: rare numbers will be written in full, which needs no place.
fn forget_rare(code: usize, counts: &mut FxHashMap<u64, u64>) {
    if code < COLUMNS || counts.len() <= MOST_TOKENS {
        return;
    }
    let before: u64 = counts.len() as u64;
    counts.retain(|&token, &mut count| !Style::is_rare(token, count));
    *counts.entry(Style::ESCAPE).or_default() += before - counts.len() as u64;
}

fn code_of(code: usize, counts: FxHashMap<u64, u64>) -> CodeBuilder {
    let mut builder = CodeBuilder::default();
    #[allow(clippy::iter_over_hash_type)] // sums do not depend on the order
    for (token, count) in counts {
        let rare = code >= COLUMNS && Style::is_rare(token, count);
        builder.add(if rare { Style::ESCAPE } else { token }, count);
    }
    builder
}

const _: () = assert!(GROUPS == CONTEXTS + 2 && Direction::BOTH.len() == 2);
