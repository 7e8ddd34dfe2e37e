//! Modal verbs and what English makes of them.

use super::english::{ALLOW, EnglishVerb, HAVE, LIKE, WANT};
use super::german::{GermanVerb, irregular};

#[derive(Debug)]
pub struct Modal {
    pub german: GermanVerb,
    pub lemma: &'static str,
    pub present: EnglishModal,
    pub past: Option<EnglishModal>,
    /// In statements without negation only.
    pub plain: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum EnglishModal {
    /// An auxiliary of this form and lemma: *could*, can.
    Auxiliary(&'static str, &'static str),
    /// A verb with *to*: *have to*; in the passive *be allowed to*; after *would*.
    To(&'static EnglishVerb, Voice),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    Active,
    Passive,
    Conditional,
}

static HAVE_TO: EnglishModal = EnglishModal::To(&HAVE, Voice::Active);
static WANT_TO: EnglishModal = EnglishModal::To(&WANT, Voice::Active);
static ALLOWED_TO: EnglishModal = EnglishModal::To(&ALLOW, Voice::Passive);
static LIKE_TO: EnglishModal = EnglishModal::To(&LIKE, Voice::Conditional);

const fn modal(
    german: GermanVerb,
    lemma: &'static str,
    present: EnglishModal,
    past: Option<EnglishModal>,
    plain: bool,
) -> Modal {
    Modal { german, lemma, present, past, plain }
}

const MUST: GermanVerb = irregular("müssen", "musst", "muss", "musste", "gemusst", false);

pub static MODALS: [Modal; 7] = [
    modal(
        irregular("können", "kannst", "kann", "konnte", "gekonnt", false),
        "können",
        EnglishModal::Auxiliary("can", "can"),
        Some(EnglishModal::Auxiliary("could", "can")),
        false,
    ),
    modal(MUST, "müssen", EnglishModal::Auxiliary("must", "must"), None, true),
    modal(MUST, "müssen", HAVE_TO, Some(HAVE_TO), false),
    modal(
        irregular("wollen", "willst", "will", "wollte", "gewollt", false),
        "wollen",
        WANT_TO,
        Some(WANT_TO),
        false,
    ),
    modal(
        irregular("sollen", "sollst", "soll", "sollte", "gesollt", false),
        "sollen",
        EnglishModal::Auxiliary("should", "should"),
        None,
        false,
    ),
    modal(
        irregular("dürfen", "darfst", "darf", "durfte", "gedurft", false),
        "dürfen",
        ALLOWED_TO,
        Some(ALLOWED_TO),
        false,
    ),
    modal(
        irregular("möchten", "möchtest", "möchte", "wollte", "gemocht", false),
        "mögen",
        LIKE_TO,
        None,
        false,
    ),
];

/// *müssen* as *must*: also for conclusions, *muss gelesen haben*.
pub fn must() -> &'static Modal {
    &MODALS[1]
}
