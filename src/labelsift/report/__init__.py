"""Rows of results to tables, figures and one offline page."""
