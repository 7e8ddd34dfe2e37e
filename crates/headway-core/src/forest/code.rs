//! One forest as bytes: small numbers in few, floats as they are.

use super::build::{EdgeParts, ForestBuilder};
use super::features::Features;
use super::graph::{Flags, Forest, NONE, NodeId, Span, Symbol, packed, unpacked};
use crate::{Error, Result};

/// Numbers one after the other, low seven bits first.
#[derive(Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Bytes {
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn weights(&mut self, weights: &[f64]) {
        weights.iter().for_each(|weight| self.0.extend_from_slice(&weight.to_le_bytes()));
    }

    fn float(&mut self, value: f32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn list<T: Copy>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|&item| one(self, item));
    }

    /// Everything but features and weights.
    pub(super) fn forest(&mut self, forest: &Forest) {
        let words: Vec<&str> = forest.words.iter().collect();
        self.list(&words, |to, word| to.text(word));
        self.list(&forest.source, |to, word| to.number(word.into()));
        self.number(forest.goal.0.into());
        self.list(&forest.nodes, |to, node| {
            to.number(u64::from(node.label.wrapping_add(1)));
            if node.cover.end == NONE {
                let (start, width) = (node.cover.start as usize, forest.source.len().div_ceil(64));
                to.number(0);
                let bits = forest.bits[start..start + width].iter();
                bits.for_each(|bits| to.0.extend_from_slice(&bits.to_le_bytes()));
            } else {
                to.number(u64::from(node.cover.start) + 1);
                to.number(u64::from(node.cover.end - node.cover.start));
            }
        });
        self.number(forest.edge_count() as u64);
        forest.edges().for_each(|edge| self.edge(edge));
    }

    fn edge(&mut self, edge: super::Edge<'_>) {
        self.number(edge.head().0.into());
        self.list(edge.tails(), |to, tail| to.number(u64::from(edge.head().0 - tail.0)));
        let symbols: Vec<u32> = edge.symbols().map(packed).collect();
        // The bit that tells slots goes to the low end, where it costs nothing.
        self.list(&symbols, |to, symbol| to.number(symbol.rotate_left(1).into()));
        self.list(edge.spans(), |to, span| {
            to.number(span.start.into());
            to.number(u64::from(span.end - span.start));
        });
        self.list(edge.links(), |to, (source, symbol)| {
            to.number(source.into());
            to.number(symbol.into());
        });
        edge.dense().iter().for_each(|&value| self.float(value));
        self.list(edge.sparse(), |to, (place, value)| {
            to.number(place.into());
            to.float(value);
        });
        self.0.push(edge.flags().0);
        self.number(edge.rule().map_or(0, |rule| u64::from(rule) + 1));
        self.list(edge.heads(), |to, head| to.number(head.into()));
    }
}

/// Reads what `Bytes` wrote; bytes of anybody else give an error.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, many: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(many).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn number(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    fn small(&mut self) -> Result<u32> {
        u32::try_from(self.number()?).map_err(|_| damaged())
    }

    /// How many things follow, each of at least one byte: so a false number is found before
    /// memory is asked for.
    pub(super) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        if count > self.0.len() as u64 { Err(damaged()) } else { Ok(count as usize) }
    }

    pub(super) fn text(&mut self) -> Result<&'a str> {
        let length = self.count()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| damaged())
    }

    pub(super) fn weights(&mut self, many: usize) -> Result<Vec<f64>> {
        let bytes = self.take(many.checked_mul(8).ok_or_else(damaged)?)?;
        let floats = bytes.as_chunks::<8>().0.iter();
        Ok(floats.map(|bytes| f64::from_le_bytes(*bytes)).collect())
    }

    fn float(&mut self) -> Result<f32> {
        let bytes = self.take(4)?.try_into().map_err(|_| damaged())?;
        Ok(f32::from_le_bytes(bytes))
    }

    fn list<T>(
        &mut self,
        items: &mut Vec<T>,
        mut one: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<()> {
        items.clear();
        for _ in 0..self.count()? {
            items.push(one(self)?);
        }
        Ok(())
    }

    pub(super) fn forest(&mut self, features: &std::sync::Arc<Features>) -> Result<ForestRead> {
        let mut words = Vec::new();
        self.list(&mut words, |from| from.text())?;
        let mut source = Vec::new();
        self.list(&mut source, |from| {
            words.get(from.small()? as usize).copied().ok_or_else(damaged)
        })?;
        let mut builder = ForestBuilder::new(features.clone(), &source)?;
        for (number, word) in words.iter().enumerate() {
            if builder.word(word)? as usize != number {
                return Err(damaged());
            }
        }
        let goal = NodeId(self.small()?);
        for _ in 0..self.count()? {
            self.node(&mut builder, source.len())?;
        }
        let mut parts = Parts::default();
        for _ in 0..self.count()? {
            self.edge(&mut builder, features.dense(), &mut parts)?;
        }
        Ok(ForestRead { builder, goal })
    }

    fn node(&mut self, builder: &mut ForestBuilder, length: usize) -> Result<()> {
        let label = self.small()?.checked_sub(1);
        match self.small()?.checked_sub(1) {
            Some(start) => {
                let end = start.checked_add(self.small()?).ok_or_else(damaged)?;
                builder.span_node(start, end, label)?;
            }
            None => {
                let bytes = self.take(length.div_ceil(64) * 8)?;
                let bits = bytes.as_chunks::<8>().0.iter();
                let bits: Vec<u64> = bits.map(|bytes| u64::from_le_bytes(*bytes)).collect();
                builder.bits_node(&bits, label)?;
            }
        }
        Ok(())
    }

    fn edge(&mut self, builder: &mut ForestBuilder, dense: usize, parts: &mut Parts) -> Result<()> {
        let head = NodeId(self.small()?);
        self.list(&mut parts.tails, |from| {
            head.0.checked_sub(from.small()?).map(NodeId).ok_or_else(damaged)
        })?;
        self.list(&mut parts.symbols, |from| Ok(unpacked(from.small()?.rotate_right(1))))?;
        self.list(&mut parts.spans, |from| {
            let (start, length) = (from.small()?, from.small()?);
            Ok(Span { start, end: start.checked_add(length).ok_or_else(damaged)? })
        })?;
        self.list(&mut parts.links, |from| Ok((from.small()?, from.small()?)))?;
        parts.dense.clear();
        for _ in 0..dense {
            parts.dense.push(self.float()?);
        }
        self.list(&mut parts.sparse, |from| Ok((from.small()?, from.float()?)))?;
        let flags = Flags(self.take(1)?[0]);
        let rule = self.small()?.checked_sub(1);
        self.list(&mut parts.heads, |from| u16::try_from(from.number()?).map_err(|_| damaged()))?;
        builder.edge(&EdgeParts {
            head,
            tails: &parts.tails,
            symbols: &parts.symbols,
            spans: &parts.spans,
            links: &parts.links,
            dense: &parts.dense,
            sparse: &parts.sparse,
            flags,
            rule,
            heads: &parts.heads,
        })
    }
}

/// A forest that was read, before it gets its weights.
pub(super) struct ForestRead {
    pub(super) builder: ForestBuilder,
    pub(super) goal: NodeId,
}

/// Where the parts of one edge lie while it is read: the memory serves all of them.
#[derive(Default)]
struct Parts {
    tails: Vec<NodeId>,
    symbols: Vec<Symbol>,
    spans: Vec<Span>,
    links: Vec<(u32, u32)>,
    dense: Vec<f32>,
    sparse: Vec<(u32, f32)>,
    heads: Vec<u16>,
}

pub(super) fn damaged() -> Error {
    Error::setting("the bytes of a forest are damaged; build the file again")
}
