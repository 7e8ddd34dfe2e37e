//! Options on their way into the file.

use std::path::{Path, PathBuf};

use crate::Result;
use crate::container::ContainerWriter;
use crate::scratch::Scratch;
use crate::table::packed::BitWriter;

/// Bytes of options kept in memory for source sides of one length.
const LEVEL: usize = 1 << 20;

/// Options by length of the source side, since the trie numbers its nodes that way.
pub struct Levels {
    table: PathBuf,
    levels: Vec<LevelBits>,
}

struct LevelBits {
    bits: BitWriter,
    scratch: Scratch,
}

impl Levels {
    /// Levels that outgrow memory go to files beside the table.
    pub fn new(table: &Path) -> Self {
        Levels { table: table.to_path_buf(), levels: Vec::new() }
    }

    pub fn append(&mut self, level: usize, bits: BitWriter) -> Result<()> {
        if self.levels.len() <= level {
            let scratch = || Scratch::beside(&self.table);
            let empty = || LevelBits { bits: BitWriter::default(), scratch: scratch() };
            self.levels.resize_with(level + 1, empty);
        }
        let level = &mut self.levels[level];
        let many = bits.position();
        level.bits.append(&bits.finish(), many);
        if level.bits.whole_bytes() >= LEVEL {
            level.scratch.append(&level.bits.take_bytes())?;
        }
        Ok(())
    }

    /// All levels, one after the other without a gap.
    pub fn write(self, container: &mut ContainerWriter) -> Result<()> {
        let mut all = BitWriter::default();
        let mut buffer = vec![0; LEVEL];
        for level in self.levels {
            let length = level.scratch.len();
            for start in (0..length).step_by(LEVEL) {
                let many = (length - start).min(LEVEL as u64);
                let block = &mut buffer[..many as usize];
                level.scratch.read(start, block)?;
                all.append(block, many * 8);
                container.write(&all.take_bytes())?;
            }
            let many = level.bits.position();
            all.append(&level.bits.finish(), many);
            container.write(&all.take_bytes())?;
        }
        container.write(&all.finish())
    }
}
