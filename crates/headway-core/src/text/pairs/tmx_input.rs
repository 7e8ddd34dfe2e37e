//! Reading TMX (1.4b and its predecessors) as a stream of events: memory for one unit.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::examine::{Check, Fault, Reading};
use super::metered::{Metered, TOO_LONG};
use super::stream::{PairBlock, PairStream};
use super::utf16::as_utf8;
use crate::error::snippet;
use crate::text::input::broken;
use crate::text::{MAX_LINE, open as open_file, primary_subtag, size};
use crate::{Error, Result};

/// Elements within elements, and variants of a unit: more are no translation memory, and would fill
/// memory.
const MAX_DEPTH: usize = 1000;
const MAX_VARIANTS: usize = 10_000;

/// The pairs of `languages` in the file. Codes match by language (`de` and `de-DE`, either
/// way), an equal code before another of the same language.
pub(super) fn open(path: &Path, languages: (&str, &str), reading: Reading) -> Result<PairStream> {
    open_limited(path, languages, reading, MAX_LINE)
}

/// The same with a limit of its own to the bytes of a unit.
pub(super) fn open_limited(
    path: &Path,
    languages: (&str, &str),
    reading: Reading,
    longest: usize,
) -> Result<PairStream> {
    let languages = Languages::new(languages)?;
    let reader = as_utf8(open_file(path)?).map_err(|error| broken(path, 1, &error))?;
    let mut xml = Reader::from_reader(Metered::new(reader, longest));
    xml.config_mut().check_comments = false;
    let mut file = TmxFile {
        xml,
        path: path.to_path_buf(),
        buffer: Vec::new(),
        depth: 0,
        rooted: false,
        unit: Unit::default(),
    };
    Ok(PairStream::new(path, move |block| {
        if !file.next_unit()? {
            return Ok(false);
        }
        push(block, &file.unit, &languages, reading);
        Ok(true)
    }))
}

fn push(block: &mut PairBlock, unit: &Unit, languages: &Languages, reading: Reading) {
    block.numbers.push(unit.line);
    block.rest.push_checked(b"", Check::default());
    match languages.pick(&unit.variants) {
        Some((source, target)) => {
            block.source.push(source.as_bytes(), reading);
            block.target.push(target.as_bytes(), reading);
        }
        None => {
            let first = unit.variants.first().map_or("", |variant| &variant.text);
            block.source.push_checked(first.as_bytes(), Check::fault(Fault::Language));
            block.target.push_checked(b"", Check::default());
        }
    }
}

/// One `<tu>`.
#[derive(Default)]
struct Unit {
    line: u64,
    variants: Vec<Variant>,
}

/// One `<tuv>` with its segment.
#[derive(Default)]
struct Variant {
    language: String,
    text: String,
}

struct Languages {
    source: String,
    target: String,
    /// Both are the same language, such as en-GB and en-US: only equal codes tell them apart.
    alike: bool,
}

impl Languages {
    fn new((source, target): (&str, &str)) -> Result<Self> {
        let primary = |code: &str| {
            let message = format!("\"{code}\" is no language code; write one such as de or en-GB");
            primary_subtag(code).ok_or_else(|| Error::setting(message))
        };
        let alike = primary(source)? == primary(target)?;
        if alike && same(source, target) {
            let message = format!("{source} is given for both languages; name two");
            return Err(Error::setting(message));
        }
        Ok(Languages { source: source.into(), target: target.into(), alike })
    }

    fn pick<'v>(&self, variants: &'v [Variant]) -> Option<(&'v str, &'v str)> {
        Some((self.find(variants, &self.source)?, self.find(variants, &self.target)?))
    }

    fn find<'v>(&self, variants: &'v [Variant], code: &str) -> Option<&'v str> {
        let related = |variant: &&Variant| {
            !self.alike && primary_subtag(&variant.language) == primary_subtag(code)
        };
        let equal = variants.iter().find(|variant| same(&variant.language, code));
        equal.or_else(|| variants.iter().find(related)).map(|variant| variant.text.as_str())
    }
}

fn same(one: &str, other: &str) -> bool {
    one.replace('_', "-").eq_ignore_ascii_case(&other.replace('_', "-"))
}

struct TmxFile {
    xml: Reader<Metered>,
    path: PathBuf,
    buffer: Vec<u8>,
    depth: usize,
    rooted: bool,
    unit: Unit,
}

/// Where in a unit the reader is.
#[derive(Default)]
struct Within {
    unit: bool,
    segment: bool,
    /// How deep in inline elements whose content is code of the document's format.
    code: usize,
    text: String,
}

impl TmxFile {
    /// Reads up to the end of the next unit; false at the end of the file.
    fn next_unit(&mut self) -> Result<bool> {
        let mut within = Within::default();
        loop {
            if !within.unit {
                self.xml.get_mut().restart();
            }
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            let event = self.xml.read_event_into(&mut buffer);
            let event = event.map_err(|error| self.malformed(error))?;
            let done = self.take(&event, &mut within)?;
            drop(event);
            self.buffer = buffer;
            if let Some(found) = done {
                return Ok(found);
            }
        }
    }

    /// True at the end of a unit, false at the end of the file.
    fn take(&mut self, event: &Event<'_>, within: &mut Within) -> Result<Option<bool>> {
        match event {
            Event::Start(element) => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    let message =
                        format!("elements more than {MAX_DEPTH} deep; is this a TMX file?");
                    return Err(self.error(message));
                }
                self.start(element, within)?;
            }
            Event::Empty(element) => {
                self.start(element, within)?;
                return self.end(element.local_name().as_ref(), within);
            }
            Event::End(element) => {
                self.depth = self.depth.saturating_sub(1);
                return self.end(element.local_name().as_ref(), within);
            }
            Event::Text(text) => {
                let text = text.decode().map_err(|_| self.not_utf8(text))?;
                self.text(&text, within)?;
            }
            Event::CData(text) => {
                let text = text.decode().map_err(|_| self.not_utf8(text))?;
                self.text(&text, within)?;
            }
            Event::GeneralRef(reference) => self.text(&self.resolved(reference)?, within)?,
            Event::Decl(declaration) => self.check_encoding(declaration.encoding())?,
            Event::Eof => return self.check_end().map(|()| Some(false)),
            _ => {}
        }
        Ok(None)
    }

    fn start(&mut self, element: &BytesStart<'_>, within: &mut Within) -> Result<()> {
        let name = element.local_name();
        if !self.rooted {
            if name.as_ref() != b"tmx" {
                let found = snippet(name.as_ref());
                return Err(self.error(format!(
                    "expected <tmx>, found the element {found}; is this a TMX file?"
                )));
            }
            self.rooted = true;
        }
        match name.as_ref() {
            b"tu" => {
                *within = Within { unit: true, ..Within::default() };
                self.unit = Unit { line: self.line(), variants: Vec::new() };
            }
            b"tuv" if within.unit => {
                let language = self.language(element)?;
                if self.unit.variants.len() == MAX_VARIANTS {
                    let message = format!("a unit of more than {MAX_VARIANTS} variants");
                    return Err(self.error(format!("{message}; is its end tag missing?")));
                }
                self.unit.variants.push(Variant { language, text: String::new() });
            }
            b"seg" if within.unit => {
                within.segment = true;
                within.text.clear();
            }
            inline if within.segment => {
                within.code += usize::from(within.code > 0 || is_code(inline))
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &[u8], within: &mut Within) -> Result<Option<bool>> {
        match name {
            b"tu" if within.unit => return Ok(Some(true)),
            b"seg" => {
                within.segment = false;
                within.code = 0;
                if let Some(variant) = self.unit.variants.last_mut().filter(|_| within.unit) {
                    variant.text = within.text.split_whitespace().collect::<Vec<_>>().join(" ");
                }
            }
            _ if within.segment => within.code = within.code.saturating_sub(1),
            _ => {}
        }
        Ok(None)
    }

    fn text(&self, text: &str, within: &mut Within) -> Result<()> {
        if within.segment && within.code == 0 {
            within.text.push_str(text);
        } else if self.depth == 0
            && !text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty()
        {
            let shown = snippet(text.trim().as_bytes());
            return Err(self.error(format!("expected <tmx>, found {shown}; is this a TMX file?")));
        }
        Ok(())
    }

    /// `xml:lang`, or `lang` as in TMX 1.1.
    fn language(&self, element: &BytesStart<'_>) -> Result<String> {
        let mut found = String::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| self.malformed(error.into()))?;
            if matches!(attribute.key.as_ref(), b"xml:lang" | b"lang" | b"LANG") {
                found = String::from_utf8_lossy(&attribute.value).trim().to_string();
            }
        }
        Ok(found)
    }

    fn resolved(&self, reference: &BytesRef<'_>) -> Result<Cow<'static, str>> {
        let character = reference.resolve_char_ref().map_err(|error| self.malformed(error))?;
        if let Some(character) = character {
            return Ok(Cow::Owned(character.to_string()));
        }
        Ok(Cow::Borrowed(match &**reference {
            b"lt" => "<",
            b"gt" => ">",
            b"amp" => "&",
            b"quot" => "\"",
            b"apos" => "'",
            b"nbsp" => "\u{a0}",
            other => {
                let shown = snippet(other);
                return Err(
                    self.error(format!("unknown entity {shown}; write the character itself"))
                );
            }
        }))
    }

    fn check_encoding(
        &self,
        declared: Option<
            std::result::Result<Cow<'_, [u8]>, quick_xml::events::attributes::AttrError>,
        >,
    ) -> Result<()> {
        let Some(Ok(encoding)) = declared else { return Ok(()) };
        let name = String::from_utf8_lossy(&encoding).to_lowercase();
        if name.starts_with("utf-8")
            || name == "utf8"
            || name.starts_with("utf-16")
            || name == "us-ascii"
        {
            return Ok(());
        }
        Err(self.error(format!(
            "encoded as {name}, expected UTF-8 or UTF-16; convert it, e.g. with iconv -f {name} -t utf-8, and change the first line"
        )))
    }

    fn check_end(&self) -> Result<()> {
        if !self.rooted {
            return Err(self.error(
                "expected <tmx>, found the end of the file; is this a TMX file?".to_string(),
            ));
        }
        if self.depth > 0 {
            let message =
                format!("the file ends with {} elements still open; it is cut short", self.depth);
            return Err(self.error(message));
        }
        Ok(())
    }

    fn line(&self) -> u64 {
        self.xml.get_ref().lines() + 1
    }

    fn error(&self, message: String) -> Error {
        Error::format(&self.path, self.line(), message)
    }

    fn not_utf8(&self, text: &[u8]) -> Error {
        self.error(format!("not UTF-8: {}; convert the file to UTF-8", snippet(text)))
    }

    fn malformed(&self, error: quick_xml::Error) -> Error {
        match error {
            quick_xml::Error::Io(error) if error.kind() == TOO_LONG => {
                let longest = size(self.xml.get_ref().longest());
                self.error(format!("a unit or tag longer than {longest}; is its end missing?"))
            }
            quick_xml::Error::Io(error) => broken(&self.path, self.line(), &error),
            error => self.error(format!("not well-formed XML: {error}")),
        }
    }
}

/// Inline elements that hold codes of the document's own format, not text.
fn is_code(name: &[u8]) -> bool {
    matches!(name, b"bpt" | b"ept" | b"it" | b"ph" | b"ut")
}
