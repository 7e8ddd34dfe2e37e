//! What a search may do, apart from the model: the settings of `[search]`.
//!
//! `SETTINGS` is the one list of them, with types and ranges: Python asks for the names, and hands
//! values over to be checked.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::time::Duration;

use super::dependency::{DependencySettings, HeadScore, Recombining};
use super::lattice::{LatticeSettings, Parsing};
use super::order::{OrderScoring, OrderSettings, PhraseSpans};
use super::trees::MOST_TREES;
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Cube pruning (Huang & Chiang 2007): the best extensions first, up to `pop_limit`.
    Cube,
    /// Every extension of every hypothesis that is kept.
    Stack,
}

/// What becomes of a word without a rule of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownWords {
    Copy,
    Drop,
    /// Copied with `UNK:` before it.
    Mark,
}

/// What the orientation of a phrase is measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orienting {
    /// The phrase before, for word- and phrase-based models.
    Phrase,
    /// The largest block that ends there (Galley & Manning 2008).
    Hierarchical,
}

/// The settings of `[search]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub algorithm: Algorithm,
    /// Extensions taken into a stack by cube pruning.
    pub pop_limit: usize,
    /// Cube pruning: how much of its slack (see `Phrase`) an option is hoped to use, which
    /// decides what is evaluated at all. More is slower and finds better scores.
    pub hope: f32,
    /// Hypotheses kept of those that cover equally many words.
    pub stack: usize,
    /// Hypotheses worse than the best of their stack by more than this are dropped.
    pub threshold: f32,
    /// Farthest jump; none is no limit, 0 is monotone.
    pub distortion_limit: Option<u32>,
    /// Rules tried for one source phrase.
    pub options: usize,
    /// Longest source phrase.
    pub max_phrase: usize,
    pub unknown: UnknownWords,
    pub orienting: Orienting,
    /// The dependency language model, where there is one.
    pub dependency: DependencySettings,
    /// What source trees are used for, where there are any.
    pub order: OrderSettings,
    /// How lattices are parsed.
    pub lattice: LatticeSettings,
    /// Longer sentences are translated in pieces of at most this many words.
    pub max_words: usize,
    /// Chart search: longest source span of a rule; longer ones are joined by glue alone.
    pub span_limit: usize,
    /// After this time a sentence is finished in a hurry.
    pub time_limit: Option<Duration>,
    /// Share of letters that an unknown word has in common with the known one that it is read
    /// as; 0 leaves it unknown. For those who prepare the words.
    pub alike: f32,
    /// Whether dependency models also score that a head has no further children. For those who
    /// open them.
    pub stop: bool,
    /// Whether gaps and the like are features beside the log probability of operations.
    pub operation_counts: bool,
}

/// The value of a setting as people write it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(value) => write!(out, "{value}"),
            Value::Float(value) => write!(out, "{value}"),
            Value::Text(value) => write!(out, "\"{value}\""),
        }
    }
}

/// Nothing, or what was expected.
type Taken = std::result::Result<(), String>;

impl Value {
    fn count(&self, range: RangeInclusive<i64>) -> std::result::Result<i64, String> {
        match self {
            Value::Int(value) if range.contains(value) => Ok(*value),
            Value::Int(value) if value < range.start() => {
                Err(format!("at least {} is needed", range.start()))
            }
            Value::Int(_) => Err(format!("at most {}", range.end())),
            _ => Err("expected a whole number".to_string()),
        }
    }

    fn number(&self, range: RangeInclusive<f64>) -> std::result::Result<f64, String> {
        let value = match self {
            Value::Int(value) => *value as f64,
            Value::Float(value) => *value,
            _ => return Err("expected a number".to_string()),
        };
        let (least, most) = (range.start(), range.end());
        let expected = match most.is_finite() {
            true => format!("expected {least} to {most}"),
            false => format!("expected {least} or more"),
        };
        if range.contains(&value) { Ok(value) } else { Err(expected) }
    }

    fn switch(&self) -> std::result::Result<bool, String> {
        match self {
            Value::Bool(value) => Ok(*value),
            _ => Err("expected true or false".to_string()),
        }
    }

    fn choice<T: Copy>(&self, known: &[(&str, T)]) -> std::result::Result<T, String> {
        let found =
            known.iter().find(|(name, _)| matches!(self, Value::Text(text) if text == name));
        found.map(|&(_, value)| value).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|&(name, _)| name).collect();
            format!("expected {}", names.join(" or "))
        })
    }
}

/// A setting of `[search]`: its name, and how its value is taken over.
pub struct Setting {
    pub name: &'static str,
    take: fn(&mut Search, &Value) -> Taken,
}

const MANY: i64 = u32::MAX as i64;
const MOST_EDGES: i64 = 5_000;

/// All settings of `[search]`.
pub const SETTINGS: &[Setting] = &[
    Setting { name: "algorithm", take: |s, v| set(&mut s.algorithm, v.choice(&ALGORITHMS)) },
    Setting { name: "pop_limit", take: |s, v| set_count(&mut s.pop_limit, v, 1..=MANY) },
    Setting { name: "hope", take: |s, v| set_number(&mut s.hope, v, 0.0..=1.0) },
    Setting { name: "stack", take: |s, v| set_count(&mut s.stack, v, 1..=MANY) },
    Setting { name: "threshold", take: take_threshold },
    Setting { name: "distortion_limit", take: take_distortion_limit },
    Setting { name: "options", take: |s, v| set_count(&mut s.options, v, 1..=60_000) },
    Setting { name: "max_phrase", take: |s, v| set_count(&mut s.max_phrase, v, 1..=MANY) },
    Setting { name: "alike", take: |s, v| set_number(&mut s.alike, v, 0.0..=1.0) },
    Setting { name: "unknown", take: |s, v| set(&mut s.unknown, v.choice(&TREATMENTS)) },
    Setting { name: "orientation", take: |s, v| set(&mut s.orienting, v.choice(&ORIENTINGS)) },
    Setting { name: "max_words", take: |s, v| set_count(&mut s.max_words, v, 1..=10_000) },
    Setting { name: "span_limit", take: |s, v| set_count(&mut s.span_limit, v, 1..=10_000) },
    Setting { name: "stop", take: |s, v| set(&mut s.stop, v.switch()) },
    Setting { name: "operation_counts", take: |s, v| set(&mut s.operation_counts, v.switch()) },
    Setting { name: "time_limit", take: take_time_limit },
    Setting { name: "dependency_loops", take: |s, v| set(&mut s.dependency.loops, v.switch()) },
    Setting {
        name: "dependency_states",
        take: |s, v| set(&mut s.dependency.recombining, v.choice(&RECOMBINING)),
    },
    Setting {
        name: "dependency_score",
        take: |s, v| set(&mut s.dependency.worth.score, v.choice(&HEAD_SCORES)),
    },
    Setting {
        name: "dependency_scale",
        take: |s, v| set_number(&mut s.dependency.worth.scale, v, 0.0..=1e6),
    },
    Setting {
        name: "dependency_clip",
        take: |s, v| set_number(&mut s.dependency.worth.clip, v, 0.0..=1e6),
    },
    Setting { name: "spans", take: |s, v| set(&mut s.order.spans, v.choice(&SPANS)) },
    Setting {
        name: "licensed_words",
        take: |s, v| set_count(&mut s.order.licensed_words, v, 1..=MANY),
    },
    Setting { name: "contiguous", take: |s, v| set(&mut s.order.contiguous, v.switch()) },
    Setting {
        name: "linear_distortion",
        take: |s, v| set(&mut s.order.linear_distortion, v.switch()),
    },
    Setting {
        name: "dependency_order",
        take: |s, v| set(&mut s.order.scoring, v.choice(&ORDER_SCORING)),
    },
    Setting {
        name: "soft_constraints",
        take: |s, v| set(&mut s.order.soft_constraints, v.switch()),
    },
    Setting {
        name: "source_trees",
        take: |s, v| set_count(&mut s.order.trees, v, 1..=MOST_TREES as i64),
    },
    Setting {
        name: "lattice_edges",
        take: |s, v| set_count(&mut s.lattice.edges, v, 1..=MOST_EDGES),
    },
    Setting { name: "lattice_parse", take: |s, v| set(&mut s.lattice.parsing, v.choice(&PARSING)) },
    Setting { name: "goals", take: |s, v| set_count(&mut s.lattice.goals, v, 1..=MANY) },
    Setting {
        name: "parents_mean",
        take: |s, v| set_count(&mut s.lattice.parents_mean, v, 0..=MOST_EDGES),
    },
    Setting {
        name: "parents_least",
        take: |s, v| set_count(&mut s.lattice.parents_least, v, 0..=MOST_EDGES),
    },
    Setting {
        name: "parents_most",
        take: |s, v| set_count(&mut s.lattice.parents_most, v, 1..=MOST_EDGES),
    },
    Setting {
        name: "dependency_constant",
        take: |s, v| set_number(&mut s.lattice.constant, v, 0.0..=1e6),
    },
    Setting { name: "string_to_tree", take: |s, v| set(&mut s.lattice.string_to_tree, v.switch()) },
    Setting { name: "tree_to_tree", take: |s, v| set(&mut s.lattice.tree_to_tree, v.switch()) },
];

const PARSING: [(&str, Parsing); 3] =
    [("exact", Parsing::Exact), ("bound", Parsing::Bound), ("path", Parsing::Path)];
const ALGORITHMS: [(&str, Algorithm); 2] = [("cube", Algorithm::Cube), ("stack", Algorithm::Stack)];
const TREATMENTS: [(&str, UnknownWords); 3] =
    [("copy", UnknownWords::Copy), ("drop", UnknownWords::Drop), ("mark", UnknownWords::Mark)];
const RECOMBINING: [(&str, Recombining); 2] =
    [("tags", Recombining::Tags), ("words", Recombining::Words)];
const HEAD_SCORES: [(&str, HeadScore); 3] = [
    ("raw", HeadScore::Raw),
    ("log-probability", HeadScore::LogProbability),
    ("margin", HeadScore::Margin),
];
const ORIENTINGS: [(&str, Orienting); 2] =
    [("phrase", Orienting::Phrase), ("hierarchical", Orienting::Hierarchical)];

const SPANS: [(&str, PhraseSpans); 3] = [
    ("all", PhraseSpans::All),
    ("random", PhraseSpans::Random),
    ("licensed", PhraseSpans::Licensed),
];
const ORDER_SCORING: [(&str, OrderScoring); 3] = [
    ("none", OrderScoring::None),
    ("plain", OrderScoring::Plain),
    ("lexical", OrderScoring::Lexical),
];

fn set<T>(place: &mut T, found: std::result::Result<T, String>) -> Taken {
    *place = found?;
    Ok(())
}

fn set_count(place: &mut usize, value: &Value, range: RangeInclusive<i64>) -> Taken {
    *place = value.count(range)? as usize;
    Ok(())
}

fn set_number(place: &mut f32, value: &Value, range: RangeInclusive<f64>) -> Taken {
    *place = value.number(range)? as f32;
    Ok(())
}

/// 0 drops nothing.
fn take_threshold(search: &mut Search, value: &Value) -> Taken {
    let found = value.number(0.0..=f64::INFINITY)? as f32;
    search.threshold = if found == 0.0 { f32::INFINITY } else { found };
    Ok(())
}

fn take_distortion_limit(search: &mut Search, value: &Value) -> Taken {
    let expected = "expected -1 (no limit), 0 (monotone) or more";
    let found = value.count(-1..=i64::from(i32::MAX)).map_err(|_| expected)?;
    search.distortion_limit = u32::try_from(found).ok();
    Ok(())
}

fn take_time_limit(search: &mut Search, value: &Value) -> Taken {
    let found = value.number(0.0..=1e9).map_err(|_| "expected seconds")?;
    search.time_limit = (found > 0.0).then(|| Duration::from_secs_f64(found));
    Ok(())
}

impl Default for Search {
    /// Where reading begins; `default.toml` has the defaults that people get.
    fn default() -> Self {
        Search {
            algorithm: Algorithm::Cube,
            pop_limit: 200,
            hope: 0.5,
            stack: 200,
            threshold: f32::INFINITY,
            distortion_limit: Some(6),
            options: 20,
            max_phrase: 7,
            unknown: UnknownWords::Copy,
            orienting: Orienting::Phrase,
            dependency: DependencySettings::default(),
            order: OrderSettings::default(),
            lattice: LatticeSettings::default(),
            max_words: 250,
            span_limit: 20,
            time_limit: None,
            alike: 1.0,
            stop: false,
            operation_counts: false,
        }
    }
}

impl Search {
    /// Takes settings over by name, all of which must be given.
    pub fn read(values: &[(String, Value)]) -> Result<Self> {
        if let Some((name, _)) = values.iter().find(|(name, _)| !names().any(|it| it == name)) {
            return Err(Error::setting(format!("search.{name}: unknown setting")));
        }
        let mut search = Search::default();
        for Setting { name, take } in SETTINGS {
            let Some((_, value)) = values.iter().find(|(given, _)| given == name) else {
                return Err(Error::setting(format!("search.{name}: missing")));
            };
            take(&mut search, value).map_err(|expected| {
                Error::setting(format!("search.{name} is {value}; {expected}"))
            })?;
        }
        search.order.check()?;
        search.lattice.check()?;
        Ok(search)
    }
}

/// The names of all settings.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name)
}

impl UnknownWords {
    /// As settings name it.
    pub fn name(self) -> &'static str {
        TREATMENTS.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::dependency::Worth;

    fn given() -> Vec<(String, Value)> {
        let text = |word: &str| Value::Text(word.to_string());
        let value = |name: &str| match name {
            "algorithm" => text("stack"),
            "unknown" => text("mark"),
            "orientation" => text("hierarchical"),
            "dependency_states" => text("words"),
            "dependency_score" => text("margin"),
            "dependency_scale" | "dependency_clip" => Value::Float(0.75),
            "spans" => text("licensed"),
            "dependency_order" => text("plain"),
            "lattice_parse" => text("bound"),
            "linear_distortion" | "string_to_tree" | "tree_to_tree" => Value::Bool(false),
            "operation_counts" | "stop" | "dependency_loops" | "contiguous"
            | "soft_constraints" => Value::Bool(true),
            "hope" => Value::Float(0.25),
            "threshold" | "alike" | "time_limit" => Value::Float(0.5),
            _ => Value::Int(9),
        };
        names().map(|name| (name.to_string(), value(name))).collect()
    }

    fn changed(name: &str, value: Value) -> Result<Search> {
        let mut all = given();
        all.iter_mut().filter(|(given, _)| given == name).for_each(|it| it.1 = value.clone());
        Search::read(&all)
    }

    #[test]
    fn every_setting_is_taken_over() {
        let found = Search::read(&given()).unwrap();
        let worth = Worth { score: HeadScore::Margin, scale: 0.75, clip: 0.75 };
        let recombining = Recombining::Words;
        let dependency = DependencySettings { loops: true, recombining, worth };
        let order = OrderSettings {
            spans: PhraseSpans::Licensed,
            licensed_words: 9,
            contiguous: true,
            linear_distortion: false,
            scoring: OrderScoring::Plain,
            soft_constraints: true,
            trees: 9,
        };
        let lattice = LatticeSettings {
            edges: 9,
            parsing: Parsing::Bound,
            goals: 9,
            parents_mean: 9,
            parents_least: 9,
            parents_most: 9,
            constant: 9.0,
            string_to_tree: false,
            tree_to_tree: false,
        };
        let expected = Search {
            algorithm: Algorithm::Stack,
            pop_limit: 9,
            hope: 0.25,
            stack: 9,
            threshold: 0.5,
            distortion_limit: Some(9),
            options: 9,
            max_phrase: 9,
            unknown: UnknownWords::Mark,
            orienting: Orienting::Hierarchical,
            dependency,
            order,
            lattice,
            max_words: 9,
            span_limit: 9,
            time_limit: Some(Duration::from_millis(500)),
            alike: 0.5,
            stop: true,
            operation_counts: true,
        };
        assert_eq!(found, expected);
        assert_eq!(changed("threshold", Value::Int(0)).unwrap().threshold, f32::INFINITY);
        assert_eq!(changed("distortion_limit", Value::Int(-1)).unwrap().distortion_limit, None);
        assert_eq!(changed("time_limit", Value::Float(0.0)).unwrap().time_limit, None);
    }

    #[test]
    fn what_is_out_of_range_is_named_with_its_value() {
        let message = |name, value| changed(name, value).unwrap_err().to_string();
        assert_eq!(message("stack", Value::Int(0)), "search.stack is 0; at least 1 is needed");
        assert_eq!(
            message("options", Value::Int(70_000)),
            "search.options is 70000; at most 60000"
        );
        assert_eq!(message("hope", Value::Float(1.5)), "search.hope is 1.5; expected 0 to 1");
        let nan = message("threshold", Value::Float(f64::NAN));
        assert_eq!(nan, "search.threshold is NaN; expected 0 or more");
        let word = Value::Text("many".to_string());
        let expected = "search.pop_limit is \"many\"; expected a whole number";
        assert_eq!(message("pop_limit", word.clone()), expected);
        assert_eq!(
            message("unknown", word),
            "search.unknown is \"many\"; expected copy or drop or mark"
        );
        assert!(message("distortion_limit", Value::Int(-2)).contains("-1 (no limit)"));
        let all = Value::Text("all".to_string());
        assert!(message("spans", all).starts_with("search.contiguous is true; it needs"));
        assert_eq!(
            message("source_trees", Value::Int(33)),
            "search.source_trees is 33; at most 32"
        );
    }

    #[test]
    fn names_that_are_missing_or_unknown_are_refused() {
        let mut all = given();
        all.pop();
        assert_eq!(Search::read(&all).unwrap_err().to_string(), "search.tree_to_tree: missing");
        all.push(("beam".to_string(), Value::Int(1)));
        assert_eq!(Search::read(&all).unwrap_err().to_string(), "search.beam: unknown setting");
    }
}
