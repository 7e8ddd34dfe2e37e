//! Phrases of time.

use super::features::Gender;
use super::meaning::{Numeral, Unit};

#[derive(Debug, Clone, Copy)]
pub enum TimePhrase {
    /// *am Montag*.
    Day(&'static Calendar),
    /// *im Mai*.
    Month(&'static Calendar),
    /// *im Sommer*.
    Season(&'static Calendar),
    /// *am Abend*.
    PartOfDay(&'static Calendar),
    /// *jeden Tag*.
    Every(Unit),
    /// *letzte Woche*.
    Last(Unit),
    /// *nächste Woche*.
    Next(Unit),
    /// *vor zwei Jahren*.
    Ago(Numeral, Unit),
    /// *um acht Uhr*.
    Clock(Numeral),
    /// *im Jahr 1998*.
    Year(usize),
    /// *seit drei Jahren*.
    Since(Numeral, Unit),
    /// *zwei Stunden lang*.
    For(Numeral, Unit),
}

#[derive(Debug)]
pub struct Calendar {
    pub german: &'static str,
    pub gender: Gender,
    pub english: &'static str,
}

const fn entry(german: &'static str, english: &'static str) -> Calendar {
    Calendar { german, gender: Gender::Masculine, english }
}

pub static DAYS: [Calendar; 7] = [
    entry("Montag", "Monday"),
    entry("Dienstag", "Tuesday"),
    entry("Mittwoch", "Wednesday"),
    entry("Donnerstag", "Thursday"),
    entry("Freitag", "Friday"),
    entry("Samstag", "Saturday"),
    entry("Sonntag", "Sunday"),
];

pub static MONTHS: [Calendar; 12] = [
    entry("Januar", "January"),
    entry("Februar", "February"),
    entry("März", "March"),
    entry("April", "April"),
    entry("Mai", "May"),
    entry("Juni", "June"),
    entry("Juli", "July"),
    entry("August", "August"),
    entry("September", "September"),
    entry("Oktober", "October"),
    entry("November", "November"),
    entry("Dezember", "December"),
];

pub static SEASONS: [Calendar; 4] = [
    entry("Sommer", "summer"),
    entry("Winter", "winter"),
    entry("Herbst", "autumn"),
    entry("Frühling", "spring"),
];

/// Times of day that take *am* and *in the*; *in der Nacht*, *at night* stands apart.
pub static PARTS_OF_DAY: [Calendar; 3] =
    [entry("Morgen", "morning"), entry("Nachmittag", "afternoon"), entry("Abend", "evening")];

impl Unit {
    pub fn german(self) -> (&'static str, Gender) {
        match self {
            Unit::Euro => ("Euro", Gender::Masculine),
            Unit::Minute => ("Minute", Gender::Feminine),
            Unit::Hour => ("Stunde", Gender::Feminine),
            Unit::Day => ("Tag", Gender::Masculine),
            Unit::Week => ("Woche", Gender::Feminine),
            Unit::Month => ("Monat", Gender::Masculine),
            Unit::Year => ("Jahr", Gender::Neuter),
        }
    }

    /// The plural in the dative or any other case.
    pub fn german_plural(self, dative: bool) -> &'static str {
        match (self, dative) {
            (Unit::Euro, _) => "Euro",
            (Unit::Minute, _) => "Minuten",
            (Unit::Hour, _) => "Stunden",
            (Unit::Day, false) => "Tage",
            (Unit::Day, true) => "Tagen",
            (Unit::Week, _) => "Wochen",
            (Unit::Month, false) => "Monate",
            (Unit::Month, true) => "Monaten",
            (Unit::Year, false) => "Jahre",
            (Unit::Year, true) => "Jahren",
        }
    }

    pub fn english(self) -> &'static str {
        ["euro", "minute", "hour", "day", "week", "month", "year"][self as usize]
    }

    pub fn english_plural(self) -> &'static str {
        ["euros", "minutes", "hours", "days", "weeks", "months", "years"][self as usize]
    }
}

const GERMAN_NUMBERS: [&str; 13] = [
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf", "zwölf",
];
const ENGLISH_NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

impl Numeral {
    /// As German writes it: *drei*, *25*.
    pub fn german(self) -> String {
        self.written(&GERMAN_NUMBERS)
    }

    pub fn english(self) -> String {
        self.written(&ENGLISH_NUMBERS)
    }

    fn written(self, names: &[&str]) -> String {
        match self {
            Numeral::Words(number) => match names.get(number) {
                Some(name) => (*name).into(),
                None => number.to_string(),
            },
            Numeral::Digits(number) => number.to_string(),
        }
    }
}
