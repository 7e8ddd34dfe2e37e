//! Which tags between head and modifier are features.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// Every tag that occurs between them (McDonald et al. 2005): O(n) for each arc.
    All,
    /// Up to five tags from either end, each with its position (Galley & Manning 2009).
    Window,
    /// The tags of that window without position: the ablation of that paper.
    PlainWindow,
}

/// Tags looked at from either end.
pub const WINDOW: usize = 5;

impl Between {
    pub const ALL: [(&'static str, Between); 3] = [
        ("all", Between::All),
        ("window", Between::Window),
        ("plain-window", Between::PlainWindow),
    ];

    /// Calls `visit(place, tag)` for the tags strictly between `left` and `right`. The place is
    /// 0 where position does not count, 1 to 5 counted from the left end, 6 to 10 from the right.
    #[inline]
    pub fn visit(
        self,
        tags: &[u32],
        left: usize,
        right: usize,
        seen: &mut Vec<u32>,
        mut visit: impl FnMut(usize, u32),
    ) {
        let first = left + 1..right.min(left + 1 + WINDOW);
        let last = (left + 1).max(right.saturating_sub(WINDOW))..right;
        match self {
            Between::Window => {
                first.for_each(|at| visit(at - left, tags[at]));
                last.for_each(|at| visit(WINDOW + right - at, tags[at]));
            }
            Between::PlainWindow => distinct(tags, first.chain(last), seen, |tag| visit(0, tag)),
            Between::All => distinct(tags, left + 1..right, seen, |tag| visit(0, tag)),
        }
    }
}

fn distinct(
    tags: &[u32],
    places: impl Iterator<Item = usize>,
    seen: &mut Vec<u32>,
    mut visit: impl FnMut(u32),
) {
    seen.clear();
    for at in places {
        let tag = tags[at];
        if !seen.contains(&tag) {
            seen.push(tag);
            visit(tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(between: Between, left: usize, right: usize) -> Vec<(usize, u32)> {
        let tags = [9, 1, 2, 1, 3, 4, 5, 6, 1, 7, 8, 9];
        let mut found = Vec::new();
        between.visit(&tags, left, right, &mut Vec::new(), |at, tag| found.push((at, tag)));
        found
    }

    #[test]
    fn windows_count_from_both_ends() {
        assert_eq!(visited(Between::Window, 1, 4), [(1, 2), (2, 1), (7, 2), (6, 1)]);
        assert_eq!(visited(Between::Window, 0, 11).len(), 10);
        assert_eq!(visited(Between::PlainWindow, 1, 4), [(0, 2), (0, 1)]);
        assert!(visited(Between::Window, 3, 4).is_empty());
    }

    #[test]
    fn all_means_each_tag_once() {
        let tags: Vec<u32> = visited(Between::All, 0, 11).iter().map(|found| found.1).collect();
        assert_eq!(tags, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
