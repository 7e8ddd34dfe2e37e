//! Operations as words of a text.

use super::moves::Move;

/// A further source word of a cept.
pub const CONTINUE: &str = "continue";
/// A word that stands for itself: in training one that was seen once, in use one that is unknown.
pub const IDENTICAL: &str = "identical";

const GAP: &str = "gap";
const FORWARD: &str = "forward";
const BACK: &str = "back-";

// Operations with words have an arrow, the others none. Words that hold these signs themselves
// can make two operations look alike, which does no harm.
const BETWEEN_WORDS: char = '‿';
const BETWEEN_SIDES: char = '→';

/// Spells operations, in memory of its own.
#[derive(Debug, Default)]
pub struct Spelling {
    text: String,
}

impl Spelling {
    /// The words of a cept; without target words it drops a source word, without source words it
    /// adds a target word.
    pub fn cept<'w>(
        &mut self,
        source: impl Iterator<Item = &'w str>,
        target: impl Iterator<Item = &'w str>,
    ) -> &str {
        self.text.clear();
        self.side(source);
        self.text.push(BETWEEN_SIDES);
        self.side(target);
        &self.text
    }

    fn side<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        for (number, word) in words.enumerate() {
            if number > 0 {
                self.text.push(BETWEEN_WORDS);
            }
            self.text.push_str(word);
        }
    }

    /// An operation that generates no word.
    pub fn moved(&mut self, moved: Move) -> &str {
        self.text.clear();
        match moved {
            Move::Gap => self.text.push_str(GAP),
            Move::Forward => self.text.push_str(FORWARD),
            Move::Back(gap) => {
                self.text.push_str(BACK);
                self.text.push_str(&gap.to_string());
            }
        }
        &self.text
    }
}
