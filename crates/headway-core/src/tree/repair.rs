//! A dependency tree out of a graph of arcs (Wu, Sudoh, Duh, Tsukada & Nagata 2012, section 2.4).

use std::cmp::Reverse;

use super::heads::out_of_range;
use super::{Heads, Topology};
use crate::{Error, Result};

/// One head for every word, and what had to be done for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repaired {
    pub heads: Vec<u32>,
    /// The root word: the only one with head 0. 0 if there are no words.
    pub root: u32,
    /// Whether no root word was given.
    pub guessed: bool,
    /// Words that had several heads; the root word counts if it had any.
    pub several: u32,
    /// Words that had no head, the root word aside.
    pub headless: u32,
    /// Cycles that are left.
    pub cycles: u32,
}

/// Keeps one head of each word: the arc without which most words would no longer reach the root
/// word. Ties are broken by the longer arc, then by the head further left. Words are looked at
/// from left to right, each in the graph that the earlier ones left behind. Words without a head
/// hang from the root word, which has none. Cycles are kept.
///
/// Arcs are (dependent, head), both from 1. If no root word is given, it is the one that most
/// words reach, the leftmost of equal ones: among words with dependents and without heads, or
/// among all if there are none of these.
pub fn repair(words: usize, arcs: &[(u32, u32)], root: Option<u32>) -> Result<Repaired> {
    let mut graph = Graph::new(words, arcs)?;
    if words == 0 {
        return Ok(Repaired::default());
    }
    if let Some(root) = root.filter(|&root| root == 0 || root as usize > words) {
        return Err(Error::setting(format!(
            "there is no word {root} to be the root; words are 1 to {words}"
        )));
    }
    let mut found = Repaired { guessed: root.is_none(), ..Repaired::default() };
    found.root = root.unwrap_or_else(|| graph.likely_root());
    found.several += u32::from(!graph.heads(found.root).is_empty());
    graph.keep(found.root, None);
    for word in 1..=words as u32 {
        if graph.heads(word).len() > 1 {
            found.several += 1;
            graph.keep(word, graph.most_needed(word, found.root));
        }
        let head = graph.heads(word).first().copied();
        found.headless += u32::from(head.is_none() && word != found.root);
        found.heads.push(match word == found.root {
            true => 0,
            false => head.unwrap_or(found.root),
        });
    }
    found.cycles = Topology::new(&Heads::new(found.heads.clone())?).cycles().len() as u32;
    Ok(found)
}

/// The heads of each word, from left to right, and its dependents.
struct Graph {
    heads: Vec<Vec<u32>>,
    dependents: Vec<Vec<u32>>,
}

impl Graph {
    /// Arcs from a word to itself are left out, equal ones count once.
    fn new(words: usize, arcs: &[(u32, u32)]) -> Result<Self> {
        let mut graph =
            Graph { heads: vec![Vec::new(); words + 1], dependents: vec![Vec::new(); words + 1] };
        for &(dependent, head) in arcs {
            let wrong = |word: u32| word == 0 || word as usize > words;
            if wrong(dependent) || wrong(head) {
                return Err(Error::setting(out_of_range(dependent as usize, head, words)));
            }
            if dependent != head && !graph.heads(dependent).contains(&head) {
                graph.heads[dependent as usize].push(head);
                graph.dependents[head as usize].push(dependent);
            }
        }
        graph.heads.iter_mut().for_each(|heads| heads.sort_unstable());
        Ok(graph)
    }

    fn heads(&self, word: u32) -> &[u32] {
        &self.heads[word as usize]
    }

    /// Deletes all arcs of a word but one.
    fn keep(&mut self, word: u32, kept: Option<u32>) {
        for head in std::mem::take(&mut self.heads[word as usize]) {
            if Some(head) == kept {
                self.heads[word as usize].push(head);
            } else {
                self.dependents[head as usize].retain(|&dependent| dependent != word);
            }
        }
    }

    /// The head of a word whose arc most words need to reach the root word.
    fn most_needed(&self, word: u32, root: u32) -> Option<u32> {
        let heads = self.heads(word).iter().copied();
        // The fewer words reach the root without an arc, the more need it.
        heads.min_by_key(|&head| {
            (self.reaching(root, Some((word, head))), Reverse(word.abs_diff(head)), head)
        })
    }

    /// How many words have a path to `goal` that does not lead over the arc `without`.
    fn reaching(&self, goal: u32, without: Option<(u32, u32)>) -> usize {
        let (mut reached, mut next) = (vec![goal], 0);
        let mut seen = vec![false; self.heads.len()];
        seen[goal as usize] = true;
        while let Some(&head) = reached.get(next) {
            for &dependent in &self.dependents[head as usize] {
                if !seen[dependent as usize] && without != Some((dependent, head)) {
                    seen[dependent as usize] = true;
                    reached.push(dependent);
                }
            }
            next += 1;
        }
        reached.len()
    }

    fn likely_root(&self) -> u32 {
        let words = || 1..self.heads.len() as u32;
        let top =
            |&word: &u32| self.heads(word).is_empty() && !self.dependents[word as usize].is_empty();
        let most = |word: &u32| (self.reaching(*word, None), Reverse(*word));
        let root = words().filter(top).max_by_key(most).or_else(|| words().max_by_key(most));
        root.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// How many words have a path to the root, tried one after the other.
    fn brute_force(words: u32, arcs: &[(u32, u32)], root: u32) -> usize {
        let climbs = |start: u32| {
            let mut reached = vec![start];
            for _ in 0..words {
                for &(dependent, head) in arcs {
                    if reached.contains(&dependent) && !reached.contains(&head) {
                        reached.push(head);
                    }
                }
            }
            reached.contains(&root)
        };
        (1..=words).filter(|&word| climbs(word)).count()
    }

    #[test]
    fn random_graphs_become_what_was_promised() {
        for item in 0..1_000 {
            let mut random = Random::new(23, item);
            let words = 1 + random.below(7) as u32;
            let mut word = || 1 + random.below(words as usize) as u32;
            let root = word();
            let count = word() * 2;
            let arcs: Vec<(u32, u32)> = (0..count).map(|_| (word(), word())).collect();
            let found = repair(words as usize, &arcs, Some(root)).unwrap();
            check(words, &arcs, root, &found);
        }
    }

    fn check(words: u32, arcs: &[(u32, u32)], root: u32, found: &Repaired) {
        let mut left: Vec<(u32, u32)> = arcs.to_vec();
        left.retain(|&(dependent, head)| dependent != head && dependent != root);
        left.sort_unstable();
        left.dedup();
        assert_eq!(found.heads.len(), words as usize);
        for word in 1..=words {
            let head = found.heads[word as usize - 1];
            let own: Vec<u32> = left.iter().filter(|arc| arc.0 == word).map(|arc| arc.1).collect();
            match &own[..] {
                _ if word == root => assert_eq!(head, 0),
                [] => assert_eq!(head, root, "{arcs:?} {word}"),
                heads => {
                    assert!(heads.contains(&head), "{arcs:?} {word}");
                    let before = brute_force(words, &left, root);
                    let rank = |other: u32| {
                        let rest: Vec<_> =
                            left.iter().copied().filter(|&arc| arc != (word, other)).collect();
                        let cut = before - brute_force(words, &rest, root);
                        (cut, word.abs_diff(other), Reverse(other))
                    };
                    assert!(
                        heads.iter().all(|&other| rank(other) <= rank(head)),
                        "{arcs:?} {word}"
                    );
                }
            }
            left.retain(|&arc| arc.0 != word || arc.1 == head);
        }
        let topology = Topology::new(&Heads::new(found.heads.clone()).unwrap());
        assert_eq!(topology.roots(), [root]);
        assert_eq!(found.cycles as usize, topology.cycles().len());
    }

    #[test]
    fn the_arc_that_most_words_need_is_kept() {
        // 1 hangs from 2 and 3, of which only 2 leads to the root 4; 5 hangs from 1.
        let found = repair(5, &[(1, 2), (1, 3), (2, 4), (5, 1)], Some(4)).unwrap();
        assert_eq!(found.heads, [2, 4, 4, 0, 1]);
        assert_eq!((found.several, found.headless, found.cycles), (1, 1, 0));
        // Both lead there: the longer arc; both are as long: the head on the left.
        assert_eq!(repair(4, &[(1, 2), (1, 4), (2, 4)], Some(4)).unwrap().heads, [4, 4, 4, 0]);
        let tie = repair(4, &[(2, 1), (2, 3), (1, 4), (3, 4)], Some(4)).unwrap();
        assert_eq!(tie.heads, [4, 1, 4, 0]);
    }

    #[test]
    fn cycles_stay_and_the_root_loses_its_heads() {
        let found = repair(4, &[(1, 2), (2, 1), (3, 4)], Some(3)).unwrap();
        assert_eq!(found.heads, [2, 1, 0, 3]);
        assert_eq!((found.cycles, found.several, found.headless), (1, 1, 1));
    }

    #[test]
    fn without_a_root_the_word_that_most_words_reach_is_taken() {
        let found = repair(4, &[(1, 2), (3, 4), (2, 4)], None).unwrap();
        assert_eq!((found.root, found.guessed), (4, true));
        assert_eq!(repair(3, &[(1, 2), (2, 1)], None).unwrap().root, 1);
        assert_eq!(repair(3, &[], None).unwrap().heads, [0, 1, 1]);
        assert_eq!(repair(0, &[], None).unwrap(), Repaired::default());
    }

    #[test]
    fn words_that_are_not_there_are_named() {
        let error = |arcs: &[(u32, u32)], root| repair(2, arcs, root).unwrap_err().to_string();
        assert!(error(&[(1, 3)], None).contains("head 3 is out of range"));
        assert!(error(&[(0, 1)], None).contains("word 0"));
        assert!(error(&[], Some(3)).contains("no word 3"));
    }
}
