//! The models that operations are scored by.

use std::sync::Arc;

use crate::classes::WordClasses;
use crate::lm::LanguageModel;

/// n-gram models over the operations of words and, where there is one, of their classes.
pub struct OperationModel {
    pub words: Arc<LanguageModel>,
    pub classes: Option<ClassOperations>,
}

/// A model over operations in which every word is its class.
pub struct ClassOperations {
    pub lm: Arc<LanguageModel>,
    pub source: WordClasses,
    pub target: WordClasses,
}

/// Stands for a word without a class.
pub const NO_CLASS: &str = "?";

/// The number of a word's class as text.
pub fn class_of(classes: &WordClasses, word: &str) -> String {
    classes.class(word).map_or_else(|| NO_CLASS.to_string(), |class| class.to_string())
}
