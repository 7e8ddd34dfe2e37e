//! The grammatical categories both languages share.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gender {
    Masculine,
    Feminine,
    Neuter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    Singular,
    Plural,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    Nominative,
    Accusative,
    Dative,
    Genitive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Person {
    First,
    Second,
    Third,
}

/// What a pronoun, a possessive or a verb has to agree with.
///
/// `gender` is that of the German noun, `sex` the one English pronouns follow; `formal` is the
/// German *Sie*, which takes the verb of the third person plural and is *you* in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Referent {
    pub person: Person,
    pub number: Number,
    pub gender: Gender,
    pub sex: Gender,
    pub formal: bool,
}

impl Referent {
    pub const fn new(person: Person, number: Number, gender: Gender) -> Self {
        Referent { person, number, gender, sex: gender, formal: false }
    }

    /// The person that an English verb and pronoun shows.
    pub fn english_person(&self) -> Person {
        if self.formal { Person::Second } else { self.person }
    }

    pub fn is_third(&self) -> bool {
        self.english_person() == Person::Third
    }
}

impl Gender {
    pub fn feature(self) -> &'static str {
        ["Masc", "Fem", "Neut"][self as usize]
    }
}

impl Number {
    #[cfg(test)]
    pub const ALL: [Number; 2] = [Number::Singular, Number::Plural];

    pub fn feature(self) -> &'static str {
        ["Sing", "Plur"][self as usize]
    }
}

impl Case {
    #[cfg(test)]
    pub const ALL: [Case; 4] = [Case::Nominative, Case::Accusative, Case::Dative, Case::Genitive];

    pub fn feature(self) -> &'static str {
        ["Nom", "Acc", "Dat", "Gen"][self as usize]
    }
}

impl Person {
    #[cfg(test)]
    pub const ALL: [Person; 3] = [Person::First, Person::Second, Person::Third];

    pub fn feature(self) -> &'static str {
        ["1", "2", "3"][self as usize]
    }
}
