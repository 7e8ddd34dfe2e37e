//! What stands before adjective and noun.

use super::English;
use super::pronoun::possessive;
use crate::features::{Number, Referent};
use crate::meaning::{Determiner, EnglishNo, Id, NounPhrase, Numeral, Part};
use crate::words::Node;

impl English {
    /// The determiner's words in order, attached to the noun.
    pub(super) fn determiner(&mut self, phrase: &NounPhrase, noun: Node) -> Vec<Node> {
        let countable = phrase.noun.plural.is_some();
        let single = phrase.number == Number::Singular && countable;
        let word = match phrase.determiner {
            Determiner::Definite => "the",
            Determiner::Indefinite if single => "a",
            Determiner::Indefinite | Determiner::Bare => return Vec::new(),
            Determiner::Possessive(owner) => return vec![self.owner_word(phrase.id, owner, noun)],
            Determiner::This if phrase.number == Number::Plural => "these",
            Determiner::This => "this",
            Determiner::No(_, EnglishNo::NotA) if single => "a",
            Determiner::No(_, EnglishNo::NotA) => "any",
            Determiner::No(clause, EnglishNo::No) => return vec![self.no(phrase.id, clause, noun)],
            Determiner::Every => "every",
            Determiner::Many if countable => "many",
            Determiner::Many => "much",
            Determiner::Some => "some",
            Determiner::All => return self.all(phrase.id, noun),
            Determiner::Which => "which",
            Determiner::HowMany => return self.how_many(phrase.id, noun),
            Determiner::Numeral(numeral) => return vec![self.numeral(numeral, phrase.id, noun)],
            Determiner::Owner(id, name) => return self.named_owner(id, name.english, noun),
            Determiner::Whose(id, _) => return vec![self.whose(id, noun)],
        };
        vec![self.plain_determiner(word, phrase.id, noun)]
    }

    pub(super) fn plain_determiner(&mut self, word: &'static str, id: Id, noun: Node) -> Node {
        let (tag, lemma, feats) = match word {
            "the" => (("DET", "DT"), "the", "Definite=Def|PronType=Art"),
            "a" => (("DET", "DT"), "a", "Definite=Ind|PronType=Art"),
            "this" => (("DET", "DT"), "this", "Number=Sing|PronType=Dem"),
            "these" => (("DET", "DT"), "this", "Number=Plur|PronType=Dem"),
            "which" => (("DET", "WDT"), "which", "PronType=Int"),
            "many" | "much" => (("ADJ", "JJ"), word, "Degree=Pos"),
            "every" => (("DET", "DT"), word, "PronType=Tot"),
            _ => (("DET", "DT"), word, "PronType=Ind"),
        };
        let node = self.words.add(word, lemma, tag, feats);
        self.words.link(node, id, Part::Determiner);
        let label = if tag.0 == "ADJ" { "amod" } else { "det" };
        self.words.attach(node, noun, label)
    }

    /// *all the children*.
    fn all(&mut self, id: Id, noun: Node) -> Vec<Node> {
        let all = self.words.add("all", "all", ("DET", "PDT"), "PronType=Tot");
        self.words.link(all, id, Part::Determiner);
        self.words.attach(all, noun, "det:predet");
        vec![all, self.plain_determiner("the", id, noun)]
    }

    fn owner_word(&mut self, id: Id, owner: Referent, noun: Node) -> Node {
        let person = owner.english_person().feature();
        let feats = format!(
            "Case=Gen|Number={}|Person={person}|Poss=Yes|PronType=Prs",
            owner.number.feature()
        );
        let form = possessive(&owner);
        let node = self.words.add(form, form, ("PRON", "PRP$"), feats);
        self.words.link(node, id, Part::Determiner);
        self.words.attach(node, noun, "nmod:poss")
    }

    fn no(&mut self, id: Id, clause: Id, noun: Node) -> Node {
        let node = self.words.add("no", "no", ("DET", "DT"), "PronType=Neg");
        self.words.link(node, clause, Part::Negation);
        self.words.link(node, id, Part::Determiner);
        self.words.attach(node, noun, "det")
    }

    fn how_many(&mut self, id: Id, noun: Node) -> Vec<Node> {
        let many = self.plain_determiner("many", id, noun);
        let how = self.words.add("how", "how", ("ADV", "WRB"), "PronType=Int");
        self.words.link(how, id, Part::Degree);
        vec![self.words.attach(how, many, "advmod"), many]
    }

    pub(super) fn numeral(&mut self, numeral: Numeral, id: Id, noun: Node) -> Node {
        let form = numeral.english();
        let node = self.words.add(form.clone(), form, ("NUM", "CD"), "NumType=Card");
        self.words.link(node, id, Part::Numeral);
        self.words.attach(node, noun, "nummod")
    }

    fn named_owner(&mut self, id: Id, name: &'static str, noun: Node) -> Vec<Node> {
        let node = self.words.add(name, name, ("PROPN", "NNP"), "Number=Sing");
        self.words.link(node, id, Part::Head);
        self.words.attach(node, noun, "nmod:poss");
        vec![node, self.apostrophe(id, "'s", node)]
    }

    /// *'s*, or only the apostrophe.
    pub(super) fn apostrophe(&mut self, id: Id, form: &'static str, owner: Node) -> Node {
        let node = self.words.add(form, form, ("PART", "POS"), "_");
        self.words.glue(node);
        self.words.link(node, id, Part::Genitive);
        self.words.attach(node, owner, "case")
    }

    fn whose(&mut self, id: Id, noun: Node) -> Node {
        let node = self.words.add("whose", "whose", ("PRON", "WP$"), "Poss=Yes|PronType=Rel");
        self.words.link(node, id, Part::Head);
        self.words.attach(node, noun, "nmod:poss")
    }
}
