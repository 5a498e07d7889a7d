"""Mergeable statistics: update with a block, merge with another."""
