//! Where pairs go.

use super::tmx_output::TmxOutput;
use super::{Pair, PairOutput, distinct};
use crate::Result;
use crate::text::Output;

/// Files being written; they appear in `finish`.
pub struct PairSink {
    form: Form,
    line: Vec<u8>,
}

enum Form {
    Lines(Box<Output>, Box<Output>),
    Tsv(Box<Output>),
    Tmx(Box<TmxOutput>),
}

impl PairSink {
    pub fn create(output: &PairOutput) -> Result<Self> {
        let form = match output {
            PairOutput::Lines(source, target) => {
                distinct(source, target, "outputs")?;
                Form::Lines(Box::new(Output::create(source)?), Box::new(Output::create(target)?))
            }
            PairOutput::Tsv(path) => Form::Tsv(Box::new(Output::create(path)?)),
            PairOutput::Tmx { path, source_language, target_language } => {
                Form::Tmx(Box::new(TmxOutput::create(path, source_language, target_language)?))
            }
        };
        Ok(PairSink { form, line: Vec::new() })
    }

    pub fn write(&mut self, pair: &Pair<'_>) -> Result<()> {
        self.write_texts(pair.source.bytes, pair.target.bytes, pair.rest)
    }

    /// `rest` are further columns, each with its tab before it.
    pub fn write_texts(&mut self, source: &[u8], target: &[u8], rest: &[u8]) -> Result<()> {
        let line = &mut self.line;
        line.clear();
        match &mut self.form {
            Form::Lines(first, second) => {
                push_line(source, line, b'\n');
                first.write(line)?;
                line.clear();
                push_line(target, line, b'\n');
                second.write(line)
            }
            Form::Tsv(output) => {
                push_column(source, line, b'\t');
                push_column(target, line, b'\n');
                if !rest.is_empty() {
                    line.pop();
                    push_line(rest, line, b'\n');
                }
                output.write(line)
            }
            Form::Tmx(output) => output.write(source, target),
        }
    }

    pub fn finish(self) -> Result<()> {
        match self.form {
            Form::Lines(first, second) => {
                first.finish()?;
                second.finish()
            }
            Form::Tsv(output) => output.finish(),
            Form::Tmx(output) => output.finish(),
        }
    }
}

/// A line break within a text would shift every line after it: it becomes a space.
fn push_line(text: &[u8], line: &mut Vec<u8>, end: u8) {
    line.extend(text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    line.push(end);
}

/// So does a tab within a column.
fn push_column(text: &[u8], line: &mut Vec<u8>, end: u8) {
    let border = |byte: u8| matches!(byte, b'\n' | b'\r' | b'\t');
    line.extend(text.iter().map(|&byte| if border(byte) { b' ' } else { byte }));
    line.push(end);
}
