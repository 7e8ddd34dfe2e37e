//! The running text that a sentence was cut from.

use super::row::{Column, RowId};
use super::sentence::Sentence;

impl Sentence {
    /// The text as the tokens and their spacing in MISC have it: `SpaceAfter=No`, and
    /// UDPipe's `SpacesBefore`, `SpacesAfter` and `SpacesInToken`.
    pub fn surface(&self) -> String {
        let mut text = String::new();
        let mut covered = 0;
        let mut plain_space = false;
        for row in self.rows() {
            match row.id {
                RowId::Word(word) if word <= covered => continue,
                RowId::Range(_, last) => covered = last,
                RowId::Empty(..) => continue,
                RowId::Word(_) => {}
            }
            let misc = self.cell(row, Column::Misc);
            if let Some(spaces) = value(misc, "SpacesBefore") {
                push_unescaped(&mut text, spaces);
            }
            match value(misc, "SpacesInToken") {
                Some(token) => push_unescaped(&mut text, token),
                None => text.push_str(self.cell(row, Column::Form)),
            }
            plain_space = false;
            match value(misc, "SpacesAfter") {
                Some(spaces) => push_unescaped(&mut text, spaces),
                None if value(misc, "SpaceAfter") == Some("No") => {}
                None => {
                    text.push(' ');
                    plain_space = true;
                }
            }
        }
        if plain_space {
            text.pop(); // the one that would separate it from the next sentence
        }
        text
    }
}

fn value<'a>(misc: &'a str, key: &str) -> Option<&'a str> {
    let mut items = misc.split('|').filter_map(|item| item.split_once('='));
    items.find(|(known, _)| *known == key).map(|(_, value)| value)
}

fn push_unescaped(text: &mut String, escaped: &str) {
    let mut characters = escaped.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('s') => text.push(' '),
            Some('t') => text.push('\t'),
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('p') => text.push('|'),
            Some('u') => {
                let code: String = characters.by_ref().take(4).collect();
                let found = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                match found {
                    Some(character) => text.push(character),
                    None => text.extend(['u'].into_iter().chain(code.chars())),
                }
            }
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_is_taken_from_misc() {
        let row = |id: &str, form: &str, misc: &str| {
            format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n")
        };
        let text = [
            row("1-2", "zum", "x=y|SpaceAfter=No"),
            row("1", "zu", "_"),
            row("2", "dem", "_"),
            row("2.1", "leer", "_"),
            row("3", "Haus", "SpacesAfter=\\s\\n"),
            row("4", "10 000", "SpacesInToken=10\\s\\s000"),
            row("5", "!", "SpacesAfter=\\u00A0\\p\\\\"),
            row("6", "?", "_"),
        ];
        let sentence = Sentence::parse(&text.concat()).unwrap();
        assert_eq!(sentence.surface(), "zumHaus \n10  000 !\u{a0}|\\?");
    }
}
