//! The order of a clause: its fields, and the verbs between and behind them.

use super::German;
use super::pronoun::reflexive;
use super::verbs::Verbs;
use crate::features::Case;
use crate::lexicon::{AdverbKind, GermanSlot};
use crate::meaning::{
    Adjunct, AdjunctKind, Clause, Complement, Content, ContentKind, Filler, Front, Id, Joint,
    Negation, Nominal, Part, Subordinate,
};
use crate::words::{Node, Phrase};

/// Where the finite verb stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Main clauses and wh-questions.
    Second,
    /// Yes/no questions, and clauses joined on without a subject.
    First,
    /// Subordinate clauses.
    Final,
    /// No finite verb: *zu lesen*.
    Infinitive,
}

/// A phrase of the middle field: its rank, and what it is where it may stand first.
struct Field {
    rank: u8,
    place: Option<Front>,
    phrase: Phrase,
}

/// Ranks of the middle field, from left to right.
mod rank {
    pub const SUBJECT: u8 = 0;
    pub const REFLEXIVE: u8 = 1;
    pub const ACCUSATIVE_PRONOUN: u8 = 2;
    pub const DATIVE_PRONOUN: u8 = 3;
    pub const TIME: u8 = 5;
    pub const STANCE: u8 = 6;
    pub const OFTEN: u8 = 7;
    pub const CAUSE: u8 = 8;
    pub const DATIVE: u8 = 9;
    pub const KNOWN_OBJECT: u8 = 10;
    pub const NEGATION: u8 = 11;
    pub const MANNER: u8 = 12;
    pub const COMPANY: u8 = 13;
    pub const PLACE: u8 = 14;
    pub const NEW_OBJECT: u8 = 15;
    pub const PREPOSITIONAL: u8 = 16;
    pub const DIRECTION: u8 = 17;
    pub const PREDICATE: u8 = 18;
}

impl German {
    /// A clause and what is joined on to it.
    pub(super) fn joined_clauses(&mut self, clause: &Clause, shape: Shape) -> Phrase {
        let mut built = self.clause(clause, shape, false);
        let Some(conjunct) = &clause.conjunct else { return built };
        let shared = conjunct.clause.subject.is_none();
        let second = if shared && shape == Shape::Second { Shape::First } else { shape };
        let elide = conjunct.shares_auxiliary && second == Shape::First;
        let mut joined = self.clause(&conjunct.clause, second, elide);
        self.words.attach(joined.head, built.head, "conj");
        let word = self.conjunction(conjunct.joint, conjunct.id, joined.head);
        joined.prepend([word]);
        if conjunct.joint == Joint::But {
            let comma = self.comma(joined.head, conjunct.id, Part::CommaBefore);
            joined.prepend([comma]);
        }
        built.append(joined);
        built
    }

    fn clause(&mut self, clause: &Clause, shape: Shape, elide: bool) -> Phrase {
        let mut verbs = self.verbs(clause, shape);
        let head = verbs.head;
        let mut fields = self.fields(clause, &mut verbs);
        let before = match shape {
            Shape::Second => Some(clause.moved.unwrap_or(clause.front)),
            Shape::Final => clause.moved,
            Shape::First | Shape::Infinitive => None,
        };
        fields.sort_by_key(|field| field.rank);
        let mut built = Phrase { head, order: Vec::new(), later: Vec::new() };
        if let Some(place) = before {
            self.fore_field(clause, place, &mut fields, &mut built);
        }
        built.order.extend(verbs.finite.filter(|_| !elide));
        for field in fields {
            built.append(field.phrase);
        }
        built.order.extend(verbs.end);
        self.after_field(clause, shape, head, &mut built);
        built
    }

    /// What stands before the finite verb, or first in a clause with its verb at the end.
    fn fore_field(
        &mut self,
        clause: &Clause,
        place: Front,
        fields: &mut Vec<Field>,
        built: &mut Phrase,
    ) {
        if let Some(found) = fields.iter().position(|field| field.place == Some(place)) {
            built.append(fields.remove(found).phrase);
        } else if let Front::Adjunct(number) = place {
            let Some(Adjunct { id, kind: AdjunctKind::Clause(inner) }) =
                clause.adjuncts.get(number)
            else {
                return;
            };
            let mut phrase = self.subordinate(inner, *id, built.head);
            let comma = self.comma(phrase.head, *id, Part::CommaAfter);
            phrase.order.push(comma);
            built.append(phrase);
        }
    }

    /// What stands behind the verbs: extraposed relative clauses, then other clauses.
    fn after_field(&mut self, clause: &Clause, shape: Shape, head: Node, built: &mut Phrase) {
        for nodes in std::mem::take(&mut built.later) {
            built.order.extend(nodes);
        }
        if let Some(content) = &clause.content {
            let mut phrase = self.content(content, head);
            self.set_off(content.id, &mut phrase);
            built.append(phrase);
        }
        for (number, adjunct) in clause.adjuncts.iter().enumerate() {
            let AdjunctKind::Clause(inner) = &adjunct.kind else { continue };
            if shape == Shape::Second
                && clause.moved.is_none()
                && clause.front == Front::Adjunct(number)
            {
                continue;
            }
            let mut phrase = self.subordinate(inner, adjunct.id, head);
            self.set_off(adjunct.id, &mut phrase);
            built.append(phrase);
        }
    }

    fn subordinate(&mut self, inner: &Subordinate, id: Id, head: Node) -> Phrase {
        let conjunction = inner.conjunction;
        let shape = if conjunction.infinitive { Shape::Infinitive } else { Shape::Final };
        let mut phrase = self.joined_clauses(&inner.clause, shape);
        let xpos = if conjunction.infinitive { "KOUI" } else { "KOUS" };
        let mark = self.words.add(conjunction.german, conjunction.german, ("SCONJ", xpos), "_");
        self.words.link(mark, id, Part::Mark);
        self.words.attach(mark, phrase.head, "mark");
        phrase.prepend([mark]);
        self.words.attach(phrase.head, head, "advcl");
        phrase
    }

    fn content(&mut self, content: &Content, head: Node) -> Phrase {
        let (shape, label) = match content.kind {
            ContentKind::Infinitive => (Shape::Infinitive, "xcomp"),
            _ => (Shape::Final, "ccomp"),
        };
        let mut phrase = self.joined_clauses(&content.clause, shape);
        self.words.attach(phrase.head, head, label);
        let word = match content.kind {
            ContentKind::That { .. } => "dass",
            ContentKind::Whether => "ob",
            ContentKind::Question | ContentKind::Infinitive => return phrase,
        };
        let mark = self.words.add(word, word, ("SCONJ", "KOUS"), "_");
        self.words.link(mark, content.id, Part::Mark);
        self.words.attach(mark, phrase.head, "mark");
        phrase.prepend([mark]);
        phrase
    }

    fn fields(&mut self, clause: &Clause, verbs: &mut Verbs) -> Vec<Field> {
        let head = verbs.head;
        let mut fields = Vec::new();
        let mut add = |rank, place, phrase| fields.push(Field { rank, place, phrase });
        if let Some(subject) = &clause.subject {
            add(rank::SUBJECT, Some(Front::Subject), self.subject(clause, subject, head));
        }
        if clause.verb().is_some_and(|verb| verb.german.reflexive) {
            add(rank::REFLEXIVE, None, Phrase::of(self.reflexive(clause, head)));
        }
        for (number, complement) in clause.complements.iter().enumerate() {
            let phrase = self.complement(complement, head);
            add(complement_rank(complement), Some(Front::Complement(number)), phrase);
        }
        for (number, adjunct) in clause.adjuncts.iter().enumerate() {
            if let Some(phrase) = self.adjunct(adjunct, head) {
                add(adjunct_rank(adjunct), Some(Front::Adjunct(number)), phrase);
            }
        }
        if let Some(phrase) = self.negation(clause, head) {
            add(rank::NEGATION, None, phrase);
        }
        if let Some(phrase) = verbs.predicate.take() {
            add(rank::PREDICATE, None, phrase);
        }
        fields
    }

    fn subject(&mut self, clause: &Clause, subject: &Nominal, head: Node) -> Phrase {
        let phrase = self.nominal(subject, Case::Nominative);
        let label = match subject {
            Nominal::Expletive(_) => "expl",
            _ if clause.passive => "nsubj:pass",
            _ => "nsubj",
        };
        self.words.attach(phrase.head, head, label);
        phrase
    }

    fn reflexive(&mut self, clause: &Clause, head: Node) -> Node {
        let form = reflexive(&clause.agreement);
        let feats = "Case=Acc|PronType=Prs|Reflex=Yes";
        let node = self.words.add(form, "sich", ("PRON", "PRF"), feats);
        self.words.link(node, clause.id, Part::Head);
        self.words.attach(node, head, "expl:pv")
    }

    fn negation(&mut self, clause: &Clause, head: Node) -> Option<Phrase> {
        if !matches!(clause.negation, Negation::Not | Negation::NotYet | Negation::NoLonger) {
            return None;
        }
        let not = self.words.add("nicht", "nicht", ("PART", "PTKNEG"), "Polarity=Neg");
        self.words.link(not, clause.id, Part::Negation);
        self.words.attach(not, head, "advmod");
        let mut phrase = Phrase::of(not);
        let (word, front) = match clause.negation {
            Negation::NotYet => ("noch", true),
            Negation::NoLonger => ("mehr", false),
            _ => return Some(phrase),
        };
        let node = self.words.add(word, word, ("ADV", "ADV"), "_");
        self.words.link(node, clause.id, Part::Polarity);
        self.words.attach(node, not, "advmod");
        phrase.order.insert(usize::from(!front), node);
        Some(phrase)
    }
}

fn complement_rank(complement: &Complement) -> u8 {
    let Filler::Nominal(nominal) = &complement.filler else { return rank::DIRECTION };
    match complement.slot.german {
        GermanSlot::Bare(Case::Dative) if nominal.is_pronoun() => rank::DATIVE_PRONOUN,
        GermanSlot::Bare(Case::Dative) => rank::DATIVE,
        GermanSlot::Bare(_) if nominal.is_pronoun() => rank::ACCUSATIVE_PRONOUN,
        GermanSlot::Bare(_) if nominal.is_indefinite() => rank::NEW_OBJECT,
        GermanSlot::Bare(_) => rank::KNOWN_OBJECT,
        GermanSlot::Preposition(..) => rank::PREPOSITIONAL,
        _ => rank::DIRECTION,
    }
}

fn adjunct_rank(adjunct: &Adjunct) -> u8 {
    match &adjunct.kind {
        AdjunctKind::Time(_) => rank::TIME,
        AdjunctKind::Agent(_) => rank::DATIVE,
        AdjunctKind::Place(_) => rank::PLACE,
        AdjunctKind::Preposition(phrase) if phrase.case == Case::Genitive => rank::CAUSE,
        AdjunctKind::Preposition(_) => rank::COMPANY,
        AdjunctKind::Adverb(adverb) => match adverb.kind {
            AdverbKind::Time | AdverbKind::Front => rank::TIME,
            AdverbKind::Stance | AdverbKind::Middle => rank::STANCE,
            AdverbKind::Often | AdverbKind::Aspect => rank::OFTEN,
            AdverbKind::Again | AdverbKind::Manner(_) | AdverbKind::Degree => rank::MANNER,
            AdverbKind::Place => rank::PLACE,
        },
        AdjunctKind::Asked(_) | AdjunctKind::Clause(_) => rank::PLACE,
    }
}
