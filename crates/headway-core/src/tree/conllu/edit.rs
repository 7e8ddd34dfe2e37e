//! Changing sentences: a new text is made and read, so what is wrong is refused and nothing
//! is half done.

use std::ops::Range;

use super::row::{Column, Row};
use super::sentence::{Sentence, check_cell, check_comment};
use crate::error::snippet;
use crate::{Error, Result};

impl Sentence {
    /// Writes `value` into a column of the row `index` of `rows()`; nothing is written as `_`.
    pub fn set(&mut self, index: usize, column: Column, value: &str) -> Result<()> {
        let Some(row) = self.rows().get(index) else {
            let rows = self.rows().len();
            return Err(Error::setting(format!("row {index} is out of range; there are {rows}")));
        };
        let place = row.place(column);
        self.replace([(place, value)])
    }

    /// Writes a column of all words: value k - 1 for word k.
    pub fn set_column(&mut self, column: Column, values: &[&str]) -> Result<()> {
        self.set_columns(&[column], &[values])
    }

    /// Writes several columns of all words at once. Columns come in their order.
    pub(super) fn set_columns(&mut self, columns: &[Column], values: &[&[&str]]) -> Result<()> {
        if let Some(wrong) = values.iter().find(|values| values.len() != self.len()) {
            let (words, found) = (self.len(), wrong.len());
            return Err(Error::setting(format!(
                "expected {words} values, one per word, found {found}"
            )));
        }
        let rows: Vec<Row> = self.words().copied().collect();
        let changes = rows.iter().enumerate().flat_map(|(word, row)| {
            let cells = columns.iter().zip(values);
            cells.map(move |(&column, values)| (row.place(column), values[word]))
        });
        self.replace(changes)
    }

    /// Sets `# key = value` (`# key` for an empty value), in its place if there is such a
    /// comment, else after the last one; None removes it.
    pub fn set_value(&mut self, key: &str, value: Option<&str>) -> Result<()> {
        let comment = match value {
            Some("") => format!("# {key}"),
            Some(value) => format!("# {key} = {value}"),
            None => String::new(),
        };
        check_comment(&comment)?;
        if key.is_empty() || key.contains('=') || key.trim() != key {
            let message = "expected a key without = and spaces around it, found";
            return Err(Error::setting(format!("{message} {}", snippet(key.as_bytes()))));
        }
        let known = self.comment_with(key).map(|index| self.comment_line(index));
        let (place, text) = match (known, value) {
            (None, None) => return Ok(()),
            (Some((_, line)), None) => (line, comment),
            (Some((content, _)), Some(_)) => (content, comment),
            (None, Some(_)) => {
                let at = self.end_of_comments();
                let open = at == self.as_str().len() && !self.as_str().ends_with('\n');
                let before = if open { self.line_end() } else { "" };
                (at..at, [before, &comment, self.line_end()].concat())
            }
        };
        self.splice(place, &text)
    }

    /// Puts `changes`, in the order of their places, into the text.
    fn replace<'a>(
        &mut self,
        changes: impl IntoIterator<Item = (Range<usize>, &'a str)>,
    ) -> Result<()> {
        let old = self.as_str();
        let mut text = String::with_capacity(old.len());
        let mut copied = 0;
        for (place, value) in changes {
            check_cell(value)?;
            text.push_str(&old[copied..place.start]);
            text.push_str(if value.is_empty() { "_" } else { value });
            copied = place.end;
        }
        text.push_str(&old[copied..]);
        self.reread(&text)
    }

    fn splice(&mut self, place: Range<usize>, new: &str) -> Result<()> {
        let old = self.as_str();
        let text = [&old[..place.start], new, &old[place.end..]].concat();
        self.reread(&text)
    }

    fn reread(&mut self, text: &str) -> Result<()> {
        let line = self.line();
        *self = Sentence::parse(text)?.at_line(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a = 1\r\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\r\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\r\n\
                        2\tb\t_\t_\t_\t_\t1\t_\t_\t_\r\n\r\n";

    #[test]
    fn cells_change_and_all_else_stays() {
        let mut sentence = Sentence::parse(TEXT).unwrap();
        sentence.set(1, Column::Upos, "NOUN").unwrap();
        assert_eq!(sentence.as_str(), TEXT.replace("1\ta\t_\t_", "1\ta\t_\tNOUN"));
        sentence.set(1, Column::Upos, "").unwrap();
        assert_eq!(sentence.as_str(), TEXT);
        sentence.set_column(Column::Head, &["2", "0"]).unwrap();
        assert_eq!(sentence.words().map(|row| row.head).collect::<Vec<_>>(), [Some(2), Some(0)]);
    }

    #[test]
    fn a_refused_change_changes_nothing() {
        let mut sentence = Sentence::parse(TEXT).unwrap();
        assert!(sentence.set(1, Column::Head, "3").is_err());
        assert!(sentence.set(1, Column::Id, "5").is_err());
        assert!(sentence.set(1, Column::Form, "a\tb").is_err());
        assert!(sentence.set(9, Column::Form, "a").is_err());
        assert!(sentence.set_column(Column::Form, &["a"]).is_err());
        assert!(sentence.set_value("b", Some("x\ny")).is_err());
        assert!(sentence.set_value("b = c", Some("x")).is_err());
        assert_eq!(sentence.as_str(), TEXT);
    }

    #[test]
    fn comments_are_set_added_and_removed() {
        let mut sentence = Sentence::parse(TEXT).unwrap();
        sentence.set_value("a", Some("2")).unwrap();
        sentence.set_value("b", Some("")).unwrap();
        assert!(sentence.as_str().starts_with("# a = 2\r\n# b\r\n1-2\t"));
        sentence.set_value("a", None).unwrap();
        sentence.set_value("b", None).unwrap();
        sentence.set_value("c", None).unwrap();
        assert!(sentence.as_str().starts_with("1-2\t"));
        sentence.set_value("a", Some("1")).unwrap();
        assert_eq!(sentence.as_str(), TEXT);
        let mut sentence = Sentence::parse("# open").unwrap();
        sentence.set_value("b", Some("1")).unwrap();
        assert_eq!(sentence.as_str(), "# open\n# b = 1\n");
    }
}
