//! Tab-separated tables with comments.

/// The fields of each line that is no comment.
pub fn rows(text: &'static str) -> impl Iterator<Item = Row> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| Row(line.split('\t').collect()))
}

#[derive(Debug)]
pub struct Row(Vec<&'static str>);

impl Row {
    pub fn get(&self, column: usize) -> Result<&'static str, String> {
        self.0.get(column).copied().ok_or_else(|| self.wrong(&format!("no column {}", column + 1)))
    }

    pub fn rest(&self, column: usize) -> &[&'static str] {
        self.0.get(column..).unwrap_or_default()
    }

    /// A field in which - stands for nothing.
    pub fn optional(&self, column: usize) -> Result<Option<&'static str>, String> {
        self.get(column).map(|field| (field != "-").then_some(field))
    }

    pub fn wrong(&self, what: &str) -> String {
        format!("{what} in \"{}\"", self.0.join(" "))
    }
}
