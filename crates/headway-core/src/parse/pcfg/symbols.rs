//! The symbols of a grammar: tags, phrases, and what is left of phrases once they are binarised.

use rustc_hash::FxHashMap;

use crate::container::{Container, ContainerWriter};
use crate::parse::multiclass::numbers;
use crate::{Error, Result, Vocabulary};

/// Tables grow with the square of the number of symbols.
pub const MOST_SYMBOLS: usize = 4000;
const NONE: u32 = u32::MAX;

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Tag,
    Phrase,
    /// The children of a phrase but for the first ones.
    Rest,
}

const KINDS: [Kind; 3] = [Kind::Tag, Kind::Phrase, Kind::Rest];

/// A label with what it remembers of the tree around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol {
    pub kind: Kind,
    /// As `Symbols::labels` numbers them, and so the next two.
    pub label: u32,
    /// The label of the phrase above.
    pub parent: Option<u32>,
    /// The label of the child before, of a rest.
    pub sibling: Option<u32>,
}

impl Symbol {
    /// The symbol without its memory.
    pub fn bare(self) -> Symbol {
        Symbol { parent: None, sibling: None, ..self }
    }
}

/// Symbols as dense numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Symbols {
    pub labels: Vocabulary,
    list: Vec<Symbol>,
    numbers: FxHashMap<Symbol, u16>,
}

impl Symbols {
    /// The number of a symbol, given out now if it is new.
    pub fn add(&mut self, symbol: Symbol) -> Result<u16> {
        if let Some(&number) = self.numbers.get(&symbol) {
            return Ok(number);
        }
        let number = self.list.len();
        if number >= MOST_SYMBOLS {
            return Err(Error::setting(format!(
                "the treebank makes more than {MOST_SYMBOLS} symbols; lower \
                 parse.pcfg.horizontal and parse.pcfg.vertical, or strip its labels"
            )));
        }
        self.list.push(symbol);
        self.numbers.insert(symbol, number as u16);
        Ok(number as u16)
    }

    pub fn find(&self, symbol: &Symbol) -> Option<u16> {
        self.numbers.get(symbol).copied()
    }

    /// The number of a tag by its name.
    pub fn tag(&self, name: &str) -> Option<u16> {
        let label = self.labels.get(name)?.0;
        self.find(&Symbol { kind: Kind::Tag, label, parent: None, sibling: None })
    }

    pub fn get(&self, number: u16) -> Symbol {
        self.list[number as usize]
    }

    /// The label of a symbol.
    pub fn label(&self, number: u16) -> &str {
        self.labels.word(crate::vocab::WordId(self.get(number).label))
    }

    pub fn is_tag(&self, number: u16) -> bool {
        self.get(number).kind == Kind::Tag
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The symbols without their memory, and for each symbol which of them it becomes.
    pub fn bare(&self) -> (usize, Vec<u16>) {
        let mut bare = Symbols::default();
        let map = self.list.iter().map(|symbol| {
            let symbol = symbol.bare();
            let next = bare.list.len() as u16;
            let number = *bare.numbers.entry(symbol).or_insert(next);
            if number == next {
                bare.list.push(symbol);
            }
            number
        });
        let map = map.collect();
        (bare.len(), map)
    }

    pub const SECTIONS: usize = 3;

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        self.labels.write_sections(writer, "labels")?;
        writer.section("symbols")?;
        for symbol in &self.list {
            let numbers = [
                symbol.kind as u32,
                symbol.label,
                symbol.parent.unwrap_or(NONE),
                symbol.sibling.unwrap_or(NONE),
            ];
            writer.write(bytemuck::cast_slice(&numbers))?;
        }
        Ok(())
    }

    /// None if they make no sense.
    pub fn read_sections(container: &Container) -> Result<Option<Self>> {
        let labels = Vocabulary::read_sections(container, "labels")?;
        let mut symbols = Symbols { labels, ..Symbols::default() };
        let known = symbols.labels.len() as u32;
        for chunk in numbers::<u32>(container, "symbols")?.chunks(4) {
            let &[kind, label, parent, sibling] = chunk else { return Ok(None) };
            let memory = |label: u32| (label != NONE).then_some(label);
            let (parent, sibling) = (memory(parent), memory(sibling));
            let Some(&kind) = KINDS.get(kind as usize) else { return Ok(None) };
            if [Some(label), parent, sibling].into_iter().flatten().any(|label| label >= known) {
                return Ok(None);
            }
            let number = symbols.list.len();
            if symbols.add(Symbol { kind, label, parent, sibling })? as usize != number {
                return Ok(None);
            }
        }
        Ok(Some(symbols))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_forget_their_memory() {
        let mut symbols = Symbols::default();
        let (np, s) = (symbols.labels.add("NP").0, symbols.labels.add("S").0);
        let symbol = |kind, parent| Symbol { kind, label: np, parent, sibling: None };
        for symbol in [
            symbol(Kind::Phrase, Some(s)),
            symbol(Kind::Tag, None),
            symbol(Kind::Phrase, None),
            symbol(Kind::Rest, Some(s)),
        ] {
            let number = symbols.add(symbol).unwrap();
            assert_eq!((symbols.add(symbol).unwrap(), symbols.get(number)), (number, symbol));
            assert_eq!(symbols.label(number), "NP");
        }
        assert_eq!(symbols.bare(), (3, vec![0, 1, 0, 2]));
        assert_eq!((symbols.tag("NP"), symbols.tag("S"), symbols.tag("X")), (Some(1), None, None));
    }
}
