//! Whether an edge fits the forest it is added to.

use smallvec::SmallVec;

use super::build::EdgeParts;
use super::graph::{Forest, NONE, Span, Symbol};
use super::words::WordList;

/// What is asked of an edge before it is added; answers say what is wrong.
pub(super) struct Check<'a> {
    pub(super) forest: &'a Forest,
    pub(super) words: &'a WordList,
    pub(super) edge: &'a EdgeParts<'a>,
}

type Checked = Result<(), String>;

impl Check<'_> {
    pub(super) fn all(&self) -> Checked {
        self.nodes()?;
        self.symbols()?;
        self.source()?;
        self.values()?;
        self.structure()
    }

    fn nodes(&self) -> Checked {
        let (head, nodes) = (self.edge.head, self.forest.nodes.len());
        if head.index() >= nodes {
            return Err(format!("its head is node {} of {nodes} nodes", head.0));
        }
        match self.edge.tails.iter().find(|&&tail| tail >= head) {
            Some(tail) => {
                Err(format!("its tail {} does not stand before its head {}", tail.0, head.0))
            }
            None => Ok(()),
        }
    }

    fn symbols(&self) -> Checked {
        let tails = self.edge.tails.len();
        let mut seen: SmallVec<[bool; 8]> = SmallVec::from_elem(false, tails);
        for &symbol in self.edge.symbols {
            match symbol {
                Symbol::Word(word) if word as usize >= self.words.len() => {
                    return Err(format!("word {word} of {} words", self.words.len()));
                }
                Symbol::Word(_) => {}
                Symbol::Slot(slot) => match seen.get_mut(slot as usize) {
                    None => return Err(format!("slot {slot} with {tails} tails")),
                    Some(true) => return Err(format!("slot {slot} stands in it twice")),
                    Some(seen) => *seen = true,
                },
            }
        }
        Ok(())
    }

    fn source(&self) -> Checked {
        let length = self.forest.source.len();
        let outside = |span: &&Span| span.start >= span.end || span.end as usize > length;
        if let Some(span) = self.edge.spans.iter().find(outside) {
            let Span { start, end } = span;
            return Err(format!("the span {start}–{end} is no part of {length} source words"));
        }
        let is_word =
            |index: u32| matches!(self.edge.symbols.get(index as usize), Some(Symbol::Word(_)));
        let wrong = |link: &&(u32, u32)| link.0 as usize >= length || !is_word(link.1);
        match self.edge.links.iter().find(wrong) {
            Some((source, symbol)) => Err(format!(
                "the link {source}-{symbol} does not join one of {length} source words and a word"
            )),
            None => Ok(()),
        }
    }

    fn values(&self) -> Checked {
        let features = &self.forest.features;
        if self.edge.dense.len() != features.dense() {
            let (found, expected) = (self.edge.dense.len(), features.dense());
            return Err(format!("{found} values for {expected} dense features"));
        }
        let numbers = self.edge.sparse.iter().map(|&(number, _)| number as usize);
        if !numbers.clone().is_sorted_by(|a, b| a < b)
            || numbers.clone().any(|number| number < features.dense() || number >= features.len())
        {
            return Err("sparse features out of order or range".into());
        }
        let sparse = self.edge.sparse.iter().map(|&(_, value)| value);
        let dense = self.edge.dense.iter().copied().enumerate();
        match dense.chain(numbers.zip(sparse)).find(|(_, value)| !value.is_finite()) {
            Some((place, value)) => Err(format!("{} is {value}", features.names()[place])),
            None => Ok(()),
        }
    }

    fn structure(&self) -> Checked {
        let (heads, symbols) = (self.edge.heads, self.edge.symbols.len());
        if !heads.is_empty() && heads.len() != symbols {
            return Err(format!("{} heads for {symbols} symbols", heads.len()));
        }
        let wrong =
            |&(place, &head): &(usize, &u16)| head as usize > symbols || head as usize == place + 1;
        match heads.iter().enumerate().find(wrong) {
            Some((place, head)) => Err(format!("symbol {place} has head {head} of {symbols}")),
            None if self.edge.rule == Some(NONE) => {
                Err("the number of its rule is too high".into())
            }
            None => Ok(()),
        }
    }
}
