//! The order in which the words of an aligned pair are generated.

use smallvec::SmallVec;

/// Words of one side, in order.
pub type Places = SmallVec<[u16; 4]>;

/// Source words and the target words that they are linked to, directly or through each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cept {
    pub source: Places,
    pub target: Places,
}

/// What is generated next. Source words are places in the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A target word without links.
    Insert { target: u16 },
    /// The first source word of a cept with all target words of it.
    Translate { source: u16, cept: u16 },
    /// A further source word of the cept.
    Continue { source: u16 },
    /// A source word without links.
    Delete { source: u16 },
}

impl Act {
    /// The source word that it generates, if it does.
    pub fn source(self) -> Option<u16> {
        match self {
            Act::Insert { .. } => None,
            Act::Translate { source, .. } | Act::Continue { source } | Act::Delete { source } => {
                Some(source)
            }
        }
    }
}

/// All acts of a pair, with the cepts that they name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Story {
    pub acts: Vec<Act>,
    pub cepts: Vec<Cept>,
}

impl Story {
    /// Tells a pair of so many words. A cept is generated where the first of its target words
    /// stands, wherever the others do; source words without links follow the word before them.
    pub fn of(source: usize, target: usize, links: impl Iterator<Item = (u16, u16)>) -> Self {
        let inside =
            |&(from, to): &(u16, u16)| usize::from(from) < source && usize::from(to) < target;
        let links: Vec<(u16, u16)> = links.filter(inside).collect();
        let (cepts, of_target) = cepts(target, &links);
        let mut linked = vec![false; source];
        links.iter().for_each(|&(from, _)| linked[usize::from(from)] = true);
        let mut story = Story { acts: Vec::with_capacity(source + target), cepts };
        story.delete(0, &linked);
        for word in 0..target as u16 {
            match of_target[usize::from(word)] {
                None => story.acts.push(Act::Insert { target: word }),
                Some(cept) if story.cepts[usize::from(cept)].target[0] == word => {
                    story.translate(cept, &linked);
                }
                Some(_) => {}
            }
        }
        story
    }

    fn translate(&mut self, cept: u16, linked: &[bool]) {
        let words = self.cepts[usize::from(cept)].source.clone();
        for (number, source) in words.into_iter().enumerate() {
            self.acts.push(match number {
                0 => Act::Translate { source, cept },
                _ => Act::Continue { source },
            });
            self.delete(usize::from(source) + 1, linked);
        }
    }

    /// Drops the source words without links from here on, up to the first that has one.
    fn delete(&mut self, start: usize, linked: &[bool]) {
        let words = (start..linked.len()).take_while(|&word| !linked[word]);
        self.acts.extend(words.map(|word| Act::Delete { source: word as u16 }));
    }
}

/// The cepts in the order of their first target words, and for each target word its cept.
fn cepts(target: usize, links: &[(u16, u16)]) -> (Vec<Cept>, Vec<Option<u16>>) {
    let mut group: Vec<usize> = (0..target).collect();
    let mut by_source = links.to_vec();
    by_source.sort_unstable();
    by_source.dedup();
    for pair in by_source.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let [one, other] = [pair[0].1, pair[1].1].map(|word| first_of(&group, usize::from(word)));
        group[one.max(other)] = one.min(other);
    }
    let (mut cepts, mut of_target) = (Vec::<Cept>::new(), vec![None; target]);
    let mut by_target: Vec<(u16, u16)> = by_source.iter().map(|&(from, to)| (to, from)).collect();
    by_target.sort_unstable();
    for (to, from) in by_target {
        let first = first_of(&group, usize::from(to));
        let cept = *of_target[first].get_or_insert_with(|| {
            cepts.push(Cept::default());
            cepts.len() as u16 - 1
        });
        of_target[usize::from(to)] = Some(cept);
        let Cept { source, target } = &mut cepts[usize::from(cept)];
        source.push(from);
        if target.last() != Some(&to) {
            target.push(to);
        }
    }
    for cept in &mut cepts {
        cept.source.sort_unstable();
        cept.source.dedup();
    }
    (cepts, of_target)
}

/// The first word of a group, which is the one that stands for itself.
fn first_of(group: &[usize], mut word: usize) -> usize {
    while group[word] != word {
        word = group[word];
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(source: usize, target: usize, links: &[(u16, u16)]) -> Vec<String> {
        let story = Story::of(source, target, links.iter().copied());
        let show = |act: &Act| match *act {
            Act::Insert { target } => format!("+{target}"),
            Act::Delete { source } => format!("-{source}"),
            Act::Continue { source } => format!("~{source}"),
            Act::Translate { cept, .. } => {
                let Cept { source, target } = &story.cepts[usize::from(cept)];
                format!("{:?}>{:?}", &source[..], &target[..])
            }
        };
        story.acts.iter().map(show).collect()
    }

    #[test]
    fn cepts_are_generated_where_their_first_target_word_stands() {
        // er hat das Buch gelesen – he read the book
        let found = story(5, 4, &[(0, 0), (1, 1), (4, 1), (2, 2), (3, 3)]);
        assert_eq!(found, ["[0]>[0]", "[1, 4]>[1]", "~4", "[2]>[2]", "[3]>[3]"]);
        // geht … zu – closes … down, with a word between
        let found = story(3, 3, &[(0, 0), (2, 2), (0, 2), (1, 1)]);
        assert_eq!(found, ["[0, 2]>[0, 2]", "~2", "[1]>[1]"]);
    }

    #[test]
    fn words_without_links_are_dropped_and_added_where_they_stand() {
        assert_eq!(story(4, 3, &[(2, 1)]), ["-0", "-1", "+0", "[2]>[1]", "-3", "+2"]);
        assert_eq!(story(2, 0, &[]), ["-0", "-1"]);
        assert_eq!(story(1, 1, &[(0, 7), (9, 0)]), ["-0", "+0"]);
    }
}
