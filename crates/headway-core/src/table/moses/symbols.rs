//! What the words of a line mean: slots, links between slots, glue rules, structures.

use super::key::Token;
use super::line::{Line, is_slot, non_terminal};
use crate::Vocabulary;
use crate::error::snippet;
use crate::table::{Structure, StructureKind};

/// Glue rules make or use the non-terminal S. Others than X and S are of syntax-based grammars.
pub fn is_glue(line: &Line<'_>) -> Result<bool, String> {
    let Some(left) = line.left else { return Ok(false) };
    let slots = line.source.iter().chain(&line.target).filter(|word| is_slot(word));
    let names: Vec<&str> = slots.filter_map(|word| non_terminal(word)).chain(left).collect();
    match names.iter().find(|&&name| name != "X" && name != "S") {
        Some(name) => {
            let name = snippet(name.as_bytes());
            Err(format!("the non-terminal {name} is not X; only hierarchical tables can be read"))
        }
        None => Ok(names.contains(&"S")),
    }
}

/// The words of a side, its slots numbered from the left.
pub fn tokens<'a>(words: &[&'a str], slots: bool) -> Vec<Token<'a>> {
    let mut next = 0..=u8::MAX;
    let token = |word: &&'a str| match slots && is_slot(word) {
        true => Token::Slot(next.next().unwrap_or(u8::MAX)),
        false => Token::Word(word),
    };
    words.iter().map(token).collect()
}

/// Gives target slots the numbers of the source slots they are linked to; answers the links
/// between words.
pub fn join_slots(
    source: &[Token<'_>],
    target: &mut [Token<'_>],
    links: &[(u8, u8)],
) -> Result<Vec<(u8, u8)>, String> {
    let count =
        |side: &[Token<'_>]| side.iter().filter(|token| matches!(token, Token::Slot(_))).count();
    let (expected, found) = (count(source), count(target));
    let (mut words, mut seen) = (Vec::new(), Vec::new());
    for &(from, to) in links {
        let (one, other) = (source[usize::from(from)], &mut target[usize::from(to)]);
        match (one, &other) {
            (Token::Word(_), Token::Word(_)) => words.push((from, to)),
            (Token::Slot(number), Token::Slot(_)) => {
                *other = Token::Slot(number);
                seen.push((number, to));
            }
            _ => return Err(format!("the link {from}-{to} joins a word and a slot")),
        }
    }
    seen.sort_unstable();
    let distinct = |place: fn(&(u8, u8)) -> u8| {
        let mut places: Vec<u8> = seen.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        places.len() == expected
    };
    let joined = seen.len() == expected && distinct(|link| link.0) && distinct(|link| link.1);
    // The only slot of a side needs no link to be found.
    let alone = expected == 1 && seen.is_empty();
    if expected == found && (joined || alone) {
        return Ok(words);
    }
    let many = seen.len();
    Err(format!("{many} links join {expected} source and {found} target slots; each needs one"))
}

/// The words of `{{Dependency fixed-1 2,0,2 NOUN X VERB}}`.
pub fn structure(
    words: &[&str],
    target: usize,
    slots: usize,
    labels: &mut Vocabulary,
) -> Result<Structure, String> {
    let broken =
        || format!("not a structure of this rule: {}", snippet(words.join(" ").as_bytes()));
    let [kind, heads, label, slot_labels @ ..] = words else { return Err(broken()) };
    let kind = match (*kind, kind.strip_prefix("fixed-")) {
        ("left", _) => StructureKind::FloatingLeft,
        ("right", _) => StructureKind::FloatingRight,
        (_, Some(place)) => StructureKind::Fixed(place.parse().map_err(|_| broken())?),
        _ => return Err(broken()),
    };
    let heads: Result<Vec<u8>, _> = heads.split(',').map(str::parse).collect();
    let heads = heads.map_err(|_| broken())?;
    let counted = heads.len() == target && slot_labels.len() == slots;
    if !counted || !is_well_formed(kind, &heads) {
        return Err(broken());
    }
    let label = labels.add(label);
    let slot_labels = slot_labels.iter().map(|label| labels.add(label)).collect();
    Ok(Structure { kind, heads, label, slot_labels })
}

/// Whether all heads lead to symbols whose head is outside: for a fixed structure to one, at
/// the place that it names.
fn is_well_formed(kind: StructureKind, heads: &[u8]) -> bool {
    let outside = heads.iter().filter(|&&head| head == 0).count();
    let rooted = match kind {
        StructureKind::Fixed(place) => outside == 1 && heads.get(usize::from(place)) == Some(&0),
        StructureKind::FloatingLeft | StructureKind::FloatingRight => outside > 0,
    };
    // A way up that is longer than there are symbols runs in a circle.
    let ends = |&head: &u8| {
        let mut head = Some(head);
        for _ in heads {
            head = match head {
                None | Some(0) => return head.is_some(),
                Some(place) => heads.get(usize::from(place) - 1).copied(),
            };
        }
        head == Some(0)
    };
    rooted && heads.iter().all(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_that_cannot_be_are_refused() {
        for (text, target, slots, fits) in [
            ("fixed-1 2,0,2 N", 3, 0, true),
            ("fixed-0 0 N X", 1, 1, true),
            ("left 0,1,0 X", 3, 0, true),
            ("right 0 X", 1, 0, true),
            ("fixed-3 2,0,2 N", 3, 0, false), // no such place
            ("fixed-0 2,0,2 N", 3, 0, false), // its head is inside
            ("fixed-1 0,0,2 N", 3, 0, false), // two without head
            ("fixed-0 0,3,2 N", 3, 0, false), // a circle
            ("fixed-0 0,2,1 N", 3, 0, false), // its own head
            ("fixed-1 2,0,4 N", 3, 0, false), // outside
            ("fixed-1 2,0 N", 3, 0, false),
            ("fixed-1 2,0,2 N X", 3, 0, false), // a label too many
            ("left 2,1 X", 2, 0, false),
            ("left 0,3,2 X", 3, 0, false),
            ("up 0 X", 1, 0, false),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let found = structure(&words, target, slots, &mut Vocabulary::default());
            assert_eq!(found.is_ok(), fits, "{text}");
        }
    }
}
