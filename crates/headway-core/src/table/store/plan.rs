//! Choosing the codes, and writing rules with them.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::coding::{COUNT_COLUMNS, context, guessed};
use super::column::{Guess, Style, write_code};
use super::infer::Weights;
use super::lexicon::{Entries, Lexicon, Linked, SEARCHED};
use super::notation::Notation;
use super::seen::{Seen, kind, lexical};
use super::spool::{Rules, Spool};
use super::strings::StringEncoder;
use super::survey::{GROUPS, LABELS, Span, Survey, TREES, grouped, labels, pair, shape, tree};
use super::tokens::TokenCounts;
use crate::table::packed::{BitWriter, Encoder, FieldReader, FieldWriter};
use crate::table::{Counts, Header, REORDERING_PREFIX, Rule, Symbol, TRANSLATION_FEATURES};
use crate::{Error, Monitor, Result};

const KINDS: usize = 0;
const RANKS: usize = 1;
const WORDS: usize = 2;
const COLUMNS: usize = 3;

/// All codes of a table in the making.
pub struct Plan {
    lexicon: Lexicon,
    /// By source word: its first entry. By pair: its entry.
    starts: Vec<u64>,
    places: FxHashMap<u64, u64>,
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
    /// Whether something had no code; then the file would not be the rules.
    pub incomplete: bool,
}

impl Plan {
    /// Looks at all rules a few times; what a reader needs goes to `fields`.
    pub fn make(
        spool: &Spool,
        header: &Header,
        seen: &Seen,
        fields: &mut FieldWriter,
        monitor: &Monitor,
    ) -> Result<Self> {
        let group = group(header);
        let mut survey = Survey::of(spool, header.features.len(), &group, monitor)?;
        let styles = styles(&survey, header, &seen.spans);
        let lexical = lexical(header);
        let pairs = std::mem::take(&mut survey.pairs);
        let mut weights = Weights::new(pairs, header.source.len(), header.target.len(), lexical);
        weights.infer(&seen.singles, spool, monitor)?;
        let entries = weights.entries();
        let lexicon = written_lexicon(&entries, lexicon_notation(&styles, lexical), fields)?;
        let others = spool.step() > 1 || survey.forgot;
        let strings = written_strings(survey.strings, &group, others, fields);
        let (starts, places) = places(&entries);
        let longest_list = entries.lists.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let mut plan =
            Plan { lexicon, starts, places, strings, group, styles, encoders: Vec::new() };
        let mut counts = plan.count_tokens(spool, monitor)?;
        if spool.step() > 1 {
            plan.add_unseen(&mut counts, seen, longest_list, header.target.len() as u64);
        }
        plan.write_codes(counts, fields);
        Ok(plan)
    }

    fn count_tokens(&self, spool: &Spool, monitor: &Monitor) -> Result<Vec<TokenCounts>> {
        let mut counts = vec![TokenCounts::default(); COLUMNS + self.styles.len()];
        spool.work(
            spool.step(),
            |rules| self.tokens(rules),
            |blocks| {
                counts.par_iter_mut().enumerate().for_each(|(code, counts)| {
                    let tokens = blocks.iter().flat_map(|block| &block[code]);
                    tokens.for_each(|&token| counts.add(token, 1));
                    if code >= COLUMNS {
                        counts.forget_rare();
                    }
                });
                monitor.check()
            },
        )?;
        Ok(counts)
    }

    /// Where only a sample was counted, what else may come has a code too.
    fn add_unseen(&self, counts: &mut [TokenCounts], seen: &Seen, ranks: u64, words: u64) {
        let kinds = (0..4).filter(|&kind| seen.kinds[kind as usize]);
        kinds.for_each(|kind| counts[KINDS].add(kind, 1));
        (0..=ranks).for_each(|rank| counts[RANKS].add(rank, 1));
        (0..words).for_each(|word| counts[WORDS].add(word, 1));
        for column in &mut counts[COLUMNS..] {
            Style::ESCAPES.iter().for_each(|&escape| column.add(escape, 1));
        }
    }

    /// Makes the codes and writes them in the order of `Coding::read`.
    fn write_codes(&mut self, counts: Vec<TokenCounts>, fields: &mut FieldWriter) {
        for (code, counts) in counts.into_iter().enumerate() {
            let (built, encoder) = counts.builder(code >= COLUMNS).build();
            if code >= COLUMNS {
                self.styles[code - COLUMNS].to_fields(fields);
            }
            write_code(&built, fields);
            self.encoders.push(encoder);
        }
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
        let mut port = Writing { bits: BitWriter::default(), plan: self, incomplete: false };
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
        encoded.incomplete = port.incomplete;
        encoded
    }

    /// Everything a rule is made of, in the order it is read.
    fn walk(&self, rule: &Rule, previous: Option<Counts>, port: &mut impl Port) {
        let mut string = Vec::new();
        port.token(KINDS, kind(rule));
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
            let first = links.len();
            for &(from, to) in rule.links.iter().filter(|&&(_, to)| usize::from(to) == place) {
                let rank = self.rank(rule, from, to);
                // The reader knows the first pair by its rank, and looks for the others.
                let found = rank.filter(|&(_, rank)| links.len() == first || rank < SEARCHED);
                links.push(Linked { from, to, entry: found.map(|(entry, _)| entry) });
                if links.len() == first + 1 {
                    port.token(RANKS, rank.map_or(0, |(_, rank)| rank + 1));
                }
            }
            if links.get(first).is_none_or(|link| link.entry.is_none()) {
                port.token(WORDS, word.0.into());
            }
        }
        links
    }

    /// The entry of a pair of words, and its rank among those of the source word.
    fn rank(&self, rule: &Rule, from: u8, to: u8) -> Option<(u64, u64)> {
        let pair = pair(rule, from, to)?;
        let entry = *self.places.get(&pair)?;
        Some((entry, entry - self.starts[(pair >> 32) as usize]))
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
    incomplete: bool,
}

impl Port for Writing<'_> {
    fn token(&mut self, code: usize, token: u64) {
        self.incomplete |= !self.plan.encoders[code].write(token, &mut self.bits);
    }

    fn string(&mut self, code: usize, string: &[u32]) {
        self.incomplete |= !self.plan.strings[code].write_or_inline(string, &mut self.bits);
    }

    fn group(&mut self, string: &[u32]) -> bool {
        let (known, coded) = self.plan.strings[GROUPS].write(string, &mut self.bits);
        self.incomplete |= !coded;
        known
    }

    fn number(&mut self, column: usize, value: f32, guess: Option<f64>) {
        let encoder = &self.plan.encoders[COLUMNS + column];
        self.incomplete |= !self.plan.styles[column].write(value, guess, encoder, &mut self.bits);
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

fn styles(survey: &Survey, header: &Header, spans: &[Span]) -> Vec<Style> {
    let names = header.features.iter().map(|feature| match feature.name.as_str() {
        name if name == TRANSLATION_FEATURES[0] => Guess::JointByTarget,
        name if name == TRANSLATION_FEATURES[1] => Guess::LexicalSource,
        name if name == TRANSLATION_FEATURES[2] => Guess::JointBySource,
        name if name == TRANSLATION_FEATURES[3] => Guess::LexicalTarget,
        _ => Guess::None,
    });
    let guesses = [Guess::Previous, Guess::None, Guess::None].into_iter().chain(names);
    let columns = guesses.zip(spans).enumerate();
    columns.map(|(column, (guess, span))| survey.style(column, guess, span)).collect()
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

/// Where the entries of each source word begin, and where each pair is.
fn places(entries: &Entries) -> (Vec<u64>, FxHashMap<u64, u64>) {
    let (mut starts, mut places, mut entry) = (Vec::new(), FxHashMap::default(), 0);
    for (source, list) in entries.lists.iter().enumerate() {
        starts.push(entry);
        for &(target, _) in list {
            places.insert((source as u64) << 32 | u64::from(target), entry);
            entry += 1;
        }
    }
    (starts, places)
}

fn written_strings(
    strings: Vec<super::strings::StringCounts>,
    group: &[usize],
    others: bool,
    fields: &mut FieldWriter,
) -> Vec<StringEncoder> {
    let mut encoders = Vec::new();
    for (code, strings) in strings.into_iter().enumerate() {
        if code == GROUPS {
            fields.number(group.len() as u64);
            group.iter().for_each(|&feature| fields.number(feature as u64));
        }
        encoders.push(StringEncoder::build(strings, others, fields));
    }
    encoders
}
