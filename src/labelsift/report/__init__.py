"""Rows of results to tables, figures and one offline page."""

from labelsift.report.html import write_report

__all__ = ["write_report"]
