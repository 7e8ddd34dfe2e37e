//! Which words are no words of the model.

use crate::container::{Container, ContainerWriter};
use crate::{Result, Vocabulary};

/// Words that are taken out: those with one of these tags, and those without a letter or digit.
///
/// Tags alone would not do, since treebanks have their own (`Z:-------------`, `(`, `...`); nor
/// would UPOS, which tagged text need not have and a tagger of other tags does not find.
#[derive(Debug, Clone)]
pub struct Punctuation {
    tags: Vocabulary,
}

impl Punctuation {
    pub fn new(tags: &[String]) -> Self {
        let mut known = Vocabulary::default();
        tags.iter().for_each(|tag| {
            known.add(tag);
        });
        Punctuation { tags: known }
    }

    pub fn has(&self, form: &str, tag: &str) -> bool {
        self.tags.get(tag).is_some() || !form.chars().any(char::is_alphanumeric)
    }

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        self.tags.write_sections(writer, "punct")
    }

    pub fn read_sections(container: &Container) -> Result<Self> {
        Ok(Punctuation { tags: Vocabulary::read_sections(container, "punct")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_forms_tell() {
        let punctuation = Punctuation::new(&["PUNCT".to_string(), "-LRB-".to_string()]);
        for (form, tag) in [
            ("-lrb-", "-LRB-"),
            (",", "Z:-------------"),
            ("。", "."),
            ("...", "..."),
            ("（", "("),
            ("x", "PUNCT"),
        ] {
            assert!(punctuation.has(form, tag), "{form} {tag}");
        }
        for (form, tag) in [("3", "NUM"), ("č", "Z:"), ("犬", "NN"), ("1.", "C=-------------")] {
            assert!(!punctuation.has(form, tag), "{form} {tag}");
        }
    }
}
