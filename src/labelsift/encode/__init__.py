"""Discrete codes, label matrices and cut points."""
