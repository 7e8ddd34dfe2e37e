//! The verbs of a clause: auxiliaries, do-support, *not*, and the main verb.

use super::English;
use super::clause::Shape;
use super::verb::{BE, DO, EnglishVerb, HAVE};
use crate::features::{Number, Person, Referent};
use crate::meaning::{Clause, EnglishNo, EnglishTense, Negation, Part, Predicate};
use crate::modal::{EnglishModal, Voice};
use crate::words::{Node, Phrase};

/// A verb of the chain; each asks for a form of the next.
#[derive(Debug, Clone, Copy)]
struct Verb {
    verb: EnglishVerb,
    role: Role,
    /// Modal auxiliaries have one form, and their lemma.
    fixed: Option<(&'static str, &'static str)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Lexical,
    Copula,
    Do,
    Modal,
    Have,
    Progressive,
    Passive,
    /// *is allowed to*: the passive belongs to the modal.
    MatrixPassive,
    /// *want* in *want to read*.
    Matrix,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Finite,
    Base,
    Ing,
    Participle,
}

/// The verbs as the clause places them.
#[derive(Debug)]
pub struct Verbs {
    /// What subject, auxiliaries and fronted words depend on.
    pub head: Node,
    /// What complements and final adjuncts depend on.
    pub inner: Node,
    /// The first auxiliary, which goes before the subject in questions; or *to*.
    pub first: Option<Node>,
    pub negation: Option<Node>,
    /// The other verbs, up to the main one.
    pub rest: Vec<Node>,
    pub predicate: Option<Phrase>,
}

fn plain(verb: EnglishVerb, role: Role) -> Verb {
    Verb { verb, role, fixed: None }
}

fn fixed(form: &'static str, lemma: &'static str) -> Verb {
    Verb { verb: DO, role: Role::Modal, fixed: Some((form, lemma)) }
}

/// Whether *not* stands in the verb group.
pub fn says_not(clause: &Clause) -> bool {
    match clause.negation {
        Negation::Not | Negation::NotYet => true,
        Negation::Determiner(english) => english != EnglishNo::No,
        Negation::None | Negation::NoLonger => false,
    }
}

pub fn is_past(clause: &Clause) -> bool {
    use EnglishTense::{Past, PastPerfect, PastProgressive};
    matches!(clause.english_tense, Past | PastPerfect | PastProgressive)
}

fn english_modal(clause: &Clause) -> Option<EnglishModal> {
    let modal = clause.modal?;
    if is_past(clause) { modal.past.or(Some(modal.present)) } else { Some(modal.present) }
}

/// The verbs before *to*, and those after it where a modal is put by a verb of its own.
fn chains(clause: &Clause) -> (Vec<Verb>, Vec<Verb>) {
    let mut outer = Vec::with_capacity(4);
    let mut inner = Vec::with_capacity(2);
    match english_modal(clause) {
        Some(EnglishModal::Auxiliary(form, lemma)) => outer.push(fixed(form, lemma)),
        Some(EnglishModal::To(verb, voice)) => {
            match voice {
                Voice::Active => {}
                Voice::Passive => outer.push(plain(BE, Role::MatrixPassive)),
                Voice::Conditional => outer.push(fixed("would", "will")),
            }
            outer.push(plain(*verb, Role::Matrix));
            inner.extend(clause.passive.then(|| plain(BE, Role::Passive)));
            inner.push(lexical(clause));
            return (outer, inner);
        }
        None => {}
    }
    match clause.english_tense {
        EnglishTense::Will => outer.push(fixed("will", "will")),
        EnglishTense::Perfect | EnglishTense::PastPerfect => outer.push(plain(HAVE, Role::Have)),
        EnglishTense::PerfectProgressive => {
            outer.extend([plain(HAVE, Role::Have), plain(BE, Role::Progressive)]);
        }
        EnglishTense::Progressive | EnglishTense::PastProgressive => {
            outer.push(plain(BE, Role::Progressive));
        }
        EnglishTense::Present | EnglishTense::Past => {}
    }
    outer.extend(clause.epistemic.then(|| plain(HAVE, Role::Have)));
    outer.extend(clause.passive.then(|| plain(BE, Role::Passive)));
    outer.push(lexical(clause));
    (outer, inner)
}

fn lexical(clause: &Clause) -> Verb {
    match clause.predicate {
        Predicate::Verb(verb) => plain(verb.english, Role::Lexical),
        _ => plain(BE, Role::Copula),
    }
}

fn governed(governor: Role) -> Form {
    match governor {
        Role::Have | Role::Passive | Role::MatrixPassive => Form::Participle,
        Role::Progressive => Form::Ing,
        _ => Form::Base,
    }
}

impl English {
    pub(super) fn verbs(
        &mut self,
        clause: &Clause,
        shape: Shape,
        inverted: bool,
        subject: &Referent,
    ) -> Verbs {
        let (mut outer, inner) = chains(clause);
        let bare =
            matches!(outer[0].role, Role::Lexical | Role::Matrix) && outer[0].verb.base != "be";
        if bare && (inverted || says_not(clause)) && shape != Shape::Infinitive {
            outer.insert(0, plain(DO, Role::Do));
        }
        let start = if shape == Shape::Infinitive { Form::Base } else { Form::Finite };
        let outer_nodes = self.chain(clause, &outer, start, subject);
        let inner_nodes = self.chain(clause, &inner, Form::Base, subject);
        let predicate = self.predicate(clause);
        let last = |nodes: &[Node]| nodes.last().copied().unwrap_or_default();
        let predicate_head = predicate.as_ref().map(|predicate| predicate.head);
        let (head, lexical) = match (inner_nodes.is_empty(), predicate_head) {
            (true, Some(head)) => (head, head),
            (true, None) => (last(&outer_nodes), last(&outer_nodes)),
            (false, found) => (last(&outer_nodes), found.unwrap_or(last(&inner_nodes))),
        };
        self.attach_chain(&outer, &outer_nodes, head);
        self.attach_chain(&inner, &inner_nodes, lexical);
        let mut rest = outer_nodes;
        let auxiliary =
            outer.len() > 1 || outer[0].verb.base == "be" && outer[0].role != Role::Matrix;
        let mut first = None;
        if shape == Shape::Infinitive {
            first = Some(self.to(clause, head, Part::To));
        } else if auxiliary {
            first = Some(rest.remove(0));
        }
        if lexical != head {
            self.words.attach(lexical, head, "xcomp");
            rest.push(self.to(clause, lexical, Part::Modal));
            rest.extend(inner_nodes);
        }
        let negation = says_not(clause).then(|| self.not(clause, first, head, inverted));
        Verbs { head, inner: lexical, first, negation, rest, predicate }
    }

    fn chain(
        &mut self,
        clause: &Clause,
        chain: &[Verb],
        start: Form,
        subject: &Referent,
    ) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(chain.len());
        for (place, verb) in chain.iter().enumerate() {
            let form = if place == 0 { start } else { governed(chain[place - 1].role) };
            nodes.push(self.verb(clause, verb, form, subject));
        }
        nodes
    }

    fn attach_chain(&mut self, chain: &[Verb], nodes: &[Node], head: Node) {
        for (verb, &node) in chain.iter().zip(nodes) {
            let label = match verb.role {
                Role::Copula => "cop",
                Role::Passive | Role::MatrixPassive => "aux:pass",
                _ => "aux",
            };
            if node != head {
                self.words.attach(node, head, label);
            }
        }
    }

    fn verb(&mut self, clause: &Clause, verb: &Verb, form: Form, subject: &Referent) -> Node {
        let matrix = matches!(english_modal(clause), Some(EnglishModal::To(..)));
        let part = match verb.role {
            Role::Lexical | Role::Copula => Part::Head,
            Role::Modal if clause.modal.is_none() => Part::Auxiliary,
            Role::Modal | Role::Matrix | Role::MatrixPassive => Part::Modal,
            Role::Do if matrix => Part::Modal,
            Role::Do | Role::Have | Role::Progressive => Part::Auxiliary,
            Role::Passive => Part::Passive,
        };
        let past = is_past(clause);
        let (text, lemma) = match verb.fixed {
            Some((text, lemma)) => (text.to_owned(), lemma),
            None => (spelled(&verb.verb, form, past, subject), verb.verb.base),
        };
        let main = matches!(verb.role, Role::Lexical | Role::Matrix);
        let upos = if main { "VERB" } else { "AUX" };
        let (xpos, feats) = described(verb, form, past, subject);
        let node = self.words.add(text, lemma, (upos, xpos), feats);
        self.words.link(node, clause.id, part)
    }

    fn to(&mut self, clause: &Clause, head: Node, part: Part) -> Node {
        let node = self.words.add("to", "to", ("PART", "TO"), "_");
        self.words.link(node, clause.id, part);
        self.words.attach(node, head, "mark")
    }

    /// *not*, or *n't* glued to the auxiliary.
    fn not(&mut self, clause: &Clause, first: Option<Node>, head: Node, inverted: bool) -> Node {
        let auxiliary = first.map(|node| self.words.token(node).form.clone()).unwrap_or_default();
        let short = clause.contracted && short_form(&auxiliary).is_some();
        let node = if short {
            self.words.add("n't", "not", ("PART", "RB"), "Polarity=Neg")
        } else {
            self.words.add("not", "not", ("PART", "RB"), "Polarity=Neg")
        };
        if let (true, Some(first), Some(form)) = (short, first, short_form(&auxiliary)) {
            self.words.respell(first, form);
        }
        if short || (auxiliary == "can" && !inverted) {
            self.words.glue(node);
        }
        self.words.link(node, clause.id, Part::Negation);
        self.words.attach(node, head, "advmod")
    }
}

/// How an auxiliary is spelled before *n't*.
fn short_form(auxiliary: &str) -> Option<&'static str> {
    Some(match auxiliary {
        "can" => "ca",
        "will" => "wo",
        "do" => "do",
        "does" => "does",
        "did" => "did",
        "is" => "is",
        "are" => "are",
        "was" => "was",
        "were" => "were",
        "has" => "has",
        "have" => "have",
        "had" => "had",
        "could" => "could",
        "should" => "should",
        "would" => "would",
        _ => return None,
    })
}

fn spelled(verb: &EnglishVerb, form: Form, past: bool, subject: &Referent) -> String {
    match form {
        Form::Finite => verb.finite(past, subject),
        Form::Base => verb.base.into(),
        Form::Ing => verb.ing(),
        Form::Participle => verb.participle(),
    }
}

fn described(verb: &Verb, form: Form, past: bool, subject: &Referent) -> (&'static str, String) {
    if verb.fixed.is_some() {
        return ("MD", "VerbForm=Fin".into());
    }
    let third = subject.is_third() && subject.number == Number::Singular;
    match form {
        Form::Base => ("VB", "VerbForm=Inf".into()),
        Form::Ing => ("VBG", "Tense=Pres|VerbForm=Part".into()),
        Form::Participle => ("VBN", "Tense=Past|VerbForm=Part".into()),
        Form::Finite if past => ("VBD", "Mood=Ind|Tense=Past|VerbForm=Fin".into()),
        Form::Finite if third => {
            ("VBZ", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin".into())
        }
        Form::Finite => {
            let person = if subject.english_person() == Person::Third { "|Person=3" } else { "" };
            ("VBP", format!("Mood=Ind{person}|Tense=Pres|VerbForm=Fin"))
        }
    }
}
