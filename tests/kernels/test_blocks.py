"""How large the blocks are into which work is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.kernels.blocks import fitting, shared

COUNTS = st.integers(0, 300)


@pytest.mark.parametrize(
    ("room", "each", "items"),
    [(10, 3, 3), (12, 3, 4), (2, 3, 1), (0, 3, 1), (5, 0, 5), (5, 1, 5), (5, 2, 2)],
)
def test_as_many_as_fit_and_at_least_one(room, each, items):
    assert fitting(room, each) == items


@given(COUNTS, COUNTS)
def test_a_block_fills_the_room_and_no_more(room, each):
    items = fitting(room, each)
    assert items == 1 or items * each <= room
    assert (items + 1) * max(each, 1) > room


@pytest.mark.parametrize(
    ("n_items", "n_blocks", "block"),
    [(10, 4, 3), (8, 4, 2), (9, 4, 3), (3, 4, 1), (0, 4, 1), (1, 1, 1), (7, 1, 7)],
)
def test_items_are_dealt_out_evenly(n_items, n_blocks, block):
    assert shared(n_items, n_blocks) == block


@given(COUNTS, st.integers(1, 40))
def test_no_more_blocks_than_asked_for_and_no_smaller_ones_would_do(n_items, n_blocks):
    block = shared(n_items, n_blocks)
    assert n_blocks * block >= n_items
    assert block == 1 or n_blocks * (block - 1) < n_items
