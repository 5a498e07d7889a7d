"""Rows of results to tables, figures and one offline page."""

from labelsift.report.comparison_page import write_comparison
from labelsift.report.html import write_report

__all__ = ["write_comparison", "write_report"]
