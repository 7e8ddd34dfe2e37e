//! One sentence, searched piece by piece: what is said of a piece is read out before the next one
//! is searched, so that the longest line takes no more memory than its longest piece.

use std::ops::Range;

use super::decoder::Decoder;
use super::derive::{Derived, Said};
use super::entry::Entry;
use super::forest::Growing;
use super::list::List;
use super::search::{Offers, Searching};
use crate::decode::clock::Clock;
use crate::decode::constraint::Restrictions;
use crate::decode::interface::Decode;
use crate::decode::source::Source;
use crate::decode::translation::{Request, Translation};
use crate::{Error, Result};

/// A sentence on its way.
pub struct Spoken<'d> {
    decoder: &'d Decoder,
    source: &'d Source,
    words: &'d [&'d str],
    request: Request,
    clock: Clock<'d>,
    entry: Entry,
    best: Said,
    list: List,
    forest: Option<Growing>,
}

impl<'d> Spoken<'d> {
    pub fn new(
        decoder: &'d Decoder,
        source: &'d Source,
        words: &'d [&'d str],
        request: Request,
        clock: Clock<'d>,
    ) -> Result<Self> {
        let model = decoder.model();
        let forest = request.forest.then(|| Growing::new(model, words, 0)).transpose()?;
        let nothing = Said::nothing(model.names().len());
        let list = List::new(request, nothing.clone());
        let entry = Entry::default();
        Ok(Spoken { decoder, source, words, request, clock, entry, best: nothing, list, forest })
    }

    /// Searches the next words.
    pub fn piece(&mut self, piece: Range<usize>, offers: &mut impl Offers) -> Result<()> {
        let (decoder, last) = (self.decoder, piece.end == self.words.len());
        let keep = self.request.forest || self.request.n_best > 0;
        let entry = Entry { last, ..std::mem::take(&mut self.entry) };
        let table = decoder.model().table();
        let restrictions = Restrictions::new(self.source, &piece, table);
        let (words, clock) = (&self.words[piece], self.clock);
        let mut searching =
            Searching::new(decoder, self.source, words, restrictions, keep, clock, entry);
        let finals = searching.run(offers)?;
        let finals: Vec<u32> = finals.into_iter().map(|(item, _)| item).collect();
        let Some(&best) = finals.first() else {
            return Err(Error::internal("search found no translation"));
        };
        searching.say(&Derived::best(&searching, best), &mut self.best);
        // What follows a piece knows its best end alone.
        let finals = if last { &finals[..] } else { &finals[..1] };
        if let Some(forest) = &mut self.forest {
            forest.add(&searching, finals)?;
        }
        if self.request.n_best > 0 {
            self.list.add(&searching, finals)?;
        }
        self.entry = searching.exit(best);
        Ok(())
    }

    pub fn finish(self) -> Result<Translation> {
        let model = self.decoder.model();
        let mut translation = self.best.complete(model);
        if self.words.is_empty() {
            // No words have no score, not even that of the end.
            translation.features.fill(0.0);
            translation.score = 0.0;
            translation.heads = self.decoder.features().build_trees().then(Vec::new);
        }
        if self.request.n_best > 0 {
            translation.n_best = match self.words.is_empty() {
                true => vec![translation.clone()],
                false => self.list.finish(model),
            };
            translation.hurried |= translation.n_best.iter().any(|entry| entry.hurried);
        }
        translation.forest = self.forest.map(|forest| forest.finish(model)).transpose()?;
        Ok(translation)
    }
}
