"""Bytes to a Dataset: every file format is known here and nowhere else."""

from labelsift.read.dataset import Dataset
from labelsift.read.errors import ReadError

__all__ = ["Dataset", "ReadError"]
