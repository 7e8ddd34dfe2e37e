//! Asking models: words in context, sentences, partial strings.

mod chart;
#[cfg(test)]
pub(super) mod oracle;
mod score;
mod sentence;
mod state;

pub use chart::{ChartState, Piece};
pub use score::{WordScore, score_word};
pub use sentence::{Boundaries, SentenceScore, words_of};
pub use state::State;
