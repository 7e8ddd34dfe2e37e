//! How a rule lies in the file, and reading it.
//!
//! A rule follows its source side as: kind, shape (slots and links of each target place),
//! target words, tree and labels if there are some, counts if there are some, features.

use super::column::{Column, Guess, read_code};
use super::lexicon::{Direction, Lexicon, Linked};
use super::strings::StringCode;
use crate::WordId;
use crate::table::packed::{BitReader, Code, FieldReader};
use crate::table::{Counts, Rule, Structure, StructureKind, Symbol};

/// Shapes have a code of their own for every number of slots (to 2) and length (to 8).
pub const CONTEXTS: usize = 24;
pub const STRUCTURE: u64 = 1;
pub const COUNTS: u64 = 2;
/// Columns before those of the features.
pub const COUNT_COLUMNS: usize = 3;

pub fn context(source: &[Symbol]) -> usize {
    let slots = source.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_))).count();
    slots.min(2) * 8 + source.len().clamp(1, 8) - 1
}

/// Everything that is needed to read rules.
#[derive(Debug, Clone)]
pub struct Coding {
    lexicon: Lexicon,
    shapes: Vec<StringCode>,
    trees: StringCode,
    labels: StringCode,
    /// Features that are coded together, and their code.
    group: Vec<usize>,
    groups: StringCode,
    kinds: Code,
    ranks: Code,
    words: Code,
    columns: Vec<Column>,
    /// How many target words and labels there are.
    known: [usize; 2],
}

/// What is used again from rule to rule.
struct Scratch {
    rule: Rule,
    string: Vec<u32>,
    links: Vec<Linked>,
    values: Vec<u32>,
}

impl Coding {
    /// The counterpart of what `Plan` writes.
    pub fn read(fields: &mut FieldReader<'_>, features: usize, known: [usize; 2]) -> Option<Self> {
        let lexicon = Lexicon::read(fields)?;
        let shapes: Option<Vec<StringCode>> =
            (0..CONTEXTS).map(|_| StringCode::read(fields)).collect();
        let (trees, labels) = (StringCode::read(fields)?, StringCode::read(fields)?);
        let members = fields.count()?;
        let group: Option<Vec<usize>> =
            (0..members).map(|_| Some(fields.small()? as usize)).collect();
        let (groups, kinds) = (StringCode::read(fields)?, read_code(fields)?);
        let (ranks, words) = (read_code(fields)?, read_code(fields)?);
        let columns: Option<Vec<Column>> =
            (0..COUNT_COLUMNS + features).map(|_| Column::read(fields)).collect();
        let (shapes, group, columns) = (shapes?, group?, columns?);
        let inside = group.iter().all(|&feature| feature < features);
        inside.then_some(Coding {
            lexicon,
            shapes,
            trees,
            labels,
            group,
            groups,
            kinds,
            ranks,
            words,
            columns,
            known,
        })
    }

    /// Hands over the rules of one source side; None if the bits make no sense.
    pub fn rules(
        &self,
        source: &[Symbol],
        bits: &mut BitReader<'_>,
        most: u64,
        take: &mut dyn FnMut(&Rule),
    ) -> Option<()> {
        let many = bits.read_gamma().filter(|&many| many <= most)?;
        let mut scratch = Scratch::new(source, self.columns.len() - COUNT_COLUMNS);
        for _ in 0..many {
            self.rule(bits, &mut scratch)?;
            take(&scratch.rule);
        }
        Some(())
    }

    fn rule(&self, bits: &mut BitReader<'_>, scratch: &mut Scratch) -> Option<()> {
        let kind = self.kinds.read(bits)?;
        self.target(bits, scratch)?;
        scratch.rule.structure = None;
        if kind & STRUCTURE > 0 {
            scratch.rule.structure = Some(self.structure(bits, scratch)?);
        }
        let previous = scratch.rule.counts;
        scratch.rule.counts = None;
        if kind & COUNTS > 0 {
            scratch.rule.counts = Some(self.counts(bits, previous)?);
        }
        self.features(bits, scratch)
    }

    fn target(&self, bits: &mut BitReader<'_>, scratch: &mut Scratch) -> Option<()> {
        let Scratch { rule, string, links, .. } = scratch;
        self.shapes.get(context(&rule.source))?.next_or_inline(bits, string)?;
        rule.target.clear();
        links.clear();
        let mut shape = string.iter().copied();
        while let Some(mark) = shape.next() {
            let place = u8::try_from(rule.target.len()).ok()?;
            let Some(many) = mark.checked_sub(1) else {
                rule.target.push(Symbol::Slot(u8::try_from(shape.next()?).ok()?));
                continue;
            };
            let first = links.len();
            for _ in 0..many {
                let from = u8::try_from(shape.next()?).ok()?;
                links.push(Linked { from, to: place, entry: None });
            }
            let word = self.word(bits, &rule.source, links.get_mut(first..)?)?;
            if word as usize >= self.known[0] {
                return None;
            }
            rule.target.push(Symbol::Word(WordId(word)));
        }
        rule.links.clear();
        rule.links.extend(links.iter().map(|link| (link.from, link.to)));
        rule.links.sort_unstable();
        Some(())
    }

    /// The next target word; its links learn their entries on the way.
    fn word(
        &self,
        bits: &mut BitReader<'_>,
        source: &[Symbol],
        links: &mut [Linked],
    ) -> Option<u32> {
        let Some((first, others)) = links.split_first_mut() else {
            return Some(self.words.read(bits)? as u32);
        };
        let word = match self.ranks.read(bits)?.checked_sub(1) {
            Some(rank) => {
                let (start, _) = self.lexicon.entries(word_at(source, first.from)?)?;
                first.entry = Some(start.checked_add(rank)?);
                self.lexicon.target(start + rank)?
            }
            None => self.words.read(bits)? as u32,
        };
        for link in others {
            link.entry = self.lexicon.find(word_at(source, link.from)?, word);
        }
        Some(word)
    }

    fn structure(&self, bits: &mut BitReader<'_>, scratch: &mut Scratch) -> Option<Structure> {
        let small = |number: &u32| u8::try_from(*number).ok();
        self.trees.next_or_inline(bits, &mut scratch.string)?;
        let (kind, heads) = scratch.string.split_first_chunk::<2>()?;
        let kind = match kind[0] {
            0 => StructureKind::Fixed(small(&kind[1])?),
            1 => StructureKind::FloatingLeft,
            2 => StructureKind::FloatingRight,
            _ => return None,
        };
        let heads: Vec<u8> = heads.iter().map(small).collect::<Option<_>>()?;
        if heads.len() != scratch.rule.target.len() {
            return None;
        }
        self.labels.next_or_inline(bits, &mut scratch.string)?;
        if scratch.string.iter().any(|&label| label as usize >= self.known[1]) {
            return None;
        }
        let (&label, slots) = scratch.string.split_first()?;
        let slot_labels = slots.iter().map(|&label| WordId(label)).collect();
        Some(Structure { kind, heads, label: WordId(label), slot_labels })
    }

    fn counts(&self, bits: &mut BitReader<'_>, previous: Option<Counts>) -> Option<Counts> {
        let [source, joint, target, ..] = &self.columns[..] else { return None };
        Some(Counts {
            source: source.next(bits, || previous.map(|counts| counts.source.into()))?,
            joint: joint.next(bits, || None)?,
            target: target.next(bits, || None)?,
        })
    }

    fn features(&self, bits: &mut BitReader<'_>, scratch: &mut Scratch) -> Option<()> {
        let Scratch { rule, links, values, .. } = scratch;
        let columns = self.columns.get(COUNT_COLUMNS..)?;
        for (index, column) in columns.iter().enumerate() {
            if !self.group.contains(&index) {
                let guess = || guessed(column.style.guess, rule, links, &self.lexicon);
                let value = column.next(bits, guess)?;
                *rule.features.get_mut(index)? = value;
            }
        }
        if self.group.is_empty() {
            return Some(());
        }
        if self.groups.next(bits, values)? {
            for (&index, &value) in self.group.iter().zip(values.iter()) {
                *rule.features.get_mut(index)? = f32::from_bits(value);
            }
        } else {
            for &index in &self.group {
                *rule.features.get_mut(index)? = columns.get(index)?.next(bits, || None)?;
            }
        }
        Some(())
    }
}

impl Scratch {
    fn new(source: &[Symbol], features: usize) -> Self {
        Scratch {
            rule: Rule {
                source: source.to_vec(),
                target: Vec::new(),
                structure: None,
                links: Vec::new(),
                counts: None,
                features: vec![0.0; features],
            },
            string: Vec::new(),
            links: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// The source word that a link starts from.
pub fn word_at(source: &[Symbol], place: u8) -> Option<u32> {
    match source.get(usize::from(place)) {
        Some(Symbol::Word(word)) => Some(word.0),
        _ => None,
    }
}

/// The guess for a feature of a rule whose target and counts are known.
pub fn guessed(guess: Guess, rule: &Rule, links: &[Linked], lexicon: &Lexicon) -> Option<f64> {
    let by = |part: f32, whole: f32| f64::from(part) / f64::from(whole);
    let lexical = |direction| lexicon.predict(direction, &rule.source, &rule.target, links);
    match guess {
        Guess::None | Guess::Previous => None,
        Guess::JointBySource => rule.counts.map(|counts| by(counts.joint, counts.source)),
        Guess::JointByTarget => rule.counts.map(|counts| by(counts.joint, counts.target)),
        Guess::LexicalTarget => lexical(Direction::TargetGivenSource),
        Guess::LexicalSource => lexical(Direction::SourceGivenTarget),
    }
}
