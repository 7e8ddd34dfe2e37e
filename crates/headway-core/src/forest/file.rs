//! Files of forests: binary, or lines of JSON.
//!
//! The binary file names features and weights once; each forest is a block of its own,
//! compressed, so that one can be read without the others.

use std::path::Path;
use std::sync::Arc;

use super::code::{Bytes, Reader, damaged};
use super::features::Features;
use super::graph::{Forest, check_weights};
use crate::container::{Container, ContainerWriter, Kind};
use crate::text::{Lines, Output, open};
use crate::{Error, Result};

const KIND: Kind = Kind { name: "forest", version: 1 };
const LEVEL: i32 = 3;

/// Writes forests one after the other; the file gets its name in `finish`.
pub struct ForestWriter {
    writer: ContainerWriter,
    features: Arc<Features>,
    weights: Arc<[f64]>,
    ends: Vec<u64>,
}

impl ForestWriter {
    /// All forests share the features; weights are stored again only where they are others.
    pub fn create(path: &Path, features: Arc<Features>, weights: Arc<[f64]>) -> Result<Self> {
        check_weights(&features, &weights)?;
        let mut writer = ContainerWriter::create(path, KIND, 3)?;
        let mut model = Bytes::default();
        model.number(features.len() as u64);
        features.names().iter().for_each(|name| model.text(name));
        model.number(features.dense() as u64);
        model.weights(&weights);
        writer.section("model")?;
        writer.write(&model.0)?;
        writer.section("forests")?;
        Ok(ForestWriter { writer, features, weights, ends: Vec::new() })
    }

    pub fn add(&mut self, forest: &Forest) -> Result<()> {
        if *forest.features != *self.features {
            let message = "forests of one file have the same features; write them to two files";
            return Err(Error::setting(message));
        }
        let mut bytes = Bytes::default();
        let shared = forest.weights == self.weights;
        bytes.number(u64::from(!shared));
        if !shared {
            bytes.weights(&forest.weights);
        }
        bytes.forest(forest);
        let mut block = (bytes.0.len() as u64).to_le_bytes().to_vec();
        let packed = zstd::bulk::compress(&bytes.0, LEVEL);
        block.extend(packed.map_err(|error| Error::Setting(format!("forest: {error}")))?);
        self.ends.push(self.ends.last().copied().unwrap_or(0) + block.len() as u64);
        self.writer.write(&block)
    }

    pub fn finish(mut self) -> Result<()> {
        self.writer.section("index")?;
        for end in &self.ends {
            self.writer.write(&end.to_le_bytes())?;
        }
        self.writer.finish()
    }
}

/// A mapped binary file of forests, read one at a time.
#[derive(Debug)]
pub struct ForestFile {
    container: Container,
    features: Arc<Features>,
    weights: Arc<[f64]>,
    ends: Vec<u64>,
}

impl ForestFile {
    pub fn open(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let (features, weights) = read_model(container.section("model")?)
            .map_err(|error| Error::model(path, error.to_string()))?;
        let index = container.section("index")?.as_chunks::<8>().0.iter();
        let ends: Vec<u64> = index.map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let last = ends.last().copied().unwrap_or(0);
        if !ends.is_sorted() || last != container.section("forests")?.len() as u64 {
            return Err(Error::model(path, "the index is damaged; build the file again"));
        }
        Ok(ForestFile { container, features, weights, ends })
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn features(&self) -> &Arc<Features> {
        &self.features
    }

    /// The forest at a place from 0; `None` beyond the last.
    pub fn get(&self, place: usize) -> Result<Option<Forest>> {
        let Some(&end) = self.ends.get(place) else { return Ok(None) };
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        let block = &self.container.section("forests")?[start as usize..end as usize];
        self.read(block).map(Some).map_err(|error| {
            Error::model(self.container.path(), format!("forest {}: {error}", place + 1))
        })
    }

    fn read(&self, block: &[u8]) -> Result<Forest> {
        let mut reader = Reader(block);
        let length = reader.take(8)?.try_into().map_err(|_| damaged())?;
        let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| damaged())?;
        // More than a thousandfold: not by our compression of these bytes.
        if length / 4096 > reader.0.len() {
            return Err(damaged());
        }
        let bytes = zstd::bulk::decompress(reader.0, length).map_err(|_| damaged())?;
        let mut reader = Reader(&bytes);
        let weights = match reader.number()? {
            0 => self.weights.clone(),
            _ => reader.weights(self.features.len())?.into(),
        };
        let mut read = reader.forest(&self.features)?;
        read.builder.weights(weights)?;
        read.builder.finish(read.goal)
    }
}

fn read_model(bytes: &[u8]) -> Result<(Arc<Features>, Arc<[f64]>)> {
    let mut reader = Reader(bytes);
    let names: Result<Vec<String>> =
        (0..reader.count()?).map(|_| reader.text().map(str::to_string)).collect();
    let features = Features::new(names?, reader.number()? as usize)?;
    let weights = reader.weights(features.len())?;
    check_weights(&features, &weights)?;
    Ok((features, weights.into()))
}

/// Writes forests: as JSON, one a line, if the name ends in `.json` or `.jsonl` (and perhaps
/// `.gz`, `.zst`) or is `-`; otherwise binary.
pub fn save<'a>(path: &Path, forests: impl IntoIterator<Item = &'a Forest>) -> Result<u64> {
    if is_json_name(path) { save_json(path, forests) } else { save_binary(path, forests) }
}

fn is_json_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    name.ends_with(".json") || name.ends_with(".jsonl") || name == "-"
}

fn save_json<'a>(path: &Path, forests: impl IntoIterator<Item = &'a Forest>) -> Result<u64> {
    let (mut output, mut many) = (Output::create(path)?, 0);
    for forest in forests {
        output.write_line(&forest.to_json()?)?;
        many += 1;
    }
    output.finish()?;
    Ok(many)
}

fn save_binary<'a>(path: &Path, forests: impl IntoIterator<Item = &'a Forest>) -> Result<u64> {
    let mut forests = forests.into_iter().peekable();
    let (features, weights) = match forests.peek() {
        Some(first) => (first.features.clone(), first.weights.clone()),
        None => (Features::new(Vec::new(), 0)?, Arc::from([])),
    };
    let (mut writer, mut many) = (ForestWriter::create(path, features, weights)?, 0);
    for forest in forests {
        writer.add(forest)?;
        many += 1;
    }
    writer.finish()?;
    Ok(many)
}

/// Reads all forests of a file, binary or lines of JSON.
pub fn load(path: &Path) -> Result<Vec<Forest>> {
    let mut reader = open(path)?;
    let start = reader.fill_buf().map_err(|error| Error::reading(path, &error))?;
    if Container::recognises(start) {
        let file = ForestFile::open(path)?;
        let all = (0..file.len()).map(|place| file.get(place));
        return all.filter_map(Result::transpose).collect();
    }
    let (mut lines, mut forests) = (Lines::new(reader, path), Vec::<Forest>::new());
    while let Some(line) = lines.next()? {
        let read = Forest::from_json_like(line, forests.last());
        forests.push(read.map_err(|error| lines.error(error.to_string()))?);
    }
    Ok(forests)
}
