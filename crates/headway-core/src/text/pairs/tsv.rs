//! `source<TAB>target`, one pair a line. Further columns pass through untouched. There is no
//! quoting: a tab is always a border.

use std::path::Path;

use super::examine::{Check, Fault, Reading};
use super::stream::{PairBlock, PairStream};
use crate::Result;
use crate::text::Lines;

pub(super) fn open(path: &Path, reading: Reading) -> Result<PairStream> {
    let mut lines = Lines::open(path)?;
    Ok(PairStream::new(path, move |block| {
        let number = lines.number() + 1;
        let Some(line) = lines.next_bytes()? else { return Ok(false) };
        push(block, number, line, reading);
        Ok(true)
    }))
}

fn push(block: &mut PairBlock, number: u64, line: &[u8], reading: Reading) {
    let tab = |text: &[u8]| text.iter().position(|&byte| byte == b'\t');
    block.numbers.push(number);
    let Some(first) = tab(line) else {
        block.source.push_checked(line, Check::fault(Fault::Column));
        block.target.push_checked(b"", Check::default());
        block.rest.push_checked(b"", Check::default());
        return;
    };
    let (source, after) = (&line[..first], &line[first + 1..]);
    let (target, rest) = after.split_at(tab(after).unwrap_or(after.len()));
    // Bad bytes in a further column make the line as unusable as anywhere else in it.
    if std::str::from_utf8(rest).is_ok() {
        block.source.push(source, reading);
    } else {
        block.source.push_checked(rest, Check::fault(Fault::Encoding));
    }
    block.target.push(target, reading);
    block.rest.push_checked(rest, Check::default());
}
