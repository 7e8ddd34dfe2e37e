//! One column of numbers: counts or a feature.
//!
//! A number is told by how far it lies from a guess, by its place among the numbers that are
//! frequent in the column, or, if neither helps, in full.

use super::notation::Notation;
use crate::table::packed::{
    BitReader, BitWriter, Built, Code, Encoder, FieldReader, FieldWriter, width_of,
};

/// A key in full follows.
const KEY: u64 = 0;
/// A number that has no key follows, in 32 bits.
const BITS: u64 = 1;
/// Guesses may be off by this much.
const FARTHEST: i64 = 127;
const OFF: u64 = 2;
const FREQUENT: u64 = OFF + 2 * FARTHEST as u64 + 1;

/// Where the guess for a column comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guess {
    None,
    /// The number in the rule before, if it has the same source side.
    Previous,
    /// Joint count over the source side's count.
    JointBySource,
    /// Joint count over the target side's count.
    JointByTarget,
    /// lex(e|f) from the lexicon.
    LexicalTarget,
    /// lex(f|e) from the lexicon.
    LexicalSource,
}

impl Guess {
    const ALL: [Guess; 6] = [
        Guess::None,
        Guess::Previous,
        Guess::JointBySource,
        Guess::JointByTarget,
        Guess::LexicalTarget,
        Guess::LexicalSource,
    ];
}

/// What must be known to choose a number's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub notation: Notation,
    pub guess: Guess,
    /// The lowest key of the column, and the bits of the highest less the lowest.
    pub lowest: u32,
    pub width: u32,
}

impl Style {
    /// The token for a number, were all tokens known.
    pub fn token(&self, value: f32, guess: Option<f64>) -> u64 {
        let Some(key) = self.notation.key(value) else { return BITS };
        let guess = guess.and_then(|guess| self.notation.nearest(guess));
        match guess.map(|guess| i64::from(key) - i64::from(guess)) {
            Some(off) if off.abs() <= FARTHEST => OFF + (off + FARTHEST) as u64,
            _ => FREQUENT + u64::from(key),
        }
    }

    /// Writes a number, in full if its token has no code; false if even that has none.
    pub fn write(
        &self,
        value: f32,
        guess: Option<f64>,
        encoder: &Encoder,
        bits: &mut BitWriter,
    ) -> bool {
        let token = self.token(value, guess);
        if token != BITS && encoder.write(token, bits) {
            return true;
        }
        let key = self.notation.key(value).and_then(|key| key.checked_sub(self.lowest));
        match key.filter(|&key| width_of(key.into()) <= self.width) {
            Some(key) if encoder.write(KEY, bits) => {
                bits.push(key.into(), self.width);
                true
            }
            _ => {
                let known = encoder.write(BITS, bits);
                bits.push(value.to_bits().into(), 32);
                known
            }
        }
    }

    /// Tokens that a single rule uses are not worth a place; their count goes to the escape.
    pub fn is_rare(token: u64, count: u64) -> bool {
        count == 1 && token >= FREQUENT
    }

    /// What a number without a token of its own is written with.
    pub const ESCAPE: u64 = KEY;
    pub const ESCAPES: [u64; 2] = [KEY, BITS];

    pub fn to_fields(self, fields: &mut FieldWriter) {
        fields.number(self.notation.number());
        fields.number(self.guess as u64);
        fields.number(self.lowest.into());
        fields.number(self.width.into());
    }

    fn from_fields(fields: &mut FieldReader<'_>) -> Option<Self> {
        let notation = Notation::from_number(fields.number()?)?;
        let guess = *Guess::ALL.get(fields.small()? as usize)?;
        let (lowest, width) = (fields.small()?, fields.small()?);
        (width <= 32).then_some(Style { notation, guess, lowest, width })
    }
}

/// Reads the numbers of a column.
#[derive(Debug, Clone)]
pub struct Column {
    pub style: Style,
    code: Code,
}

impl Column {
    pub fn read(fields: &mut FieldReader<'_>) -> Option<Self> {
        Some(Column { style: Style::from_fields(fields)?, code: read_code(fields)? })
    }

    #[inline]
    pub fn next(
        &self,
        bits: &mut BitReader<'_>,
        guess: impl FnOnce() -> Option<f64>,
    ) -> Option<f32> {
        let notation = self.style.notation;
        match self.code.read(bits)? {
            KEY => {
                let key = bits.read(self.style.width)? as u32;
                Some(notation.value(key.wrapping_add(self.style.lowest)))
            }
            BITS => Some(f32::from_bits(bits.read(32)? as u32)),
            off @ OFF..FREQUENT => {
                let key = i64::from(notation.nearest(guess()?)?) + (off - OFF) as i64 - FARTHEST;
                Some(notation.value(u32::try_from(key).ok()?))
            }
            frequent => Some(notation.value(u32::try_from(frequent - FREQUENT).ok()?)),
        }
    }
}

pub fn write_code(built: &Built, fields: &mut FieldWriter) {
    fields.number(built.counts.len() as u64);
    built.counts.iter().for_each(|&count| fields.number(count));
    let (tokens, width) = built.packed();
    fields.number(width.into());
    fields.piece(&tokens);
}

pub fn read_code(fields: &mut FieldReader<'_>) -> Option<Code> {
    let lengths = fields.count()?;
    let counts: Option<Vec<u64>> = (0..lengths).map(|_| fields.number()).collect();
    let width = fields.small()?;
    Code::new(&counts?, fields.piece()?, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::packed::CodeBuilder;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_whatever_the_guess(
            numbers in prop::collection::vec(
                (prop_oneof![(1_u32..50).prop_map(|n| n as f32 / 8.0), any::<f32>()],
                 prop::option::of(0.1_f64..5.0)), 1..80),
            decimal: bool,
        ) {
            let notation = if decimal { Notation::Decimal } else { Notation::Binary };
            let keys = || numbers.iter().filter_map(|&(number, _)| notation.key(number));
            let (lowest, highest) = (keys().min().unwrap_or(0), keys().max().unwrap_or(0));
            let width = 32 - (highest - lowest).leading_zeros();
            let style = Style { notation, guess: Guess::None, lowest, width };
            let mut counts = std::collections::BTreeMap::new();
            for &(number, guess) in &numbers {
                *counts.entry(style.token(number, guess)).or_default() += 1;
            }
            let mut builder = CodeBuilder::default();
            for (token, count) in counts {
                builder.add(if Style::is_rare(token, count) { KEY } else { token }, count);
            }
            let (built, encoder) = builder.build();
            let mut bits = BitWriter::default();
            for &(number, guess) in &numbers {
                prop_assert!(style.write(number, guess, &encoder, &mut bits));
            }
            let end = bits.position();
            let bytes = bits.finish();
            let mut fields = FieldWriter::default();
            style.to_fields(&mut fields);
            write_code(&built, &mut fields);
            let mut reader = FieldReader::new(&fields.facts, fields.body.clone().into());
            let column = Column::read(&mut reader).unwrap();
            let mut bits = BitReader::new(&bytes, 0, end);
            for (number, guess) in numbers {
                let read = column.next(&mut bits, || guess);
                prop_assert_eq!(read.map(f32::to_bits), Some(number.to_bits()));
            }
        }
    }
}
