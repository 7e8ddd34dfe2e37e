//! Classes of words by how they look: what is known about words that training has not seen.

/// The classes of a word, from the one that tells most to the one of all words: its shape with
/// its last three, two and one letters, its shape alone.
pub fn classes(word: &str, first: bool) -> Vec<String> {
    let shape = shape(word, first);
    let lower = word.to_lowercase();
    let starts: Vec<usize> = lower.char_indices().map(|(at, _)| at).collect();
    let mut classes = Vec::new();
    for length in (1..=3).rev().filter(|&length| length < starts.len()) {
        let ending = &lower[starts[starts.len() - length]..];
        if ending.chars().all(char::is_alphabetic) {
            classes.push(format!("{shape} {ending}"));
        }
    }
    classes.push(shape);
    classes.push(String::new());
    classes
}

/// Which kinds of characters there are. A capital says less at the beginning of a sentence.
fn shape(word: &str, first: bool) -> String {
    let has = |kind: fn(char) -> bool| word.chars().any(kind);
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    let later = word.chars().skip(1).any(char::is_uppercase);
    let mut shape = match (capital, later, has(char::is_lowercase)) {
        (true, true, false) => "caps",
        (_, true, _) => "mixed",
        (true, false, _) if first => "first",
        (true, false, _) => "capital",
        (false, false, true) => "small",
        (false, false, false) => "none",
    }
    .to_string();
    for (name, there) in [
        ("-digit", has(char::is_numeric)),
        ("-hyphen", has(|c| c == '-')),
        ("-dot", has(|c| c == '.')),
        ("-other", has(|c| !c.is_alphanumeric() && c != '-' && c != '.')),
    ] {
        shape.push_str(if there { name } else { "" });
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_go_from_endings_to_everything() {
        let told = ["small ing", "small ng", "small g", "small", ""];
        assert_eq!(classes("walking", false), told);
        assert_eq!(classes("Ed", true), ["first d", "first", ""]);
        assert_eq!(classes("Ed", false), ["capital d", "capital", ""]);
        assert_eq!(classes("1.5", false), ["none-digit-dot", ""]);
        assert_eq!(classes("IBM", false)[0], "caps bm");
        assert_eq!(classes("F-16s", false), ["capital-digit-hyphen s", "capital-digit-hyphen", ""]);
        assert_eq!(classes("", false), ["none", ""]);
    }
}
