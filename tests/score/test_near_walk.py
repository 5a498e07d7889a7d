"""Lists of near groups are made a block at a time, and no block is larger than said."""

import numpy as np
import pytest

from labelsift.encode.labels import as_label_matrix
from labelsift.score import near_walk as module
from labelsift.score.group_sums import DenseSums
from labelsift.score.label_graph import LabelGraph
from labelsift.score.near_walk import near_walk
from labelsift.statistics.label_moments import LabelMoments

ROOM = 40
LABELS = {
    # single labels share nothing: a group is all that a list of it takes
    "apart": np.eye(300, dtype=np.uint8),
    "random": (np.random.default_rng(3).random((300, 40)) < 0.04).astype(np.uint8),
}


@pytest.mark.parametrize("name", LABELS)
def test_blocks_hold_so_many_near_pairs_and_every_group_once(monkeypatch, name):
    monkeypatch.setattr(module, "_BLOCK_ENTRIES", ROOM)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")  # blocks come in their order
    Y = LABELS[name]
    moments = LabelMoments(2, Y.shape[1])
    moments.update(np.random.default_rng(0).random((len(Y), 2)), as_label_matrix(Y))
    graph = LabelGraph(moments, "jaccard")
    blocks, lists = [], graph.near_rows

    def noted(start, stop, reach):
        blocks.append((start, stop))
        return lists(start, stop, reach)

    monkeypatch.setattr(graph, "near_rows", noted)
    near_walk(graph, DenseSums(moments))
    u = graph.n_groups
    assert blocks[0][0] == 0
    assert [stop for _, stop in blocks] == [start for start, _ in blocks[1:]] + [u]
    # a group takes one place, and one for each smaller group it may be near
    takes = 1 + np.minimum(graph.near_entries(), np.arange(u))
    sizes = [int(takes[start:stop].sum()) for start, stop in blocks]
    assert max(sizes) < ROOM + takes.max()
    assert len(blocks) <= takes.sum() / ROOM + 2
