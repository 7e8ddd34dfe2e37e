//! Long sentences are translated in pieces.

use std::ops::Range;

/// Where long sentences are cut: into pieces of about the same length, none longer than `most`.
pub fn cuts(words: &[&str], most: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while words.len() - start > most {
        let left = words.len() - start;
        let end = start + left.div_ceil(left.div_ceil(most));
        // A little earlier behind a mark, if there is one.
        let mut early = (end.saturating_sub(most / 4).max(start + 1)..end).rev();
        let end = early.find(|&end| is_mark(words[end - 1])).unwrap_or(end);
        pieces.push(start..end);
        start = end;
    }
    pieces.push(start..words.len());
    pieces
}

fn is_mark(word: &str) -> bool {
    word.chars()
        .all(|c| matches!(c, '.' | '!' | '?' | ';' | ':' | ',' | '。' | '、' | '，' | '！' | '？'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_even_and_end_behind_marks() {
        let plain = vec!["w"; 1001];
        let lengths: Vec<usize> = cuts(&plain, 250).iter().map(Range::len).collect();
        assert_eq!(lengths, [201, 200, 200, 200, 200]);
        assert_eq!(cuts(&plain[..250], 250).len(), 1);
        let mut marked = vec!["w"; 300];
        marked[139] = ".";
        assert_eq!(cuts(&marked, 250), [0..140, 140..300]);
    }
}
