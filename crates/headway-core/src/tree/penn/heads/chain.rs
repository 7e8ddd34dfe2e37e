//! Coordination as a chain: the second conjunct hangs from the conjunction, and this from the
//! first conjunct (Mel'čuk's analysis, which Johansson & Nugues use).

use super::find;
use super::phrases::Part;
use super::table::Table;

/// Whether a conjunction links parts: it is not the first, as in sentences that begin with
/// `But`, and not the last.
pub(super) fn is_coordination(parts: &[Part]) -> bool {
    let words: Vec<&Part> = parts.iter().filter(|part| !part.is_punctuation()).collect();
    let inner = words.len().saturating_sub(1);
    words[..inner].iter().skip(1).any(|part| part.is_conjunction())
}

/// Hangs the parts of a coordination and gives its head word: that of the first conjunct.
pub(super) fn attach(table: &Table, category: &str, parts: &[Part], heads: &mut [u32]) -> u32 {
    let links = links(table, category, parts);
    let (mut last, mut first) = (None, None);
    for link in &links {
        let word = match link {
            Link::Conjunction(part) => part.word,
            Link::Conjunct(inside) => {
                let word = inside[find::head(table, category, inside)].word;
                find::attach_to(word, inside, heads);
                word
            }
            Link::Apart(_) => continue,
        };
        if let Some(before) = last.replace(word) {
            heads[word as usize - 1] = before;
        }
        first.get_or_insert(word);
    }
    let head = first.unwrap_or(parts[0].word);
    for link in &links {
        if let Link::Apart(others) = link {
            find::attach_to(head, others, heads);
        }
    }
    head
}

/// A stretch of the parts of a coordination.
enum Link<'a> {
    Conjunction(&'a Part<'a>),
    Conjunct(&'a [Part<'a>]),
    /// Punctuation, and what stands before the first conjunct: it hangs from the whole.
    Apart(&'a [Part<'a>]),
}

/// Cuts at conjunctions; before the first of them also at commas and colons, as long as what
/// stands between is of the kind of the conjunct before the conjunction.
fn links<'a>(table: &Table, category: &str, parts: &'a [Part<'a>]) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let start = parts.iter().position(|part| !part.is_punctuation() && !part.is_conjunction());
    let (opening, parts) = parts.split_at(start.unwrap_or(0));
    links.push(Link::Apart(opening));
    let end = parts.iter().rposition(|part| !part.is_punctuation()).map_or(0, |last| last + 1);
    let (parts, closing) = parts.split_at(end);
    links.push(Link::Apart(closing));
    let first = parts.iter().position(Part::is_conjunction).unwrap_or(parts.len());
    list(table, category, &parts[..first], &mut links);
    let mut rest = &parts[first..];
    while let [conjunction, after @ ..] = rest {
        links.push(Link::Conjunction(conjunction));
        let next = after.iter().position(Part::is_conjunction).unwrap_or(after.len());
        conjunct(&after[..next], &mut links);
        rest = &after[next..];
    }
    links
}

/// `a, b` before `and c`.
fn list<'a>(table: &Table, category: &str, parts: &'a [Part<'a>], links: &mut Vec<Link<'a>>) {
    let stretches: Vec<&[Part<'a>]> =
        parts.split(|part| matches!(part.category, "," | ":")).collect();
    let kind_of = |inside: &[Part<'a>]| -> Option<&'a str> {
        match inside.iter().all(Part::is_punctuation) {
            true => None,
            false => Some(kind(inside[find::head(table, category, inside)].category)),
        }
    };
    // `a, and b` has a comma before the conjunction, and nothing behind it.
    let Some(last) = stretches.iter().rposition(|inside| kind_of(inside).is_some()) else {
        return links.push(Link::Apart(parts));
    };
    let alike = |inside: &&&[Part<'a>]| {
        let found = kind_of(inside);
        found.is_none() || found == kind_of(stretches[last])
    };
    let count = stretches[..=last].iter().rev().take_while(alike).count();
    let mut at = 0;
    for (place, inside) in stretches.iter().enumerate() {
        let comma = at + inside.len()..(at + inside.len() + 1).min(parts.len());
        let conjuncts = last + 1 - count..=last;
        match conjuncts.contains(&place) {
            true => conjunct(inside, links),
            false => links.push(Link::Apart(inside)),
        }
        links.push(Link::Apart(&parts[comma.clone()]));
        at = comma.end;
    }
}

/// A stretch of words as a conjunct, without the punctuation at its ends.
fn conjunct<'a>(parts: &'a [Part<'a>], links: &mut Vec<Link<'a>>) {
    let start = parts.iter().position(|part| !part.is_punctuation());
    let Some(start) = start else {
        return links.push(Link::Apart(parts));
    };
    let end = parts.iter().rposition(|part| !part.is_punctuation()).map_or(0, |last| last + 1);
    links.push(Link::Apart(&parts[..start]));
    links.push(Link::Conjunct(&parts[start..end]));
    links.push(Link::Apart(&parts[end..]));
}

/// Words and phrases of a kind can be coordinated.
fn kind(category: &str) -> &str {
    match category {
        "MD" => "V",
        "ADJP" => "J",
        "ADVP" => "R",
        _ => match category.get(..1) {
            Some(first) if "NVJRS".contains(first) => first,
            _ => category,
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::penn::HeadRules;
    use crate::tree::penn::heads::tests::heads as heads_by;

    fn heads(text: &str) -> Vec<u32> {
        heads_by(HeadRules::Lth, text)
    }

    #[test]
    fn conjuncts_form_a_chain() {
        let list = "(NP (NP (NNS a)) (, ,) (NP (DT the) (NNS b)) (, ,) (CC and) (NP (NNS c)))";
        assert_eq!(heads(list), [0, 1, 4, 1, 1, 4, 6]);
        let verbs = "(VP (VB eat) (CC and) (VB drink) (NP (NN beer)))";
        assert_eq!(heads(verbs), [0, 1, 2, 3]);
    }

    #[test]
    fn what_is_not_of_the_kind_hangs_from_the_whole() {
        let clause =
            "(S (PP (IN in) (NP (NN may))) (, ,) (S (VP (VBD a))) (CC or) (S (VP (VBD b))) (. .))";
        assert_eq!(heads(clause), [4, 1, 4, 0, 4, 5, 4]);
    }

    #[test]
    fn a_conjunction_at_an_end_links_nothing() {
        assert_eq!(heads("(S (CC But) (NP (PRP he)) (VP (VBD a)) (. .))"), [3, 3, 0, 3]);
        assert_eq!(heads("(NP (NN a) (CC etc.))"), [0, 1]);
        let both = "(NP (CC both) (NP (NN a)) (CC and) (NP (NN b)))";
        assert_eq!(heads(both), [2, 0, 2, 3]);
    }
}
