//! How often each event was seen.

use rayon::prelude::*;

/// Fresh events are sorted in once there are this many, or half as many as there are distinct ones.
const FRESH: usize = 1 << 20;

/// A dependency of the target: its ends, its label, the class of its size, and the number of its
/// offset. Ordered by dependent, class, label, governor and offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event(u128);

impl Event {
    pub fn new(dependent: u32, class: usize, label: u32, governor: u32, outcome: usize) -> Self {
        debug_assert!(class < 1 << 8 && label < 1 << 24 && outcome < 1 << 16);
        let context = u128::from(dependent) << 32 | (class as u128) << 24 | u128::from(label);
        Event(context << 48 | u128::from(governor) << 16 | outcome as u128)
    }

    /// The same for all governors and offsets: what a context of the first level is.
    pub fn context(self) -> u128 {
        self.0 >> 48
    }

    pub fn dependent(self) -> u32 {
        (self.0 >> 80) as u32
    }

    pub fn class(self) -> usize {
        (self.0 >> 72) as usize & 0xFF
    }

    pub fn label(self) -> u32 {
        (self.0 >> 48) as u32 & 0xFF_FFFF
    }

    pub fn governor(self) -> u32 {
        (self.0 >> 16) as u32
    }

    pub fn outcome(self) -> usize {
        self.0 as usize & 0xFFFF
    }
}

/// Counts of events. The result does not depend on the order in which they come.
#[derive(Debug, Default)]
pub struct Tally {
    counted: Vec<(Event, u32)>,
    fresh: Vec<Event>,
}

impl Tally {
    pub fn add(&mut self, events: impl IntoIterator<Item = Event>) {
        self.fresh.extend(events);
        if self.fresh.len() >= FRESH.max(self.counted.len() / 2) {
            self.sort_in();
        }
    }

    /// All events in order, each with its count.
    pub fn finish(mut self) -> Vec<(Event, u32)> {
        self.sort_in();
        self.counted
    }

    fn sort_in(&mut self) {
        self.fresh.par_sort_unstable();
        let mut old = std::mem::take(&mut self.counted).into_iter().peekable();
        let mut merged: Vec<(Event, u32)> = Vec::new();
        for run in self.fresh.chunk_by(|a, b| a == b) {
            while let Some(before) = old.next_if(|(event, _)| *event < run[0]) {
                merged.push(before);
            }
            let known = old.next_if(|(event, _)| *event == run[0]).map_or(0, |(_, count)| count);
            merged.push((run[0], known.saturating_add(run.len() as u32)));
        }
        merged.extend(old);
        self.fresh.clear();
        self.counted = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::BTreeMap;

    #[test]
    fn events_are_counted() {
        let mut random = Random::new(1, 41);
        let mut tally = Tally::default();
        let mut expected = BTreeMap::new();
        for _ in 0..200 {
            let events: Vec<Event> = (0..random.below(50))
                .map(|_| {
                    let [a, b, c, d] = [(); 4].map(|()| random.below(3) as u32);
                    Event::new(a, b as usize, c, d, random.below(2))
                })
                .collect();
            events.iter().for_each(|&event| *expected.entry(event).or_insert(0) += 1);
            tally.add(events);
            if random.below(4) == 0 {
                tally.sort_in();
            }
        }
        assert_eq!(tally.finish(), expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn events_keep_their_parts() {
        let event = Event::new(u32::MAX - 1, 4, 0xFF_FFFE, 7, 1999);
        assert_eq!((event.dependent(), event.class(), event.label()), (u32::MAX - 1, 4, 0xFF_FFFE));
        assert_eq!((event.governor(), event.outcome()), (7, 1999));
        assert!(Event::new(1, 0, 0, u32::MAX, 9) < Event::new(1, 0, 1, 0, 0));
        assert!(Event::new(1, 0, 9, 0, 0) < Event::new(1, 1, 0, 0, 0));
        assert_eq!(Event::new(1, 2, 3, 4, 5).context(), Event::new(1, 2, 3, 9, 0).context());
    }
}
