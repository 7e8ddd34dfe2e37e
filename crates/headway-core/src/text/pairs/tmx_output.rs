//! Writing TMX 1.4b.

use std::path::{Path, PathBuf};

use crate::error::snippet;
use crate::text::Output;
use crate::{Error, Result};

pub(super) struct TmxOutput {
    output: Output,
    path: PathBuf,
    languages: (String, String),
    units: u64,
}

impl TmxOutput {
    pub fn create(path: &Path, source_language: &str, target_language: &str) -> Result<Self> {
        let languages = (checked(source_language)?, checked(target_language)?);
        let mut output = Output::create(path)?;
        let header = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n\
             <tmx version=\"1.4\">\n\
             <header creationtool=\"headway\" creationtoolversion=\"{}\" segtype=\"sentence\" \
             o-tmf=\"headway\" adminlang=\"en\" srclang=\"{}\" datatype=\"plaintext\"/>\n<body>\n",
            env!("CARGO_PKG_VERSION"),
            languages.0,
        );
        output.write(header.as_bytes())?;
        Ok(TmxOutput { output, path: path.to_path_buf(), languages, units: 0 })
    }

    pub fn write(&mut self, source: &[u8], target: &[u8]) -> Result<()> {
        self.units += 1;
        let mut unit = String::from("<tu>");
        for (language, text) in [(&self.languages.0, source), (&self.languages.1, target)] {
            unit.push_str("<tuv xml:lang=\"");
            unit.push_str(language);
            unit.push_str("\"><seg>");
            self.escape(text, &mut unit)?;
            unit.push_str("</seg></tuv>");
        }
        unit.push_str("</tu>\n");
        self.output.write(unit.as_bytes())
    }

    fn escape(&self, text: &[u8], unit: &mut String) -> Result<()> {
        for character in String::from_utf8_lossy(text).chars() {
            match character {
                '&' => unit.push_str("&amp;"),
                '<' => unit.push_str("&lt;"),
                '>' => unit.push_str("&gt;"),
                '\t' | '\n' | '\r' => unit.push(character),
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => {
                    return Err(Error::Output {
                        path: self.path.clone(),
                        reason: format!(
                            "XML cannot hold U+{:04X}, found in pair {}: {}; drop such pairs with `headway clean`",
                            character as u32,
                            self.units,
                            snippet(text)
                        ),
                    });
                }
                _ => unit.push(character),
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        self.output.write(b"</body>\n</tmx>\n")?;
        self.output.finish()
    }
}

/// A language code as BCP 47 allows it, which also makes it safe in an attribute.
fn checked(code: &str) -> Result<String> {
    let sound = !code.is_empty() && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if sound {
        return Ok(code.to_string());
    }
    Err(Error::setting(format!("\"{code}\" is no language code; write one such as de or en-GB")))
}
