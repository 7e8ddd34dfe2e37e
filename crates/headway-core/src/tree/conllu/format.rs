//! The tables of words that can be read and written, line by line.

use std::borrow::Cow;

use super::row::{Column, Row};
use super::sentence::{Sentence, push_row};
use crate::Result;
use crate::error::snippet;

/// A format with one word per line and a blank line after each sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    ConllU,
    /// Ten columns, of which the last two are PHEAD and PDEPREL; no comments, no ranges.
    ConllX,
    /// Three columns: word, tag, head.
    WordTagHead,
}

pub const FORMATS: [(&str, Format); 3] =
    [("conllu", Format::ConllU), ("conllx", Format::ConllX), ("dp", Format::WordTagHead)];

const PROJECTIVE_HEAD: &str = "PHEAD=";
const PROJECTIVE_LABEL: &str = "|PDEPREL=";

impl Format {
    /// The format called `name`: `conllu`, `conllx` or `dp`.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|(known, _)| *known == name).map(|&(_, format)| format)
    }

    /// The CoNLL-U row for a line of this format, where word `id` is expected.
    pub(super) fn row(self, line: &str, id: u32) -> std::result::Result<Cow<'_, str>, String> {
        match self {
            Format::ConllU => Ok(Cow::Borrowed(line)),
            Format::ConllX => Ok(row_from_conllx(line)),
            Format::WordTagHead => row_from_word_tag_head(line, id).map(Cow::Owned),
        }
    }

    /// The sentence in this format, with the blank line at its end. Only words go into the
    /// older formats: comments, ranges and empty nodes have no place there.
    pub(super) fn text(self, sentence: &Sentence) -> Result<Cow<'_, str>> {
        let mut text = String::new();
        match self {
            Format::ConllU => return Ok(Cow::Borrowed(sentence.as_str())),
            Format::ConllX => {
                for row in sentence.words() {
                    push_conllx(&mut text, sentence, row)?;
                }
            }
            Format::WordTagHead => {
                for row in sentence.words() {
                    push_word_tag_head(&mut text, sentence, row);
                }
            }
        }
        text.push('\n');
        Ok(Cow::Owned(text))
    }
}

/// The projective head and label have no column in CoNLL-U: they go to MISC.
fn row_from_conllx(line: &str) -> Cow<'_, str> {
    let mut columns: Vec<&str> = line.split('\t').collect();
    match columns[..] {
        [.., "_", "_"] => Cow::Borrowed(line),
        [_, _, _, _, _, _, _, _, head, label] => {
            let misc = format!("{PROJECTIVE_HEAD}{head}{PROJECTIVE_LABEL}{label}");
            columns.truncate(8);
            Cow::Owned(format!("{}\t_\t{misc}", columns.join("\t")))
        }
        _ => Cow::Borrowed(line), // wrong, and refused as such by the row
    }
}

fn row_from_word_tag_head(line: &str, id: u32) -> std::result::Result<String, String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[word, tag, head] = &columns[..] else {
        let (count, found) = (columns.len(), snippet(line.as_bytes()));
        return Err(format!(
            "expected word, tag and head separated by tabs, found {count} in {found}"
        ));
    };
    Ok(format!("{id}\t{word}\t_\t_\t{tag}\t_\t{head}\t_\t_\t_"))
}

fn push_conllx(text: &mut String, sentence: &Sentence, row: &Row) -> Result<()> {
    let cell = |column| sentence.cell(row, column);
    // A space would end a column for many readers of this format.
    let (form, lemma) =
        (cell(Column::Form).replace(' ', "_"), cell(Column::Lemma).replace(' ', "_"));
    let projective = cell(Column::Misc).strip_prefix(PROJECTIVE_HEAD);
    let projective = projective.and_then(|rest| rest.split_once(PROJECTIVE_LABEL));
    let (head, label) = projective.unwrap_or(("_", "_"));
    push_row(
        text,
        [
            cell(Column::Id),
            &form,
            &lemma,
            cell(Column::Upos),
            cell(Column::Xpos),
            cell(Column::Feats),
            cell(Column::Head),
            cell(Column::Deprel),
            head,
            label,
        ],
    )
}

/// The finer tag where there is one.
fn push_word_tag_head(text: &mut String, sentence: &Sentence, row: &Row) {
    let tag = match sentence.cell(row, Column::Xpos) {
        "_" => sentence.cell(row, Column::Upos),
        tag => tag,
    };
    for (cell, end) in [
        (sentence.cell(row, Column::Form), '\t'),
        (tag, '\t'),
        (sentence.cell(row, Column::Head), '\n'),
    ] {
        text.push_str(cell);
        text.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conllx_comes_back_as_it_was() {
        for line in ["1\ta\tb\tC\tD\te=f\t0\troot\t_\t_", "1\ta\t_\t_\t_\t_\t0\troot\t0\tx|y"] {
            let row = Format::ConllX.row(line, 1).unwrap();
            let sentence = Sentence::parse(&format!("{row}\n\n")).unwrap();
            assert_eq!(Format::ConllX.text(&sentence).unwrap(), format!("{line}\n\n"));
        }
    }

    #[test]
    fn three_columns_become_ten() {
        let row = Format::WordTagHead.row("#\t#\t0", 4).unwrap();
        assert_eq!(row, "4\t#\t_\t_\t#\t_\t0\t_\t_\t_");
        let error = Format::WordTagHead.row("a b", 1).unwrap_err();
        assert!(error.contains("word, tag and head"), "{error}");
    }

    #[test]
    fn only_words_go_to_older_formats() {
        let text = "# c\n1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tzu\t_\tADP\t_\t_\t2\tcase\t_\t_\n\
                    1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdem Haus\t_\tN\tNN\t_\t0\troot\t_\tx=y\n\n";
        let sentence = Sentence::parse(text).unwrap();
        assert_eq!(
            Format::ConllX.text(&sentence).unwrap(),
            "1\tzu\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tdem_Haus\t_\tN\tNN\t_\t0\troot\t_\t_\n\n"
        );
        assert_eq!(Format::WordTagHead.text(&sentence).unwrap(), "zu\tADP\t2\ndem Haus\tNN\t0\n\n");
    }
}
