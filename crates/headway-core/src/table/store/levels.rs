//! Options on their way into the file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::container::ContainerWriter;
use crate::table::packed::BitWriter;
use crate::{Error, Result};

/// Bytes of options kept in memory for source sides of one length.
const LEVEL: usize = 1 << 20;

/// Options by length of the source side, since the trie numbers its nodes that way.
pub struct Levels {
    directory: PathBuf,
    levels: Vec<LevelBits>,
}

#[derive(Default)]
struct LevelBits {
    bits: BitWriter,
    file: Option<File>,
}

impl Levels {
    /// Levels that outgrow memory go to unnamed files in `directory`.
    pub fn new(directory: &Path) -> Self {
        Levels { directory: directory.to_path_buf(), levels: Vec::new() }
    }

    pub fn append(&mut self, level: usize, bits: BitWriter) -> Result<()> {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, LevelBits::default);
        }
        let writing = |error: std::io::Error| Error::writing(&self.directory, &error);
        let level = &mut self.levels[level];
        let many = bits.position();
        level.bits.append(&bits.finish(), many);
        if level.bits.whole_bytes() >= LEVEL {
            if level.file.is_none() {
                level.file = Some(tempfile::tempfile_in(&self.directory).map_err(writing)?);
            }
            if let Some(file) = &mut level.file {
                file.write_all(&level.bits.take_bytes()).map_err(writing)?;
            }
        }
        Ok(())
    }

    /// All levels, one after the other without a gap.
    pub fn write(self, container: &mut ContainerWriter) -> Result<()> {
        let reading = |error: std::io::Error| Error::reading(&self.directory, &error);
        let mut all = BitWriter::default();
        let mut buffer = vec![0; LEVEL];
        for level in self.levels {
            if let Some(mut file) = level.file {
                file.seek(SeekFrom::Start(0)).map_err(reading)?;
                loop {
                    let many = file.read(&mut buffer).map_err(reading)?;
                    if many == 0 {
                        break;
                    }
                    all.append(&buffer[..many], many as u64 * 8);
                    container.write(&all.take_bytes())?;
                }
            }
            let many = level.bits.position();
            all.append(&level.bits.finish(), many);
            container.write(&all.take_bytes())?;
        }
        container.write(&all.finish())
    }
}
