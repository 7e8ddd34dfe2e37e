use std::fs;

use proptest::prelude::*;

use super::*;

type Owned = (String, String);

fn read(mut source: PairSource) -> Result<Vec<Owned>> {
    let mut pairs = Vec::new();
    while let Some(pair) = source.next(&Monitor::default())? {
        match pair.fault() {
            Some(Fault::Language) => continue,
            Some(_) => return Err(source.error()),
            None => {}
        }
        pairs.push((pair.source.text().to_string(), pair.target.text().to_string()));
    }
    Ok(pairs)
}

fn read_tmx(text: &[u8], languages: (&str, &str)) -> Result<Vec<Owned>> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.tmx");
    fs::write(&path, text).unwrap();
    read(PairSource::tmx(&path, languages, Reading::Verbatim)?)
}

fn owned(pairs: &[(&str, &str)]) -> Vec<Owned> {
    pairs.iter().map(|(source, target)| (source.to_string(), target.to_string())).collect()
}

const TMX: &str = r#"<?xml version="1.0"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de"/><body>
<tu><note>n</note><tuv xml:lang="de-DE"><seg>Ein <bpt i="1">&lt;b&gt;<sub>x</sub></bpt>Hund<ept i="1">&lt;/b&gt;</ept>
   &amp; <hi>Katz&#101;</hi><ph x="2"/></seg></tuv>
<tuv lang="EN_us"><prop type="p">q</prop><seg><![CDATA[A dog & cat]]></seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>allein</seg></tuv></tu>
<tu><tuv xml:lang="fr"><seg>un</seg></tuv><tuv xml:lang="en"><seg>two</seg></tuv><tuv xml:lang="de"><seg>zwei</seg></tuv></tu>
</body></tmx>
"#;

#[test]
fn tmx_keeps_text_and_drops_code() {
    let expected = owned(&[("Ein Hund & Katze", "A dog & cat"), ("zwei", "two")]);
    for languages in [("de", "en"), ("de-AT", "en-US"), ("deu", "EN")] {
        assert_eq!(read_tmx(TMX.as_bytes(), languages).unwrap(), expected);
    }
    let units: Vec<u8> = TMX.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_tmx(&units, ("de", "en")).unwrap(), expected);
}

#[test]
fn variants_of_one_language_need_equal_codes() {
    let text = r#"<tmx><body><tu><tuv xml:lang="en-US"><seg>color</seg></tuv>
        <tuv xml:lang="en-GB"><seg>colour</seg></tuv></tu></body></tmx>"#;
    let expected = owned(&[("colour", "color")]);
    assert_eq!(read_tmx(text.as_bytes(), ("en-GB", "en-us")).unwrap(), expected);
    assert!(read_tmx(text.as_bytes(), ("en", "en")).is_err());
}

#[test]
fn tmx_without_end_is_an_error() {
    let unit =
        "<tu><tuv xml:lang='de'><seg>a</seg></tuv><tuv xml:lang='en'><seg>b</seg></tuv></tu>\n";
    let long = |text: &str| text.repeat(100_000);
    let segment = format!("<tu><tuv xml:lang='de'><seg>{}", long("word\n"));
    let variants = format!("<tu>{}", "<tuv/>".repeat(10_001));
    let too_long = "a unit or tag longer than 100000 bytes; is its end missing?";
    for (rest, message) in [
        (segment.as_str(), too_long),
        (&format!("<!-- {}", long("more\n")), too_long),
        (&format!("<tu {}", long("x='y'\n")), too_long),
        (&variants, "a unit of more than 10000 variants; is its end tag missing?"),
        (&long("<a>"), "elements more than 1000 deep; is this a TMX file?"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.tmx");
        fs::write(&path, format!("<tmx><body>\n{unit}{rest}")).unwrap();
        let stream = tmx_input::open_limited(&path, ("de", "en"), Reading::Verbatim, 100_000);
        let error = read(PairSource::Stream(stream.unwrap())).unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
    // Many units together may be longer.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.tmx");
    fs::write(&path, format!("<tmx><body>{}</body></tmx>", unit.repeat(5000))).unwrap();
    let stream = tmx_input::open_limited(&path, ("de", "en"), Reading::Verbatim, 1000);
    assert_eq!(read(PairSource::Stream(stream.unwrap())).unwrap().len(), 5000);
}

#[test]
fn malformed_tmx_is_an_error_with_a_line() {
    let cases: [(&str, &str); 9] = [
        ("", "found the end of the file"),
        ("hello\n", "is this a TMX file?"),
        ("<html></html>", "expected <tmx>"),
        ("<tmx>\n<body>\n<tu></body></tmx>", ":3: not well-formed"),
        ("<tmx><body><tu>", "still open"),
        (
            "<tmx><body><tu><tuv xml:lang='de'><seg>a &foo; b</seg></tuv></tu></body></tmx>",
            "unknown entity",
        ),
        (
            "<tmx><body><tu><tuv xml:lang='de'><seg>a & b</seg></tuv></tu></body></tmx>",
            "not well-formed",
        ),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><tmx></tmx>", "iconv"),
        (
            "<tmx><body><tu><tuv xml:lang='de><seg>a</seg></tuv></tu></body></tmx>",
            "not well-formed",
        ),
    ];
    for (text, expected) in cases {
        let error = read_tmx(text.as_bytes(), ("de", "en")).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let latin = b"<tmx><body>\n<tu><tuv xml:lang='de'><seg>\xFF</seg></tuv></tu></body></tmx>";
    let error = read_tmx(latin, ("de", "en")).unwrap_err().to_string();
    assert!(error.contains(":2: not UTF-8"), "{error}");
}

#[test]
fn differing_line_counts_name_both_files_and_the_first_lonely_line() {
    let directory = tempfile::tempdir().unwrap();
    let (source, target) = (directory.path().join("a"), directory.path().join("b"));
    fs::write(&source, "1\n2\n").unwrap();
    fs::write(&target, "1\n2\ndrei\n4\n").unwrap();
    let error = read(PairSource::lines(&source, &target, Reading::Verbatim).unwrap()).unwrap_err();
    let message = error.to_string();
    for part in ["b:3: line counts differ", "b has 4", "a has 2", "\"drei\""] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn tsv_needs_a_tab() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.tsv");
    fs::write(&path, "a\tb\tc\nd\n").unwrap();
    let error = read(PairSource::tsv(&path, Reading::Verbatim).unwrap()).unwrap_err().to_string();
    assert!(error.contains("t.tsv:2: expected source<TAB>target"), "{error}");
}

#[test]
fn further_columns_pass_from_tsv_to_tsv() {
    let directory = tempfile::tempdir().unwrap();
    let (path, out) = (directory.path().join("t.tsv"), directory.path().join("o.tsv"));
    fs::write(&path, "a\tb\tc\td\ne\tf\n").unwrap();
    let mut source = PairSource::tsv(&path, Reading::Verbatim).unwrap();
    let counts = convert(&mut source, &PairOutput::Tsv(out.clone()), &Monitor::default()).unwrap();
    assert_eq!(counts, (2, 0));
    assert_eq!(fs::read_to_string(out).unwrap(), "a\tb\tc\td\ne\tf\n");
}

#[test]
fn corpora_follow_one_another_and_errors_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        fs::write(directory.path().join(name), text).unwrap();
        directory.path().join(name)
    };
    let (a, b) = (file("a", "1\n2\n"), file("b", "x\ny\n"));
    let (c, d) = (file("c", "3\n"), file("d", "z\n"));
    let first = || PairSource::lines(&a, &b, Reading::Verbatim).unwrap();
    let joined = first().followed_by(&c, &d).unwrap();
    assert_eq!(read(joined).unwrap(), owned(&[("1", "x"), ("2", "y"), ("3", "z")]));
    let uneven = first().followed_by(&c, &d).unwrap().followed_by(&a, &d).unwrap();
    let error = read(uneven).unwrap_err().to_string();
    assert!(error.contains(&format!("{}:2: line counts differ", a.display())), "{error}");
}

proptest! {
    #[test]
    fn pairs_survive_every_format(pairs in prop::collection::vec(("\\PC{0,12}", "\\PC{0,12}"), 0..8)) {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        let outputs = [
            PairOutput::Lines(place("a.gz"), place("b.zst")),
            PairOutput::Tsv(place("c.tsv")),
            PairOutput::Tmx { path: place("d.tmx"), source_language: "de".into(), target_language: "en".into() },
        ];
        // TMX segments come back with their white space normalised; the others as they were.
        let plain: Vec<Owned> = pairs.iter().map(|(a, b)| (normal(a), normal(b))).collect();
        for output in &outputs {
            let mut sink = PairSink::create(output).unwrap();
            for (source, target) in &plain {
                sink.write_texts(source.as_bytes(), target.as_bytes(), b"").unwrap();
            }
            sink.finish().unwrap();
            let source = match output {
                PairOutput::Lines(a, b) => PairSource::lines(a, b, Reading::Verbatim),
                PairOutput::Tsv(path) => PairSource::tsv(path, Reading::Verbatim),
                PairOutput::Tmx { path, .. } => PairSource::tmx(path, ("de", "en"), Reading::Verbatim),
            };
            prop_assert_eq!(&read(source.unwrap()).unwrap(), &plain);
        }
    }

    #[test]
    fn no_bytes_panic_the_tmx_reader(bytes in prop::collection::vec(any::<u8>(), 0..60), cut in 0..TMX.len()) {
        let _ = read_tmx(&bytes, ("de", "en"));
        let _ = read_tmx(&[&TMX.as_bytes()[..cut], &bytes].concat(), ("de", "en"));
    }
}

fn normal(text: &str) -> String {
    let visible: String =
        text.chars().filter(|&c| !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}
