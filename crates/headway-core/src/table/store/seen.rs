//! What is learnt about all rules while they pass by, where a sample would not do.

use super::coding::{COUNT_COLUMNS, COUNTS, STRUCTURE};
use super::survey::{Span, pair};
use crate::table::{Header, Rule, TRANSLATION_FEATURES};

#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Which kinds of rules there are.
    pub kinds: [bool; 4],
    /// By column: counts, then features.
    pub spans: Vec<Span>,
    /// Rules of one word a side: the pair, and lex(e|f) and lex(f|e).
    pub singles: Vec<(u64, [f32; 2])>,
}

/// Where lex(e|f) and lex(f|e) stand among the features.
pub fn lexical(header: &Header) -> [Option<usize>; 2] {
    let place = |name| header.features.iter().position(|feature| feature.name == name);
    [place(TRANSLATION_FEATURES[3]), place(TRANSLATION_FEATURES[1])]
}

pub fn kind(rule: &Rule) -> u64 {
    u64::from(rule.structure.is_some()) * STRUCTURE + u64::from(rule.counts.is_some()) * COUNTS
}

impl Seen {
    pub fn new(features: usize) -> Self {
        Seen { spans: vec![Span::default(); COUNT_COLUMNS + features], ..Seen::default() }
    }

    pub fn note(&mut self, rule: &Rule, lexical: [Option<usize>; 2]) {
        self.kinds[kind(rule) as usize] = true;
        if let Some(counts) = rule.counts {
            let counts = [counts.source, counts.joint, counts.target];
            self.spans.iter_mut().zip(counts).for_each(|(span, count)| span.add(count));
        }
        let spans = self.spans[COUNT_COLUMNS..].iter_mut();
        spans.zip(&rule.features).for_each(|(span, &value)| span.add(value));
        if rule.source.len() == 1 && rule.target.len() == 1 && rule.links.len() == 1 {
            let score = |feature: Option<usize>| feature.map_or(f32::NAN, |at| rule.features[at]);
            let scores = lexical.map(score);
            self.singles.extend(pair(rule, 0, 0).map(|pair| (pair, scores)));
        }
    }

    /// Words get new numbers: source words, target words.
    pub fn renumber(&mut self, numbers: &[Vec<u32>; 3]) {
        let [source, target, _] = numbers;
        for (pair, _) in &mut self.singles {
            let new = |numbers: &[u32], old: u64| u64::from(numbers[old as usize]);
            *pair = new(source, *pair >> 32) << 32 | new(target, *pair & u64::from(u32::MAX));
        }
    }
}
