//! Target spans as dependency structures (Shen, Xu & Weischedel 2010, Definitions 1 to 3).

use super::code;
use super::pair::{Place, Tree};
use crate::table::{Structure, StructureKind};
use crate::tree::{Heads, Spans, Structure as SpanStructure, Topology};

/// The label of floating structures, and of all where labels are not wanted.
pub const GENERIC_LABEL: u32 = 0;

const NO_STRUCTURE: u8 = 0;
const FLOATING_LEFT: u8 = 1;
const FLOATING_RIGHT: u8 = 2;
const FIXED: u8 = 3;

/// A well-formed span. Words are numbered from 1, as heads are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub kind: ShapeKind,
    /// The head of all that has its head outside.
    pub head: u32,
    pub label: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    Fixed(u32),
    FloatingLeft,
    FloatingRight,
}

/// Prepared from a tree, or from what a parser left in place of one.
pub struct Shapes<'a> {
    tree: &'a Tree,
    spans: Spans,
    /// For each place the end of the first cycle that lies wholly after it.
    cycle_ends: Vec<u32>,
}

impl<'a> Shapes<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        let spans = Spans::new(&tree.heads);
        Shapes { tree, spans, cycle_ends: cycle_ends(&tree.heads) }
    }

    /// None if the words of the span are no well-formed structure. The definitions take a tree
    /// for granted; where heads run in a circle within the span, it is none.
    pub fn shape(&self, (start, end): (Place, Place)) -> Option<Shape> {
        let (first, last) = (u32::from(start) + 1, u32::from(end));
        if self.cycle_ends.get(usize::from(start)).is_some_and(|&cycle| cycle <= last) {
            return None;
        }
        match self.spans.structure(first, last) {
            SpanStructure::Fixed(word) => Some(Shape {
                kind: ShapeKind::Fixed(word),
                head: self.tree.heads.of(word),
                label: self.tree.labels[word as usize - 1],
            }),
            SpanStructure::FloatingLeft { head, .. } => {
                Some(Shape { kind: ShapeKind::FloatingLeft, head, label: GENERIC_LABEL })
            }
            SpanStructure::FloatingRight { head, .. } => {
                Some(Shape { kind: ShapeKind::FloatingRight, head, label: GENERIC_LABEL })
            }
            SpanStructure::IllFormed => None,
        }
    }
}

fn cycle_ends(heads: &Heads) -> Vec<u32> {
    let topology = Topology::new(heads);
    if !topology.has_cycle() {
        return Vec::new();
    }
    let mut ends = vec![u32::MAX; heads.len()];
    for cycle in topology.cycles() {
        if let (Some(&first), Some(&last)) = (cycle.iter().min(), cycle.iter().max()) {
            let end = &mut ends[first as usize - 1];
            *end = last.min(*end);
        }
    }
    for start in (1..ends.len()).rev() {
        ends[start - 1] = ends[start - 1].min(ends[start]);
    }
    ends
}

/// The target side of a rule while its structure is coded.
pub struct Target<'a> {
    pub heads: &'a Heads,
    pub span: (Place, Place),
    pub shape: Shape,
    /// For each word of the span its place in the rule; words of a slot share one.
    pub places: &'a [u8],
    pub slots: &'a [Slot],
}

#[derive(Debug, Clone, Copy)]
pub struct Slot {
    pub span: (Place, Place),
    pub shape: Shape,
}

impl Target<'_> {
    /// Heads of slots take the place of the heads of their words: the links of a floating
    /// structure become one.
    pub fn push(&self, key: &mut Vec<u8>) {
        match self.shape.kind {
            ShapeKind::FloatingLeft => key.push(FLOATING_LEFT),
            ShapeKind::FloatingRight => key.push(FLOATING_RIGHT),
            ShapeKind::Fixed(word) => {
                key.extend([FIXED, self.place(word).unwrap_or_default()]);
            }
        }
        let mut word = self.span.0;
        while word < self.span.1 {
            let (head, next) = match self.slots.iter().find(|slot| slot.span.0 == word) {
                Some(slot) => (slot.shape.head, slot.span.1),
                None => (self.heads.of(u32::from(word) + 1), word + 1),
            };
            key.push(self.place(head).map_or(0, |place| place + 1));
            word = next;
        }
        code::push_word(key, self.shape.label);
        for slot in self.slots {
            code::push_word(key, slot.shape.label);
        }
    }

    /// The place of a word (from 1) in the rule, if it is in it.
    fn place(&self, word: u32) -> Option<u8> {
        let index = word.checked_sub(u32::from(self.span.0) + 1)?;
        self.places.get(index as usize).copied()
    }
}

pub fn push_no_structure(key: &mut Vec<u8>) {
    key.push(NO_STRUCTURE);
}

/// Passes over the kind and the heads of a structure of that many symbols; whether there is one.
pub fn skip_tree(decoder: &mut code::Decoder<'_>, symbols: usize) -> bool {
    let kind = decoder.byte();
    if kind != NO_STRUCTURE {
        decoder.bytes(symbols + usize::from(kind == FIXED));
    }
    kind != NO_STRUCTURE
}

/// Passes over a structure of that many symbols and slots.
pub fn skip_structure(decoder: &mut code::Decoder<'_>, symbols: usize, slots: usize) {
    if skip_tree(decoder, symbols) {
        decoder.skip_words(1 + slots);
    }
}

/// Reads what was coded above.
pub fn structure(
    decoder: &mut code::Decoder<'_>,
    symbols: usize,
    slots: usize,
) -> Option<Structure> {
    let kind = match decoder.byte() {
        NO_STRUCTURE => return None,
        FLOATING_LEFT => StructureKind::FloatingLeft,
        FLOATING_RIGHT => StructureKind::FloatingRight,
        _ => StructureKind::Fixed(decoder.byte()),
    };
    let heads = decoder.bytes(symbols).to_vec();
    let label = decoder.word();
    let slot_labels = (0..slots).map(|_| decoder.word()).collect();
    Some(Structure { kind, heads, label, slot_labels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_not_well_formed() {
        // 2 and 3 head each other below nothing; 1 heads itself; 4 is the root.
        let heads = Heads::new(vec![1, 3, 2, 0, 4]).unwrap();
        let tree = Tree { heads, labels: vec![1; 5] };
        let shapes = Shapes::new(&tree);
        assert_eq!(shapes.shape((1, 4)), None);
        assert_eq!(shapes.shape((0, 5)), None);
        assert_eq!(shapes.shape((0, 1)), None);
        let expected = Shape { kind: ShapeKind::Fixed(4), head: 0, label: 1 };
        assert_eq!(shapes.shape((3, 5)), Some(expected));
        assert_eq!(shapes.shape((3, 4)), Some(expected));
    }

    #[test]
    fn structures_are_read_again() {
        // the boy will find it interesting, with "the boy will" and "it" as slots
        let heads = Heads::new(vec![2, 4, 4, 0, 4, 4]).unwrap();
        let tree = Tree { heads, labels: vec![1, 2, 3, 4, 5, 6] };
        let shapes = Shapes::new(&tree);
        let slot = |span| Slot { span, shape: shapes.shape(span).unwrap() };
        let target = Target {
            heads: &tree.heads,
            span: (0, 6),
            shape: shapes.shape((0, 6)).unwrap(),
            places: &[0, 0, 0, 1, 2, 3],
            slots: &[slot((0, 3)), slot((4, 5))],
        };
        let mut key = Vec::new();
        target.push(&mut key);
        let mut skipping = code::Decoder::new(&key);
        skip_structure(&mut skipping, 4, 2);
        assert!(skipping.is_done());
        let found = structure(&mut code::Decoder::new(&key), 4, 2).unwrap();
        assert_eq!(found.kind, StructureKind::Fixed(1));
        assert_eq!(found.heads, [2, 0, 2, 2]);
        assert_eq!(found.label.0, 4);
        assert_eq!([found.slot_labels[0].0, found.slot_labels[1].0], [GENERIC_LABEL, 5]);
    }
}
