use headway_core::tree::conllu::{self, COLUMNS, Column, Tags, Word};
use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::dependency::DependencyTree;
use crate::errors::{ConfigError, raise};
use crate::notebook::drawn;
use crate::short::short;

/// One sentence of a CoNLL-U file, with everything that stood there: comments, words, ranges
/// (`2-3`), empty nodes (`8.1`), line endings. `str(sentence)` is its text.
#[pyclass(module = "headway.trees", eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub struct Sentence {
    pub core: conllu::Sentence,
}

#[pymethods]
impl Sentence {
    /// Reads the text of one sentence.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        conllu::Sentence::parse(text).map(Sentence::from).map_err(raise)
    }

    /// A sentence of these words; columns that are not given are `_`.
    #[staticmethod]
    #[pyo3(signature = (form, *, lemma = None, upos = None, xpos = None, feats = None, head = None,
                        deprel = None, deps = None, misc = None, comments = Vec::new()))]
    fn from_columns(
        form: Vec<String>,
        lemma: Option<Vec<String>>,
        upos: Option<Vec<String>>,
        xpos: Option<Vec<String>>,
        feats: Option<Vec<String>>,
        head: Option<Vec<Option<u32>>>,
        deprel: Option<Vec<String>>,
        deps: Option<Vec<String>>,
        misc: Option<Vec<String>>,
        comments: Vec<String>,
    ) -> PyResult<Self> {
        let words = form.len();
        let full = |name, column| full_column(name, column, words);
        let (mut lemma, mut upos) = (full("lemma", lemma)?, full("upos", upos)?);
        let (mut xpos, mut feats) = (full("xpos", xpos)?, full("feats", feats)?);
        let (mut deprel, mut deps) = (full("deprel", deprel)?, full("deps", deps)?);
        let (mut misc, head) = (full("misc", misc)?, full_column("head", head, words)?);
        let take = |column: &mut Vec<String>, at: usize| std::mem::take(&mut column[at]);
        let words: Vec<Word> = form
            .into_iter()
            .enumerate()
            .map(|(at, form)| Word {
                form,
                lemma: take(&mut lemma, at),
                upos: take(&mut upos, at),
                xpos: take(&mut xpos, at),
                feats: take(&mut feats, at),
                head: head[at],
                deprel: take(&mut deprel, at),
                deps: take(&mut deps, at),
                misc: take(&mut misc, at),
            })
            .collect();
        let built = conllu::Sentence::from_words(&comments, &words);
        built.map(Sentence::from).map_err(raise)
    }

    /// A sentence of the words of a tree, its tags in the column `tags` (`upos` or `xpos`).
    #[staticmethod]
    #[pyo3(signature = (tree, tags = "upos"))]
    fn from_tree(tree: &DependencyTree, tags: &str) -> PyResult<Self> {
        let sentence = conllu::Sentence::from_tree(&tree.core, tags_named(tags)?);
        sentence.map(Sentence::from).map_err(raise)
    }

    /// The tree of the words, with tags from the column `tags` (`upos` or `xpos`).
    #[pyo3(signature = (tags = "upos"))]
    fn tree(&self, tags: &str) -> PyResult<DependencyTree> {
        self.core.tree(tags_named(tags)?).map(DependencyTree::from).map_err(raise)
    }

    /// Writes the tags, heads and labels of a tree into the words and leaves all else.
    #[pyo3(signature = (tree, tags = "upos"))]
    fn set_tree(&mut self, tree: &DependencyTree, tags: &str) -> PyResult<()> {
        self.core.set_tree(&tree.core, tags_named(tags)?).map_err(raise)
    }

    /// The line of its file where it starts; 1 if it comes from none.
    #[getter]
    fn line(&self) -> u64 {
        self.core.line()
    }

    /// The words.
    #[getter]
    fn forms(&self) -> Vec<&str> {
        self.cells(Column::Form)
    }

    /// The head of each word: 0 for a root, None where the column is `_`.
    #[getter]
    fn heads(&self) -> Vec<Option<u32>> {
        self.core.words().map(|row| row.head).collect()
    }

    /// One column of the words, by its name: `form`, `lemma`, `upos` …
    fn column(&self, name: &str) -> PyResult<Vec<&str>> {
        Ok(self.cells(column_named(name)?))
    }

    /// All rows, ranges and empty nodes among them, as tuples of ten columns.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        // A third of all columns are empty: one string does for them.
        let empty = intern!(py, "_");
        let cell = |row, column| match self.core.cell(row, column) {
            "_" => empty.clone(),
            text => PyString::new(py, text),
        };
        let rows = self.core.rows().iter();
        rows.map(|row| PyTuple::new(py, COLUMNS.map(|(column, _)| cell(row, column)))).collect()
    }

    /// Writes a value into a column of one of `rows()`.
    fn set(&mut self, row: usize, column: &str, value: &str) -> PyResult<()> {
        if row >= self.core.rows().len() {
            let rows = self.core.rows().len();
            return Err(PyIndexError::new_err(format!("no row {row} among {rows}")));
        }
        self.core.set(row, column_named(column)?, value).map_err(raise)
    }

    /// Writes a column of all words.
    fn set_column(&mut self, name: &str, values: Vec<String>) -> PyResult<()> {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        self.core.set_column(column_named(name)?, &values).map_err(raise)
    }

    /// The comments, each from its `#` on.
    #[getter]
    fn comments(&self) -> Vec<&str> {
        self.core.comments().collect()
    }

    /// The comments `# key = value`, the first of each key; the value of `# key` is None.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = PyDict::new(py);
        for (key, value) in self.core.metadata() {
            if !metadata.contains(key)? {
                metadata.set_item(key, value)?;
            }
        }
        Ok(metadata)
    }

    /// Sets the comment `# key = value`; an empty value gives `# key`, None removes it.
    fn set_value(&mut self, key: &str, value: Option<&str>) -> PyResult<()> {
        self.core.set_value(key, value).map_err(raise)
    }

    /// What the comment `# sent_id = …` says.
    #[getter]
    fn sent_id(&self) -> Option<&str> {
        self.core.value("sent_id")
    }

    /// What the comment `# text = …` says, or else what the words and their spacing give.
    #[getter]
    fn text(&self) -> String {
        self.core.value("text").map_or_else(|| self.core.surface(), str::to_string)
    }

    /// The text as the words and their spacing (`SpaceAfter=No` …) give it.
    fn surface(&self) -> String {
        self.core.surface()
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __str__(&self) -> &str {
        self.core.as_str()
    }

    fn __repr__(&self) -> String {
        format!("<Sentence {:?}>", short(&self.text()))
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        drawn(slf, "svg")
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        drawn(slf, "html")
    }

    fn __getnewargs__(&self) -> (&str,) {
        (self.core.as_str(),)
    }
}

impl From<conllu::Sentence> for Sentence {
    fn from(core: conllu::Sentence) -> Self {
        Sentence { core }
    }
}

impl Sentence {
    fn cells(&self, column: Column) -> Vec<&str> {
        self.core.words().map(|row| self.core.cell(row, column)).collect()
    }
}

fn full_column<T: Default + Clone>(
    name: &str,
    column: Option<Vec<T>>,
    words: usize,
) -> PyResult<Vec<T>> {
    let column = column.unwrap_or_else(|| vec![T::default(); words]);
    if column.len() == words {
        return Ok(column);
    }
    let found = column.len();
    Err(ConfigError::new_err(format!(
        "{name}: expected {words} values, one per word, found {found}"
    )))
}

fn column_named(name: &str) -> PyResult<Column> {
    Column::named(name).ok_or_else(|| {
        let names = COLUMNS.map(|(_, name)| name).join(", ");
        ConfigError::new_err(format!("no column {name:?}; expected one of {names}"))
    })
}

pub fn tags_named(name: &str) -> PyResult<Tags> {
    match name {
        "upos" => Ok(Tags::Upos),
        "xpos" => Ok(Tags::Xpos),
        _ => Err(ConfigError::new_err(format!("no tags {name:?}; expected upos or xpos"))),
    }
}
