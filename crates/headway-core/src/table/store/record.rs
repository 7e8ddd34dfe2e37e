//! A rule as bytes that sort like the rule: by source side, then target side.

use crate::WordId;
use crate::table::{Counts, Rule, Structure, StructureKind, Symbol};

/// Longer sides have no places that fit a byte.
pub const LONGEST: usize = 255;

/// Slots come before words; 0 ends a side, so that a shorter side comes first.
fn symbol_code(symbol: Symbol) -> u32 {
    match symbol {
        Symbol::Slot(number) => 1 + u32::from(number),
        Symbol::Word(word) => word.0.saturating_add(257),
    }
}

fn symbol_of(code: u32) -> Symbol {
    match code {
        1..=256 => Symbol::Slot((code - 1) as u8),
        _ => Symbol::Word(WordId(code.wrapping_sub(257))),
    }
}

fn push_side(side: &[Symbol], bytes: &mut Vec<u8>) {
    for &symbol in side {
        bytes.extend(symbol_code(symbol).to_be_bytes());
    }
    bytes.extend([0; 4]);
}

pub fn push_rule(rule: &Rule, bytes: &mut Vec<u8>) {
    push_side(&rule.source, bytes);
    push_side(&rule.target, bytes);
    push_rest(rule, bytes);
}

/// Everything but the two sides.
pub fn push_rest(rule: &Rule, bytes: &mut Vec<u8>) {
    bytes.push(u8::from(rule.structure.is_some()) | (u8::from(rule.counts.is_some()) << 1));
    bytes.extend((rule.links.len() as u16).to_le_bytes());
    bytes.extend(rule.links.iter().flat_map(|&(from, to)| [from, to]));
    if let Some(structure) = &rule.structure {
        push_structure(structure, bytes);
    }
    if let Some(counts) = rule.counts {
        push_floats(&[counts.target, counts.source, counts.joint], bytes);
    }
    push_floats(&rule.features, bytes);
}

fn push_floats(numbers: &[f32], bytes: &mut Vec<u8>) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn push_structure(structure: &Structure, bytes: &mut Vec<u8>) {
    bytes.extend(match structure.kind {
        StructureKind::Fixed(place) => [0, place],
        StructureKind::FloatingLeft => [1, 0],
        StructureKind::FloatingRight => [2, 0],
    });
    bytes.push(structure.heads.len() as u8);
    bytes.extend(&structure.heads);
    bytes.extend(structure.label.0.to_le_bytes());
    bytes.push(structure.slot_labels.len() as u8);
    bytes.extend(structure.slot_labels.iter().flat_map(|label| label.0.to_le_bytes()));
}

/// Reads what `push_rule` wrote into a rule whose vectors are used again.
pub fn read_rule(bytes: &[u8], rule: &mut Rule) -> Option<()> {
    let bytes = read_side(bytes, &mut rule.source)?;
    let bytes = read_side(bytes, &mut rule.target)?;
    read_rest(bytes, rule)
}

/// Reads what `push_rest` wrote.
pub fn read_rest(bytes: &[u8], rule: &mut Rule) -> Option<()> {
    let (&[flags, low, high], mut bytes) = bytes.split_first_chunk::<3>()?;
    let links = bytes.split_at_checked(usize::from(u16::from_le_bytes([low, high])) * 2)?;
    rule.links.clear();
    rule.links.extend(links.0.chunks_exact(2).map(|link| (link[0], link[1])));
    bytes = links.1;
    rule.structure = None;
    if flags & 1 > 0 {
        let (structure, rest) = read_structure(bytes)?;
        rule.structure = Some(structure);
        bytes = rest;
    }
    rule.counts = None;
    if flags & 2 > 0 {
        let (counts, rest) = bytes.split_first_chunk::<12>()?;
        let mut counts = floats(counts);
        let (target, source, joint) = (counts.next()?, counts.next()?, counts.next()?);
        rule.counts = Some(Counts { target, source, joint });
        bytes = rest;
    }
    rule.features.clear();
    rule.features.extend(floats(bytes));
    Some(())
}

/// The bytes of the source side, the key that rules are sorted by.
pub fn source_key(bytes: &[u8]) -> &[u8] {
    let end = bytes.chunks_exact(4).position(|code| code == [0; 4]);
    &bytes[..end.map_or(bytes.len(), |end| end * 4 + 4)]
}

fn read_side<'a>(mut bytes: &'a [u8], side: &mut Vec<Symbol>) -> Option<&'a [u8]> {
    side.clear();
    loop {
        let (code, rest) = bytes.split_first_chunk::<4>()?;
        bytes = rest;
        match u32::from_be_bytes(*code) {
            0 => return Some(bytes),
            code => side.push(symbol_of(code)),
        }
    }
}

fn read_structure(bytes: &[u8]) -> Option<(Structure, &[u8])> {
    let (&[kind, place, length], bytes) = bytes.split_first_chunk::<3>()?;
    let (heads, bytes) = bytes.split_at_checked(usize::from(length))?;
    let (label, bytes) = bytes.split_first_chunk::<4>()?;
    let (&slots, bytes) = bytes.split_first()?;
    let (slots, bytes) = bytes.split_at_checked(usize::from(slots) * 4)?;
    let kind = match kind {
        0 => StructureKind::Fixed(place),
        1 => StructureKind::FloatingLeft,
        _ => StructureKind::FloatingRight,
    };
    let label = WordId(u32::from_le_bytes(*label));
    let slot_labels = slots.as_chunks::<4>().0.iter().map(|id| WordId(u32::from_le_bytes(*id)));
    let slot_labels = slot_labels.collect();
    Some((Structure { kind, heads: heads.to_vec(), label, slot_labels }, bytes))
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
}
