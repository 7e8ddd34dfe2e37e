//! A trained tagger.

use crate::container::{Container, ContainerWriter};
use crate::parse::hash::of_text;
use crate::parse::multiclass::{Multiclass, Scores};
use crate::{Error, Result, Vocabulary, WordId};

use super::features::{Word, farther_features, pair_features, word_features, word_keys};
use super::lexicon::Lexicon;
use super::names::fine_name;
use super::sequence::best_sequence;

/// A word as a tagger sees it.
pub type TaggerWord = Word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaggerKind {
    /// Words on both sides and tags before, the best sequence.
    Full,
    /// A word and the three before it, one pass.
    Streaming,
}

impl TaggerKind {
    pub const ALL: [(&'static str, TaggerKind); 2] =
        [("full", TaggerKind::Full), ("streaming", TaggerKind::Streaming)];

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
    }
}

/// A trained tagger.
#[derive(Debug, Clone)]
pub struct Tagger {
    pub(super) kind: TaggerKind,
    pub(super) lowercase: bool,
    pub(super) tags: Vocabulary,
    pub(super) lexicon: Lexicon,
    pub(super) model: Multiclass,
}

impl Tagger {
    pub fn kind(&self) -> TaggerKind {
        self.kind
    }

    /// The tags it knows, by their numbers.
    pub fn tags(&self) -> &Vocabulary {
        &self.tags
    }

    /// The tag of each word, by its number.
    pub fn tag<S: AsRef<str>>(&self, forms: &[S]) -> Vec<u16> {
        let words = self.words(forms);
        tag_with(&self.model, &self.lexicon, self.kind, self.tags.len(), &words)
    }

    /// Whether training has learnt anything of a word, its case aside.
    pub fn knows(&self, form: &str) -> bool {
        let lower = of_text(&form.to_lowercase());
        let learnt = || word_keys(lower).iter().any(|&key| self.model.has(key));
        self.lexicon.find(lower).is_some() || learnt()
    }

    /// The name of a tag.
    pub fn name(&self, tag: u16) -> &str {
        self.tags.word(WordId(u32::from(tag)))
    }

    /// The tag of each word by its name, where fine tags are known: of the joined tags that have
    /// it, the one that fits best; the given one itself where there is none.
    pub fn tag_within<S: AsRef<str>>(&self, forms: &[S], fine: &[String]) -> Vec<String> {
        let words = self.words(forms);
        let own = own_scores_of_all(&self.model, self.kind, self.tags.len(), &words);
        let best = |(scores, fine): (&Vec<f32>, &String)| {
            let mut best: Option<u16> = None;
            for tag in (0..scores.len() as u16).filter(|&tag| fine_name(self.name(tag)) == fine) {
                if best.is_none_or(|best| scores[tag as usize] > scores[best as usize]) {
                    best = Some(tag);
                }
            }
            best.map_or_else(|| fine.clone(), |tag| self.name(tag).to_string())
        };
        own.iter().zip(fine).map(best).collect()
    }

    /// The tag of the last of up to four words: what a decoder asks of a streaming tagger.
    /// The first word of a sentence comes alone, the second with the first, and so on.
    pub fn tag_last<S: AsRef<str>>(&self, forms: &[S]) -> Option<u16> {
        let words = self.words(forms);
        let last = words.len().checked_sub(1)?;
        let (mut keys, mut scores) = (Vec::new(), Vec::new());
        own_scores(&self.model, self.kind, self.tags.len(), &words, last, &mut keys, &mut scores);
        Some(best(&scores))
    }

    /// A word as this tagger sees it.
    pub fn word(&self, form: &str) -> TaggerWord {
        Word::new(form, self.lowercase, &self.lexicon)
    }

    /// What the features of a word and the one before it (none at the start) add to each tag: the
    /// part of `tag_last` that two words settle.
    pub fn pair_scores(&self, before: Option<&TaggerWord>, word: &TaggerWord) -> Vec<f32> {
        let (mut keys, mut scores) = (Vec::new(), vec![0.0; self.tags.len()]);
        pair_features(before, word, &mut keys);
        keys.iter().for_each(|&key| self.model.add(key, &mut scores));
        scores
    }

    /// The tag of the last of up to four words, of whose last two `pair` are the scores.
    pub fn tag_by_pair(&self, words: &[TaggerWord], pair: &[f32], scores: &mut Vec<f32>) -> u16 {
        scores.clear();
        scores.extend_from_slice(pair);
        farther_features(words).iter().for_each(|&key| self.model.add(key, scores));
        best(scores)
    }

    fn words<S: AsRef<str>>(&self, forms: &[S]) -> Vec<Word> {
        let word = |form: &S| Word::new(form.as_ref(), self.lowercase, &self.lexicon);
        forms.iter().map(word).collect()
    }

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        writer.section("tagger")?;
        writer.write(&[u8::from(self.kind == TaggerKind::Streaming), u8::from(self.lowercase)])?;
        self.tags.write_sections(writer, "tags")?;
        self.lexicon.write_sections(writer)?;
        self.model.write_sections(writer, "tagger")
    }

    /// The number of sections `write_sections` writes.
    pub const SECTIONS: usize = 11;

    pub fn read_sections(container: &Container) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the tagger in it is damaged");
        let &[streaming, lowercase] = container.section("tagger")? else { return Err(damaged()) };
        let tags = Vocabulary::read_sections(container, "tags")?;
        if tags.is_empty() {
            return Err(damaged());
        }
        Ok(Tagger {
            kind: if streaming == 1 { TaggerKind::Streaming } else { TaggerKind::Full },
            lowercase: lowercase == 1,
            lexicon: Lexicon::read_sections(container, tags.len())?,
            model: Multiclass::read_sections(container, "tagger", tags.len())?,
            tags,
        })
    }
}

/// Tags words with a model that may still be learning.
pub(super) fn tag_with(
    model: &impl Scores,
    lexicon: &Lexicon,
    kind: TaggerKind,
    tags: usize,
    words: &[Word],
) -> Vec<u16> {
    let own = own_scores_of_all(model, kind, tags, words);
    match kind {
        TaggerKind::Full => best_sequence(model, lexicon, words, &own),
        TaggerKind::Streaming => own.iter().map(|scores| best(scores)).collect(),
    }
}

/// For each word, the score of each tag by features that no other tag takes part in.
fn own_scores_of_all(
    model: &impl Scores,
    kind: TaggerKind,
    tags: usize,
    words: &[Word],
) -> Vec<Vec<f32>> {
    let mut keys = Vec::new();
    let mut own = vec![Vec::new(); words.len()];
    for (at, scores) in own.iter_mut().enumerate() {
        own_scores(model, kind, tags, words, at, &mut keys, scores);
    }
    own
}

fn own_scores(
    model: &impl Scores,
    kind: TaggerKind,
    tags: usize,
    words: &[Word],
    at: usize,
    keys: &mut Vec<u64>,
    scores: &mut Vec<f32>,
) {
    scores.clear();
    scores.resize(tags, 0.0);
    word_features(kind, words, at, keys);
    keys.iter().for_each(|&key| model.add(key, scores));
}

fn best(scores: &[f32]) -> u16 {
    let mut best = 0;
    for (tag, &score) in scores.iter().enumerate() {
        if score > scores[best] {
            best = tag;
        }
    }
    best as u16
}
