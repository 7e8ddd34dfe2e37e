//! Nanoseconds of a query against those of reading memory at random, which is its limit:
//!
//!     cargo run --release --example lm_query MODEL TEXT
//!
//! `benches/bench_lm_query.py` runs it and checks the scores.
#![allow(clippy::print_stdout)] // a program, not the library

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use headway_core::lm::{Boundaries, LanguageModel, words_of};
use headway_core::monitor::pool;
use headway_core::{Monitor, Result, WordId};

const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, model, text] = &arguments[..] else {
        println!("usage: lm_query MODEL TEXT");
        return Ok(());
    };
    let monitor = Monitor::default();
    let model = LanguageModel::load(Path::new(model), &monitor)?.into_memory()?;
    let text = std::fs::read_to_string(text).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let ids: Vec<Vec<WordId>> = lines
        .iter()
        .map(|line| words_of(line).map(|word| model.word_id(word)).chain([model.end()]).collect())
        .collect();
    let words: usize = ids.iter().map(Vec::len).sum();

    let one_by_one =
        best(words, || ids.iter().map(|sentence| score(&model, sentence)).sum::<f64>());
    let pool = pool(1)?;
    let batched = best(words, || {
        pool.install(|| model.score_sentences(&lines, Boundaries::default(), &monitor))
    });
    let (waiting, streaming) = random_access(model.size() as usize);
    println!("words {words}, model {} bytes", model.size());
    println!("one query after the other, by word ids: {one_by_one:.1} ns");
    println!("batched, from text: {batched:.1} ns");
    println!("random reads of as much memory, each after the last: {waiting:.1} ns");
    println!("random reads of as much memory, many at once: {streaming:.1} ns");
    Ok(())
}

fn score(model: &LanguageModel, sentence: &[WordId]) -> f64 {
    let mut state = model.begin_state();
    sentence.iter().map(|&word| f64::from(model.score(&mut state, word).log10_prob)).sum()
}

/// Nanoseconds per item in the best of some rounds.
fn best<R>(items: usize, mut work: impl FnMut() -> R) -> f64 {
    let round = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_nanos() as f64 / items as f64
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds of a read that must wait for the one before it, and of one that need not.
fn random_access(bytes: usize) -> (f64, f64) {
    const STEPS: usize = 2_000_000;
    let lines = (bytes / 64).max(2);
    // One cycle through all lines (Sattolo 1986), a number per line.
    let mut order: Vec<u32> = (0..lines as u32).collect();
    let mut random = 1_u64;
    for last in (1..lines).rev() {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, ((random >> 33) % last as u64) as usize);
    }
    let mut memory = vec![[0_u32; 16]; lines];
    for (&from, &to) in order.iter().zip(order.iter().cycle().skip(1)) {
        memory[from as usize][0] = to;
    }
    let waiting = best(STEPS, || (0..STEPS).fold(0_u32, |place, _| memory[place as usize][0]));
    let places = &order[..lines.min(STEPS)];
    let streaming = best(places.len(), || {
        places.iter().map(|&place| u64::from(memory[place as usize][0])).sum::<u64>()
    });
    (waiting, streaming)
}
