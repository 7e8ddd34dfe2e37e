//! Consensus: what the derivations of one forest, or of several systems' forests, agree on.
//!
//! A `Lean` is a forest without what consensus does not need. `Expected` are its expected n-gram
//! counts by inside–outside with n-gram states (DeNero, Chiang & Knight 2009), `chances` the
//! probabilities that an n-gram stands in a translation once, twice and so on, `safest` the best
//! derivation under linear n-gram gains (Tromble et al. 2008; Kumar et al. 2009), and a `Vote`
//! describes the candidates of several systems by features (DeNero et al. 2010).

mod bounds;
mod chances;
mod expected;
mod gain;
mod grams;
mod lean;
mod safest;
#[cfg(test)]
mod tests;
mod vote;

pub use chances::chances;
pub use expected::Expected;
pub use gain::{Gain, LinearGains};
pub use lean::{Lean, Numbers};
pub use safest::{safest, safest_derivation};
pub use vote::{Ballot, Entry, Options, Vote, feature_names, votes};
