"""From statistics to numbers: pure functions."""
