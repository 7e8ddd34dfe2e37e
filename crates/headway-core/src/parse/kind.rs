//! Which parser a file holds.

use std::path::Path;

use crate::container::Container;
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParserKind {
    Graph,
    Transition,
    Dmv,
    Pcfg,
}

impl ParserKind {
    pub const ALL: [(&'static str, ParserKind); 4] = [
        ("graph", ParserKind::Graph),
        ("transition", ParserKind::Transition),
        ("dmv", ParserKind::Dmv),
        ("pcfg", ParserKind::Pcfg),
    ];

    /// The kind of the parser in a file, by the first bytes of it.
    pub fn of_file(path: &Path) -> Result<Self> {
        match Container::kind_of(path)?.as_deref() {
            Some("parser") => Ok(ParserKind::Graph),
            Some("steps") => Ok(ParserKind::Transition),
            Some("dmv") => Ok(ParserKind::Dmv),
            Some("pcfg") => Ok(ParserKind::Pcfg),
            Some(other) => {
                let message = format!("a headway {other} file where a parser is expected");
                Err(Error::model(path, message))
            }
            None => Err(Error::model(path, "not a headway parser file")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vocabulary;

    #[test]
    fn files_of_other_kinds_are_told() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let told = || ParserKind::of_file(&path).unwrap_err().to_string();
        assert!(told().contains("no such file"));
        std::fs::write(&path, "text").unwrap();
        assert!(told().ends_with("not a headway parser file"));
        Vocabulary::default().save(&path).unwrap();
        assert!(told().ends_with("a headway vocab file where a parser is expected"));
        assert!(
            ParserKind::of_file(directory.path()).unwrap_err().to_string().contains("directory")
        );
    }
}
