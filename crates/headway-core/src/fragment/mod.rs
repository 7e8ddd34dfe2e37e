//! The built-in corpus.

mod english;
mod features;
mod german;
mod lexicon;
mod rng;
