//! Noun phrases, pronouns and prepositional phrases.

use super::adjective::{attributive, comparative};
use super::article::{contraction, relative};
use super::clause::Shape;
use super::determiner::declension;
use super::noun;
use super::pronoun::personal;
use super::{German, Slot};
use crate::features::{Case, Gender, Number, Referent};
use crate::lexicon::{Name, NameKind};
use crate::meaning::{
    AdjectiveUse, Asked, Determiner, Gap, Id, Joint, Nominal, NounPhrase, Part, PrepositionPhrase,
};
use crate::words::{Node, Phrase};

impl German {
    pub(super) fn nominal(&mut self, nominal: &Nominal, case: Case) -> Phrase {
        match nominal {
            Nominal::Noun(phrase) => self.noun_phrase(phrase, case, true),
            Nominal::Name(id, name) => self.name(*id, name, case),
            Nominal::Pronoun(id, referent) => self.pronoun(*id, referent, case),
            Nominal::Asked(id, asked) => self.asked(*id, *asked, case),
            Nominal::Gap(id, gap) => self.gap(*id, gap, case),
            Nominal::Expletive(id) => {
                let feats = "Case=Nom|Gender=Neut|Number=Sing|Person=3|PronType=Prs";
                let node = self.words.add("es", "es", ("PRON", "PPER"), feats);
                Phrase::of(self.words.link(node, *id, Part::Head))
            }
            Nominal::Join(id, members) => self.join(*id, members, case),
        }
    }

    /// Everything of a noun phrase; without its article where a contraction holds it.
    fn noun_phrase(&mut self, phrase: &NounPhrase, case: Case, article: bool) -> Phrase {
        let slot = Slot { gender: phrase.noun.gender, number: phrase.number, case };
        let form = noun::form(phrase.noun, phrase.number, case);
        let head = self.words.add(form, phrase.noun.lemma, ("NOUN", "NN"), slot.feats());
        self.words.link(head, phrase.id, Part::Head);
        let mut built = Phrase::of(head);
        let mut before = if article { self.determiner(phrase, slot, head) } else { Vec::new() };
        before.extend(self.adjectives(phrase, slot, head));
        built.prepend(before);
        if let Some(owner) = &phrase.owner {
            built.append(self.genitive(owner, head));
        }
        if let Some(attribute) = &phrase.attribute {
            let attribute = self.prepositional(attribute);
            self.words.attach(attribute.head, head, "nmod");
            built.append(attribute);
        }
        self.relative(phrase, &mut built);
        built
    }

    /// The genitive article marks what *of* or *'s* marks in English.
    fn genitive(&mut self, owner: &Nominal, noun: Node) -> Phrase {
        let built = self.nominal(owner, Case::Genitive);
        let first = built.order.first().copied().unwrap_or(built.head);
        self.words.link(first, owner.id(), Part::Genitive);
        self.words.attach(built.head, noun, "nmod");
        built
    }

    fn relative(&mut self, phrase: &NounPhrase, built: &mut Phrase) {
        let Some(relative) = &phrase.relative else { return };
        let mut clause = self.joined_clauses(&relative.clause, Shape::Final);
        self.words.attach(clause.head, built.head, "acl:relcl");
        self.set_off(relative.id, &mut clause);
        if relative.extraposed {
            built.later.push(clause.order);
        } else {
            built.order.extend(clause.order);
        }
    }

    fn adjectives(&mut self, phrase: &NounPhrase, slot: Slot, noun: Node) -> Vec<Node> {
        let declension = declension(phrase);
        let mut order = Vec::new();
        for adjective in &phrase.adjectives {
            let form = attributive(adjective.adjective.german, declension, slot);
            let feats = slot.feats().replacen('|', "|Degree=Pos|", 1);
            let node = self.words.add(form, adjective.adjective.german, ("ADJ", "ADJA"), feats);
            self.words.link(node, adjective.id, Part::Head);
            self.words.attach(node, noun, "amod");
            order.extend(self.degree(adjective, node));
            order.push(node);
        }
        order
    }

    pub(super) fn degree(&mut self, adjective: &AdjectiveUse, head: Node) -> Option<Node> {
        let (id, adverb) = adjective.degree?;
        let tag = if adverb.german == "zu" { ("ADV", "PTKA") } else { ("ADV", "ADV") };
        let node = self.words.add(adverb.german, adverb.german, tag, "_");
        self.words.link(node, id, Part::Head);
        Some(self.words.attach(node, head, "advmod"))
    }

    /// *größer als der Hund*.
    pub(super) fn comparison(&mut self, adjective: &AdjectiveUse, than: &Nominal) -> Phrase {
        let entry = adjective.adjective;
        let form = entry.comparative.map_or_else(|| comparative(entry.german), str::to_owned);
        let head = self.words.add(form, entry.german, ("ADJ", "ADJD"), "Degree=Cmp");
        self.words.link(head, adjective.id, Part::Head);
        let mut built = Phrase::of(head);
        let mut object = self.nominal(than, Case::Nominative);
        let als = self.words.add("als", "als", ("ADP", "KOKOM"), "_");
        self.words.link(als, adjective.id, Part::Than);
        self.words.attach(als, object.head, "case");
        object.prepend([als]);
        self.words.attach(object.head, head, "obl");
        built.append(object);
        built
    }

    fn name(&mut self, id: Id, name: &'static Name, case: Case) -> Phrase {
        if name.kind == NameKind::Family {
            return self.titled(id, name, case);
        }
        let form = if case == Case::Genitive {
            noun::name_genitive(name.german)
        } else {
            name.german.into()
        };
        let feats = Slot { gender: name.gender, number: Number::Singular, case }.feats();
        let node = self.words.add(form, name.german, ("PROPN", "NE"), feats);
        Phrase::of(self.words.link(node, id, Part::Head))
    }

    /// *Frau Keller*, *Herrn Neumann*.
    fn titled(&mut self, id: Id, name: &'static Name, case: Case) -> Phrase {
        let slot = Slot { gender: name.gender, number: Number::Singular, case };
        let (form, lemma) = match (name.gender, case) {
            (Gender::Masculine, Case::Nominative) => ("Herr", "Herr"),
            (Gender::Masculine, _) => ("Herrn", "Herr"),
            _ => ("Frau", "Frau"),
        };
        let title = self.words.add(form, lemma, ("NOUN", "NN"), slot.feats());
        self.words.link(title, id, Part::Degree);
        let family = self.words.add(name.german, name.german, ("PROPN", "NE"), slot.feats());
        self.words.link(family, id, Part::Head);
        self.words.attach(family, title, "flat");
        let mut built = Phrase::of(title);
        built.order.push(family);
        built
    }

    fn pronoun(&mut self, id: Id, referent: &Referent, case: Case) -> Phrase {
        let form = personal(referent, case);
        let person = if referent.formal { "2" } else { referent.person.feature() };
        let third = person == "3" && referent.number == Number::Singular;
        let gender =
            if third { format!("|Gender={}", referent.gender.feature()) } else { String::new() };
        let polite = if referent.formal { "|Polite=Form" } else { "" };
        let number = referent.number.feature();
        let feats = format!(
            "Case={}{gender}|Number={number}|Person={person}{polite}|PronType=Prs",
            case.feature()
        );
        let node =
            self.words.add(form, personal(referent, Case::Nominative), ("PRON", "PPER"), feats);
        Phrase::of(self.words.link(node, id, Part::Head))
    }

    fn asked(&mut self, id: Id, asked: Asked, case: Case) -> Phrase {
        let form = match (asked, case) {
            (Asked::What, _) => "was",
            (_, Case::Nominative) => "wer",
            (_, Case::Accusative) => "wen",
            (_, Case::Dative) => "wem",
            (_, Case::Genitive) => "wessen",
        };
        let lemma = if asked == Asked::Who { "wer" } else { "was" };
        let feats = format!("Case={}|Number=Sing|PronType=Int", case.feature());
        let node = self.words.add(form, lemma, ("PRON", "PWS"), feats);
        Phrase::of(self.words.link(node, id, Part::Head))
    }

    fn gap(&mut self, id: Id, gap: &Gap, case: Case) -> Phrase {
        let slot = Slot { gender: gap.host.gender, number: gap.host.number, case };
        let feats = format!("{}|PronType=Rel", slot.feats());
        let node = self.words.add(relative(slot), "der", ("PRON", "PRELS"), feats);
        Phrase::of(self.words.link(node, id, Part::Head))
    }

    fn join(&mut self, id: Id, members: &[Nominal], case: Case) -> Phrase {
        let mut built: Option<Phrase> = None;
        for (number, member) in members.iter().enumerate() {
            let mut phrase = self.nominal(member, case);
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
        built.unwrap_or_else(|| self.nominal(&Nominal::Expletive(id), case))
    }

    pub(super) fn prepositional(&mut self, phrase: &PrepositionPhrase) -> Phrase {
        self.prepositional_words(phrase.id, phrase.german, phrase.case, &phrase.object)
    }

    pub(super) fn prepositional_words(
        &mut self,
        id: Id,
        preposition: &'static str,
        case: Case,
        object: &Nominal,
    ) -> Phrase {
        if let Some(built) = self.contracted(id, preposition, case, object) {
            return built;
        }
        let mut built = self.nominal(object, case);
        let node = self.words.add(preposition, preposition, ("ADP", "APPR"), "_");
        self.words.link(node, id, Part::Preposition);
        self.words.attach(node, built.head, "case");
        built.prepend([node]);
        built
    }

    /// *im Garten*; but *in dem Garten, den …*, where the article points at the clause.
    fn contracted(
        &mut self,
        id: Id,
        preposition: &'static str,
        case: Case,
        object: &Nominal,
    ) -> Option<Phrase> {
        let Nominal::Noun(phrase) = object else { return None };
        if !matches!(phrase.determiner, Determiner::Definite) || phrase.relative.is_some() {
            return None;
        }
        let slot = Slot { gender: phrase.noun.gender, number: phrase.number, case };
        let form = contraction(preposition, slot)?;
        let mut built = self.noun_phrase(phrase, case, false);
        let node = self.merged(form, preposition, slot, built.head);
        self.words.link(node, id, Part::Preposition);
        self.words.link(node, phrase.id, Part::Determiner);
        built.prepend([node]);
        Some(built)
    }

    /// The token of a preposition that holds its article.
    pub(super) fn merged(
        &mut self,
        form: &'static str,
        preposition: &'static str,
        slot: Slot,
        noun: Node,
    ) -> Node {
        let (case, gender) = (slot.case.feature(), slot.gender.feature());
        let feats = format!("Case={case}|Definite=Def|Gender={gender}|Number=Sing|PronType=Art");
        let node = self.words.add(form, preposition, ("ADP", "APPRART"), feats);
        self.words.attach(node, noun, "case")
    }
}
