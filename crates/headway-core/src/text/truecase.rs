//! Casing words as they are cased where nothing forces a capital.
//!
//! Learned from tokenised text: each word's most frequent form in the middle of sentences.
//! Applied to the first words of sentences, and to whole lines in capitals.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::input::Lines;
use super::language::Language;
use crate::container::{Container, ContainerWriter, Kind};
use crate::{Error, Monitor, Result, Vocabulary};

const KIND: Kind = Kind { name: "truecase", version: 1 };

/// How often the monitor hears of progress, in lines.
const STEP: u64 = 4096;

/// Counts the forms of each word; `finish` makes a `Truecaser` of them.
pub struct TruecaserCounts {
    language: Language,
    /// By form. The lower-case word that joins the forms is found again in `finish`.
    middle: FxHashMap<Box<str>, u64>,
    /// Words that begin a sentence in lower case, which nothing forced on them either.
    small: FxHashMap<Box<str>, u64>,
}

impl TruecaserCounts {
    pub fn new(language: Language) -> Self {
        TruecaserCounts { language, middle: FxHashMap::default(), small: FxHashMap::default() }
    }

    /// Counts one line of tokens parted by white space. Lines in capitals tell nothing.
    pub fn add(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if is_shouted(&words) {
            return;
        }
        for (word, initial) in words.iter().zip(initials(&words)) {
            if !word.chars().any(char::is_alphabetic) {
                continue;
            }
            if !initial {
                count(&mut self.middle, word);
            } else if word.chars().all(|c| !c.is_uppercase()) {
                count(&mut self.small, word);
            }
        }
    }

    pub fn finish(self) -> Truecaser {
        let mut best: FxHashMap<String, (u64, Box<str>)> = FxHashMap::default();
        let mut seen: Vec<(Box<str>, u64)> = self.middle.into_iter().collect();
        // By count, then by form, so that ties do not depend on the order of a hash map.
        seen.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        for (form, count) in seen {
            best.entry(self.language.lowercase(&form)).or_insert((count, form));
        }
        let mut small: Vec<(Box<str>, u64)> = self.small.into_iter().collect();
        small.sort_unstable();
        for (form, count) in small {
            best.entry(form.to_string()).or_insert((count, form));
        }
        Truecaser {
            language: self.language,
            best: best.into_iter().map(|(key, value)| (key, value.1)).collect(),
        }
    }
}

fn count(counts: &mut FxHashMap<Box<str>, u64>, word: &str) {
    match counts.get_mut(word) {
        Some(count) => *count += 1,
        None => {
            counts.insert(word.into(), 1);
        }
    }
}

/// The usual form of each word.
#[derive(Debug, Clone)]
pub struct Truecaser {
    language: Language,
    best: FxHashMap<String, Box<str>>,
}

impl Truecaser {
    /// Learns from a file of tokenised lines.
    pub fn learn(path: &Path, language: Language, monitor: &Monitor) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let mut counts = TruecaserCounts::new(language);
        let mut is_empty = true;
        while let Some(line) = lines.next()? {
            counts.add(line);
            is_empty = is_empty && line.trim().is_empty();
            if lines.number() % STEP == 0 {
                monitor.advance(STEP)?;
            }
        }
        // Lines of one word each tell nothing of case, but there is nothing wrong with them.
        if is_empty {
            let message = "no words to learn from; give it lines of tokenised text";
            return Err(Error::format(path, lines.number().max(1), message));
        }
        Ok(counts.finish())
    }

    pub fn len(&self) -> usize {
        self.best.len()
    }

    pub fn is_empty(&self) -> bool {
        self.best.is_empty()
    }

    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The usual form of a word, if it was seen.
    pub fn form(&self, word: &str) -> Option<&str> {
        self.best.get(&self.language.lowercase(word)).map(|form| &**form)
    }

    /// The tokens of one line, sentence beginnings in their usual form, all else as it stands.
    /// With `headlines`, a line all in capitals is recased throughout.
    pub fn apply<S: AsRef<str>>(&self, words: &[S], headlines: bool) -> Vec<String> {
        if headlines && is_shouted(words) {
            let usual = |word: &S| match self.form(word.as_ref()) {
                Some(form) => form.to_string(),
                None => self.language.lowercase(word.as_ref()),
            };
            return words.iter().map(usual).collect();
        }
        let cased = words.iter().map(AsRef::as_ref).zip(initials(words));
        cased
            .map(|(word, initial)| self.form(word).filter(|_| initial).unwrap_or(word).to_string())
            .collect()
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        let mut forms: Vec<&str> = self.best.values().map(|form| &**form).collect();
        forms.sort_unstable();
        let mut vocabulary = Vocabulary::default();
        for form in forms {
            vocabulary.add(form);
        }
        let mut writer = ContainerWriter::create(path, KIND, 3)?;
        writer.section("language")?;
        writer.write(self.language.code().as_bytes())?;
        vocabulary.write_sections(&mut writer, "")?;
        writer.finish()
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        let code = std::str::from_utf8(container.section("language")?);
        let code = code.map_err(|_| Error::model(path, "the language in it is damaged"))?;
        let language = Language::new(Some(code).filter(|code| !code.is_empty()))?;
        let vocabulary = Vocabulary::read_sections(&container, "")?;
        let forms = vocabulary.words().map(|form| (language.lowercase(form), form.into()));
        Ok(Truecaser { best: forms.collect(), language })
    }
}

/// The counterpart after translating: sentence beginnings get their capital.
pub fn recase<S: AsRef<str>>(words: &[S], language: &Language) -> Vec<String> {
    let cased = words.iter().map(AsRef::as_ref).zip(initials(words));
    let capital = |(word, initial): (&str, bool)| {
        if initial { language.capitalise(word) } else { word.to_string() }
    };
    cased.map(capital).collect()
}

/// Which tokens begin a sentence: the first word of the line and the first after a full stop,
/// quotation marks, brackets and dashes not counted.
fn initials<S: AsRef<str>>(words: &[S]) -> Vec<bool> {
    let mut begins = true;
    let mut initial = Vec::with_capacity(words.len());
    for word in words.iter().map(AsRef::as_ref) {
        let lettered = word.chars().any(char::is_alphanumeric);
        initial.push(begins && lettered);
        if lettered {
            begins = false;
        } else if word.starts_with(['.', '!', '?', '。', '！', '？', '؟', '।', '…']) {
            begins = true;
        }
    }
    initial
}

/// At least two words, one of them longer than an initial, and no small letter in any.
fn is_shouted<S: AsRef<str>>(words: &[S]) -> bool {
    let mut capitals = 0;
    for word in words.iter().map(AsRef::as_ref) {
        if word.chars().any(char::is_lowercase) {
            return false;
        }
        capitals += usize::from(word.chars().filter(|c| c.is_uppercase()).nth(1).is_some());
    }
    capitals >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Der Hund sieht den Mann .\nEs ist der Hund .\nWir sehen Anna .\n\
        DER HUND BELLT LAUT\nJa . Der Tag beginnt .\n„ Das ist gut “\nich sehe das .\nIch sage , ich gehe .";

    fn learnt() -> Truecaser {
        let mut counts = TruecaserCounts::new(Language::new(Some("de")).unwrap());
        TEXT.lines().for_each(|line| counts.add(line));
        counts.finish()
    }

    fn apply(line: &str, headlines: bool) -> String {
        learnt().apply(&line.split(' ').collect::<Vec<_>>(), headlines).join(" ")
    }

    #[test]
    fn sentence_beginnings_get_their_usual_form() {
        assert_eq!(apply("Der Hund .", false), "der Hund .");
        assert_eq!(apply("Anna geht . Der Hund auch", false), "Anna geht . der Hund auch");
        assert_eq!(apply("„ Das ist", false), "„ das ist");
        assert_eq!(apply("Unbekannt ist Der", false), "Unbekannt ist Der");
        assert_eq!(apply("Hund und Mann", false), "Hund und Mann");
    }

    #[test]
    fn headlines_are_recased_throughout_only_when_asked() {
        assert_eq!(apply("DER HUND UND DER MANN", true), "der Hund und der Mann");
        assert_eq!(apply("DER HUND", false), "der HUND");
        assert_eq!(apply("Ein TV .", true), "Ein TV .");
    }

    #[test]
    fn recasing_undoes_truecasing_of_sentences() {
        let language = Language::new(Some("de")).unwrap();
        for line in ["Der Hund sieht den Mann .", "„ Das ist gut “", "Ja . Der Tag beginnt ."] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(recase(&learnt().apply(&words, false), &language).join(" "), line);
        }
    }

    #[test]
    fn a_saved_model_is_loaded_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m");
        let model = learnt();
        model.save(&path).unwrap();
        let loaded = Truecaser::load(&path).unwrap();
        assert_eq!(loaded.best, model.best);
        assert_eq!(loaded.language().code(), "de");
    }

    #[test]
    fn learning_from_nothing_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("empty");
        std::fs::write(&path, "").unwrap();
        let error = Truecaser::learn(&path, Language::new(None).unwrap(), &Monitor::default());
        assert!(error.unwrap_err().to_string().contains("no words to learn from"));
    }

    #[test]
    fn lines_of_one_word_leave_case_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("dictionary");
        std::fs::write(&path, "Hund\nKatze\n").unwrap();
        let learnt = Truecaser::learn(&path, Language::new(None).unwrap(), &Monitor::default());
        learnt.unwrap().save(&path).unwrap();
        assert_eq!(Truecaser::load(&path).unwrap().apply(&["Hund", "da"], false), ["Hund", "da"]);
    }
}
