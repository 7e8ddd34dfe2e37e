//! Scores of arcs.

use crate::container::{Container, ContainerWriter};
use crate::{Error, Result, Vocabulary};

use super::between::Between;
use super::features::{
    FIRST, Feature, Input, Line, NAMES, ROOT, UNKNOWN, adjacent_keys, arc_keys, between_keys,
    between_place, head_keys, modifier_keys, pair_keys, part, slots,
};
use super::matrix::ArcScores;
use super::weights::Weights;

/// Words and tags as numbers, and the weights of features of arcs between them.
#[derive(Debug, Clone)]
pub struct GraphModel {
    pub(super) words: Vocabulary,
    pub(super) tags: Vocabulary,
    pub(super) between: Between,
    pub(super) lowercase: bool,
    pub(super) weights: Weights,
}

impl GraphModel {
    pub fn between(&self) -> Between {
        self.between
    }

    /// Words with their tags as numbers, after the root.
    pub fn input<S: AsRef<str>, T: AsRef<str>>(&self, forms: &[S], tags: &[T]) -> Input {
        let mut input = Input { words: vec![ROOT], tags: vec![ROOT] };
        input.words.extend(forms.iter().map(|form| self.word(form.as_ref())));
        input.tags.extend(tags.iter().map(|tag| self.tag(tag.as_ref())));
        input.tags.resize(input.words.len(), UNKNOWN);
        input
    }

    /// The number of a word.
    pub fn word(&self, form: &str) -> u32 {
        let found = if self.lowercase {
            self.words.get(&form.to_lowercase())
        } else {
            self.words.get(form)
        };
        found.map_or(UNKNOWN, |id| id.0 + FIRST)
    }

    /// The number of a tag.
    pub fn tag(&self, tag: &str) -> u32 {
        self.tags.get(tag).map_or(UNKNOWN, |id| id.0 + FIRST)
    }

    /// The scores of all arcs of a sentence.
    pub fn scores(&self, input: &Input) -> ArcScores {
        let words = input.len();
        let mut scores = ArcScores::new(words);
        let lines = |keys: fn(u32, u32) -> [u64; 3]| -> Vec<Line> {
            let both = input.words.iter().zip(&input.tags);
            both.map(|(&word, &tag)| self.sum_lines(&keys(word, tag))).collect()
        };
        let (as_head, as_modifier) = (lines(head_keys), lines(modifier_keys));
        let mut seen = Vec::new();
        for modifier in 1..=words {
            for head in (0..=words).filter(|&head| head != modifier) {
                let (side, distance) = slots(head, modifier);
                let (h, m) = (&as_head[head], &as_modifier[modifier]);
                let own = h[side] + h[distance] + m[side] + m[distance];
                let joint = self.joint_score(input, head, modifier, (side, distance), &mut seen);
                scores.set(head, modifier, f64::from(own + joint));
            }
        }
        scores
    }

    /// The part of an arc's score that head and modifier make together.
    #[inline]
    fn joint_score(
        &self,
        input: &Input,
        head: usize,
        modifier: usize,
        slots: (usize, usize),
        seen: &mut Vec<u32>,
    ) -> f32 {
        let h = (input.words[head], input.tags[head]);
        let m = (input.words[modifier], input.tags[modifier]);
        let mut score = 0.0;
        for key in pair_keys(h, m) {
            let line = self.weights.line(key);
            score += line[slots.0] + line[slots.1];
        }
        score + self.context_score(input, head, modifier, slots, seen)
    }

    /// The part of an arc's score that the tags around and between make.
    #[inline]
    pub(super) fn context_score(
        &self,
        input: &Input,
        head: usize,
        modifier: usize,
        slots: (usize, usize),
        seen: &mut Vec<u32>,
    ) -> f32 {
        let mut score = 0.0;
        for key in adjacent_keys(input, head, modifier) {
            let line = self.weights.line(key);
            score += line[slots.0] + line[slots.1];
        }
        between_keys(input, head, modifier, self.between, seen, |key| {
            let line = self.weights.line(key);
            score += line[slots.0] + line[slots.1];
        });
        score
    }

    pub(super) fn sum_lines(&self, keys: &[u64]) -> Line {
        let mut sum = [0.0; 16];
        for &key in keys {
            let line = self.weights.line(key);
            sum.iter_mut().zip(line).for_each(|(sum, weight)| *sum += weight);
        }
        sum
    }

    /// Every feature of an arc by name, with what it adds to the score.
    pub fn explain<S: AsRef<str>, T: AsRef<str>>(
        &self,
        forms: &[S],
        tags: &[T],
        head: usize,
        modifier: usize,
    ) -> Result<Vec<Feature>> {
        let words = forms.len().min(tags.len());
        if head > words || modifier > words || modifier == 0 || head == modifier {
            return Err(Error::setting(format!(
                "no arc from {head} to {modifier}: words are numbered 1 to {words}, 0 is the root"
            )));
        }
        let input = self.input(forms, tags);
        let slots = slots(head, modifier);
        let keys = arc_keys(&input, head, modifier, self.between);
        let weight = |key: u64| {
            let line = self.weights.line(key);
            f64::from(line[slots.0]) + f64::from(line[slots.1])
        };
        let named = names(forms, tags, head, modifier, self.between, &input);
        Ok(named
            .into_iter()
            .zip(keys)
            .map(|(name, key)| Feature { name, weight: weight(key) })
            .collect())
    }

    pub const SECTIONS: usize = 6;

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        writer.section("graph")?;
        writer.write(&[self.between as u8, u8::from(self.lowercase)])?;
        self.words.write_sections(writer, "arc-words")?;
        self.tags.write_sections(writer, "arc-tags")?;
        self.weights.write_section(writer)
    }

    pub fn read_sections(container: &Container) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the parser in it is damaged");
        let &[between, lowercase] = container.section("graph")? else { return Err(damaged()) };
        let between = Between::ALL.get(between as usize).ok_or_else(damaged)?.1;
        Ok(GraphModel {
            words: Vocabulary::read_sections(container, "arc-words")?,
            tags: Vocabulary::read_sections(container, "arc-tags")?,
            between,
            lowercase: lowercase == 1,
            weights: Weights::read_section(container)?,
        })
    }
}

/// The names of an arc's features with their values, in the order of `arc_keys`.
fn names<S: AsRef<str>, T: AsRef<str>>(
    forms: &[S],
    tags: &[T],
    head: usize,
    modifier: usize,
    between: Between,
    input: &Input,
) -> Vec<String> {
    let text = |word: bool, place: Option<usize>| match place {
        Some(0) => "<root>",
        Some(at) if at <= forms.len() && word => forms[at - 1].as_ref(),
        Some(at) if at <= tags.len() => tags[at - 1].as_ref(),
        _ => "<none>",
    };
    let valued = |name: &&str| {
        let (word, place) = part(name, head, modifier);
        format!("{name}={}", text(word, place))
    };
    let fixed = NAMES.iter();
    let mut names: Vec<String> =
        fixed.map(|parts| parts.iter().map(valued).collect::<Vec<_>>().join(" ")).collect();
    let places: Vec<u32> = (0..input.tags.len() as u32).collect();
    let (left, right) = (head.min(modifier), head.max(modifier));
    let mut seen_tags = Vec::new();
    // Walking over places instead of tags tells where each tag stands.
    let window = if between == Between::Window { between } else { Between::All };
    window.visit(&places, left, right, &mut Vec::new(), |place, at| {
        let near = (at as usize - left).min(right - at as usize) <= super::between::WINDOW;
        let tag = input.tags[at as usize];
        let plain = between != Between::Window;
        if plain && (seen_tags.contains(&tag) || (between == Between::PlainWindow && !near)) {
            return;
        }
        seen_tags.push(tag);
        let middle = between_place(place, head, modifier);
        let (h, m) = (text(false, Some(head)), text(false, Some(modifier)));
        names.push(format!("h-pos={h} {middle}={} m-pos={m}", text(false, Some(at as usize))));
    });
    names
}
