//! The order of a clause.

use super::English;
use super::complement::preposition;
use super::phrase::Role;
use super::verbs::Verbs;
use crate::features::Referent;
use crate::lexicon::{AdverbKind, EnglishSlot};
use crate::meaning::{
    Adjunct, AdjunctKind, Clause, Complement, Content, ContentKind, Filler, Front, Id, Joint,
    Negation, Nominal, Part, Subordinate,
};
use crate::words::{Node, Phrase};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Statement,
    Question,
    /// Subordinate clauses, in the order of statements.
    Embedded,
    /// *to read*.
    Infinitive,
}

/// What stands behind the verb, by rank.
struct Field {
    rank: u8,
    nodes: Vec<Node>,
}

mod rank {
    pub const INDIRECT: u8 = 0;
    pub const OBJECT: u8 = 1;
    pub const COMPLEMENT: u8 = 3;
    pub const MANNER: u8 = 4;
    pub const COMPANY: u8 = 5;
    pub const PLACE: u8 = 6;
    pub const CAUSE: u8 = 7;
    pub const TIME: u8 = 8;
    pub const YET: u8 = 9;
}

/// The parts of a clause before they are put in a row.
#[derive(Default)]
struct Parts {
    moved: Vec<Node>,
    front: Vec<Node>,
    subject: Vec<Node>,
    middle: Vec<Node>,
    behind: Vec<Field>,
}

/// Subject and complements as English sees them: *gefallen* turns them round.
struct View<'a> {
    subject: Option<&'a Nominal>,
    subject_place: Front,
    complements: Vec<(Front, Complement)>,
    agreement: Referent,
}

fn view(clause: &Clause) -> View<'_> {
    let numbered = clause.complements.iter().cloned().enumerate();
    let complements: Vec<_> = numbered.map(|(n, item)| (Front::Complement(n), item)).collect();
    let plain = |complements| View {
        subject: clause.subject.as_ref(),
        subject_place: Front::Subject,
        complements,
        agreement: clause.agreement,
    };
    let swaps = clause.verb().is_some_and(|verb| verb.has("swap"));
    let (true, Some(liked), Some(first)) = (swaps, &clause.subject, clause.complements.first())
    else {
        return plain(complements);
    };
    let Filler::Nominal(liking) = &first.filler else { return plain(complements) };
    let object = Complement { filler: Filler::Nominal(liked.clone()), ..first.clone() };
    View {
        subject: Some(liking),
        subject_place: Front::Complement(0),
        complements: vec![(Front::Subject, object)],
        agreement: liking.referent(),
    }
}

impl English {
    /// A clause and what is joined on to it.
    pub(super) fn joined_clauses(&mut self, clause: &Clause, shape: Shape) -> Phrase {
        let mut built = self.clause(clause, shape, false);
        let Some(conjunct) = &clause.conjunct else { return built };
        let mut joined = self.clause(&conjunct.clause, shape, conjunct.english_shares_auxiliary);
        self.words.attach(joined.head, built.head, "conj");
        let word = self.conjunction(conjunct.joint, conjunct.id, joined.head);
        joined.prepend([word]);
        let shared = conjunct.clause.subject.is_none();
        if !shared || conjunct.joint == Joint::But {
            let comma = self.comma(joined.head, conjunct.id, Part::CommaBefore);
            joined.prepend([comma]);
        }
        built.append(joined);
        built
    }

    fn clause(&mut self, clause: &Clause, shape: Shape, elide: bool) -> Phrase {
        let view = view(clause);
        let asks_subject = clause.moved == Some(view.subject_place);
        let inverted = shape == Shape::Question && !asks_subject;
        let existing =
            view.complements.iter().find(|(_, item)| item.slot.english == EnglishSlot::Subject);
        let agreement = match existing {
            Some((_, Complement { filler: Filler::Nominal(nominal), .. })) => nominal.referent(),
            _ => view.agreement,
        };
        let mut verbs = self.verbs(clause, shape, inverted, &agreement);
        if elide {
            verbs.first = None;
        }
        let mut parts = self.parts(clause, &view, &verbs);
        let head = verbs.head;
        let mut built = Phrase {
            head,
            order: self.arrange(clause, &mut verbs, &mut parts, inverted),
            later: Vec::new(),
        };
        if let Some(content) = &clause.content {
            let inner = self.content(content, verbs.inner);
            built.append(inner);
        }
        self.final_clauses(clause, head, &mut built);
        built
    }

    fn arrange(
        &mut self,
        clause: &Clause,
        verbs: &mut Verbs,
        parts: &mut Parts,
        inverted: bool,
    ) -> Vec<Node> {
        let mut order = std::mem::take(&mut parts.front);
        order.append(&mut parts.moved);
        let short = clause.contracted
            && verbs.negation.is_some_and(|not| self.words.token(not).form == "n't");
        let (mut early, mut late) = (Vec::new(), Vec::new());
        early.extend(verbs.first);
        if short {
            early.extend(verbs.negation)
        } else {
            late.extend(verbs.negation)
        }
        if inverted {
            order.append(&mut early);
            order.append(&mut parts.subject);
        } else {
            order.append(&mut parts.subject);
            order.append(&mut early);
        }
        order.append(&mut late);
        order.append(&mut parts.middle);
        order.append(&mut verbs.rest);
        if let Some(predicate) = verbs.predicate.take() {
            order.extend(predicate.order);
        }
        parts.behind.sort_by_key(|field| field.rank);
        order.extend(parts.behind.drain(..).flat_map(|field| field.nodes));
        order
    }

    fn parts(&mut self, clause: &Clause, view: &View<'_>, verbs: &Verbs) -> Parts {
        let mut parts = Parts::default();
        if let Some(subject) = view.subject {
            let phrase = self.subject(clause, subject, verbs.head);
            let moved = clause.moved == Some(view.subject_place);
            if moved { parts.moved = phrase.order } else { parts.subject = phrase.order }
        }
        self.complements(clause, view, verbs, &mut parts);
        self.adjuncts(clause, verbs, &mut parts);
        self.polarity(clause, verbs, &mut parts);
        parts
    }

    fn subject(&mut self, clause: &Clause, subject: &Nominal, head: Node) -> Phrase {
        let there = clause.complements.iter().any(|item| item.slot.english == EnglishSlot::Subject);
        let (phrase, label) = match subject {
            Nominal::Expletive(id) if there => {
                let node = self.words.add("there", "there", ("PRON", "EX"), "_");
                (Phrase::of(self.words.link(node, *id, Part::Head)), "expl")
            }
            Nominal::Expletive(_) => (self.nominal(subject, Role::Subject), "expl"),
            _ if clause.passive => (self.nominal(subject, Role::Subject), "nsubj:pass"),
            _ => (self.nominal(subject, Role::Subject), "nsubj"),
        };
        self.words.attach(phrase.head, head, label);
        phrase
    }

    fn complements(&mut self, clause: &Clause, view: &View<'_>, verbs: &Verbs, parts: &mut Parts) {
        let object =
            view.complements.iter().find(|(_, item)| item.slot.english == EnglishSlot::Object);
        let object_pronoun = object.is_some_and(
            |(_, item)| matches!(&item.filler, Filler::Nominal(nominal) if nominal.is_pronoun()),
        );
        let object_moved = object.is_some_and(|(place, _)| clause.moved == Some(*place));
        let doubles = object.is_some() && !object_pronoun && !object_moved;
        for (place, complement) in &view.complements {
            let moved = clause.moved == Some(*place);
            let word = preposition(complement, doubles && !moved);
            let phrase = if moved && clause.stranded && word.is_some() {
                let phrase = self.complement(complement, None, verbs.inner);
                self.words.relabel(phrase.head, "obl");
                let nodes = self.preposition(complement.id, word.unwrap_or_default(), phrase.head);
                parts.behind.push(Field { rank: rank::COMPLEMENT, nodes });
                phrase
            } else {
                self.complement(complement, word, verbs.inner)
            };
            if moved {
                parts.moved = phrase.order;
            } else {
                let rank = complement_rank(complement, word);
                parts.behind.push(Field { rank, nodes: phrase.order });
            }
        }
        self.particle(clause, verbs, object_pronoun && !object_moved, parts);
    }

    /// *pick up the child*, but *pick him up*.
    fn particle(&mut self, clause: &Clause, verbs: &Verbs, after: bool, parts: &mut Parts) {
        let Some(word) =
            clause.verb().map(|verb| verb.english.particle).filter(|word| !word.is_empty())
        else {
            return;
        };
        let (tag, label) = match word {
            "asleep" => (("ADJ", "JJ"), "xcomp"),
            "television" => (("NOUN", "NN"), "obj"),
            "shopping" => (("VERB", "VBG"), "xcomp"),
            "back" | "along" | "away" => (("ADV", "RB"), "advmod"),
            _ => (("ADP", "RP"), "compound:prt"),
        };
        let node =
            self.words.add(word, word, tag, if tag.0 == "NOUN" { "Number=Sing" } else { "_" });
        self.words.link(node, clause.id, Part::Head);
        self.words.attach(node, verbs.inner, label);
        let heavy = clause
            .complements
            .iter()
            .any(|item| matches!(&item.filler, Filler::Nominal(nominal) if nominal.is_heavy()));
        let late = after || matches!(word, "along" | "back") && !heavy;
        let field = Field { rank: rank::OBJECT, nodes: vec![node] };
        if late { parts.behind.push(field) } else { parts.behind.insert(0, field) }
    }

    fn adjuncts(&mut self, clause: &Clause, verbs: &Verbs, parts: &mut Parts) {
        for (number, adjunct) in clause.adjuncts.iter().enumerate() {
            let moved = clause.moved == Some(Front::Adjunct(number));
            if let AdjunctKind::Clause(inner) = &adjunct.kind {
                if clause.english_front == Some(number) {
                    let mut phrase = self.subordinate(inner, adjunct.id, verbs.head);
                    let comma = self.comma(phrase.head, adjunct.id, Part::CommaAfter);
                    phrase.order.push(comma);
                    parts.front.extend(phrase.order);
                }
                continue;
            }
            let seat = if moved {
                Seat::Moved
            } else {
                seat(adjunct, clause.english_front == Some(number))
            };
            let head = if matches!(seat, Seat::Behind(_)) { verbs.inner } else { verbs.head };
            let Some(mut phrase) = self.adjunct(adjunct, head) else { continue };
            match seat {
                Seat::Moved => parts.moved = phrase.order,
                Seat::Middle => parts.middle.append(&mut phrase.order),
                Seat::Behind(rank) => parts.behind.push(Field { rank, nodes: phrase.order }),
                Seat::Front { comma } => {
                    parts.front.append(&mut phrase.order);
                    if comma {
                        let node = self.comma(verbs.head, adjunct.id, Part::CommaAfter);
                        parts.front.push(node);
                    }
                }
            }
        }
    }

    /// *yet* at the end, *no longer* before the verb.
    fn polarity(&mut self, clause: &Clause, verbs: &Verbs, parts: &mut Parts) {
        let word = match clause.negation {
            Negation::NotYet => "yet",
            Negation::NoLonger => "longer",
            _ => return,
        };
        let node =
            self.words.add(word, if word == "longer" { "long" } else { word }, ("ADV", "RB"), "_");
        self.words.link(node, clause.id, Part::Polarity);
        if word == "yet" {
            self.words.attach(node, verbs.inner, "advmod");
            parts.behind.push(Field { rank: rank::YET, nodes: vec![node] });
            return;
        }
        self.words.attach(node, verbs.head, "advmod");
        let no = self.words.add("no", "no", ("ADV", "RB"), "Polarity=Neg");
        self.words.link(no, clause.id, Part::Negation);
        self.words.attach(no, node, "advmod");
        parts.middle.extend([no, node]);
    }

    fn final_clauses(&mut self, clause: &Clause, head: Node, built: &mut Phrase) {
        for (number, adjunct) in clause.adjuncts.iter().enumerate() {
            let AdjunctKind::Clause(inner) = &adjunct.kind else { continue };
            if clause.english_front != Some(number) {
                let phrase = self.subordinate(inner, adjunct.id, head);
                built.append(phrase);
            }
        }
    }

    fn subordinate(&mut self, inner: &Subordinate, id: Id, head: Node) -> Phrase {
        let conjunction = inner.conjunction;
        let shape = if conjunction.infinitive { Shape::Infinitive } else { Shape::Embedded };
        let mut phrase = self.joined_clauses(&inner.clause, shape);
        let mut order: Vec<Node> = Vec::new();
        for word in conjunction.english.split(' ') {
            let node = self.words.add(word, word, ("SCONJ", "IN"), "_");
            self.words.link(node, id, Part::Mark);
            match order.first() {
                Some(&first) => self.words.attach(node, first, "fixed"),
                None => self.words.attach(node, phrase.head, "mark"),
            };
            order.push(node);
        }
        phrase.prepend(order);
        self.words.attach(phrase.head, head, "advcl");
        phrase
    }

    fn content(&mut self, content: &Content, head: Node) -> Phrase {
        let (shape, label) = match content.kind {
            ContentKind::Infinitive => (Shape::Infinitive, "xcomp"),
            _ => (Shape::Embedded, "ccomp"),
        };
        let mut phrase = self.joined_clauses(&content.clause, shape);
        self.words.attach(phrase.head, head, label);
        let word = match content.kind {
            ContentKind::That { spoken: true } => "that",
            ContentKind::Whether => "whether",
            _ => return phrase,
        };
        let mark = self.words.add(word, word, ("SCONJ", "IN"), "_");
        self.words.link(mark, content.id, Part::Mark);
        self.words.attach(mark, phrase.head, "mark");
        phrase.prepend([mark]);
        phrase
    }
}

/// Where an adjunct goes.
enum Seat {
    Moved,
    Front { comma: bool },
    Middle,
    Behind(u8),
}

fn seat(adjunct: &Adjunct, fronted: bool) -> Seat {
    let Adjunct { kind, .. } = adjunct;
    if let AdjunctKind::Adverb(adverb) = kind {
        match adverb.kind {
            AdverbKind::Stance => return Seat::Front { comma: adverb.english != "perhaps" },
            AdverbKind::Front => return Seat::Front { comma: false },
            AdverbKind::Often | AdverbKind::Aspect | AdverbKind::Middle => return Seat::Middle,
            _ => {}
        }
    }
    if fronted {
        return Seat::Front { comma: !matches!(kind, AdjunctKind::Adverb(_)) };
    }
    Seat::Behind(match kind {
        AdjunctKind::Time(_) => rank::TIME,
        AdjunctKind::Place(_) => rank::PLACE,
        AdjunctKind::Agent(_) => rank::COMPLEMENT,
        AdjunctKind::Preposition(phrase) if phrase.english == "because of" => rank::CAUSE,
        AdjunctKind::Preposition(_) => rank::COMPANY,
        AdjunctKind::Adverb(adverb) => match adverb.kind {
            AdverbKind::Manner(_) => rank::MANNER,
            AdverbKind::Place => rank::PLACE,
            _ => rank::TIME,
        },
        AdjunctKind::Asked(_) | AdjunctKind::Clause(_) => rank::TIME,
    })
}

fn complement_rank(complement: &Complement, preposition: Option<&str>) -> u8 {
    match (preposition, complement.slot.english) {
        (Some(_), _) => rank::COMPLEMENT,
        (None, EnglishSlot::Indirect) => rank::INDIRECT,
        (None, EnglishSlot::Preposition(_) | EnglishSlot::Place) => rank::COMPLEMENT,
        // The person told or asked comes before what is told.
        (None, _) => rank::OBJECT,
    }
}
