//! How a piece of a long sentence begins: as the piece before it ended.

use std::any::Any;

use super::search::Searching;
use super::states::Several;

#[derive(Default)]
pub struct Entry {
    /// Source words before it.
    pub offset: u32,
    /// The states of language models; none at the beginning of the sentence.
    pub states: Option<Several>,
    /// What each feature keeps of all target words before it.
    pub carried: Vec<Box<dyn Any>>,
    /// Whether the end of the sentence follows it.
    pub last: bool,
}

impl Entry {
    /// Whether anything stands before.
    pub fn is_later(&self) -> bool {
        self.states.is_some()
    }
}

impl Searching<'_> {
    /// What stands before the next piece, if this one ends with an item.
    pub fn exit(&self, last: u32) -> Entry {
        let state = self.arena.items[last as usize].state;
        Entry {
            offset: self.entry.offset + self.words.len() as u32,
            states: Some(self.states.get(self.lm_state(state)).into()),
            carried: self.scorers.carry(state),
            last: false,
        }
    }
}
