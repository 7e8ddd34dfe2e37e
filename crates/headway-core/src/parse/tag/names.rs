//! Tags of two columns in one: a fine tag, a tab, a coarse one (`VBZ⇥AUX`).
//!
//! A parser of English that learns both columns knows auxiliaries from verbs and conjunctions
//! from prepositions, which the tags of the Penn Treebank do not tell apart.

const SEPARATOR: char = '\t';

/// One tag of two; just one of them where the other is missing.
pub fn joined(fine: &str, coarse: &str) -> String {
    match (fine, coarse) {
        (fine, "_" | "") => fine.to_string(),
        ("_" | "", coarse) => coarse.to_string(),
        (fine, coarse) => format!("{fine}{SEPARATOR}{coarse}"),
    }
}

/// The fine tag: all of a tag that is not joined.
pub fn fine_name(tag: &str) -> &str {
    tag.split_once(SEPARATOR).map_or(tag, |(fine, _)| fine)
}

/// The coarse tag: its first two letters where a tag is not joined.
pub fn coarse_name(tag: &str) -> &str {
    let start = |tag: &str| tag.char_indices().nth(2).map_or(tag.len(), |(at, _)| at);
    tag.split_once(SEPARATOR).map_or_else(|| &tag[..start(tag)], |(_, coarse)| coarse)
}

/// The coarse tag if there is one.
pub fn coarse_part(tag: &str) -> Option<&str> {
    tag.split_once(SEPARATOR).map(|(_, coarse)| coarse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_tags_come_apart() {
        let both = joined("VBZ", "AUX");
        assert_eq!((fine_name(&both), coarse_name(&both)), ("VBZ", "AUX"));
        assert_eq!((fine_name("NNPS"), coarse_name("NNPS")), ("NNPS", "NN"));
        assert_eq!((joined("_", "X").as_str(), joined("N", "_").as_str()), ("X", "N"));
        assert_eq!((coarse_name("名詞類"), coarse_part("NN")), ("名詞", None));
    }
}
