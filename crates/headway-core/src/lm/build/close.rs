//! Puts in the parts that longer n-grams need, and marks what has longer ones.

use std::result::Result as StdResult;

use super::gram::{Gram, Words};
use super::levels::Workspace;
use super::sort::Sorted;
use super::spool::Spool;
use crate::Result;
use crate::lm::MAX_ORDER;

/// The n-grams of length `order` with those that `above` (of length `order` + 1) needs. Inside
/// the result: the words of an n-gram that is in `raw` twice.
pub(super) fn close(
    raw: &Sorted<Gram>,
    order: usize,
    above: Option<&Spool<Gram>>,
    workspace: &Workspace,
) -> Result<StdResult<Spool<Gram>, Words>> {
    let nothing = workspace.spool();
    let above = above.unwrap_or(&nothing);
    let endings = endings(above, workspace)?;
    let mut raw = raw.reader()?;
    let (mut contexts, mut endings) = (above.reader(), endings.reader()?);
    let mut next_raw = raw.next()?;
    let mut next_context = contexts.next()?.map(|gram| context(gram, order));
    let mut next_ending = endings.next()?.map(unpack);

    let mut level = workspace.spool();
    loop {
        let heads =
            [next_raw.map(|gram| gram.words), next_context, next_ending.map(|ending| ending.0)];
        let Some(words) = heads.into_iter().flatten().min() else { break };
        let mut gram = Gram::blank(words);
        if let Some(stated) = next_raw.filter(|gram| gram.words == words) {
            gram = stated;
            next_raw = raw.next()?;
            if next_raw.is_some_and(|gram| gram.words == words) {
                return Ok(Err(words));
            }
        }
        let (mut left, mut right) = (false, next_context == Some(words));
        while let Some((_, mark)) = next_ending.filter(|ending| ending.0 == words) {
            (left, right) = (true, right || mark == MATTERS);
            next_ending = endings.next()?.map(unpack);
        }
        while next_context == Some(words) {
            next_context = contexts.next()?.map(|gram| context(gram, order));
        }
        gram.values = gram.values.extended(left, right);
        level.push(gram)?;
    }
    Ok(Ok(level))
}

/// The first `order` words of a longer n-gram.
fn context(gram: Gram, order: usize) -> Words {
    let mut words = gram.words;
    words[order..].fill(0);
    words
}

/// An n-gram without its first word, and in place of the last (which is free then) whether
/// what follows can depend on the longer one as a context. If so, it counts as depending on
/// the shorter one too: else a part of a sentence that ends in it would seem to owe nothing
/// to what stands left of it.
type Ending = Words;

const MATTERS: u32 = 1;

fn unpack(mut ending: Ending) -> (Words, u32) {
    let mark = std::mem::take(&mut ending[MAX_ORDER - 1]);
    (ending, mark)
}

fn endings(level: &Spool<Gram>, workspace: &Workspace) -> Result<Sorted<Ending>> {
    let mut sorter = workspace.sorter();
    let mut reader = level.reader();
    while let Some(gram) = reader.next()? {
        let mut ending = gram.words;
        ending.rotate_left(1);
        ending[MAX_ORDER - 1] = if gram.values.extends_right() { MATTERS } else { 0 };
        sorter.push(ending)?;
    }
    sorter.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;
    use crate::lm::Entry;

    fn level(grams: &[&[u32]], workspace: &Workspace) -> Sorted<Gram> {
        let mut sorter = workspace.sorter();
        for gram in grams {
            let words: Vec<WordId> = gram.iter().map(|&id| WordId(id)).collect();
            let entry = Entry { log10_prob: -1.0, log10_backoff: 0.0 };
            sorter.push(Gram::new(&words, entry)).unwrap();
        }
        sorter.finish().unwrap()
    }

    fn shown(level: &Spool<Gram>) -> Vec<(Vec<u32>, bool, bool, bool)> {
        let mut reader = level.reader();
        let mut found = Vec::new();
        while let Some(gram) = reader.next().unwrap() {
            let values = gram.values;
            let words = gram.words[..2].to_vec();
            found.push((words, values.is_blank(), values.extends_left(), values.extends_right()));
        }
        found
    }

    #[test]
    fn missing_parts_are_blanks_and_longer_ones_are_marked() {
        let workspace = Workspace::default();
        let longest = level(&[&[3, 2, 1], &[1, 2, 4], &[1, 2, 3]], &workspace);
        let longest = close(&longest, 3, None, &workspace).unwrap().unwrap();
        let middle = level(&[&[1, 2], &[5, 5]], &workspace);
        let middle = close(&middle, 2, Some(&longest), &workspace).unwrap().unwrap();
        let expected = [
            (vec![1, 2], false, false, true),
            (vec![2, 1], true, true, false),
            (vec![2, 3], true, true, false),
            (vec![2, 4], true, true, false),
            (vec![3, 2], true, false, true),
            (vec![5, 5], false, false, false),
        ];
        assert_eq!(shown(&middle), expected);
    }

    #[test]
    fn what_stands_twice_is_found() {
        let workspace = Workspace::default();
        let twice = level(&[&[3, 2], &[1, 2], &[3, 2]], &workspace);
        let found = close(&twice, 2, None, &workspace).unwrap().err().unwrap();
        assert_eq!(found[..2], [3, 2]);
    }
}
