//! The verbs of a clause: which ones there are, their forms, their order at the end.

use super::German;
use super::clause::Shape;
use super::verb::{FiniteTense, GermanVerb, HABEN, SEIN, WERDEN};
use crate::features::Referent;
use crate::meaning::{Clause, Part, Predicate, Tense};
use crate::words::{Node, Phrase};

/// A verb of the chain and what it is there for; each asks for a form of the next.
#[derive(Debug, Clone, Copy)]
struct Verb {
    verb: GermanVerb,
    lemma: &'static str,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Lexical,
    Copula,
    Perfect,
    Future,
    Passive,
    Modal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Finite(FiniteTense),
    Infinitive,
    WithZu,
    Participle,
}

/// The verbs as the clause places them.
#[derive(Debug)]
pub struct Verbs {
    /// What the rest of the clause depends on.
    pub head: Node,
    /// In second or first place; None where the verbs stand at the end.
    pub finite: Option<Node>,
    /// The right end of the clause.
    pub end: Vec<Node>,
    /// The predicate of a copula.
    pub predicate: Option<Phrase>,
}

/// The verbs of a clause, from the finite one inwards.
fn chain(clause: &Clause) -> Vec<Verb> {
    let aux = |verb, lemma, role| Verb { verb, lemma, role };
    let lexical = match clause.predicate {
        Predicate::Verb(verb) => aux(verb.german, "", Role::Lexical),
        _ => aux(SEIN, "sein", Role::Copula),
    };
    let moves = clause.passive || lexical.verb.moves;
    let perfect = |moves| {
        if moves { aux(SEIN, "sein", Role::Perfect) } else { aux(HABEN, "haben", Role::Perfect) }
    };
    let mut chain = Vec::with_capacity(4);
    match clause.tense {
        Tense::Perfect | Tense::Pluperfect => chain.push(perfect(moves && clause.modal.is_none())),
        Tense::Future => chain.push(aux(WERDEN, "werden", Role::Future)),
        Tense::Present | Tense::Past => {}
    }
    chain.extend(clause.modal.map(|modal| aux(modal.german, modal.lemma, Role::Modal)));
    if clause.epistemic {
        chain.push(perfect(moves));
    }
    if clause.passive {
        chain.push(aux(WERDEN, "werden", Role::Passive));
    }
    chain.push(lexical);
    chain
}

/// The form a verb takes after the one that governs it.
fn governed(governor: Role, role: Role) -> Form {
    match governor {
        // The infinitive in place of the participle: *hat lesen müssen*.
        Role::Perfect if role == Role::Modal => Form::Infinitive,
        Role::Perfect | Role::Passive => Form::Participle,
        _ => Form::Infinitive,
    }
}

impl German {
    pub(super) fn verbs(&mut self, clause: &Clause, shape: Shape) -> Verbs {
        let chain = chain(clause);
        let finite = match clause.tense {
            Tense::Past | Tense::Pluperfect => FiniteTense::Past,
            _ => FiniteTense::Present,
        };
        let first = if shape == Shape::Infinitive { Form::WithZu } else { Form::Finite(finite) };
        let mut nodes: Vec<Vec<Node>> = Vec::with_capacity(chain.len());
        for (place, verb) in chain.iter().enumerate() {
            let form = if place == 0 { first } else { governed(chain[place - 1].role, verb.role) };
            nodes.push(self.verb(clause, verb, form, shape));
        }
        let substitute = matches!(
            chain[..],
            [Verb { role: Role::Perfect, .. }, Verb { role: Role::Modal, .. }, ..]
        );
        let lexical = nodes.last().and_then(|last| last.last().copied()).unwrap_or_default();
        let predicate = self.predicate(clause);
        let head = predicate.as_ref().map_or(lexical, |predicate| predicate.head);
        self.attach_chain(&chain, &nodes, head);
        let particle = self.separated(clause, &chain, shape, head);
        place(nodes, particle, substitute, shape, head, predicate)
    }

    fn attach_chain(&mut self, chain: &[Verb], nodes: &[Vec<Node>], head: Node) {
        for (verb, nodes) in chain.iter().zip(nodes) {
            let label = match verb.role {
                Role::Lexical => "",
                Role::Copula => "cop",
                Role::Passive => "aux:pass",
                _ => "aux",
            };
            for &node in nodes {
                if self.words.token(node).tag.1 == "PTKZU" {
                    self.words.attach(node, head, "mark");
                } else if node != head {
                    self.words.attach(node, head, label);
                }
            }
        }
    }

    /// A separable particle left at the end while its verb went to the front.
    fn separated(
        &mut self,
        clause: &Clause,
        chain: &[Verb],
        shape: Shape,
        head: Node,
    ) -> Option<Node> {
        let [only] = chain else { return None };
        if only.verb.particle.is_empty() || !matches!(shape, Shape::First | Shape::Second) {
            return None;
        }
        let particle = only.verb.particle;
        let node = self.words.add(particle, particle, ("ADP", "PTKVZ"), "_");
        self.words.link(node, clause.id, Part::Head);
        Some(self.words.attach(node, head, "compound:prt"))
    }

    /// The verb's words: one, or *zu* and the infinitive.
    fn verb(&mut self, clause: &Clause, verb: &Verb, form: Form, shape: Shape) -> Vec<Node> {
        let part = match verb.role {
            Role::Lexical | Role::Copula => Part::Head,
            Role::Perfect | Role::Future => Part::Auxiliary,
            Role::Passive => Part::Passive,
            Role::Modal => Part::Modal,
        };
        let text = spelled(&verb.verb, form, shape, &clause.agreement);
        let lemma = if verb.lemma.is_empty() { verb.verb.lemma() } else { verb.lemma.to_owned() };
        let (upos, xpos) = tag(verb, form);
        let node = self.words.add(text, lemma, (upos, xpos), feats(verb, form, &clause.agreement));
        self.words.link(node, clause.id, part);
        if form != Form::WithZu {
            return vec![node];
        }
        if !verb.verb.particle.is_empty() {
            self.words.link(node, clause.id, Part::To);
            return vec![node];
        }
        let zu = self.words.add("zu", "zu", ("PART", "PTKZU"), "_");
        self.words.link(zu, clause.id, Part::To);
        vec![zu, node]
    }
}

fn place(
    mut nodes: Vec<Vec<Node>>,
    particle: Option<Node>,
    substitute: bool,
    shape: Shape,
    head: Node,
    predicate: Option<Phrase>,
) -> Verbs {
    let first = nodes.remove(0);
    let mut end: Vec<Node> = nodes.into_iter().rev().flatten().collect();
    let mut finite = None;
    match shape {
        Shape::First | Shape::Second => finite = first.first().copied(),
        Shape::Final | Shape::Infinitive if substitute => drop(end.splice(0..0, first)),
        Shape::Final | Shape::Infinitive => end.extend(first),
    }
    end.extend(particle);
    Verbs { head, finite, end, predicate }
}

fn spelled(verb: &GermanVerb, form: Form, shape: Shape, subject: &Referent) -> String {
    match form {
        Form::Finite(tense) if shape == Shape::Final => {
            format!("{}{}", verb.particle, verb.finite(tense, subject))
        }
        Form::Finite(tense) => verb.finite(tense, subject),
        Form::Participle => verb.participle(),
        Form::WithZu if !verb.particle.is_empty() => verb.zu_infinitive(),
        Form::Infinitive | Form::WithZu => verb.lemma(),
    }
}

fn tag(verb: &Verb, form: Form) -> (&'static str, &'static str) {
    let tags = match verb.role {
        Role::Modal => ["VMFIN", "VMINF", "VMINF", "VMPP"],
        Role::Lexical if !matches!(verb.verb.infinitive, "haben" | "sein" | "werden") => {
            ["VVFIN", "VVINF", "VVIZU", "VVPP"]
        }
        _ => ["VAFIN", "VAINF", "VAINF", "VAPP"],
    };
    let upos = if verb.role == Role::Lexical { "VERB" } else { "AUX" };
    match form {
        Form::Finite(_) => (upos, tags[0]),
        Form::WithZu if !verb.verb.particle.is_empty() => (upos, tags[2]),
        Form::Infinitive | Form::WithZu => (upos, tags[1]),
        Form::Participle => (upos, tags[3]),
    }
}

fn feats(verb: &Verb, form: Form, subject: &Referent) -> String {
    match form {
        Form::Finite(tense) => {
            let subjunctive = verb.verb.infinitive == "möchten";
            let mood = if subjunctive { "Sub" } else { "Ind" };
            let past = subjunctive || tense == FiniteTense::Past;
            let tense = if past { "Past" } else { "Pres" };
            let (number, person) = (subject.number.feature(), subject.person.feature());
            format!("Mood={mood}|Number={number}|Person={person}|Tense={tense}|VerbForm=Fin")
        }
        Form::Infinitive | Form::WithZu => "VerbForm=Inf".into(),
        Form::Participle => "VerbForm=Part".into(),
    }
}
