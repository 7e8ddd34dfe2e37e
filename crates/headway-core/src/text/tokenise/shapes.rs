//! Tokens known by their shape: addresses of the web, e-mail, emoticons.

use super::{Class, Scanner};

/// No local part of an e-mail address is longer (RFC 5321).
const LOCAL_PART: usize = 64;

impl Scanner<'_> {
    /// Where the address of the web or of e-mail that begins at `at` ends, if one does.
    pub(super) fn address(&self, at: usize) -> Option<usize> {
        if self.chunk.address
            && let Some(end) = self.web_address(at)
        {
            return Some(end);
        }
        if self.chunk.at { self.mail_address(at) } else { None }
    }

    fn web_address(&self, at: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[at..self.chunk.end];
        let scheme = rest.iter().take(12).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let head = if scheme > 1 && rest[scheme..].starts_with(b"://") {
            scheme + 3
        } else if rest.len() > 4 && rest[..4].eq_ignore_ascii_case(b"www.") {
            4
        } else {
            bare_domain(rest)?
        };
        let end = self.trimmed_address(at, self.address_end(at));
        (end > at + head).then_some(end)
    }

    /// Addresses hold no characters of scripts without spaces, nor brackets and quotes.
    fn address_end(&self, at: usize) -> usize {
        let stop = |character: char| {
            matches!(
                character,
                '<' | '>' | '"' | '“' | '”' | '„' | '«' | '»' | '`' | '{' | '}' | '|'
            ) || matches!(
                self.classes.of(character),
                Class::Han | Class::Hiragana | Class::Katakana | Class::Stacked | Class::Pictograph
            ) || (self.classes.of(character) == Class::Punctuation && character as u32 >= 0x3000)
        };
        let rest = &self.text[at..self.chunk.end];
        at + rest.find(stop).unwrap_or(rest.len())
    }

    /// Without the punctuation of the sentence the address stands in.
    fn trimmed_address(&self, start: usize, end: usize) -> usize {
        let mut address = &self.text[start..end];
        let count = |bracket: char| address.matches(bracket).count();
        let mut surplus = count(')').saturating_sub(count('('));
        loop {
            address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '…']);
            match address.strip_suffix(')').filter(|_| surplus > 0) {
                Some(rest) => address = rest,
                None => return start + address.strip_suffix(']').unwrap_or(address).len(),
            }
            surplus -= 1;
        }
    }

    fn mail_address(&self, at: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[at..self.chunk.end];
        let local = rest.iter().take(LOCAL_PART).take_while(|&&byte| is_local(byte)).count();
        if local == 0 || rest.get(local) != Some(&b'@') {
            return None;
        }
        let domain = &rest[local + 1..];
        let length = domain.iter().take(255).take_while(|&&byte| is_domain(byte)).count();
        let mut domain = &domain[..length];
        while let Some((b'.' | b'-', before)) = domain.split_last() {
            domain = before;
        }
        domain.contains(&b'.').then_some(at + local + 1 + domain.len())
    }
}

/// The length of a character reference of HTML, such as `&amp;` or `&#39;`, at the start.
pub(super) fn character_reference(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('&')?;
    let inner = inner.strip_prefix('#').unwrap_or(inner);
    let name = inner.bytes().take(9).take_while(u8::is_ascii_alphanumeric).count();
    let closed = name >= 2 && inner.as_bytes().get(name) == Some(&b';');
    closed.then_some(rest.len() - inner.len() + name + 1)
}

/// The length of the host in `example.org/path`.
fn bare_domain(rest: &[u8]) -> Option<usize> {
    let length = rest.iter().take(64).take_while(|&&byte| is_domain(byte)).count();
    let host = rest.get(..length).filter(|_| rest.get(length) == Some(&b'/'))?;
    let dot = host.iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0)?;
    let top = &host[dot + 1..];
    let plausible = (2..=6).contains(&top.len()) && top.iter().all(u8::is_ascii_lowercase);
    plausible.then_some(length)
}

fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'%')
}

fn is_domain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

/// Faces made of punctuation, standing alone: `:-)`, `;D`, `<3`.
pub(super) fn is_emoticon(chunk: &str) -> bool {
    let bytes = chunk.as_bytes();
    match bytes {
        [b'<', b'3'] | [b'^', b'_', b'^'] => true,
        [b':' | b';' | b'=', mouth] => is_mouth(*mouth),
        [b':' | b';' | b'=', b'-' | b'\'' | b'o', mouth] => is_mouth(*mouth),
        [mouth, b':'] | [mouth, b'-', b':'] => matches!(mouth, b'(' | b')'),
        _ => false,
    }
}

fn is_mouth(byte: u8) -> bool {
    matches!(byte, b')' | b'(' | b'D' | b'P' | b'p' | b'O' | b'|' | b']' | b'[' | b'*')
}
