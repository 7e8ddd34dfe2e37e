//! Tree-to-tree configurations (Smith & Eisner 2006; Gimpel & Smith 2011, §4.3): how the source
//! phrases of a parent and its child are related in a tree of the source.
//!
//! For each two words, one of either phrase, there is at most one configuration; that of the two
//! words farthest apart counts, and of equally far ones the first in the order of
//! `Configuration`. Where there is none it is `other`.

use super::arcs::{Arc, ArcFeature, ArcScorer};
use super::string_to_tree::is_swapped;
use super::units::Unit;
use crate::decode::feature::{Feature, SourceSpan};
use crate::decode::registry::Registered;
use crate::decode::source::{Source, Used};
use crate::decode::trees::UsableTrees;

/// The features' family.
const FAMILY: &str = "tree-to-tree";

/// The features of systems that know trees of the source.
pub const REGISTERED: Registered = Registered {
    model: "rules",
    searches: &["lattice"],
    families: &[FAMILY],
    settings: &["tree_to_tree"],
    joining: None,
    trees: true,
    exact: true,
    make: |_, search| {
        Ok(search.lattice.tree_to_tree.then(|| Box::new(TreeToTree) as Box<dyn Feature>))
    },
};

/// How a word of the parent's phrase is related to one of the child's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Configuration {
    ParentChild,
    ChildParent,
    Grandparent,
    Sibling,
    CCommand,
    Other,
}

use Configuration::{CCommand, ChildParent, Grandparent, Other, ParentChild, Sibling};

const NAMES: [&str; 6] =
    ["parent-child", "child-parent", "grandparent-grandchild", "sibling", "c-command", "other"];

const VALUES: usize = 1 + 2 * NAMES.len() + 2;

pub struct TreeToTree;

impl Feature for TreeToTree {
    fn names(&self) -> Vec<String> {
        let orders = |name: &&str| ["same", "swapped"].map(|order| format!("{name}-{order}"));
        let configurations = NAMES.iter().flat_map(orders);
        let paths = ["path", "directed-path"].map(str::to_string);
        let all = ["root-root".to_string()].into_iter().chain(configurations).chain(paths);
        all.map(|name| format!("{FAMILY}.{name}")).collect()
    }

    fn arcs(&self) -> Option<&dyn ArcFeature> {
        Some(self)
    }

    fn uses(&self) -> Used {
        Used { trees: true, ..Used::default() }
    }
}

impl ArcFeature for TreeToTree {
    /// Without a tree all values are 0.
    fn begin<'a>(&'a self, source: &'a Source, units: &'a [Unit<'a>]) -> Box<dyn ArcScorer + 'a> {
        let trees = UsableTrees::new(source, 1, false).trees;
        let tree = trees.first().map(|tree| SourceTree::new(&tree.heads));
        let mut spans: Vec<SourceSpan> = units.iter().map(|unit| unit.source).collect();
        spans.sort_unstable_by_key(|span| (span.start, span.end));
        spans.dedup();
        let key = |span: &SourceSpan| (span.start, span.end);
        let number = |unit: &Unit<'_>| spans.binary_search_by_key(&key(&unit.source), key);
        let numbers = units.iter().map(|unit| number(unit).unwrap_or_default()).collect();
        let relations = vec![None; spans.len() * spans.len()];
        Box::new(Relations { tree, units, spans, numbers, relations })
    }
}

/// What two phrases of the source have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Relation {
    configuration: Configuration,
    /// One by the length of the shortest path; 0 without any.
    path: f32,
    /// The same of paths from a word of the parent down to one of the child.
    directed: f32,
}

struct Relations<'a> {
    tree: Option<SourceTree>,
    units: &'a [Unit<'a>],
    spans: Vec<SourceSpan>,
    /// The span of each unit.
    numbers: Vec<usize>,
    /// By the spans of parent and child, once they were asked for.
    relations: Vec<Option<Relation>>,
}

impl ArcScorer for Relations<'_> {
    fn arc(&mut self, arc: Arc, values: &mut [f32]) {
        let Some(tree) = &self.tree else { return };
        let Some(parent) = arc.parent else {
            values[0] = f32::from(u8::from(tree.has_root(self.units[arc.child as usize].source)));
            return;
        };
        let (above, below) = (self.numbers[parent as usize], self.numbers[arc.child as usize]);
        let place = above * self.spans.len() + below;
        let relation = *self.relations[place]
            .get_or_insert_with(|| tree.relation(self.spans[above], self.spans[below]));
        let swapped = is_swapped(self.units, arc, parent);
        values[1 + 2 * relation.configuration as usize + usize::from(swapped)] = 1.0;
        values[VALUES - 2] = relation.path;
        values[VALUES - 1] = relation.directed;
    }
}

/// A tree of the source without cycles; words count from 1, 0 is no word.
struct SourceTree {
    heads: Vec<u32>,
    depths: Vec<u32>,
}

impl SourceTree {
    fn new(heads: &[u32]) -> Self {
        let heads: Vec<u32> = [0].iter().chain(heads).copied().collect();
        let depth = |&word: &u32| {
            std::iter::successors(Some(word), |&it| Some(heads[it as usize]))
                .take_while(|&it| it != 0)
                .count() as u32
        };
        let depths = (0..heads.len() as u32).map(|word| depth(&word)).collect();
        SourceTree { heads, depths }
    }

    fn head(&self, word: u32) -> u32 {
        self.heads[word as usize]
    }

    fn has_root(&self, span: SourceSpan) -> bool {
        words(span).any(|word| self.head(word) == 0)
    }

    /// Where the ways up from two words meet; 0 if they do not.
    fn meeting(&self, mut one: u32, mut other: u32) -> u32 {
        while one != other {
            if self.depths[one as usize] >= self.depths[other as usize] {
                one = self.head(one);
            } else {
                other = self.head(other);
            }
        }
        one
    }

    fn relation(&self, parent: SourceSpan, child: SourceSpan) -> Relation {
        let (mut farthest, mut configuration) = (0, Other);
        let (mut path, mut directed) = (u32::MAX, u32::MAX);
        for (j, k) in words(parent).flat_map(|j| words(child).map(move |k| (j, k))) {
            let meeting = self.meeting(j, k);
            if meeting != 0 {
                let depth = |word: u32| self.depths[word as usize];
                let length = depth(j) + depth(k) - 2 * depth(meeting);
                path = path.min(length);
                if meeting == j {
                    directed = directed.min(length);
                }
            }
            let found = self.configuration(j, k, meeting, |word| {
                !contains(parent, word) && !contains(child, word)
            });
            let (distance, found) = (j.abs_diff(k), found.filter(|_| j != k));
            let Some(found) = found else { continue };
            if distance > farthest || (distance == farthest && found < configuration) {
                (farthest, configuration) = (distance, found);
            }
        }
        let inverse =
            |length: u32| if length == u32::MAX { 0.0 } else { 1.0 / length.max(1) as f32 };
        Relation { configuration, path: inverse(path), directed: inverse(directed) }
    }

    /// The configuration of two words; `outside` says whether a word is in neither phrase.
    ///
    /// A word c-commands another here if its parent is an ancestor of the other, though not its
    /// parent, and neither of the two is above the other.
    fn configuration(
        &self,
        j: u32,
        k: u32,
        meeting: u32,
        outside: impl Fn(u32) -> bool,
    ) -> Option<Configuration> {
        let (above_j, above_k) = (self.head(j), self.head(k));
        if above_k == j {
            Some(ParentChild)
        } else if above_j == k {
            Some(ChildParent)
        } else if above_k != 0 && self.head(above_k) == j && outside(above_k) {
            Some(Grandparent)
        } else if meeting == 0 || meeting == j || meeting == k || !outside(meeting) {
            None
        } else if above_j == above_k {
            Some(Sibling)
        } else if above_j == meeting || above_k == meeting {
            Some(CCommand)
        } else {
            None
        }
    }
}

/// The words of a span, from 1.
fn words(span: SourceSpan) -> impl Iterator<Item = u32> + Clone {
    span.start as u32 + 1..span.end as u32 + 1
}

fn contains(span: SourceSpan, word: u32) -> bool {
    (span.start as u32) < word && word <= span.end as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::source::WeightedTree;
    use crate::tree::DependencyTree;

    fn source(heads: &[u32]) -> Source {
        let forms: Vec<String> = (0..heads.len()).map(|word| format!("w{word}")).collect();
        let none = vec![String::new(); heads.len()];
        let tree = DependencyTree::new(forms.clone(), heads.to_vec(), none.clone(), none).unwrap();
        Source::new(forms).with_trees(vec![WeightedTree { tree, weight: 1.0 }]).unwrap()
    }

    fn unit((start, end): (i32, i32)) -> Unit<'static> {
        Unit { source: SourceSpan { start, end }, words: vec!["x"] }
    }

    /// The names of what fires for a parent and a child (none is the root), and both paths.
    fn fired(
        heads: &[u32],
        parent: Option<(i32, i32)>,
        child: (i32, i32),
        left: bool,
    ) -> (Vec<String>, f32, f32) {
        let source = source(heads);
        let units = [unit(parent.unwrap_or(child)), unit(child)];
        let mut scorer = TreeToTree.begin(&source, &units);
        let mut values = [0.0; VALUES];
        scorer.arc(Arc { parent: parent.map(|_| 0), child: 1, left }, &mut values);
        let names = TreeToTree.names().into_iter().zip(values).take(VALUES - 2);
        let fired = names.filter(|(_, value)| *value == 1.0).map(|(name, _)| name);
        let short = fired.map(|name| name["tree-to-tree.".len()..].to_string()).collect();
        (short, values[VALUES - 2], values[VALUES - 1])
    }

    /// Checks a configuration with the child on the side where the source has it, and swapped.
    fn check(heads: &[u32], parent: (i32, i32), child: (i32, i32), name: &str, paths: (f32, f32)) {
        let before = child.0 < parent.0;
        for (left, order) in [(before, "same"), (!before, "swapped")] {
            let found = fired(heads, Some(parent), child, left);
            assert_eq!(found, (vec![format!("{name}-{order}")], paths.0, paths.1));
        }
    }

    #[test]
    fn every_configuration_has_its_feature() {
        // 3 is the root over 2 and 5; 1 hangs from 2, 4 and 6 from 5.
        let heads = [2, 3, 0, 5, 3, 5];
        check(&heads, (2, 3), (4, 5), "parent-child", (1.0, 1.0));
        check(&heads, (4, 5), (2, 3), "child-parent", (1.0, 0.0));
        check(&heads, (2, 3), (0, 1), "grandparent-grandchild", (0.5, 0.5));
        check(&heads, (1, 2), (4, 5), "sibling", (0.5, 0.0));
        check(&heads, (3, 4), (5, 6), "sibling", (0.5, 0.0));
        // The parent of 2 is an ancestor of 4, and the other way round.
        check(&heads, (1, 2), (3, 4), "c-command", (1.0 / 3.0, 0.0));
        check(&heads, (3, 4), (1, 2), "c-command", (1.0 / 3.0, 0.0));
        // Cousins; and a grandparent as the child.
        check(&heads, (0, 1), (5, 6), "other", (0.25, 0.0));
        check(&heads, (0, 1), (2, 3), "other", (0.5, 0.0));
    }

    #[test]
    fn the_root_of_the_source_is_the_root_of_the_target() {
        assert_eq!(
            fired(&[2, 0, 2], None, (1, 3), false),
            (vec!["root-root".to_string()], 0.0, 0.0)
        );
        assert_eq!(fired(&[2, 0, 2], None, (2, 3), false), (vec![], 0.0, 0.0));
    }

    #[test]
    fn words_between_must_be_outside_of_both_phrases() {
        // 1 over 2 over 3: with 2 in the child's phrase that is parent and child.
        check(&[0, 1, 2], (0, 1), (1, 3), "parent-child", (1.0, 1.0));
        // 1 and 3 are siblings under 2; with 2 in a phrase they are not.
        check(&[2, 0, 2], (0, 1), (2, 3), "sibling", (0.5, 0.0));
        check(&[2, 0, 2], (0, 2), (2, 3), "parent-child", (1.0, 1.0));
        // 1 c-commands 4 through 2.
        check(&[2, 0, 2, 3], (0, 1), (3, 4), "c-command", (1.0 / 3.0, 0.0));
        check(&[2, 0, 2, 3], (0, 2), (3, 4), "grandparent-grandchild", (0.5, 0.5));
    }

    #[test]
    fn the_pair_farthest_apart_decides() {
        // 1 over 5 (parent-child, 4 apart); 2 and 3 are siblings under 5, within the phrase.
        check(&[0, 3, 1, 3, 1], (0, 2), (2, 5), "parent-child", (1.0, 1.0));
        // 4 over 1 (3 apart) and 2 over 3 (1 apart).
        check(&[4, 0, 2, 2], (0, 2), (2, 4), "child-parent", (1.0, 1.0));
        // Equally far: 1 over 3, and 4 over 2. The first in the list counts.
        check(&[0, 4, 1, 1], (0, 2), (2, 4), "parent-child", (1.0, 1.0));
        check(&[3, 0, 2, 2], (0, 2), (2, 4), "parent-child", (1.0, 1.0));
    }

    #[test]
    fn without_a_path_there_is_no_length_and_without_a_tree_nothing() {
        check(&[0, 0], (0, 1), (1, 2), "other", (0.0, 0.0));
        let (source, units) =
            (Source::new(vec!["a".into(), "b".into()]), [unit((0, 1)), unit((1, 2))]);
        let mut values = [0.0; VALUES];
        for parent in [None, Some(0)] {
            TreeToTree
                .begin(&source, &units)
                .arc(Arc { parent, child: 1, left: false }, &mut values);
        }
        assert_eq!(values, [0.0; VALUES]);
    }
}
