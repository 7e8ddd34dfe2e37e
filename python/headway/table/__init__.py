"""The rule table: phrase pairs, Hiero rules and string-to-dependency rules in one file.

table = RuleTable.open("model.rules")
for rule in table.options("ein Haus", weights={"p(e|f)": 1}, top=5):
    print(rule.target_text, rule.score)
"""

from headway.table.reordering import ReorderingModel
from headway.table.rule import Counts, Rule, Structure, Symbol
from headway.table.show import draw_structure
from headway.table.table import Facts, ImportReport, RuleTable, Weights, import_moses

__all__ = [
    "Counts",
    "Facts",
    "ImportReport",
    "ReorderingModel",
    "Rule",
    "RuleTable",
    "Structure",
    "Symbol",
    "Weights",
    "draw_structure",
    "import_moses",
]
