"""Rows of results to tables, figures and one offline page."""

from labelsift.report.comparison_page import write_comparison
from labelsift.report.exports import export_comparison, leaderboard_table
from labelsift.report.html import write_report
from labelsift.report.paper_page import paper_page
from labelsift.report.recommendation_page import write_recommendation
from labelsift.report.selection_page import write_selection

__all__ = [
    "export_comparison",
    "leaderboard_table",
    "paper_page",
    "write_comparison",
    "write_recommendation",
    "write_report",
    "write_selection",
]
