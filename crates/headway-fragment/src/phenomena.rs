//! What a pair shows, for statistics and for picking out sentences.

macro_rules! phenomena {
    ($($name:ident $text:literal,)*) => {
        /// A construction or category that occurs in a pair.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Phenomenon { $($name,)* }

        impl Phenomenon {
            pub const ALL: &'static [Phenomenon] = &[$(Phenomenon::$name,)*];

            pub fn name(self) -> &'static str {
                match self { $(Phenomenon::$name => $text,)* }
            }
        }
    };
}

phenomena! {
    Masculine "masculine",
    Feminine "feminine",
    Neuter "neuter",
    Plural "plural",
    Nominative "nominative",
    Accusative "accusative",
    Dative "dative",
    Genitive "genitive",
    StrongAdjective "adjective-strong",
    WeakAdjective "adjective-weak",
    MixedAdjective "adjective-mixed",
    Comparative "comparative",
    Present "present",
    Past "past",
    PerfectHaben "perfect-haben",
    PerfectSein "perfect-sein",
    Pluperfect "pluperfect",
    Future "future",
    Passive "passive",
    Modal "modal",
    VerbCluster "verb-cluster",
    Separable "separable-verb",
    SeparatedParticle "separated-particle",
    Reflexive "reflexive-verb",
    FrontedAdverbial "fronted-adverbial",
    FrontedObject "fronted-object",
    FrontedClause "fronted-clause",
    YesNoQuestion "yes-no-question",
    WhQuestion "wh-question",
    AdverbialClause "adverbial-clause",
    ContentClause "content-clause",
    Infinitive "zu-infinitive",
    RelativeClause "relative-clause",
    Extraposition "extraposed-relative",
    Negation "negation",
    Kein "kein",
    DoSupport "do-support",
    NominalCoordination "nominal-coordination",
    ClauseCoordination "clause-coordination",
    AdjectiveCoordination "adjective-coordination",
    NominalPreposition "prepositional-attribute",
    VerbalPreposition "prepositional-phrase",
    Contraction "contraction",
    Possessive "possessive",
    GenitiveAttribute "genitive-attribute",
    Numeral "numeral",
    Pronoun "pronoun",
    Name "proper-name",
    Time "time-expression",
    Existential "existential",
    NonProjectiveGerman "non-projective-german",
    NonProjectiveEnglish "non-projective-english",
}

/// A set of phenomena.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Phenomena(u64);

impl Phenomena {
    pub fn add(&mut self, phenomenon: Phenomenon) {
        self.0 |= 1 << phenomenon as u32;
    }

    pub fn has(self, phenomenon: Phenomenon) -> bool {
        self.0 & (1 << phenomenon as u32) != 0
    }

    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let present = Phenomenon::ALL.iter().filter(move |&&phenomenon| self.has(phenomenon));
        present.map(|phenomenon| phenomenon.name())
    }
}
