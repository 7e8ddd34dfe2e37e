//! What a pair of sentences says: the tree of choices that both languages are made from.
//!
//! Every piece that becomes words has an `Id`; words of the two languages that carry the same
//! id and part are aligned (`align.rs`).

use std::cell::Cell;

use super::features::{Case, Gender, Number, Person, Referent};
use super::lexicon::{Adjective, Adverb, Name, NameKind, Noun, Slot, Verb};
use super::modal::Modal;
use super::time::TimePhrase;

/// Names one piece of meaning; unique in its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Id(u32);

impl Id {
    pub fn fresh() -> Self {
        thread_local!(static NEXT: Cell<u32> = const { Cell::new(0) });
        NEXT.with(|next| {
            next.set(next.get().wrapping_add(1));
            Id(next.get())
        })
    }
}

/// Which word of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Head,
    Determiner,
    Numeral,
    Genitive,
    Preposition,
    Auxiliary,
    Passive,
    Modal,
    Negation,
    /// *noch* and *yet*, *mehr* and *longer*.
    Polarity,
    Mark,
    /// *zu* and *to*.
    To,
    Conjunction,
    CommaBefore,
    CommaAfter,
    Stop,
    Unit,
    Than,
    Degree,
}

pub type Link = (Id, Part);

#[derive(Debug, Clone)]
pub enum Nominal {
    Noun(Box<NounPhrase>),
    Name(Id, &'static Name),
    Pronoun(Id, Referent),
    /// *wer*, *was*.
    Asked(Id, Asked),
    /// The relative pronoun.
    Gap(Id, Gap),
    /// *es* and *it* or *there* that stand for nothing.
    Expletive(Id),
    Join(Id, Vec<Nominal>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Who,
    What,
}

#[derive(Debug, Clone, Copy)]
pub struct Gap {
    pub host: Referent,
    pub english: RelativeWord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelativeWord {
    Who,
    Which,
    That,
    /// *the man I saw*.
    Nothing,
}

#[derive(Debug, Clone)]
pub struct NounPhrase {
    pub id: Id,
    pub noun: &'static Noun,
    pub number: Number,
    pub determiner: Determiner,
    pub adjectives: Vec<AdjectiveUse>,
    /// *das Haus des Mannes*.
    pub owner: Option<Nominal>,
    pub attribute: Option<PrepositionPhrase>,
    pub relative: Option<Box<Relative>>,
}

#[derive(Debug, Clone, Copy)]
pub enum Determiner {
    Definite,
    /// *ein*; nothing before plurals and mass nouns.
    Indefinite,
    Bare,
    Possessive(Referent),
    This,
    /// *kein* in the clause of this id.
    No(Id, EnglishNo),
    Every,
    Many,
    Some,
    All,
    Which,
    HowMany,
    Numeral(Numeral),
    /// *Annas Hund*.
    Owner(Id, &'static Name),
    /// *dessen Hund*: the id is the relative pronoun's.
    Whose(Id, Referent),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnglishNo {
    No,
    /// *a*, or *any* where there is no singular.
    NotA,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numeral {
    Words(usize),
    Digits(usize),
}

#[derive(Debug, Clone, Copy)]
pub struct AdjectiveUse {
    pub id: Id,
    pub adjective: &'static Adjective,
    pub degree: Option<(Id, &'static Adverb)>,
}

#[derive(Debug, Clone)]
pub struct PrepositionPhrase {
    pub id: Id,
    pub german: &'static str,
    pub case: Case,
    pub english: &'static str,
    pub object: Nominal,
}

#[derive(Debug, Clone)]
pub struct Relative {
    pub id: Id,
    pub clause: Clause,
    /// Behind the verb in German.
    pub extraposed: bool,
}

#[derive(Debug, Clone)]
pub struct Clause {
    pub id: Id,
    pub predicate: Predicate,
    /// None where another clause's subject is understood.
    pub subject: Option<Nominal>,
    /// What the verb and reflexives agree with.
    pub agreement: Referent,
    pub complements: Vec<Complement>,
    pub content: Option<Box<Content>>,
    pub adjuncts: Vec<Adjunct>,
    pub tense: Tense,
    pub english_tense: EnglishTense,
    pub modal: Option<&'static Modal>,
    /// *muss gelesen haben*.
    pub epistemic: bool,
    pub passive: bool,
    pub negation: Negation,
    /// What stands before the German verb of a main clause.
    pub front: Front,
    /// The adjunct that English puts first.
    pub english_front: Option<usize>,
    /// The question word or relative pronoun, first in both languages.
    pub moved: Option<Front>,
    /// English leaves the preposition of what moved behind.
    pub stranded: bool,
    /// *n't* rather than *not*.
    pub contracted: bool,
    pub conjunct: Option<Box<Conjunct>>,
}

#[derive(Debug, Clone)]
pub enum Predicate {
    Verb(&'static Verb),
    Adjectives(Vec<AdjectiveUse>, Joint),
    /// *größer als der Hund*.
    Comparative(AdjectiveUse, Nominal),
    /// *25 Jahre alt*.
    Age(Id, Numeral, &'static Adjective),
    Noun(Box<NounPhrase>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    And,
    But,
}

#[derive(Debug, Clone)]
pub struct Complement {
    pub id: Id,
    pub slot: Slot,
    pub filler: Filler,
}

#[derive(Debug, Clone)]
pub enum Filler {
    Nominal(Nominal),
    /// *20 Euro*, *zwei Stunden*.
    Measure(Numeral, Unit),
    /// *zu Hause*, *nach Hause*.
    Home,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Euro,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// A clause as complement.
#[derive(Debug, Clone)]
pub struct Content {
    pub id: Id,
    pub kind: ContentKind,
    pub clause: Clause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// *dass*; English may leave *that* out.
    That {
        spoken: bool,
    },
    Whether,
    Question,
    Infinitive,
}

#[derive(Debug, Clone)]
pub struct Adjunct {
    pub id: Id,
    pub kind: AdjunctKind,
}

#[derive(Debug, Clone)]
pub enum AdjunctKind {
    Adverb(&'static Adverb),
    /// Company, instrument or cause.
    Preposition(PrepositionPhrase),
    Place(PrepositionPhrase),
    /// The doer of a passive.
    Agent(Nominal),
    Time(TimePhrase),
    Asked(AskedAdverb),
    Clause(Box<Subordinate>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedAdverb {
    Where,
    Whither,
    When,
    Why,
    How,
}

#[derive(Debug, Clone)]
pub struct Subordinate {
    pub conjunction: &'static Conjunction,
    pub clause: Clause,
}

#[derive(Debug)]
pub struct Conjunction {
    pub german: &'static str,
    pub english: &'static str,
    /// *um … zu*.
    pub infinitive: bool,
}

#[derive(Debug, Clone)]
pub struct Conjunct {
    pub id: Id,
    pub joint: Joint,
    pub clause: Clause,
    /// The auxiliary is not said again.
    pub shares_auxiliary: bool,
    pub english_shares_auxiliary: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tense {
    Present,
    Past,
    Perfect,
    Pluperfect,
    Future,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnglishTense {
    Present,
    Past,
    Progressive,
    PastProgressive,
    Perfect,
    /// *has been reading*.
    PerfectProgressive,
    PastPerfect,
    Will,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Negation {
    None,
    Not,
    /// *noch nicht*, *not … yet*.
    NotYet,
    /// *nicht mehr*, *no longer*.
    NoLonger,
    /// A determiner says it.
    Determiner(EnglishNo),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Front {
    Subject,
    Complement(usize),
    Adjunct(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Statement,
    /// Yes/no or, if something moved, a wh-question.
    Question,
}

#[derive(Debug, Clone)]
pub struct Utterance {
    pub id: Id,
    pub mood: Mood,
    pub clause: Clause,
}

impl Nominal {
    pub fn id(&self) -> Id {
        match self {
            Nominal::Noun(phrase) => phrase.id,
            Nominal::Name(id, _)
            | Nominal::Pronoun(id, _)
            | Nominal::Asked(id, _)
            | Nominal::Gap(id, _)
            | Nominal::Expletive(id)
            | Nominal::Join(id, _) => *id,
        }
    }

    pub fn referent(&self) -> Referent {
        let third = |gender| Referent::new(Person::Third, Number::Singular, gender);
        match self {
            Nominal::Noun(phrase) => phrase.referent(),
            Nominal::Name(_, name) => third(name.gender),
            Nominal::Pronoun(_, referent) => *referent,
            Nominal::Asked(_, Asked::Who) => third(Gender::Masculine),
            Nominal::Asked(..) | Nominal::Expletive(_) => third(Gender::Neuter),
            Nominal::Gap(_, gap) => gap.host,
            Nominal::Join(_, members) => joined(members),
        }
    }

    pub fn is_pronoun(&self) -> bool {
        matches!(self, Nominal::Pronoun(..))
    }

    /// Whether it brings something new: *ein Hund*, *drei Hunde*, *kein Hund*.
    pub fn is_indefinite(&self) -> bool {
        use Determiner::{Bare, Indefinite, Many, No, Numeral, Some};
        match self {
            Nominal::Noun(phrase) => {
                matches!(phrase.determiner, Indefinite | Bare | Many | No(..) | Numeral(_) | Some)
            }
            Nominal::Join(_, members) => members.iter().any(Nominal::is_indefinite),
            _ => false,
        }
    }

    /// Whether it ends in a clause.
    pub fn is_heavy(&self) -> bool {
        match self {
            Nominal::Noun(phrase) => phrase.is_heavy(),
            Nominal::Join(_, members) => members.iter().any(Nominal::is_heavy),
            _ => false,
        }
    }
}

/// *du und ich* are *wir*, *er und du* are *ihr*.
fn joined(members: &[Nominal]) -> Referent {
    let has = |person| members.iter().any(|member| member.referent().english_person() == person);
    let formal = members.iter().any(|member| member.referent().formal);
    let person = match (has(Person::First), has(Person::Second)) {
        (true, _) => Person::First,
        (_, true) if !formal => Person::Second,
        _ => Person::Third,
    };
    let formal = formal && person == Person::Third;
    Referent { formal, ..Referent::new(person, Number::Plural, Gender::Masculine) }
}

impl NounPhrase {
    pub fn new(noun: &'static Noun, number: Number, determiner: Determiner) -> Self {
        NounPhrase {
            id: Id::fresh(),
            noun,
            number,
            determiner,
            adjectives: Vec::new(),
            owner: None,
            attribute: None,
            relative: None,
        }
    }

    pub fn referent(&self) -> Referent {
        let noun = self.noun;
        let referent = Referent::new(Person::Third, self.number, noun.gender);
        Referent { sex: noun.sex, ..referent }
    }

    pub fn is_heavy(&self) -> bool {
        let attribute = self.attribute.as_ref().is_some_and(|phrase| phrase.object.is_heavy());
        self.relative.is_some() || attribute || self.owner.as_ref().is_some_and(Nominal::is_heavy)
    }
}

impl Clause {
    pub fn new(predicate: Predicate, subject: Nominal) -> Self {
        let agreement = subject.referent();
        Clause {
            id: Id::fresh(),
            predicate,
            subject: Some(subject),
            agreement,
            complements: Vec::new(),
            content: None,
            adjuncts: Vec::new(),
            tense: Tense::Present,
            english_tense: EnglishTense::Present,
            modal: None,
            epistemic: false,
            passive: false,
            negation: Negation::None,
            front: Front::Subject,
            english_front: None,
            moved: None,
            stranded: false,
            contracted: false,
            conjunct: None,
        }
    }

    pub fn verb(&self) -> Option<&'static Verb> {
        match self.predicate {
            Predicate::Verb(verb) => Some(verb),
            _ => None,
        }
    }
}

impl Name {
    pub fn is_person(&self) -> bool {
        matches!(self.kind, NameKind::Given | NameKind::Family)
    }
}
