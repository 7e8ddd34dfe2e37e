//! What steps change in further features, remembered.

/// What a step adds to a hypothesis, weighted, and the states behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    pub score: f32,
    /// By how much more is expected of the rest of the sentence than before.
    pub expected: f32,
    pub extra: u32,
}

/// States before it, choice, and coverage behind it.
type Key = (u32, u32, u32);

/// In place of a key, before there is one.
const NO_KEY: Key = (u32::MAX, u32::MAX, u32::MAX);

/// Changes that were found lately: each step has one place, where a later one may replace it.
pub struct Changes {
    slots: Vec<(Key, Change)>,
    shift: u32,
}

/// Where a change is remembered.
pub struct Place {
    at: usize,
    key: Key,
}

impl Changes {
    /// Remembers about `2^bits` of them.
    pub fn new(bits: u32) -> Self {
        let none = Change { score: 0.0, expected: 0.0, extra: 0 };
        Changes { slots: vec![(NO_KEY, none); 1 << bits], shift: 64 - bits }
    }

    /// What a step changes, or where to keep it.
    #[inline]
    pub fn find(&self, key: Key) -> Result<Change, Place> {
        let mix = |hash: u64, value: u32| {
            (hash.rotate_left(23) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let at = ([key.0, key.1, key.2].into_iter().fold(0, mix) >> self.shift) as usize;
        let known = &self.slots[at];
        if known.0 == key { Ok(known.1) } else { Err(Place { at, key }) }
    }

    pub fn keep(&mut self, place: Place, change: Change) -> Change {
        self.slots[place.at] = (place.key, change);
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_remembered_until_another_takes_its_place() {
        let mut changes = Changes::new(2);
        let mut found = 0;
        for number in 0..500 {
            let key = (number / 9, number / 3 % 3, number % 3);
            let change = Change { score: number as f32, expected: 0.5, extra: number };
            match changes.find(key) {
                Ok(known) => assert_eq!(known, change),
                Err(place) => assert_eq!(changes.keep(place, change), change),
            }
            found += u32::from(changes.find(key).ok() == Some(change));
        }
        assert_eq!(found, 500);
    }
}
