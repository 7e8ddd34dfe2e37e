//! Dependency trees out of constituent trees: a rule picks the head among the parts of each
//! phrase, and the heads of the other parts hang from it.

mod chain;
mod find;
mod movement;
mod phrases;
mod table;

use phrases::Phrases;
use table::Table;

use super::tree::ConstituentTree;
use crate::Result;
use crate::tree::DependencyTree;

/// Which head rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadRules {
    /// Magerman's (1995) table as Collins (1999) published it, with his rules for noun phrases
    /// and for coordination.
    Collins,
    /// The choices of Johansson & Nugues (2007): coordination as a chain, moved phrases where
    /// they come from, no small clauses.
    Lth,
    /// Yamada & Matsumoto (2003): the table alone.
    Yamada,
}

impl HeadRules {
    pub const NAMES: [(&str, HeadRules); 3] =
        [("collins", HeadRules::Collins), ("lth", HeadRules::Lth), ("yamada", HeadRules::Yamada)];

    pub fn named(name: &str) -> Option<Self> {
        HeadRules::NAMES.iter().find(|(other, _)| *other == name).map(|(_, rules)| *rules)
    }
}

impl ConstituentTree {
    /// The words without traces, escapes undone, with their heads. A tree without words gives
    /// an empty one.
    pub fn dependencies(&self, rules: HeadRules) -> Result<DependencyTree> {
        let mut phrases = Phrases::new(self);
        if rules == HeadRules::Lth {
            movement::undo(&mut phrases);
            movement::lift_small_clauses(&mut phrases);
        }
        let heads = attach(&mut phrases, rules);
        let (forms, tags) = phrases.forms_and_tags();
        let labels = vec!["_".to_string(); forms.len()];
        DependencyTree::new(forms, heads, tags, labels)
    }
}

/// The head of each word.
fn attach(phrases: &mut Phrases, rules: HeadRules) -> Vec<u32> {
    let (table, mut heads) = (Table::of(rules), vec![0; phrases.words()]);
    for node in phrases.bottom_up() {
        let parts = phrases.parts(node);
        let word = match &parts[..] {
            [] => continue,
            [only] => only.word,
            _ if rules == HeadRules::Lth && chain::is_coordination(&parts) => {
                chain::attach(table, phrases.category(node), &parts, &mut heads)
            }
            _ => {
                let mut head = find::head(table, phrases.category(node), &parts);
                if rules == HeadRules::Collins {
                    head = find::before_conjunction(&parts, head);
                }
                find::attach_to(parts[head].word, &parts, &mut heads);
                parts[head].word
            }
        };
        phrases.set_word(node, word);
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn heads(rules: HeadRules, text: &str) -> Vec<u32> {
        let tree = ConstituentTree::parse(text).unwrap().dependencies(rules).unwrap();
        assert!(tree.is_empty() || tree.topology().is_tree(), "{text}");
        tree.heads().to_vec()
    }

    #[test]
    fn noun_phrases_and_coordination_differ_between_tables() {
        use HeadRules::{Collins, Lth, Yamada};
        let apposition = "(NP (NP (NNP Elsevier)) (, ,) (NP (DT the) (NN group)))";
        assert_eq!(heads(Collins, apposition), [0, 1, 4, 1]);
        assert_eq!(heads(Yamada, apposition), [4, 4, 4, 0]);
        let pair = "(NP (NNS cats) (CC and) (NNS dogs))";
        assert_eq!(heads(Collins, pair), [0, 1, 1]);
        assert_eq!(heads(Lth, pair), [0, 1, 2]);
        assert_eq!(heads(Yamada, pair), [3, 3, 0]);
        let quoted = "(NP (NNS cats) (CC and) (`` ``) (NNS dogs) ('' ''))";
        assert_eq!(heads(Collins, quoted), [0, 1, 1, 1, 1]);
        assert_eq!(heads(Collins, "(NP (CC and) (`` ``) (NNS dogs))"), [3, 3, 0]);
    }

    #[test]
    fn infinitives_have_their_particle_or_their_verb_as_head() {
        let text = "(S (VP (VBZ wants) (S (NP (-NONE- *)) (VP (TO to) (VP (VB go))))))";
        assert_eq!(heads(HeadRules::Collins, text), [0, 1, 2]);
        assert_eq!(heads(HeadRules::Lth, text), [0, 1, 2]);
        assert_eq!(heads(HeadRules::Yamada, text), [0, 3, 1]);
    }

    #[test]
    fn traces_are_no_words() {
        let text = "( (S (NP (-NONE- *T*-1)) (VP (VBD b) (NP (-NONE- *)) (-LRB- -LRB-))))";
        let tree = ConstituentTree::parse(text).unwrap().dependencies(HeadRules::Collins).unwrap();
        assert_eq!(
            (tree.forms().join(" "), tree.tags().join(" ")),
            ("b (".into(), "VBD -LRB-".into())
        );
        assert_eq!(&tree.heads()[..], [0, 1]);
        for empty in ["()", "(())", "( (S (-NONE- *)))"] {
            assert_eq!(heads(HeadRules::Lth, empty), [0; 0]);
        }
    }

    #[test]
    fn a_hundred_thousand_brackets_do_not_exhaust_the_stack() {
        let text = format!("{}(N a){}", "(S (D the) ".repeat(50_000), ")".repeat(50_000));
        for (_, rules) in HeadRules::NAMES {
            assert_eq!(heads(rules, &text).len(), 50_001);
        }
    }
}
