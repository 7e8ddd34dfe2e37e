//! Scores of single arcs for a decoder, each in constant time (footnote 4 of Galley & Manning).
//!
//! A decoder makes one scorer for a sentence it translates and tells it every target word that
//! may occur, with its tag: an item. What an item adds as head or as modifier is summed then;
//! what two items add together is summed when first asked for, and kept; only features of tags
//! around and between are looked up each time.
//!
//! A hypothesis is an `Input`: `Input::start()`, then an item's token pushed for each word. Arcs
//! can be scored as soon as the tag behind both ends is known, or the sentence is over.

use rustc_hash::FxHashMap;

use super::features::{Slot, head_keys, modifier_keys, pair_keys};
use super::input::{Input, Token};
use super::model::{GraphModel, sum_lines};
use super::weights::{ArcWeights, Line};

/// A word with its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemId(pub u32);

struct Item {
    token: Token,
    as_head: Line,
    as_modifier: Line,
}

/// What was computed so far.
pub struct Scorer<'m> {
    model: &'m GraphModel,
    items: Vec<Item>,
    ids: FxHashMap<Token, ItemId>,
    pairs: FxHashMap<(ItemId, ItemId), Line>,
    seen: Vec<u32>,
    keys: Vec<u64>,
}

impl<'m> Scorer<'m> {
    /// The item of the root.
    pub const ROOT: ItemId = ItemId(0);

    pub fn new(model: &'m GraphModel) -> Self {
        let mut scorer = Scorer {
            model,
            items: Vec::new(),
            ids: FxHashMap::default(),
            pairs: FxHashMap::default(),
            seen: Vec::new(),
            keys: Vec::new(),
        };
        scorer.add(Token::default());
        scorer
    }

    /// The item of a word with its tag, prepared now if it is new.
    pub fn item(&mut self, form: &str, tag: &str) -> ItemId {
        self.add(self.model.numbering.token(form, tag))
    }

    fn add(&mut self, token: Token) -> ItemId {
        let Scorer { model, items, ids, .. } = self;
        *ids.entry(token).or_insert_with(|| {
            let as_head = sum_lines(&model.weights, &head_keys(token.word, token.tag));
            let as_modifier = sum_lines(&model.weights, &modifier_keys(token.word, token.tag));
            items.push(Item { token, as_head, as_modifier });
            ItemId(items.len() as u32 - 1)
        })
    }

    /// What to push to a hypothesis for an item.
    pub fn token(&self, item: ItemId) -> Token {
        self.items[item.0 as usize].token
    }

    /// The score of the arc from place `head` to place `modifier` of a hypothesis, whose items
    /// there are given. Nothing farther than one place behind either end is looked at.
    pub fn score(
        &mut self,
        words: &Input,
        (head, head_item): (usize, ItemId),
        (modifier, modifier_item): (usize, ItemId),
    ) -> f64 {
        let slot = Slot::of(head, modifier);
        let own = self.items[head_item.0 as usize].as_head[slot.distance]
            + self.items[modifier_item.0 as usize].as_modifier[slot.distance];
        let pair = self.pair(head_item, modifier_item)[slot.distance];
        let Scorer { model, seen, keys, .. } = self;
        keys.clear();
        model.features.context_keys(words, head, modifier, seen, keys);
        keys.extend(model.features.own_keys(words, head).iter().flat_map(|keys| keys.0));
        keys.extend(model.features.own_keys(words, modifier).iter().flat_map(|keys| keys.1));
        let context = model.weights.sum(keys, slot);
        f64::from(own + pair + context)
    }

    fn pair(&mut self, head: ItemId, modifier: ItemId) -> &Line {
        let Scorer { model, items, pairs, .. } = self;
        pairs.entry((head, modifier)).or_insert_with(|| {
            let (h, m) = (items[head.0 as usize].token, items[modifier.0 as usize].token);
            sum_lines(&model.weights, &pair_keys((h.word, h.tag), (m.word, m.tag)))
        })
    }
}
