//! The features of an arc for people.

use crate::parse::tag::names::{coarse_name, fine_name};
use crate::{Error, Result};

use super::between::{Between, WINDOW};
use super::features::{NAMES, Slot, Templates};
use super::input::Input;
use super::model::GraphModel;
use super::rich;
use super::weights::ArcWeights;

/// One feature of an arc: its name with its values, and what it adds to the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub name: String,
    pub weight: f64,
}

impl GraphModel {
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
        let input = self.numbering.input(forms, tags);
        let slot = Slot::of(head, modifier);
        let mut keys = Vec::new();
        self.features.arc_keys(&input, head, modifier, &mut keys);
        let arc = Arc { forms, tags, input: &input, head, modifier };
        let mut names: Vec<String> = NAMES.iter().map(|parts| arc.named(parts)).collect();
        names.extend(arc.between_names(self.features.between));
        if self.features.templates == Templates::Rich {
            let parts = rich::NAMES.iter().chain(&rich::OWN_NAMES);
            names.extend(parts.map(|parts| arc.named(parts)));
        }
        let weight = |key: u64| f64::from(self.weights.get(key, slot));
        let named = names.into_iter().zip(keys);
        Ok(named.map(|(name, key)| Feature { name, weight: weight(key) }).collect())
    }
}

struct Arc<'a, S, T> {
    forms: &'a [S],
    tags: &'a [T],
    input: &'a Input,
    head: usize,
    modifier: usize,
}

impl<S: AsRef<str>, T: AsRef<str>> Arc<'_, S, T> {
    /// A template with its values: `h-word=the h-pos=DT`.
    fn named(&self, parts: &[&str]) -> String {
        let valued = |name: &&str| format!("{name}={}", self.value(name));
        parts.iter().map(valued).collect::<Vec<_>>().join(" ")
    }

    fn value(&self, name: &str) -> String {
        let (left, right) = (self.head.min(self.modifier), self.head.max(self.modifier));
        let counts = ["verbs", "conjunctions", "marks", "nouns"];
        if let Some(class) = counts.iter().position(|&count| count == name) {
            return self.input.between(left, right)[class].to_string();
        }
        let at = if name.starts_with('h') { self.head } else { self.modifier };
        let place = match name {
            _ if name.ends_with("-1") => at.checked_sub(1),
            _ if name.ends_with("+1") => Some(at + 1),
            _ => Some(at),
        };
        match place {
            Some(0) => "<root>".to_string(),
            Some(at) if at <= self.input.len() => self.text(name, at),
            _ => "<none>".to_string(),
        }
    }

    fn text(&self, name: &str, at: usize) -> String {
        let (form, tag) = (self.forms[at - 1].as_ref(), self.tags[at - 1].as_ref());
        match &name[2..] {
            part if part.starts_with("word") => form.to_string(),
            part if part.starts_with("lower") => form.to_lowercase(),
            part if part.starts_with("coarse") => coarse_name(tag).to_string(),
            _ => fine_name(tag).to_string(),
        }
    }

    /// The names of the features in between, in the order of their keys.
    fn between_names(&self, between: Between) -> Vec<String> {
        let places: Vec<u32> = (0..=self.input.len() as u32).collect();
        let (left, right) = (self.head.min(self.modifier), self.head.max(self.modifier));
        let (mut names, mut seen) = (Vec::new(), Vec::new());
        // Walking over places instead of tags tells where each tag stands.
        let window = if between == Between::Window { between } else { Between::All };
        window.visit(&places, left, right, &mut Vec::new(), |place, at| {
            let at = at as usize;
            let near = (at - left).min(right - at) <= WINDOW;
            let tag = self.input.tag(at);
            let plain = between != Between::Window;
            if plain && (seen.contains(&tag) || (between == Between::PlainWindow && !near)) {
                return;
            }
            seen.push(tag);
            let (h, m) = (self.value("h-pos"), self.value("m-pos"));
            let middle = self.place_name(place);
            names.push(format!("h-pos={h} {middle}={} m-pos={m}", self.text("m-pos", at)));
        });
        names
    }

    /// The name of the place of an in-between tag: `h-pos+2` is two after the head.
    fn place_name(&self, place: usize) -> String {
        let (left, right) = if self.head < self.modifier { ("h", "m") } else { ("m", "h") };
        match place {
            0 => "between".to_string(),
            1..=5 => format!("{left}-pos+{place}"),
            _ => format!("{right}-pos-{}", place - 5),
        }
    }
}
