//! A sentence while it is built: words with heads, and their order apart from them.

use std::borrow::Cow;

use super::meaning::{Id, Link, Part};

pub type Node = usize;
pub type Text = Cow<'static, str>;

/// Universal and language-specific part of speech.
pub type Tag = (&'static str, &'static str);

#[derive(Debug, Clone)]
pub struct Token {
    pub form: Text,
    pub lemma: Text,
    pub tag: Tag,
    pub feats: Text,
    pub head: Option<Node>,
    pub label: &'static str,
    pub links: Vec<Link>,
    /// Written without a space before it.
    pub glued: bool,
}

#[derive(Debug, Default)]
pub struct Words {
    tokens: Vec<Token>,
}

/// Words in order under one head; `later` are clauses that belong to it but stand behind the
/// verb (German extraposition).
#[derive(Debug, Clone)]
pub struct Phrase {
    pub head: Node,
    pub order: Vec<Node>,
    pub later: Vec<Vec<Node>>,
}

impl Phrase {
    pub fn of(head: Node) -> Self {
        Phrase { head, order: vec![head], later: Vec::new() }
    }

    /// Takes over the words of `other`, at the end.
    pub fn append(&mut self, other: Phrase) {
        self.order.extend(other.order);
        self.later.extend(other.later);
    }

    pub fn prepend(&mut self, nodes: impl IntoIterator<Item = Node>) {
        self.order.splice(0..0, nodes);
    }
}

impl Words {
    pub fn add(
        &mut self,
        form: impl Into<Text>,
        lemma: impl Into<Text>,
        tag: Tag,
        feats: impl Into<Text>,
    ) -> Node {
        self.tokens.push(Token {
            form: form.into(),
            lemma: lemma.into(),
            tag,
            feats: feats.into(),
            head: None,
            label: "root",
            links: Vec::new(),
            glued: false,
        });
        self.tokens.len() - 1
    }

    pub fn link(&mut self, node: Node, id: Id, part: Part) -> Node {
        self.tokens[node].links.push((id, part));
        node
    }

    pub fn attach(&mut self, node: Node, head: Node, label: &'static str) -> Node {
        self.tokens[node].head = Some(head);
        self.tokens[node].label = label;
        node
    }

    pub fn relabel(&mut self, node: Node, label: &'static str) {
        self.tokens[node].label = label;
    }

    pub fn glue(&mut self, node: Node) -> Node {
        self.tokens[node].glued = true;
        node
    }

    pub fn respell(&mut self, node: Node, form: &'static str) {
        self.tokens[node].form = form.into();
    }

    /// A comma that sets off the clause of `head`.
    pub fn comma(&mut self, head: Node, tag: Tag, id: Id, part: Part) -> Node {
        let node = self.add(",", ",", tag, "_");
        self.glue(node);
        self.attach(node, head, "punct");
        self.link(node, id, part)
    }

    pub fn token(&self, node: Node) -> &Token {
        &self.tokens[node]
    }

    /// The tokens in order, heads counted from 1; of commas side by side or before the full
    /// stop only the last mark stays.
    pub fn finish(self, order: &[Node]) -> Vec<Token> {
        let kept = self.without_spare_commas(order);
        let mut places = vec![0; self.tokens.len()];
        for (place, &node) in kept.iter().enumerate() {
            places[node] = place + 1;
        }
        let mut tokens = self.tokens;
        let numbered = kept.iter().map(|&node| {
            let token = &mut tokens[node];
            let head = token.head.map(|head| places[head]);
            Token { head, ..std::mem::replace(token, Token::blank()) }
        });
        let mut tokens: Vec<Token> = numbered.collect();
        if let Some(first) = tokens.first_mut() {
            first.form = capitalised(&first.form).into();
        }
        tokens
    }

    fn without_spare_commas(&self, order: &[Node]) -> Vec<Node> {
        let mark = |node: Node| matches!(&*self.tokens[node].form, "," | "." | "?" | "!");
        let mut kept: Vec<Node> = Vec::with_capacity(order.len());
        for &node in order {
            while mark(node) && kept.last().is_some_and(|&last| self.tokens[last].form == ",") {
                kept.pop();
            }
            kept.push(node);
        }
        kept
    }
}

impl Token {
    fn blank() -> Self {
        Token {
            form: Text::Borrowed(""),
            lemma: Text::Borrowed(""),
            tag: ("", ""),
            feats: Text::Borrowed(""),
            head: None,
            label: "",
            links: Vec::new(),
            glued: false,
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
