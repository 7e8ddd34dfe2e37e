//! Where models come from and go to: ARPA files, binaries, sinks.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::arpa::{ArpaReader, lines_of};
use super::build::{Collector, Levels, Loss, Workspace, write_hashed, write_trie};
use super::model::LanguageModel;
use super::table::{Layout, MemoryWriter, SectionSink};
use super::{Entry, NgramSink};
use crate::container::{Container, ContainerWriter, Kind};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

pub(super) const KIND: Kind = Kind { name: "lm", version: 1 };
const MOST_SECTIONS: usize = 24;

/// How a binary model is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub layout: Layout,
    /// Bits that a probability or back-off may take at most, for a trie.
    pub quantise: Option<u32>,
}

impl Options {
    fn check(self) -> Result<()> {
        match (self.layout, self.quantise) {
            (Layout::Hashed, Some(_)) => {
                Err(Error::setting("only the trie layout can be quantised; use --layout trie"))
            }
            (_, Some(bits)) if !(2..=24).contains(&bits) => {
                Err(Error::setting(format!("cannot quantise to {bits} bits; 2 to 24 are possible")))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a binary model of what it is given.
pub struct BinaryWriter<'a> {
    path: PathBuf,
    options: Options,
    collector: Collector,
    monitor: &'a Monitor,
    loss: Loss,
}

impl<'a> BinaryWriter<'a> {
    pub fn create(
        path: &Path,
        options: Options,
        workspace: Workspace,
        monitor: &'a Monitor,
    ) -> Result<Self> {
        options.check()?;
        // A path that cannot be written is told before the work, not after it.
        drop(ContainerWriter::create(path, KIND, MOST_SECTIONS)?);
        let (path, collector) = (path.to_path_buf(), Collector::new(workspace));
        Ok(BinaryWriter { path, options, collector, monitor, loss: Loss::default() })
    }

    /// What quantising changed at most, once finished.
    pub fn loss(&self) -> &Loss {
        &self.loss
    }
}

impl NgramSink for BinaryWriter<'_> {
    fn begin(&mut self, vocabulary: &Vocabulary, counts: &[u64]) -> Result<()> {
        self.collector.begin(vocabulary, counts)
    }

    fn ngram(&mut self, words: &[WordId], entry: Entry) -> Result<()> {
        self.collector.ngram(words, entry)
    }

    fn finish(&mut self) -> Result<()> {
        self.collector.finish()?;
        let levels = self.collector.levels(self.monitor)?;
        let mut writer = ContainerWriter::create(&self.path, KIND, MOST_SECTIONS)?;
        self.loss = write(&levels, self.options, &mut writer, self.monitor)?;
        writer.finish()
    }
}

fn write(
    levels: &Levels,
    options: Options,
    out: &mut dyn SectionSink,
    monitor: &Monitor,
) -> Result<Loss> {
    match options.layout {
        Layout::Hashed => write_hashed(levels, out, monitor).map(|()| Loss::default()),
        Layout::Trie => write_trie(levels, options.quantise, out, monitor),
    }
}

/// Makes a binary of an ARPA file or of another binary.
pub fn build(
    source: &Path,
    path: &Path,
    options: Options,
    workspace: Workspace,
    monitor: &Monitor,
) -> Result<Loss> {
    let mut writer = BinaryWriter::create(path, options, workspace, monitor)?;
    if is_binary(source)? {
        LanguageModel::open(source)?.emit(&mut writer, monitor)?;
    } else {
        let mut reader = ArpaReader::open(source)?;
        monitor.expect(reader.counts().iter().sum());
        let read = reader.read(&mut writer, monitor);
        read.map_err(|error| located(error, source, &writer.collector, reader.vocabulary()))?;
    }
    Ok(writer.loss)
}

/// Whether a file is a binary of ours. Standard input is taken for ARPA.
pub(super) fn is_binary(path: &Path) -> Result<bool> {
    if path.as_os_str() == "-" {
        return Ok(false);
    }
    let reading = |error: std::io::Error| Error::reading(path, &error);
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(reading)?;
    file.take(8).read_to_end(&mut start).map_err(reading)?;
    Ok(Container::recognises(&start))
}

/// Reads an ARPA file and lays it out in memory.
pub(super) fn from_arpa(path: &Path, layout: Layout, monitor: &Monitor) -> Result<LanguageModel> {
    let mut reader = ArpaReader::open(path)?;
    monitor.expect(reader.counts().iter().sum());
    let mut collector = Collector::new(Workspace::default());
    reader.read(&mut collector, monitor)?;
    let model = in_memory(&mut collector, path, layout, monitor);
    model.map_err(|error| located(error, path, &collector, reader.vocabulary()))
}

/// The collected model, laid out in memory.
pub(super) fn in_memory(
    collector: &mut Collector,
    path: &Path,
    layout: Layout,
    monitor: &Monitor,
) -> Result<LanguageModel> {
    let levels = collector.levels(monitor)?;
    let mut memory = MemoryWriter::new(path);
    write(&levels, Options { layout, quantise: None }, &mut memory, monitor)?;
    LanguageModel::from_sections(memory.finish()?)
}

/// An error about the n-grams of an ARPA file, with its place.
fn located(error: Error, path: &Path, collector: &Collector, vocabulary: &Vocabulary) -> Error {
    let Error::Setting(message) = error else { return error };
    let Some(words) = collector.repeated() else {
        let place = crate::error::Place { path: path.to_path_buf(), line: None };
        return Error::Format { place, message };
    };
    let words: Vec<&str> = words.iter().map(|&id| vocabulary.word(id)).collect();
    let shown = format!("the {}-gram \"{}\" stands", words.len(), words.join(" "));
    match lines_of(path, &words) {
        Some((first, again)) => {
            Error::format(path, again, format!("{shown} here again, after line {first}"))
        }
        None => Error::Format {
            place: crate::error::Place { path: path.to_path_buf(), line: None },
            message: format!("{shown} in it twice"),
        },
    }
}
