"""A training on one page: what it was made from, how it went, and how good it is.

from headway.report import write_report
write_report("model", "report.html")
"""

from headway.report.material import Material, TestSet, material_of
from headway.report.page import report_page, write_report

__all__ = ["Material", "TestSet", "material_of", "report_page", "write_report"]
