//! Scores of single arcs for a decoder, each in constant time (footnote 4 of Galley & Manning).
//!
//! A decoder tells a scorer every target word that may occur, with its tag: an item. What an item
//! adds as head or as modifier is summed then; what two items add together is summed when first
//! asked for, and kept. Where all other features are of tags within a window, as with the paper's
//! templates, `near` and `far` know what tags add; with too many tags for `near`, and for single
//! arcs, it is kept by all tags that matter; else it is looked up each time.
//!
//! A hypothesis is `Words`: `Words::start()`, then a place pushed for each word. Arcs can be
//! scored as soon as the tag behind both ends is known, or the sentence is over. What is kept
//! never changes a score, so a scorer may serve one sentence after the other.

use rustc_hash::FxHashMap;

use super::beside::Beside;
use super::between::Between;
use super::far::{Far, RightEnd, Words};
use super::features::{
    FeatureSet, Part, SLOTS, Slot, Templates, head_keys, modifier_keys, pair_keys, part_keys,
};
use super::input::{Input, Token};
use super::model::{GraphModel, sum_lines};
use super::near::Near;
use super::recent::Recent;
use super::weights::{ArcWeights, Line};
use crate::large;

/// A word with its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

struct Item {
    token: Token,
    as_head: Line,
    as_modifier: Line,
}

/// What two items add to the arcs between them: those to the left and those to the right, by
/// distance. One line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Pair {
    items: u64,
    scores: Line,
}

/// What some tags add to the two arcs between their places: rightwards, leftwards.
#[derive(Clone, Copy, Default)]
struct Context {
    tags: u64,
    scores: [f32; 2],
}

const PAIR_BITS: u32 = 17;
const OWN_BITS: u32 = 16;
const BIN_BITS: u32 = 3;
const CONTEXT_BITS: u32 = 19;
const NO_PAIR: u64 = u64::MAX;

/// More items than this are not kept from sentence to sentence.
const MOST_ITEMS: usize = 100_000;
/// Nor are places, whose numbers must not come twice.
const MOST_PLACES: u32 = 1 << 31;

/// What was computed so far with one model.
#[derive(Default)]
pub struct Scorer {
    items: Vec<Item>,
    ids: FxHashMap<Token, ItemId>,
    pairs: Vec<Pair>,
    /// What two items add to the arcs between them, in one bin of distances.
    own: Recent<[f32; 2]>,
    contexts: Vec<Context>,
    seen: Vec<u32>,
    keys: Vec<u64>,
    pub(super) beside: Beside,
    pub(super) near: Near,
    pub(super) far: Far,
    /// Places handed out so far.
    pub(super) places: u32,
    /// Arcs scored so far.
    pub arcs: u64,
}

impl Scorer {
    /// The item of the root.
    pub const ROOT: ItemId = ItemId(0);

    /// Starts a sentence, for which places have to be asked for anew.
    pub fn begin(&mut self, model: &GraphModel) {
        if model.features == WINDOWED {
            self.beside.begin();
            self.near.begin(model);
            self.far.begin(model);
        }
        if self.items.is_empty() {
            self.pairs =
                large::table(1 << PAIR_BITS, Pair { items: NO_PAIR, scores: [0.0; SLOTS] });
            self.own = Recent::new(OWN_BITS);
            self.add(model, Token::default());
        }
    }

    /// Whether more is known than should be kept.
    pub fn is_full(&self) -> bool {
        self.items.len() > MOST_ITEMS || self.places > MOST_PLACES
    }

    /// The item of a word with its tag, prepared now if it is new.
    pub fn item(&mut self, model: &GraphModel, form: &str, tag: &str) -> ItemId {
        self.add(model, model.numbering.token(form, tag))
    }

    /// The item of a token of the model.
    pub fn add(&mut self, model: &GraphModel, token: Token) -> ItemId {
        let Scorer { items, ids, .. } = self;
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

    /// The scores of the two arcs between places `left` and `right` of a hypothesis, whose items
    /// there are given: from left to right, from right to left. The root has no head: from it
    /// there is one arc, and the other means nothing. Nothing farther than one place behind
    /// `right` is looked at.
    #[inline]
    fn both(
        &mut self,
        model: &GraphModel,
        words: &Input,
        (left, left_item): (usize, ItemId),
        (right, right_item): (usize, ItemId),
    ) -> [f32; 2] {
        let own = self.of_words(model, [left_item, right_item], slots(left, right));
        let context = self.context(model, words, left, right);
        [own[0] + context[0], own[1] + context[1]]
    }

    /// What two words add to the arcs between them, and each of them alone.
    fn of_words(
        &mut self,
        model: &GraphModel,
        [left, right]: [ItemId; 2],
        [onward, back]: [usize; 2],
    ) -> [f32; 2] {
        let pair = self.pair(model, left, right);
        let (onward_pair, back_pair) = (pair[onward], pair[back]);
        let (l, r) = (&self.items[left.0 as usize], &self.items[right.0 as usize]);
        [
            onward_pair + l.as_head[onward] + r.as_modifier[onward],
            back_pair + r.as_head[back] + l.as_modifier[back],
        ]
    }

    /// The same where the words are in some bin of distances.
    #[inline]
    pub(super) fn own(
        &mut self,
        model: &GraphModel,
        bin: usize,
        [left, right]: [ItemId; 2],
    ) -> [f32; 2] {
        let key = pair_key(left, right) << BIN_BITS | bin as u64;
        self.own.get(key).unwrap_or_else(|| {
            let slots = Slot::of_bin(bin).map(|slot| slot.distance);
            let own = self.of_words(model, [left, right], slots);
            self.own.put(key, own);
            own
        })
    }

    /// The scores of the two arcs between place `new` and each place before it, in order.
    pub fn arcs_before(
        &mut self,
        model: &GraphModel,
        words: &Words,
        new: usize,
        scores: &mut Vec<[f32; 2]>,
    ) {
        let input = words.input();
        scores.clear();
        if model.features == WINDOWED && input.is_narrow() {
            let (before, place) = (&words.places()[..new], words.places()[new]);
            let behind = self.beside.two(input.tag(new) << 8 | input.tag(new + 1));
            let right = RightEnd { place, behind };
            self.far_before(model, before, right, scores);
            if self.near.is_ready() {
                self.near_before(model, before, right, scores);
            }
        }
        for old in scores.len()..new {
            scores.push(self.both(model, input, (old, words.item(old)), (new, words.item(new))));
        }
        self.arcs += 2 * new as u64 - 1;
    }

    /// The score of one arc.
    pub fn score(
        &mut self,
        model: &GraphModel,
        words: &Input,
        head: (usize, ItemId),
        modifier: (usize, ItemId),
    ) -> f64 {
        let rightwards = head.0 < modifier.0;
        let (left, right) = if rightwards { (head, modifier) } else { (modifier, head) };
        f64::from(self.both(model, words, left, right)[usize::from(!rightwards)])
    }

    fn pair(&mut self, model: &GraphModel, left: ItemId, right: ItemId) -> &Line {
        let Scorer { items, pairs, .. } = self;
        let key = pair_key(left, right);
        let pair = &mut pairs[pair_place(key)];
        if pair.items != key {
            let (l, r) = (items[left.0 as usize].token, items[right.0 as usize].token);
            let (l, r) = ((l.word, l.tag), (r.word, r.tag));
            let (onward, back) = (
                sum_lines(&model.weights, &pair_keys(l, r)),
                sum_lines(&model.weights, &pair_keys(r, l)),
            );
            let scores =
                std::array::from_fn(
                    |slot| {
                        if slot < SLOTS / 2 { back[slot] } else { onward[slot] }
                    },
                );
            *pair = Pair { items: key, scores };
        }
        &pair.scores
    }

    /// What words and tags around two places and between them add.
    #[inline]
    fn context(
        &mut self,
        model: &GraphModel,
        words: &Input,
        left: usize,
        right: usize,
    ) -> [f32; 2] {
        if model.features != WINDOWED || !words.is_narrow() {
            return self.look_up(model, words, left, right, Part::Whole);
        }
        let mut sum = [0.0; 2];
        for &part in Part::of(right - left) {
            let [onward, back] = self.part(model, words, left, right, part);
            sum[0] += onward;
            sum[1] += back;
        }
        sum
    }

    #[inline]
    fn part(
        &mut self,
        model: &GraphModel,
        words: &Input,
        left: usize,
        right: usize,
        part: Part,
    ) -> [f32; 2] {
        let tags = words.part_tags(left, right, part);
        if self.contexts.is_empty() {
            self.contexts = large::table(1 << CONTEXT_BITS, Context::default());
        }
        let place = context_place(tags);
        let known = self.contexts[place];
        if known.tags == tags {
            return known.scores;
        }
        let scores = self.look_up(model, words, left, right, part);
        self.contexts[place] = Context { tags, scores };
        scores
    }

    fn look_up(
        &mut self,
        model: &GraphModel,
        words: &Input,
        left: usize,
        right: usize,
        part: Part,
    ) -> [f32; 2] {
        let onward = self.sum(model, words, left, right, part);
        let back = if left == 0 { 0.0 } else { self.sum(model, words, right, left, part) };
        [onward, back]
    }

    fn sum(
        &mut self,
        model: &GraphModel,
        words: &Input,
        head: usize,
        modifier: usize,
        part: Part,
    ) -> f32 {
        let Scorer { seen, keys, .. } = self;
        keys.clear();
        if part == Part::Whole {
            model.features.context_keys(words, head, modifier, seen, keys);
            keys.extend(model.features.own_keys(words, head).iter().flat_map(|keys| keys.0));
            keys.extend(model.features.own_keys(words, modifier).iter().flat_map(|keys| keys.1));
        } else {
            part_keys(words, head, modifier, part, keys);
        }
        model.weights.sum(keys, Slot::of(head, modifier))
    }
}

/// The features whose contexts are known by their tags: those of the paper.
pub(super) const WINDOWED: FeatureSet =
    FeatureSet { templates: Templates::Paper, between: Between::Window };

/// Slots of the arcs between two places: rightwards, leftwards.
#[inline]
fn slots(left: usize, right: usize) -> [usize; 2] {
    [Slot::of(left, right).distance, Slot::of(right, left).distance]
}

#[inline]
fn pair_key(left: ItemId, right: ItemId) -> u64 {
    u64::from(left.0) << 32 | u64::from(right.0)
}

#[inline]
fn pair_place(key: u64) -> usize {
    (mixed(key) >> (64 - PAIR_BITS)) as usize
}

#[inline]
fn context_place(tags: u64) -> usize {
    (mixed(tags) >> (64 - CONTEXT_BITS)) as usize
}

#[inline]
fn mixed(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key ^ key >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
