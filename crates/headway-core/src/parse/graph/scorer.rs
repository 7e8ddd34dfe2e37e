//! Scores of single arcs for a decoder, each in constant time (footnote 4 of Galley & Manning).
//!
//! Words with their tags become items. What an item adds as head or as modifier is summed once,
//! what two items add is kept when first asked for; only features with tags around and between
//! are looked up each time. A decoder makes one scorer for a sentence and its target words.

use rustc_hash::FxHashMap;

use super::features::{Input, Line, ROOT, head_keys, modifier_keys, pair_keys, slots};
use super::model::GraphModel;

/// A word with its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemId(pub u32);

struct Item {
    word: u32,
    tag: u32,
    as_head: Line,
    as_modifier: Line,
}

/// What was computed so far.
pub struct Scorer<'m> {
    model: &'m GraphModel,
    items: Vec<Item>,
    ids: FxHashMap<(u32, u32), ItemId>,
    pairs: FxHashMap<(ItemId, ItemId), Line>,
    seen: Vec<u32>,
}

impl<'m> Scorer<'m> {
    pub fn new(model: &'m GraphModel) -> Self {
        let mut scorer = Scorer {
            model,
            items: Vec::new(),
            ids: FxHashMap::default(),
            pairs: FxHashMap::default(),
            seen: Vec::new(),
        };
        scorer.add(ROOT, ROOT);
        scorer
    }

    /// The item of the root.
    pub const ROOT: ItemId = ItemId(0);

    /// The item of a word with its tag, prepared now if it is new.
    pub fn item(&mut self, form: &str, tag: &str) -> ItemId {
        let (word, tag) = (self.model.word(form), self.model.tag(tag));
        self.add(word, tag)
    }

    fn add(&mut self, word: u32, tag: u32) -> ItemId {
        let Scorer { model, items, ids, .. } = self;
        *ids.entry((word, tag)).or_insert_with(|| {
            let as_head = model.sum_lines(&head_keys(word, tag));
            let as_modifier = model.sum_lines(&modifier_keys(word, tag));
            items.push(Item { word, tag, as_head, as_modifier });
            ItemId(items.len() as u32 - 1)
        })
    }

    /// Appends an item to the words of a hypothesis, which starts with the root alone.
    pub fn push(&self, words: &mut Input, item: ItemId) {
        let item = &self.items[item.0 as usize];
        words.words.push(item.word);
        words.tags.push(item.tag);
    }

    /// A hypothesis without words.
    pub fn start() -> Input {
        Input { words: vec![ROOT], tags: vec![ROOT] }
    }

    /// The score of the arc from place `head` to place `modifier` of a hypothesis. Tags up to
    /// one place behind both must be there, unless the sentence ends before.
    pub fn score(&mut self, words: &Input, head: usize, modifier: usize) -> f64 {
        let at = |place: usize| (words.words[place], words.tags[place]);
        let (h, m) = (self.known(at(head)), self.known(at(modifier)));
        let (side, distance) = slots(head, modifier);
        let (one, other) =
            (&self.items[h.0 as usize].as_head, &self.items[m.0 as usize].as_modifier);
        let own = one[side] + one[distance] + other[side] + other[distance];
        let pair = self.pair(h, m);
        let pair = pair[side] + pair[distance];
        let mut seen = std::mem::take(&mut self.seen);
        let context = self.model.context_score(words, head, modifier, (side, distance), &mut seen);
        self.seen = seen;
        f64::from(own + pair + context)
    }

    fn known(&mut self, (word, tag): (u32, u32)) -> ItemId {
        self.add(word, tag)
    }

    fn pair(&mut self, head: ItemId, modifier: ItemId) -> Line {
        let Scorer { model, items, pairs, .. } = self;
        *pairs.entry((head, modifier)).or_insert_with(|| {
            let (h, m) = (&items[head.0 as usize], &items[modifier.0 as usize]);
            model.sum_lines(&pair_keys((h.word, h.tag), (m.word, m.tag)))
        })
    }
}
