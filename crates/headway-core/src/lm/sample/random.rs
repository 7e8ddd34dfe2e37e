//! Random numbers that are the same on every machine.

/// SplitMix64 (Steele, Lea & Flood 2014).
pub struct Random(u64);

impl Random {
    /// The sequence number `stream` of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        Random(scramble(seed.wrapping_add(0x51ED_270B)) ^ scramble(stream.wrapping_mul(STEP)))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        scramble(self.0)
    }
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

fn scramble(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_even_and_streams_differ() {
        let mut ones = [0_u32; 64];
        for stream in 0..1000 {
            let mut random = Random::new(7, stream);
            for _ in 0..10 {
                let number = random.next();
                (0..64).for_each(|bit| ones[bit] += (number >> bit) as u32 & 1);
            }
        }
        assert!(ones.iter().all(|&many| (4700..5300).contains(&many)), "{ones:?}");
        assert_ne!(Random::new(1, 0).next(), Random::new(0, 1).next());
    }
}
