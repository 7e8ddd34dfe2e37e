//! The shape of a dependency analysis: what hangs where.

use std::ops::RangeInclusive;

use super::Heads;
use super::children::Children;

/// Everything about a head array that takes one pass to find out: O(n) once, for arrays of any
/// shape, cyclic and multi-root ones included.
pub struct Topology {
    heads: Heads,
    children: Children,
    /// For each word, itself and its descendants: leftmost, rightmost, how many.
    extents: Vec<Extent>,
    /// Steps up to a root; None on and below a cycle.
    depths: Vec<Option<u32>>,
    /// Whether a word is its own ancestor.
    on_cycle: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
struct Extent {
    first: u32,
    last: u32,
    size: u32,
}

impl Extent {
    fn join(&mut self, other: Extent) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.size += other.size;
    }
}

impl Topology {
    pub fn new(heads: &Heads) -> Self {
        let children = Children::new(heads);
        let order = leaves_first(heads, &children);
        let mut on_cycle = vec![true; heads.len()];
        for &word in &order {
            on_cycle[word as usize - 1] = false;
        }
        let extents = extents(heads, &order, &on_cycle);
        let depths = depths(heads, &order);
        Topology { heads: heads.clone(), children, extents, depths, on_cycle }
    }

    /// True for exactly one root and no cycle: every word hangs under that root.
    pub fn is_tree(&self) -> bool {
        self.roots().len() == 1 && !self.has_cycle()
    }

    pub fn has_cycle(&self) -> bool {
        self.on_cycle.contains(&true)
    }

    /// Each cycle as its words, upwards from its leftmost.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.heads.len()];
        let mut cycles = Vec::new();
        for start in 1..=self.heads.len() as u32 {
            if self.on_cycle[start as usize - 1] && !seen[start as usize - 1] {
                let cycle = cycle_from(start, &self.heads);
                cycle.iter().for_each(|&word| seen[word as usize - 1] = true);
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// The words with head 0, from left to right.
    pub fn roots(&self) -> &[u32] {
        self.children.of(0)
    }

    /// The children of `word` from left to right; of 0, the roots.
    pub fn children(&self, word: u32) -> &[u32] {
        self.children.of(word)
    }

    /// True if all that hangs under each word, with it, is a contiguous span. That is the same
    /// as: between a word and its head there are only words that hang under that head.
    pub fn is_projective(&self) -> bool {
        self.extents.iter().all(|extent| extent.last - extent.first + 1 == extent.size)
    }

    /// The smallest span that holds `word` and its descendants.
    pub fn subtree_span(&self, word: u32) -> RangeInclusive<u32> {
        let extent = self.extents[word as usize - 1];
        extent.first..=extent.last
    }

    /// How many words `word` and its descendants are.
    pub fn subtree_size(&self, word: u32) -> usize {
        self.extents[word as usize - 1].size as usize
    }

    /// `word` and all that hangs under it, from left to right.
    pub fn subtree(&self, word: u32) -> Vec<u32> {
        let mut found = vec![word];
        let mut next = 0;
        while let Some(&head) = found.get(next) {
            found.extend(self.children.of(head).iter().filter(|&&child| child != word));
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// What hangs under `word`, from left to right. On a cycle a word hangs under itself; it is
    /// left out all the same.
    pub fn descendants(&self, word: u32) -> Vec<u32> {
        let mut found = self.subtree(word);
        found.retain(|&other| other != word);
        found
    }

    /// The number of steps from `word` up to its root, which has depth 0. None on a cycle and
    /// below one, where there is no root.
    pub fn depth(&self, word: u32) -> Option<u32> {
        self.depths[word as usize - 1]
    }

    /// `word`, its head, the head of that, and so on: up to a root, or once around a cycle.
    pub fn ancestors(&self, word: u32) -> Vec<u32> {
        let mut chain = Vec::new();
        let mut cycle_entry = None;
        let mut at = word;
        loop {
            chain.push(at);
            if self.on_cycle[at as usize - 1] {
                cycle_entry.get_or_insert(at);
            }
            at = self.heads.of(at);
            if at == 0 || cycle_entry == Some(at) {
                return chain;
            }
        }
    }

    /// The words from `from` up to the lowest word that both hang under and down to `to`, both
    /// ends included. In a cyclic part the turning point is the first ancestor of `from` that
    /// is also one of `to`. None if the two have different roots: no words link them.
    pub fn path(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let mut path = self.ancestors(from);
        let down = self.ancestors(to);
        let mut steps_down = vec![usize::MAX; self.heads.len() + 1];
        for (step, &word) in down.iter().enumerate() {
            steps_down[word as usize] = step;
        }
        let turn = path.iter().position(|&word| steps_down[word as usize] != usize::MAX)?;
        path.truncate(turn + 1);
        path.extend(down[..steps_down[path[turn] as usize]].iter().rev());
        Some(path)
    }
}

/// All words that are not on a cycle, children before heads.
fn leaves_first(heads: &Heads, children: &Children) -> Vec<u32> {
    let words = 1..=heads.len() as u32;
    let mut waiting: Vec<usize> = words.clone().map(|word| children.of(word).len()).collect();
    let mut order: Vec<u32> = words.filter(|&word| children.of(word).is_empty()).collect();
    let mut next = 0;
    while let Some(&word) = order.get(next) {
        let head = heads.of(word);
        if head != 0 {
            waiting[head as usize - 1] -= 1;
            if waiting[head as usize - 1] == 0 {
                order.push(head);
            }
        }
        next += 1;
    }
    order
}

fn extents(heads: &Heads, order: &[u32], on_cycle: &[bool]) -> Vec<Extent> {
    let words = 1..=heads.len() as u32;
    let mut extents: Vec<_> =
        words.clone().map(|w| Extent { first: w, last: w, size: 1 }).collect();
    for &word in order {
        let extent = extents[word as usize - 1];
        if let head @ 1.. = heads.of(word) {
            extents[head as usize - 1].join(extent);
        }
    }
    // All that hangs under one word of a cycle hangs under each.
    let mut done = vec![false; heads.len()];
    for word in words.filter(|&word| on_cycle[word as usize - 1]) {
        if !done[word as usize - 1] {
            let cycle = cycle_from(word, heads);
            let mut whole = extents[word as usize - 1];
            cycle[1..].iter().for_each(|&other| whole.join(extents[other as usize - 1]));
            for &other in &cycle {
                extents[other as usize - 1] = whole;
                done[other as usize - 1] = true;
            }
        }
    }
    extents
}

fn depths(heads: &Heads, order: &[u32]) -> Vec<Option<u32>> {
    let mut depths = vec![None; heads.len()];
    for &word in order.iter().rev() {
        depths[word as usize - 1] = match heads.of(word) {
            0 => Some(0),
            head => depths[head as usize - 1].map(|depth: u32| depth + 1),
        };
    }
    depths
}

/// The words of a cycle, upwards from `start`, which must be on it.
fn cycle_from(start: u32, heads: &Heads) -> Vec<u32> {
    let mut cycle = vec![start];
    let mut up = heads.of(start);
    while up != start {
        cycle.push(up);
        up = heads.of(up);
    }
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps from `word` to its head, to the head of that, and so on, for as long as there are
    /// new words.
    fn climb(d: &[u32], word: u32) -> Vec<u32> {
        let mut chain = vec![];
        let mut at = word;
        while at != 0 && !chain.contains(&at) {
            chain.push(at);
            at = d[at as usize - 1];
        }
        chain
    }

    /// Each arc h → k, and each word between: it hangs under h.
    fn literally_projective(d: &[u32]) -> bool {
        let arcs = (1..).zip(d).filter(|&(_, &h)| h != 0);
        arcs.into_iter().all(|(k, &h): (u32, _)| {
            let between = k.min(h) + 1..k.max(h);
            between.into_iter().all(|word| climb(d, word).contains(&h))
        })
    }

    fn check(d: &[u32]) {
        let topology = Topology::new(&Heads::new(d.to_vec()).unwrap());
        let words = || 1..=d.len() as u32;
        let loops = |word: u32| climb(d, d[word as usize - 1]).contains(&word);
        assert_eq!(topology.has_cycle(), words().any(loops), "{d:?}");
        let on_cycles: usize = topology.cycles().iter().map(Vec::len).sum();
        assert_eq!(on_cycles, words().filter(|&word| loops(word)).count(), "{d:?}");
        assert_eq!(topology.is_projective(), literally_projective(d), "{d:?}");
        for word in words() {
            let under: Vec<u32> = words().filter(|&w| climb(d, w).contains(&word)).collect();
            assert_eq!(topology.subtree(word), under, "{d:?} {word}");
            assert_eq!(topology.subtree_size(word), under.len(), "{d:?} {word}");
            let span = *under.first().unwrap()..=*under.last().unwrap();
            assert_eq!(topology.subtree_span(word), span, "{d:?} {word}");
            let chain = climb(d, word);
            assert_eq!(topology.ancestors(word), chain, "{d:?} {word}");
            let rooted = d[*chain.last().unwrap() as usize - 1] == 0;
            let depth = rooted.then_some(chain.len() as u32 - 1);
            assert_eq!(topology.depth(word), depth, "{d:?} {word}");
            words().for_each(|to| check_path(d, &topology, word, to));
        }
    }

    fn check_path(d: &[u32], topology: &Topology, from: u32, to: u32) {
        let (up, down) = (climb(d, from), climb(d, to));
        let linked = up.iter().any(|word| down.contains(word));
        let Some(path) = topology.path(from, to) else {
            assert!(!linked, "{d:?} {from} {to}");
            return;
        };
        assert_eq!((path[0], path[path.len() - 1]), (from, to), "{d:?}");
        for pair in path.windows(2) {
            let arc = |k: u32, h: u32| d[k as usize - 1] == h;
            assert!(arc(pair[0], pair[1]) || arc(pair[1], pair[0]), "{d:?} {path:?}");
        }
        let mut distinct = path.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), path.len(), "{d:?} {path:?}");
    }

    #[test]
    fn every_head_array_of_up_to_five_words() {
        for n in 0..=5u32 {
            for code in 0..(n + 1).pow(n) {
                let d: Vec<u32> = (0..n).map(|k| code / (n + 1).pow(k) % (n + 1)).collect();
                check(&d);
            }
        }
    }

    #[test]
    fn flags_of_odd_shapes() {
        let shape = |heads: &[u32]| Topology::new(&Heads::new(heads.to_vec()).unwrap());
        assert!(shape(&[2, 0]).is_tree());
        assert!(!shape(&[0, 0]).is_tree());
        assert!(!shape(&[2, 1, 0]).is_tree());
        assert!(!shape(&[]).is_tree());
        assert_eq!(shape(&[3, 2, 4, 1, 0]).cycles(), [vec![1, 3, 4], vec![2]]);
        assert_eq!(shape(&[2, 0, 0]).path(1, 3), None);
        assert_eq!(shape(&[2, 0, 2]).path(1, 3), Some(vec![1, 2, 3]));
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let n = 200_000;
        let topology = Topology::new(&Heads::new((0..n).collect()).unwrap());
        assert_eq!(topology.depth(n), Some(n - 1));
        assert_eq!(topology.path(1, n).map(|path| path.len()), Some(n as usize));
    }
}
