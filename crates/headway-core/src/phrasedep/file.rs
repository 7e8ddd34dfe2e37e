//! Tables as files.

use std::path::Path;

use bytemuck::AnyBitPattern;

use super::phrases::{Collected, Phrases};
use super::rows::{Counted, Rows};
use crate::container::{Container, ContainerWriter, Kind};
use crate::{Error, Result, Vocabulary, WordId};

const KIND: Kind = Kind { name: "phrased", version: 1 };
const SECTIONS: usize = 16;

/// What is counted apart: dependencies of words, and of their clusters.
pub const LEVELS: [&str; 2] = ["word", "cluster"];

/// Words with their clusters. Words that have none, or are unknown, are of the last one.
#[derive(Debug, Default)]
pub struct Clusters {
    pub words: Vocabulary,
    pub of_words: Vec<u32>,
    pub rest: u32,
}

impl Clusters {
    /// The numbers of words, if all are known, and those of their clusters.
    pub fn numbers(&self, words: &[&str]) -> (Option<Vec<u32>>, Vec<u32>) {
        let ids: Vec<Option<u32>> =
            words.iter().map(|word| self.words.get(word).map(|id| id.0)).collect();
        let cluster = |id: &Option<u32>| id.map_or(self.rest, |id| self.of_words[id as usize]);
        let clusters = ids.iter().map(cluster).collect();
        (ids.into_iter().collect(), clusters)
    }

    /// A phrase of words as text.
    pub fn spelt(&self, words: &[u32]) -> String {
        let known = |&&word: &&u32| (word as usize) < self.words.len();
        let words = words.iter().filter(known).map(|&word| self.words.word(WordId(word)));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Writes a table of the phrases and the rows of each level.
pub fn write(path: &Path, clusters: &Clusters, levels: [(&Collected, &Counted); 2]) -> Result<()> {
    let mut writer = ContainerWriter::create(path, KIND, SECTIONS)?;
    clusters.words.write_sections(&mut writer, "text")?;
    writer.section("clusters")?;
    writer.write(bytemuck::cast_slice(&clusters.of_words))?;
    writer.section("rest")?;
    writer.write(&clusters.rest.to_le_bytes())?;
    for (name, (phrases, rows)) in LEVELS.iter().zip(levels) {
        phrases.write(&mut writer, name)?;
        rows.write(&mut writer, name)?;
    }
    writer.finish()
}

/// A table in a mapped file. What is damaged in it gives errors or wrong answers, never a crash.
#[derive(Debug)]
pub struct Table {
    container: Container,
    pub clusters: Clusters,
    levels: [Places; 2],
}

/// Where the arrays of a level are.
#[derive(Debug)]
struct Places {
    arrays: [std::ops::Range<usize>; 6],
}

impl Table {
    pub fn open(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        for name in ["text-words", "text-ends", "clusters", "rest"] {
            container.verify_section(name)?;
        }
        let words = Vocabulary::read_sections(&container, "text")?;
        let of_words: Vec<u32> = cast(&container, container.section("clusters")?)?.to_vec();
        let &[rest] = cast(&container, container.section("rest")?)? else {
            return Err(damaged(&container));
        };
        if of_words.len() != words.len() {
            return Err(damaged(&container));
        }
        let levels = [Places::find(&container, LEVELS[0])?, Places::find(&container, LEVELS[1])?];
        let table = Table { container, clusters: Clusters { words, of_words, rest }, levels };
        (0..LEVELS.len()).try_for_each(|level| table.check(level))?;
        Ok(table)
    }

    pub fn verify(&self) -> Result<()> {
        self.container.verify()
    }

    pub fn size(&self) -> u64 {
        self.container.size()
    }

    pub fn phrases(&self, level: usize) -> Phrases<'_> {
        Phrases {
            hashes: self.array(level, 0),
            ends: self.array(level, 1),
            tokens: self.array(level, 2),
        }
    }

    pub fn rows(&self, level: usize) -> Rows<'_> {
        Rows {
            starts: self.array(level, 3),
            totals: self.array(level, 4),
            entries: self.array(level, 5),
        }
    }

    fn array<T: AnyBitPattern>(&self, level: usize, number: usize) -> &[T] {
        let bytes = self.container.bytes(self.levels[level].arrays[number].clone());
        bytemuck::try_cast_slice(bytes).unwrap_or_default()
    }

    /// Lengths fit each other; then no look-up reaches beyond an array.
    fn check(&self, level: usize) -> Result<()> {
        let (phrases, rows) = (self.phrases(level), self.rows(level));
        let sides = 2 * (phrases.len() + 1);
        let fits = phrases.ends.len() == phrases.len()
            && rows.starts.len() == sides + 1
            && rows.totals.len() == sides
            && rows.starts.last().map(|&end| end as usize) == Some(rows.entries.len());
        if fits { Ok(()) } else { Err(damaged(&self.container)) }
    }
}

impl Places {
    fn find(container: &Container, level: &str) -> Result<Self> {
        let names = ["hashes", "ends", "tokens", "rows", "totals", "children"];
        let mut arrays = [const { 0..0 }; 6];
        for (array, name) in arrays.iter_mut().zip(names) {
            *array = container.locate(&format!("{level}-{name}"))?;
        }
        Ok(Places { arrays })
    }
}

fn cast<'c, T: AnyBitPattern>(container: &Container, bytes: &'c [u8]) -> Result<&'c [T]> {
    bytemuck::try_cast_slice(bytes).map_err(|_| damaged(container))
}

fn damaged(container: &Container) -> Error {
    Error::model(container.path(), "the phrase dependencies in it are damaged; extract them again")
}
