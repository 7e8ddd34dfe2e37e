//! What happens on the source side between one generated word and the next.

/// Where a story stands on the source side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Behind the word that was generated last.
    pub at: u32,
    /// Behind the last of all words that were generated.
    pub end: u32,
}

/// An operation that generates no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Leaves the words from here on for later.
    Gap,
    /// Goes back to the first word of a gap: 1 is the one nearest to the end.
    Back(u32),
    /// Goes behind the last word that was generated.
    Forward,
}

impl Place {
    /// Goes to a word that was not generated (Algorithm 1 of Durrani et al. 2011), and behind it.
    pub fn go(&mut self, word: u32, done: impl Fn(u32) -> bool, mut tell: impl FnMut(Move)) {
        let Place { mut at, end } = *self;
        if at < word {
            if !done(at) {
                tell(Move::Gap);
            }
            if at == end {
                at = word;
            } else {
                tell(Move::Forward);
                at = end;
            }
        }
        if word < at {
            if at < end && !done(at) {
                tell(Move::Gap);
            }
            tell(Move::Back(gaps(word, end, &done)));
            at = (0..word).rev().take_while(|&before| !done(before)).last().unwrap_or(word);
        }
        if at < word {
            tell(Move::Gap);
        }
        *self = Place { at: word + 1, end: end.max(word + 1) };
    }
}

/// How many runs of words that were not generated there are from `start` to before `end`.
pub fn gaps(start: u32, end: u32, done: impl Fn(u32) -> bool) -> u32 {
    let (mut count, mut inside) = (0, false);
    for word in start..end {
        let open = !done(word);
        count += u32::from(open && !inside);
        inside = open;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(order: &[u32]) -> Vec<String> {
        let (mut place, mut done, mut found) = (Place::default(), vec![false; 10], Vec::new());
        for &word in order {
            place.go(word, |word| done[word as usize], |step| found.push(format!("{step:?}")));
            done[word as usize] = true;
            found.push(word.to_string());
        }
        found
    }

    #[test]
    fn moves_lead_to_the_next_word() {
        assert_eq!(told(&[0, 1, 2]), ["0", "1", "2"]);
        // hat … gelesen, then what stands between, then on
        let expected = ["0", "Gap", "3", "Back(1)", "1", "2", "Forward", "4"];
        assert_eq!(told(&[0, 3, 1, 2, 4]), expected);
        let expected = ["Gap", "2", "Gap", "4", "Back(2)", "0", "1", "Forward", "Back(1)", "3"];
        assert_eq!(told(&[2, 4, 0, 1, 3]), expected);
        // a gap that is left again half-way
        let expected = ["Gap", "4", "Back(1)", "Gap", "2", "Gap", "Forward", "5", "Back(2)", "0"];
        assert_eq!(told(&[4, 2, 5, 0]), expected);
    }
}
