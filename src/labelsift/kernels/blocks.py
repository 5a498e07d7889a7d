"""How large the blocks are into which work is cut; one holds an item at least."""

from __future__ import annotations


def fitting(room: int, each: int) -> int:
    """Return how many items of a size go into so much room.

    Parameters
    ----------
    room : int
        Cells, bytes or steps that a block may take.
    each : int
        What an item takes; nothing counts as 1.

    Returns
    -------
    int
        At least 1, though it may not fit.
    """
    return max(room // max(each, 1), 1)


def shared(n_items: int, n_blocks: int) -> int:
    """Return how many items each of at most ``n_blocks`` blocks takes; at least 1."""
    return max(-(-n_items // n_blocks), 1)
