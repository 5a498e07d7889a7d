"""Figures as functions that draw into matplotlib axes and return them."""

from labelsift.report.plots.comparisons import (
    critical_difference_diagram,
    selection_stability,
    time_against_quality,
)
from labelsift.report.plots.curves import cost_quality_curve, lam_sweep, path_curves
from labelsift.report.plots.files import save_plot
from labelsift.report.plots.matrices import label_heat_map, redundancy_map

__all__ = [
    "cost_quality_curve",
    "critical_difference_diagram",
    "label_heat_map",
    "lam_sweep",
    "path_curves",
    "redundancy_map",
    "save_plot",
    "selection_stability",
    "time_against_quality",
]
