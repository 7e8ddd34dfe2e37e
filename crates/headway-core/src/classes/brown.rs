//! Agglomerative clustering (Brown et al. 1992) with a window (Liang 2005): the most frequent words
//! start as clusters; each further word enters as one more, and the two whose merge costs the
//! least mutual information become one. At the end all merge to a binary tree.

use super::bigrams::Bigrams;
use super::exchange::Logs;
use super::window::Window;
use crate::{Error, Monitor, Result};

/// How clusters are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brown {
    pub classes: usize,
    /// Rarer words are in no cluster, and are no context of others.
    pub min_count: u64,
}

impl Default for Brown {
    fn default() -> Self {
        Brown { classes: 100, min_count: 2 }
    }
}

/// A cluster of words and its place in the tree: a 0 or a 1 for each branch from the root.
#[derive(Debug, PartialEq, Eq)]
pub struct Cluster {
    pub path: String,
    /// The most frequent first.
    pub words: Vec<u32>,
}

/// So many take 600 MB.
const MOST: usize = 5_000;

/// The clusters in the order of their paths.
pub fn learn(bigrams: &Bigrams, how: Brown, monitor: &Monitor) -> Result<Vec<Cluster>> {
    let words = bigrams.by_frequency.iter().copied();
    let words: Vec<u32> =
        words.take_while(|&word| bigrams.frequency(word) >= how.min_count).collect();
    monitor.expect(words.len() as u64);
    let logs = Logs::new();
    // Tables grow with the square of the clusters: there are no more of them than words.
    let most = how.classes.min(words.len());
    if most > MOST {
        let message = format!("{most} Brown clusters; expected at most {MOST}");
        return Err(Error::setting(format!("{message}: memory grows with their square")));
    }
    let mut window = Window::new(bigrams, most + 1, &logs);
    for &word in &words {
        monitor.advance(1)?;
        window.add(word);
        if window.len() > how.classes {
            let (kept, gone) = window.best();
            window.merge(kept, gone);
        }
    }
    let slots = window.slots(&words);
    let mut clusters: Vec<Cluster> =
        slots.into_iter().map(|words| Cluster { path: String::new(), words }).collect();
    for (cluster, path) in clusters.iter_mut().zip(paths(window, monitor)?) {
        cluster.path = path;
    }
    clusters.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(clusters)
}

/// The paths of the clusters of a window, by merging them all.
fn paths(mut window: Window<'_>, monitor: &Monitor) -> Result<Vec<String>> {
    // Below each slot: clusters by number, with their paths from there on, the last branch first.
    let mut below: Vec<Vec<usize>> = (0..window.len()).map(|cluster| vec![cluster]).collect();
    let mut paths = vec![String::new(); window.len()];
    while window.len() > 1 {
        monitor.check()?;
        let (kept, gone) = window.best();
        window.merge(kept, gone);
        let right = below.swap_remove(gone);
        below[kept].iter().for_each(|&cluster| paths[cluster].push('0'));
        right.iter().for_each(|&cluster| paths[cluster].push('1'));
        below[kept].extend(right);
    }
    Ok(paths.into_iter().map(|path| path.chars().rev().collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENOUGH: f64 = 1e-7;

    /// Everything from scratch: the mutual information of a clustering, and so of each merge.
    struct Naive<'b> {
        bigrams: &'b Bigrams,
        clusters: Vec<Vec<u32>>,
    }

    impl Naive<'_> {
        fn information(&self, clusters: &[Vec<u32>]) -> f64 {
            let total = |words: &[u32]| -> u64 {
                words.iter().map(|&word| self.bigrams.frequency(word)).sum()
            };
            let mut sum = 0.0;
            for left in clusters {
                for right in clusters {
                    let follow = |&word: &u32| {
                        let next = self.bigrams.next.of(word).iter();
                        next.filter(|(other, _)| right.contains(other))
                            .map(|&(_, count)| u64::from(count))
                            .sum::<u64>()
                    };
                    let both = left.iter().map(follow).sum::<u64>() as f64;
                    if both > 0.0 {
                        sum += both * (both / (total(left) as f64 * total(right) as f64)).ln();
                    }
                }
            }
            sum
        }

        fn merged(&self, kept: usize, gone: usize) -> Vec<Vec<u32>> {
            let mut clusters = self.clusters.clone();
            let words = clusters.swap_remove(gone);
            clusters[kept].extend(words);
            clusters
        }

        fn merge(&mut self) -> (usize, usize) {
            let (mut best, mut most) = ((0, 1), f64::NEG_INFINITY);
            for kept in 0..self.clusters.len() {
                for gone in kept + 1..self.clusters.len() {
                    let information = self.information(&self.merged(kept, gone));
                    if information > most + ENOUGH {
                        (best, most) = ((kept, gone), information);
                    }
                }
            }
            self.clusters = self.merged(best.0, best.1);
            best
        }
    }

    fn bigrams() -> impl Strategy<Value = Bigrams> {
        let words = 9u32;
        let pair = (0..=words, 0..=words)
            .prop_filter("edges do not meet", move |&(l, r)| l != words || r != words);
        let pairs = prop::collection::btree_map(pair, 1..6u32, 5..40);
        pairs.prop_map(move |all| Bigrams::new(words as usize, all.into_iter().collect()))
    }

    proptest! {
        #[test]
        fn merges_are_those_of_a_naive_version(bigrams in bigrams(), most in 1usize..6) {
            let logs = Logs::new();
            let mut window = Window::new(&bigrams, most + 1, &logs);
            let mut naive = Naive { bigrams: &bigrams, clusters: Vec::new() };
            for &word in &bigrams.by_frequency {
                if bigrams.frequency(word) == 0 {
                    continue;
                }
                window.add(word);
                naive.clusters.push(vec![word]);
                if naive.clusters.len() > most {
                    let best = window.best();
                    prop_assert_eq!(best, naive.merge());
                    window.merge(best.0, best.1);
                }
            }
            while naive.clusters.len() > 1 {
                let best = window.best();
                prop_assert_eq!(best, naive.merge());
                window.merge(best.0, best.1);
            }
        }

        #[test]
        fn more_clusters_than_words_are_one_for_each_word(bigrams in bigrams()) {
            let how = Brown { classes: usize::MAX - 1, min_count: 1 };
            let found = learn(&bigrams, how, &Monitor::default()).unwrap();
            prop_assert!(found.iter().all(|one| one.words.len() == 1));
        }

        #[test]
        fn paths_are_leaves_of_a_tree(bigrams in bigrams(), classes in 1usize..12) {
            let how = Brown { classes, min_count: 1 };
            let found = learn(&bigrams, how, &Monitor::default()).unwrap();
            prop_assert!(found.len() <= classes);
            for (one, other) in found.iter().zip(found.iter().skip(1)) {
                prop_assert!(one.path < other.path && !other.path.starts_with(&one.path));
            }
            let leaves: f64 = found.iter().map(|one| 0.5f64.powi(one.path.len() as i32)).sum();
            prop_assert!(found.is_empty() || leaves == 1.0);
        }
    }
}
