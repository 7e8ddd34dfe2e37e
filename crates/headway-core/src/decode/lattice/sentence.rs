//! One sentence: its lattice, parsed.

use super::agenda::{Agenda, Searching, Work};
use super::arcs::{ArcTable, Scorers};
use super::chart::Chart;
use super::graph::Lattice;
use super::item::Problem;
use super::outside::Outside;
use super::parents;
use super::paths::Paths;
use super::settings::{LatticeSettings, Parsing};
use crate::decode::clock::Clock;

/// Bytes of tables: a lattice that needs more falls back to its best path.
const LARGEST: usize = 320 << 20;

/// Memory that sentences leave to those after them.
#[derive(Debug, Default)]
pub struct Memory {
    pub chart: Chart,
    pub agenda: Agenda,
}

/// A lattice with what its arcs are worth.
pub struct Parsed {
    pub lattice: Lattice,
    pub paths: Paths,
    pub arcs: ArcTable,
    /// What the agenda did.
    pub work: Work,
}

impl Parsed {
    pub fn problem(&self) -> Problem<'_> {
        Problem { lattice: &self.lattice, arcs: &self.arcs, paths: &self.paths }
    }
}

/// Fills the chart of a lattice; gives the lattice back if it is too large, if time is up, or if
/// the parents that were kept make no tree.
pub fn parse(
    lattice: Lattice,
    units: usize,
    settings: &LatticeSettings,
    scorers: &mut Scorers<'_>,
    memory: &mut Memory,
    clock: Clock<'_>,
) -> Result<Parsed, Box<Lattice>> {
    if size(&lattice, units, settings) > LARGEST || clock.is_up() {
        return Err(Box::new(lattice));
    }
    let paths = Paths::new(&lattice);
    let scored = ArcTable::new(&lattice, &paths, units, clock, |arc| scorers.worth(arc));
    let Some(mut arcs) = scored else { return Err(Box::new(lattice)) };
    if !parents::rank(&lattice, &paths, &mut arcs, settings, clock) {
        return Err(Box::new(lattice));
    }
    memory.chart.clear(&lattice);
    let mut parsed = Parsed { lattice, paths, arcs, work: Work::default() };
    let done = run(&parsed.problem(), settings, memory, clock);
    let has_tree = |chart: &Chart| {
        (0..parsed.lattice.edges.len())
            .any(|root| chart.goal(&parsed.problem(), root) > f32::NEG_INFINITY)
    };
    match done.filter(|_| has_tree(&memory.chart)) {
        Some(work) => {
            parsed.work = work;
            Ok(parsed)
        }
        None => Err(Box::new(parsed.lattice)),
    }
}

/// Bytes of the tables that parsing a lattice takes.
fn size(lattice: &Lattice, units: usize, settings: &LatticeSettings) -> usize {
    let (nodes, edges) = (lattice.nodes(), lattice.edges.len());
    let ranked = if settings.parents_mean == 0 { 0 } else { parents::size(edges) };
    let agenda = match settings.parsing {
        Parsing::Exact => 0,
        Parsing::Bound | Parsing::Path => Agenda::size(nodes, edges),
    };
    Chart::size(nodes, edges) + Paths::size(nodes) + ArcTable::size(units) + ranked + agenda
}

fn run(
    problem: &Problem<'_>,
    settings: &LatticeSettings,
    memory: &mut Memory,
    clock: Clock<'_>,
) -> Option<Work> {
    let Memory { chart, agenda } = memory;
    let outside = match settings.parsing {
        Parsing::Exact => return chart.fill(problem, clock).then(Work::default),
        Parsing::Bound => Outside::bounds(problem),
        Parsing::Path => Outside::of_paths(problem),
    };
    let mut searching = Searching { problem: *problem, outside, chart, agenda };
    searching.run(settings.goals, clock)
}
