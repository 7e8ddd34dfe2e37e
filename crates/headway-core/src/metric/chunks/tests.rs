use proptest::prelude::*;

use super::*;
use crate::random::Random;

/// Words of one letter; the stem of a capital letter is that of the small one.
fn words(text: &str) -> Vec<Word> {
    text.chars().map(|c| (c as u32, c.to_ascii_lowercase() as u32)).collect()
}

fn aligned(hypothesis: &str, reference: &str) -> (u32, u32) {
    align(&words(hypothesis), &words(reference))
}

#[test]
fn alignments_match_most_and_break_least() {
    assert_eq!(aligned("abcd", "abcd"), (4, 1));
    assert_eq!(aligned("cdab", "abcd"), (4, 2));
    assert_eq!(aligned("aXb", "ab"), (2, 2));
    assert_eq!(aligned("Ab", "ab"), (2, 1));
    // The second a goes with the b that follows it.
    assert_eq!(aligned("ab", "axab"), (2, 1));
    assert_eq!(aligned("", "ab"), (0, 0));
    assert_eq!(aligned("ab", ""), (0, 0));
}

#[test]
fn a_match_may_be_left_out_for_one_further_on() {
    // The b has no match; the second A must be left out, so that AB at the end is one chunk.
    assert_eq!(aligned("AbAAB", "aAaAAB"), (4, 2));
}

/// Matches and exact matches, negative, and chunks: the least of all alignments is the best.
type Rank = (i32, i32, u32);

/// The rank of the best alignment of the words from `word` on, each alignment tried.
fn best(sides: [&[Word]; 2], word: usize, used: u32, before: Option<usize>) -> Rank {
    let [hypothesis, reference] = sides;
    if word == hypothesis.len() {
        return (0, 0, 0);
    }
    let mut found = best(sides, word + 1, used, None);
    for (place, of) in reference.iter().enumerate().filter(|&(at, _)| used >> at & 1 == 0) {
        if of.1 == hypothesis[word].1 {
            let rest = best(sides, word + 1, used | 1 << place, Some(place));
            let exact = i32::from(of.0 == hypothesis[word].0);
            let starts = u32::from(before.is_none_or(|before| before + 1 != place));
            found = found.min((rest.0 - 1, rest.1 - exact, rest.2 + starts));
        }
    }
    found
}

/// Matches and chunks of the best of all alignments.
fn oracle(hypothesis: &[Word], reference: &[Word]) -> (u32, u32) {
    let (matches, _, chunks) = best([hypothesis, reference], 0, 0, None);
    (matches.unsigned_abs(), chunks)
}

proptest! {
    #[test]
    fn no_alignment_of_all_is_better(a in "[aAbBc]{0,6}", b in "[aAbBc]{0,6}") {
        let (hypothesis, reference) = (words(&a), words(&b));
        prop_assert_eq!(align(&hypothesis, &reference), oracle(&hypothesis, &reference));
    }

    #[test]
    fn of_words_without_stems_neither(a in "[abc]{0,7}", b in "[abc]{0,7}") {
        let (hypothesis, reference) = (words(&a), words(&b));
        prop_assert_eq!(align(&hypothesis, &reference), oracle(&hypothesis, &reference));
    }

    #[test]
    fn both_ways_are_alike(a in "[aAbBcde]{0,16}", b in "[aAbBcde]{0,16}") {
        prop_assert_eq!(aligned(&a, &b), aligned(&b, &a));
    }

    #[test]
    fn a_search_that_keeps_few_is_completed_by_one_that_keeps_more(
        a in "[aAbBc]{0,12}", b in "[aAbBc]{0,12}",
    ) {
        let pair = Pair::new(&words(&a), &words(&b));
        let all = search(&pair, usize::MAX, None);
        prop_assert!(all.exact);
        let few = search(&pair, 3, None);
        prop_assert!(few.adjacent == all.adjacent || !few.exact && few.adjacent < all.adjacent);
        prop_assert_eq!(search(&pair, usize::MAX, Some(few.adjacent)).adjacent, all.adjacent);
        prop_assert!(all.adjacent <= pair.bound(0));
        prop_assert!(greedy(&pair) <= all.adjacent);
    }
}

#[test]
fn long_sentences_of_few_words_are_aligned_too() {
    let mut random = Random::new(1, 1);
    let mut draw = |length: usize, words: usize| -> Vec<Word> {
        let word = |_| random.below(words) as u32;
        (0..length).map(word).map(|word| (word, word / 2)).collect()
    };
    for (length, kinds) in [(300, 20), (3000, 4), (20_000, 2), (20_000, 500)] {
        let (hypothesis, reference) = (draw(length, kinds), draw(length, kinds));
        let (matches, chunks) = align(&hypothesis, &reference);
        assert!(matches as usize > length * 9 / 10 && chunks < matches, "{length} {kinds}");
        assert_eq!(align(&hypothesis, &hypothesis), (length as u32, 1));
    }
}
