//! Target structures in charts (Shen, Xu & Weischedel 2010), a feature like any other: `model`
//! joins structures and scores them, `plan` and `program` say how a rule joins those in its
//! slots, `rules` keeps that, `pieces` numbers structures, `scorer` is the feature at work, and
//! `grow` puts the tree of a translation together.

mod grow;
mod model;
mod pieces;
mod plan;
mod program;
mod rules;
mod scorer;

use std::sync::Arc;

use self::model::{GENERIC, TreeModel};
use self::plan::plan;
use self::program::Program;
use self::rules::TreeRules;
use self::scorer::TreeScorer;
use super::feature::{ChartFeature, ChartScorer, OwnWorth, RuleParts};
use crate::decode::feature::Feature;
use crate::decode::model::builtin;
use crate::decode::registry::Registered;
use crate::decode::source::Source;
use crate::deplm::DependencyModel;
use crate::table::{Rule, RuleTable};

/// Natural logarithm of the dependency model's probability.
const DEPENDENCY_LM: &str = "dependency-lm";
/// Words in no structure.
const ILL_FORMED: &str = "ill-formed";
/// Slots filled by a structure of another label; floating ones have none that fits.
const UNMATCHED: &str = "unmatched-labels";

/// The feature of models with a dependency language model.
pub const REGISTERED: Registered = Registered {
    model: "dependency",
    searches: &["chart"],
    families: &[DEPENDENCY_LM, ILL_FORMED, UNMATCHED],
    settings: &["stop"],
    joining: Some(builtin::SPECIAL),
    trees: true,
    exact: true,
    make: |models, _| {
        let dependency = models.get::<DependencyModel>("dependency", "a dependency model")?;
        let feature = dependency.map(|model| TreeModel::new(model, &models.table));
        Ok(feature.map(|feature| Box::new(feature) as Box<dyn Feature>))
    },
};

impl Feature for TreeModel {
    /// Labels count if the table has any.
    fn names(&self) -> Vec<String> {
        let all = [DEPENDENCY_LM, ILL_FORMED, UNMATCHED];
        all[..if self.labelled { 3 } else { 2 }].iter().map(ToString::to_string).collect()
    }

    fn chart(&self) -> Option<&dyn ChartFeature> {
        Some(self)
    }
}

impl ChartFeature for TreeModel {
    fn rule_parts(&self) -> Arc<dyn RuleParts> {
        Arc::new(TreeRules::default())
    }

    fn prepare(
        &self,
        table: &RuleTable,
        rule: &Rule,
        weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth {
        let structure = rule.structure.as_ref();
        let plan = structure.and_then(|it| plan(it, rule.target.len())).unwrap_or_default();
        let program = Program::of_rule(self, table, rule, &plan);
        let mut labels = [GENERIC; 2];
        let asked = structure.into_iter().flat_map(|structure| &structure.slot_labels);
        let asked = asked.map(|label| self.label(*label));
        labels.iter_mut().zip(asked).for_each(|(own, label)| *own = label);
        let worth = self.worth(&program, weights);
        rules::of_mut(parts).push(rule, &plan, program, labels);
        worth
    }

    fn prepare_spelled(
        &self,
        words: &[String],
        weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth {
        let program = Program::of_spelled(self, words);
        let worth = self.worth(&program, weights);
        rules::of_mut(parts).push_spelled(program);
        worth
    }

    fn begin<'a>(&'a self, source: &'a Source, weights: &'a [f32]) -> Box<dyn ChartScorer + 'a> {
        Box::new(TreeScorer::new(self, weights, source.words().len()))
    }

    fn joins(&self) -> bool {
        true
    }

    fn builds_trees(&self) -> bool {
        true
    }
}

impl TreeModel {
    fn worth(&self, program: &Program, weights: &[f32]) -> OwnWorth {
        let outlook = match program.steps[..] {
            [program::Step::Piece(own)] => weights[0] * self.outlook(&program.pieces[own as usize]),
            _ => 0.0,
        };
        OwnWorth { score: program.gain.weighted(weights), outlook }
    }
}
