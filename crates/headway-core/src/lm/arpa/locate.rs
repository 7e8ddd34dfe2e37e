//! Finding an n-gram in a file again, to name its lines in a message.

use std::path::Path;

use super::line;
use crate::text::Lines;

/// The lines on which an n-gram stands for the first and the second time. None if it does
/// not, or if the file cannot be read a second time.
pub fn lines_of(path: &Path, words: &[&str]) -> Option<(u64, u64)> {
    if path.as_os_str() == "-" {
        return None;
    }
    let mut lines = Lines::open(path).ok()?;
    let title = format!("\\{}-grams:", words.len());
    let (mut inside, mut first) = (false, None);
    loop {
        let line = lines.next().ok()??;
        if line.starts_with('\\') {
            inside = line.trim() == title;
        } else if inside && line::columns(line).skip(1).take(words.len()).eq(words.iter().copied())
        {
            match first {
                None => first = Some(lines.number()),
                Some(first) => return Some((first, lines.number())),
            }
        }
    }
}
