//! A vocabulary read in place: no word is touched before it is asked for.

use super::bytes::Bytes;
use super::elias_fano::{EliasFano, EliasFanoBuilder};
use super::fields::{FieldReader, FieldWriter};
use super::ints::{Ints, IntsWriter};
use crate::WordId;

/// Words to dense ids and back.
#[derive(Debug, Clone)]
pub struct Words {
    /// All words one after the other in the order of their ids.
    text: Bytes,
    ends: EliasFano,
    /// Ids in the order of the words' bytes; None if that is the order of the ids.
    sorted: Option<Ints>,
}

impl Words {
    pub fn read(fields: &mut FieldReader<'_>) -> Option<Self> {
        let (text, ends) = (fields.piece()?, fields.sequence()?);
        let sorted = if fields.number()? == 1 { Some(fields.ints()?) } else { None };
        let whole = u32::try_from(ends.len()).is_ok()
            && sorted.as_ref().is_none_or(|sorted| sorted.len() == ends.len());
        whole.then_some(Words { text, ends, sorted })
    }

    pub fn len(&self) -> usize {
        self.ends.len() as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word of an id; None if there is no such id.
    pub fn word(&self, id: WordId) -> Option<&str> {
        std::str::from_utf8(self.bytes(u64::from(id.0))?).ok()
    }

    fn bytes(&self, id: u64) -> Option<&[u8]> {
        let (start, end) = if id == 0 { (0, self.ends.get(0)?) } else { self.ends.pair(id - 1)? };
        self.text.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    pub fn get(&self, word: &str) -> Option<WordId> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let id = match &self.sorted {
                Some(sorted) => sorted.get(middle)?,
                None => middle,
            };
            match self.bytes(id)?.cmp(word.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(WordId(id as u32)),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.len() as u32).map(|id| self.word(WordId(id)))
    }
}

/// The counterpart of `Words::read`.
pub fn write_words(words: &[&str], fields: &mut FieldWriter) {
    let text = words.concat();
    fields.piece(text.as_bytes());
    let mut ends = EliasFanoBuilder::new(words.len() as u64, text.len() as u64);
    let mut end = 0;
    for word in words {
        end += word.len() as u64;
        ends.push(end);
    }
    fields.sequence(&ends.finish());
    let sorted = words.is_sorted();
    fields.number(u64::from(!sorted));
    if !sorted {
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_unstable_by_key(|&id| words[id]);
        let mut ints = IntsWriter::new(words.len() as u64);
        order.into_iter().for_each(|id| ints.push(id as u64));
        fields.ints(ints);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_and_ids_are_found(
            words in prop::collection::btree_set(".{0,8}", 0..30), ask in ".{0,2}", turn: bool,
        ) {
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            if turn {
                words.reverse();
            }
            let mut fields = FieldWriter::default();
            write_words(&words, &mut fields);
            let mut reader = FieldReader::new(&fields.facts, fields.body.clone().into());
            let read = Words::read(&mut reader).unwrap();
            let all: Vec<&str> = read.iter().flatten().collect();
            prop_assert_eq!(all, words.clone());
            for (id, word) in words.iter().enumerate() {
                prop_assert_eq!(read.get(word), Some(WordId(id as u32)));
            }
            let expected = words.iter().position(|&word| word == ask);
            prop_assert_eq!(read.get(&ask), expected.map(|id| WordId(id as u32)));
        }
    }
}
