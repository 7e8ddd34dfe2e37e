//! Tables of head rules: for each category, whose part is the head.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::HeadRules;
use super::phrases::Part;

/// What a part must be: one of the names that `|` separates.
#[derive(Debug)]
enum Name {
    Category(&'static str),
    /// `NN*`: categories that begin so.
    Begins(&'static str),
    /// `*-PRD`: labels with this function.
    Function(&'static str),
    /// `=NP`: the label without functions.
    Label(&'static str),
}

impl Name {
    fn read(text: &'static str) -> Self {
        if let Some(function) = text.strip_prefix("*-") {
            Name::Function(function)
        } else if let Some(label) = text.strip_prefix('=') {
            Name::Label(label)
        } else if let Some(start) = text.strip_suffix('*') {
            Name::Begins(start)
        } else {
            Name::Category(text)
        }
    }

    fn fits(&self, part: &Part) -> bool {
        match self {
            Name::Category(name) => part.category == *name,
            Name::Begins(start) => part.category.starts_with(start),
            Name::Function(name) => part.has_function(name),
            Name::Label(label) => part.label == *label,
        }
    }
}

/// A search through the parts from one end.
#[derive(Debug)]
struct Step {
    from_left: bool,
    names: Vec<Name>,
}

/// The searches of a category, first ones first, and the end to start from if all fail.
#[derive(Debug)]
pub(super) struct Row {
    steps: Vec<Step>,
    pub(super) from_left: bool,
}

impl Row {
    /// `> A B|C < D`: from the left A, or else the first that is B or C; from the right D.
    fn read(text: &'static str) -> Self {
        let mut row = Row { steps: Vec::new(), from_left: true };
        for token in text.split_whitespace() {
            match token {
                ">" => row.from_left = true,
                "<" => row.from_left = false,
                names => {
                    let names = names.split('|').map(Name::read).collect();
                    row.steps.push(Step { from_left: row.from_left, names });
                }
            }
        }
        row
    }

    pub(super) fn find(&self, parts: &[Part]) -> Option<usize> {
        self.steps.iter().find_map(|step| {
            let fits = |part: &Part| step.names.iter().any(|name| name.fits(part));
            match step.from_left {
                true => parts.iter().position(fits),
                false => parts.iter().rposition(fits),
            }
        })
    }
}

/// A row for each category that has rules.
pub(super) struct Table {
    rows: FxHashMap<&'static str, Row>,
    other: Row,
}

impl Table {
    pub(super) fn of(rules: HeadRules) -> &'static Table {
        static COLLINS: LazyLock<Table> = LazyLock::new(|| Table::read(COLLINS_ROWS));
        static LTH: LazyLock<Table> = LazyLock::new(|| Table::read(LTH_ROWS));
        static YAMADA: LazyLock<Table> = LazyLock::new(|| Table::read(YAMADA_ROWS));
        match rules {
            HeadRules::Collins => &COLLINS,
            HeadRules::Lth => &LTH,
            HeadRules::Yamada => &YAMADA,
        }
    }

    fn read(text: &'static str) -> Self {
        let rows = text.lines().filter_map(|line| line.trim().split_once(' '));
        let rows =
            rows.flat_map(|(labels, row)| labels.split('|').map(|label| (label, Row::read(row))));
        Table { rows: rows.collect(), other: Row::read(">") }
    }

    pub(super) fn row(&self, category: &str) -> &Row {
        self.rows.get(category).unwrap_or(&self.other)
    }
}

/// Collins (1999), Appendix A. That a final POS is the head of a noun phrase needs no row of its
/// own: the search from the right finds it first. NX and the later NML follow the rules of NP.
const COLLINS_ROWS: &str = "
    ADJP > NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
    ADVP < RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
    CONJP < CC RB IN
    FRAG <
    INTJ >
    LST < LS :
    NAC > NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
    NP|NX|NML < NN|NNP|NNPS|NNS|NX|POS|JJR > NP|NML < $|ADJP|PRN CD JJ|JJS|RB|QP
    PP < IN TO VBG VBN RP FW
    PRN >
    PRT < RP
    QP > $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
    RRC < VP NP ADVP ADJP PP
    S > TO IN VP S SBAR ADJP UCP NP
    SBAR > WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
    SBARQ > SQ S SINV SBARQ FRAG
    SINV > VBZ VBD VBP VB MD VP S SINV ADJP NP
    SQ > VBZ VBD VBP VB MD VP SQ
    UCP <
    VP > TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
    WHADJP > CC WRB JJ ADJP
    WHADVP < CC WRB
    WHNP > WDT WP WP$ WHADJP WHPP WHNP
    WHPP < IN TO FW";

/// Johansson & Nugues (2007), Table 2, with prepositions, subordinators and the particle of
/// infinitives as heads, as in the treebanks of CoNLL 2007 and 2008.
const LTH_ROWS: &str = "
    ADJP < NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
    ADVP > RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
    CONJP > CC RB IN
    FRAG > NN*|NP W* SBAR PP|IN ADJP|JJ ADVP RB
    INTJ <
    LST > LS :
    NAC < NN* NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
    NP|NX|NML < NN*|NX|NML JJR CD JJ JJS RB QP =NP NP
    PP|WHPP > IN TO VBG VBN RP FW
    PRN >
    PRT > RP
    QP < $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
    RRC > VP NP ADVP ADJP PP
    S < VP *-PRD S SBAR ADJP UCP NP
    SBAR > IN DT < S SQ SINV SBAR FRAG
    SBARQ < SQ S SINV SBARQ FRAG
    SINV < VBZ VBD VBP VB MD VP *-PRD S SINV ADJP NP
    SQ < VBZ VBD VBP VB MD *-PRD VP SQ
    UCP >
    VP > TO VBD VBN MD VBZ VB VBG VBP VP *-PRD ADJP NN NNS NP
    WHADJP < CC WRB JJ ADJP
    WHADVP > CC WRB
    WHNP < NN* WDT WP WP$ WHADJP WHPP WHNP";

/// Yamada & Matsumoto (2003), as later converters have it: noun phrases are searched from the
/// right, and the particle of an infinitive hangs from the verb.
const YAMADA_ROWS: &str = "
    ADJP < NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
    ADVP > RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
    CONJP > CC RB IN
    FRAG >
    INTJ <
    LST > LS :
    NAC < NN|NNS|NNP|NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
    NP|NX|NML < POS|NN|NNP|NNPS|NNS NX|NML JJR CD JJ JJS RB QP NP
    PP|WHPP > IN TO VBG VBN RP FW
    PRN <
    PRT > RP
    QP < $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
    RRC > VP NP ADVP ADJP PP
    S < TO IN VP S SBAR ADJP UCP NP
    SBAR < WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
    SBARQ < SQ S SINV SBARQ FRAG
    SINV < VBZ VBD VBP VB MD VP S SINV ADJP NP
    SQ < VBZ VBD VBP VB MD VP SQ
    UCP >
    VP > VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
    WHADJP < CC WRB JJ ADJP
    WHADVP > CC WRB
    WHNP < WDT WP WP$ WHADJP WHPP WHNP
    X <";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_follow_one_another_and_names_may_be_alternatives() {
        let part = |label| Part::new(label, 1);
        let row = Row::read("> A B|C < D");
        assert_eq!(row.find(&[part("C"), part("B"), part("D"), part("D")]), Some(0));
        assert_eq!(row.find(&[part("C"), part("A")]), Some(1));
        assert_eq!(row.find(&[part("D"), part("D"), part("E")]), Some(1));
        assert_eq!(row.find(&[part("E")]), None);
        let row = Row::read("< NN* *-PRD =NP NP");
        assert_eq!(row.find(&[part("NNS"), part("ADJP-PRD")]), Some(0));
        assert_eq!(row.find(&[part("NP"), part("NP-TMP"), part("PP-LOC-PRD-1")]), Some(2));
        assert_eq!(row.find(&[part("NP"), part("NP-TMP")]), Some(0));
    }

    #[test]
    fn every_table_has_every_phrase_of_the_treebank() {
        for (name, rules) in HeadRules::NAMES {
            for category in ["NP", "VP", "S", "SBAR", "PP", "WHPP", "NX", "UCP", "QP"] {
                assert!(Table::of(rules).rows.contains_key(category), "{name} {category}");
            }
        }
    }
}
