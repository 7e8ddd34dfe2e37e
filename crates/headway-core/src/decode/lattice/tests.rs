//! Lattice parsing against all paths and all trees.

use std::time::Duration;

use super::agenda::{Agenda, Searching};
use super::arcs::{Arc, ArcFeature, ArcScorer, ArcTable, Scorers};
use super::chart::Chart;
use super::clean::clean;
use super::derive::Translating;
use super::extract::{Extract, Wanted};
use super::forest::Parses;
use super::graph::{Edge, Lattice};
use super::item::Problem;
use super::outside::Outside;
use super::paths::Paths;
use super::sentence::{Memory, parse};
use super::settings::{LatticeSettings, Parsing};
use super::units::{Unit, units};
use crate::Monitor;
use crate::decode::clock::Clock;
use crate::decode::feature::{Feature, Placed};
use crate::decode::source::Source;
use crate::forest::{EdgeParts, Features, Forest, ForestBuilder, Span, Symbol};
use crate::parse::graph::{ArcScores, eisner};
use crate::random::Random;

/// Two values for every arc, drawn by lot.
struct Lots(u64);

impl Feature for Lots {
    fn names(&self) -> Vec<String> {
        vec!["one".to_string(), "other".to_string()]
    }

    fn arcs(&self) -> Option<&dyn ArcFeature> {
        Some(self)
    }
}

impl ArcFeature for Lots {
    fn begin<'a>(&'a self, _: &'a Source, _: &'a [Unit<'a>]) -> Box<dyn ArcScorer + 'a> {
        Box::new(Drawing(self.0))
    }
}

struct Drawing(u64);

impl ArcScorer for Drawing {
    fn arc(&mut self, arc: Arc, values: &mut [f32]) {
        let parent = arc.parent.map_or(0, |parent| parent + 1);
        let item = (u64::from(parent) << 32) + (u64::from(arc.child) << 1) + u64::from(arc.left);
        let mut random = Random::new(self.0, item);
        values.fill_with(|| random.next_f64() as f32 * 4.0 - 2.0);
    }
}

const WEIGHTS: [f32; 3] = [1.0, 0.75, -0.5];
const COLUMNS: [usize; 1] = [0];

/// A coarse forest: one feature, edges with two, one or no words, one tail each.
fn coarse(random: &mut Random, nodes: usize, edges: usize) -> Forest {
    let features = Features::dense_only(["phrases"]).unwrap();
    let source: Vec<String> = (0..9).map(|word| format!("s{word}")).collect();
    let mut builder = ForestBuilder::new(features, &source).unwrap();
    builder.weights([1.0].into()).unwrap();
    let words: Vec<u32> = (0..3).map(|word| builder.word(&format!("t{word}")).unwrap()).collect();
    let ids: Vec<_> = (0..nodes).map(|_| builder.bits_node(&[0], None).unwrap()).collect();
    builder.edge(&EdgeParts { head: ids[0], dense: &[0.0], ..EdgeParts::default() }).unwrap();
    for edge in 0..edges {
        // A chain first, so that there is a path.
        let from = if edge + 1 < nodes { edge } else { random.below(nodes - 1) };
        let to =
            if edge + 1 < nodes { edge + 1 } else { from + 1 + random.below(nodes - from - 1) };
        let mut symbols = vec![Symbol::Slot(0)];
        (0..[1, 1, 1, 2, 0][random.below(5)])
            .for_each(|_| symbols.push(Symbol::Word(words[random.below(3)])));
        let start = random.below(8) as u32;
        builder
            .edge(&EdgeParts {
                head: ids[to],
                tails: &[ids[from]],
                symbols: &symbols,
                spans: &[Span { start, end: start + 1 }],
                dense: &[random.next_f64() as f32 * 2.0 - 1.0],
                ..EdgeParts::default()
            })
            .unwrap();
    }
    builder.finish(ids[nodes - 1]).unwrap()
}

/// The values of a derivation, by its lattice edges with their parents.
type Tree = Vec<(u32, Option<u32>)>;

/// A lattice at work.
struct World<'a> {
    lattice: Lattice,
    units: usize,
    translating: Translating<'a>,
    memory: Memory,
}

/// Makes a random lattice, if it has an edge, and does something with it.
fn with_world<T>(
    seed: u64,
    nodes: usize,
    edges: usize,
    act: impl FnOnce(World<'_>) -> T,
) -> Option<T> {
    let forest = coarse(&mut Random::new(7, seed), nodes, edges);
    let weighted = forest.weighted().unwrap();
    let mut lattice = clean(&forest, weighted.scores());
    if lattice.edges.is_empty() {
        return None;
    }
    let units = units(&mut lattice, &forest);
    let placed = [Placed {
        feature: Box::new(Lots(seed)),
        columns: vec![1, 2],
        weights: WEIGHTS[1..].to_vec(),
    }];
    let source = Source::default();
    let scorers = Scorers::new(&placed, &source, &units);
    let translating = Translating { forest: &forest, columns: &COLUMNS, width: 3, scorers };
    let memory = Memory::default();
    Some(act(World { lattice, units: units.len(), translating, memory }))
}

impl World<'_> {
    /// The best trees with their scores.
    fn found(&mut self, settings: &LatticeSettings, most: usize) -> Vec<(f64, Tree)> {
        self.found_among(ALL, settings, most)
    }

    /// The same of so many items besides those of the best tree.
    fn found_among(
        &mut self,
        items: usize,
        settings: &LatticeSettings,
        most: usize,
    ) -> Vec<(f64, Tree)> {
        let monitor = Monitor::default();
        let scorers = &mut self.translating.scorers;
        let clock = Clock::new(None, &monitor);
        let lattice = self.lattice.clone();
        let parsed =
            parse(lattice, self.units, settings, scorers, &mut self.memory, clock).ok().unwrap();
        let (problem, wanted) = (parsed.problem(), Wanted { items, window: f64::INFINITY });
        let extract = Extract::new(problem, &self.memory.chart, wanted);
        let features = Features::dense_only(["phrases", "one", "other"]).unwrap();
        let translating = &mut self.translating;
        let parses =
            Parses::new(&problem, &extract, translating, &features, &WEIGHTS, false).unwrap();
        let list = parses.forest.weighted().unwrap().k_best(most).unwrap();
        let tree = |edges: &[crate::forest::EdgeId]| {
            let mut tree: Tree =
                edges.iter().filter_map(|edge| parses.attachments[edge.index()]).collect();
            tree.sort_unstable();
            tree
        };
        let found: Vec<(f64, Tree)> = list.iter().map(|it| (it.score, tree(&it.edges))).collect();
        for ((score, tree), one) in found.iter().zip(&list) {
            let translation = self.translating.parsed(&problem, tree.clone());
            assert!((weighted(&translation.features) - score).abs() < 1e-4);
            let words = parses.forest.text(&one.edges).unwrap();
            assert_eq!(translation.words.join(" "), words);
            let roots = tree.iter().filter(|(_, parent)| parent.is_none());
            assert_eq!(roots.count(), 1);
        }
        found
    }

    /// All paths with all trees and their scores, the best first.
    fn all(&mut self) -> Vec<(f64, Tree)> {
        let mut all = Vec::new();
        for path in paths(&self.lattice) {
            for heads in trees(path.len()) {
                let place = |head: usize| head.checked_sub(1).map(|head| path[head]);
                let tree: Tree =
                    path.iter().zip(heads).map(|(&edge, head)| (edge, place(head))).collect();
                all.push((self.score(&tree), tree));
            }
        }
        all.sort_by(|one, other| other.0.total_cmp(&one.0));
        all
    }

    fn score(&mut self, tree: &Tree) -> f64 {
        let mut values = vec![0.0; 3];
        for &(child, parent) in tree {
            self.translating.add_values(&self.lattice, child, &mut values);
            let unit = |edge: u32| self.lattice.edges[edge as usize].unit;
            let left = parent.is_some_and(|parent| child < parent);
            let arc = Arc { parent: parent.map(unit), child: unit(child), left };
            self.translating.scorers.add(arc, &mut values);
        }
        weighted(&values)
    }
}

fn weighted(values: &[f64]) -> f64 {
    values.iter().zip(WEIGHTS).map(|(value, weight)| value * f64::from(weight)).sum()
}

/// All paths by their edges.
fn paths(lattice: &Lattice) -> Vec<Vec<u32>> {
    let (mut open, mut found) = (vec![(0, Vec::new())], Vec::new());
    while let Some((node, path)) = open.pop() {
        if node == lattice.end() {
            found.push(path);
            continue;
        }
        for edge in lattice.leaving(node) {
            open.push((lattice.to(edge), [&path[..], &[edge as u32]].concat()));
        }
    }
    found
}

/// All projective trees with one root, by heads from 1.
fn trees(words: usize) -> Vec<Vec<usize>> {
    let all = (words + 1).pow(words as u32);
    let heads = |number: usize| -> Vec<usize> {
        (0..words as u32).map(|word| number / (words + 1).pow(word) % (words + 1)).collect()
    };
    (0..all).map(heads).filter(|heads| is_tree(heads)).collect()
}

fn is_tree(heads: &[usize]) -> bool {
    let words = heads.len();
    let above = |word: usize| {
        std::iter::successors(Some(word), |&it| it.checked_sub(1).map(|at| heads[at]))
            .take(words + 1)
            .take_while(|&it| it != 0)
            .collect::<Vec<_>>()
    };
    let ends = |word: usize| above(word).len() <= words;
    let projective = |(child, &head): (usize, &usize)| {
        let child = child + 1;
        head == 0
            || (child.min(head)..child.max(head)).skip(1).all(|word| above(word).contains(&head))
    };
    heads.iter().filter(|&&head| head == 0).count() == 1
        && (1..=words).all(ends)
        && heads.iter().enumerate().all(projective)
}

fn settings(parsing: Parsing, goals: usize) -> LatticeSettings {
    LatticeSettings { parsing, goals, ..LatticeSettings::default() }
}

const ALL: usize = usize::MAX;

#[test]
fn every_search_finds_the_best_of_all_trees_over_all_paths() {
    for seed in 0..60 {
        with_world(seed, 3 + seed as usize % 4, 4 + seed as usize % 9, |mut world| {
            let best = world.all().swap_remove(0).0;
            for (parsing, goals) in [
                (Parsing::Exact, 1),
                (Parsing::Bound, 1),
                (Parsing::Bound, ALL),
                (Parsing::Path, ALL),
            ] {
                let found = world.found(&settings(parsing, goals), 1);
                assert!((found[0].0 - best).abs() < 1e-4, "{seed} {parsing:?}: {found:?} {best}");
            }
        });
    }
}

#[test]
fn lists_are_those_of_enumeration() {
    for seed in 100..130 {
        with_world(seed, 3 + seed as usize % 3, 4 + seed as usize % 6, |mut world| {
            let all = world.all();
            for (parsing, goals) in
                [(Parsing::Exact, 1), (Parsing::Path, ALL), (Parsing::Bound, ALL)]
            {
                let found = world.found(&settings(parsing, goals), all.len() + 1);
                assert_eq!(found.len(), all.len(), "{parsing:?}");
                for (found, all) in found.iter().zip(&all) {
                    assert!((found.0 - all.0).abs() < 1e-4);
                }
                let mut trees: Vec<&Tree> = found.iter().map(|it| &it.1).collect();
                trees.sort();
                trees.dedup();
                assert_eq!(trees.len(), all.len());
            }
        });
    }
}

#[test]
fn the_best_tree_is_whole_however_few_items_are_wanted() {
    for seed in 700..720 {
        with_world(seed, 12, 40, |mut world| {
            let exact = settings(Parsing::Exact, 1);
            let best = world.found(&exact, 1)[0].0;
            for items in [0, 1, 20] {
                let found = world.found_among(items, &exact, 1);
                assert!((found[0].0 - best).abs() < 1e-4, "{seed} {items}");
            }
        });
    }
}

#[test]
fn arcs_and_agendas_say_that_time_was_up() {
    with_world(800, 12, 60, |mut world| {
        let (lattice, monitor) = (&world.lattice, Monitor::default());
        let paths = Paths::new(lattice);
        let scorers = &mut world.translating.scorers;
        let up = Clock::new(Some(Duration::ZERO), &monitor);
        let cut = ArcTable::new(lattice, &paths, world.units, up, |arc| scorers.worth(arc));
        assert!(cut.is_none());
        let endless = Clock::new(None, &monitor);
        let arcs = ArcTable::new(lattice, &paths, world.units, endless, |arc| scorers.worth(arc));
        let arcs = arcs.unwrap();
        let few = LatticeSettings { parents_mean: 2, ..LatticeSettings::default() };
        let mut ranked =
            ArcTable::new(lattice, &paths, world.units, endless, |arc| scorers.worth(arc)).unwrap();
        assert!(!super::parents::rank(lattice, &paths, &mut ranked, &few, up));
        let problem = Problem { lattice, arcs: &arcs, paths: &paths };
        for (limit, cut) in [(None, false), (Some(Duration::ZERO), true)] {
            let (mut chart, mut agenda) = (Chart::default(), Agenda::default());
            chart.clear(lattice);
            let (chart, agenda) = (&mut chart, &mut agenda);
            let mut searching =
                Searching { problem, outside: Outside::bounds(&problem), chart, agenda };
            let work = searching.run(ALL, Clock::new(limit, &monitor)).unwrap();
            assert_eq!(work.cut, cut, "{work:?}");
        }
    })
    .unwrap();
}

#[test]
fn a_lattice_too_large_is_given_back_with_its_best_path() {
    with_world(800, 12, 60, |mut world| {
        let monitor = Monitor::default();
        let clock = Clock::new(None, &monitor);
        let parallel = |at: u32| {
            let (from, score) = (at % 2, if at < 2 { 1.0 } else { 0.0 });
            Edge { from, to: from + 1, score, unit: 0, parts: Vec::new() }
        };
        let mut parsed = |edges: u32, parsing| {
            let lattice = Lattice::new((0..edges).map(parallel).collect(), vec![None; 3]);
            let scorers = &mut world.translating.scorers;
            parse(lattice, 1, &settings(parsing, 1), scorers, &mut world.memory, clock)
        };
        let whole = parsed(7000, Parsing::Exact).err().unwrap();
        let path = whole.best_path(|edge| whole.score(edge));
        assert_eq!(path.iter().map(|&edge| whole.score(edge)).sum::<f32>(), 2.0);
        // An agenda needs tables of its own.
        assert!(parsed(6000, Parsing::Bound).is_err());
        assert!(parsed(60, Parsing::Exact).is_ok() && parsed(60, Parsing::Bound).is_ok());
    })
    .unwrap();
}

#[test]
fn a_single_path_gets_the_tree_of_the_eisner_parser() {
    for seed in 200..220 {
        with_world(seed, 9, 8, |mut world| {
            let words = world.lattice.edges.len();
            let mut scores = ArcScores::new(words);
            for child in 0..words as u32 {
                for parent in (0..=words as u32).filter(|&parent| parent != child + 1) {
                    let unit = |edge: u32| world.lattice.edges[edge as usize].unit;
                    let above = parent.checked_sub(1);
                    let left = above.is_some_and(|above| child < above);
                    let arc = Arc { parent: above.map(unit), child: unit(child), left };
                    let worth = world.translating.scorers.worth(arc);
                    scores.set(parent as usize, child as usize + 1, f64::from(worth));
                }
            }
            let heads = eisner(&scores, true);
            let expected: Tree = (0..).zip(heads.iter().map(|head| head.checked_sub(1))).collect();
            for parsing in [Parsing::Exact, Parsing::Bound] {
                assert_eq!(world.found(&settings(parsing, 1), 1)[0].1, expected);
            }
        });
    }
}

#[test]
fn more_goals_and_parents_come_nearer_to_the_exact_score() {
    let (mut by_goals, mut by_parents) = ([0.0; 3], [0.0; 4]);
    for seed in 300..330 {
        with_world(seed, 12, 60, |mut world| {
            let exact = world.found(&settings(Parsing::Exact, 1), 1)[0].0;
            for (sum, goals) in by_goals.iter_mut().zip([1, 8, ALL]) {
                *sum += exact - world.found(&settings(Parsing::Path, goals), 1)[0].0;
            }
            for (sum, mean) in by_parents.iter_mut().zip([1, 4, 16, 64]) {
                let settings = LatticeSettings {
                    parents_mean: mean,
                    parents_least: 1,
                    parents_most: 100,
                    ..settings(Parsing::Exact, 1)
                };
                *sum += exact - world.found(&settings, 1)[0].0;
            }
        });
    }
    for losses in [&by_goals[..], &by_parents] {
        assert!(losses.windows(2).all(|pair| pair[0] >= pair[1] - 1e-3), "{losses:?}");
        assert!(losses[0] > 0.1 && losses[losses.len() - 1].abs() < 1e-2, "{losses:?}");
    }
}

#[test]
fn all_pairs_are_those_of_floyd_and_warshall() {
    for seed in 400..420 {
        with_world(seed, 10, 30, |world| {
            let (lattice, nodes) = (&world.lattice, world.lattice.nodes());
            let mut best = vec![vec![f32::NEG_INFINITY; nodes]; nodes];
            (0..nodes).for_each(|node| best[node][node] = 0.0);
            for edge in &lattice.edges {
                let place = &mut best[edge.from as usize][edge.to as usize];
                *place = place.max(edge.score);
            }
            for middle in 0..nodes {
                for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                    best[from][to] = best[from][to].max(best[from][middle] + best[middle][to]);
                }
            }
            let paths = Paths::new(lattice);
            for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                assert_eq!(paths.reaches(from, to), best[from][to] > f32::NEG_INFINITY);
                let same = paths.best(from, to) == best[from][to];
                assert!(same || (paths.best(from, to) - best[from][to]).abs() < 1e-5);
            }
        });
    }
}

#[test]
fn cleaning_keeps_every_text_with_its_best_score() {
    for seed in 500..560 {
        let forest = coarse(&mut Random::new(7, seed), 6, 12);
        let weighted = forest.weighted().unwrap();
        let mut expected: std::collections::BTreeMap<String, f64> = Default::default();
        for one in weighted.k_best(10_000).unwrap() {
            let text = forest.text(&one.edges).unwrap();
            expected.entry(text).or_insert(one.score);
        }
        expected.remove("");
        let lattice = clean(&forest, weighted.scores());
        assert!(lattice.edges.iter().all(|edge| edge.from < edge.to));
        let mut found: std::collections::BTreeMap<String, f64> = Default::default();
        for path in if lattice.edges.is_empty() { Vec::new() } else { paths(&lattice) } {
            let edges = path.iter().map(|&edge| &lattice.edges[edge as usize]);
            let (mut score, mut words) = (0.0, Vec::new());
            for edge in edges {
                score += f64::from(edge.score);
                let parts = edge.parts.iter().flat_map(|&part| forest.edge(part).symbols());
                let before = words.len();
                words.extend(parts.filter_map(|symbol| match symbol {
                    Symbol::Word(word) => Some(forest.word(word)),
                    Symbol::Slot(_) => None,
                }));
                assert!(words.len() > before, "an edge without words");
            }
            let best = found.entry(words.join(" ")).or_insert(f64::NEG_INFINITY);
            *best = best.max(score);
        }
        assert_eq!(found.len(), expected.len());
        for ((one, found), (other, expected)) in found.iter().zip(&expected) {
            assert!(one == other && (found - expected).abs() < 1e-4);
        }
    }
}

#[test]
fn edges_keep_their_share_of_parents() {
    for seed in 600..610 {
        with_world(seed, 12, 60, |mut world| {
            let settings = LatticeSettings {
                parents_mean: 5,
                parents_least: 2,
                parents_most: 9,
                ..LatticeSettings::default()
            };
            let (lattice, monitor) = (&world.lattice, Monitor::default());
            let paths = Paths::new(lattice);
            let scorers = &mut world.translating.scorers;
            let clock = Clock::new(None, &monitor);
            let mut arcs =
                ArcTable::new(lattice, &paths, world.units, clock, |arc| scorers.worth(arc))
                    .unwrap();
            let count = |arcs: &ArcTable| {
                let mut parents = vec![0; lattice.edges.len()];
                for one in 0..lattice.edges.len() {
                    for other in super::arcs::followers(lattice, &paths, one) {
                        let (right, left) = arcs.pair(one, other);
                        parents[other] += usize::from(right > f32::NEG_INFINITY);
                        parents[one] += usize::from(left > f32::NEG_INFINITY);
                    }
                }
                parents
            };
            let before = count(&arcs);
            assert!(super::parents::rank(lattice, &paths, &mut arcs, &settings, clock));
            let after = count(&arcs);
            assert!(after.iter().sum::<usize>() <= 5 * lattice.edges.len());
            for (before, after) in before.into_iter().zip(after) {
                assert!((before.min(2)..=9).contains(&after), "{before} {after}");
            }
        });
    }
}
