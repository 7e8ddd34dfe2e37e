//! Short strings of small numbers, coded whole: the shape of a rule, its tree, its labels, its
//! reordering scores. What occurs once is written in place.

use rustc_hash::FxHashMap;

use super::column::read_code;
use crate::table::packed::{
    BitReader, BitWriter, Code, CodeBuilder, EliasFano, EliasFanoBuilder, Encoder, FieldReader,
    FieldWriter, Ints, IntsWriter,
};

/// Numbers below this take four bits in place, others 36.
const NIBBLE: u64 = 15;

/// How often each string was seen.
pub type StringCounts = FxHashMap<Box<[u32]>, u64>;

pub fn count(strings: &mut StringCounts, string: &[u32]) {
    match strings.get_mut(string) {
        Some(count) => *count += 1,
        None => {
            strings.insert(string.into(), 1);
        }
    }
}

/// Reads strings.
#[derive(Debug, Clone)]
pub struct StringCode {
    /// Its tokens are places in the dictionary plus one; 0 is the escape.
    code: Code,
    values: Ints,
    ends: EliasFano,
}

impl StringCode {
    pub fn read(fields: &mut FieldReader<'_>) -> Option<Self> {
        Some(StringCode {
            code: read_code(fields)?,
            values: fields.ints()?,
            ends: fields.sequence()?,
        })
    }

    /// The next string; false if it was written in place and is still to be read.
    pub fn next(&self, bits: &mut BitReader<'_>, string: &mut Vec<u32>) -> Option<bool> {
        string.clear();
        let Some(place) = self.code.read(bits)?.checked_sub(1) else { return Some(false) };
        let (start, end) = self.ends.pair(place)?;
        for index in start..end {
            string.push(self.values.get(index)? as u32);
        }
        Some(true)
    }

    /// The next string, wherever it is.
    pub fn next_or_inline(&self, bits: &mut BitReader<'_>, string: &mut Vec<u32>) -> Option<()> {
        if self.next(bits, string)? {
            return Some(());
        }
        let length = bits.read_gamma()? - 1;
        for _ in 0..length {
            let small = bits.read(4)?;
            string.push(if small < NIBBLE { small } else { bits.read(32)? } as u32);
        }
        Some(())
    }
}

/// Writes strings.
#[derive(Debug, Clone, Default)]
pub struct StringEncoder {
    places: FxHashMap<Box<[u32]>, u64>,
    encoder: Encoder,
}

impl StringEncoder {
    /// `others` says whether strings may come that were not counted.
    pub fn build(strings: StringCounts, others: bool, fields: &mut FieldWriter) -> Self {
        let mut known: Vec<(Box<[u32]>, u64)> = strings.into_iter().collect();
        let all = known.len() as u64;
        known.retain(|&(_, count)| count > 1);
        known.sort_unstable();
        let mut builder = CodeBuilder::default();
        builder.add(0, all - known.len() as u64 + u64::from(others));
        for (place, &(_, count)) in known.iter().enumerate() {
            builder.add(place as u64 + 1, count);
        }
        let (built, encoder) = builder.build();
        super::column::write_code(&built, fields);
        write_dictionary(&known, fields);
        let numbered = known.into_iter().zip(1..).map(|((string, _), place)| (string, place));
        StringEncoder { places: numbered.collect(), encoder }
    }

    /// Writes a string of the dictionary, or the escape: whether it was the former, and whether
    /// there was a code for it.
    pub fn write(&self, string: &[u32], bits: &mut BitWriter) -> (bool, bool) {
        let token = self.places.get(string).copied().unwrap_or(0);
        (token != 0, self.encoder.write(token, bits))
    }

    pub fn knows(&self, string: &[u32]) -> bool {
        self.places.contains_key(string)
    }

    /// Writes a string, in place if need be; false if there was no code for that.
    pub fn write_or_inline(&self, string: &[u32], bits: &mut BitWriter) -> bool {
        let (known, coded) = self.write(string, bits);
        if known {
            return coded;
        }
        bits.push_gamma(string.len() as u64 + 1);
        for &number in string {
            let number = u64::from(number);
            bits.push(number.min(NIBBLE), 4);
            if number >= NIBBLE {
                bits.push(number, 32);
            }
        }
        coded
    }
}

fn write_dictionary(known: &[(Box<[u32]>, u64)], fields: &mut FieldWriter) {
    let numbers = || known.iter().flat_map(|(string, _)| string.iter().map(|&n| u64::from(n)));
    let mut values = IntsWriter::new(numbers().max().unwrap_or(0));
    numbers().for_each(|number| values.push(number));
    let mut ends = EliasFanoBuilder::new(known.len() as u64 + 1, values.len);
    let mut end = 0;
    ends.push(0);
    for (string, _) in known {
        end += string.len() as u64;
        ends.push(end);
    }
    fields.ints(values);
    fields.sequence(&ends.finish());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_come_back(
            strings in prop::collection::vec(prop::collection::vec(0_u32..20, 0..4), 0..60),
        ) {
            let mut counts = StringCounts::default();
            strings.iter().for_each(|string| count(&mut counts, string));
            let mut fields = FieldWriter::default();
            let encoder = StringEncoder::build(counts, false, &mut fields);
            let mut bits = BitWriter::default();
            for string in &strings {
                prop_assert!(encoder.write_or_inline(string, &mut bits));
            }
            let end = bits.position();
            let bytes = bits.finish();
            let mut reader = FieldReader::new(&fields.facts, fields.body.clone().into());
            let code = StringCode::read(&mut reader).unwrap();
            let (mut bits, mut string) = (BitReader::new(&bytes, 0, end), Vec::new());
            for expected in strings {
                code.next_or_inline(&mut bits, &mut string).unwrap();
                prop_assert_eq!(&string, &expected);
            }
        }
    }
}
