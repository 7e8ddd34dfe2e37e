//! What was found lately, each at a place of its own.

/// Values by key. Two keys may have one place; the later one has it then.
#[derive(Default)]
pub struct Recent<T> {
    slots: Vec<(u64, T)>,
    shift: u32,
}

/// The key of nothing.
const NO_KEY: u64 = u64::MAX;

impl<T: Copy + Default> Recent<T> {
    /// Remembers `2^bits` at most; in tests few, so that keys contend for places.
    pub fn new(bits: u32) -> Self {
        let bits = if cfg!(test) { bits.min(4) } else { bits };
        Recent { slots: vec![(NO_KEY, T::default()); 1 << bits], shift: 64 - bits }
    }

    /// Whether there is no place for anything.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<T> {
        let (known, value) = self.slots[self.place(key)];
        (known == key).then_some(value)
    }

    pub fn put(&mut self, key: u64, value: T) {
        let place = self.place(key);
        self.slots[place] = (key, value);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }
}
