//! Asking models: words in context, sentences, partial strings.

mod score;
mod state;

pub use score::{WordScore, score_word};
pub use state::State;
