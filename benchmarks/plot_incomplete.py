"""Draw what ``study_incomplete.py`` found over lam: sizes above, precision below.

``python benchmarks/plot_incomplete.py incomplete.jsonl docs/rough_sets_lam.png``
"""

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np
from PIL import Image
from study_incomplete import SETS, gathered, read

COLORS = {"manhattan": "#0072B2", "euclidean": "#D55E00"}
ROWS = ("features kept", "Hamming loss", "one-error", "coverage", "ranking loss")
ROWS += ("average precision",)


def in_all_folds(found):
    """Return the results without values of lam that only some folds have."""
    common = {}
    for key, rows in found.items():
        if key[0] != "methods":
            lams = {row["lam"] for row in rows}
            common[key[:2]] = common.get(key[:2], lams) & lams
    return {
        key: [
            row for row in rows if key[0] == "methods" or row["lam"] in common[key[:2]]
        ]
        for key, rows in found.items()
    }


def curve(rows, name):
    """Return lam and the mean figures of one line, over seeds."""
    found = sorted((group[1], each) for group, each in rows.items() if group[0] == name)
    lams = np.array([lam for lam, _ in found])
    return lams, np.array([each.mean(axis=0) for _, each in found])


def column(found, axes, name):
    """Draw the size and the five metrics of a data set."""
    for part, learner, style in (("sweep", "ML-kNN", "-"), ("trees", "RAkEL", "--")):
        rows = gathered(found, part, name, learner, ("name", "lam"))
        for metric, color in COLORS.items():
            lams, figures = curve(rows, f"{metric}, discerned")
            for k in range(part == "trees", len(ROWS) if len(lams) else 0):
                axes[k].plot(lams, figures[:, k], color=color, linestyle=style)
        methods = gathered(found, "methods", name, learner, ("name",))
        every = methods[("all features",)].mean(axis=0)
        for k in range(1, len(ROWS) if rows else 0):
            axes[k].axhline(every[k], color="#999999", linewidth=0.8, linestyle=style)
    axes[0].set_title(name, fontsize=10)
    axes[-1].set_xlabel("lam")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    mpl.use("agg")
    mpl.rcParams.update({"font.size": 8, "lines.linewidth": 1.2})
    from matplotlib import pyplot as plt

    found = in_all_folds(read(given.results))
    shape = (len(ROWS), len(SETS))
    figure, axes = plt.subplots(*shape, figsize=(9, 9.5), dpi=90, sharex=True)
    for place, name in enumerate(SETS):
        column(found, axes[:, place], name)
    for axis, text in zip(axes[:, 0], ROWS, strict=True):
        axis.set_ylabel(text)
    for axis in axes.flat:
        axis.spines[["top", "right"]].set_visible(False)
    note = "blue: Manhattan, orange: Euclidean, grey: all features; solid: ML-kNN"
    if any(part == "trees" for part, *_ in found):
        note += ", dashed: RAkEL"
    figure.text(0.5, 0.005, note, ha="center", fontsize=8)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.canvas.draw()
    pixels = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    pixels.quantize(32).save(given.picture, optimize=True)
    print(f"{given.picture}: {given.picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
