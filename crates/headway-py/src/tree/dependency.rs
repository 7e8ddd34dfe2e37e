use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use headway_core::tree::{self, Licences, Spans, Topology};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::notebook::drawn;
use crate::short::short_list;

/// Words, their heads (0 is the root), their tags and the labels of their arcs.
///
/// Words are numbered from 1: the head of word k is `heads[k - 1]`. Heads with cycles or several
/// roots are held like any other and flagged by `is_tree`, `has_cycle` and `roots`.
#[pyclass(module = "headway.trees", frozen, eq, hash)]
pub struct DependencyTree {
    pub core: tree::DependencyTree,
    topology: OnceLock<Topology>,
    spans: OnceLock<Spans>,
}

impl From<tree::DependencyTree> for DependencyTree {
    fn from(core: tree::DependencyTree) -> Self {
        DependencyTree { core, topology: OnceLock::new(), spans: OnceLock::new() }
    }
}

impl PartialEq for DependencyTree {
    fn eq(&self, other: &Self) -> bool {
        self.core == other.core
    }
}

impl Hash for DependencyTree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.core.hash(state);
    }
}

impl DependencyTree {
    fn topology(&self) -> &Topology {
        self.topology.get_or_init(|| self.core.topology())
    }

    pub fn spans(&self) -> &Spans {
        self.spans.get_or_init(|| self.core.spans())
    }

    fn check(&self, word: u32) -> PyResult<u32> {
        if (1..=self.core.len()).contains(&(word as usize)) {
            return Ok(word);
        }
        let words = self.core.len();
        Err(PyIndexError::new_err(format!("no word {word}; words are numbered 1 to {words}")))
    }
}

type Columns = (Vec<String>, Vec<u32>, Vec<String>, Vec<String>);

#[pymethods]
impl DependencyTree {
    /// A tree of these words; tags and labels are `_` unless given.
    #[new]
    #[pyo3(signature = (forms, heads, tags = None, labels = None))]
    fn new(
        forms: Vec<String>,
        heads: Vec<u32>,
        tags: Option<Vec<String>>,
        labels: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let unknown = || vec!["_".to_string(); forms.len()];
        let (tags, labels) = (tags.unwrap_or_else(unknown), labels.unwrap_or_else(unknown));
        let tree = tree::DependencyTree::new(forms, heads, tags, labels);
        tree.map(DependencyTree::from).map_err(raise)
    }

    /// The words.
    #[getter]
    fn forms(&self) -> &[String] {
        self.core.forms()
    }

    /// The head of each word; 0 for a root.
    #[getter]
    fn heads(&self) -> Vec<u32> {
        self.core.heads().to_vec()
    }

    /// The tag of each word.
    #[getter]
    fn tags(&self) -> &[String] {
        self.core.tags()
    }

    /// The label of the arc from each word's head.
    #[getter]
    fn labels(&self) -> &[String] {
        self.core.labels()
    }

    /// True for exactly one root and no cycle.
    #[getter]
    fn is_tree(&self) -> bool {
        self.topology().is_tree()
    }

    /// True if some word is its own ancestor.
    #[getter]
    fn has_cycle(&self) -> bool {
        self.topology().has_cycle()
    }

    /// Each cycle as its words, upwards from its leftmost.
    #[getter]
    fn cycles(&self) -> Vec<Vec<u32>> {
        self.topology().cycles()
    }

    /// The words with head 0.
    #[getter]
    fn roots(&self) -> Vec<u32> {
        self.topology().roots().to_vec()
    }

    /// True if each word with all that hangs under it is a contiguous span.
    #[getter]
    fn is_projective(&self) -> bool {
        self.topology().is_projective()
    }

    /// The same tree with words lifted to their head's head until no arcs cross. Where heads run
    /// in a circle it is left as it is.
    fn projective(&self, py: Python<'_>) -> PyResult<DependencyTree> {
        let mut heads = self.core.heads().to_vec();
        if !self.topology().has_cycle() {
            py.detach(|| tree::projectivise(&mut heads));
        }
        let (forms, tags, labels) = (self.core.forms(), self.core.tags(), self.core.labels());
        let lifted =
            tree::DependencyTree::new(forms.to_vec(), heads, tags.to_vec(), labels.to_vec());
        lifted.map(DependencyTree::from).map_err(raise)
    }

    /// The children of a word from left to right; of 0, the roots.
    fn children(&self, word: u32) -> PyResult<Vec<u32>> {
        let word = if word == 0 { 0 } else { self.check(word)? };
        Ok(self.topology().children(word).to_vec())
    }

    /// All that hangs under a word, from left to right.
    fn descendants(&self, word: u32) -> PyResult<Vec<u32>> {
        Ok(self.topology().descendants(self.check(word)?))
    }

    /// The first and the last word of the smallest span with a word and its descendants.
    fn subtree_span(&self, word: u32) -> PyResult<(u32, u32)> {
        let span = self.topology().subtree_span(self.check(word)?);
        Ok((*span.start(), *span.end()))
    }

    /// Steps from a word up to its root; None on or below a cycle.
    fn depth(&self, word: u32) -> PyResult<Option<u32>> {
        Ok(self.topology().depth(self.check(word)?))
    }

    /// A word, its head, the head of that, up to a root or once around a cycle.
    fn ancestors(&self, word: u32) -> PyResult<Vec<u32>> {
        Ok(self.topology().ancestors(self.check(word)?))
    }

    /// The words from one to another through their lowest common ancestor, ends included; None
    /// if they have different roots.
    fn path(&self, start: u32, end: u32) -> PyResult<Option<Vec<u32>>> {
        Ok(self.topology().path(self.check(start)?, self.check(end)?))
    }

    /// What the words from `first` to `last` form: fixed, floating or ill-formed. In O(1),
    /// after O(n) at the first call.
    fn structure(&self, first: u32, last: u32) -> PyResult<Structure> {
        let (first, last) = (self.check(first)?, self.check(last)?);
        if first > last {
            return Err(PyIndexError::new_err(format!("no span from {first} to {last}")));
        }
        Ok(self.spans().structure(first, last).into())
    }

    /// All well-formed spans of up to `longest` words, as (first, last, structure).
    #[pyo3(signature = (longest = None))]
    fn structures(&self, longest: Option<u32>) -> Vec<(u32, u32, Structure)> {
        let words = self.core.len() as u32;
        let longest = longest.unwrap_or(words);
        let ends = |first: u32| first..=words.min((first - 1).saturating_add(longest));
        let spans = (1..=words).flat_map(|first| ends(first).map(move |last| (first, last)));
        spans
            .map(|(first, last)| (first, last, self.spans().structure(first, last)))
            .filter(|(.., structure)| *structure != tree::Structure::IllFormed)
            .map(|(first, last, structure)| (first, last, structure.into()))
            .collect()
    }

    /// The spans of up to `longest` words that may be translated as one phrase: a word with
    /// complete subtrees of some of its children, as (first, last, word). None on a cycle.
    #[pyo3(signature = (longest = 4))]
    fn licensed_spans(&self, longest: u32) -> Option<Vec<(u32, u32, u32)>> {
        let licences = Licences::new(self.core.heads())?;
        let head = |(first, last)| Some((first, last, licences.head(first, last)?));
        Some(licences.spans(longest).filter_map(head).collect())
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        let (forms, heads) = (self.core.forms(), self.core.heads());
        format!("DependencyTree({}, {})", short_list(forms), short_list(heads))
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        drawn(slf, "svg")
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        drawn(slf, "html")
    }

    fn __getnewargs__(&self) -> Columns {
        let tree = &self.core;
        let strings = [tree.forms(), tree.tags(), tree.labels()].map(<[String]>::to_vec);
        let [forms, tags, labels] = strings;
        (forms, tree.heads().to_vec(), tags, labels)
    }
}

/// What a span is as a dependency structure (Shen, Xu and Weischedel 2010, Definitions 1 to 3).
///
/// `kind` is `fixed`, `floating-left` (left of its head), `floating-right` or `ill-formed`. `head`
/// is the word a fixed structure is fixed on, or the word outside that the children of a floating
/// one share; 0 where these are roots.
#[pyclass(module = "headway.trees", frozen, eq, hash, get_all)]
#[derive(PartialEq, Hash)]
pub struct Structure {
    kind: &'static str,
    head: Option<u32>,
    children: Vec<u32>,
}

#[pymethods]
impl Structure {
    /// True for fixed and floating structures.
    #[getter]
    fn is_well_formed(&self) -> bool {
        self.head.is_some()
    }

    fn __repr__(&self) -> String {
        match (self.head, &self.children[..]) {
            (None, _) => "<ill-formed>".into(),
            (Some(head), []) => format!("<{} on {head}>", self.kind),
            (Some(head), children) => {
                format!("<{} of {head}: {}>", self.kind, short_list(children))
            }
        }
    }
}

impl From<tree::Structure<'_>> for Structure {
    fn from(structure: tree::Structure<'_>) -> Self {
        let (kind, head, children) = match structure {
            tree::Structure::Fixed(head) => ("fixed", Some(head), vec![]),
            tree::Structure::FloatingLeft { head, children } => {
                ("floating-left", Some(head), children.to_vec())
            }
            tree::Structure::FloatingRight { head, children } => {
                ("floating-right", Some(head), children.to_vec())
            }
            tree::Structure::IllFormed => ("ill-formed", None, vec![]),
        };
        Structure { kind, head, children }
    }
}
