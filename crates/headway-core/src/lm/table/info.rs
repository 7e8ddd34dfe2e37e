//! The first section of a binary model: what the others hold.

use bytemuck::{Pod, Zeroable};

use super::sections::{SectionSink, Sections};
use crate::Result;
use crate::lm::MAX_ORDER;

/// How n-grams are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Hash tables: fast.
    Hashed,
    /// A trie of packed bits: small.
    Trie,
}

#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct Info {
    layout: u64,
    pub order: u64,
    /// Words, of which the model knows each.
    pub words: u64,
    pub begin: u64,
    pub end: u64,
    /// The id of unknown words; `words` if the source has no `<unk>`.
    pub unknown: u64,
    /// n-grams of each length that the source has.
    pub counts: [u64; MAX_ORDER],
    /// The same with blanks.
    pub stored: [u64; MAX_ORDER],
    /// Hashed: homes of each length.
    pub buckets: [u64; MAX_ORDER],
    /// Trie: bits of a probability and of a back-off, by length.
    pub prob_bits: [u64; MAX_ORDER],
    pub backoff_bits: [u64; MAX_ORDER],
}

impl Info {
    pub fn new(layout: Layout, order: usize) -> Self {
        let layout = match layout {
            Layout::Hashed => 0,
            Layout::Trie => 1,
        };
        Info { layout, order: order as u64, ..Info::zeroed() }
    }

    pub fn write(&self, out: &mut dyn SectionSink) -> Result<()> {
        out.section("info")?;
        out.write(bytemuck::bytes_of(self))
    }

    pub fn open(sections: &std::sync::Arc<Sections>) -> Result<Self> {
        let found = sections.array::<Info>("info")?;
        let [info] = *found else { return Err(sections.damaged("the model's description")) };
        let words = info.words;
        let sound = info.layout <= 1
            && (1..=MAX_ORDER as u64).contains(&info.order)
            && words < u64::from(u32::MAX)
            && info.begin < words
            && info.end < words
            && info.unknown <= words
            && info.stored.iter().chain(&info.buckets).all(|&many| many < 1 << 32)
            && info.stored[0] == words;
        if sound { Ok(info) } else { Err(sections.damaged("the model's description is wrong")) }
    }

    pub fn layout(&self) -> Layout {
        if self.layout == 0 { Layout::Hashed } else { Layout::Trie }
    }

    pub fn order(&self) -> usize {
        self.order as usize
    }

    pub fn counts(&self) -> &[u64] {
        &self.counts[..self.order()]
    }
}
