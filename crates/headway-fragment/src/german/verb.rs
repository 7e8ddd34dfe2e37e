//! Verb conjugation.

use crate::features::{Number, Person, Referent};

/// The principal parts, without the separable particle.
#[derive(Debug, Clone, Copy)]
pub struct GermanVerb {
    pub infinitive: &'static str,
    pub particle: &'static str,
    pub parts: Option<Parts>,
    /// Perfect with *sein*.
    pub moves: bool,
    pub reflexive: bool,
}

/// What a strong or irregular verb does not owe to a rule.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Second person singular, present.
    pub du: &'static str,
    /// Third person singular, present.
    pub er: &'static str,
    /// First person singular, past.
    pub past: &'static str,
    pub participle: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FiniteTense {
    Present,
    Past,
}

impl GermanVerb {
    /// *auf* + *machen*.
    pub fn lemma(&self) -> String {
        format!("{}{}", self.particle, self.infinitive)
    }

    /// The infinitive with *zu*: one word only for separable verbs.
    pub fn zu_infinitive(&self) -> String {
        format!("{}zu{}", self.particle, self.infinitive)
    }

    pub fn participle(&self) -> String {
        let part = match &self.parts {
            Some(parts) => parts.participle.to_owned(),
            None => self.weak_participle(),
        };
        format!("{}{part}", self.particle)
    }

    /// The finite form, without its particle.
    pub fn finite(&self, tense: FiniteTense, subject: &Referent) -> String {
        let (person, number) = (subject.person, subject.number);
        match tense {
            FiniteTense::Present => self.present(person, number),
            FiniteTense::Past => self.past(person, number),
        }
    }

    fn stem(&self) -> &'static str {
        let infinitive = self.infinitive;
        infinitive.strip_suffix("en").or(infinitive.strip_suffix('n')).unwrap_or(infinitive)
    }

    fn present(&self, person: Person, number: Number) -> String {
        let stem = self.stem();
        match (person, number) {
            (Person::First, Number::Singular) => self.first_singular(),
            (Person::Second, Number::Singular) => match &self.parts {
                Some(parts) => parts.du.into(),
                None => format!("{stem}{}", second_ending(stem)),
            },
            (Person::Third, Number::Singular) => match &self.parts {
                Some(parts) => parts.er.into(),
                None => format!("{stem}{}t", linking_e(stem)),
            },
            (Person::Second, Number::Plural) => self.second_plural(),
            (_, Number::Plural) => match self.infinitive {
                "sein" => "sind".into(),
                infinitive => infinitive.into(),
            },
        }
    }

    fn first_singular(&self) -> String {
        match self.infinitive {
            "sein" => "bin".into(),
            "können" | "müssen" | "dürfen" | "wollen" | "sollen" | "mögen" | "wissen" => {
                self.parts.map_or("", |parts| parts.er).into()
            }
            "möchten" => "möchte".into(),
            _ => format!("{}e", self.stem()),
        }
    }

    fn second_plural(&self) -> String {
        match self.infinitive {
            "sein" => "seid".into(),
            _ => format!("{}{}t", self.stem(), linking_e(self.stem())),
        }
    }

    fn past(&self, person: Person, number: Number) -> String {
        let first = match &self.parts {
            Some(parts) => parts.past.to_owned(),
            None => format!("{}{}te", self.stem(), linking_e(self.stem())),
        };
        let weak = first.ends_with('e');
        let ending = match (person, number) {
            (Person::First | Person::Third, Number::Singular) => "",
            (Person::Second, Number::Singular) if weak => "st",
            (Person::Second, Number::Singular) if first.ends_with(['s', 'ß', 'z']) => "est",
            (Person::Second, Number::Singular) if first.ends_with(['d', 't']) => "est",
            (Person::Second, Number::Singular) => "st",
            (Person::Second, Number::Plural) if !weak && first.ends_with(['d', 't']) => "et",
            (Person::Second, Number::Plural) => "t",
            (_, Number::Plural) if weak => "n",
            (_, Number::Plural) => "en",
        };
        format!("{first}{ending}")
    }

    /// *gemacht*; without *ge-* where the stress is not on the first syllable.
    fn weak_participle(&self) -> String {
        const UNSTRESSED: [&str; 8] = ["be", "ge", "er", "ver", "zer", "ent", "emp", "über"];
        let stem = self.stem();
        let bare = UNSTRESSED.iter().any(|prefix| is_prefix(prefix, stem)) || stem.ends_with("ier");
        format!("{}{stem}{}t", if bare { "" } else { "ge" }, linking_e(stem))
    }
}

/// A prefix of a verb leaves a stem with a vowel: *er-zähl*, but not *geh*, *ernt*.
fn is_prefix(prefix: &str, stem: &str) -> bool {
    const VOWELS: [char; 8] = ['a', 'e', 'i', 'o', 'u', 'ä', 'ö', 'ü'];
    stem.strip_prefix(prefix).is_some_and(|rest| rest.chars().skip(1).any(|c| VOWELS.contains(&c)))
}

/// *du redest, du öffnest* need an e; *du machst, du lernst* do not.
fn linking_e(stem: &str) -> &'static str {
    let mut last = stem.chars().rev();
    let (end, before) = (last.next().unwrap_or(' '), last.next().unwrap_or(' '));
    let hard = matches!(end, 'd' | 't')
        || (matches!(end, 'm' | 'n')
            && !matches!(
                before,
                'a'..='e' | 'i' | 'o' | 'u' | 'ä' | 'ö' | 'ü' | 'l' | 'r' | 'm' | 'n' | 'h'
            ));
    if hard || stem.ends_with("chn") { "e" } else { "" }
}

fn second_ending(stem: &str) -> &'static str {
    match linking_e(stem) {
        "e" => "est",
        _ if stem.ends_with(['s', 'ß', 'z', 'x']) => "t",
        _ => "st",
    }
}

pub const HABEN: GermanVerb = irregular("haben", "hast", "hat", "hatte", "gehabt", false);
pub const SEIN: GermanVerb = irregular("sein", "bist", "ist", "war", "gewesen", true);
pub const WERDEN: GermanVerb = irregular("werden", "wirst", "wird", "wurde", "worden", true);

/// A verb without particle from its principal parts.
pub const fn irregular(
    infinitive: &'static str,
    du: &'static str,
    er: &'static str,
    past: &'static str,
    participle: &'static str,
    moves: bool,
) -> GermanVerb {
    let parts = Some(Parts { du, er, past, participle });
    GermanVerb { infinitive, particle: "", parts, moves, reflexive: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Gender;
    use crate::lexicon::lexicon;

    fn paradigm(verb: &GermanVerb, tense: FiniteTense) -> String {
        let person = |person, number| Referent::new(person, number, Gender::Neuter);
        let forms = Number::ALL
            .map(|number| Person::ALL.map(|one| verb.finite(tense, &person(one, number))));
        forms.concat().join(" ")
    }

    fn check(lemma: &str, present: &str, past: &str, participle: &str) {
        let verb = &lexicon().verb(lemma).unwrap().german;
        assert_eq!(paradigm(verb, FiniteTense::Present), present);
        assert_eq!(paradigm(verb, FiniteTense::Past), past);
        assert_eq!(verb.participle(), participle);
    }

    #[test]
    fn weak_verbs_follow_the_rules() {
        check(
            "kaufen",
            "kaufe kaufst kauft kaufen kauft kaufen",
            "kaufte kauftest kaufte kauften kauftet kauften",
            "gekauft",
        );
        check(
            "arbeiten",
            "arbeite arbeitest arbeitet arbeiten arbeitet arbeiten",
            "arbeitete arbeitetest arbeitete arbeiteten arbeitetet arbeiteten",
            "gearbeitet",
        );
        check(
            "öffnen",
            "öffne öffnest öffnet öffnen öffnet öffnen",
            "öffnete öffnetest öffnete öffneten öffnetet öffneten",
            "geöffnet",
        );
        check(
            "tanzen",
            "tanze tanzt tanzt tanzen tanzt tanzen",
            "tanzte tanztest tanzte tanzten tanztet tanzten",
            "getanzt",
        );
        check(
            "wandern",
            "wandere wanderst wandert wandern wandert wandern",
            "wanderte wandertest wanderte wanderten wandertet wanderten",
            "gewandert",
        );
    }

    #[test]
    fn strong_verbs_change_their_stem() {
        check(
            "lesen",
            "lese liest liest lesen lest lesen",
            "las lasest las lasen last lasen",
            "gelesen",
        );
        check(
            "finden",
            "finde findest findet finden findet finden",
            "fand fandest fand fanden fandet fanden",
            "gefunden",
        );
        check(
            "fahren",
            "fahre fährst fährt fahren fahrt fahren",
            "fuhr fuhrst fuhr fuhren fuhrt fuhren",
            "gefahren",
        );
        check(
            "bringen",
            "bringe bringst bringt bringen bringt bringen",
            "brachte brachtest brachte brachten brachtet brachten",
            "gebracht",
        );
        check(
            "wissen",
            "weiß weißt weiß wissen wisst wissen",
            "wusste wusstest wusste wussten wusstet wussten",
            "gewusst",
        );
    }

    #[test]
    fn auxiliaries_are_irregular() {
        assert_eq!(paradigm(&SEIN, FiniteTense::Present), "bin bist ist sind seid sind");
        assert_eq!(paradigm(&SEIN, FiniteTense::Past), "war warst war waren wart waren");
        assert_eq!(paradigm(&HABEN, FiniteTense::Present), "habe hast hat haben habt haben");
        assert_eq!(
            paradigm(&WERDEN, FiniteTense::Present),
            "werde wirst wird werden werdet werden"
        );
        assert_eq!(
            paradigm(&WERDEN, FiniteTense::Past),
            "wurde wurdest wurde wurden wurdet wurden"
        );
    }

    #[test]
    fn participles_and_infinitives_know_their_prefixes() {
        let verb = |lemma| &lexicon().verb(lemma).unwrap().german;
        for (lemma, participle) in [
            ("aufmachen", "aufgemacht"),
            ("anrufen", "angerufen"),
            ("besuchen", "besucht"),
            ("reparieren", "repariert"),
            ("gehören", "gehört"),
            ("übersetzen", "übersetzt"),
            ("vorbereiten", "vorbereitet"),
            ("beantworten", "beantwortet"),
            ("essen", "gegessen"),
        ] {
            assert_eq!(verb(lemma).participle(), participle);
        }
        assert_eq!(verb("aufmachen").zu_infinitive(), "aufzumachen");
    }
}
