//! The trie over source symbols: nodes numbered level by level, so that the children of a node
//! stand side by side, sorted, slots first.

use crate::WordId;
use crate::table::Symbol;
use crate::table::packed::{
    EliasFano, EliasFanoBuilder, FieldReader, FieldWriter, Ints, IntsWriter,
};

/// A node of the trie; the root is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

#[derive(Debug, Clone)]
pub struct Trie {
    /// Codes below this are slots.
    slots: u64,
    /// Codes from here on are none.
    end: u64,
    /// By node: the symbol that leads to it (0 for the root).
    symbols: Ints,
    /// By node: its first child; the next node's first child ends its children.
    children: EliasFano,
    /// By node: where in the options those of the node begin.
    options: EliasFano,
}

impl Trie {
    /// A trie over so many words.
    pub fn read(fields: &mut FieldReader<'_>, words: usize) -> Option<Self> {
        let slots = fields.number()?;
        let trie = Trie {
            slots,
            end: slots.checked_add(words as u64)?,
            symbols: fields.ints()?,
            children: fields.sequence()?,
            options: fields.sequence()?,
        };
        let nodes = trie.symbols.len();
        let whole = nodes > 0
            && u32::try_from(nodes).is_ok()
            && trie.slots <= 256
            && trie.children.len() == nodes + 1
            && trie.options.len() == nodes + 1;
        whole.then_some(trie)
    }

    pub fn nodes(&self) -> u64 {
        self.symbols.len()
    }

    pub fn child(&self, node: NodeId, symbol: Symbol) -> Option<NodeId> {
        let code = code(symbol, self.slots)?;
        let (mut low, mut high) = self.children.pair(node.0.into())?;
        if code < self.slots {
            // Slots stand first: at most as many steps as there are slots.
            high = high.min(low + code + 1);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            match self.symbols.get(middle)?.cmp(&code) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return u32::try_from(middle).ok().map(NodeId),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    pub fn children(&self, node: NodeId) -> impl Iterator<Item = (Symbol, NodeId)> + '_ {
        let (start, end) = self.children.pair(node.0.into()).unwrap_or((0, 0));
        // A child has a higher number than its parent; anything else is damage.
        let start = start.max(u64::from(node.0) + 1);
        (start..end.min(self.nodes()))
            .map_while(|child| Some((self.symbol(child)?, NodeId(u32::try_from(child).ok()?))))
    }

    fn symbol(&self, node: u64) -> Option<Symbol> {
        let code = self.symbols.get(node).filter(|&code| code < self.end)?;
        Some(match code.checked_sub(self.slots) {
            None => Symbol::Slot(code as u8),
            Some(word) => Symbol::Word(WordId(u32::try_from(word).ok()?)),
        })
    }

    /// The symbols on the way to a node.
    pub fn path(&self, node: NodeId) -> Option<Vec<Symbol>> {
        let (mut node, mut path) = (u64::from(node.0), Vec::new());
        while node > 0 {
            path.push(self.symbol(node)?);
            let parent = self.children.count_to(node).checked_sub(1)?;
            if parent >= node {
                return None;
            }
            node = parent;
        }
        path.reverse();
        Some(path)
    }

    /// Which bits of the options belong to a node; None if it has none.
    pub fn options(&self, node: NodeId) -> Option<(u64, u64)> {
        self.options.pair(node.0.into()).filter(|(start, end)| start < end)
    }
}

fn code(symbol: Symbol, slots: u64) -> Option<u64> {
    match symbol {
        Symbol::Slot(number) => Some(u64::from(number)).filter(|&number| number < slots),
        Symbol::Word(word) => Some(slots + u64::from(word.0)),
    }
}

/// Takes source sides in order and makes the trie.
pub struct TrieBuilder {
    slots: u64,
    largest: u64,
    levels: Vec<Level>,
    last: Vec<Symbol>,
}

/// The nodes of one depth, in few bytes each: there may be millions.
struct Level {
    symbols: IntsWriter,
    children: Runs,
    options: Runs,
}

impl TrieBuilder {
    pub fn new(slots: u64, words: u64) -> Self {
        let mut builder =
            TrieBuilder { slots, largest: slots + words, levels: Vec::new(), last: Vec::new() };
        builder.node(0, 0);
        builder
    }

    fn node(&mut self, depth: usize, code: u64) {
        if depth == self.levels.len() {
            let symbols = IntsWriter::new(self.largest);
            self.levels.push(Level {
                symbols,
                children: Runs::default(),
                options: Runs::default(),
            });
        }
        let level = &mut self.levels[depth];
        level.symbols.push(code);
        level.children.begin();
        level.options.begin();
        if depth > 0 {
            self.levels[depth - 1].children.add(1);
        }
    }

    /// A source side that comes after all before it, and how many bits its options take.
    pub fn add(&mut self, source: &[Symbol], bits: u64) {
        let shared = source.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        for (depth, &symbol) in source.iter().enumerate().skip(shared) {
            self.node(depth + 1, code(symbol, self.slots).unwrap_or(self.largest));
        }
        self.levels[source.len()].options.add(bits);
        self.last.clear();
        self.last.extend_from_slice(source);
    }

    pub fn finish(self, fields: &mut FieldWriter) -> u64 {
        let nodes: u64 = self.levels.iter().map(|level| level.symbols.len).sum();
        let bits: u64 = self.levels.iter().map(|level| level.options.total).sum();
        let mut symbols = IntsWriter::new(self.largest);
        let mut children = EliasFanoBuilder::new(nodes + 1, nodes);
        let mut options = EliasFanoBuilder::new(nodes + 1, bits);
        let (mut child, mut bit) = (1, 0);
        for level in self.levels {
            symbols.append(level.symbols);
            for many in level.children.iter() {
                children.push(child);
                child += many;
            }
            for many in level.options.iter() {
                options.push(bit);
                bit += many;
            }
        }
        children.push(child);
        options.push(bit);
        fields.number(self.slots);
        fields.ints(symbols);
        fields.sequence(&children.finish());
        fields.sequence(&options.finish());
        nodes
    }
}

/// Numbers that are mostly small, seven bits a byte.
#[derive(Default)]
struct Runs {
    bytes: Vec<u8>,
    /// The number that may still grow.
    last: Option<u64>,
    total: u64,
}

impl Runs {
    fn begin(&mut self) {
        self.flush();
        self.last = Some(0);
    }

    fn add(&mut self, amount: u64) {
        self.last = self.last.map(|last| last + amount);
        self.total += amount;
    }

    fn flush(&mut self) {
        let Some(mut number) = self.last.take() else { return };
        while number >= 128 {
            self.bytes.push(number as u8 | 128);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn iter(mut self) -> impl Iterator<Item = u64> {
        self.flush();
        let mut bytes = self.bytes.into_iter();
        std::iter::from_fn(move || {
            let (mut number, mut shift) = (0, 0);
            loop {
                let byte = bytes.next()?;
                number |= u64::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 {
                    return Some(number);
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn symbol() -> impl Strategy<Value = Symbol> {
        prop_oneof![
            (0_u8..3).prop_map(Symbol::Slot),
            (0_u32..6).prop_map(|word| Symbol::Word(WordId(word))),
        ]
    }

    fn built(sources: &BTreeMap<Vec<Symbol>, u64>) -> Trie {
        let mut builder = TrieBuilder::new(3, 6);
        sources.iter().for_each(|(source, &bits)| builder.add(source, bits));
        let mut fields = FieldWriter::default();
        builder.finish(&mut fields);
        let mut reader = FieldReader::new(&fields.facts, fields.body.clone().into());
        Trie::read(&mut reader, 6).unwrap()
    }

    proptest! {
        #[test]
        fn walks_end_where_a_scan_ends(
            sources in prop::collection::btree_map(
                prop::collection::vec(symbol(), 1..5), 1_u64..500, 0..40),
            asked in prop::collection::vec(prop::collection::vec(symbol(), 1..5), 0..40),
        ) {
            let trie = built(&sources);
            for ask in asked.iter().chain(sources.keys()) {
                let node = ask.iter().try_fold(NodeId(0), |node, &symbol| trie.child(node, symbol));
                let prefix = sources.keys().any(|source| source.starts_with(ask));
                prop_assert_eq!(node.is_some(), prefix);
                if let Some(node) = node {
                    prop_assert_eq!(trie.path(node), Some(ask.clone()));
                    let bits = trie.options(node).map(|(start, end)| end - start);
                    prop_assert_eq!(bits, sources.get(ask).copied());
                }
            }
            let mut all = Vec::new();
            collect(&trie, NodeId(0), &mut Vec::new(), &mut all);
            let expected: Vec<_> = sources.into_keys().collect();
            prop_assert_eq!(all, expected);
        }
    }

    fn collect(trie: &Trie, node: NodeId, path: &mut Vec<Symbol>, all: &mut Vec<Vec<Symbol>>) {
        if trie.options(node).is_some() {
            all.push(path.clone());
        }
        for (symbol, child) in trie.children(node) {
            path.push(symbol);
            collect(trie, child, path, all);
            path.pop();
        }
    }
}
