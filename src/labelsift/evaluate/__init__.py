"""Selectors, classifiers and data folded together: evidence in rows."""
