//! Derivations made by hand, one for each construction, against what a speaker would write.

use super::features::{Case, Gender, Number, Person, Referent};
use super::lexicon::{EnglishSlot, GermanSlot, Verb, lexicon};
use super::meaning::*;
use super::modal::MODALS;
use super::pair::Pair;
use super::render::raw;
use super::time::TimePhrase;

const SHE: Referent = Referent::new(Person::Third, Number::Singular, Gender::Feminine);
const HE: Referent = Referent::new(Person::Third, Number::Singular, Gender::Masculine);
const I: Referent = Referent::new(Person::First, Number::Singular, Gender::Masculine);
const YOU: Referent = Referent::new(Person::Second, Number::Singular, Gender::Masculine);
const WE: Referent = Referent::new(Person::First, Number::Plural, Gender::Masculine);

fn pronoun(referent: Referent) -> Nominal {
    Nominal::Pronoun(Id::fresh(), referent)
}

fn name(name: &str) -> Nominal {
    Nominal::Name(Id::fresh(), lexicon().name(name).unwrap())
}

fn phrase(determiner: Determiner, noun: &str) -> NounPhrase {
    NounPhrase::new(lexicon().noun(noun).unwrap(), Number::Singular, determiner)
}

fn noun(determiner: Determiner, noun: &str) -> Nominal {
    Nominal::Noun(Box::new(phrase(determiner, noun)))
}

fn the(lemma: &str) -> Nominal {
    noun(Determiner::Definite, lemma)
}

fn quality(lemma: &str) -> AdjectiveUse {
    let adjective = lexicon().adjective(lemma).unwrap();
    AdjectiveUse { id: Id::fresh(), adjective, degree: None }
}

fn with_adjective(determiner: Determiner, adjective: &str, noun: &str) -> Nominal {
    let mut phrase = phrase(determiner, noun);
    phrase.adjectives.push(quality(adjective));
    Nominal::Noun(Box::new(phrase))
}

fn verb(lemma: &str) -> &'static Verb {
    lexicon().verb(lemma).unwrap()
}

/// A clause whose complements fill the verb's places in order.
fn clause(lemma: &str, subject: Nominal, objects: Vec<Nominal>) -> Clause {
    let verb = verb(lemma);
    let mut clause = Clause::new(Predicate::Verb(verb), subject);
    for (slot, object) in verb.slots.iter().zip(objects) {
        let filler = Filler::Nominal(object);
        clause.complements.push(Complement { id: Id::fresh(), slot: *slot, filler });
    }
    clause
}

fn tensed(mut clause: Clause, tense: Tense, english: EnglishTense) -> Clause {
    (clause.tense, clause.english_tense) = (tense, english);
    clause
}

fn adjunct(kind: AdjunctKind) -> Adjunct {
    Adjunct { id: Id::fresh(), kind }
}

fn adverb(lemma: &str) -> Adjunct {
    adjunct(AdjunctKind::Adverb(lexicon().adverb(lemma).unwrap()))
}

fn gap(host: &NounPhrase, english: RelativeWord) -> Nominal {
    Nominal::Gap(Id::fresh(), Gap { host: host.referent(), english })
}

fn with_relative(mut host: NounPhrase, clause: Clause, extraposed: bool) -> Nominal {
    host.relative = Some(Box::new(Relative { id: Id::fresh(), clause, extraposed }));
    Nominal::Noun(Box::new(host))
}

fn with_content(mut outer: Clause, kind: ContentKind, clause: Clause) -> Clause {
    outer.content = Some(Box::new(Content { id: Id::fresh(), kind, clause }));
    outer
}

fn pair(mood: Mood, clause: Clause) -> Pair {
    Pair::of(&Utterance { id: Id::fresh(), mood, clause })
}

fn check(clause: Clause, german: &str, english: &str) -> Pair {
    let mood = if german.ends_with('?') { Mood::Question } else { Mood::Statement };
    let pair = pair(mood, clause);
    assert_eq!([raw(&pair.german), raw(&pair.english)], [german, english]);
    pair
}

/// `word<label-head` for every word.
fn tree(words: &[super::Word]) -> String {
    let head = |word: &super::Word| match word.head {
        0 => "ROOT".to_owned(),
        head => words[head as usize - 1].form.to_string(),
    };
    let arcs = words.iter().map(|word| format!("{}<{}-{}", word.form, word.label, head(word)));
    arcs.collect::<Vec<_>>().join(" ")
}

fn links(pair: &Pair) -> String {
    let link = |&(german, english): &(u32, u32)| {
        let german = &pair.german[german as usize].form;
        format!("{german}={}", pair.english[english as usize].form)
    };
    pair.alignment.iter().map(link).collect::<Vec<_>>().join(" ")
}

use EnglishTense::{Past, Perfect as HasDone, Present, Progressive, Will};

#[test]
fn a_ditransitive_verb_with_declined_adjectives() {
    let giver = with_adjective(Determiner::Definite, "alt", "Mann");
    let gift = with_adjective(Determiner::Indefinite, "neu", "Buch");
    let clause = tensed(clause("geben", giver, vec![gift, the("Kind")]), Tense::Past, Past);
    let pair = check(
        clause,
        "Der alte Mann gab dem Kind ein neues Buch.",
        "The old man gave the child a new book.",
    );
    assert_eq!(
        tree(&pair.german),
        "Der<det-Mann alte<amod-Mann Mann<nsubj-gab gab<root-ROOT dem<det-Kind Kind<iobj-gab \
         ein<det-Buch neues<amod-Buch Buch<obj-gab .<punct-gab"
    );
    assert_eq!(
        tree(&pair.english),
        "The<det-man old<amod-man man<nsubj-gave gave<root-ROOT the<det-child child<iobj-gave \
         a<det-book new<amod-book book<obj-gave .<punct-gave"
    );
    assert_eq!(
        links(&pair),
        "Der=The alte=old Mann=man gab=gave dem=the Kind=child ein=a neues=new Buch=book .=."
    );
}

#[test]
fn a_separable_verb_makes_a_bracket_and_the_present_looks_ahead() {
    let brother = noun(Determiner::Possessive(SHE), "Bruder");
    let mut clause = tensed(clause("anrufen", pronoun(SHE), vec![brother]), Tense::Present, Will);
    clause.adjuncts.push(adverb("morgen"));
    clause.front = Front::Adjunct(0);
    clause.english_front = Some(0);
    let pair =
        check(clause, "Morgen ruft sie ihren Bruder an.", "Tomorrow she will call her brother.");
    assert_eq!(
        tree(&pair.german),
        "Morgen<advmod-ruft ruft<root-ROOT sie<nsubj-ruft ihren<det:poss-Bruder Bruder<obj-ruft \
         an<compound:prt-ruft .<punct-ruft"
    );
    assert_eq!(
        links(&pair),
        "Morgen=Tomorrow ruft=will ruft=call sie=she ihren=her Bruder=brother an=will an=call .=."
    );
}

#[test]
fn an_extraposed_relative_clause_crosses_the_verb() {
    let host = phrase(Determiner::Definite, "Mann");
    let mut inner = clause("füttern", gap(&host, RelativeWord::Who), vec![the("Hund")]);
    inner.moved = Some(Front::Subject);
    let inner = tensed(inner, Tense::Past, Past);
    let object = with_relative(host, inner, true);
    let clause = tensed(clause("sehen", pronoun(I), vec![object]), Tense::Perfect, Past);
    let pair = check(
        clause,
        "Ich habe den Mann gesehen, der den Hund fütterte.",
        "I saw the man who fed the dog.",
    );
    assert_eq!(
        tree(&pair.german),
        "Ich<nsubj-gesehen habe<aux-gesehen den<det-Mann Mann<obj-gesehen gesehen<root-ROOT \
         ,<punct-fütterte der<nsubj-fütterte den<det-Hund Hund<obj-fütterte \
         fütterte<acl:relcl-Mann .<punct-gesehen"
    );
    assert!(pair.phenomena.names().any(|name| name == "extraposed-relative"));
    assert!(pair.phenomena.names().any(|name| name == "non-projective-german"));
}

#[test]
fn relative_pronouns_take_any_case() {
    let told =
        |object: Nominal| tensed(clause("kennen", pronoun(HE), vec![object]), Tense::Past, Past);
    let host = phrase(Determiner::Definite, "Frau");
    let mut inner = clause("sprechen", pronoun(I), vec![gap(&host, RelativeWord::That)]);
    (inner.moved, inner.stranded) = (Some(Front::Complement(0)), true);
    let object = with_relative(host, tensed(inner, Tense::Past, Past), false);
    check(
        told(object),
        "Er kannte die Frau, mit der ich sprach.",
        "He knew the woman that I talked to.",
    );
    let host = phrase(Determiner::Definite, "Lehrer");
    let dog = noun(Determiner::Whose(Id::fresh(), host.referent()), "Hund");
    let mut inner = clause("bellen", dog, vec![]);
    inner.moved = Some(Front::Subject);
    let object = with_relative(host, tensed(inner, Tense::Past, Past), false);
    check(
        told(object),
        "Er kannte den Lehrer, dessen Hund bellte.",
        "He knew the teacher whose dog barked.",
    );
}

#[test]
fn verbs_cluster_at_the_end_of_subordinate_clauses() {
    let mut inner = clause("lesen", pronoun(HE), vec![the("Brief")]);
    inner.modal = Some(&MODALS[2]);
    let inner = tensed(inner, Tense::Perfect, Past);
    let outer = tensed(clause("wissen", pronoun(SHE), vec![]), Tense::Present, Present);
    let pair = check(
        with_content(outer, ContentKind::That { spoken: true }, inner),
        "Sie weiß, dass er den Brief hat lesen müssen.",
        "She knows that he had to read the letter.",
    );
    assert_eq!(
        tree(&pair.english),
        "She<nsubj-knows knows<root-ROOT that<mark-had he<nsubj-had had<ccomp-knows to<mark-read \
         read<xcomp-had the<det-letter letter<obj-read .<punct-knows"
    );
    assert_eq!(
        links(&pair),
        "Sie=She weiß=knows dass=that er=he den=the Brief=letter hat=read lesen=read müssen=had \
         müssen=to .=."
    );
}

#[test]
fn questions_move_the_verb_and_english_helps_with_do() {
    let mut negated = clause("kennen", pronoun(YOU), vec![the("Mädchen")]);
    (negated.negation, negated.contracted) = (Negation::Not, true);
    let pair = check(negated, "Kennst du das Mädchen nicht?", "Don't you know the girl?");
    assert_eq!(links(&pair), "Kennst=Do Kennst=know du=you das=the Mädchen=girl nicht=n't ?=?");
    let who = Nominal::Asked(Id::fresh(), Asked::Who);
    let mut asked = tensed(clause("warten", pronoun(HE), vec![who]), Tense::Present, Progressive);
    (asked.moved, asked.stranded) = (Some(Front::Complement(0)), true);
    let pair = check(asked, "Auf wen wartet er?", "Who is he waiting for?");
    assert!(tree(&pair.english).contains("for<case-Who"));
    let subject = Nominal::Asked(Id::fresh(), Asked::Who);
    let mut asked = tensed(clause("lesen", subject, vec![the("Buch")]), Tense::Perfect, Past);
    asked.moved = Some(Front::Subject);
    check(asked, "Wer hat das Buch gelesen?", "Who read the book?");
}

#[test]
fn negation_is_kein_nicht_or_noch_nicht() {
    let mut none = clause("haben", pronoun(WE), vec![noun(Determiner::Bare, "Auto")]);
    none.negation = Negation::Determiner(EnglishNo::NotA);
    let id = none.id;
    if let Filler::Nominal(Nominal::Noun(phrase)) = &mut none.complements[0].filler {
        phrase.determiner = Determiner::No(id, EnglishNo::NotA);
    }
    let pair = check(none, "Wir haben kein Auto.", "We do not have a car.");
    assert_eq!(links(&pair), "Wir=We haben=do haben=have kein=not kein=a Auto=car .=.");
    let mut yet = clause("besuchen", pronoun(HE), vec![the("Museum")]);
    yet.negation = Negation::NotYet;
    let yet = tensed(yet, Tense::Perfect, HasDone);
    let pair =
        check(yet, "Er hat das Museum noch nicht besucht.", "He has not visited the museum yet.");
    assert!(links(&pair).contains("noch=yet nicht=not"));
    let mut there = clause("gehen", pronoun(HE), vec![the("Schule")]);
    there.negation = Negation::NoLonger;
    check(there, "Er geht nicht mehr zur Schule.", "He no longer goes to the school.");
}

#[test]
fn languages_may_disagree_on_who_is_the_subject() {
    let liked = clause("gefallen", the("Bild"), vec![pronoun(I)]);
    let pair = check(liked, "Das Bild gefällt mir.", "I like the picture.");
    assert_eq!(links(&pair), "Das=the Bild=picture gefällt=like mir=I .=.");
    let exist = lexicon().verbs.iter().find(|verb| verb.has("exist")).unwrap();
    let mut clause = Clause::new(Predicate::Verb(exist), Nominal::Expletive(Id::fresh()));
    let filler = Filler::Nominal(noun(Determiner::Indefinite, "Museum"));
    clause.complements.push(Complement { id: Id::fresh(), slot: exist.slots[0], filler });
    let place = PrepositionPhrase {
        id: Id::fresh(),
        german: "in",
        case: Case::Dative,
        english: "in",
        object: the("Dorf"),
    };
    clause.adjuncts.push(adjunct(AdjunctKind::Place(place)));
    clause.front = Front::Adjunct(0);
    let pair = check(clause, "Im Dorf gibt es ein Museum.", "There is a museum in the village.");
    assert!(links(&pair).starts_with("Im=in Im=the Dorf=village gibt=is es=There"));
    assert!(
        tree(&pair.english).contains("There<expl-is is<root-ROOT a<det-museum museum<nsubj-is")
    );
}

#[test]
fn genitives_are_apostrophes_or_of() {
    let mut house = phrase(Determiner::Definite, "Haus");
    house.owner = Some(with_adjective(Determiner::Definite, "alt", "Lehrer"));
    let mut door = phrase(Determiner::Definite, "Tür");
    door.owner = Some(the("Kirche"));
    let subject = Nominal::Noun(Box::new(house));
    let red = Predicate::Adjectives(vec![quality("rot")], Joint::And);
    let pair = check(
        Clause::new(red, subject),
        "Das Haus des alten Lehrers ist rot.",
        "The old teacher's house is red.",
    );
    assert_eq!(
        links(&pair),
        "Haus=house des=The des='s alten=old Lehrers=teacher ist=is rot=red .=."
    );
    let object = Nominal::Noun(Box::new(door));
    let clause = tensed(clause("schließen", name("Anna"), vec![object]), Tense::Past, Past);
    let pair =
        check(clause, "Anna schloss die Tür der Kirche.", "Anna closed the door of the church.");
    assert!(links(&pair).contains("der=of der=the Kirche=church"));
}

#[test]
fn infinitives_take_zu_inside_the_verb() {
    let mut inner = clause("aufmachen", pronoun(HE), vec![the("Fenster")]);
    inner.subject = None;
    let outer = tensed(clause("versuchen", pronoun(HE), vec![]), Tense::Past, Past);
    let pair = check(
        with_content(outer, ContentKind::Infinitive, inner),
        "Er versuchte, das Fenster aufzumachen.",
        "He tried to open the window.",
    );
    assert!(links(&pair).ends_with("Fenster=window aufzumachen=to aufzumachen=open .=."));
}

#[test]
fn joined_verbs_share_their_auxiliary() {
    let mut first =
        tensed(clause("öffnen", pronoun(HE), vec![the("Tür")]), Tense::Perfect, HasDone);
    let mut second =
        tensed(clause("füttern", pronoun(HE), vec![the("Katze")]), Tense::Perfect, HasDone);
    second.subject = None;
    first.conjunct = Some(Box::new(Conjunct {
        id: Id::fresh(),
        joint: Joint::And,
        clause: second,
        shares_auxiliary: true,
        english_shares_auxiliary: true,
    }));
    check(
        first,
        "Er hat die Tür geöffnet und die Katze gefüttert.",
        "He has opened the door and fed the cat.",
    );
}

#[test]
fn passives_name_the_doer_with_von_and_by() {
    let mut clause = clause("bauen", the("Haus"), vec![]);
    clause.passive = true;
    let doer = noun(Determiner::Possessive(I), "Bruder");
    clause.adjuncts.push(adjunct(AdjunctKind::Agent(doer)));
    let pair = check(
        tensed(clause, Tense::Perfect, Past),
        "Das Haus ist von meinem Bruder gebaut worden.",
        "The house was built by my brother.",
    );
    assert_eq!(
        links(&pair),
        "Das=The Haus=house ist=built von=by meinem=my Bruder=brother gebaut=built worden=was .=."
    );
}

#[test]
fn what_lasts_since_is_present_in_german_and_perfect_in_english() {
    let slot = verb("wohnen").slots[0];
    assert_eq!((slot.german, slot.english), (GermanSlot::At, EnglishSlot::Place));
    let mut clause =
        tensed(clause("wohnen", pronoun(HE), vec![name("Wien")]), Tense::Present, HasDone);
    let since = TimePhrase::Since(Numeral::Words(3), Unit::Year);
    clause.adjuncts.push(adjunct(AdjunctKind::Time(since)));
    check(clause, "Er wohnt seit drei Jahren in Wien.", "He has lived in Vienna for three years.");
}

#[test]
fn a_fronted_clause_takes_the_first_place() {
    let mut before = clause("aufräumen", pronoun(SHE), vec![the("Küche")]);
    before = tensed(before, Tense::Pluperfect, EnglishTense::PastPerfect);
    static NACHDEM: Conjunction =
        Conjunction { german: "nachdem", english: "after", infinitive: false };
    let inner = Subordinate { conjunction: &NACHDEM, clause: before };
    let mut main = tensed(clause("einschlafen", pronoun(SHE), vec![]), Tense::Past, Past);
    main.adjuncts.push(adjunct(AdjunctKind::Clause(Box::new(inner))));
    main.front = Front::Adjunct(0);
    main.english_front = Some(0);
    check(
        main,
        "Nachdem sie die Küche aufgeräumt hatte, schlief sie ein.",
        "After she had tidied up the kitchen, she fell asleep.",
    );
}

#[test]
fn objects_stand_first_and_things_are_compared() {
    let mut known = clause("kennen", pronoun(HE), vec![noun(Determiner::This, "Hund")]);
    known.front = Front::Complement(0);
    check(known, "Diesen Hund kennt er.", "He knows this dog.");
    let taller = Predicate::Comparative(quality("alt"), noun(Determiner::Possessive(I), "Onkel"));
    let clause = Clause::new(taller, name("Peter"));
    let pair = check(clause, "Peter ist älter als mein Onkel.", "Peter is older than my uncle.");
    assert!(tree(&pair.german).contains("als<case-Onkel mein<det:poss-Onkel Onkel<obl-älter"));
}
