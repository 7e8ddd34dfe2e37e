//! Arcs between a word and blocks of words far before it, most of all arcs of long translations.
//!
//! Hypotheses of a sentence have few different beginnings, so that the same blocks of words stand
//! far before nearly all words. What a block adds with the word at the right end, with the tags
//! that end there, and with those that end behind, is kept for each; the tags farther before the
//! right end add the rest.

use super::between::WINDOW;
use super::far::{FARTHEST, FIRST_BIN, Place, RightEnd, Scores};
use super::model::GraphModel;
use super::recent::Recent;
use super::scorer::Scorer;
use super::windows::Before;

/// Words of a block.
pub const BLOCK: usize = 4;

/// For each word of a block a number for the arc rightwards and one for that leftwards.
type Line<T> = [[T; 2]; BLOCK];

const BITS: u32 = 12;

/// What blocks of places add in the last bin of distances, by the number of the place that ends
/// what they see, five behind the last, and by what is seen of the right end.
#[derive(Default)]
pub struct Blocks {
    /// By the item.
    own: Recent<Line<f32>>,
    /// By the two tags that end there.
    here: Recent<Line<i32>>,
    /// By the two tags that end behind.
    behind: Recent<Line<i32>>,
}

impl Blocks {
    pub fn new() -> Self {
        Blocks { own: Recent::new(BITS), here: Recent::new(BITS), behind: Recent::new(BITS) }
    }

    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }
}

impl Scorer {
    /// The scores of the two arcs between each place of a block and a right end that is far from
    /// all of them. Five more places follow those of the block.
    #[inline]
    pub fn block_arcs(
        &mut self,
        model: &GraphModel,
        places: &[Place],
        right: RightEnd,
        before: Before,
    ) -> [Scores; BLOCK] {
        let key = |of: u32| u64::from(places[BLOCK + WINDOW - 1].number) << 32 | u64::from(of);
        let RightEnd { place, behind } = right;
        let (item_key, here_key, behind_key) = (key(place.item.0), key(place.two), key(behind));
        let own = self.far.blocks.own.get(item_key).unwrap_or_else(|| {
            let line = std::array::from_fn(|at| {
                self.own(model, FIRST_BIN + FARTHEST, [places[at].item, place.item])
            });
            self.far.blocks.own.put(item_key, line);
            line
        });
        let here = self.far.blocks.here.get(here_key).unwrap_or_else(|| {
            let line =
                std::array::from_fn(|at| self.here_units(model, FARTHEST, &places[at..], place));
            self.far.blocks.here.put(here_key, line);
            line
        });
        let after = self.far.blocks.behind.get(behind_key).unwrap_or_else(|| {
            let line =
                std::array::from_fn(|at| self.behind_units(model, FARTHEST, &places[at..], behind));
            self.far.blocks.behind.put(behind_key, line);
            line
        });
        let (windows, scale) = (&self.far.windows, model.weights.scale());
        std::array::from_fn(|at| {
            let before = windows.right(before, places[at].tags);
            let units = |arc: usize| here[at][arc] + after[at][arc] + before[arc];
            std::array::from_fn(|arc| own[at][arc] + units(arc) as f32 * scale)
        })
    }
}
