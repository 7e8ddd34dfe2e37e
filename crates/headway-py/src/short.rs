//! What Python prints of an object: one short line, however large the object is.

const MOST: usize = 100;

/// The text, or its beginning where it is long.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// The beginning of a list as `{:?}` shows it, and how long it is where it does not end there.
pub fn short_list<T: std::fmt::Debug>(items: &[T]) -> String {
    const FEW: usize = 12;
    if items.len() <= FEW {
        return short(&format!("{items:?}"));
    }
    let whole = format!("{:?}", &items[..FEW]);
    format!("{}, … {} in all]", short(whole.trim_end_matches(']')), items.len())
}
