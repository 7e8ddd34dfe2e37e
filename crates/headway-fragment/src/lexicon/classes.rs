//! Semantic classes of nouns, and who selects them.

/// A set of classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Classes(u128);

impl Classes {
    pub fn meets(self, other: Classes) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn union(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }
}

/// Names of classes, numbered as nouns bring them up.
#[derive(Debug, Default)]
pub struct ClassNames(Vec<&'static str>);

impl ClassNames {
    /// The set of these names, separated by spaces or commas; new names are added.
    pub fn define(&mut self, names: &'static str) -> Classes {
        for name in names.split([' ', ',']) {
            if !self.0.contains(&name) {
                self.0.push(name);
            }
        }
        self.find(names).unwrap_or_default()
    }

    /// The set of these names, if every one is known.
    pub fn find(&self, names: &str) -> Option<Classes> {
        let mut set = 0;
        for name in names.split([' ', ',']) {
            let number = self.0.iter().position(|known| *known == name)?;
            set |= 1u128.checked_shl(number as u32)?;
        }
        Some(Classes(set))
    }
}
