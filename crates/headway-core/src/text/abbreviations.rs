//! Words whose full stop belongs to them, by language. Lower case: looked up case-blind.

/// The abbreviations of one language.
#[derive(Debug, Clone, Copy, Default)]
pub struct Abbreviations {
    /// Keep their full stop wherever text follows.
    pub general: &'static [&'static str],
    /// Keep it before a number only: `No. 5`, but `He said no. Then …`.
    pub before_number: &'static [&'static str],
    /// Keep it even where the line ends with them.
    pub closing: &'static [&'static str],
}

pub fn of(language: &str) -> Abbreviations {
    match language {
        "en" => ENGLISH,
        "de" => GERMAN,
        "cs" | "sk" => CZECH,
        "fr" => FRENCH,
        "es" => SPANISH,
        "it" => ITALIAN,
        "nl" => DUTCH,
        "pt" => PORTUGUESE,
        _ => Abbreviations::default(),
    }
}

const ENGLISH: Abbreviations = Abbreviations {
    general: &[
        "mr", "mrs", "ms", "mx", "dr", "prof", "rev", "fr", "st", "ste", "hon", "gen", "col",
        "maj", "capt", "cpt", "lt", "sgt", "cpl", "pvt", "adm", "cmdr", "gov", "sen", "rep",
        "pres", "supt", "jr", "sr", "esq", "messrs", "mt", "ft", "ave", "blvd", "rd", "hwy", "sq",
        "bldg", "dept", "univ", "assn", "inc", "ltd", "co", "corp", "bros", "vs", "etc", "approx",
        "appt", "cf", "viz", "ibid", "al", "eds", "vol", "vols", "ch", "para", "orig", "jan",
        "feb", "apr", "aug", "sept", "oct", "nov", "dec", "tues", "thurs", "calif", "conn", "fla",
        "ariz", "colo", "mich", "minn", "penn", "tenn", "tex", "wis", "va", "oz", "lb", "lbs",
        "yd", "hrs", "mins", "secs", "tel", "avg", "govt", "intl", "natl", "mfg", "dist", "asst",
        "atty", "bp", "msgr", "pl",
    ],
    before_number: &[
        "no", "nos", "art", "arts", "fig", "figs", "p", "pp", "eq", "eqs", "ex", "op", "mar",
        "jun", "jul", "sep", "sun", "sat", "wed", "nr", "ca", "c", "app", "tab", "pt", "vs", "v",
        "l", "ll",
    ],
    closing: &["etc", "inc", "ltd", "co", "corp", "jr", "sr", "bros", "esq", "al"],
};

const GERMAN: Abbreviations = Abbreviations {
    general: &[
        "dr",
        "prof",
        "hr",
        "fr",
        "frl",
        "hrn",
        "dipl",
        "ing",
        "mag",
        "med",
        "phil",
        "jur",
        "theol",
        "st",
        "hl",
        "sel",
        "geb",
        "gest",
        "verh",
        "verw",
        "bzw",
        "usw",
        "usf",
        "etc",
        "evtl",
        "ggf",
        "vgl",
        "ca",
        "inkl",
        "exkl",
        "zzgl",
        "abzgl",
        "max",
        "min",
        "mind",
        "allg",
        "bes",
        "bspw",
        "sog",
        "insb",
        "insbes",
        "jew",
        "kath",
        "evang",
        "ev",
        "lat",
        "griech",
        "engl",
        "frz",
        "dt",
        "österr",
        "schweiz",
        "amerik",
        "mio",
        "mrd",
        "tsd",
        "std",
        "stdn",
        "sek",
        "tel",
        "str",
        "pl",
        "hbf",
        "bhf",
        "abt",
        "red",
        "verf",
        "hrsg",
        "hg",
        "aufl",
        "bearb",
        "übers",
        "anm",
        "begr",
        "ebd",
        "zit",
        "ff",
        "okt",
        "nov",
        "dez",
        "jan",
        "feb",
        "febr",
        "aug",
        "sept",
        "apr",
        "vorm",
        "nachm",
        "tägl",
        "wöchentl",
        "monatl",
        "jährl",
        "gegr",
        "ges",
        "gez",
        "jh",
        "jhd",
        "jhdt",
        "lfd",
        "mtl",
        "obb",
        "rd",
        "stellv",
        "svw",
        "urspr",
        "vllt",
        "wg",
        "zz",
        "zzt",
        "ztr",
        "co",
        "bundesreg",
        "kfm",
        "kgl",
        "staatl",
    ],
    before_number: &[
        "nr", "nrn", "abb", "abs", "art", "bd", "bde", "kap", "s", "sp", "tab", "ziff", "zi", "z",
        "fn", "rn", "rz", "lit", "anl", "bl", "par", "jg", "h", "v", "vers", "stk",
    ],
    closing: &["usw", "usf", "etc", "ff", "jh", "jhd", "co"],
};

const CZECH: Abbreviations = Abbreviations {
    general: &[
        "ing", "mgr", "bc", "mudr", "judr", "rndr", "phdr", "paeddr", "dr", "doc", "prof", "csc",
        "drsc", "akad", "arch", "npor", "por", "kpt", "mjr", "pplk", "plk", "gen", "sv", "st",
        "ml", "zn", "atd", "apod", "aj", "tzv", "tj", "např", "popř", "příp", "resp", "event",
        "cca", "max", "min", "srov", "kupř", "tzn", "mj", "vč", "mil", "mld", "tis", "ks", "hod",
        "sek", "nám", "ul", "tř", "okr", "odd", "red", "ed", "vyd", "angl", "něm", "lat", "fr",
        "čes", "slov", "pol", "rus", "býv", "zem", "nar", "roz", "pí", "kol", "spol", "zvl",
    ],
    before_number: &[
        "č", "čj", "str", "s", "r", "l", "odst", "obr", "tab", "sv", "kap", "díl", "par",
    ],
    closing: &["atd", "apod", "aj", "mj", "spol"],
};

const FRENCH: Abbreviations = Abbreviations {
    general: &[
        "mm", "mgr", "dr", "pr", "prof", "st", "ste", "cie", "sté", "ets", "etc", "env", "ex",
        "cf", "éd", "ed", "coll", "trad", "av", "apr", "janv", "févr", "avr", "juil", "sept",
        "oct", "nov", "déc", "boul", "bd", "pl", "tél", "fém", "masc", "sing", "plur", "adj",
        "adv", "hab", "inéd", "ibid", "loc", "ms", "mss", "obs", "préf", "réf", "suppl", "gén",
        "cap", "col", "lt", "mlle", "mme", "dépt", "dir", "min", "max", "qqch", "qqn",
    ],
    before_number: &[
        "p", "pp", "n", "no", "art", "chap", "fig", "t", "vol", "al", "v", "éq", "tab",
    ],
    closing: &["etc", "cie"],
};

const SPANISH: Abbreviations = Abbreviations {
    general: &[
        "sr", "sra", "sres", "srta", "dr", "dra", "dres", "prof", "profa", "lic", "ing", "arq",
        "gral", "cnel", "cap", "tte", "sgto", "ud", "uds", "vd", "vds", "excmo", "excma", "ilmo",
        "ilma", "mons", "fr", "sto", "sta", "avda", "av", "ctra", "pza", "izq", "dcha", "dpto",
        "depto", "tel", "tfno", "etc", "aprox", "máx", "mín", "admón", "cía", "hnos", "ltda",
        "eds", "trad", "cf", "cfr", "ej", "ene", "feb", "abr", "jun", "jul", "ago", "sept", "oct",
        "nov", "dic", "pdo", "rte", "gob", "min", "atte", "ca",
    ],
    before_number: &[
        "núm", "núms", "nro", "no", "art", "arts", "pág", "págs", "p", "pp", "cap", "fig", "vol",
        "t", "párr",
    ],
    closing: &["etc", "cía", "ltda", "hnos", "ud", "uds"],
};

const ITALIAN: Abbreviations = Abbreviations {
    general: &[
        "sig", "sigg", "dott", "prof", "proff", "ing", "avv", "arch", "geom", "rag", "sen", "gen",
        "col", "cap", "mons", "ecc", "es", "cfr", "ca", "pag", "tel", "fig", "dr", "egr", "gent",
        "spett", "rev", "sec", "genn", "febbr", "apr", "giu", "lug", "ago", "sett", "ott", "nov",
        "dic", "min", "max", "cit", "trad", "soc",
    ],
    before_number: &["n", "nn", "art", "artt", "p", "pp", "pagg", "vol", "cap", "fig", "tab", "l"],
    closing: &["ecc", "soc"],
};

const DUTCH: Abbreviations = Abbreviations {
    general: &[
        "dhr", "mevr", "mw", "mr", "dr", "drs", "ir", "ing", "prof", "ds", "st", "jr", "sr", "enz",
        "etc", "bijv", "bv", "evt", "incl", "excl", "ca", "max", "min", "nl", "resp", "tel", "vgl",
        "zgn", "zog", "jan", "feb", "febr", "apr", "aug", "sept", "okt", "nov", "dec", "mln",
        "mld", "ong", "oorspr", "red", "vert", "afd", "gem", "prov", "geb", "gest", "mej",
    ],
    before_number: &[
        "nr", "nrs", "art", "blz", "p", "pp", "hfst", "afb", "fig", "deel", "dl", "lid",
    ],
    closing: &["enz", "etc"],
};

const PORTUGUESE: Abbreviations = Abbreviations {
    general: &[
        "sr", "sra", "srs", "sras", "srta", "dr", "dra", "drs", "prof", "profa", "eng", "arq",
        "exmo", "exma", "ilmo", "gen", "cel", "cap", "ten", "sto", "sta", "av", "tel", "etc",
        "aprox", "máx", "mín", "cia", "ltda", "jan", "fev", "abr", "jun", "jul", "ago", "nov",
        "dez", "ed", "trad", "cf", "ex", "depto", "min", "pça", "dto", "esq",
    ],
    before_number: &[
        "núm", "nº", "no", "art", "arts", "pág", "págs", "p", "pp", "cap", "fig", "vol",
    ],
    closing: &["etc", "cia", "ltda"],
};
