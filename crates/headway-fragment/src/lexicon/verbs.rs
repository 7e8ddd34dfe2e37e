//! Verbs with their frames.

use super::classes::{ClassNames, Classes};
use super::table::Row;
use crate::english::EnglishVerb;
use crate::features::Case;
use crate::german::{GermanVerb, Parts};

#[derive(Debug)]
pub struct Verb {
    pub german: GermanVerb,
    pub english: EnglishVerb,
    traits: Vec<&'static str>,
    pub subject: Classes,
    /// *es regnet*: the subject stands for nothing.
    pub expletive: bool,
    pub slots: Vec<Slot>,
    pub clausal: Vec<Clausal>,
}

impl Verb {
    pub fn has(&self, name: &str) -> bool {
        self.traits.contains(&name)
    }
}

/// A complement and how each language puts it.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    pub german: GermanSlot,
    pub english: EnglishSlot,
    pub classes: Classes,
    pub optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GermanSlot {
    Bare(Case),
    Preposition(&'static str, Case),
    /// Where: *in der Küche*, *in Berlin*.
    At,
    /// Whither: *in die Küche*.
    To,
    /// To a town or country: *nach Berlin*.
    Nach,
    /// *20 Euro*.
    Price,
    /// *zwei Stunden*.
    Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnglishSlot {
    /// What *there is*.
    Subject,
    Object,
    /// Before the object, or after it with *to*.
    Indirect,
    Preposition(&'static str),
    /// As the noun asks for.
    Place,
}

/// A clause as complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clausal {
    That,
    Whether,
    Question,
    Infinitive,
}

impl Slot {
    /// Whether the filler is chosen among all nouns by class.
    pub fn takes_nominal(&self) -> bool {
        matches!(self.german, GermanSlot::Bare(_) | GermanSlot::Preposition(..))
    }
}

pub fn verbs(rows: impl Iterator<Item = Row>, classes: &ClassNames) -> Result<Vec<Verb>, String> {
    rows.map(|row| verb(&row, classes)).collect()
}

fn verb(row: &Row, classes: &ClassNames) -> Result<Verb, String> {
    let (mut slots, mut clausal) = (Vec::new(), Vec::new());
    for field in row.rest(6) {
        match clauses(field) {
            Some(found) => clausal = found,
            None => slots.push(slot(field, classes).ok_or_else(|| row.wrong("bad complement"))?),
        }
    }
    let expletive = row.get(5)? == "es";
    let subject = if expletive { Some(Classes::default()) } else { classes.find(row.get(5)?) };
    Ok(Verb {
        german: german(row)?,
        english: english(row.get(3)?),
        traits: row.get(4)?.split(' ').collect(),
        subject: subject.ok_or_else(|| row.wrong("unknown class"))?,
        expletive,
        slots,
        clausal,
    })
}

fn german(row: &Row) -> Result<GermanVerb, String> {
    let word = row.get(0)?;
    let (reflexive, word) = match word.strip_prefix("sich ") {
        Some(word) => (true, word),
        None => (false, word),
    };
    let (particle, infinitive) = word.split_once('|').unwrap_or(("", word));
    let parts = match row.optional(1)?.map(|parts| parts.split('/').collect::<Vec<_>>()) {
        None => None,
        Some(parts) => match parts[..] {
            [du, er, past, participle] => Some(Parts { du, er, past, participle }),
            _ => return Err(row.wrong("not four parts")),
        },
    };
    Ok(GermanVerb { infinitive, particle, parts, moves: row.get(2)? == "s", reflexive })
}

fn english(field: &'static str) -> EnglishVerb {
    let (forms, particle) = field.split_once(' ').unwrap_or((field, ""));
    let mut forms = forms.split('/');
    EnglishVerb {
        base: forms.next().unwrap_or_default(),
        past: forms.next(),
        participle: forms.next(),
        ing: forms.next(),
        particle,
    }
}

fn clauses(field: &str) -> Option<Vec<Clausal>> {
    field
        .split('/')
        .map(|kind| match kind {
            "dass" => Some(Clausal::That),
            "ob" => Some(Clausal::Whether),
            "wh" => Some(Clausal::Question),
            "zu" => Some(Clausal::Infinitive),
            _ => None,
        })
        .collect()
}

fn slot(field: &'static str, classes: &ClassNames) -> Option<Slot> {
    let (optional, field) = match field.strip_prefix('?') {
        Some(field) => (true, field),
        None => (false, field),
    };
    let special = |german, english, names: &str| {
        let classes = if names.is_empty() { Some(Classes::default()) } else { classes.find(names) };
        classes.map(|classes| Slot { german, english, classes, optional })
    };
    let (name, names) = field.split_once(':').unwrap_or((field, ""));
    match name {
        "loc" => return special(GermanSlot::At, EnglishSlot::Place, names),
        "dir" => return special(GermanSlot::To, EnglishSlot::Place, names),
        "nach" => return special(GermanSlot::Nach, EnglishSlot::Preposition("to"), names),
        "price" => return special(GermanSlot::Price, EnglishSlot::Object, names),
        "duration" => return special(GermanSlot::Duration, EnglishSlot::Preposition("for"), names),
        _ => {}
    }
    let (german, rest) = field.split_once('>')?;
    let (english, names) = rest.split_once(':')?;
    let classes = classes.find(names)?;
    let english = match english {
        "obj" => EnglishSlot::Object,
        "io" => EnglishSlot::Indirect,
        "there" => EnglishSlot::Subject,
        preposition => EnglishSlot::Preposition(preposition),
    };
    Some(Slot { german: german_slot(german)?, english, classes, optional })
}

fn german_slot(field: &'static str) -> Option<GermanSlot> {
    match field.split_once('+') {
        Some((preposition, name)) => Some(GermanSlot::Preposition(preposition, case(name)?)),
        None => case(field).map(GermanSlot::Bare),
    }
}

fn case(name: &str) -> Option<Case> {
    match name {
        "acc" => Some(Case::Accusative),
        "dat" => Some(Case::Dative),
        "gen" => Some(Case::Genitive),
        _ => None,
    }
}
