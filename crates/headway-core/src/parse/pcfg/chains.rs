//! What stands between the ends of unary chains, which the grammar does not see.

use std::collections::BTreeMap;

use crate::Result;
use crate::container::{Container, ContainerWriter};
use crate::parse::multiclass::numbers;

/// Labels by their numbers: a phrase, and what it ends in: whether that is a tag, and its label.
type Ends = (u32, (bool, u32));

/// For the ends of each chain, how often which labels stood between.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chains {
    seen: BTreeMap<Ends, BTreeMap<Vec<u32>, u64>>,
}

impl Chains {
    pub fn count(&mut self, top: u32, bottom: (bool, u32), between: Vec<u32>) {
        *self.seen.entry((top, bottom)).or_default().entry(between).or_default() += 1;
    }

    /// The labels seen most often between two ends; of equals, the fewest.
    pub fn between(&self, top: u32, bottom: (bool, u32)) -> &[u32] {
        let seen = self.seen.get(&(top, bottom)).into_iter().flatten();
        let best = seen.max_by_key(|(labels, count)| (**count, std::cmp::Reverse(labels.len())));
        best.map_or(&[], |(labels, _)| labels)
    }

    /// Writes the most frequent chain of each pair of ends, unless it is a single step.
    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        writer.section("chains")?;
        for &(top, (is_tag, bottom)) in self.seen.keys() {
            let between = self.between(top, (is_tag, bottom));
            if between.is_empty() {
                continue;
            }
            let head = [top, u32::from(is_tag), bottom, between.len() as u32];
            writer.write(bytemuck::cast_slice(&head))?;
            writer.write(bytemuck::cast_slice(between))?;
        }
        Ok(())
    }

    /// None if they make no sense; `labels` is how many labels there are.
    pub fn read_sections(container: &Container, labels: usize) -> Result<Option<Self>> {
        let numbers = numbers::<u32>(container, "chains")?;
        let mut chains = Chains::default();
        let mut rest = &numbers[..];
        while let [top, is_tag, bottom, length, more @ ..] = rest {
            let Some((between, more)) = more.split_at_checked(*length as usize) else {
                return Ok(None);
            };
            let known = |label: &u32| (*label as usize) < labels;
            if ![top, bottom].into_iter().chain(between).all(known) {
                return Ok(None);
            }
            chains.count(*top, (*is_tag == 1, *bottom), between.to_vec());
            rest = more;
        }
        Ok(rest.is_empty().then_some(chains))
    }
}
