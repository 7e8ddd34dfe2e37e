//! What can be matched with what, and which choices lead to most matches.

use std::collections::HashMap;

use super::Word;

/// A hypothesis and a reference, by classes of words with the same stem.
///
/// Within a class any word can be matched with any other, so that the largest numbers of matches
/// and of exact ones follow from counting. A choice that `Choices` allows can always be completed
/// to both, which makes every search one for fewest chunks alone.
pub struct Pair {
    /// Words of the hypothesis.
    pub words: Vec<Seen>,
    /// Words of the reference; those of no class in both are `None`.
    pub places: Vec<Option<Place>>,
    pub classes: Vec<Class>,
    bounds: Vec<u32>,
}

/// A word of the hypothesis, and what came before it.
#[derive(Clone, Copy)]
pub struct Seen {
    /// None if no word of the reference has its stem.
    pub class: Option<usize>,
    pub form: usize,
    /// Words of its class before it.
    class_before: usize,
    /// Whether none of its class follows.
    pub is_last: bool,
}

#[derive(Clone, Copy)]
pub struct Place {
    pub class: usize,
    pub form: usize,
}

/// The words of one stem.
#[derive(Default)]
pub struct Class {
    /// Its words in the reference, from left to right.
    pub places: Vec<usize>,
    pub forms: Vec<Form>,
    hypothesis: usize,
}

/// The words of one form: how often each sentence has it.
#[derive(Clone, Default)]
pub struct Form {
    hypothesis: usize,
    reference: usize,
    /// Where in the hypothesis they stand.
    at: Vec<usize>,
}

/// What may become of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choices {
    /// Matched with the same form.
    pub exact: bool,
    /// Matched with another form that has words to spare.
    pub other: bool,
    pub skip: bool,
}

impl Pair {
    pub fn new(hypothesis: &[Word], reference: &[Word]) -> Self {
        let mut stems = HashMap::new();
        let mut forms = HashMap::new();
        let mut classes: Vec<Class> = Vec::new();
        let mut places = Vec::with_capacity(reference.len());
        for (at, &(form, stem)) in reference.iter().enumerate() {
            let number = *stems.entry(stem).or_insert(classes.len());
            if number == classes.len() {
                classes.push(Class::default());
            }
            let form = classes[number].form(&mut forms, (stem, form));
            classes[number].places.push(at);
            classes[number].forms[form].reference += 1;
            places.push(Some(Place { class: number, form }));
        }
        let mut words = Vec::with_capacity(hypothesis.len());
        for (at, &(form, stem)) in hypothesis.iter().enumerate() {
            let Some(&number) = stems.get(&stem) else {
                words.push(Seen { class: None, form: 0, class_before: 0, is_last: true });
                continue;
            };
            let class = &mut classes[number];
            let form = class.form(&mut forms, (stem, form));
            class.forms[form].hypothesis += 1;
            class.forms[form].at.push(at);
            let class_before = class.hypothesis;
            words.push(Seen { class: Some(number), form, class_before, is_last: false });
            class.hypothesis += 1;
        }
        for word in &mut words {
            let last = |class: usize| classes[class].hypothesis == word.class_before + 1;
            word.is_last = word.class.is_none_or(last);
        }
        for place in &mut places {
            *place = place.filter(|place| classes[place.class].hypothesis > 0);
        }
        let bounds = bounds(&words, &places);
        Pair { words, places, classes, bounds }
    }

    pub fn matches(&self) -> u32 {
        self.classes.iter().map(|class| class.matches() as u32).sum()
    }

    /// Places that are looked at for each alignment kept, and the room they take.
    pub fn cost(&self) -> usize {
        let of_word = |word: &Seen| word.class.map_or(1, |class| self.classes[class].places.len());
        let places: usize = self.words.iter().map(of_word).sum();
        places.saturating_mul(1 + self.places.len() / 64)
    }

    /// No alignment has more adjacent matches than these at `word` and behind it.
    pub fn bound(&self, word: usize) -> u32 {
        self.bounds.get(word).copied().unwrap_or(0)
    }

    /// Whether `place` can be matched with `word`, as far as stems go.
    pub fn suits(&self, word: usize, place: usize) -> bool {
        let class = self.words.get(word).and_then(|word| word.class);
        let found = self.places.get(place).copied().flatten();
        class.is_some() && class == found.map(|place| place.class)
    }

    /// The number of the form at `place` within its class.
    pub fn form(&self, place: usize) -> usize {
        self.places[place].map_or(0, |place| place.form)
    }

    /// What may become of `word` when `used` words of each form of its class are taken in the
    /// reference.
    ///
    /// A form that the hypothesis has no more often than the reference is always matched
    /// exactly. Of one that it has more often, all of the reference are, and what is left over is
    /// matched with what is left over of other forms, or skipped. So what was skipped or matched
    /// otherwise follows from what is used.
    pub fn choices(&self, word: usize, used: &[usize]) -> Choices {
        let seen = &self.words[word];
        let Some(number) = seen.class else {
            return Choices { exact: false, other: false, skip: true };
        };
        let (class, form) = (&self.classes[number], &self.classes[number].forms[seen.form]);
        if form.hypothesis <= form.reference {
            return Choices { exact: true, other: false, skip: false };
        }
        let not_exact = form.before(word) - used[seen.form];
        let may_leave = not_exact < form.hypothesis - form.reference;
        let skipped = seen.class_before - used.iter().sum::<usize>();
        Choices {
            exact: used[seen.form] < form.reference,
            other: may_leave,
            skip: may_leave && skipped < class.hypothesis - class.matches(),
        }
    }

    /// Whether another form may be matched with a word of `form` in the reference, at `word`.
    pub fn spares(&self, word: usize, class: usize, form: usize, used: &[usize]) -> bool {
        let of = &self.classes[class].forms[form];
        // All words of such a form before this one were matched exactly.
        of.reference > of.hypothesis && used[form] - of.before(word) < of.reference - of.hypothesis
    }
}

impl Class {
    fn matches(&self) -> usize {
        self.hypothesis.min(self.places.len())
    }

    fn form(&mut self, known: &mut HashMap<Word, usize>, form: Word) -> usize {
        let number = *known.entry(form).or_insert(self.forms.len());
        if number == self.forms.len() {
            self.forms.push(Form::default());
        }
        number
    }
}

impl Form {
    /// How many of the hypothesis stand before `word`.
    fn before(&self, word: usize) -> usize {
        self.at.partition_point(|&at| at < word)
    }
}

/// For each word of the hypothesis, how many of the pairs of neighbours from it on, each with
/// the word before, the reference has as well.
fn bounds(words: &[Seen], places: &[Option<Place>]) -> Vec<u32> {
    let mut left: HashMap<(usize, usize), u32> = HashMap::new();
    for pair in places.windows(2) {
        if let [Some(one), Some(next)] = pair {
            *left.entry((one.class, next.class)).or_default() += 1;
        }
    }
    let mut bounds = vec![0; words.len() + 1];
    for at in (0..words.len()).rev() {
        let before = at.checked_sub(1).and_then(|before| words[before].class);
        let there = before.zip(words[at].class).and_then(|pair| left.get_mut(&pair));
        let found = there.filter(|there| **there > 0).map(|there| *there -= 1);
        bounds[at] = bounds[at + 1] + u32::from(found.is_some());
    }
    bounds
}
