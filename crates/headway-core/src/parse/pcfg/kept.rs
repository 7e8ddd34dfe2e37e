//! What is left of a chart once it is pruned.

use std::ops::Range;

/// A symbol of a cell, and where its variants are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub symbol: u16,
    pub at: u32,
}

/// Cells of a chart, numbered by their ends: words from `start` up to, not with, `end`.
#[derive(Debug, Clone, Copy)]
pub struct Cells {
    pub words: usize,
}

impl Cells {
    #[inline]
    pub fn at(self, start: usize, end: usize) -> usize {
        start * (self.words + 1) + end
    }

    pub fn count(self) -> usize {
        (self.words + 1) * (self.words + 1)
    }

    /// The ends of all cells of a width, from left to right.
    pub fn of_width(self, width: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..=self.words - width).map(move |start| (start, start + width))
    }

    /// The ends of all cells, the narrow ones first.
    pub fn upwards(self) -> impl Iterator<Item = (usize, usize)> {
        (1..=self.words).flat_map(move |width| self.of_width(width))
    }

    /// The ends of all cells, the wide ones first.
    pub fn downwards(self) -> impl Iterator<Item = (usize, usize)> {
        (1..=self.words).rev().flat_map(move |width| self.of_width(width))
    }
}

/// For each cell some symbols, and which of their variants are kept.
#[derive(Debug, Clone)]
pub struct Kept {
    pub cells: Cells,
    ranges: Vec<(u32, u32)>,
    entries: Vec<Entry>,
    pub variants: Vec<bool>,
}

impl Kept {
    pub fn new(words: usize) -> Self {
        let cells = Cells { words };
        let ranges = vec![(0, 0); cells.count()];
        Kept { cells, ranges, entries: Vec::new(), variants: Vec::new() }
    }

    /// The symbols of a cell.
    #[inline]
    pub fn entries(&self, start: usize, end: usize) -> &[Entry] {
        let (first, last) = self.ranges[self.cells.at(start, end)];
        &self.entries[first as usize..last as usize]
    }

    /// The places of a cell's symbols among those of all cells.
    #[inline]
    pub fn places(&self, start: usize, end: usize) -> Range<usize> {
        let (first, last) = self.ranges[self.cells.at(start, end)];
        first as usize..last as usize
    }

    pub fn entry(&self, place: usize) -> Entry {
        self.entries[place]
    }

    /// Adds the next symbol of a cell unless none of its variants is kept. The symbols of a cell
    /// come one after the other.
    pub fn add(
        &mut self,
        (start, end): (usize, usize),
        symbol: u16,
        variants: impl Iterator<Item = bool>,
    ) {
        let at = self.variants.len();
        self.variants.extend(variants);
        if !self.variants[at..].contains(&true) {
            self.variants.truncate(at);
            return;
        }
        let place = self.entries.len() as u32;
        let (first, last) = &mut self.ranges[self.cells.at(start, end)];
        if first == last {
            *first = place;
        }
        *last = place + 1;
        self.entries.push(Entry { symbol, at: at as u32 });
    }

    pub fn symbols(&self) -> usize {
        self.entries.len()
    }
}
