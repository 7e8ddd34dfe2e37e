//! Which target words a source word is linked to, most frequent first, with the two lexical
//! probabilities of the pair. Target words are coded by their rank here, and the lexical
//! scores of a rule, being products over its links (Koehn et al. 2003), are computed again
//! instead of stored; what is stored is by how much the product misses.

use super::notation::Notation;
use crate::table::Symbol;
use crate::table::packed::{
    EliasFano, EliasFanoBuilder, FieldReader, FieldWriter, Ints, IntsWriter,
};

/// Words with several links look for the further ones among this many entries.
pub const SEARCHED: u64 = 64;

/// Which of the two lexical scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// lex(e|f): a product over target words.
    TargetGivenSource,
    /// lex(f|e): a product over source words.
    SourceGivenTarget,
}

impl Direction {
    pub const BOTH: [Direction; 2] = [Direction::TargetGivenSource, Direction::SourceGivenTarget];

    pub fn index(self) -> usize {
        self as usize
    }
}

/// A link of a rule and its pair in the lexicon.
#[derive(Debug, Clone, Copy)]
pub struct Linked {
    pub from: u8,
    pub to: u8,
    pub entry: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct Lexicon {
    notation: Notation,
    /// By source word: where its entries begin.
    starts: EliasFano,
    targets: Ints,
    /// Keys plus one, by direction; 0 where a probability is unknown.
    pairs: [Ints; 2],
    /// The same for words without a link, by target word and by source word.
    alone: [Ints; 2],
}

/// What a lexicon is made from: entries by source word in order of rank.
pub struct Entries {
    pub lists: Vec<Vec<(u32, [f32; 2])>>,
    /// By direction, then by word; NaN where unknown.
    pub alone: [Vec<f32>; 2],
}

impl Lexicon {
    pub fn write(entries: &Entries, notation: Notation, fields: &mut FieldWriter) {
        fields.number(notation.number());
        let all = || entries.lists.iter().flatten();
        let total = all().count() as u64;
        let mut starts = EliasFanoBuilder::new(entries.lists.len() as u64 + 1, total);
        let mut start = 0;
        for list in &entries.lists {
            starts.push(start);
            start += list.len() as u64;
        }
        starts.push(start);
        fields.sequence(&starts.finish());
        let mut targets = IntsWriter::new(all().map(|&(word, _)| word.into()).max().unwrap_or(0));
        all().for_each(|&(word, _)| targets.push(word.into()));
        fields.ints(targets);
        for direction in 0..2 {
            let weights: Vec<f32> = all().map(|(_, weights)| weights[direction]).collect();
            fields.ints(packed(&weights, notation));
        }
        for weights in &entries.alone {
            fields.ints(packed(weights, notation));
        }
    }

    pub fn read(fields: &mut FieldReader<'_>) -> Option<Self> {
        Some(Lexicon {
            notation: Notation::from_number(fields.number()?)?,
            starts: fields.sequence()?,
            targets: fields.ints()?,
            pairs: [fields.ints()?, fields.ints()?],
            alone: [fields.ints()?, fields.ints()?],
        })
    }

    /// Where the entries of a source word begin and end.
    pub fn entries(&self, source: u32) -> Option<(u64, u64)> {
        self.starts.pair(source.into())
    }

    pub fn target(&self, entry: u64) -> Option<u32> {
        self.targets.get(entry).map(|word| word as u32)
    }

    /// The entry of a pair, if it is among the first ones of the source word.
    pub fn find(&self, source: u32, target: u32) -> Option<u64> {
        let (start, end) = self.entries(source)?;
        (start..end.min(start + SEARCHED)).find(|&entry| self.target(entry) == Some(target))
    }

    /// The lexical score of a rule; None where a probability is unknown.
    pub fn predict(
        &self,
        direction: Direction,
        source: &[Symbol],
        target: &[Symbol],
        links: &[Linked],
    ) -> Option<f64> {
        let (words, place): (_, fn(&Linked) -> u8) = match direction {
            Direction::TargetGivenSource => (target, |link| link.to),
            Direction::SourceGivenTarget => (source, |link| link.from),
        };
        let mut product = 1.0;
        for (at, symbol) in words.iter().enumerate() {
            let Symbol::Word(word) = symbol else { continue };
            let (mut sum, mut many) = (0.0, 0_u32);
            for link in links.iter().filter(|link| usize::from(place(link)) == at) {
                sum += self.weight(&self.pairs[direction.index()], link.entry?)?;
                many += 1;
            }
            product *= match many {
                0 => self.weight(&self.alone[direction.index()], word.0.into())?,
                _ => sum / f64::from(many),
            };
        }
        Some(product)
    }

    fn weight(&self, keys: &Ints, index: u64) -> Option<f64> {
        let key = u32::try_from(keys.get(index)?.checked_sub(1)?).ok()?;
        Some(f64::from(self.notation.value(key)))
    }
}

fn packed(weights: &[f32], notation: Notation) -> IntsWriter {
    let keys: Vec<u64> = weights
        .iter()
        .map(|&weight| notation.nearest(f64::from(weight)).map_or(0, |key| u64::from(key) + 1))
        .collect();
    let mut ints = IntsWriter::new(keys.iter().copied().max().unwrap_or(0));
    keys.into_iter().for_each(|key| ints.push(key));
    ints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;

    #[test]
    fn products_follow_the_links() {
        let entries = Entries {
            lists: vec![vec![(1, [0.5, 0.25])], vec![(0, [0.125, f32::NAN]), (1, [0.75, 1.0])]],
            alone: [vec![0.5, f32::NAN], vec![0.1, 0.2]],
        };
        let mut fields = FieldWriter::default();
        Lexicon::write(&entries, Notation::Decimal, &mut fields);
        let mut reader = FieldReader::new(&fields.facts, fields.body.clone().into());
        let lexicon = Lexicon::read(&mut reader).unwrap();
        let word = |id| Symbol::Word(WordId(id));
        let link = |from, to, entry| Linked { from, to, entry };
        let (source, target) = ([word(0), Symbol::Slot(0), word(1)], [word(1), Symbol::Slot(0)]);
        let find = |s, t| lexicon.find(s, t);
        let links = [link(0, 0, find(0, 1)), link(2, 0, find(1, 1))];
        let predict =
            |direction, links: &[Linked]| lexicon.predict(direction, &source, &target, links);
        assert_eq!(predict(Direction::TargetGivenSource, &links), Some(0.625));
        assert_eq!(predict(Direction::SourceGivenTarget, &links), Some(0.25));
        assert_eq!(
            predict(Direction::SourceGivenTarget, &links[..1]),
            Some(0.25 * f64::from(0.2_f32))
        );
        assert_eq!(predict(Direction::TargetGivenSource, &[]), None);
        assert_eq!(find(1, 2), None);
    }
}
