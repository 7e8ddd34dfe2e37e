//! Which tags training saw each frequent word with.

use hashbrown::HashTable;

use crate::container::{Container, ContainerWriter};
use crate::parse::hash;
use crate::parse::multiclass::numbers;
use crate::parse::treebank::Treebank;
use crate::{Error, Result, Vocabulary};

/// Words seen less often have no entry: what they were seen with says too little, and in
/// training it would give the answer away.
const OFTEN: u32 = 5;

/// From this count on, a word gets no tag but those it was seen with.
const SETTLED: u32 = 20;

/// The ambiguity class of frequent words, a number that stands for the set of their tags; and
/// all tags of very frequent ones.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    index: HashTable<u32>,
    words: Vec<u64>,
    classes: Vec<u64>,
    /// The tags of word w are `tags[ends[w - 1]..ends[w]]`; none for those that may have any.
    ends: Vec<u32>,
    tags: Vec<u16>,
}

impl Lexicon {
    /// Counts the lower-cased words of these examples.
    pub fn count(treebank: &Treebank, examples: &[u32], tags: &Vocabulary) -> Self {
        let mut words = Vocabulary::default();
        let mut counts: Vec<Vec<(u32, u32)>> = Vec::new();
        for &at in examples {
            let tree = &treebank.examples[at as usize].tree;
            for (form, tag) in tree.forms().iter().zip(tree.tags()) {
                let word = words.add(&form.to_lowercase()).index();
                let tag = tags.get(tag).map_or(0, |tag| tag.0);
                if word == counts.len() {
                    counts.push(Vec::new());
                }
                match counts[word].iter_mut().find(|(known, _)| *known == tag) {
                    Some((_, count)) => *count += 1,
                    None => counts[word].push((tag, 1)),
                }
            }
        }
        let mut lexicon = Lexicon::default();
        for (word, counts) in words.words().zip(&counts) {
            if let Some(class) = ambiguity(counts) {
                lexicon.words.push(hash::of_text(word));
                lexicon.classes.push(class);
                lexicon.tags.extend(settled(counts));
                lexicon.ends.push(lexicon.tags.len() as u32);
            }
        }
        lexicon.indexed()
    }

    fn indexed(mut self) -> Self {
        for (at, &word) in self.words.iter().enumerate() {
            self.index.insert_unique(word, at as u32, |&at| self.words[at as usize]);
        }
        self
    }

    /// The number of a word, by the hash of its lower-cased form.
    pub fn find(&self, word: u64) -> Option<u32> {
        self.index.find(word, |&at| self.words[at as usize] == word).copied()
    }

    /// The ambiguity class of a word that was found.
    pub fn class(&self, found: u32) -> u64 {
        self.classes[found as usize]
    }

    /// The tags a word may have; none given means any.
    pub fn tags(&self, found: u32) -> &[u16] {
        let found = found as usize;
        let start = if found == 0 { 0 } else { self.ends[found - 1] as usize };
        &self.tags[start..self.ends[found] as usize]
    }

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        let sections: [(&str, &[u8]); 4] = [
            ("words", bytemuck::cast_slice(&self.words)),
            ("class", bytemuck::cast_slice(&self.classes)),
            ("ends", bytemuck::cast_slice(&self.ends)),
            ("tags", bytemuck::cast_slice(&self.tags)),
        ];
        for (part, bytes) in sections {
            writer.section(&format!("lexicon-{part}"))?;
            writer.write(bytes)?;
        }
        Ok(())
    }

    /// The counterpart of `write_sections`, for `tags` tags.
    pub fn read_sections(container: &Container, tags: usize) -> Result<Self> {
        let lexicon = Lexicon {
            index: HashTable::new(),
            words: numbers(container, "lexicon-words")?,
            classes: numbers(container, "lexicon-class")?,
            ends: numbers(container, "lexicon-ends")?,
            tags: numbers(container, "lexicon-tags")?,
        };
        let whole = lexicon.classes.len() == lexicon.words.len()
            && lexicon.ends.len() == lexicon.words.len()
            && lexicon.ends.is_sorted()
            && lexicon.ends.last().copied().unwrap_or(0) as usize == lexicon.tags.len()
            && lexicon.tags.iter().all(|&tag| (tag as usize) < tags);
        let damaged = || Error::model(container.path(), "the lexicon in it is damaged");
        if whole { Ok(lexicon.indexed()) } else { Err(damaged()) }
    }
}

/// All tags of a word seen so often that it hardly has others.
fn settled(counts: &[(u32, u32)]) -> Vec<u16> {
    let total: u32 = counts.iter().map(|&(_, count)| count).sum();
    let all = if total < SETTLED { &[] } else { counts };
    let mut tags: Vec<u16> = all.iter().map(|&(tag, _)| tag as u16).collect();
    tags.sort_unstable();
    tags
}

/// The tags that make up at least a twentieth, most frequent first.
fn ambiguity(counts: &[(u32, u32)]) -> Option<u64> {
    let total: u32 = counts.iter().map(|&(_, count)| count).sum();
    if total < OFTEN {
        return None;
    }
    let mut kept: Vec<(u32, u32)> = counts.to_vec();
    kept.retain(|&(_, count)| count * 20 >= total);
    kept.sort_by_key(|&(tag, count)| (std::cmp::Reverse(count), tag));
    let class = kept.iter().fold(1, |class, &(tag, _)| hash::key(class, [u64::from(tag)]));
    Some(class.max(1))
}
