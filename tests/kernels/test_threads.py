"""Threads that stay between calls."""

import threading

import pytest

from labelsift.kernels.threads import kept_threads, run_blocks


def squares(start, stop):
    return [i * i for i in range(start, stop)], threading.get_ident()


@pytest.fixture
def _two_threads(monkeypatch):
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "2")


@pytest.mark.usefixtures("_two_threads")
def test_kept_threads_serve_many_calls_and_then_go():
    before = threading.active_count()
    with kept_threads(), kept_threads():  # the inner one changes nothing
        seen = set()
        for _ in range(20):
            parts = run_blocks(squares, 10, block=3)
            assert [i for part, _ in parts for i in part] == [i * i for i in range(10)]
            seen.update(name for _, name in parts)
        assert len(seen) <= 2
        assert threading.get_ident() not in seen
    assert threading.active_count() == before
    assert len(run_blocks(squares, 10, block=3)) == 4


@pytest.mark.usefixtures("_two_threads")
def test_an_error_inside_comes_out_and_the_threads_go():
    before = threading.active_count()

    def fails(start, stop):
        raise ValueError(f"block {start}")

    with pytest.raises(ValueError, match="block 0"), kept_threads():
        run_blocks(fails, 4, block=1)
    assert threading.active_count() == before


def test_one_thread_needs_none(monkeypatch):
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    with kept_threads():
        parts = run_blocks(squares, 4, block=2)
    assert {name for _, name in parts} == {threading.get_ident()}
