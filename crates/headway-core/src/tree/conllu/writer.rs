//! Sentences into a file.

use std::path::Path;

use super::format::Format;
use super::sentence::Sentence;
use crate::Result;
use crate::text::Output;

/// Writes sentences as they stand. Where the end of one lacks its blank line, as the last of a
/// file may, the line is supplied once another follows.
pub struct Writer {
    output: Output,
    format: Format,
    owed: &'static str,
    started: bool,
}

impl Writer {
    pub fn create(path: &Path, format: Format) -> Result<Self> {
        Ok(Writer { output: Output::create(path)?, format, owed: "", started: false })
    }

    pub fn write(&mut self, sentence: &Sentence) -> Result<()> {
        self.output.write(self.owed.as_bytes())?;
        let text = self.format.text(sentence)?;
        // A byte order mark is one only at the start of a file.
        let text = if self.started { text.trim_start_matches('\u{feff}') } else { &text };
        self.output.write(text.as_bytes())?;
        self.started = true;
        self.owed = if self.format == Format::ConllU { sentence.missing_end() } else { "" };
        Ok(())
    }

    pub fn flush(&mut self) -> Result<()> {
        self.output.flush()
    }

    pub fn finish(self) -> Result<()> {
        self.output.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn blank_lines_are_supplied_between_sentences_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.conllu");
        let bare = Sentence::parse("\u{feff}1\ta\t_\t_\t_\t_\t0\t_\t_\t_").unwrap();
        let mut writer = Writer::create(&path, Format::ConllU).unwrap();
        writer.write(&bare).unwrap();
        writer.write(&bare).unwrap();
        writer.finish().unwrap();
        let row = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_";
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("\u{feff}{row}\n\n{row}"));
    }
}
