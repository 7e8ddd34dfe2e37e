//! How long a sentence may take.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::Monitor;

/// Work that was asked to stop has no time left, so that the sentence at hand ends soon; whoever
/// asked gets no result of it.
#[derive(Clone, Copy)]
pub struct Clock<'s> {
    deadline: Option<Instant>,
    monitor: &'s Monitor,
}

impl<'s> Clock<'s> {
    pub fn new(limit: Option<Duration>, monitor: &'s Monitor) -> Self {
        Clock { deadline: limit.map(|limit| Instant::now() + limit), monitor }
    }

    pub fn has_limit(&self) -> bool {
        self.deadline.is_some()
    }

    pub fn is_up(&self) -> bool {
        self.monitor.check().is_err() || self.deadline.is_some_and(|it| Instant::now() > it)
    }
}

/// Entries that a list of translations has although time is up.
const HURRIED_LIST: usize = 10;

/// How long a list of translations may become: those of a long sentence may take longer than its
/// search.
pub struct ListClock<'s> {
    clock: Clock<'s>,
    was_cut: Cell<bool>,
}

impl<'s> ListClock<'s> {
    pub fn new(clock: Clock<'s>) -> Self {
        ListClock { clock, was_cut: Cell::new(false) }
    }

    /// Whether a list with so many entries may have more.
    pub fn goes_on(&self, entries: usize) -> bool {
        let goes_on = entries < HURRIED_LIST || !self.clock.is_up();
        self.was_cut.set(self.was_cut.get() || !goes_on);
        goes_on
    }

    /// Whether some list is shorter than it would have been.
    pub fn was_cut(&self) -> bool {
        self.was_cut.get()
    }
}
