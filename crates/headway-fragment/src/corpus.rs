//! Writing a corpus: three splits, each as text, tokens, trees and alignment.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::pair::Pair;
use super::phenomena::{Phenomena, Phenomenon};
use super::render::{raw, tokenised};
use super::stream::Stream;
use headway_core::text::Output;
use headway_core::{Error, Monitor, Result};

/// Most pairs of one corpus; each takes 32 bytes to remember.
pub const MOST: u64 = 100_000_000;
const PORTION: u64 = 2048;

/// What is to be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corpus {
    pub train: u64,
    pub dev: u64,
    pub test: u64,
    pub seed: u64,
    pub difficulty: f64,
}

/// The endings of a split's files, in the order of `Lines`.
const FILES: [&str; 7] = ["de", "en", "tok.de", "tok.en", "de.conllu", "en.conllu", "align"];

/// A pair as it goes to the files, and what the summary counts.
struct Lines {
    texts: [String; 7],
    phenomena: Phenomena,
    words: [u64; 2],
}

fn lines(pair: Pair, index: u64, seed: u64) -> Lines {
    let name = format!("fragment-{seed}-{index}");
    let ended = |mut text: String| {
        text.push('\n');
        text
    };
    Lines {
        texts: [
            ended(raw(&pair.german)),
            ended(raw(&pair.english)),
            ended(tokenised(&pair.german)),
            ended(tokenised(&pair.english)),
            pair.german_conllu(&name),
            pair.english_conllu(&name),
            ended(pair.pharaoh()),
        ],
        phenomena: pair.phenomena,
        words: [pair.german.len() as u64, pair.english.len() as u64],
    }
}

/// The files of one split.
struct Split {
    name: &'static str,
    pairs: u64,
    outputs: Vec<Output>,
    words: [u64; 2],
    counts: Vec<u64>,
}

impl Split {
    fn create(directory: &Path, name: &'static str, pairs: u64) -> Result<Self> {
        let create = |ending| Output::create(&directory.join(format!("{name}.{ending}")));
        let outputs = FILES.into_iter().map(create).collect::<Result<_>>()?;
        Ok(Split { name, pairs, outputs, words: [0; 2], counts: vec![0; Phenomenon::ALL.len()] })
    }

    fn fill(&mut self, stream: &mut Stream<Lines>, monitor: &Monitor) -> Result<()> {
        let mut left = self.pairs;
        while left > 0 {
            let portion = left.min(PORTION);
            for lines in stream.read(portion as usize)? {
                self.add(&lines)?;
            }
            left -= portion;
            monitor.advance(portion)?;
        }
        Ok(())
    }

    fn add(&mut self, lines: &Lines) -> Result<()> {
        for (output, text) in self.outputs.iter_mut().zip(&lines.texts) {
            output.write(text.as_bytes())?;
        }
        for (sum, words) in self.words.iter_mut().zip(lines.words) {
            *sum += words;
        }
        for (count, &phenomenon) in self.counts.iter_mut().zip(Phenomenon::ALL) {
            *count += u64::from(lines.phenomena.has(phenomenon));
        }
        Ok(())
    }
}

impl Corpus {
    /// Writes every file of the corpus into `directory`, which is made if need be. Nothing
    /// appears there before everything is complete.
    ///
    /// The test set is the start of the stream, then comes the dev set, then training: more
    /// training pairs of a seed leave the others as they are.
    pub fn write(&self, directory: &Path, monitor: &Monitor) -> Result<()> {
        self.check()?;
        let mut stream = Stream::new(self.seed, self.difficulty, lines)?;
        fs::create_dir_all(directory).map_err(|error| Error::writing(directory, &error))?;
        monitor.expect(self.train + self.dev + self.test);
        let sizes = [("test", self.test), ("dev", self.dev), ("train", self.train)];
        let mut splits = Vec::new();
        for (name, pairs) in sizes {
            splits.push(Split::create(directory, name, pairs)?);
        }
        for split in &mut splits {
            split.fill(&mut stream, monitor)?;
        }
        let mut summary = Output::create(&directory.join("fragment.toml"))?;
        summary.write(self.summary(&splits).as_bytes())?;
        for output in splits.into_iter().flat_map(|split| split.outputs) {
            output.finish()?;
        }
        summary.finish()
    }

    fn check(&self) -> Result<()> {
        let sizes = [("pairs", self.train), ("dev", self.dev), ("test", self.test)];
        for (name, size) in sizes {
            if size > MOST {
                let message = format!("{name}: expected at most {MOST}, found {size}");
                return Err(Error::setting(message));
            }
        }
        match self.train {
            0 => Err(Error::setting("pairs: expected at least 1, found 0")),
            _ => Ok(()),
        }
    }

    /// How the corpus was made and what is in it, as TOML.
    fn summary(&self, splits: &[Split]) -> String {
        let Corpus { train, dev, test, seed, difficulty } = self;
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!(
            "# German-English sentence pairs written by `headway fragment`.\n\
             # NAME.de, NAME.en: the sentences; NAME.tok.*: their tokens, one space between.\n\
             # NAME.*.conllu: gold trees over the tokens; NAME.align: gold alignment, German-English,\n\
             # tokens counted from 0. Line or block number n of each belongs together.\n\n\
             headway = \"{version}\"\nsource = \"de\"\ntarget = \"en\"\n\n[arguments]\npairs = {train}\ndev = {dev}\n\
             test = {test}\nseed = {seed}\ndifficulty = {difficulty:?}\n"
        );
        for split in splits {
            let [german, english] = split.words;
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n[{}]\npairs = {}\nsource_tokens = {german}\ntarget_tokens = {english}\n\n\
                 [{}.phenomena] # pairs that show each\n",
                split.name, split.pairs, split.name
            );
            for (phenomenon, count) in Phenomenon::ALL.iter().zip(&split.counts) {
                let _ = writeln!(text, "{} = {count}", phenomenon.name());
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headway_core::text::Lines as Input;
    use headway_core::tree::conllu::{Format, Reader};

    const SMALL: Corpus = Corpus { train: 300, dev: 40, test: 60, seed: 9, difficulty: 0.5 };

    fn read(path: &Path) -> Vec<String> {
        let mut lines = Input::open(path).unwrap();
        std::iter::from_fn(|| lines.next().unwrap().map(str::to_owned)).collect()
    }

    fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut files: Vec<_> =
            entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
        files.sort();
        files
    }

    fn written(corpus: &Corpus, threads: usize) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let monitor = Monitor::default();
        let write = || corpus.write(directory.path(), &monitor).unwrap();
        headway_core::monitor::pool(threads).unwrap().install(write);
        assert_eq!(monitor.progress(), (400, 400));
        directory
    }

    #[test]
    fn the_same_arguments_give_the_same_bytes() {
        let first = contents(written(&SMALL, 1).path());
        assert_eq!(first.len(), 22);
        assert_eq!(first, contents(written(&SMALL, 3).path()));
    }

    #[test]
    fn splits_have_their_sizes_and_nothing_in_common() {
        let directory = written(&SMALL, 2);
        for side in ["de", "en"] {
            let path = |split: &str| directory.path().join(format!("{split}.{side}"));
            let [mut all, dev, test] = ["train", "dev", "test"].map(|split| read(&path(split)));
            assert_eq!([all.len(), dev.len(), test.len()], [300, 40, 60]);
            all.extend(dev);
            all.extend(test);
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 400);
        }
    }

    #[test]
    fn more_training_pairs_leave_the_rest_as_it_is() {
        let few = written(&SMALL, 2);
        let many = tempfile::tempdir().unwrap();
        let corpus = Corpus { train: 900, ..SMALL };
        corpus.write(many.path(), &Monitor::default()).unwrap();
        for name in ["test.de", "dev.en.conllu", "dev.align"] {
            assert_eq!(read(&few.path().join(name)), read(&many.path().join(name)));
        }
        assert_eq!(read(&few.path().join("train.de")), read(&many.path().join("train.de"))[..300]);
    }

    #[test]
    fn trees_and_alignments_are_over_the_tokens() {
        let directory = written(&SMALL, 2);
        let path = |name: &str| directory.path().join(name);
        let [german, english] = ["dev.tok.de", "dev.tok.en"].map(|name| read(&path(name)));
        let alignment = read(&path("dev.align"));
        for (side, tokens) in [("de", &german), ("en", &english)] {
            let mut reader =
                Reader::open(&path(&format!("dev.{side}.conllu")), Format::ConllU).unwrap();
            let raw = read(&path(&format!("dev.{side}")));
            for (line, raw) in tokens.iter().zip(raw) {
                let sentence = reader.next().unwrap().unwrap();
                assert_eq!(sentence.surface(), raw);
                assert_eq!(sentence.value("text"), Some(&*raw));
                assert_eq!(sentence.len(), line.split(' ').count());
            }
            assert!(reader.next().unwrap().is_none());
        }
        for ((german, english), links) in german.iter().zip(&english).zip(&alignment) {
            for link in links.split(' ') {
                let (source, target) = link.split_once('-').unwrap();
                assert!(source.parse::<usize>().unwrap() < german.split(' ').count());
                assert!(target.parse::<usize>().unwrap() < english.split(' ').count());
            }
        }
    }

    #[test]
    fn nothing_appears_before_everything_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let monitor = Monitor::default();
        monitor.stop();
        let stopped = SMALL.write(directory.path(), &monitor);
        assert!(matches!(stopped, Err(Error::Interrupted)));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn nonsense_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let refuse = |corpus: Corpus| {
            corpus.write(directory.path(), &Monitor::default()).unwrap_err().to_string()
        };
        assert_eq!(refuse(Corpus { train: 0, ..SMALL }), "pairs: expected at least 1, found 0");
        assert!(refuse(Corpus { dev: u64::MAX, ..SMALL }).starts_with("dev: expected at most"));
        assert!(refuse(Corpus { difficulty: 7.0, ..SMALL }).starts_with("difficulty: expected"));
    }
}
