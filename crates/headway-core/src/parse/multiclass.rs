//! A linear model over classes, learnt as an averaged perceptron: taggers and labellers.
//!
//! Features are 64-bit keys. A feature has weights only for the classes that some update gave
//! it, so rows are short and unseen features cost one look-up.

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::container::{Container, ContainerWriter};
use crate::{Error, Result};

/// The weight of one class in a row, now and summed over time.
#[derive(Debug, Clone, Copy)]
struct Entry {
    class: u16,
    weight: f32,
    average: f32,
}

/// What is being learnt.
pub struct Learner {
    index: HashTable<u32>,
    keys: Vec<u64>,
    rows: Vec<SmallVec<[Entry; 3]>>,
    /// How much of the training is still to come: the share that a change has in the average.
    remaining: f32,
}

/// Something that gives each class a score by the features present.
pub trait Scores {
    /// Adds the weights of a feature to the scores of the classes.
    fn add(&self, key: u64, scores: &mut [f32]);
}

impl Learner {
    pub fn new() -> Self {
        Learner { index: HashTable::new(), keys: Vec::new(), rows: Vec::new(), remaining: 1.0 }
    }

    /// Says how far training is: `done` of `total` steps.
    pub fn at(&mut self, done: u64, total: u64) {
        self.remaining = (total - done.min(total)) as f32 / total.max(1) as f32;
    }

    /// Changes the weight of a feature for a class.
    pub fn update(&mut self, key: u64, class: u16, change: f32) {
        let remaining = self.remaining;
        let row = self.row(key);
        match row.iter_mut().find(|entry| entry.class == class) {
            Some(entry) => {
                entry.weight += change;
                entry.average += change * remaining;
            }
            None => row.push(Entry { class, weight: change, average: change * remaining }),
        }
    }

    fn row(&mut self, key: u64) -> &mut SmallVec<[Entry; 3]> {
        let Learner { index, keys, rows, .. } = self;
        let found = index.find(key, |&row| keys[row as usize] == key).copied();
        let row = found.unwrap_or_else(|| {
            let row = keys.len() as u32;
            keys.push(key);
            rows.push(SmallVec::new());
            index.insert_unique(key, row, |&row| keys[row as usize]);
            row
        });
        &mut rows[row as usize]
    }

    /// The averaged model.
    pub fn finish(self) -> Multiclass {
        let mut model = Multiclass::default();
        for (&key, row) in self.keys.iter().zip(&self.rows) {
            let kept = row.iter().filter(|entry| entry.average.abs() > SMALLEST);
            let start = model.weights.len() as u32;
            let weight = |entry: &Entry| Weight { class: entry.class, weight: entry.average };
            model.weights.extend(kept.map(weight));
            let end = model.weights.len() as u32;
            if end > start {
                model.rows.push(Row { key, start, end });
            }
        }
        model.indexed()
    }
}

/// Averages below this decide nothing and are not kept.
const SMALLEST: f32 = 1e-3;

/// No weight is larger: sums of them stay finite.
const MOST_WEIGHT: f32 = 1e9;

impl Scores for Learner {
    fn add(&self, key: u64, scores: &mut [f32]) {
        if let Some(&row) = self.index.find(key, |&row| self.keys[row as usize] == key) {
            for entry in &self.rows[row as usize] {
                scores[entry.class as usize] += entry.weight;
            }
        }
    }
}

/// What was learnt.
#[derive(Debug, Clone, Default)]
pub struct Multiclass {
    /// The row of each key: all that is needed to get at it lies side by side.
    index: HashTable<Row>,
    rows: Vec<Row>,
    weights: Vec<Weight>,
}

/// A feature, and which weights are its own.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: u64,
    start: u32,
    end: u32,
}

#[derive(Debug, Clone, Copy)]
struct Weight {
    class: u16,
    weight: f32,
}

impl Scores for Multiclass {
    #[inline]
    fn add(&self, key: u64, scores: &mut [f32]) {
        if let Some(row) = self.index.find(key, |row| row.key == key) {
            for one in &self.weights[row.start as usize..row.end as usize] {
                scores[one.class as usize] += one.weight;
            }
        }
    }
}

impl Multiclass {
    /// Whether a feature has weights.
    pub fn has(&self, key: u64) -> bool {
        self.index.find(key, |row| row.key == key).is_some()
    }

    fn indexed(mut self) -> Self {
        self.index = HashTable::with_capacity(self.rows.len());
        for &row in &self.rows {
            self.index.insert_unique(row.key, row, |row| row.key);
        }
        self
    }

    pub fn write_sections(&self, writer: &mut ContainerWriter, name: &str) -> Result<()> {
        let keys: Vec<u64> = self.rows.iter().map(|row| row.key).collect();
        let ends: Vec<u32> = self.rows.iter().map(|row| row.end).collect();
        let classes: Vec<u16> = self.weights.iter().map(|one| one.class).collect();
        let weights: Vec<f32> = self.weights.iter().map(|one| one.weight).collect();
        let sections: [(&str, &[u8]); 4] = [
            ("keys", bytemuck::cast_slice(&keys)),
            ("ends", bytemuck::cast_slice(&ends)),
            ("class", bytemuck::cast_slice(&classes)),
            ("weight", bytemuck::cast_slice(&weights)),
        ];
        for (part, bytes) in sections {
            writer.section(&format!("{name}-{part}"))?;
            writer.write(bytes)?;
        }
        Ok(())
    }

    /// The counterpart of `write_sections`, for `classes` classes.
    pub fn read_sections(container: &Container, name: &str, classes: usize) -> Result<Self> {
        let keys: Vec<u64> = numbers(container, &format!("{name}-keys"))?;
        let ends: Vec<u32> = numbers(container, &format!("{name}-ends"))?;
        let class: Vec<u16> = numbers(container, &format!("{name}-class"))?;
        let weight: Vec<f32> = numbers(container, &format!("{name}-weight"))?;
        let whole = ends.last().copied().unwrap_or(0) as usize == class.len()
            && ends.is_sorted()
            && keys.len() == ends.len()
            && class.len() == weight.len()
            && class.iter().all(|&class| (class as usize) < classes)
            && weight.iter().all(|weight| weight.abs() <= MOST_WEIGHT);
        if !whole {
            return Err(Error::model(container.path(), format!("the {name} in it is damaged")));
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let row = |((&key, start), &end)| Row { key, start, end };
        let rows = keys.iter().zip(starts).zip(&ends).map(row).collect();
        let weights = class.into_iter().zip(weight);
        let weights = weights.map(|(class, weight)| Weight { class, weight }).collect();
        Ok(Multiclass { index: HashTable::new(), rows, weights }.indexed())
    }
}

/// A section as numbers.
pub fn numbers<T: bytemuck::AnyBitPattern>(container: &Container, name: &str) -> Result<Vec<T>> {
    let bytes = container.section(name)?;
    let size = size_of::<T>();
    if bytes.len() % size != 0 {
        return Err(Error::model(container.path(), format!("section \"{name}\" is damaged")));
    }
    Ok(bytes.chunks_exact(size).map(bytemuck::pod_read_unaligned).collect())
}

#[cfg(test)]
pub mod testing {
    use super::Scores;
    use crate::random::Random;

    /// A model with random weights for whatever is asked.
    pub struct Noise(pub u64);

    impl Scores for Noise {
        fn add(&self, key: u64, scores: &mut [f32]) {
            let mut random = Random::new(self.0, key);
            scores.iter_mut().for_each(|score| *score += random.next_f64() as f32 - 0.5);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_weigh_changes_by_how_long_they_stood() {
        let mut learner = Learner::new();
        learner.at(0, 4);
        learner.update(7, 1, 1.0);
        learner.at(3, 4);
        learner.update(7, 1, 1.0);
        learner.update(7, 0, -1.0);
        let mut now = [0.0; 2];
        learner.add(7, &mut now);
        assert_eq!(now, [-1.0, 2.0]);
        let mut average = [0.0; 2];
        let model = learner.finish();
        model.add(7, &mut average);
        model.add(8, &mut average);
        assert_eq!(average, [-0.25, 1.25]);
    }
}
