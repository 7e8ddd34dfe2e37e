//! A pair as the lines and blocks of the corpus files.

use super::pair::{Pair, Word};
use crate::Result;
use crate::tree::conllu;

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
    let forms: Vec<&str> = words.iter().map(|word| &*word.form).collect();
    forms.join(" ")
}

impl Pair {
    /// `0-0 1-2`: German and English places, counted from 0.
    pub fn pharaoh(&self) -> String {
        let links = self.alignment.iter().map(|(german, english)| format!("{german}-{english}"));
        links.collect::<Vec<_>>().join(" ")
    }

    /// The German sentence with its tree; `name` is its `sent_id`.
    pub fn german_conllu(&self, name: &str) -> Result<conllu::Sentence> {
        let english = format!("text_en = {}", raw(&self.english));
        sentence(name, &self.german, Some(english), self)
    }

    /// The English sentence with its tree.
    pub fn english_conllu(&self, name: &str) -> Result<conllu::Sentence> {
        sentence(name, &self.english, None, self)
    }
}

fn sentence(
    name: &str,
    words: &[Word],
    translation: Option<String>,
    pair: &Pair,
) -> Result<conllu::Sentence> {
    let mut comments = vec![format!("sent_id = {name}"), format!("text = {}", raw(words))];
    comments.extend(translation);
    let phenomena: Vec<&str> = pair.phenomena.names().collect();
    comments.push(format!("phenomena = {}", phenomena.join(" ")));
    let last = words.len().saturating_sub(1);
    let words: Vec<conllu::Word> =
        words.iter().enumerate().map(|(place, word)| row(word, place == last)).collect();
    conllu::Sentence::from_words(&comments, &words)
}

fn row(word: &Word, last: bool) -> conllu::Word {
    conllu::Word {
        form: word.form.to_string(),
        lemma: word.lemma.to_string(),
        upos: word.upos.into(),
        xpos: word.xpos.into(),
        feats: word.feats.to_string(),
        head: Some(word.head),
        deprel: word.label.into(),
        deps: "_".into(),
        misc: if word.glued && !last { "SpaceAfter=No" } else { "_" }.into(),
    }
}
