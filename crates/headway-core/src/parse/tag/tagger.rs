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

    /// A word as this tagger sees it.
    pub fn word(&self, form: &str) -> TaggerWord {
        Word::new(form, self.lowercase, &self.lexicon)
    }

    /// What the features of a word and the one before it (none at the start) add to each tag: the
    /// part of a streaming tagger's scores that two words settle.
    pub fn pair_scores(&self, before: Option<&TaggerWord>, word: &TaggerWord) -> Vec<f32> {
        let (mut keys, mut scores) = (Vec::new(), vec![0.0; self.tags.len()]);
        pair_features(before, word, &mut keys);
        keys.iter().for_each(|&key| self.model.add(key, &mut scores));
        scores
    }

    /// The tag that a streaming tagger gives the last of up to four words, of whose last two `pair`
    /// are the scores. The first word of a sentence comes alone, the second with the first, and
    /// so on.
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

#[cfg(test)]
mod tests {
    use super::super::TaggerTraining;
    use super::*;
    use crate::Monitor;
    use crate::parse::treebank::{Example, Treebank};
    use crate::random::Random;
    use crate::tree::DependencyTree;

    /// Random words whose tags depend on the words before them.
    fn sentence(random: &mut Random) -> (Vec<String>, Vec<String>) {
        let words = ["the", "dog", "Dogs", "runs", "run", "42", "of", "x-ray", "Été"];
        let length = 1 + random.below(9);
        let forms: Vec<String> =
            (0..length).map(|_| words[random.below(words.len())].to_string()).collect();
        let tag = |at: usize| {
            let back = |count: usize| at.checked_sub(count).map_or(0, |at| forms[at].len());
            format!("T{}", (forms[at].len() + back(1) + back(3)) % 4)
        };
        let tags = (0..length).map(tag).collect();
        (forms, tags)
    }

    #[test]
    fn a_decoder_and_a_whole_sentence_get_the_same_tags() {
        let mut random = Random::new(5, 5);
        let example = |random: &mut Random| {
            let (forms, tags) = sentence(random);
            let (heads, labels) = (vec![0; forms.len()], vec!["_".to_string(); forms.len()]);
            Example { tree: DependencyTree::new(forms, heads, tags, labels).unwrap(), weight: 1.0 }
        };
        let examples = (0..60).map(|_| example(&mut random)).collect();
        let treebank = Treebank { examples, ..Treebank::default() };
        let kind = TaggerKind::Streaming;
        let how = TaggerTraining { kind, lowercase: false, rounds: 3, seed: 1 };
        let tagger = how.train(&treebank, &Monitor::default()).unwrap();
        let (mut buffer, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
        for _ in 0..200 {
            let (mut forms, _) = sentence(&mut random);
            let unknown = random.below(forms.len());
            forms[unknown] = "qwerty".to_string();
            let words: Vec<TaggerWord> = forms.iter().map(|form| tagger.word(form)).collect();
            for (at, expected) in tagger.tag(&forms).into_iter().enumerate() {
                let before = at.checked_sub(1).map(|before| &words[before]);
                let pair = tagger.pair_scores(before, &words[at]);
                let last_four = &words[at.saturating_sub(3)..=at];
                let found = tagger.tag_by_pair(last_four, &pair, &mut buffer);
                assert_eq!(found, expected, "word {at} of {forms:?}");
                seen.insert(found);
            }
        }
        assert!(seen.len() > 2, "one tag for nearly all proves nothing");
    }
}
