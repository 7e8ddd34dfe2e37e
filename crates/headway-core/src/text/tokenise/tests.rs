use proptest::prelude::*;

use super::*;
use crate::text::tokens::gaps;

fn words(language: &str, text: &str) -> String {
    let language = if language.is_empty() { None } else { Some(language) };
    let tokens = Tokeniser::new(language, false).unwrap().tokenise(text);
    tokens.words().collect::<Vec<_>>().join(" ")
}

/// Each case: language, text, its tokens parted by spaces.
fn check(cases: &[(&str, &str, &str)]) {
    for (language, text, expected) in cases {
        assert_eq!(words(language, text), *expected, "{language}: {text}");
    }
}

#[test]
fn punctuation_stands_alone() {
    check(&[
        ("en", "Hello, world!", "Hello , world !"),
        ("en", "\"Yes\", (she) said...", "\" Yes \" , ( she ) said ..."),
        ("en", "Really?! No!!", "Really ?! No !!"),
        ("de", "„Ja“, sagte er – leise.", "„ Ja “ , sagte er – leise ."),
        ("es", "¿Qué tal?", "¿ Qué tal ?"),
        ("en", "well-known and/or AT&T", "well-known and / or AT&T"),
        ("en", "wait -- what…", "wait -- what …"),
        ("", ":-) ;D <3 a:b", ":-) ;D <3 a : b"),
    ]);
}

#[test]
fn numbers_stay_whole() {
    check(&[
        ("en", "1,000.50 and 3.5% at 12:30", "1,000.50 and 3.5 % at 12:30"),
        ("de", "1.000,50 €, -5 °C", "1.000,50 € , -5 °C"),
        ("en", "It cost $5, (-3) or .5.", "It cost $ 5 , ( -3 ) or .5 ."),
        ("en", "on 11/28/2000, tel. 713-853-3989", "on 11/28/2000 , tel. 713-853-3989"),
        ("en", "US$20 5'10 1'000", "US$ 20 5'10 1'000"),
        ("ar", "٣٫٥ ١٢", "٣ ٫ ٥ ١٢"),
        ("en", "1,2,3, 4", "1,2,3 , 4"),
    ]);
}

#[test]
fn addresses_stay_whole() {
    check(&[
        ("en", "See https://example.org/a_(b)?q=1&r=2.", "See https://example.org/a_(b)?q=1&r=2 ."),
        ("en", "(www.example.org/x), ok", "( www.example.org/x ) , ok"),
        (
            "en",
            "Mail me@example.co.uk, or a.b+c@d.org.",
            "Mail me@example.co.uk , or a.b+c@d.org .",
        ),
        ("en", "at example.org/a/b or foo.txt", "at example.org/a/b or foo.txt"),
        ("zh", "看http://example.org吧", "看 http://example.org 吧"),
        ("en", "@name likes #topic", "@name likes #topic"),
        ("en", "red &amp; black, Q&amp;A, a &b; c&", "red &amp; black , Q &amp; A , a & b ; c &"),
    ]);
}

#[test]
fn full_stops_of_abbreviations_stay() {
    check(&[
        ("en", "Mr. Smith met J. R. R. Tolkien.", "Mr. Smith met J. R. R. Tolkien ."),
        ("en", "He left the U.S. in 1990.", "He left the U.S. in 1990 ."),
        ("en", "e.g. No. 5, but no. Never.", "e.g. No. 5 , but no . Never ."),
        ("en", "So do I. Then we left, etc.", "So do I . Then we left , etc."),
        ("en", "I got an A. ", "I got an A ."),
        ("en", "the end.Start again", "the end . Start again"),
        ("de", "Am 3. Mai z.B. bzw. Dr. Müller.", "Am 3. Mai z.B. bzw. Dr. Müller ."),
        ("de", "Im Jahr 1990. Danach nichts.", "Im Jahr 1990 . Danach nichts ."),
        ("cs", "Např. 5. května atd.", "Např. 5. května atd."),
        ("fr", "M. Dupont, etc., est là.", "M. Dupont , etc. , est là ."),
        ("es", "El Sr. López vive aquí.", "El Sr. López vive aquí ."),
        ("", "Er wohnt ggf. hier. Dort nicht.", "Er wohnt ggf. hier . Dort nicht ."),
        ("", "the dog. it ran", "the dog . it ran"),
    ]);
}

#[test]
fn apostrophes_follow_the_language() {
    check(&[
        ("en", "don't can't I'd've she's DON'T", "do n't ca n't I 'd 've she 's DO N'T"),
        ("en", "the dogs' o'clock O’Neill’s", "the dogs ' o'clock O’Neill ’s"),
        ("en", "'tis the '90s, 'quoted'", "'tis the '90s , ' quoted '"),
        ("en", "do n't it 's", "do n't it 's"),
        ("en", "50%'16: x", "50 % ' 16 : x"),
        ("fr", "L'eau qu'il aujourd'hui d’être", "L' eau qu' il aujourd'hui d’ être"),
        ("fr", "l'« eau »", "l' « eau »"),
        ("it", "dell'arte un po' c'è", "dell' arte un po' c' è"),
        ("uk", "п'ять п’ять", "п'ять п’ять"),
        ("nl", "'s avonds foto's", "'s avonds foto's"),
        ("", "geht's 'so'", "geht's ' so '"),
    ]);
}

#[test]
fn hyphens_follow_language_and_option() {
    check(&[
        ("de", "Ein- und Ausgang, Haupt- oder -tür", "Ein- und Ausgang , Haupt- oder -tür"),
        ("de", "-Nein.", "- Nein ."),
        ("en", "a dash- here", "a dash - here"),
    ]);
    let split = Tokeniser::new(Some("en"), true).unwrap();
    let tokens = split.tokenise("blond-haired 2010-2012");
    assert_eq!(tokens.words().collect::<Vec<_>>(), ["blond", "-", "haired", "2010-2012"]);
}

#[test]
fn every_script_is_cut_sensibly() {
    check(&[
        ("zh", "他看起来很年轻。", "他 看起来 很 年轻 。"),
        ("ja", "私はテニスです。", "私 は テニス で す 。"),
        ("ja", "きょう", "きょ う"),
        ("", "学习ABC", "学 习 ABC"),
        ("th", "เด็กไทย", "เด็ ก ไท ย"),
        ("km", "ខ្មែរ", "ខ្មែ រ"),
        ("hi", "नमस्ते दुनिया।", "नमस्ते दुनिया ।"),
        ("ar", "مرحبا، كيف؟", "مرحبا ، كيف ؟"),
        ("ko", "안녕하세요, 세계!", "안녕하세요 , 세계 !"),
        ("bo", "བོད་ཡིག", "བོད་ ཡིག"),
        ("", "e\u{301}te\u{301} می\u{200C}خواهم", "e\u{301}te\u{301} می\u{200C}خواهم"),
    ]);
}

#[test]
fn sequences_of_emoji_stay_whole() {
    check(&[("", "ok👨‍👩‍👧👍🏽!", "ok 👨‍👩‍👧 👍🏽 !"), ("", "🇩🇪🇨🇿 ❤️ 1️⃣", "🇩🇪 🇨🇿 ❤️ 1️⃣")]);
}

#[test]
fn odd_spaces_and_controls_are_gaps() {
    let tokens = Tokeniser::new(None, false).unwrap().tokenise("\u{a0}a\0b\u{200b}c \r\n\t");
    assert_eq!(tokens.words().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(tokens.gaps().collect::<Vec<_>>(), ["\u{a0}", "\0", "\u{200b}", " \r\n\t"]);
}

#[test]
fn long_lines_take_linear_time() {
    for piece in [
        "a.",
        "@",
        "a@",
        "http://",
        "http://x)",
        "www.<",
        "...a'",
        "漢字",
        "เก",
        " . ",
        "x",
        "-",
        "c'",
    ] {
        let text = piece.repeat(2_000_000 / piece.len());
        for language in ["en", "fr", "zh"] {
            let tokens = Tokeniser::new(Some(language), false).unwrap().tokenise(&text);
            assert_eq!(tokens.text().len(), text.len());
        }
    }
}

/// Text that meets the rules more often than random characters do.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "don't",
        "U.S.",
        "etc.",
        "3.5",
        "1,000",
        "http://a.b/c",
        "a@b.org",
        "'",
        "’",
        "\"",
        "-",
        "--",
        ".",
        "...",
        "!",
        "?",
        "l'",
        "eau",
        "漢字",
        "かな",
        "ไทย",
        "👨‍👩‍👧",
        "🇩🇪",
        " ",
        "  ",
        "\u{a0}",
        "\n",
        "\u{301}",
        "\u{200d}",
        "\0",
        "A",
        "é",
        "(",
        ")",
        "$",
        "C++",
        "Ein-",
        "°C",
        "@",
        "#",
        "/",
        "ɐ",
    ]);
    prop_oneof![
        any::<String>(),
        "\\PC*",
        prop::collection::vec(pieces, 0..20).prop_map(|pieces| pieces.concat()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn nothing_is_lost_and_tokens_hold_no_space(
        text in texts(),
        language in prop::sample::select(vec!["", "en", "de", "fr", "it", "nl", "zh", "ja", "th", "cs"]),
        split_hyphens: bool,
    ) {
        let language = if language.is_empty() { None } else { Some(language) };
        let tokeniser = Tokeniser::new(language, split_hyphens).unwrap();
        let mut spans = Vec::new();
        tokeniser.spans(&text, &mut spans);
        let mut rebuilt = String::new();
        let mut gaps = gaps(&text, &spans);
        for &(start, end) in &spans {
            prop_assert!(start < end);
            let gap = gaps.next().unwrap();
            prop_assert!(gap.chars().all(|c| Classes::get().of(c) == Class::Space));
            prop_assert!(!text[start..end].chars().any(|c| Classes::get().of(c) == Class::Space));
            rebuilt.push_str(gap);
            rebuilt.push_str(&text[start..end]);
        }
        rebuilt.push_str(gaps.next().unwrap());
        prop_assert_eq!(&rebuilt, &text);
    }
}
