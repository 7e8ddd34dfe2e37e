use headway_core::tree::structure::{self as core, Category, Direction, Link, Operation};
use headway_core::{Error, Result};
use pyo3::prelude::*;

use super::dependency::DependencyTree;
use crate::errors::raise;
use crate::short::short;

/// A dependency structure over neighbouring words, built from the bottom up.
#[pyclass(module = "headway.trees", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct PartialStructure {
    core: core::Partial,
}

/// What kind it is, and its head or its open children.
type CategoryParts = (&'static str, Vec<u32>);

#[pymethods]
impl PartialStructure {
    /// One word without children.
    #[staticmethod]
    fn word(place: u32) -> Self {
        PartialStructure { core: core::Partial::word(place) }
    }

    /// Words in no structure.
    #[staticmethod]
    fn null(first: u32, words: usize) -> PyResult<Self> {
        const MOST: usize = 1 << 20;
        if words > MOST {
            let message = format!("{words} words; a structure has at most {MOST}");
            return Err(raise(Error::setting(message)));
        }
        Ok(PartialStructure { core: core::Partial::null(first, words) })
    }

    /// A span of a tree, if it is well-formed there.
    #[staticmethod]
    fn of_span(tree: &DependencyTree, first: u32, last: u32) -> Option<Self> {
        let core = core::Partial::of_span(tree.spans(), first, last)?;
        Some(PartialStructure { core })
    }

    /// The place of the first word.
    #[getter]
    fn first(&self) -> u32 {
        self.core.first()
    }

    /// For each word its head, 0 where it is open, None in no structure.
    #[getter]
    fn heads(&self) -> Vec<Option<u32>> {
        let head = |link: &Link| match link {
            Link::To(head) => Some(*head),
            Link::Open => Some(0),
            Link::Null => None,
        };
        self.core.links().iter().map(head).collect()
    }

    /// `("fixed", [head])`, `("floating-left", children)`, `("floating-right", children)`, or
    /// None for the null structure.
    #[getter]
    fn category(&self) -> Option<CategoryParts> {
        Some(match self.core.category()? {
            Category::Fixed(head) => ("fixed", vec![head]),
            Category::Floating(Direction::Left, children) => ("floating-left", children),
            Category::Floating(Direction::Right, children) => ("floating-right", children),
        })
    }

    /// How many words are in no structure.
    #[getter]
    fn null_words(&self) -> usize {
        self.core.null_words()
    }

    /// Joins this with its right neighbour; None where the operation is undefined.
    fn join(&self, operation: &str, other: &PartialStructure) -> PyResult<Option<Self>> {
        let operation = self.checked(operation, other).map_err(raise)?;
        Ok(self.core.join(operation, &other.core).map(|core| PartialStructure { core }))
    }

    /// The same, with the null structure where the operation is undefined.
    fn join_or_null(&self, operation: &str, other: &PartialStructure) -> PyResult<Self> {
        let operation = self.checked(operation, other).map_err(raise)?;
        Ok(PartialStructure { core: self.core.join_or_null(operation, &other.core) })
    }

    fn __repr__(&self) -> String {
        let first = self.core.first();
        let last = (first as usize + self.core.links().len()).saturating_sub(1);
        let kind = self.category().map_or("null".to_string(), |(kind, words)| {
            let of = if kind == "fixed" { " on" } else { ":" };
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            format!("{kind}{of} {}", short(&words.join(" ")))
        });
        format!("<{first}–{last} {kind}>")
    }
}

impl PartialStructure {
    fn checked(&self, name: &str, other: &PartialStructure) -> Result<Operation> {
        let (first, words) = (self.core.first(), self.core.links().len());
        if first as usize + words != other.core.first() as usize {
            let (end, start) = (first as usize + words, other.core.first());
            let message = format!("the right neighbour begins with word {end}, this one {start}");
            return Err(Error::setting(message));
        }
        Operation::from_name(name).ok_or_else(|| {
            let names: Vec<&str> = Operation::ALL.iter().map(|(name, _)| *name).collect();
            Error::setting(format!("operation \"{name}\"; expected {}", names.join(", ")))
        })
    }
}
