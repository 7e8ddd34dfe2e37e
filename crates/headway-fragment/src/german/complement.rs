//! Complements, adjuncts and predicates as phrases.

use super::German;
use crate::features::Case;
use crate::lexicon::{AdverbKind, GermanSlot, NameKind};
use crate::meaning::{
    AdjectiveUse, Adjunct, AdjunctKind, AskedAdverb, Clause, Complement, Filler, Id, Joint,
    Nominal, Part, Predicate, Unit,
};
use crate::words::{Node, Phrase};

impl German {
    /// A complement, attached to the verb.
    pub(super) fn complement(&mut self, complement: &Complement, head: Node) -> Phrase {
        let (built, label) = match &complement.filler {
            Filler::Home => (self.home(complement), "obl"),
            Filler::Measure(numeral, unit) => {
                let label = if *unit == Unit::Euro { "obj" } else { "obl:tmod" };
                (self.measure(complement.id, *numeral, *unit, Case::Accusative), label)
            }
            Filler::Nominal(nominal) => self.nominal_complement(complement, nominal),
        };
        self.words.attach(built.head, head, label);
        built
    }

    fn nominal_complement(
        &mut self,
        complement: &Complement,
        nominal: &Nominal,
    ) -> (Phrase, &'static str) {
        match complement.slot.german {
            GermanSlot::Bare(Case::Dative) => (self.nominal(nominal, Case::Dative), "iobj"),
            GermanSlot::Bare(case) => (self.nominal(nominal, case), "obj"),
            GermanSlot::Preposition(preposition, case) => {
                (self.prepositional_words(complement.id, preposition, case, nominal), "obl")
            }
            GermanSlot::To => (self.whither(complement.id, nominal), "obl"),
            _ => (self.whither_or_where(complement, nominal), "obl"),
        }
    }

    fn whither_or_where(&mut self, complement: &Complement, nominal: &Nominal) -> Phrase {
        if complement.slot.german == GermanSlot::Nach {
            return self.prepositional_words(complement.id, "nach", Case::Dative, nominal);
        }
        let preposition = match nominal {
            Nominal::Noun(phrase) => phrase.noun.place.map_or("in", |place| place.at),
            _ => "in",
        };
        self.prepositional_words(complement.id, preposition, Case::Dative, nominal)
    }

    fn whither(&mut self, id: Id, nominal: &Nominal) -> Phrase {
        match nominal {
            Nominal::Noun(phrase) => {
                let preposition = phrase.noun.place.map_or("zu", |place| place.to);
                let case = if preposition == "zu" { Case::Dative } else { Case::Accusative };
                self.prepositional_words(id, preposition, case, nominal)
            }
            Nominal::Name(_, name) if !matches!(name.kind, NameKind::Given | NameKind::Family) => {
                self.prepositional_words(id, "nach", Case::Dative, nominal)
            }
            _ => self.prepositional_words(id, "zu", Case::Dative, nominal),
        }
    }

    /// *zu Hause*, *nach Hause*.
    fn home(&mut self, complement: &Complement) -> Phrase {
        let preposition = if complement.slot.german == GermanSlot::To { "nach" } else { "zu" };
        let feats = "Case=Dat|Gender=Neut|Number=Sing";
        let noun = self.words.add("Hause", "Haus", ("NOUN", "NN"), feats);
        self.words.link(noun, complement.id, Part::Head);
        let node = self.words.add(preposition, preposition, ("ADP", "APPR"), "_");
        self.words.link(node, complement.id, Part::Preposition);
        self.words.attach(node, noun, "case");
        Phrase { head: noun, order: vec![node, noun], later: Vec::new() }
    }

    /// An adjunct that is no clause, attached to the verb.
    pub(super) fn adjunct(&mut self, adjunct: &Adjunct, head: Node) -> Option<Phrase> {
        let (built, label) = match &adjunct.kind {
            AdjunctKind::Adverb(adverb) => {
                let manner = matches!(adverb.kind, AdverbKind::Manner(group) if group != "group" && group != "alone");
                let tag = if manner { ("ADV", "ADJD") } else { ("ADV", "ADV") };
                (Phrase::of(self.word(adverb.german, tag, adjunct.id)), "advmod")
            }
            AdjunctKind::Preposition(phrase) | AdjunctKind::Place(phrase) => {
                (self.prepositional(phrase), "obl")
            }
            AdjunctKind::Agent(nominal) => {
                (self.prepositional_words(adjunct.id, "von", Case::Dative, nominal), "obl:agent")
            }
            AdjunctKind::Time(time) => self.time(adjunct.id, time),
            AdjunctKind::Asked(asked) => {
                let node =
                    self.words.add(asked.german(), asked.german(), ("ADV", "PWAV"), "PronType=Int");
                (Phrase::of(self.words.link(node, adjunct.id, Part::Head)), "advmod")
            }
            AdjunctKind::Clause(_) => return None,
        };
        self.words.attach(built.head, head, label);
        Some(built)
    }

    fn word(&mut self, form: &'static str, tag: (&'static str, &'static str), id: Id) -> Node {
        let feats = if tag.1 == "ADJD" { "Degree=Pos" } else { "_" };
        let node = self.words.add(form, form, tag, feats);
        self.words.link(node, id, Part::Head)
    }

    /// What a copula says of its subject.
    pub(super) fn predicate(&mut self, clause: &Clause) -> Option<Phrase> {
        match &clause.predicate {
            Predicate::Verb(_) => None,
            Predicate::Noun(phrase) => {
                Some(self.nominal(&Nominal::Noun(phrase.clone()), Case::Nominative))
            }
            Predicate::Comparative(adjective, than) => Some(self.comparison(adjective, than)),
            Predicate::Age(id, numeral, adjective) => {
                let head = self.words.add(
                    adjective.german,
                    adjective.german,
                    ("ADJ", "ADJD"),
                    "Degree=Pos",
                );
                self.words.link(head, *id, Part::Head);
                let measure = self.measure(*id, *numeral, Unit::Year, Case::Accusative);
                self.words.attach(measure.head, head, "obl");
                let mut built = Phrase::of(head);
                built.prepend(measure.order);
                Some(built)
            }
            Predicate::Adjectives(adjectives, joint) => {
                self.predicate_adjectives(adjectives, *joint)
            }
        }
    }

    fn predicate_adjectives(
        &mut self,
        adjectives: &[AdjectiveUse],
        joint: Joint,
    ) -> Option<Phrase> {
        let mut built: Option<Phrase> = None;
        for adjective in adjectives {
            let german = adjective.adjective.german;
            let node = self.words.add(german, german, ("ADJ", "ADJD"), "Degree=Pos");
            self.words.link(node, adjective.id, Part::Head);
            let mut phrase = Phrase::of(node);
            phrase.prepend(self.degree(adjective, node));
            let Some(whole) = &mut built else {
                built = Some(phrase);
                continue;
            };
            self.words.attach(node, whole.head, "conj");
            let word = self.conjunction(joint, adjective.id, node);
            phrase.prepend([word]);
            if joint == Joint::But {
                let comma = self.comma(node, adjective.id, Part::CommaBefore);
                phrase.prepend([comma]);
            }
            whole.append(phrase);
        }
        built
    }
}

impl AskedAdverb {
    fn german(self) -> &'static str {
        match self {
            AskedAdverb::Where => "wo",
            AskedAdverb::Whither => "wohin",
            AskedAdverb::When => "wann",
            AskedAdverb::Why => "warum",
            AskedAdverb::How => "wie",
        }
    }
}
