//! Nouns, adjectives, adverbs and names.

use super::classes::{ClassNames, Classes};
use super::table::Row;
use crate::features::Gender;

#[derive(Debug, Clone, Copy)]
pub struct Noun {
    pub lemma: &'static str,
    pub gender: Gender,
    pub weak: bool,
    pub genitive: &'static str,
    /// Mass nouns have none.
    pub plural: Option<&'static str>,
    pub english: &'static str,
    pub english_plural: &'static str,
    /// What English pronouns follow.
    pub sex: Gender,
    pub classes: Classes,
    pub place: Option<PlaceWords>,
}

/// The prepositions of place a noun asks for.
#[derive(Debug, Clone, Copy)]
pub struct PlaceWords {
    pub at: &'static str,
    pub at_english: &'static str,
    pub to: &'static str,
    pub to_english: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub struct Adjective {
    pub german: &'static str,
    pub comparative: Option<&'static str>,
    pub english: &'static str,
    /// `more` for the comparative in two words.
    pub english_comparative: &'static str,
    /// Opinion before size before age before colour before origin.
    pub order: u8,
    pub predicative: bool,
    pub attributive: bool,
    pub gradable: bool,
    /// Holds for a time: *müde*.
    pub passing: bool,
    pub classes: Classes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdverbKind {
    Time,
    /// *wieder*: near the verb.
    Again,
    Aspect,
    Often,
    Stance,
    /// Stance before the verb: *probably*.
    Middle,
    /// Time that English puts first: *suddenly*.
    Front,
    Manner(&'static str),
    Place,
    Degree,
}

#[derive(Debug, Clone, Copy)]
pub struct Adverb {
    pub german: &'static str,
    pub english: &'static str,
    pub kind: AdverbKind,
    frames: &'static str,
}

impl Adverb {
    /// Whether the adverb goes with clauses of this frame of time.
    pub fn fits(&self, frame: &str) -> bool {
        self.frames.split(' ').any(|known| known == frame || known == "all")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    Given,
    /// With *Herr* or *Frau*.
    Family,
    Town,
    Country,
}

#[derive(Debug, Clone, Copy)]
pub struct Name {
    pub german: &'static str,
    pub english: &'static str,
    pub kind: NameKind,
    pub gender: Gender,
}

fn gender(mark: &str) -> Option<Gender> {
    match mark {
        "m" | "mw" => Some(Gender::Masculine),
        "f" => Some(Gender::Feminine),
        "n" => Some(Gender::Neuter),
        _ => None,
    }
}

pub fn nouns(
    rows: impl Iterator<Item = Row>,
    places: impl Iterator<Item = Row>,
    classes: &mut ClassNames,
) -> Result<Vec<Noun>, String> {
    let mut nouns: Vec<Noun> = rows.map(|row| noun(&row, classes)).collect::<Result<_, _>>()?;
    for row in places {
        let lemma = row.get(0)?;
        let noun = nouns.iter_mut().find(|noun| noun.lemma == lemma);
        noun.ok_or_else(|| row.wrong("no such noun"))?.place = Some(PlaceWords {
            at: row.get(1)?,
            at_english: row.get(2)?,
            to: row.get(3)?,
            to_english: row.get(4)?,
        });
    }
    Ok(nouns)
}

fn noun(row: &Row, classes: &mut ClassNames) -> Result<Noun, String> {
    let (mark, sex) = row.get(1)?.split_once(':').unwrap_or((row.get(1)?, ""));
    let gender = gender(mark).ok_or_else(|| row.wrong("no gender"))?;
    let names = row.get(6)?;
    let person = names.split(' ').any(|class| class == "person");
    let sex = self::gender(sex).unwrap_or(if person { gender } else { Gender::Neuter });
    Ok(Noun {
        lemma: row.get(0)?,
        gender,
        weak: mark.ends_with('w'),
        genitive: row.get(2)?,
        plural: row.optional(3)?,
        english: row.get(4)?,
        english_plural: row.get(5)?,
        sex,
        classes: classes.define(names),
        place: None,
    })
}

pub fn adjectives(
    rows: impl Iterator<Item = Row>,
    classes: &ClassNames,
) -> Result<Vec<Adjective>, String> {
    rows.map(|row| {
        let use_ = row.get(5)?;
        Ok(Adjective {
            german: row.get(0)?,
            comparative: row.optional(1)?,
            english: row.get(2)?,
            english_comparative: row.get(3)?,
            order: row.get(4)?.parse().map_err(|_| row.wrong("no order"))?,
            predicative: use_ != "no" && use_ != "orig",
            attributive: use_ != "state-pred",
            gradable: matches!(use_, "yes" | "state" | "state-pred"),
            passing: use_.starts_with("state"),
            classes: classes.find(row.get(6)?).ok_or_else(|| row.wrong("unknown class"))?,
        })
    })
    .collect()
}

pub fn adverbs(rows: impl Iterator<Item = Row>) -> Result<Vec<Adverb>, String> {
    rows.map(|row| {
        let kind = match row.get(2)?.split_once(':').unwrap_or((row.get(2)?, "")) {
            ("time", _) => AdverbKind::Time,
            ("again", _) => AdverbKind::Again,
            ("aspect", _) => AdverbKind::Aspect,
            ("often", _) => AdverbKind::Often,
            ("stance", _) => AdverbKind::Stance,
            ("middle", _) => AdverbKind::Middle,
            ("front", _) => AdverbKind::Front,
            ("place", _) => AdverbKind::Place,
            ("degree", _) => AdverbKind::Degree,
            ("manner", group) => AdverbKind::Manner(group),
            _ => return Err(row.wrong("unknown kind")),
        };
        Ok(Adverb { german: row.get(0)?, english: row.get(1)?, kind, frames: row.get(3)? })
    })
    .collect()
}

pub fn names(rows: impl Iterator<Item = Row>) -> Result<Vec<Name>, String> {
    rows.map(|row| {
        let (kind, gender) = match row.get(2)? {
            "m" => (NameKind::Given, Gender::Masculine),
            "f" => (NameKind::Given, Gender::Feminine),
            "title-m" => (NameKind::Family, Gender::Masculine),
            "title-f" => (NameKind::Family, Gender::Feminine),
            "town" => (NameKind::Town, Gender::Neuter),
            "country" => (NameKind::Country, Gender::Neuter),
            _ => return Err(row.wrong("unknown kind")),
        };
        Ok(Name { german: row.get(0)?, english: row.get(1)?, kind, gender })
    })
    .collect()
}
