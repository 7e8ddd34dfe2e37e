//! What stands before adjective and noun.

use super::adjective::Declension;
use super::article::{definite, der_word, ein_word, relative};
use super::noun::name_genitive;
use super::pronoun::possessive;
use super::{German, Slot};
use crate::features::{Case, Number, Referent};
use crate::meaning::{Determiner, Id, NounPhrase, Numeral, Part};
use crate::words::{Node, Tag};

/// How an adjective after this determiner is declined.
pub fn declension(phrase: &NounPhrase) -> Declension {
    use Determiner::{All, Definite, Every, Indefinite, No, Possessive, This, Which};
    match phrase.determiner {
        Definite | This | Every | All | Which => Declension::Weak,
        Possessive(_) | No(..) => Declension::Mixed,
        Indefinite if has_article(phrase) => Declension::Mixed,
        _ => Declension::Strong,
    }
}

/// *ein* has no plural, and mass nouns do without.
fn has_article(phrase: &NounPhrase) -> bool {
    phrase.number == Number::Singular && phrase.noun.plural.is_some()
}

impl German {
    /// The determiner's words in order, attached to the noun.
    pub(super) fn determiner(&mut self, phrase: &NounPhrase, slot: Slot, noun: Node) -> Vec<Node> {
        let attribute = ("DET", "PIAT");
        match phrase.determiner {
            Determiner::Definite => {
                let node = self.article(definite(slot), "der", "Def", slot, noun);
                vec![self.words.link(node, phrase.id, Part::Determiner)]
            }
            Determiner::Indefinite if has_article(phrase) => {
                let form = ein_word("ein", slot);
                let node = self.article(&form, "ein", "Ind", slot, noun);
                vec![self.words.link(node, phrase.id, Part::Determiner)]
            }
            Determiner::Indefinite | Determiner::Bare => Vec::new(),
            Determiner::Possessive(owner) => vec![self.owner_word(phrase, owner, slot, noun)],
            Determiner::This => {
                vec![self.der_word("dies", ("DET", "PDAT"), "Dem", phrase, slot, noun)]
            }
            Determiner::No(clause, _) => vec![self.kein(clause, phrase.id, slot, noun)],
            Determiner::Every => vec![self.der_word("jed", attribute, "Tot", phrase, slot, noun)],
            Determiner::Many => vec![self.der_word("viel", attribute, "Ind", phrase, slot, noun)],
            Determiner::Some => vec![self.der_word("einig", attribute, "Ind", phrase, slot, noun)],
            Determiner::All => vec![self.der_word("all", attribute, "Tot", phrase, slot, noun)],
            Determiner::Which => {
                vec![self.der_word("welch", ("DET", "PWAT"), "Int", phrase, slot, noun)]
            }
            Determiner::HowMany => self.how_many(phrase, slot, noun),
            Determiner::Numeral(numeral) => vec![self.numeral(numeral, phrase.id, noun)],
            Determiner::Owner(id, name) => {
                let node = self.words.add(
                    name_genitive(name.german),
                    name.german,
                    ("PROPN", "NE"),
                    "Case=Gen|Number=Sing",
                );
                self.words.link(node, id, Part::Head);
                self.words.link(node, id, Part::Genitive);
                vec![self.words.attach(node, noun, "nmod:poss")]
            }
            Determiner::Whose(id, host) => vec![self.whose(id, host, noun)],
        }
    }

    fn article(
        &mut self,
        form: &str,
        lemma: &'static str,
        kind: &str,
        slot: Slot,
        noun: Node,
    ) -> Node {
        let (case, gender) = (slot.case.feature(), slot.gender.feature());
        let number = slot.number.feature();
        let feats =
            format!("Case={case}|Definite={kind}|Gender={gender}|Number={number}|PronType=Art");
        let node = self.words.add(form.to_owned(), lemma, ("DET", "ART"), feats);
        self.words.attach(node, noun, "det")
    }

    fn der_word(
        &mut self,
        stem: &'static str,
        tag: Tag,
        kind: &str,
        phrase: &NounPhrase,
        slot: Slot,
        noun: Node,
    ) -> Node {
        let lemma = match stem {
            "viel" => "viel".into(),
            "einig" => "einige".into(),
            "all" => "alle".into(),
            _ => format!("{stem}er"),
        };
        let feats = format!("{}|PronType={kind}", slot.feats());
        let node = self.words.add(der_word(stem, slot), lemma, tag, feats);
        self.words.link(node, phrase.id, Part::Determiner);
        self.words.attach(node, noun, "det")
    }

    fn owner_word(&mut self, phrase: &NounPhrase, owner: Referent, slot: Slot, noun: Node) -> Node {
        let stem = possessive(&owner);
        let (case, gender) = (slot.case.feature(), slot.gender.feature());
        let feats = format!(
            "Case={case}|Gender={gender}|Number={}|Person={}|Poss=Yes|PronType=Prs",
            slot.number.feature(),
            if owner.formal { "2" } else { owner.person.feature() },
        );
        let node = self.words.add(ein_word(stem, slot), stem, ("DET", "PPOSAT"), feats);
        self.words.link(node, phrase.id, Part::Determiner);
        self.words.attach(node, noun, "det:poss")
    }

    fn kein(&mut self, clause: Id, id: Id, slot: Slot, noun: Node) -> Node {
        let feats = format!("{}|PronType=Neg", slot.feats());
        let node = self.words.add(ein_word("kein", slot), "kein", ("DET", "PIAT"), feats);
        self.words.link(node, clause, Part::Negation);
        self.words.link(node, id, Part::Determiner);
        self.words.attach(node, noun, "det")
    }

    fn how_many(&mut self, phrase: &NounPhrase, slot: Slot, noun: Node) -> Vec<Node> {
        let many = self.der_word("viel", ("DET", "PIAT"), "Int", phrase, slot, noun);
        let how = self.words.add("wie", "wie", ("ADV", "PWAV"), "PronType=Int");
        self.words.link(how, phrase.id, Part::Degree);
        vec![self.words.attach(how, many, "advmod"), many]
    }

    pub(super) fn numeral(&mut self, numeral: Numeral, id: Id, noun: Node) -> Node {
        let form = numeral.german();
        let node = self.words.add(form.clone(), form, ("NUM", "CARD"), "NumType=Card");
        self.words.link(node, id, Part::Numeral);
        self.words.attach(node, noun, "nummod")
    }

    fn whose(&mut self, id: Id, host: Referent, noun: Node) -> Node {
        let slot = Slot { gender: host.gender, number: host.number, case: Case::Genitive };
        let feats = format!("{}|Poss=Yes|PronType=Rel", slot.feats());
        let node = self.words.add(relative(slot), "der", ("PRON", "PRELAT"), feats);
        self.words.link(node, id, Part::Head);
        self.words.attach(node, noun, "nmod:poss")
    }
}
