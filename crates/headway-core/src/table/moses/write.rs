//! Rules as Moses' text tables.

use std::fmt::Write as _;
use std::path::Path;

use super::{BAR, Style};
use crate::error::snippet;
use crate::table::{Header, REORDERING_PREFIX, Rule, RuleSink, Structure, StructureKind, Symbol};
use crate::text::Output;
use crate::{Error, Result, Vocabulary};

/// Writes `source ||| target ||| scores ||| links ||| counts ||| ||| properties`, and the
/// features named `reordering.…` into a table of their own if one is asked for. A dependency
/// structure becomes the property `{{Dependency …}}`, which Moses passes over.
pub struct MosesWriter {
    style: Style,
    table: Option<Output>,
    reordering: Option<Output>,
    header: Header,
    /// Which features go to the table, and which to the reordering table.
    columns: [Vec<usize>; 2],
    line: String,
    /// Where the reordering table has one line for each source side: the one written last, and
    /// its scores.
    by_source: Option<(Vec<Symbol>, Vec<f32>)>,
}

impl MosesWriter {
    pub fn create(path: &Path, reordering: Option<&Path>, style: Style) -> Result<Self> {
        Ok(MosesWriter {
            style,
            table: Some(Output::create(path)?),
            reordering: reordering.map(Output::create).transpose()?,
            header: Header::default(),
            columns: [Vec::new(), Vec::new()],
            line: String::new(),
            by_source: None,
        })
    }

    /// The reordering table gets one line for each source side, as Moses has it for models that
    /// are conditioned on the source side alone.
    pub fn reordering_by_source(mut self) -> Self {
        self.by_source = Some(Default::default());
        self
    }

    fn reordering_line(&mut self, rule: &Rule) -> Result<()> {
        if let Some((source, scores)) = &mut self.by_source {
            let column = |&column: &usize| rule.features.get(column).copied().unwrap_or(0.0);
            let values: Vec<f32> = self.columns[1].iter().map(column).collect();
            if *source == rule.source {
                return if *scores == values { Ok(()) } else { Err(differ()) };
            }
            (*source, *scores) = (rule.source.clone(), values);
            self.line.clear();
            push_side(&mut self.line, &rule.source, &self.header.source, self.style)?;
        } else {
            self.sides(rule)?;
        }
        self.scores(rule, 1);
        match &mut self.reordering {
            Some(reordering) => reordering.write_line(&self.line),
            None => Ok(()),
        }
    }

    fn sides(&mut self, rule: &Rule) -> Result<()> {
        self.line.clear();
        push_side(&mut self.line, &rule.source, &self.header.source, self.style)?;
        self.line.push_str(BAR);
        push_side(&mut self.line, &rule.target, &self.header.target, self.style)
    }

    fn scores(&mut self, rule: &Rule, file: usize) {
        for (index, &column) in self.columns[file].iter().enumerate() {
            self.line.push_str(if index == 0 { BAR } else { " " });
            push_number(&mut self.line, rule.features.get(column).copied().unwrap_or(0.0));
        }
        if self.columns[file].is_empty() {
            self.line.push_str(BAR.trim_end());
        }
    }

    fn table_line(&mut self, rule: &Rule) -> Result<()> {
        self.sides(rule)?;
        self.scores(rule, 0);
        self.line.push_str(BAR.trim_end());
        push_links(&mut self.line, rule, self.style);
        self.line.push_str(BAR.trim_end());
        if let Some(counts) = rule.counts {
            for count in [counts.target, counts.source, counts.joint] {
                self.line.push(' ');
                push_number(&mut self.line, count);
            }
        }
        self.line.push_str(" ||| |||");
        if let Some(structure) = &rule.structure {
            push_structure(&mut self.line, structure, &self.header.labels)?;
        }
        Ok(())
    }
}

impl RuleSink for MosesWriter {
    fn begin(&mut self, header: &Header) -> Result<()> {
        self.header = header.clone();
        let reordering =
            |&index: &usize| header.features[index].name.starts_with(REORDERING_PREFIX);
        let all = 0..header.features.len();
        self.columns = [
            all.clone().filter(|index| !reordering(index)).collect(),
            all.filter(reordering).collect(),
        ];
        if self.reordering.is_some() && self.columns[1].is_empty() {
            let message = "no reordering features in the table; leave out the reordering file";
            return Err(Error::setting(message));
        }
        Ok(())
    }

    fn rule(&mut self, rule: &Rule) -> Result<()> {
        self.table_line(rule)?;
        if let Some(table) = &mut self.table {
            table.write_line(&self.line)?;
        }
        if self.reordering.is_some() { self.reordering_line(rule) } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<()> {
        for output in [self.table.take(), self.reordering.take()].into_iter().flatten() {
            output.finish()?;
        }
        Ok(())
    }
}

fn differ() -> Error {
    Error::setting(
        "reordering scores differ among the rules of one source side: the model is conditioned on \
         both sides (fe), not on the source alone (f)",
    )
}

fn push_side(
    line: &mut String,
    symbols: &[Symbol],
    vocabulary: &Vocabulary,
    style: Style,
) -> Result<()> {
    for (place, &symbol) in symbols.iter().enumerate() {
        if place > 0 {
            line.push(' ');
        }
        match symbol {
            Symbol::Word(word) => {
                let word = vocabulary.word(word);
                check_word(word, style)?;
                line.push_str(word);
            }
            Symbol::Slot(_) if style == Style::Hierarchical => line.push_str("[X][X]"),
            Symbol::Slot(_) => {
                let message = "a rule with slots cannot stand in a Moses phrase table; \
                               write a hierarchical table";
                return Err(Error::setting(message));
            }
        }
    }
    if style == Style::Hierarchical {
        line.push_str(if symbols.is_empty() { "[X]" } else { " [X]" });
    }
    Ok(())
}

/// Words are written as they are, so some cannot be told from the format's own marks.
fn check_word(word: &str, style: Style) -> Result<()> {
    let like_slot = word.starts_with('[') && word.ends_with(']') && word.len() > 2;
    let unfit = word.is_empty()
        || word == "|||"
        || word.contains([' ', '\t', '\n', '\r', '\0'])
        || (style == Style::Hierarchical && like_slot);
    if unfit {
        let word = snippet(word.as_bytes());
        let message =
            format!("the word {word} has a meaning of its own in Moses tables; escape it");
        return Err(Error::setting(message));
    }
    Ok(())
}

/// Word links, and those of the slots where there are some: in the order of the target in
/// phrase tables, of the source in hierarchical ones, as Moses has them.
fn push_links(line: &mut String, rule: &Rule, style: Style) {
    let mut links = rule.links.clone();
    for (from, symbol) in rule.source.iter().enumerate() {
        if let Symbol::Slot(_) = symbol {
            let to = rule.target.iter().position(|other| other == symbol);
            links.extend(to.map(|to| (from as u8, to as u8)));
        }
    }
    match style {
        Style::Phrase => links.sort_unstable_by_key(|&(from, to)| (to, from)),
        Style::Hierarchical => links.sort_unstable(),
    }
    for (from, to) in links {
        let _ = write!(line, " {from}-{to}");
    }
}

/// The shortest text that reads as the same number, in the manner of C: with an exponent of
/// two digits if it is very small or large.
pub fn push_number(line: &mut String, number: f32) {
    if number == 0.0 || (1e-4..1e6).contains(&number.abs()) {
        let _ = write!(line, "{number}");
        return;
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if exponent.starts_with('-') { '-' } else { '+' };
    let _ = write!(line, "{digits}e{sign}{:0>2}", exponent.trim_start_matches('-'));
}

/// ` {{Dependency fixed-1 2,0,2 NOUN X VERB}}`: kind (with the head's place), heads, label of
/// the whole, labels of the slots.
fn push_structure(line: &mut String, structure: &Structure, labels: &Vocabulary) -> Result<()> {
    line.push_str(" {{Dependency ");
    let _ = match structure.kind {
        StructureKind::Fixed(place) => write!(line, "fixed-{place} "),
        StructureKind::FloatingLeft => write!(line, "left "),
        StructureKind::FloatingRight => write!(line, "right "),
    };
    for (place, head) in structure.heads.iter().enumerate() {
        let _ = write!(line, "{}{head}", if place > 0 { "," } else { "" });
    }
    for &label in [&structure.label].into_iter().chain(&structure.slot_labels) {
        let label = labels.word(label);
        if label.is_empty() || label.contains(|c: char| c.is_whitespace() || "{}|".contains(c)) {
            let label = snippet(label.as_bytes());
            let message = format!("the label {label} cannot stand in a Moses table; rename it");
            return Err(Error::setting(message));
        }
        line.push(' ');
        line.push_str(label);
    }
    line.push_str("}}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Counts, Feature};
    use std::fs;

    fn header() -> Header {
        let features = vec![Feature::probability("p"), Feature::probability("reordering.a")];
        let mut header = Header { features, ..Header::default() };
        header.source.add("Haus");
        header.target.add("house");
        header.target.add("the");
        header.labels.add("NOUN");
        header
    }

    fn rule() -> Rule {
        use crate::WordId;
        Rule {
            source: vec![Symbol::Slot(0), Symbol::Word(WordId(0))],
            target: vec![Symbol::Word(WordId(1)), Symbol::Word(WordId(0)), Symbol::Slot(0)],
            structure: Some(Structure {
                kind: StructureKind::Fixed(1),
                heads: vec![2, 0, 2],
                label: WordId(0),
                slot_labels: vec![WordId(0)],
            }),
            links: vec![(1, 1)],
            counts: Some(Counts { target: 4.0, source: 2.5, joint: 1.0 }),
            features: vec![0.25, 1.5e-7],
        }
    }

    #[test]
    fn a_rule_is_one_line_in_each_table() {
        let directory = tempfile::tempdir().unwrap();
        let [table, reordering] = ["t", "r"].map(|name| directory.path().join(name));
        let mut writer =
            MosesWriter::create(&table, Some(&reordering), Style::Hierarchical).unwrap();
        writer.begin(&header()).unwrap();
        writer.rule(&rule()).unwrap();
        writer.finish().unwrap();
        assert_eq!(
            fs::read_to_string(table).unwrap(),
            "[X][X] Haus [X] ||| the house [X][X] [X] ||| 0.25 ||| 0-2 1-1 ||| 4 2.5 1 ||| ||| \
             {{Dependency fixed-1 2,0,2 NOUN NOUN}}\n",
        );
        assert_eq!(
            fs::read_to_string(reordering).unwrap(),
            "[X][X] Haus [X] ||| the house [X][X] [X] ||| 1.5e-07\n",
        );
    }

    #[test]
    fn a_model_of_source_sides_has_one_line_for_each() {
        use crate::WordId;
        let directory = tempfile::tempdir().unwrap();
        let [table, reordering] = ["t", "r"].map(|name| directory.path().join(name));
        let writer = MosesWriter::create(&table, Some(&reordering), Style::Phrase).unwrap();
        let mut writer = writer.reordering_by_source();
        writer.begin(&header()).unwrap();
        let [source, one, other] = [0, 0, 1].map(|id| vec![Symbol::Word(WordId(id))]);
        let features = vec![0.5, 0.25];
        let rule = Rule { source, target: one, features, ..Rule::default() };
        writer.rule(&rule).unwrap();
        writer.rule(&Rule { target: other.clone(), ..rule.clone() }).unwrap();
        let wrong = Rule { target: other, features: vec![0.5, 0.75], ..rule };
        assert!(writer.rule(&wrong).unwrap_err().to_string().contains("differ"));
        writer.finish().unwrap();
        assert_eq!(fs::read_to_string(reordering).unwrap(), "Haus ||| 0.25\n");
    }

    #[test]
    fn what_the_format_cannot_say_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let mut writer =
            MosesWriter::create(&directory.path().join("t"), None, Style::Phrase).unwrap();
        writer.begin(&header()).unwrap();
        assert!(writer.rule(&rule()).unwrap_err().to_string().contains("hierarchical"));
        let mut odd = header();
        odd.source = Vocabulary::default();
        odd.source.add("|||");
        writer.begin(&odd).unwrap();
        let words = Rule { source: rule().source[1..].to_vec(), target: vec![], ..rule() };
        assert!(writer.rule(&words).unwrap_err().to_string().contains("\"|||\""));
    }
}
