//! Hierarchical orientation (Galley & Manning 2008): a phrase is compared with the largest
//! block that shift-reduce parsing of the phrases so far ends in.

use super::feature::{Feature, Scorer, SourceSpan, StackFeature, Step};
use super::interned::Interned;
use super::phrase::Phrase;
use super::registry::Registered;
use super::reordering::{Orientation, Oriented, Reordering};
use super::settings::Orienting;
use super::source::Source;
use crate::Result;
use crate::table::RuleTable;

/// The feature of tables with reordering scores, if search orients by blocks.
pub const REGISTERED: Registered = Registered {
    model: "rules",
    searches: &["stack", "lattice"],
    families: &["reordering"],
    settings: &[],
    joining: None,
    trees: false,
    exact: true,
    make: |models, search| {
        if search.orienting != Orienting::Hierarchical {
            return Ok(None);
        }
        Ok(Hierarchical::of(&models.table)?.map(|feature| Box::new(feature) as Box<_>))
    },
};

pub struct Hierarchical {
    reordering: Reordering,
    names: Vec<String>,
    /// Columns of the table, in the order of `names`.
    columns: Vec<usize>,
}

impl Hierarchical {
    /// None if the table has no reordering scores.
    pub fn of(table: &RuleTable) -> Result<Option<Self>> {
        let reordering = Reordering::of(table.features())?;
        let mut columns: Vec<usize> =
            [reordering.backward, reordering.forward].into_iter().flatten().flatten().collect();
        columns.sort_unstable();
        columns.dedup();
        let names = columns.iter().map(|&column| table.features()[column].name.clone()).collect();
        Ok((!reordering.is_empty()).then_some(Hierarchical { reordering, names, columns }))
    }

    fn place(&self, column: usize) -> usize {
        self.columns.iter().position(|&known| known == column).unwrap_or(0)
    }
}

impl Feature for Hierarchical {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn stack(&self) -> Option<&dyn StackFeature> {
        Some(self)
    }
}

impl StackFeature for Hierarchical {
    fn begin<'a>(&'a self, _source: &'a Source) -> Box<dyn Scorer + 'a> {
        Box::new(Blocks { feature: self, nodes: empty_stack() })
    }
}

/// A stack of blocks: the top one, and the stack below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    top: SourceSpan,
    below: u32,
}

/// States are stacks; 0 is the empty one.
struct Blocks<'a> {
    feature: &'a Hierarchical,
    nodes: Interned<Node>,
}

fn empty_stack() -> Interned<Node> {
    let mut nodes = Interned::new(1);
    nodes.id(&[Node { top: SourceSpan { start: -1, end: 0 }, below: 0 }]);
    nodes
}

impl Blocks<'_> {
    fn node(&self, state: u32) -> Node {
        self.nodes.get(state)[0]
    }

    /// Puts a span on a stack and joins it with what it touches.
    fn push(&mut self, state: u32, mut span: SourceSpan) -> u32 {
        let mut below = state;
        while below != 0 {
            let Node { top, below: next } = self.node(below);
            if top.end == span.start {
                span.start = top.start;
            } else if span.end == top.start {
                span.end = top.end;
            } else {
                break;
            }
            below = next;
        }
        self.nodes.id(&[Node { top: span, below }]).0
    }

    fn add(&self, columns: Oriented, orientation: Orientation, of: &Phrase, values: &mut [f32]) {
        let column = columns[orientation as usize];
        values[self.feature.place(column)] += of.values[column];
    }
}

impl Scorer for Blocks<'_> {
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32 {
        values.fill(0.0);
        let current = (step.span.start, step.span.end);
        if let Some(columns) = self.feature.reordering.backward {
            let top = self.node(state).top;
            let orientation = Orientation::between((top.start, top.end), current);
            self.add(columns, orientation, step.phrase, values);
        }
        if let (Some(columns), Some((span, phrase))) =
            (self.feature.reordering.forward, step.previous)
        {
            self.add(columns, ahead(span, step.span, step.covered), phrase, values);
        }
        self.push(state, step.span)
    }
}

/// How the next phrase stands to `previous`, seen from the latter: words between them that are
/// still free will join the block that the next one belongs to.
fn ahead(previous: SourceSpan, current: SourceSpan, covered: &dyn Fn(i32) -> bool) -> Orientation {
    if current.start == previous.end || (current.start > previous.end && !covered(previous.end)) {
        Orientation::Monotone
    } else if current.end == previous.start
        || (current.end < previous.start && !covered(previous.start - 1))
    {
        Orientation::Swap
    } else {
        Orientation::between((previous.start, previous.end), (current.start, current.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_join_with_what_they_touch() {
        let feature = Hierarchical {
            reordering: Reordering::default(),
            names: Vec::new(),
            columns: Vec::new(),
        };
        let mut blocks = Blocks { feature: &feature, nodes: empty_stack() };
        let span = |start, end| SourceSpan { start, end };
        // Words 0 and 2 apart, then 1: all one block.
        let first = blocks.push(0, span(0, 1));
        let apart = blocks.push(first, span(2, 3));
        assert_eq!(blocks.node(apart).top, span(2, 3));
        let joined = blocks.push(apart, span(1, 2));
        assert_eq!(blocks.node(joined), Node { top: span(0, 3), below: 0 });
        assert_eq!(blocks.push(0, span(0, 3)), joined);
        // 1 3 0 2 cannot be made of two blocks before its end.
        let mut state = blocks.push(0, span(1, 2));
        for word in [3, 0] {
            state = blocks.push(state, span(word, word + 1));
            assert_eq!(blocks.node(state).top, span(word, word + 1));
        }
        state = blocks.push(state, span(2, 3));
        assert_eq!(blocks.node(state).top, span(2, 3));
    }
}
