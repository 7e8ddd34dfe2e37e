//! One sentence of a CoNLL-U file.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::block::{Block, MAX_SENTENCE};
use super::format::Format;
use super::row::{Column, Row, RowId};
use crate::{Error, Result};

/// A sentence with everything that stood in the file, down to its line endings.
///
/// The text is the truth; rows only say where things are in it. Changing anything makes a new
/// text and reads it again, so a sentence is valid at all times.
#[derive(Debug, Clone)]
pub struct Sentence {
    text: String,
    comments: Vec<Range<u32>>,
    rows: Vec<Row>,
    words: u32,
    line: u64,
}

impl PartialEq for Sentence {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Sentence {}

/// One word to build a sentence from. Empty columns are written as `_`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    pub form: String,
    pub lemma: String,
    pub upos: String,
    pub xpos: String,
    pub feats: String,
    /// 0 is the root; None where no head is known.
    pub head: Option<u32>,
    pub deprel: String,
    pub deps: String,
    pub misc: String,
}

impl Sentence {
    pub(super) fn from_parts(
        text: String,
        comments: Vec<Range<u32>>,
        rows: Vec<Row>,
        words: u32,
    ) -> Self {
        Sentence { text, comments, rows, words, line: 1 }
    }

    pub(super) fn at_line(self, line: u64) -> Self {
        Sentence { line, ..self }
    }

    /// The line of the file where it starts: the first of its comments and rows.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The line of the file where one of its rows stands.
    pub fn row_line(&self, row: &Row) -> u64 {
        let start = |row: &Row| row.place(Column::Id).start;
        let comment = self.comments.first().map(|comment| comment.start as usize);
        let first = comment.into_iter().chain(self.rows.first().map(start)).min().unwrap_or(0);
        self.line + self.text[first..start(row)].matches('\n').count() as u64
    }

    /// Reads the text of one sentence, with or without the blank line at its end.
    pub fn parse(text: &str) -> Result<Self> {
        let place = Path::new("<text>");
        let mut block = Block::new(Format::default(), MAX_SENTENCE);
        if text.contains('\0') {
            return Err(Error::format(place, 1, "NUL character in the text of a sentence"));
        }
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            if block.is_full(line) {
                let message = "expected one sentence, found the start of a second one";
                return Err(Error::format(place, number, message));
            }
            block.push(line).map_err(|message| Error::format(place, number, message))?;
        }
        if block.is_blank() {
            return Err(Error::format(place, 1, "expected a sentence, found no line of one"));
        }
        block.finish(1).map_err(|flaw| Error::format(place, flaw.line, flaw.message))
    }

    /// A sentence of these words, numbered in order. Comments come with or without their `#`.
    ///
    /// Without any of either it still takes a line, an empty `# text`, so that line-aligned
    /// files stay aligned.
    pub fn from_words(comments: &[String], words: &[Word]) -> Result<Self> {
        let mut text = String::new();
        for comment in comments {
            check_comment(comment)?;
            text.push_str(if comment.starts_with('#') { "" } else { "# " });
            text.push_str(comment);
            text.push('\n');
        }
        if comments.is_empty() && words.is_empty() {
            text.push_str("# text =\n");
        }
        for (word, id) in words.iter().zip(1u32..) {
            let head = word.head.map(|head| head.to_string()).unwrap_or_default();
            let cells = [
                &id.to_string(),
                &word.form,
                &word.lemma,
                &word.upos,
                &word.xpos,
                &word.feats,
                &head,
                &word.deprel,
                &word.deps,
                &word.misc,
            ];
            push_row(&mut text, cells.map(String::as_str))?;
        }
        text.push('\n');
        Sentence::parse(&text)
    }

    /// The text of the sentence as it stands in its file, blank lines included.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Writes the sentence as it stands, with what must be there for another one to follow: a
    /// blank line at the end.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())?;
        out.write_all(self.missing_end().as_bytes())
    }

    /// The end of line and the blank line that the last sentence of a file may lack.
    pub(super) fn missing_end(&self) -> &'static str {
        let last = self.text.split_inclusive('\n').next_back().unwrap_or("");
        let missing = match (last.ends_with('\n'), last.trim_matches([' ', '\r', '\n']).is_empty())
        {
            (true, true) => 0,
            (true, false) | (false, true) => 1,
            (false, false) => 2,
        };
        match self.line_end() {
            "\n" => &"\n\n"[..missing],
            _ => &"\r\n\r\n"[..2 * missing],
        }
    }

    pub(super) fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// The number of words: not of rows, among which are also ranges and empty nodes.
    pub fn len(&self) -> usize {
        self.words as usize
    }

    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    /// All rows: words, ranges and empty nodes, in the order of the file.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows of the words alone: row k - 1 is that of word k.
    pub fn words(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| matches!(row.id, RowId::Word(_)))
    }

    /// What a column of one of its rows says.
    pub fn cell(&self, row: &Row, column: Column) -> &str {
        &self.text[row.place(column)]
    }

    /// The comments, each from its `#` on.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().map(|place| &self.text[place.start as usize..place.end as usize])
    }

    /// Where a comment is in the text, without and with its line ending.
    pub(super) fn comment_line(&self, index: usize) -> (Range<usize>, Range<usize>) {
        let place = &self.comments[index];
        let (start, end) = (place.start as usize, place.end as usize);
        let rest = &self.text[end..];
        let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        (start..end, start..end + line)
    }

    /// Where a comment after all others would start.
    pub(super) fn end_of_comments(&self) -> usize {
        match (self.comments.len().checked_sub(1), self.rows.first()) {
            (Some(last), _) => self.comment_line(last).1.end,
            (None, Some(row)) => row.place(Column::Id).start,
            (None, None) => self.text.len(),
        }
    }
}

pub(super) fn check_comment(comment: &str) -> Result<()> {
    if comment.contains(['\n', '\r', '\0']) {
        let message = "a comment is one line of text; put each line into a comment of its own";
        return Err(Error::setting(message));
    }
    Ok(())
}

/// Writes ten columns; empty ones become `_`.
pub(super) fn push_row(text: &mut String, cells: [&str; 10]) -> Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        check_cell(cell)?;
        text.push_str(if cell.is_empty() { "_" } else { cell });
        text.push(if index == 9 { '\n' } else { '\t' });
    }
    Ok(())
}

pub(super) fn check_cell(cell: &str) -> Result<()> {
    if cell.contains(['\t', '\n', '\r', '\0']) {
        let found = crate::error::snippet(cell.as_bytes());
        return Err(Error::setting(format!("a column cannot hold tabs or line ends: {found}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(form: &str, head: u32) -> Word {
        Word { form: form.into(), head: Some(head), ..Word::default() }
    }

    #[test]
    fn a_sentence_is_built_from_words() {
        let words = [word("Das", 2), word("Haus", 0)];
        let sentence = Sentence::from_words(&["text = Das Haus".into()], &words).unwrap();
        assert_eq!(
            sentence.as_str(),
            "# text = Das Haus\n1\tDas\t_\t_\t_\t_\t2\t_\t_\t_\n2\tHaus\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
        );
        assert_eq!(sentence.len(), 2);
        assert_eq!(sentence.comments().collect::<Vec<_>>(), ["# text = Das Haus"]);
    }

    #[test]
    fn words_that_cannot_be_written_are_refused() {
        assert!(Sentence::from_words(&[], &[word("a\tb", 0)]).is_err());
        assert!(Sentence::from_words(&["a\nb".into()], &[]).is_err());
        let error = Sentence::from_words(&[], &[word("a", 2)]).unwrap_err().to_string();
        assert!(error.starts_with("<text>:1: column 7 (HEAD): word 1: head 2"), "{error}");
    }

    #[test]
    fn a_missing_end_is_supplied_when_another_sentence_may_follow() {
        let row = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_";
        for (end, missing) in [
            ("", "\n\n"),
            ("\n", "\n"),
            ("\n\n", ""),
            ("\r\n", "\r\n"),
            ("\r\n\r\n", ""),
            ("\n ", "\n"),
        ] {
            let sentence = Sentence::parse(&format!("{row}{end}")).unwrap();
            assert_eq!(sentence.missing_end(), missing, "{end:?}");
        }
    }
}
