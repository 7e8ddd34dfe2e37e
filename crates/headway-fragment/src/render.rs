//! A pair as the lines and blocks of the corpus files.

use std::fmt::Write;

use super::pair::{Pair, Word};

/// The sentence as it is written.
pub fn raw(words: &[Word]) -> String {
    let mut text = String::with_capacity(words.len() * 7);
    for (place, word) in words.iter().enumerate() {
        text.push_str(&word.form);
        if !word.glued && place + 1 < words.len() {
            text.push(' ');
        }
    }
    text
}

/// The words with a space between any two.
pub fn tokenised(words: &[Word]) -> String {
    let mut text = String::with_capacity(words.len() * 7);
    for word in words {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(&word.form);
    }
    text
}

impl Pair {
    /// `0-0 1-2`: German and English places, counted from 0.
    pub fn pharaoh(&self) -> String {
        let mut text = String::with_capacity(self.alignment.len() * 6);
        for (german, english) in &self.alignment {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{german}-{english}");
        }
        text
    }

    /// The German sentence with its tree, as a block of CoNLL-U; `name` is its `sent_id`.
    pub fn german_conllu(&self, name: &str) -> String {
        let mut text = String::with_capacity(self.german.len() * 90 + 400);
        header(&mut text, name, &self.german);
        let _ = writeln!(text, "# text_en = {}", raw(&self.english));
        self.rows(&mut text, &self.german);
        text
    }

    /// The English sentence with its tree.
    pub fn english_conllu(&self, name: &str) -> String {
        let mut text = String::with_capacity(self.english.len() * 80 + 300);
        header(&mut text, name, &self.english);
        self.rows(&mut text, &self.english);
        text
    }

    fn rows(&self, text: &mut String, words: &[Word]) {
        text.push_str("# phenomena =");
        for name in self.phenomena.names() {
            let _ = write!(text, " {name}");
        }
        text.push('\n');
        for (place, word) in words.iter().enumerate() {
            let glued = word.glued && place + 1 < words.len();
            let space = if glued { "SpaceAfter=No" } else { "_" };
            let Word { form, lemma, upos, xpos, feats, head, label, .. } = word;
            let id = place + 1;
            // Writing to a string cannot fail; forms hold no tab and no line end.
            let _ = writeln!(
                text,
                "{id}\t{form}\t{lemma}\t{upos}\t{xpos}\t{feats}\t{head}\t{label}\t_\t{space}"
            );
        }
        text.push('\n');
    }
}

fn header(text: &mut String, name: &str, words: &[Word]) {
    let _ = writeln!(text, "# sent_id = {name}\n# text = {}", raw(words));
}
