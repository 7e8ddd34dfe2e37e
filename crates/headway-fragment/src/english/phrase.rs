//! Noun phrases, pronouns and prepositional phrases.

use super::English;
use super::clause::Shape;
use super::pronoun::{object, subject};
use crate::features::{Gender, Number, Referent};
use crate::lexicon::{Name, NameKind, lexicon};
use crate::meaning::{
    AdjectiveUse, Asked, Id, Joint, Nominal, NounPhrase, Part, PrepositionPhrase, RelativeWord,
};
use crate::words::{Node, Phrase};

/// Whether a pronoun is a subject: English shows no other case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Subject,
    Object,
}

/// Whether *'s* rather than *of* marks the owner.
fn takes_apostrophe(owner: &Nominal) -> bool {
    match owner {
        Nominal::Name(..) => true,
        Nominal::Noun(phrase) => {
            let person = phrase.noun.classes.meets(lexicon().class("person"));
            person && phrase.owner.is_none() && phrase.attribute.is_none() && !phrase.is_heavy()
        }
        _ => false,
    }
}

impl English {
    pub(super) fn nominal(&mut self, nominal: &Nominal, role: Role) -> Phrase {
        match nominal {
            Nominal::Noun(phrase) => self.noun_phrase(phrase),
            Nominal::Name(id, name) => self.name(*id, name),
            Nominal::Pronoun(id, referent) => self.pronoun(*id, referent, role),
            Nominal::Asked(id, Asked::Who) => self.asked(*id, "who"),
            Nominal::Asked(id, Asked::What) => self.asked(*id, "what"),
            Nominal::Gap(id, gap) => self.gap(*id, gap.english),
            Nominal::Expletive(id) => {
                let feats = "Case=Nom|Gender=Neut|Number=Sing|Person=3|PronType=Prs";
                let node = self.words.add("it", "it", ("PRON", "PRP"), feats);
                Phrase::of(self.words.link(node, *id, Part::Head))
            }
            Nominal::Join(id, members) => self.join(*id, members, role),
        }
    }

    /// The last word of a compound is its head: *living room*.
    fn noun(&mut self, phrase: &NounPhrase) -> Phrase {
        let plural = phrase.number == Number::Plural;
        let noun = phrase.noun;
        let form = if plural { noun.english_plural } else { noun.english };
        let (before, last) = form.rsplit_once(' ').unwrap_or(("", form));
        let lemma = noun.english.rsplit_once(' ').map_or(noun.english, |(_, last)| last);
        let xpos = if plural { "NNS" } else { "NN" };
        let number = if plural { "Number=Plur" } else { "Number=Sing" };
        let head = self.words.add(last, lemma, ("NOUN", xpos), number);
        self.words.link(head, phrase.id, Part::Head);
        let mut built = Phrase::of(head);
        if !before.is_empty() {
            let node = self.words.add(before, before, ("NOUN", "NN"), "Number=Sing");
            self.words.link(node, phrase.id, Part::Head);
            self.words.attach(node, head, "compound");
            built.prepend([node]);
        }
        built
    }

    pub(super) fn noun_phrase(&mut self, phrase: &NounPhrase) -> Phrase {
        let mut built = self.noun(phrase);
        let head = built.head;
        let mut before = match &phrase.owner {
            Some(owner) if takes_apostrophe(owner) => self.possessor(owner, head),
            _ => self.determiner(phrase, head),
        };
        before.extend(self.adjectives(phrase, head));
        built.prepend(before);
        if let Some(owner) = phrase.owner.as_ref().filter(|owner| !takes_apostrophe(owner)) {
            built.append(self.of(owner, head));
        }
        if let Some(attribute) = &phrase.attribute {
            let attribute = self.prepositional(attribute);
            self.words.attach(attribute.head, head, "nmod");
            built.append(attribute);
        }
        if let Some(relative) = &phrase.relative {
            let clause = self.joined_clauses(&relative.clause, Shape::Embedded);
            self.words.attach(clause.head, head, "acl:relcl");
            built.append(clause);
        }
        built
    }

    fn possessor(&mut self, owner: &Nominal, noun: Node) -> Vec<Node> {
        let mut built = self.nominal(owner, Role::Object);
        self.words.attach(built.head, noun, "nmod:poss");
        let hissing = owner.referent().number == Number::Plural
            && self.words.token(built.head).form.ends_with('s');
        let mark = self.apostrophe(owner.id(), if hissing { "'" } else { "'s" }, built.head);
        built.order.push(mark);
        built.order
    }

    fn of(&mut self, owner: &Nominal, noun: Node) -> Phrase {
        let mut built = self.nominal(owner, Role::Object);
        let node = self.words.add("of", "of", ("ADP", "IN"), "_");
        self.words.link(node, owner.id(), Part::Genitive);
        self.words.attach(node, built.head, "case");
        self.words.attach(built.head, noun, "nmod");
        built.prepend([node]);
        built
    }

    fn adjectives(&mut self, phrase: &NounPhrase, noun: Node) -> Vec<Node> {
        let mut order = Vec::new();
        for adjective in &phrase.adjectives {
            let node = self.adjective(adjective);
            self.words.attach(node, noun, "amod");
            order.extend(self.degree(adjective, node));
            order.push(node);
        }
        order
    }

    pub(super) fn adjective(&mut self, adjective: &AdjectiveUse) -> Node {
        let english = adjective.adjective.english;
        let node = self.words.add(english, english, ("ADJ", "JJ"), "Degree=Pos");
        self.words.link(node, adjective.id, Part::Head)
    }

    pub(super) fn degree(&mut self, adjective: &AdjectiveUse, head: Node) -> Option<Node> {
        let (id, adverb) = adjective.degree?;
        let node = self.words.add(adverb.english, adverb.english, ("ADV", "RB"), "_");
        self.words.link(node, id, Part::Head);
        Some(self.words.attach(node, head, "advmod"))
    }

    /// *bigger than the dog*, *more expensive than the dog*.
    pub(super) fn comparison(&mut self, adjective: &AdjectiveUse, than: &Nominal) -> Phrase {
        let entry = adjective.adjective;
        let analytic = entry.english_comparative == "more";
        let (form, xpos, feats) = match analytic {
            true => (entry.english, "JJ", "Degree=Pos"),
            false => (entry.english_comparative, "JJR", "Degree=Cmp"),
        };
        let head = self.words.add(form, entry.english, ("ADJ", xpos), feats);
        self.words.link(head, adjective.id, Part::Head);
        let mut built = Phrase::of(head);
        if analytic {
            let more = self.words.add("more", "more", ("ADV", "RBR"), "Degree=Cmp");
            self.words.link(more, adjective.id, Part::Head);
            self.words.attach(more, head, "advmod");
            built.prepend([more]);
        }
        let mut object = self.nominal(than, Role::Object);
        let node = self.words.add("than", "than", ("ADP", "IN"), "_");
        self.words.link(node, adjective.id, Part::Than);
        self.words.attach(node, object.head, "case");
        object.prepend([node]);
        self.words.attach(object.head, head, "obl");
        built.append(object);
        built
    }

    fn name(&mut self, id: Id, name: &'static Name) -> Phrase {
        let node = self.words.add(name.english, name.english, ("PROPN", "NNP"), "Number=Sing");
        self.words.link(node, id, Part::Head);
        if name.kind != NameKind::Family {
            return Phrase::of(node);
        }
        let title = if name.gender == Gender::Masculine { "Mr" } else { "Mrs" };
        let title = self.words.add(title, title, ("PROPN", "NNP"), "Number=Sing");
        self.words.link(title, id, Part::Degree);
        self.words.attach(node, title, "flat");
        let mut built = Phrase::of(title);
        built.order.push(node);
        built
    }

    fn pronoun(&mut self, id: Id, referent: &Referent, role: Role) -> Phrase {
        let (form, case) = match role {
            Role::Subject => (subject(referent), "Nom"),
            Role::Object => (object(referent), "Acc"),
        };
        let person = referent.english_person().feature();
        let gender = match person == "3" && referent.number == Number::Singular {
            true => format!("|Gender={}", referent.sex.feature()),
            false => String::new(),
        };
        let number = referent.number.feature();
        let feats = format!("Case={case}{gender}|Number={number}|Person={person}|PronType=Prs");
        let node = self.words.add(form, subject(referent), ("PRON", "PRP"), feats);
        Phrase::of(self.words.link(node, id, Part::Head))
    }

    fn asked(&mut self, id: Id, word: &'static str) -> Phrase {
        let node = self.words.add(word, word, ("PRON", "WP"), "PronType=Int");
        Phrase::of(self.words.link(node, id, Part::Head))
    }

    fn gap(&mut self, id: Id, word: RelativeWord) -> Phrase {
        let (form, xpos) = match word {
            RelativeWord::Who => ("who", "WP"),
            RelativeWord::Which => ("which", "WDT"),
            RelativeWord::That | RelativeWord::Nothing => ("that", "WDT"),
        };
        let node = self.words.add(form, form, ("PRON", xpos), "PronType=Rel");
        self.words.link(node, id, Part::Head);
        let mut built = Phrase::of(node);
        if word == RelativeWord::Nothing {
            built.order.clear();
        }
        built
    }

    fn join(&mut self, id: Id, members: &[Nominal], role: Role) -> Phrase {
        let mut built: Option<Phrase> = None;
        for (number, member) in members.iter().enumerate() {
            let mut phrase = self.nominal(member, role);
            let Some(whole) = &mut built else {
                built = Some(phrase);
                continue;
            };
            self.words.attach(phrase.head, whole.head, "conj");
            let joint = if number + 1 == members.len() {
                self.conjunction(Joint::And, id, phrase.head)
            } else {
                self.comma(phrase.head, member.id(), Part::CommaBefore)
            };
            phrase.prepend([joint]);
            whole.append(phrase);
        }
        built.unwrap_or_else(|| self.nominal(&Nominal::Expletive(id), role))
    }

    pub(super) fn prepositional(&mut self, phrase: &PrepositionPhrase) -> Phrase {
        let mut built = self.nominal(&phrase.object, Role::Object);
        let nodes = self.preposition(phrase.id, phrase.english, built.head);
        built.prepend(nodes);
        built
    }

    /// One word, or several that count as one: *in front of*.
    pub(super) fn preposition(&mut self, id: Id, words: &'static str, object: Node) -> Vec<Node> {
        let mut order: Vec<Node> = Vec::new();
        for word in words.split(' ') {
            let node = self.words.add(word, word, ("ADP", "IN"), "_");
            self.words.link(node, id, Part::Preposition);
            match order.first() {
                Some(&first) => self.words.attach(node, first, "fixed"),
                None => self.words.attach(node, object, "case"),
            };
            order.push(node);
        }
        order
    }
}
