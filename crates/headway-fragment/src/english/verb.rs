//! Verb inflection.

use crate::features::{Number, Person, Referent};

/// A verb with the forms that are no matter of rule.
#[derive(Debug, Clone, Copy)]
pub struct EnglishVerb {
    pub base: &'static str,
    pub past: Option<&'static str>,
    pub participle: Option<&'static str>,
    pub ing: Option<&'static str>,
    pub particle: &'static str,
}

impl EnglishVerb {
    pub fn past(&self) -> String {
        self.past.map_or_else(|| regular_past(self.base), str::to_owned)
    }

    pub fn participle(&self) -> String {
        self.participle.map_or_else(|| self.past(), str::to_owned)
    }

    pub fn ing(&self) -> String {
        self.ing.map_or_else(|| regular_ing(self.base), str::to_owned)
    }

    /// The finite form for a subject.
    pub fn finite(&self, past: bool, subject: &Referent) -> String {
        let singular = subject.number == Number::Singular && !subject.formal;
        let third = singular && subject.english_person() == Person::Third;
        match (self.base, past) {
            ("be", true) if singular && subject.person != Person::Second => "was".into(),
            ("be", true) => "were".into(),
            ("be", false) if singular && subject.person == Person::First => "am".into(),
            ("be", false) if third => "is".into(),
            ("be", false) => "are".into(),
            (_, true) => self.past(),
            ("have", false) if third => "has".into(),
            (_, false) if third => third_singular(self.base),
            _ => self.base.into(),
        }
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// *carry* and *try*, but not *play*.
fn consonant_y(base: &str) -> Option<&str> {
    let stem = base.strip_suffix('y')?;
    (!stem.ends_with(is_vowel)).then_some(stem)
}

fn third_singular(base: &str) -> String {
    if let Some(stem) = consonant_y(base) {
        return format!("{stem}ies");
    }
    let hissing = ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| base.ends_with(end));
    format!("{base}{}", if hissing { "es" } else { "s" })
}

fn regular_past(base: &str) -> String {
    if let Some(stem) = consonant_y(base) {
        return format!("{stem}ied");
    }
    match base.strip_suffix('e') {
        Some(stem) => format!("{stem}ed"),
        None => format!("{}ed", doubled(base)),
    }
}

fn regular_ing(base: &str) -> String {
    match base.strip_suffix('e') {
        Some(stem) if !stem.ends_with('e') && base.len() > 2 => format!("{stem}ing"),
        _ => format!("{}ing", doubled(base)),
    }
}

/// A last consonant doubles after one short vowel of a single syllable: *stop* → *stopp*.
fn doubled(base: &str) -> String {
    let letters: Vec<char> = base.chars().collect();
    let short = match letters[..] {
        [.., before, vowel, last] => {
            !is_vowel(before)
                && is_vowel(vowel)
                && !is_vowel(last)
                && !matches!(last, 'w' | 'x' | 'y')
        }
        _ => false,
    };
    match letters.last() {
        Some(last) if short && letters.iter().filter(|&&c| is_vowel(c)).count() == 1 => {
            format!("{base}{last}")
        }
        _ => base.into(),
    }
}

pub const BE: EnglishVerb = auxiliary("be", "were", "been");
pub const HAVE: EnglishVerb = auxiliary("have", "had", "had");
pub const DO: EnglishVerb = auxiliary("do", "did", "done");
pub const WANT: EnglishVerb = auxiliary("want", "wanted", "wanted");
pub const LIKE: EnglishVerb = auxiliary("like", "liked", "liked");
pub const ALLOW: EnglishVerb = auxiliary("allow", "allowed", "allowed");

const fn auxiliary(
    base: &'static str,
    past: &'static str,
    participle: &'static str,
) -> EnglishVerb {
    EnglishVerb { base, past: Some(past), participle: Some(participle), ing: None, particle: "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Gender;

    fn regular(base: &'static str) -> EnglishVerb {
        EnglishVerb { base, past: None, participle: None, ing: None, particle: "" }
    }

    fn forms(verb: &EnglishVerb) -> String {
        let she = Referent::new(Person::Third, Number::Singular, Gender::Feminine);
        [verb.finite(false, &she), verb.past(), verb.participle(), verb.ing()].join(" ")
    }

    #[test]
    fn regular_verbs_follow_the_rules() {
        for (base, expected) in [
            ("play", "plays played played playing"),
            ("cry", "cries cried cried crying"),
            ("dance", "dances danced danced dancing"),
            ("watch", "watches watched watched watching"),
            ("shop", "shops shopped shopped shopping"),
            ("look", "looks looked looked looking"),
            ("visit", "visits visited visited visiting"),
            ("open", "opens opened opened opening"),
        ] {
            assert_eq!(forms(&regular(base)), expected);
        }
    }

    #[test]
    fn be_agrees_in_person_and_number() {
        let person = |person, number| Referent::new(person, number, Gender::Neuter);
        let paradigm = |past| {
            Number::ALL
                .map(|n| Person::ALL.map(|p| BE.finite(past, &person(p, n))))
                .concat()
                .join(" ")
        };
        assert_eq!(paradigm(false), "am are is are are are");
        assert_eq!(paradigm(true), "was were was were were were");
        let you = Referent { formal: true, ..person(Person::Third, Number::Plural) };
        assert_eq!(BE.finite(false, &you), "are");
    }
}
