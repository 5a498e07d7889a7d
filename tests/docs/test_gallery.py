"""Every example of the gallery runs, warns of nothing, and draws."""

import runpy
import time
from pathlib import Path

import matplotlib
import pytest

pytestmark = pytest.mark.slow

SCRIPTS = sorted(
    (Path(__file__).resolve().parents[2] / "examples" / "gallery").glob("*.py")
)


def test_there_are_ten_or_more():
    assert len(SCRIPTS) >= 10
    assert all(path.name.startswith("plot_") for path in SCRIPTS)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_example_runs_and_draws(path, tmp_path, monkeypatch):
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.get_fignums()))
    monkeypatch.chdir(tmp_path)
    started = time.process_time()
    try:
        runpy.run_path(str(path))
        figures = [plt.figure(number) for number in plt.get_fignums()]
    finally:
        plt.close("all")
    assert time.process_time() - started < 60  # compilation on the first run included
    assert [len(numbers) for numbers in shown] == [len(figures)]
    assert figures
    for ax in (ax for figure in figures for ax in figure.axes):
        assert ax.lines or ax.images or ax.patches or ax.collections
        assert ax.get_xlabel() or ax.get_ylabel() or ax.images
    assert list(tmp_path.iterdir()) == []  # an example leaves nothing behind
