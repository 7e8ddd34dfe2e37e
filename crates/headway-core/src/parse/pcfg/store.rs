//! Grammars in files.

use crate::Result;
use crate::container::{Container, ContainerWriter};
use crate::parse::multiclass::numbers;

use super::expect::Model;
use super::grammar::{Binary, Grammar, Rules, Tables, Unary};
use super::learn::Learnt;
use super::lexicon::Lexicon;
use super::symbols::Symbols;

/// No symbol has more variants: twice as many after each of seven splits.
const MOST_VARIANTS: usize = 128;

pub const SECTIONS: usize = 8 + Lexicon::SECTIONS;

/// Rounds all numbers to what a file keeps of them, so that a parser is the same once saved.
pub fn round(learnt: &mut Learnt) {
    let Tables { binary, unary, root } = &mut learnt.model.grammar.tables;
    for table in [binary, unary, root] {
        table.iter_mut().for_each(|value| *value = f64::from(*value as f32));
    }
    learnt.model.lexicon.round();
}

pub fn write_sections(learnt: &Learnt, writer: &mut ContainerWriter) -> Result<()> {
    let grammar = &learnt.model.grammar;
    writer.section("sizes")?;
    let sizes: Vec<u16> = grammar.sizes.iter().map(|&size| size as u16).collect();
    writer.write(bytemuck::cast_slice(&sizes))?;
    writer.section("binary")?;
    for rule in &grammar.rules.binary {
        writer.write(bytemuck::cast_slice(&[rule.left, rule.right, rule.parent]))?;
    }
    writer.section("unary")?;
    for rule in &grammar.rules.unary {
        writer.write(bytemuck::cast_slice(&[rule.child, rule.parent]))?;
    }
    let Tables { binary, unary, root } = &grammar.tables;
    for (name, table) in [("binary-p", binary), ("unary-p", unary), ("root-p", root)] {
        writer.section(name)?;
        let table: Vec<f32> = table.iter().map(|&value| value as f32).collect();
        writer.write(bytemuck::cast_slice(&table))?;
    }
    writer.section("origins")?;
    for of in learnt.origins.iter().flatten() {
        writer.write(bytemuck::cast_slice(of))?;
    }
    writer.section("states")?;
    writer.write(bytemuck::cast_slice(&learnt.states))?;
    learnt.model.lexicon.write_sections(writer)
}

/// None if they make no sense.
pub fn read_sections(container: &Container, symbols: &Symbols) -> Result<Option<Learnt>> {
    let sizes: Vec<usize> =
        numbers::<u16>(container, "sizes")?.into_iter().map(usize::from).collect();
    let rules = Rules {
        binary: numbers::<[u16; 3]>(container, "binary")?
            .into_iter()
            .map(|[left, right, parent]| Binary { left, right, parent })
            .collect(),
        unary: numbers::<[u16; 2]>(container, "unary")?
            .into_iter()
            .map(|[child, parent]| Unary { child, parent })
            .collect(),
    };
    let table = |name: &str| -> Result<Vec<f64>> {
        Ok(numbers::<f32>(container, name)?.into_iter().map(f64::from).collect())
    };
    let tables =
        Tables { binary: table("binary-p")?, unary: table("unary-p")?, root: table("root-p")? };
    if !is_sound(&rules, &sizes, &tables, symbols) {
        return Ok(None);
    }
    let mut grammar = Grammar::new(rules, sizes);
    grammar.tables = tables;
    let states: Vec<f64> = numbers(container, "states")?;
    let Some(origins) = origins(&numbers::<u16>(container, "origins")?, &grammar) else {
        return Ok(None);
    };
    let counted = states.iter().all(|state| (0.0..1e15).contains(state));
    if states.len() != grammar.all_states() || !counted {
        return Ok(None);
    }
    let lexicon = Lexicon::read_sections(container, &grammar)?;
    let model = Model { grammar, lexicon };
    Ok(Some(Learnt { model, origins, states, likelihoods: Vec::new() }))
}

/// Whether rules are in order and of known symbols, and whether there is a probability for each
/// of their variants.
fn is_sound(rules: &Rules, sizes: &[usize], tables: &Tables, symbols: &Symbols) -> bool {
    let known = |symbol: u16| (symbol as usize) < sizes.len();
    let Rules { binary, unary } = rules;
    let in_order = binary.windows(2).all(|pair| pair[0] < pair[1])
        && unary.windows(2).all(|pair| pair[0] < pair[1]);
    if sizes.len() != symbols.len()
        || sizes.iter().any(|&size| size == 0 || size > MOST_VARIANTS)
        || !in_order
        || !binary.iter().all(|rule| known(rule.left) && known(rule.right) && known(rule.parent))
        || !unary.iter().all(|rule| known(rule.child) && known(rule.parent))
    {
        return false;
    }
    let size = |symbol: u16| sizes[symbol as usize];
    let pairs = binary.iter().map(|rule| size(rule.left) * size(rule.right) * size(rule.parent));
    let steps = unary.iter().map(|rule| size(rule.child) * size(rule.parent));
    let lengths = [
        (&tables.binary, pairs.sum::<usize>()),
        (&tables.unary, steps.sum()),
        (&tables.root, sizes.iter().sum()),
    ];
    // Rounding may bring a certain rule a little above 1.
    let sound = |value: &f64| (0.0..=1.001).contains(value);
    lengths.iter().all(|(table, length)| table.len() == *length && table.iter().all(sound))
}

/// The origins of variants at each round of splits, the last of which is what they are.
fn origins(numbers: &[u16], grammar: &Grammar) -> Option<Vec<Vec<Vec<u16>>>> {
    let states = grammar.all_states();
    if numbers.is_empty() || !numbers.len().is_multiple_of(states) {
        return None;
    }
    let mut levels = Vec::new();
    for level in numbers.chunks(states) {
        let of = |symbol: usize| level[grammar.states[symbol]..grammar.states[symbol + 1]].to_vec();
        let level: Vec<Vec<u16>> = (0..grammar.symbols()).map(of).collect();
        let known = |of: &Vec<u16>| of.iter().all(|&one| (one as usize) < of.len());
        if !level.iter().all(known) {
            return None;
        }
        levels.push(level);
    }
    let first = levels[0].iter().flatten().all(|&one| one == 0);
    let last = levels[levels.len() - 1].iter().all(|of| of.iter().copied().eq(0..of.len() as u16));
    (first && last && nested(&levels)).then_some(levels)
}

/// Whether variants of the same origin have the same origin further back too.
fn nested(levels: &[Vec<Vec<u16>>]) -> bool {
    levels.windows(2).all(|pair| {
        pair[0].iter().zip(&pair[1]).all(|(coarse, fine)| {
            (0..fine.len()).all(|one| {
                (0..one).all(|other| fine[one] != fine[other] || coarse[one] == coarse[other])
            })
        })
    })
}
