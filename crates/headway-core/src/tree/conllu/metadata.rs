//! What comments say: `# key = value`.

use super::sentence::Sentence;

/// The key and the value of a comment; None for a comment without `=`.
fn entry(comment: &str) -> (&str, Option<&str>) {
    let content = comment.trim_start_matches('#');
    match content.split_once('=') {
        Some((key, value)) => (key.trim(), Some(value.trim())),
        None => (content.trim(), None),
    }
}

impl Sentence {
    /// The comments as keys and values, in their order: `# newpar` has no value.
    pub fn metadata(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.comments().map(entry)
    }

    /// The value of the first comment `# key = value`.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.metadata().find(|(known, _)| *known == key).and_then(|(_, value)| value)
    }

    /// Which comment has this key.
    pub(super) fn comment_with(&self, key: &str) -> Option<usize> {
        self.metadata().position(|(known, _)| known == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_keys_and_values() {
        let text = "# sent_id = a=b\n#text=  x  \n# newpar\n1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n\n";
        let sentence = Sentence::parse(text).unwrap();
        let metadata: Vec<_> = sentence.metadata().collect();
        assert_eq!(metadata, [("sent_id", Some("a=b")), ("text", Some("x")), ("newpar", None)]);
        assert_eq!(sentence.value("text"), Some("x"));
        assert_eq!(sentence.value("newpar"), None);
    }
}
