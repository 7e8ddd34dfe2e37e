//! One line of a Moses table, taken apart and checked.

use super::Style;
use crate::error::snippet;
use crate::table::Counts;
use crate::table::store::LONGEST;

/// The fields of a line of a phrase or rule table.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'a> {
    pub source: Vec<&'a str>,
    pub target: Vec<&'a str>,
    /// The left-hand sides that both sides of a hierarchical rule end with.
    pub left: Option<[&'a str; 2]>,
    pub scores: Vec<f32>,
    pub links: Vec<(u8, u8)>,
    pub counts: Option<Counts>,
    /// The `{{Dependency …}}` property.
    pub structure: Option<Vec<&'a str>>,
    /// What headway has no use for.
    pub has_sparse: bool,
    pub has_properties: bool,
}

/// More scores than any model has: a line like this is no rule.
pub const MOST_SCORES: usize = 1000;
/// Source, target, scores, links, counts, sparse features, properties; what follows is one more.
const MOST_FIELDS: usize = 8;

/// Fields between bars that stand alone.
fn fields(line: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(found) = line[from..].find("|||").filter(|_| fields.len() + 1 < MOST_FIELDS) {
        let (bar, end) = (from + found, from + found + 3);
        let alone = (bar == 0 || line[..bar].ends_with(BLANK))
            && (end == line.len() || line[end..].starts_with(BLANK));
        if alone {
            fields.push(line[start..bar].trim_matches(BLANK));
            start = end;
        }
        from = if alone { end } else { bar + 1 };
    }
    fields.push(line[start..].trim_matches(BLANK));
    fields
}

/// What separates words; other spaces of Unicode may stand within them.
const BLANK: [char; 2] = [' ', '\t'];

fn words(field: &str) -> impl DoubleEndedIterator<Item = &str> {
    field.split(BLANK).filter(|word| !word.is_empty())
}

/// All words of a field that has at most so many. A line may have 256 MiB, and references to its
/// words take many times that.
fn few_words<'a>(field: &'a str, most: usize, what: &str) -> Result<Vec<&'a str>, String> {
    let found: Vec<&str> = words(field).take(most + 1).collect();
    if found.len() > most {
        return Err(format!("{what} of more than {most} words; drop the line"));
    }
    Ok(found)
}

/// The non-terminal of `[X]`, or the second of `[X][Y]`.
pub fn non_terminal(word: &str) -> Option<&str> {
    let inner = word.strip_prefix('[')?.strip_suffix(']')?;
    let last = inner.rsplit_once("][").map_or(inner, |(_, last)| last);
    (!last.is_empty() && !last.contains(['[', ']'])).then_some(last)
}

pub fn is_slot(word: &str) -> bool {
    non_terminal(word).is_some() && word.contains("][")
}

/// The format a line is in: hierarchical ones end both sides with a left-hand side.
pub fn style_of(line: &str) -> Style {
    let is_left_hand_side = |side: &&str| {
        words(side).next_back().is_some_and(|word| non_terminal(word).is_some() && !is_slot(word))
    };
    let sides = fields(line);
    let hierarchical = sides.len() > 1 && sides[..2].iter().all(is_left_hand_side);
    if hierarchical { Style::Hierarchical } else { Style::Phrase }
}

impl<'a> Line<'a> {
    /// Takes a line apart; the message says what is wrong with it.
    pub fn parse(line: &'a str, style: Style) -> Result<Self, String> {
        let fields = fields(line);
        let [source, target, scores, rest @ ..] = &fields[..] else {
            return Err(format!(
                "expected \"source ||| target ||| scores ||| …\", found {}",
                snippet(line.as_bytes()),
            ));
        };
        let field = |index: usize| rest.get(index).copied().unwrap_or("");
        let longest = match style {
            Style::Phrase => LONGEST,
            Style::Hierarchical => LONGEST + 1, // with its left-hand side
        };
        let side = |field| few_words(field, longest, "a side");
        let (mut source, mut target) = (side(source)?, side(target)?);
        let left = match style {
            Style::Phrase => None,
            Style::Hierarchical => Some([left(&mut source)?, left(&mut target)?]),
        };
        if source.is_empty() {
            return Err(format!("the source side is empty in {}", snippet(line.as_bytes())));
        }
        let properties = field(3);
        Ok(Line {
            links: links(field(0), source.len(), target.len())?,
            counts: counts(field(1))?,
            structure: property(properties, "Dependency")
                .map(|field| few_words(field, 2 * LONGEST, "a structure"))
                .transpose()?,
            has_sparse: !field(2).is_empty(),
            has_properties: !properties.is_empty() && property(properties, "Dependency").is_none(),
            scores: self::scores(scores)?,
            source,
            target,
            left,
        })
    }
}

/// Takes the left-hand side off a side of a hierarchical rule.
fn left<'a>(side: &mut Vec<&'a str>) -> Result<&'a str, String> {
    let last = side.pop().filter(|word| !is_slot(word));
    last.and_then(non_terminal)
        .ok_or_else(|| "expected a left-hand side like [X] at the end of both sides".to_string())
}

/// Scores are what logarithms are taken of: neither negative nor infinite.
pub fn scores(field: &str) -> Result<Vec<f32>, String> {
    let score = |word: &str| match word.parse::<f32>() {
        Ok(score) if score >= 0.0 && score.is_finite() => Ok(score),
        _ => {
            let word = snippet(word.as_bytes());
            Err(format!("expected scores from 0 up, found {word}; correct or drop the line"))
        }
    };
    let scores: Vec<f32> =
        words(field).take(MOST_SCORES + 1).map(score).collect::<Result<_, _>>()?;
    match scores.len() {
        0 => Err("no scores where they are expected; correct or drop the line".to_string()),
        1..=MOST_SCORES => Ok(scores),
        _ => Err(format!("more than {MOST_SCORES} scores; is this a phrase table?")),
    }
}

fn links(field: &str, source: usize, target: usize) -> Result<Vec<(u8, u8)>, String> {
    let mut links = Vec::new();
    for word in words(field) {
        let (from, to) = word
            .split_once('-')
            .and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)))
            .ok_or_else(|| {
                format!("expected a link like 0-1, found {}", snippet(word.as_bytes()))
            })?;
        if usize::from(from) >= source || usize::from(to) >= target {
            return Err(format!(
                "the link {from}-{to} lies outside a rule of {source} and {target} words"
            ));
        }
        links.push((from, to));
    }
    links.sort_unstable();
    links.dedup();
    Ok(links)
}

/// Target, source and joint count. Other numbers of counts are from tools that meant other
/// things by them, and are passed over.
fn counts(field: &str) -> Result<Option<Counts>, String> {
    // Any other number of them is none of ours, so no more than four matter.
    let numbers = words(field).take(4);
    let number = |word: &str| {
        let number = word.parse().ok().filter(|number: &f32| *number >= 0.0 && number.is_finite());
        number.ok_or_else(|| format!("expected counts, found {}", snippet(word.as_bytes())))
    };
    let numbers: Result<Vec<f32>, String> = numbers.map(number).collect();
    Ok(match numbers?[..] {
        [target, source, joint] => Some(Counts { target, source, joint }),
        _ => None,
    })
}

/// What stands between `{{name ` and `}}`.
fn property<'a>(field: &'a str, name: &str) -> Option<&'a str> {
    field.split("{{").skip(1).find_map(|part| {
        let inner = part.split_once("}}")?.0.strip_prefix(name)?;
        inner.starts_with(' ').then_some(inner)
    })
}

/// A line of a reordering table: source side, target side unless the model is conditioned on
/// the source alone, probabilities.
type ReorderingLine<'a> = (Vec<&'a str>, Option<Vec<&'a str>>, Vec<f32>);

pub fn reordering(line: &str) -> Result<ReorderingLine<'_>, String> {
    let side = |field| few_words(field, LONGEST, "a side");
    match &fields(line)[..] {
        [source, target, scores] if !source.is_empty() => {
            Ok((side(source)?, Some(side(target)?), self::scores(scores)?))
        }
        [source, scores] if !source.is_empty() => Ok((side(source)?, None, self::scores(scores)?)),
        _ => Err(format!(
            "expected \"source ||| target ||| probabilities\", found {}",
            snippet(line.as_bytes()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phrase(line: &str) -> Result<Line<'_>, String> {
        Line::parse(line, Style::Phrase)
    }

    #[test]
    fn all_fields_are_found() {
        let line =
            phrase("a b ||| c ||| 0.5 1e-3 0 2.5 ||| 1-0 0-0 1-0 ||| 4 2 1.5 ||| s 1 ||| {{K v}}")
                .unwrap();
        assert_eq!((line.source, line.target), (vec!["a", "b"], vec!["c"]));
        assert_eq!(line.scores, [0.5, 1e-3, 0.0, 2.5]);
        assert_eq!(line.links, [(0, 0), (1, 0)]);
        assert_eq!(line.counts, Some(Counts { target: 4.0, source: 2.0, joint: 1.5 }));
        assert!(line.has_sparse && line.has_properties);
    }

    #[test]
    fn fields_at_the_end_may_be_missing_or_empty() {
        for text in ["a ||| b ||| 1", "a ||| b ||| 1 |||", "a ||| b ||| 1 ||| ||| ||| |||"] {
            let line = phrase(text).unwrap();
            assert_eq!(
                (line.links.len(), line.counts, line.has_sparse),
                (0, None, false),
                "{text}"
            );
        }
        assert_eq!(phrase("a |||  ||| 1").unwrap().target, [""; 0]);
        assert_eq!(phrase("a||| |||b ||| c ||| 1").unwrap().source, ["a|||", "|||b"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, what) in [
            ("a b c", "expected \"source"),
            ("a ||| b", "expected \"source"),
            (" ||| b ||| 1", "source side is empty"),
            ("a ||| b ||| 0.5 nan", "found \"nan\""),
            ("a ||| b ||| ||| 0-0", "no scores"),
            ("a ||| b |||", "no scores"),
            ("a ||| b ||| inf", "found \"inf\""),
            ("a ||| b ||| -1", "found \"-1\""),
            ("a ||| b ||| 0,5", "found \"0,5\""),
            ("a ||| b ||| 1 ||| 0:0", "expected a link"),
            ("a ||| b ||| 1 ||| 0-1", "outside"),
            ("a ||| b ||| 1 ||| 0-0 ||| x 1 1", "expected counts"),
        ] {
            let message = phrase(text).unwrap_err();
            assert!(message.contains(what), "{text}: {message}");
        }
        for sides in [("a ".repeat(300), "b".into()), ("a".to_string(), "b ".repeat(256))] {
            let message = phrase(&format!("{} ||| {} ||| 1", sides.0, sides.1)).unwrap_err();
            assert!(message.starts_with("a side of more than 25"), "{message}");
        }
        let many = phrase(&format!("a ||| b ||| {}", "1 ".repeat(1001))).unwrap_err();
        assert!(many.starts_with("more than 1000 scores"), "{many}");
    }

    #[test]
    fn styles_are_told_apart() {
        assert_eq!(style_of("a [X][X] [X] ||| [X][X] b [X] ||| 1"), Style::Hierarchical);
        assert_eq!(style_of("a b ||| c ||| 1"), Style::Phrase);
        assert_eq!((non_terminal("[X]"), non_terminal("[X][S]")), (Some("X"), Some("S")));
        assert_eq!((non_terminal("[]"), non_terminal("[")), (None, None));
    }

    proptest! {
        #[test]
        fn any_line_is_safe(line in "[ |a\\[\\]X0-9.{}-]{0,40}") {
            let _ = (phrase(&line), style_of(&line), reordering(&line));
            let _ = Line::parse(&line, Style::Hierarchical);
        }
    }
}
