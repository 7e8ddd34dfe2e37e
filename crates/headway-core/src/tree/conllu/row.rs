//! One line of ten columns.

use crate::error::snippet;

/// The ten columns in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Id,
    Form,
    Lemma,
    Upos,
    Xpos,
    Feats,
    Head,
    Deprel,
    Deps,
    Misc,
}

pub const COLUMNS: [(Column, &str); 10] = [
    (Column::Id, "id"),
    (Column::Form, "form"),
    (Column::Lemma, "lemma"),
    (Column::Upos, "upos"),
    (Column::Xpos, "xpos"),
    (Column::Feats, "feats"),
    (Column::Head, "head"),
    (Column::Deprel, "deprel"),
    (Column::Deps, "deps"),
    (Column::Misc, "misc"),
];

impl Column {
    /// The column called `name`, in lower case as in `COLUMNS`.
    pub fn named(name: &str) -> Option<Self> {
        COLUMNS.iter().find(|(_, known)| *known == name).map(|&(column, _)| column)
    }
}

/// What the first column says a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowId {
    /// A word of the tree: `7`.
    Word(u32),
    /// A token that stands for several words: `7-8`.
    Range(u32, u32),
    /// A word that is only in the enhanced graph: `7.1`.
    Empty(u32, u32),
}

impl RowId {
    fn parse(text: &str) -> Option<Self> {
        if let Some((first, last)) = text.split_once('-') {
            return Some(RowId::Range(number(first)?, number(last)?));
        }
        if let Some((word, index)) = text.split_once('.') {
            return Some(RowId::Empty(number(word)?, number(index)?));
        }
        number(text).map(RowId::Word)
    }
}

/// Digits only: `str::parse` would also take `+7`.
fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// Where the columns of a row are in the text of its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    pub id: RowId,
    /// The head of a word; None where the column is `_`, and for ranges and empty nodes.
    pub head: Option<u32>,
    /// Where each column starts, and one past where the next would.
    bounds: [u32; 11],
}

impl Row {
    /// Reads `line` (without its ending), which stands at `start` of its sentence's text.
    pub(super) fn parse(line: &str, start: usize) -> Result<Self, String> {
        let bounds = split(line)?;
        let cell = |column: Column| &line[between(&bounds, column)];
        let id = cell(Column::Id);
        let Some(id) = RowId::parse(id) else {
            let found = snippet(id.as_bytes());
            return Err(format!("column 1 (ID): expected 7, 7-8 or 7.1, found {found}"));
        };
        if cell(Column::Form).is_empty() {
            return Err("column 2 (FORM) is empty; write _ where the form is unknown".into());
        }
        let head = match id {
            RowId::Word(_) => head(cell(Column::Head))?,
            _ => None,
        };
        Ok(Row { id, head, bounds: bounds.map(|bound| bound + start as u32) })
    }

    /// Where a column is in the text of the sentence.
    pub(super) fn place(&self, column: Column) -> std::ops::Range<usize> {
        between(&self.bounds, column)
    }
}

fn between(bounds: &[u32; 11], column: Column) -> std::ops::Range<usize> {
    let column = column as usize;
    bounds[column] as usize..bounds[column + 1] as usize - 1
}

/// The starts of ten tab-separated columns, and one past the end.
fn split(line: &str) -> Result<[u32; 11], String> {
    let mut bounds = [0; 11];
    let mut columns = 1;
    for (at, byte) in line.bytes().enumerate() {
        if byte == b'\t' {
            if let Some(bound) = bounds.get_mut(columns) {
                *bound = at as u32 + 1;
            }
            columns += 1;
        }
    }
    if columns != 10 {
        let s = if columns == 1 { "" } else { "s" };
        let hint = if columns < 10 && line.contains("  ") { " (separated by spaces?)" } else { "" };
        let found = snippet(line.as_bytes());
        return Err(format!(
            "expected 10 columns separated by tabs, found {columns} column{s}{hint} in {found}"
        ));
    }
    bounds[10] = line.len() as u32 + 1;
    Ok(bounds)
}

fn head(text: &str) -> Result<Option<u32>, String> {
    if text == "_" {
        return Ok(None);
    }
    match number(text) {
        Some(head) => Ok(Some(head)),
        None => {
            let found = snippet(text.as_bytes());
            Err(format!("column 7 (HEAD): expected 0, the number of a word or _, found {found}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_where_they_stand() {
        let line = "7\tà\t\t_\t_\t_\t3\tx\t_\tlast";
        let row = Row::parse(line, 0).unwrap();
        assert_eq!((row.id, row.head), (RowId::Word(7), Some(3)));
        assert_eq!(&line[row.place(Column::Form)], "à");
        assert_eq!(&line[row.place(Column::Lemma)], "");
        assert_eq!(&line[row.place(Column::Misc)], "last");
        assert_eq!(Row::parse(line, 5).unwrap().place(Column::Id), 5..6);
    }

    #[test]
    fn ids_are_words_ranges_or_empty_nodes() {
        assert_eq!(RowId::parse("12-13"), Some(RowId::Range(12, 13)));
        assert_eq!(RowId::parse("8.1"), Some(RowId::Empty(8, 1)));
        for bad in ["", "+1", "1-", "-1", "1.", "a", "1-2-3", "99999999999", "١"] {
            assert_eq!(RowId::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn bad_rows_say_what_was_expected() {
        let error = Row::parse("1\ta\t_\t_\t_\t_\t0\troot\t_", 0).unwrap_err();
        assert!(
            error.starts_with("expected 10 columns separated by tabs, found 9 columns"),
            "{error}"
        );
        let error = Row::parse("1\ta\t_\t_\t_\t_\tx\troot\t_\t_", 0).unwrap_err();
        assert!(error.contains("column 7 (HEAD)") && error.ends_with("\"x\""), "{error}");
        let error = Row::parse("1\t\t_\t_\t_\t_\t_\troot\t_\t_", 0).unwrap_err();
        assert!(error.contains("FORM"), "{error}");
    }
}
