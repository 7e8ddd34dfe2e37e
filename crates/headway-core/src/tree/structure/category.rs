//! Categories: what of a structure decides how it can be joined.

use super::{Direction, Operation};

/// The category of a well-formed structure (Definition 3). Words go by their places in the
/// sentence; children are in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Category {
    /// (−, h, −)
    Fixed(u32),
    /// (C, −, −) or (−, −, C), by the side of the head to come.
    Floating(Direction, Vec<u32>),
}

/// The three fields of a category, in the course of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fields {
    left: Option<Vec<u32>>,
    head: Option<u32>,
    right: Option<Vec<u32>>,
}

impl Category {
    /// Left or right raising (Definition 4): a fixed structure as the only child of a head to
    /// come, which is right of it for `Direction::Left`. Floating ones have no head to raise.
    pub fn raise(&self, direction: Direction) -> Option<Category> {
        match self {
            Category::Fixed(head) => Some(Category::Floating(direction, vec![*head])),
            Category::Floating(..) => None,
        }
    }

    /// Unification (Definition 4); None where it is undefined.
    pub fn unify(&self, other: &Category) -> Option<Category> {
        let (one, other) = (Fields::of(self), Fields::of(other));
        Fields {
            left: union(one.left, other.left),
            head: match (one.head, other.head) {
                (Some(_), Some(_)) => return None,
                (one, other) => one.or(other),
            },
            right: union(one.right, other.right),
        }
        .normal()
    }

    /// An operation on two neighbours, `first` left of `second` (Definition 5); None where it is
    /// undefined.
    pub fn combine(operation: Operation, first: &Category, second: &Category) -> Option<Category> {
        use Direction::{Left, Right};
        match operation {
            Operation::LeftAdjoin => first.children(Left)?.unify(second.fixed()?),
            Operation::RightAdjoin => first.fixed()?.unify(&second.children(Right)?),
            Operation::LeftConcatenate => first.children(Left)?.unify(&second.children(Left)?),
            Operation::RightConcatenate => first.children(Right)?.unify(&second.children(Right)?),
        }
    }

    /// Itself if it is fixed.
    fn fixed(&self) -> Option<&Category> {
        matches!(self, Category::Fixed(_)).then_some(self)
    }

    /// As children on this side of a head: floating there, or raised to it.
    fn children(&self, direction: Direction) -> Option<Category> {
        match self {
            Category::Floating(own, _) => (*own == direction).then(|| self.clone()),
            Category::Fixed(_) => self.raise(direction),
        }
    }
}

impl Fields {
    fn of(category: &Category) -> Self {
        let (mut left, mut head, mut right) = (None, None, None);
        match category {
            Category::Fixed(word) => head = Some(*word),
            Category::Floating(Direction::Left, children) => left = Some(children.clone()),
            Category::Floating(Direction::Right, children) => right = Some(children.clone()),
        }
        Fields { left, head, right }
    }

    /// NORM of Definition 4: children of a head that is there need not be remembered.
    fn normal(self) -> Option<Category> {
        match self {
            Fields { head: Some(head), .. } => Some(Category::Fixed(head)),
            Fields { left: Some(left), right: None, .. } => {
                Some(Category::Floating(Direction::Left, left))
            }
            Fields { left: None, right: Some(right), .. } => {
                Some(Category::Floating(Direction::Right, right))
            }
            _ => None,
        }
    }
}

fn union(one: Option<Vec<u32>>, other: Option<Vec<u32>>) -> Option<Vec<u32>> {
    let (Some(mut all), Some(more)) = (one.clone(), other.clone()) else { return one.or(other) };
    all.extend(more);
    all.sort_unstable();
    all.dedup();
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Left, Right};

    fn floating(direction: Direction, children: &[u32]) -> Category {
        Category::Floating(direction, children.to_vec())
    }

    #[test]
    fn definition_5_line_by_line() {
        use Operation::{LeftAdjoin, LeftConcatenate, RightAdjoin, RightConcatenate};
        let [one, two] = [Category::Fixed(1), Category::Fixed(4)];
        let [near_left, far_left] = [floating(Left, &[3, 4]), floating(Left, &[1, 2])];
        let [near_right, far_right] = [floating(Right, &[1, 2]), floating(Right, &[3, 4])];
        let expected = [
            (LeftAdjoin, &far_left, &two, Some(Category::Fixed(4))),
            (LeftAdjoin, &one, &two, Some(Category::Fixed(4))),
            (LeftAdjoin, &near_right, &two, None),
            (LeftAdjoin, &one, &near_left, None),
            (LeftConcatenate, &far_left, &near_left, Some(floating(Left, &[1, 2, 3, 4]))),
            (LeftConcatenate, &far_left, &two, Some(floating(Left, &[1, 2, 4]))),
            (LeftConcatenate, &one, &near_left, Some(floating(Left, &[1, 3, 4]))),
            (LeftConcatenate, &one, &two, Some(floating(Left, &[1, 4]))),
            (LeftConcatenate, &near_right, &two, None),
            (RightAdjoin, &one, &far_right, Some(Category::Fixed(1))),
            (RightAdjoin, &one, &two, Some(Category::Fixed(1))),
            (RightAdjoin, &near_right, &two, None),
            (RightAdjoin, &one, &near_left, None),
            (RightConcatenate, &near_right, &far_right, Some(floating(Right, &[1, 2, 3, 4]))),
            (RightConcatenate, &one, &far_right, Some(floating(Right, &[1, 3, 4]))),
            (RightConcatenate, &near_right, &two, Some(floating(Right, &[1, 2, 4]))),
            (RightConcatenate, &one, &two, Some(floating(Right, &[1, 4]))),
            (RightConcatenate, &one, &near_left, None),
        ];
        for (operation, first, second, result) in expected {
            let found = Category::combine(operation, first, second);
            assert_eq!(found, result, "{operation:?} {first:?} {second:?}");
        }
    }

    #[test]
    fn unification_is_undefined_for_two_heads_and_for_both_sides() {
        assert_eq!(Category::Fixed(1).unify(&Category::Fixed(2)), None);
        assert_eq!(floating(Left, &[1]).unify(&floating(Right, &[2])), None);
        assert_eq!(floating(Left, &[1]).raise(Left), None);
    }
}
