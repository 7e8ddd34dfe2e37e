//! The English side: forms of words, then their order and their tree.

mod clause;
mod complement;
mod determiner;
mod phrase;
mod pronoun;
mod time;
mod verb;
mod verbs;

pub use verb::{ALLOW, EnglishVerb, HAVE, LIKE, WANT};

use super::meaning::{Id, Joint, Mood, Part, Utterance};
use super::words::{Node, Tag, Token, Words};
use clause::Shape;

const COMMA: Tag = ("PUNCT", ",");

/// An English sentence being built.
#[derive(Debug, Default)]
pub struct English {
    words: Words,
}

impl English {
    pub fn sentence(utterance: &Utterance) -> Vec<Token> {
        let mut english = English::default();
        let (shape, mark) = match utterance.mood {
            Mood::Statement => (Shape::Statement, "."),
            Mood::Question => (Shape::Question, "?"),
        };
        let mut phrase = english.joined_clauses(&utterance.clause, shape);
        let stop = english.words.add(mark, mark, ("PUNCT", "."), "_");
        english.words.glue(stop);
        english.words.attach(stop, phrase.head, "punct");
        english.words.link(stop, utterance.id, Part::Stop);
        phrase.order.push(stop);
        let mut tokens = english.words.finish(&phrase.order);
        choose_articles(&mut tokens);
        tokens
    }

    fn conjunction(&mut self, joint: Joint, id: Id, head: Node) -> Node {
        let word = match joint {
            Joint::And => "and",
            Joint::But => "but",
        };
        let node = self.words.add(word, word, ("CCONJ", "CC"), "_");
        self.words.link(node, id, Part::Conjunction);
        self.words.attach(node, head, "cc")
    }

    fn comma(&mut self, head: Node, id: Id, part: Part) -> Node {
        self.words.comma(head, COMMA, id, part)
    }
}

/// *a* before a vowel that is heard is *an*.
fn choose_articles(tokens: &mut [Token]) {
    for place in 1..tokens.len() {
        if starts_with_vowel(&tokens[place].form) {
            match &*tokens[place - 1].form {
                "a" => tokens[place - 1].form = "an".into(),
                "A" => tokens[place - 1].form = "An".into(),
                _ => {}
            }
        }
    }
}

fn starts_with_vowel(word: &str) -> bool {
    let consonant = ["uni", "use", "eu", "one"].iter().any(|start| word.starts_with(start));
    word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) && !consonant
        || word.starts_with("hour")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_listen_to_the_next_word() {
        for word in ["apple", "old", "hour", "English"] {
            assert!(starts_with_vowel(word), "{word}");
        }
        for word in ["useful", "university", "one", "horse", "8"] {
            assert!(!starts_with_vowel(word), "{word}");
        }
    }
}
