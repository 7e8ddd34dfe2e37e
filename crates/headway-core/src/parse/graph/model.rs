//! Scores of arcs.

use crate::container::{Container, ContainerWriter};
use crate::{Error, Result, Vocabulary};

use super::between::Between;
use super::compact::CompactWeights;
use super::features::{FeatureSet, Slot, Templates, head_keys, modifier_keys, pair_keys};
use super::input::{Class, FIRST, Input, Token, UNKNOWN};
use super::matrix::ArcScores;
use super::weights::{ArcWeights, Line};
use crate::parse::tag::names::coarse_name;

/// Words and tags as numbers.
#[derive(Debug, Clone)]
pub struct Numbering {
    words: Vocabulary,
    tags: Vocabulary,
    /// For each tag, its coarse one as a number, and what that stands for.
    coarse: Vec<(u32, Class)>,
    lowercase: bool,
}

impl Numbering {
    /// Numbers for the words of these sentences, as they are and in small letters, and for tags.
    pub fn new<'a>(
        forms: impl Iterator<Item = &'a String>,
        tags: impl Iterator<Item = &'a String>,
        lowercase: bool,
    ) -> Self {
        let (mut words, mut tag_names) = (Vocabulary::default(), Vocabulary::default());
        for form in forms {
            if !lowercase {
                words.add(form);
            }
            words.add(&form.to_lowercase());
        }
        tags.for_each(|tag| {
            tag_names.add(tag);
        });
        Self::with(words, tag_names, lowercase)
    }

    fn with(words: Vocabulary, tags: Vocabulary, lowercase: bool) -> Self {
        let mut names = Vocabulary::default();
        let coarse = tags.words().map(|tag| {
            let name = coarse_name(tag);
            (names.add(name).0 + FIRST, Class::of(name))
        });
        Numbering { coarse: coarse.collect(), words, tags, lowercase }
    }

    /// A word with its tag as numbers; those that training has not seen share one.
    pub fn token(&self, form: &str, tag: &str) -> Token {
        self.token_with(form, self.tag(tag))
    }

    /// The same for a tag whose number is known.
    pub fn token_with(&self, form: &str, tag: u32) -> Token {
        let number = |form: &str| self.words.get(form).map_or(UNKNOWN, |id| id.0 + FIRST);
        let lower = if form.chars().any(char::is_uppercase) {
            number(&form.to_lowercase())
        } else {
            number(form)
        };
        let word = if self.lowercase { lower } else { number(form) };
        let place = tag.checked_sub(FIRST).and_then(|at| self.coarse.get(at as usize));
        let (coarse, class) = place.copied().unwrap_or((UNKNOWN, Class::Other));
        Token { word, lower, tag, coarse, class }
    }

    /// The number of a tag.
    pub fn tag(&self, tag: &str) -> u32 {
        self.tags.get(tag).map_or(UNKNOWN, |id| id.0 + FIRST)
    }

    /// Numbers that a token's tag may have.
    pub fn tag_count(&self) -> usize {
        self.tags.len() + FIRST as usize
    }

    /// Words with their tags, after the root.
    pub fn input<S: AsRef<str>, T: AsRef<str>>(&self, forms: &[S], tags: &[T]) -> Input {
        let mut input = Input::start();
        for (form, tag) in forms.iter().zip(tags) {
            input.push(self.token(form.as_ref(), tag.as_ref()));
        }
        input
    }
}

/// Words and tags as numbers, and the weights of features of arcs between them.
#[derive(Debug, Clone)]
pub struct GraphModel {
    pub(super) numbering: Numbering,
    pub(super) features: FeatureSet,
    pub(super) weights: CompactWeights,
}

impl GraphModel {
    pub fn features(&self) -> FeatureSet {
        self.features
    }

    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The scores of all arcs of a sentence.
    pub fn scores(&self, input: &Input) -> ArcScores {
        arc_scores(&self.weights, self.features, input)
    }

    pub const SECTIONS: usize = 5 + CompactWeights::SECTIONS;

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        let FeatureSet { templates, between } = self.features;
        writer.section("graph")?;
        writer.write(&[templates as u8, between as u8, u8::from(self.numbering.lowercase)])?;
        self.numbering.words.write_sections(writer, "arc-words")?;
        self.numbering.tags.write_sections(writer, "arc-tags")?;
        self.weights.write_sections(writer)
    }

    pub fn read_sections(container: &Container) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the parser in it is damaged");
        let &[templates, between, lowercase] = container.section("graph")? else {
            return Err(damaged());
        };
        let templates = Templates::ALL.get(templates as usize).ok_or_else(damaged)?.1;
        let between = Between::ALL.get(between as usize).ok_or_else(damaged)?.1;
        let words = Vocabulary::read_sections(container, "arc-words")?;
        let tags = Vocabulary::read_sections(container, "arc-tags")?;
        Ok(GraphModel {
            numbering: Numbering::with(words, tags, lowercase == 1),
            features: FeatureSet { templates, between },
            weights: CompactWeights::read_sections(container)?,
        })
    }
}

/// The scores of all arcs of a sentence. What a word adds as head or as modifier whatever the
/// other is, is summed once.
pub fn arc_scores(weights: &impl ArcWeights, features: FeatureSet, input: &Input) -> ArcScores {
    let mut scores = ArcScores::new(input.len());
    let (as_head, as_modifier) = own_lines(weights, features, input);
    let (mut seen, mut keys) = (Vec::new(), Vec::new());
    for (modifier, own_modifier) in as_modifier.iter().enumerate().skip(1) {
        for (head, own_head) in as_head.iter().enumerate().filter(|&(head, _)| head != modifier) {
            let slot = Slot::of(head, modifier);
            let own = own_head[slot.distance] + own_modifier[slot.distance];
            keys.clear();
            keys.extend(pair_keys(input.word_and_tag(head), input.word_and_tag(modifier)));
            features.context_keys(input, head, modifier, &mut seen, &mut keys);
            scores.set(head, modifier, f64::from(own + weights.sum(&keys, slot)));
        }
    }
    scores
}

/// What each word adds as head, and as modifier.
fn own_lines(
    weights: &impl ArcWeights,
    features: FeatureSet,
    input: &Input,
) -> (Vec<Line>, Vec<Line>) {
    let line = |at| {
        let (word, tag) = input.word_and_tag(at);
        let mut as_head = sum_lines(weights, &head_keys(word, tag));
        let mut as_modifier = sum_lines(weights, &modifier_keys(word, tag));
        if let Some((head, modifier)) = features.own_keys(input, at) {
            head.iter().for_each(|&key| weights.add_to(key, &mut as_head));
            modifier.iter().for_each(|&key| weights.add_to(key, &mut as_modifier));
        }
        (as_head, as_modifier)
    };
    (0..=input.len()).map(line).unzip()
}

/// What some features add together, by direction and distance.
pub fn sum_lines(weights: &impl ArcWeights, keys: &[u64]) -> Line {
    let mut sum = Line::default();
    keys.iter().for_each(|&key| weights.add_to(key, &mut sum));
    sum
}
