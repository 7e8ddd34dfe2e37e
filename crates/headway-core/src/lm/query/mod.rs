//! Asking models: words in context, sentences, partial strings.

#[cfg(test)]
mod oracle;
mod score;
mod state;

pub use score::{WordScore, score_word};
pub use state::State;
