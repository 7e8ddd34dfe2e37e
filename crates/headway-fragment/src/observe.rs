//! Reads off a finished pair which phenomena it shows.
//!
//! From the trees rather than from the choices made, so that the counts say what is there.

use super::phenomena::{Phenomena, Phenomenon as P};
use super::time::{Calendar, DAYS, MONTHS, PARTS_OF_DAY, SEASONS};
use super::words::Token;

pub fn observe(german: &[Token], english: &[Token]) -> Phenomena {
    let mut found = Phenomena::default();
    for place in 0..german.len() {
        word(german, place, &mut found);
        verb(german, place, &mut found);
        relation(german, place, &mut found);
    }
    if english.iter().any(|token| token.lemma == "do" && token.label == "aux") {
        found.add(P::DoSupport);
    }
    questions(german, &mut found);
    if !is_projective(german) {
        found.add(P::NonProjectiveGerman);
    }
    if !is_projective(english) {
        found.add(P::NonProjectiveEnglish);
    }
    found
}

fn word(tokens: &[Token], place: usize, found: &mut Phenomena) {
    let token = &tokens[place];
    let has = |feature: &str| token.feats.contains(feature);
    if token.tag.1 == "NN" {
        let categories = [
            ("Gender=Masc", P::Masculine),
            ("Gender=Fem", P::Feminine),
            ("Gender=Neut", P::Neuter),
            ("Number=Plur", P::Plural),
            ("Case=Nom", P::Nominative),
            ("Case=Acc", P::Accusative),
            ("Case=Dat", P::Dative),
            ("Case=Gen", P::Genitive),
        ];
        categories.into_iter().filter(|(feature, _)| has(feature)).for_each(|(_, p)| found.add(p));
    }
    match token.tag.1 {
        "ADJA" => found.add(declension(tokens, place)),
        "ADJD" if has("Degree=Cmp") => found.add(P::Comparative),
        "CARD" => found.add(P::Numeral),
        "PPER" if token.label != "expl" => found.add(P::Pronoun),
        "NE" => found.add(P::Name),
        "PPOSAT" => found.add(P::Possessive),
        "APPRART" => found.add(P::Contraction),
        "PTKNEG" => found.add(P::Negation),
        "PIAT" if token.lemma == "kein" => {
            found.add(P::Negation);
            found.add(P::Kein);
        }
        _ => {}
    }
}

/// Told by the determiner of the same noun.
fn declension(tokens: &[Token], place: usize) -> P {
    let head = tokens[place].head;
    let shown = tokens.iter().find(|token| {
        token.head == head
            && matches!(token.label, "det" | "det:poss" | "case")
            && token.tag.1 != "APPR"
    });
    match shown.map(|token| (token.tag.1, &*token.lemma)) {
        Some(("PPOSAT", _) | (_, "ein" | "kein")) => P::MixedAdjective,
        Some((_, "viel" | "einige")) | None => P::StrongAdjective,
        Some(_) => P::WeakAdjective,
    }
}

fn verb(tokens: &[Token], place: usize, found: &mut Phenomena) {
    let token = &tokens[place];
    let finite = token.feats.contains("VerbForm=Fin");
    let past = token.feats.contains("Tense=Past") && !token.feats.contains("Mood=Sub");
    let governs = |tag: &str| {
        tokens
            .iter()
            .any(|other| other.label == "aux" && other.head == token.head && other.tag.1 == tag)
    };
    match (&*token.lemma, token.label) {
        ("haben", "aux") if finite && past => found.add(P::Pluperfect),
        ("sein", "aux") if finite && past => found.add(P::Pluperfect),
        ("haben", "aux") if finite && !governs("VMINF") => found.add(P::PerfectHaben),
        ("sein", "aux") if finite => found.add(P::PerfectSein),
        ("werden", "aux") => found.add(P::Future),
        ("werden", "aux:pass") => found.add(P::Passive),
        _ if finite && past => found.add(P::Past),
        _ if finite => found.add(P::Present),
        _ => {}
    }
    match token.tag.1 {
        "VMFIN" | "VMINF" => found.add(P::Modal),
        "PTKVZ" => {
            found.add(P::Separable);
            found.add(P::SeparatedParticle);
        }
        "VVIZU" => {
            found.add(P::Separable);
            found.add(P::Infinitive);
        }
        "PTKZU" => found.add(P::Infinitive),
        "PRF" => found.add(P::Reflexive),
        _ => {}
    }
    let verbal = |token: &Token| token.tag.1.starts_with('V');
    if place >= 2 && tokens[place - 2..=place].iter().all(verbal) {
        found.add(P::VerbCluster);
    }
}

fn relation(tokens: &[Token], place: usize, found: &mut Phenomena) {
    let token = &tokens[place];
    let head = token.head.and_then(|head| tokens.get(head.wrapping_sub(1)));
    let nominal = matches!(token.tag.0, "NOUN" | "PROPN" | "PRON");
    match token.label {
        "advcl" => found.add(P::AdverbialClause),
        "ccomp" => found.add(P::ContentClause),
        "acl:relcl" => found.add(P::RelativeClause),
        "conj" if nominal => found.add(P::NominalCoordination),
        "conj" if token.tag.0 == "ADJ" && head.is_some_and(|head| head.tag.0 == "ADJ") => {
            found.add(P::AdjectiveCoordination);
        }
        "conj" => found.add(P::ClauseCoordination),
        "nmod" if token.feats.contains("Case=Gen") => found.add(P::GenitiveAttribute),
        "nmod" => found.add(P::NominalPreposition),
        "nmod:poss" => found.add(P::Possessive),
        "obl" => found.add(P::VerbalPreposition),
        "expl" if head.is_some_and(|head| head.lemma == "geben") => found.add(P::Existential),
        _ => {}
    }
    if token.tag.1 == "NN" && tells_time(&token.lemma) {
        found.add(P::Time);
    }
    if token.label == "acl:relcl" && is_extraposed(tokens, place) {
        found.add(P::Extraposition);
    }
}

/// A date, a time of day or a stretch of time.
fn tells_time(lemma: &str) -> bool {
    let calendars: [&[Calendar]; 4] = [&DAYS, &MONTHS, &SEASONS, &PARTS_OF_DAY];
    let dated = calendars.iter().any(|entries| entries.iter().any(|entry| entry.german == lemma));
    dated || matches!(lemma, "Minute" | "Stunde" | "Tag" | "Woche" | "Monat" | "Jahr")
}

/// Something that does not belong to the noun stands between it and its relative clause.
fn is_extraposed(tokens: &[Token], place: usize) -> bool {
    let Some(noun) = tokens[place].head else { return false };
    (noun..place).any(|between| !under(tokens, between, noun))
}

/// Whether the word at `place` (from 0) is below or at the word `top` (from 1).
fn under(tokens: &[Token], place: usize, top: usize) -> bool {
    let mut word = Some(place + 1);
    while let Some(here) = word {
        if here == top {
            return true;
        }
        word = tokens.get(here.wrapping_sub(1)).and_then(|token| token.head);
    }
    false
}

/// What stands before the finite verb of the main clause, and whether it asks.
fn questions(tokens: &[Token], found: &mut Phenomena) {
    let Some(root) = tokens.iter().position(|token| token.head.is_none()) else { return };
    let first = &tokens[0];
    let finite = |token: &Token| token.feats.contains("VerbForm=Fin");
    let question = tokens.last().is_some_and(|token| token.form == "?");
    if question {
        let asks = tokens.iter().any(|token| token.tag.1.starts_with("PW"));
        found.add(if finite(first) || !asks { P::YesNoQuestion } else { P::WhQuestion });
        return;
    }
    // The child of the root whose words come first is in the fore-field.
    let mut top = 0;
    while let Some(head) = tokens[top].head.filter(|&head| head != root + 1) {
        top = head - 1;
    }
    match tokens[top].label {
        "advmod" | "obl" | "obl:tmod" => found.add(P::FrontedAdverbial),
        "obj" | "iobj" => found.add(P::FrontedObject),
        "advcl" => {
            found.add(P::FrontedAdverbial);
            found.add(P::FrontedClause);
        }
        _ => {}
    }
}

fn is_projective(tokens: &[Token]) -> bool {
    (0..tokens.len()).all(|place| {
        let Some(head) = tokens[place].head else { return true };
        let (low, high) = (head.min(place + 1), head.max(place + 1));
        (low..high - 1).all(|between| under(tokens, between, head))
    })
}
