//! Hypotheses, and stacks in which equal ones recombine.

use hashbrown::HashTable;

pub const NONE: u32 = u32::MAX;
/// Stands for a first word that no later phrase can ask for.
pub const NO_START: i32 = i32::MIN;

/// A partial translation. Scores are sums of everything so far; `total` adds future cost.
#[derive(Debug, Clone, Copy)]
pub struct Hypothesis {
    pub total: f32,
    pub previous: u32,
    /// The last option; `NONE` at the start of a piece.
    pub choice: u32,
    pub lm: u32,
    pub coverage: u32,
    /// States of further features, as one number.
    pub extra: u32,
    /// The next of those that recombined into this one, worse ones.
    pub next: u32,
    /// The last phrase: first word, as far as it matters, and word after the last.
    pub start: i32,
    pub end: i32,
}

/// What must be equal for two hypotheses to be one.
pub trait Identity {
    fn hash(&self, hypothesis: &Hypothesis) -> u64;
    fn same(&self, one: &Hypothesis, other: &Hypothesis) -> bool;
}

/// Hypotheses that cover equally many words.
#[derive(Debug, Default)]
pub struct Stack {
    /// Places in the arena.
    pub members: Vec<u32>,
    /// Places in `members`, by what recombination looks at.
    table: HashTable<u32>,
    /// The total that a new member must reach.
    pub worst: f32,
}

impl Stack {
    pub fn clear(&mut self) {
        self.members.clear();
        self.table.clear();
        self.worst = f32::NEG_INFINITY;
    }

    /// Takes in a hypothesis; of equal ones the best stands for all. The others are kept in its
    /// list if `keep` says so.
    #[inline]
    pub fn insert(
        &mut self,
        arena: &mut Vec<Hypothesis>,
        identity: &impl Identity,
        mut new: Hypothesis,
        keep: bool,
    ) {
        let hash = identity.hash(&new);
        let Stack { members, table, .. } = self;
        let equal = |&place: &u32| identity.same(&arena[members[place as usize] as usize], &new);
        let Some(&place) = table.find(hash, equal) else {
            let place = members.len() as u32;
            members.push(arena.len() as u32);
            arena.push(new);
            table.insert_unique(hash, place, |&place| {
                identity.hash(&arena[members[place as usize] as usize])
            });
            return;
        };
        let old = members[place as usize];
        let better = new.total > arena[old as usize].total;
        if keep {
            let id = arena.len() as u32;
            if better {
                new.next = old;
                members[place as usize] = id;
            } else {
                new.next = arena[old as usize].next;
                arena[old as usize].next = id;
            }
            arena.push(new);
        } else if better {
            arena[old as usize] = new;
        }
    }

    /// Keeps the best `most`, and of these the ones within `threshold` of the best.
    pub fn prune(&mut self, arena: &[Hypothesis], most: usize, threshold: f32) {
        let total = |id: u32| arena[id as usize].total;
        let order = |a: &u32, b: &u32| total(*b).total_cmp(&total(*a)).then(a.cmp(b));
        if self.members.len() > most {
            self.members.select_nth_unstable_by(most - 1, order);
            self.members.truncate(most);
        }
        if threshold.is_finite() {
            let best = self.members.iter().map(|&id| total(id)).fold(f32::NEG_INFINITY, f32::max);
            self.members.retain(|&id| total(id) >= best - threshold);
        }
    }

    /// The same among those of each kind, which their coverage decides.
    pub fn prune_apart(
        &mut self,
        arena: &[Hypothesis],
        most: usize,
        threshold: f32,
        kind: impl Fn(u32) -> u32,
    ) {
        if self.members.len() <= most && !threshold.is_finite() {
            return;
        }
        let all = std::mem::take(&mut self.members);
        let kind_of = |id: u32| (kind(arena[id as usize].coverage), id);
        let mut all: Vec<(u32, u32)> = all.into_iter().map(kind_of).collect();
        all.sort_by_key(|&(kind, _)| kind);
        let mut kept = Vec::new();
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            self.members.extend(same.iter().map(|&(_, id)| id));
            self.prune(arena, most, threshold);
            kept.append(&mut self.members);
        }
        self.members = kept;
    }

    /// The same as `prune` while the stack is still being filled, once it holds twice as many.
    pub fn prune_early(&mut self, arena: &[Hypothesis], most: usize, identity: &impl Identity) {
        if self.members.len() < most.saturating_mul(2) {
            return;
        }
        self.prune(arena, most, f32::INFINITY);
        let totals = self.members.iter().map(|&id| arena[id as usize].total);
        self.worst = totals.fold(f32::INFINITY, f32::min);
        let Stack { members, table, .. } = self;
        table.clear();
        let hash = |place: &u32| identity.hash(&arena[members[*place as usize] as usize]);
        for place in 0..members.len() as u32 {
            table.insert_unique(hash(&place), place, hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_pruned_apart() {
        let totals = [5.0, 4.0, 1.0, 3.0, 2.0, -9.0];
        let hypothesis = |(at, &total): (usize, &f32)| Hypothesis {
            total,
            previous: NONE,
            choice: NONE,
            lm: 0,
            coverage: at as u32,
            extra: 0,
            next: NONE,
            start: 0,
            end: 0,
        };
        let arena: Vec<Hypothesis> = totals.iter().enumerate().map(hypothesis).collect();
        let kept = |most: usize, threshold: f32, kind: fn(u32) -> u32| {
            let mut stack = Stack { members: (0..6).collect(), ..Stack::default() };
            stack.prune_apart(&arena, most, threshold, kind);
            stack.members.sort_unstable();
            stack.members
        };
        assert_eq!(kept(2, f32::INFINITY, |_| 0), [0, 1]);
        assert_eq!(kept(2, f32::INFINITY, |coverage| coverage / 3), [0, 1, 3, 4]);
        assert_eq!(kept(6, 1.5, |coverage| coverage / 3), [0, 1, 3, 4]);
        assert_eq!(kept(6, f32::INFINITY, |_| unreachable!()).len(), 6);
    }
}
