//! Which source sides fit which spans.
//!
//! From each first word, partial matches (a node of the table's trie, and the spans that fill
//! the slots so far) are kept by where they end, and advanced by a word or by a span that has
//! items. What was asked of the trie is remembered for the sentence.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::arena::NONE;
use crate::table::{NodeId, RuleTable, Symbol};

/// Asked nobody yet.
const UNASKED: u32 = u32::MAX - 1;
const ROOT: u32 = 0;

/// A node of the trie as one sentence sees it.
struct Seen {
    node: NodeId,
    parent: u32,
    symbol: Symbol,
    slots: u8,
    has_word: bool,
    has_rules: bool,
    slot_child: u32,
    /// Where its children by the words of the sentence begin.
    children: u32,
}

/// A source side, or the beginning of one, and what fills its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    pub node: u32,
    /// Spans of the slots; (0, 0) where there is none.
    pub slots: [(u32, u32); 2],
}

/// Matches in one sentence.
pub struct Matcher<'t> {
    table: &'t RuleTable,
    most_slots: u8,
    /// Words of the table by place, as numbers of the sentence; `NONE` for those it lacks.
    words: Vec<u32>,
    symbols: Vec<Symbol>,
    nodes: Vec<Seen>,
    children: Vec<u32>,
    /// For the first word in hand: matches by where they end, from it on.
    active: Vec<Vec<Match>>,
    start: u32,
}

impl<'t> Matcher<'t> {
    pub fn new(table: &'t RuleTable, sentence: &[&str]) -> Self {
        let mut numbers: HashMap<Symbol, u32, FxBuildHasher> = HashMap::default();
        let mut symbols = Vec::new();
        let words = sentence.iter().map(|word| {
            let Some(symbol) = table.source().get(word).map(Symbol::Word) else { return NONE };
            *numbers.entry(symbol).or_insert_with(|| {
                symbols.push(symbol);
                symbols.len() as u32 - 1
            })
        });
        let words = words.collect();
        let mut matcher = Matcher {
            table,
            most_slots: table.facts().most_slots.min(2) as u8,
            words,
            symbols,
            nodes: Vec::new(),
            children: Vec::new(),
            active: Vec::new(),
            start: 0,
        };
        matcher.add(table.root(), NONE, Symbol::Slot(0), 0, false);
        matcher
    }

    fn add(&mut self, node: NodeId, parent: u32, symbol: Symbol, slots: u8, word: bool) -> u32 {
        let id = self.nodes.len() as u32;
        let children = self.children.len() as u32;
        self.children.resize(self.children.len() + self.symbols.len(), UNASKED);
        self.nodes.push(Seen {
            node,
            parent,
            symbol,
            slots,
            has_word: word,
            // A slot alone would make a span from itself.
            has_rules: (word || slots > 1) && self.table.has_rules(node),
            slot_child: UNASKED,
            children,
        });
        id
    }

    fn word_child(&mut self, node: u32, word: u32) -> u32 {
        let Seen { node: from, slots, children, .. } = self.nodes[node as usize];
        let place = (children + word) as usize;
        if self.children[place] == UNASKED {
            let symbol = self.symbols[word as usize];
            self.children[place] = match self.table.child(from, symbol) {
                Some(child) => self.add(child, node, symbol, slots, true),
                None => NONE,
            };
        }
        self.children[place]
    }

    fn slot_child(&mut self, node: u32) -> u32 {
        let Seen { node: from, slots, has_word, slot_child, .. } = self.nodes[node as usize];
        if slot_child != UNASKED {
            return slot_child;
        }
        let symbol = Symbol::Slot(slots);
        let child = (slots < self.most_slots).then(|| self.table.child(from, symbol)).flatten();
        let child = match child {
            Some(child) => self.add(child, node, symbol, slots + 1, has_word),
            None => NONE,
        };
        self.nodes[node as usize].slot_child = child;
        child
    }

    /// Starts with a first word.
    pub fn begin(&mut self, start: u32) {
        self.start = start;
        self.active.iter_mut().for_each(Vec::clear);
        self.slot(0).push(Match { node: ROOT, slots: [(0, 0); 2] });
    }

    fn slot(&mut self, length: usize) -> &mut Vec<Match> {
        if length >= self.active.len() {
            self.active.resize_with(length + 1, Vec::new);
        }
        &mut self.active[length]
    }

    /// Finds the matches from the first word to before `end`; ends must come in order. `filled`
    /// tells whether there is anything from a word to before `end`, for later first words.
    pub fn advance(&mut self, end: u32, filled: impl Fn(u32) -> bool) -> &[Match] {
        let length = (end - self.start) as usize;
        let mut found = std::mem::take(self.slot(length));
        let word = self.words[end as usize - 1];
        if word != NONE {
            let before = std::mem::take(&mut self.active[length - 1]);
            for one in &before {
                let node = self.word_child(one.node, word);
                if node != NONE {
                    found.push(Match { node, ..*one });
                }
            }
            self.active[length - 1] = before;
        }
        let start = self.start;
        for middle in (1..length).filter(|&middle| filled(start + middle as u32)) {
            let before = std::mem::take(&mut self.active[middle]);
            for one in &before {
                found.extend(self.with_slot(*one, (start + middle as u32, end)));
            }
            self.active[middle] = before;
        }
        self.active[length] = found;
        &self.active[length]
    }

    fn with_slot(&mut self, one: Match, span: (u32, u32)) -> Option<Match> {
        let node = self.slot_child(one.node);
        let mut slots = one.slots;
        let filled = usize::from(self.nodes[one.node as usize].slots);
        *slots.get_mut(filled)? = span;
        (node != NONE).then_some(Match { node, slots })
    }

    /// Says that there is something from the first word to before `end`, which may fill a slot.
    pub fn fill(&mut self, end: u32) {
        let root = Match { node: ROOT, slots: [(0, 0); 2] };
        let span = (self.start, end);
        let one = self.with_slot(root, span);
        self.slot((end - span.0) as usize).extend(one);
    }

    pub fn has_rules(&self, node: u32) -> bool {
        self.nodes[node as usize].has_rules
    }

    /// The table's node.
    pub fn node(&self, node: u32) -> NodeId {
        self.nodes[node as usize].node
    }

    /// How many nodes the sentence has met; they are numbered from 0.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The source side of a node.
    pub fn source(&self, node: u32) -> SmallVec<[Symbol; 8]> {
        let (mut at, mut path) = (node, SmallVec::new());
        while at != ROOT {
            let seen = &self.nodes[at as usize];
            path.push(seen.symbol);
            at = seen.parent;
        }
        path.reverse();
        path
    }
}
