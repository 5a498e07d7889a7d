"""Bytes to a Dataset: every file format is known here and nowhere else."""

from labelsift.read.blocks import RowBlocks, read_blocks
from labelsift.read.dataset import Dataset
from labelsift.read.errors import ReadError
from labelsift.read.load import load_dataset

__all__ = ["Dataset", "ReadError", "RowBlocks", "load_dataset", "read_blocks"]
