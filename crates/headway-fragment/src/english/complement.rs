//! Complements, adjuncts and predicates as phrases.

use super::English;
use super::phrase::Role;
use crate::features::Number;
use crate::lexicon::{EnglishSlot, GermanSlot, NameKind};
use crate::meaning::{
    AdjectiveUse, Adjunct, AdjunctKind, AskedAdverb, Clause, Complement, Determiner, Filler, Id,
    Joint, Nominal, NounPhrase, Part, Predicate, Unit,
};
use crate::words::{Node, Phrase};

/// The preposition of a complement that has one.
pub fn preposition(complement: &Complement, has_object: bool) -> Option<&'static str> {
    let Filler::Nominal(nominal) = &complement.filler else { return None };
    match complement.slot.english {
        EnglishSlot::Preposition(word) => Some(word),
        EnglishSlot::Indirect if !has_object || nominal.is_heavy() => Some("to"),
        EnglishSlot::Place => Some(place_preposition(complement, nominal)),
        _ => None,
    }
}

fn place_preposition(complement: &Complement, nominal: &Nominal) -> &'static str {
    let to = complement.slot.german == GermanSlot::To;
    match nominal {
        Nominal::Noun(phrase) => match phrase.noun.place {
            Some(place) if to => place.to_english,
            Some(place) => place.at_english,
            None => "in",
        },
        Nominal::Name(_, name)
            if matches!(name.kind, NameKind::Town | NameKind::Country) && !to =>
        {
            "in"
        }
        _ if to => "to",
        _ => "in",
    }
}

impl English {
    /// A complement, attached to the verb; `preposition` as `preposition` says.
    pub(super) fn complement(
        &mut self,
        complement: &Complement,
        preposition: Option<&'static str>,
        head: Node,
    ) -> Phrase {
        let (built, label) = match &complement.filler {
            Filler::Home => self.home(complement),
            Filler::Measure(numeral, unit) => {
                let mut built = self.measure(complement.id, *numeral, *unit);
                if *unit == Unit::Euro {
                    (built, "obj")
                } else {
                    let nodes = self.preposition(complement.id, "for", built.head);
                    built.prepend(nodes);
                    (built, "obl")
                }
            }
            Filler::Nominal(nominal) => self.nominal_complement(complement, nominal, preposition),
        };
        self.words.attach(built.head, head, label);
        built
    }

    fn nominal_complement(
        &mut self,
        complement: &Complement,
        nominal: &Nominal,
        preposition: Option<&'static str>,
    ) -> (Phrase, &'static str) {
        let mut built = self.nominal(nominal, Role::Object);
        match (preposition, complement.slot.english) {
            (Some(word), _) => {
                let nodes = self.preposition(complement.id, word, built.head);
                built.prepend(nodes);
                (built, "obl")
            }
            (None, EnglishSlot::Subject) => (built, "nsubj"),
            (None, EnglishSlot::Indirect) => (built, "iobj"),
            (None, EnglishSlot::Preposition(_) | EnglishSlot::Place) => (built, "obl"),
            (None, EnglishSlot::Object) => (built, "obj"),
        }
    }

    /// *at home*, or *home*.
    fn home(&mut self, complement: &Complement) -> (Phrase, &'static str) {
        if complement.slot.german == GermanSlot::To {
            let node = self.words.add("home", "home", ("ADV", "RB"), "_");
            return (Phrase::of(self.words.link(node, complement.id, Part::Head)), "advmod");
        }
        let node = self.words.add("home", "home", ("NOUN", "NN"), "Number=Sing");
        self.words.link(node, complement.id, Part::Head);
        let mut built = Phrase::of(node);
        let nodes = self.preposition(complement.id, "at", node);
        built.prepend(nodes);
        (built, "obl")
    }

    /// An adjunct that is no clause, attached to `head`.
    pub(super) fn adjunct(&mut self, adjunct: &Adjunct, head: Node) -> Option<Phrase> {
        let (built, label) = match &adjunct.kind {
            AdjunctKind::Adverb(adverb) => (self.adverb(adverb.english, adjunct.id), "advmod"),
            AdjunctKind::Preposition(phrase) | AdjunctKind::Place(phrase) => {
                (self.prepositional(phrase), "obl")
            }
            AdjunctKind::Agent(nominal) => {
                let mut built = self.nominal(nominal, Role::Object);
                let nodes = self.preposition(adjunct.id, "by", built.head);
                built.prepend(nodes);
                (built, "obl:agent")
            }
            AdjunctKind::Time(time) => self.time(adjunct.id, time),
            AdjunctKind::Asked(asked) => {
                let word = asked.english();
                let node = self.words.add(word, word, ("ADV", "WRB"), "PronType=Int");
                (Phrase::of(self.words.link(node, adjunct.id, Part::Head)), "advmod")
            }
            AdjunctKind::Clause(_) => return None,
        };
        self.words.attach(built.head, head, label);
        Some(built)
    }

    /// One word, or a fixed expression: *of course*.
    fn adverb(&mut self, words: &'static str, id: Id) -> Phrase {
        let mut built: Option<Phrase> = None;
        for word in words.split('_') {
            let node = self.words.add(word, word, ("ADV", "RB"), "_");
            self.words.link(node, id, Part::Head);
            match &mut built {
                None => built = Some(Phrase::of(node)),
                Some(whole) => {
                    self.words.attach(node, whole.head, "fixed");
                    whole.order.push(node);
                }
            }
        }
        built.unwrap_or_else(|| Phrase::of(0))
    }

    /// What a copula says of its subject.
    pub(super) fn predicate(&mut self, clause: &Clause) -> Option<Phrase> {
        match &clause.predicate {
            Predicate::Verb(_) => None,
            Predicate::Noun(phrase) => Some(self.predicate_noun(phrase)),
            Predicate::Comparative(adjective, than) => Some(self.comparison(adjective, than)),
            Predicate::Age(id, numeral, adjective) => {
                let head = self.words.add(
                    adjective.english,
                    adjective.english,
                    ("ADJ", "JJ"),
                    "Degree=Pos",
                );
                self.words.link(head, *id, Part::Head);
                let measure = self.measure(*id, *numeral, Unit::Year);
                self.words.attach(measure.head, head, "obl:npmod");
                let mut built = Phrase::of(head);
                built.prepend(measure.order);
                Some(built)
            }
            Predicate::Adjectives(adjectives, joint) => {
                self.predicate_adjectives(adjectives, *joint)
            }
        }
    }

    /// German has no article where English says *a teacher*.
    fn predicate_noun(&mut self, phrase: &NounPhrase) -> Phrase {
        let mut built = self.noun_phrase(phrase);
        if matches!(phrase.determiner, Determiner::Bare) && phrase.number == Number::Singular {
            let article = self.plain_determiner("a", phrase.id, built.head);
            built.prepend([article]);
        }
        built
    }

    fn predicate_adjectives(
        &mut self,
        adjectives: &[AdjectiveUse],
        joint: Joint,
    ) -> Option<Phrase> {
        let mut built: Option<Phrase> = None;
        for adjective in adjectives {
            let node = self.adjective(adjective);
            let mut phrase = Phrase::of(node);
            phrase.prepend(self.degree(adjective, node));
            let Some(whole) = &mut built else {
                built = Some(phrase);
                continue;
            };
            self.words.attach(node, whole.head, "conj");
            let word = self.conjunction(joint, adjective.id, node);
            phrase.prepend([word]);
            whole.append(phrase);
        }
        built
    }
}

impl AskedAdverb {
    fn english(self) -> &'static str {
        match self {
            AskedAdverb::Where | AskedAdverb::Whither => "where",
            AskedAdverb::When => "when",
            AskedAdverb::Why => "why",
            AskedAdverb::How => "how",
        }
    }
}
