mod decoder;
mod settings;
mod source;
mod translation;

pub use decoder::{AddedFeatures, Decoder, OptionList, feature_names};
pub use settings::{check_search, search_features, search_kinds, search_settings};
pub use source::Source;
pub use translation::{Translation, rescore};
