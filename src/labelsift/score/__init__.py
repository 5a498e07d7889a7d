"""From statistics to numbers: pure functions."""

from labelsift.score.cost import generate_test_costs

__all__ = ["generate_test_costs"]
