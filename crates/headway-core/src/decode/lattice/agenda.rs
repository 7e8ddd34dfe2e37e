//! Parsing with an agenda: the most promising items first, until there are enough trees.
//!
//! With bounds (see `outside`) an item is final when it is taken. With the paper's order it may
//! become better later; then it is put on the agenda again, and what was made of it is made
//! anew, so that without a limit the result is exact all the same.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::chart::Chart;
use super::item::{Item, Problem};
use super::outside::Outside;
use crate::decode::clock::Clock;

/// An item on the agenda with the score that it had then.
#[derive(Debug, Clone, Copy)]
struct Entry {
    priority: f32,
    score: f32,
    item: Task,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    Item(Item),
    /// A whole tree with this root.
    Goal(u32),
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let priority = self.priority.total_cmp(&other.priority);
        priority.then_with(|| other.item.cmp(&self.item)).then(self.score.total_cmp(&other.score))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// Items that were taken, by what they can be combined through.
#[derive(Debug, Default)]
struct Taken {
    /// By node: edges with a right half that ends there, and with a left half that begins there.
    right_at: Vec<Vec<u32>>,
    left_at: Vec<Vec<u32>>,
    /// By edge: nodes where its halves end.
    right_of: Vec<Vec<u32>>,
    left_of: Vec<Vec<u32>>,
    /// By edge: those that something is joined with, behind it and before it.
    behind: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
}

/// Memory that sentences leave to those after them.
#[derive(Debug, Default)]
pub struct Agenda {
    heap: BinaryHeap<Entry>,
    taken: Taken,
    /// Whether items were taken: right halves, left halves, joints.
    right: Vec<bool>,
    left: Vec<bool>,
    joint: Vec<bool>,
    joints: Vec<f32>,
    goals: Vec<f32>,
}

/// How an agenda ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    pub popped: u64,
    pub goals: usize,
    /// Whether time was up before there were enough trees.
    pub cut: bool,
}

impl Agenda {
    /// Bytes of its tables; what is on it comes on top, and grows with time.
    pub fn size(nodes: usize, edges: usize) -> usize {
        2 * nodes * edges + edges * edges * (1 + size_of::<f32>())
    }

    fn clear(&mut self, problem: &Problem<'_>) {
        let (nodes, edges) = (problem.lattice.nodes(), problem.lattice.edges.len());
        self.heap.clear();
        for (flags, size) in [
            (&mut self.right, nodes * edges),
            (&mut self.left, nodes * edges),
            (&mut self.joint, edges * edges),
        ] {
            flags.clear();
            flags.resize(size, false);
        }
        for (scores, size) in [(&mut self.joints, edges * edges), (&mut self.goals, edges)] {
            scores.clear();
            scores.resize(size, f32::NEG_INFINITY);
        }
        let taken = &mut self.taken;
        for (lists, size) in [
            (&mut taken.right_at, nodes),
            (&mut taken.left_at, nodes),
            (&mut taken.right_of, edges),
            (&mut taken.left_of, edges),
            (&mut taken.behind, edges),
            (&mut taken.before, edges),
        ] {
            lists.iter_mut().for_each(Vec::clear);
            lists.resize_with(size, Vec::new);
        }
    }
}

/// A search under way.
pub struct Searching<'a> {
    pub problem: Problem<'a>,
    pub outside: Outside,
    pub chart: &'a mut Chart,
    pub agenda: &'a mut Agenda,
}

/// Items between looks at the clock.
const BETWEEN: u64 = 1024;

impl Searching<'_> {
    /// Takes items until there were so many goals. None if time was up before the first.
    pub fn run(&mut self, goals: usize, clock: Clock<'_>) -> Option<Work> {
        let (edges, mut work) = (self.problem.lattice.edges.len(), Work::default());
        self.agenda.clear(&self.problem);
        for edge in 0..edges {
            self.offer_right(edge, self.problem.lattice.to(edge), 0.0);
            self.offer_left(self.problem.lattice.from(edge), edge, 0.0);
        }
        while let Some(entry) = self.agenda.heap.pop() {
            work.popped += 1;
            if work.popped.is_multiple_of(BETWEEN) && clock.is_up() {
                work.cut = true;
                break;
            }
            match entry.item {
                Task::Item(item) => self.take(item, entry.score),
                Task::Goal(root) => {
                    work.goals += usize::from(entry.score >= self.agenda.goals[root as usize]);
                }
            }
            if work.goals >= goals {
                break;
            }
        }
        (work.goals > 0).then_some(work)
    }

    /// Makes all that an item is part of, unless it has become better since.
    fn take(&mut self, item: Item, score: f32) {
        match item {
            Item::Right { head, to } => self.take_right(head as usize, to as usize, score),
            Item::Left { from, head } => self.take_left(from as usize, head as usize, score),
            Item::Joint { one, other } => self.take_joint(one as usize, other as usize, score),
            Item::Goal => {}
        }
    }

    fn take_right(&mut self, head: usize, to: usize, score: f32) {
        if score < self.chart.right(head, to) {
            return;
        }
        let place = head * self.problem.lattice.nodes() + to;
        if !std::mem::replace(&mut self.agenda.right[place], true) {
            self.agenda.taken.right_at[to].push(head as u32);
            self.agenda.taken.right_of[head].push(to as u32);
        }
        for at in 0..self.agenda.taken.left_at[to].len() {
            let other = self.agenda.taken.left_at[to][at] as usize;
            self.offer_joint(head, other, score + self.chart.left(to, other));
        }
        for at in 0..self.agenda.taken.before[head].len() {
            let parent = self.agenda.taken.before[head][at] as usize;
            self.offer_right(parent, to, self.chart.right_arc(parent, head) + score);
        }
        if to == self.problem.lattice.end() {
            self.offer_goal(head);
        }
    }

    fn take_left(&mut self, from: usize, head: usize, score: f32) {
        if score < self.chart.left(from, head) {
            return;
        }
        let place = head * self.problem.lattice.nodes() + from;
        if !std::mem::replace(&mut self.agenda.left[place], true) {
            self.agenda.taken.left_at[from].push(head as u32);
            self.agenda.taken.left_of[head].push(from as u32);
        }
        for at in 0..self.agenda.taken.right_at[from].len() {
            let one = self.agenda.taken.right_at[from][at] as usize;
            self.offer_joint(one, head, self.chart.right(one, from) + score);
        }
        for at in 0..self.agenda.taken.behind[head].len() {
            let parent = self.agenda.taken.behind[head][at] as usize;
            self.offer_left(from, parent, self.chart.left_arc(parent, head) + score);
        }
        if from == 0 {
            self.offer_goal(head);
        }
    }

    fn take_joint(&mut self, one: usize, other: usize, score: f32) {
        let place = one * self.problem.lattice.edges.len() + other;
        if score < self.agenda.joints[place] {
            return;
        }
        if !std::mem::replace(&mut self.agenda.joint[place], true) {
            self.agenda.taken.behind[one].push(other as u32);
            self.agenda.taken.before[other].push(one as u32);
        }
        let (right, left) = self.chart.set_joint(&self.problem, one, other, score);
        if right > f32::NEG_INFINITY {
            for at in 0..self.agenda.taken.right_of[other].len() {
                let to = self.agenda.taken.right_of[other][at] as usize;
                self.offer_right(one, to, right + self.chart.right(other, to));
            }
        }
        if left > f32::NEG_INFINITY {
            for at in 0..self.agenda.taken.left_of[one].len() {
                let from = self.agenda.taken.left_of[one][at] as usize;
                self.offer_left(from, other, left + self.chart.left(from, one));
            }
        }
    }

    fn offer_right(&mut self, head: usize, to: usize, score: f32) {
        if score > self.chart.right(head, to) {
            self.chart.set_right(head, to, score);
            let item = Item::Right { head: head as u32, to: to as u32 };
            self.push(item, score, self.outside.of_half(&self.problem, item, head));
        }
    }

    fn offer_left(&mut self, from: usize, head: usize, score: f32) {
        if score > self.chart.left(from, head) {
            self.chart.set_left(from, head, score);
            let item = Item::Left { from: from as u32, head: head as u32 };
            self.push(item, score, self.outside.of_half(&self.problem, item, head));
        }
    }

    /// An arc in either direction may follow: the better one counts.
    fn offer_joint(&mut self, one: usize, other: usize, score: f32) {
        let Searching { problem, outside, .. } = self;
        let place = one * problem.lattice.edges.len() + other;
        if score <= self.agenda.joints[place] {
            return;
        }
        self.agenda.joints[place] = score;
        let (right, left) = problem.arcs.pair(one, other);
        let right = problem.lattice.score(other) + right + outside.of_arc(problem, one, other, one);
        let left = problem.lattice.score(one) + left + outside.of_arc(problem, one, other, other);
        let item = Item::Joint { one: one as u32, other: other as u32 };
        self.push(item, score, right.max(left));
    }

    fn offer_goal(&mut self, root: usize) {
        let score = self.chart.goal(&self.problem, root);
        if score > self.agenda.goals[root] {
            self.agenda.goals[root] = score;
            let item = Task::Goal(root as u32);
            self.agenda.heap.push(Entry { priority: score, score, item });
        }
    }

    fn push(&mut self, item: Item, score: f32, around: f32) {
        let priority = score + around;
        if priority > f32::NEG_INFINITY {
            self.agenda.heap.push(Entry { priority, score, item: Task::Item(item) });
        }
    }
}
