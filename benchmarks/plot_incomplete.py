"""Draw what ``study_incomplete.py`` found over lam: sizes above, precision below.

``python benchmarks/plot_incomplete.py incomplete.jsonl docs/rough_sets_lam.svg``
"""

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np
from study_incomplete import SETS, gathered, read

COLORS = {"manhattan": "#0072B2", "euclidean": "#D55E00"}
AP = -1


def curve(rows, name):
    """Return lam and the mean figures of one line, over seeds."""
    found = sorted((group[1], each) for group, each in rows.items() if group[0] == name)
    lams = np.array([lam for lam, _ in found])
    return lams, np.array([each.mean(axis=0) for _, each in found])


def panels(found, axes, name):
    size, quality = axes
    sweep = gathered(found, "sweep", name, "ML-kNN", ("name", "lam"))
    trees = gathered(found, "trees", name, "RAkEL", ("name", "lam"))
    for metric, color in COLORS.items():
        lams, figures = curve(sweep, f"{metric}, discerned")
        size.plot(lams, figures[:, 0], color=color)
        quality.plot(lams, figures[:, AP], color=color)
        label = metric.capitalize()
        size.annotate(label, (lams[8], figures[8, 0]), color=color, fontsize=8)
        lams, figures = curve(trees, f"{metric}, discerned")
        if len(lams):
            quality.plot(lams, figures[:, AP], color=color, linestyle="--")
    for learner, style in (("ML-kNN", "-"), ("RAkEL", "--")):
        methods = gathered(found, "methods", name, learner, ("name",))
        every = methods[("all features",)].mean(axis=0)
        quality.axhline(every[AP], color="#777777", linewidth=0.8, linestyle=style)
    size.set_title(name, fontsize=10)
    quality.set_xlabel("lam", fontsize=8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    mpl.use("svg")
    mpl.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "labelsift", "font.size": 8}
    )
    from matplotlib import pyplot as plt

    found = read(given.results)
    figure, axes = plt.subplots(2, len(SETS), figsize=(10, 4.6), sharex=True)
    for column, name in enumerate(SETS):
        panels(found, axes[:, column], name)
    axes[0, 0].set_ylabel("features in the reduct")
    axes[1, 0].set_ylabel("average precision")
    for axis in axes.flat:
        axis.spines[["top", "right"]].set_visible(False)
    figure.text(
        0.5,
        0.005,
        "solid: ML-kNN, dashed: RAkEL, grey: all features",
        ha="center",
        fontsize=8,
    )
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(given.picture, metadata={"Date": None}, facecolor="white")
    print(f"{given.picture}: {given.picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
