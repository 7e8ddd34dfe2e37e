//! Models as files.

use std::path::Path;

use bytemuck::{AnyBitPattern, NoUninit};

use super::lexical::{Level, Lexical, label_of};
use super::options::Options;
use super::tables::Tables;
use crate::container::{Container, ContainerWriter, Kind};
use crate::{Error, Result, Vocabulary};

const KIND: Kind = Kind { name: "order", version: 1 };
const SECTIONS: usize = 22;

impl Tables {
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut writer = ContainerWriter::create(path, KIND, SECTIONS)?;
        let Options { lexical, sizes, punctuation_apart, longest } = self.options;
        let switches = [lexical, sizes, punctuation_apart].map(u32::from);
        write(&mut writer, "options", &[switches[0], switches[1], switches[2], longest])?;
        self.labels.write_sections(&mut writer, "label")?;
        self.sources.write_sections(&mut writer, "source")?;
        self.words.write_sections(&mut writer, "word")?;
        write(&mut writer, "seen", &self.seen)?;
        write(&mut writer, "offsets", &self.offsets)?;
        write(&mut writer, "mapping", &self.mapping)?;
        let lexical = &self.lexical;
        write(&mut writer, "contexts", &lexical.starts)?;
        write(&mut writer, "keys", &lexical.keys)?;
        write_level(&mut writer, "dep", &lexical.dependents)?;
        write(&mut writer, "pairs", &lexical.governor_starts)?;
        write(&mut writer, "governors", &lexical.governors)?;
        write_level(&mut writer, "pair", &lexical.pairs)?;
        writer.finish()
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let lexical = Lexical {
            starts: read(&container, "contexts")?,
            keys: read(&container, "keys")?,
            dependents: read_level(&container, "dep")?,
            governor_starts: read(&container, "pairs")?,
            governors: read(&container, "governors")?,
            pairs: read_level(&container, "pair")?,
        };
        let tables = Tables {
            options: read_options(&container)?,
            labels: Vocabulary::read_sections(&container, "label")?,
            sources: Vocabulary::read_sections(&container, "source")?,
            words: Vocabulary::read_sections(&container, "word")?,
            seen: read(&container, "seen")?,
            offsets: read(&container, "offsets")?,
            mapping: read(&container, "mapping")?,
            lexical,
        };
        if tables.is_consistent() { Ok(tables) } else { Err(damaged(&container)) }
    }

    /// Whether everything that is looked up is there.
    fn is_consistent(&self) -> bool {
        let (labels, words) = (self.labels.len(), self.words.len());
        let rows = labels * self.options.classes();
        let Lexical { starts, keys, dependents, governor_starts, governors, pairs } = &self.lexical;
        let outcomes = self.options.outcomes();
        labels > 0
            && self.seen.len() == labels
            && self.offsets.len() == rows * outcomes
            && self.mapping.len() == (self.sources.len() + 1) * labels
            && self.offsets.iter().chain(&self.mapping).all(|p| (0.0..=1.0).contains(p))
            && is_partition(starts, words, keys.len())
            && keys.iter().all(|&key| (label_of(key) as usize) < labels)
            && starts.windows(2).all(|of| keys[of[0] as usize..of[1] as usize].is_sorted())
            && dependents.len() == keys.len()
            && dependents.is_consistent(outcomes)
            && is_partition(governor_starts, keys.len(), governors.len())
            && pairs.len() == governors.len()
            && pairs.is_consistent(outcomes)
    }
}

impl Level {
    fn is_consistent(&self, outcomes: usize) -> bool {
        is_partition(&self.starts, self.len(), self.outcomes.len())
            && self.probabilities.len() == self.outcomes.len()
            && self.outcomes.iter().all(|&outcome| usize::from(outcome) < outcomes)
            && self.backoffs.iter().chain(&self.probabilities).all(|p| (0.0..=1.0).contains(p))
    }
}

/// Whether `starts` cuts `items` things into `parts`.
fn is_partition(starts: &[u32], parts: usize, items: usize) -> bool {
    starts.len() == parts + 1
        && starts[0] == 0
        && starts[parts] as usize == items
        && starts.is_sorted()
}

fn damaged(container: &Container) -> Error {
    Error::model(container.path(), "the order model in it is damaged; train it again")
}

fn write<T: NoUninit>(writer: &mut ContainerWriter, name: &str, values: &[T]) -> Result<()> {
    writer.section(name)?;
    writer.write(bytemuck::cast_slice(values))
}

fn write_level(writer: &mut ContainerWriter, name: &str, level: &Level) -> Result<()> {
    write(writer, &format!("{name}-starts"), &level.starts)?;
    write(writer, &format!("{name}-backoffs"), &level.backoffs)?;
    write(writer, &format!("{name}-offsets"), &level.outcomes)?;
    write(writer, &format!("{name}-seen"), &level.probabilities)
}

fn read<T: AnyBitPattern>(container: &Container, name: &str) -> Result<Vec<T>> {
    let values = bytemuck::try_cast_slice(container.section(name)?);
    Ok(values.map_err(|_| damaged(container))?.to_vec())
}

fn read_level(container: &Container, name: &str) -> Result<Level> {
    Ok(Level {
        starts: read(container, &format!("{name}-starts"))?,
        backoffs: read(container, &format!("{name}-backoffs"))?,
        outcomes: read(container, &format!("{name}-offsets"))?,
        probabilities: read(container, &format!("{name}-seen"))?,
    })
}

fn read_options(container: &Container) -> Result<Options> {
    let numbers: Vec<u32> = read(container, "options")?;
    let &[lexical, sizes, punctuation_apart, longest] = &numbers[..] else {
        return Err(damaged(container));
    };
    let [lexical, sizes, punctuation_apart] =
        [lexical, sizes, punctuation_apart].map(|switch| switch != 0);
    let options = Options { lexical, sizes, punctuation_apart, longest };
    options.check().map(|()| options).map_err(|_| damaged(container))
}
