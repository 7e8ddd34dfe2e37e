//! Long sentences are translated in pieces.

use std::ops::Range;

use super::constraint::Constraint;

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

/// The same, but not within words that are to stay together. Those of a longer span are cut by
/// themselves, apart from what stands around them; a phrase that is forced is never cut.
pub fn cuts_around(words: &[&str], most: usize, constraints: &[Constraint]) -> Vec<Range<usize>> {
    let span = |constraint: &Constraint| {
        let Range { start, end } = constraint.span();
        start as usize..end as usize
    };
    let is_forced = |it: &&Constraint| matches!(it, Constraint::Forced(_));
    let is_zone = |it: &&Constraint| matches!(it, Constraint::Zone(_));
    let (mut whole, mut ends) = (Vec::new(), vec![words.len()]);
    whole.extend(constraints.iter().filter(is_forced).map(span));
    for zone in constraints.iter().filter(is_zone).map(span) {
        match zone.len() > most && words.len() > most {
            true => ends.extend([zone.start, zone.end]),
            false => whole.push(zone),
        }
    }
    ends.sort_unstable();
    ends.dedup();
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for end in ends.into_iter().filter(|&end| end > 0) {
        for piece in cuts(&words[start..end], most) {
            let around = |at: usize| whole.iter().filter(move |it| it.start < at && at < it.end);
            let at = piece.end + start;
            // In front of all that may not be cut, or behind it if nothing else is left.
            let begin = around(at).map(|it| it.start).min().unwrap_or(at);
            let last = pieces.last().map_or(0, |piece| piece.end);
            let at =
                if begin > last { begin } else { around(at).map(|it| it.end).max().unwrap_or(at) };
            if at > last {
                pieces.push(last..at);
            }
        }
        start = end;
    }
    if pieces.is_empty() { cuts(words, most) } else { pieces }
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
