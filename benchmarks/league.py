"""Run the league plan, whole or in part, and write its table as docs/league.md.

    python benchmarks/league.py                                   # everything
    python benchmarks/league.py --data flags,emotions --folds 3   # a part of it
    python benchmarks/league.py --first delicious=2               # two of its folds

Results are kept in league-results/results.sqlite as they come; what is there is not
computed again. With files at hand, LABELSIFT_DATA names their folder.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from labelsift.evaluate import (
    METRICS,
    Comparison,
    critical_difference,
    read_plan,
)
from labelsift.evaluate._splits import make_splits
from labelsift.evaluate.plan_run import load_data, run_plan
from labelsift.evaluate.store import ResultStore
from labelsift.score.ranking import rounded

ROOT = Path(__file__).resolve().parents[1]
SHARES = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8]
PAPERS = {"chi2", "spec", "tolerance_rough_set", "csig", "rrspfs"}


def merit(results, selector, classifier, metric):
    """Return the mean over folds at each share of the features; larger is better."""
    sizes, values = results.values(selector, classifier, metric)
    wanted = [
        int(np.argmin(np.abs(sizes - share * results.n_features))) for share in SHARES
    ]
    means = np.nanmean(values, axis=1)[wanted]
    return means if METRICS[metric].greater_is_better else -means


def ranks(comparison, metric, classifier):
    """Return places, 1 = best: (data sets, shares, selectors); ties share."""
    table = np.array(
        [
            [merit(r, name, classifier, metric) for name in selectors(comparison)]
            for r in comparison.results
        ]
    )  # data sets, selectors, shares
    return rankdata(-rounded(table), axis=1).transpose(0, 2, 1)


def selectors(comparison):
    """Return the selectors that were measured on every data set."""
    return list(dict.fromkeys(method.selector for method in comparison.methods()))


def seconds(comparison):
    """Return the seconds of each selector's ranking: median over folds, summed.

    Data sets that were measured on some folds only are left out: too few to tell.
    """
    total = dict.fromkeys(selectors(comparison), 0.0)
    for results in comparison.results:
        if len(results.folds) < _n_folds(comparison):
            continue
        for name in total:
            spent = [r.seconds for r in results.rankings if r.selector == name]
            total[name] += float(np.median(spent))
    return total


def rows_of(names, columns, total, best_first, *, digits=1):
    """Return table lines, best first; the least of each column is bold."""
    lines = []
    for i in best_first:
        cells = []
        for column in columns:
            text = f"{column[i]:.{digits}f}"
            cells.append(
                f"**{text}**" if column[i] <= column.min() * (1 + 1e-9) else text
            )
        name = f"{names[i]} *" if names[i] in PAPERS else names[i]
        lines.append(f"| {name} | {' | '.join(cells)} | {total[names[i]]:.2f} |")
    return lines


def _n_folds(comparison):
    return comparison.plan.folds.n_splits * comparison.plan.folds.n_repeats


def fewer_folds(comparison):
    """Return which data sets were measured on some of the folds only."""
    few = [
        f"{r.dataset} on the first {len(r.folds)} of them"
        for r in comparison.results
        if len(r.folds) < _n_folds(comparison)
    ]
    return f" ({', '.join(few)})" if few else ""


def measured(plan, store, loaded, first, jobs):
    """Run a plan; of the data sets that ``first`` names, only so many of the folds.

    A later run with more folds, or all, goes on from there: they are the same folds.
    """
    parts = [
        run_plan(
            replace(plan, data={n: s for n, s in plan.data.items() if n not in first}),
            store,
            loaded=[data for data in loaded if data.name not in first],
            n_jobs=jobs,
        )
    ]
    folds = plan.folds
    how = folds.n_splits, folds.n_repeats, folds.stratify and "iterative", plan.seed
    for data in loaded:
        if data.name in first and data.dataset is not None:
            splits, _ = make_splits(*how, data.dataset.X, data.dataset.Y, None)
            pairs = [(split.train, split.test) for split in splits]
            one = replace(
                plan,
                data={data.name: plan.data[data.name]},
                folds=replace(folds, kind="given"),
            )
            few = replace(data, splits=pairs[: first[data.name]])
            parts.append(run_plan(one, store, loaded=[few], n_jobs=jobs))
    found = {r.dataset: r for part in parts for r in part.results}
    return Comparison(
        plan,
        tuple(found[name] for name in plan.data if name in found),
        {name: why for part in parts for name, why in part.broken.items()},
        tuple(note for part in parts for note in part.notes),
    )


def page(comparison, command, left_out):
    """Return the page as text."""
    names = selectors(comparison)
    plan = comparison.plan
    places = {
        (metric, classifier): ranks(comparison, metric, classifier)
        for metric in plan.metrics
        for classifier in plan.classifiers
    }
    total = seconds(comparison)
    drawn = [
        r.dataset
        for r in comparison.results
        if plan.data[r.dataset].treatment.sample is not None
    ]
    n_sets = len(comparison.results)
    gap = critical_difference(len(names), n_sets) if n_sets > 1 else float("nan")
    sets = ", ".join(
        f"{r.dataset} ({r.n_samples} x {r.n_features}, {len(r.label_names)} labels)"
        for r in comparison.results
    )
    lines = [
        "# League table",
        "",
        f"{len(names)} selectors at their defaults on {n_sets} data sets: {sets}. "
        f"{plan.folds}{fewer_folds(comparison)}, selection inside each fold; ten "
        "numbers of features, from 2 to 80 % of all; ML-kNN and a linear classifier "
        "(ridge regression, one label against the rest). Figures are mean places, "
        "1 = best; the five papers' selectors have a star. Seconds are those of one "
        "ranking, summed over the data sets"
        f"{' of all folds' if fewer_folds(comparison) else ''}, on a machine that was "
        "shared with other work."
        + (
            f" Rows were drawn at random from larger sets: {', '.join(drawn)}."
            if drawn
            else ""
        ),
        "",
        f"With {n_sets} data sets the critical difference of Nemenyi's test at 0.05 is "
        f"{gap:.1f} places: two selectors whose means are closer are not told apart "
        "(numbers of features and classifiers are no further data sets)."
        + (
            f" No two of {len(names)} places can be that far apart: so few data sets "
            "decide nothing, and the table only shows which way they lean."
            if gap > len(names) - 1
            else ""
        ),
        "",
    ]
    if left_out:
        lines += [
            f"**Not in it yet**: {', '.join(left_out)}. The plan names them; the run "
            "below goes on where this one stopped.",
            "",
        ]
    failed = comparison.failed()
    lines += [f"- failed: {line}" for line in failed] + ([""] if failed else [])
    shown = [plan.metrics[0], "ranking_loss", "one_error", "hamming_loss", "macro_f1"]
    overall = np.mean(list(places.values()), axis=(0, 1, 2))
    best_first = np.argsort(overall, kind="stable")
    for classifier in plan.classifiers:
        heads = [m.replace("_", " ") for m in shown]
        lines += [
            f"## By metric, {classifier}",
            "",
            f"| selector | all metrics | {' | '.join(heads)} | seconds |",
            f"| :-- |{' --: |' * (len(heads) + 2)}",
        ]
        own = [places[m, classifier] for m in plan.metrics]
        columns = [np.mean(own, axis=(0, 1, 2))]
        columns += [places[m, classifier].mean(axis=(0, 1)) for m in shown]
        order = np.argsort(columns[0], kind="stable")
        lines += [*rows_of(names, columns, total, order), ""]
    lines += [
        "## By number of features kept, average precision, both classifiers",
        "",
        f"| selector | {' | '.join(f'{share:.0%}' for share in SHARES)} | seconds |",
        f"| :-- |{' --: |' * (len(SHARES) + 1)}",
    ]
    both = np.mean([places[plan.metrics[0], c] for c in plan.classifiers], axis=(0, 1))
    lines += [*rows_of(names, list(both), total, best_first), ""]
    lines += [
        "## Against all features",
        "",
        "Average precision with all features, and of the best selector at its best of "
        "the ten sizes (chosen on the same folds, which flatters it a little):",
        "",
        "| data | classifier | all features | best selector | features |",
        "| :-- | :-- | --: | --: | --: |",
    ]
    for results in comparison.results:
        for classifier in plan.classifiers:
            base = float(np.nanmean(results.baseline(classifier, plan.metrics[0])))
            best = max(
                (float(values.mean()), name, int(size))
                for name in names
                for size, values in zip(
                    *results.values(name, classifier, plan.metrics[0]), strict=True
                )
            )
            lines.append(
                f"| {results.dataset} | {classifier} | {base:.3f} | {best[0]:.3f} "
                f"({best[1]}) | {best[2]} of {results.n_features} |"
            )
    lines += ["", "Made by", "", f"    {command}", ""]
    return "\n".join(lines)


def main():
    """Run what is asked for and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="names of data sets, with commas between")
    parser.add_argument("--folds", type=int, help="folds instead of the plan's")
    parser.add_argument(
        "--first",
        default="",
        help="of some data sets only the first folds: delicious=2,corel5k=5",
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--out", default="league-results", help="folder of the results")
    parser.add_argument("--page", default=str(ROOT / "docs" / "league.md"))
    asked = parser.parse_args()
    whole = read_plan(ROOT / "benchmarks" / "league.toml")
    chosen = asked.data.split(",") if asked.data else list(whole.data)
    plan = replace(whole, data={name: whole.data[name] for name in chosen})
    command = "python benchmarks/league.py"
    if asked.data:
        command += f" --data {asked.data}"
    if asked.folds:
        plan = replace(plan, folds=replace(plan.folds, n_splits=asked.folds))
        command += f" --folds {asked.folds}"
    first = {}
    for one in filter(None, asked.first.split(",")):
        name, _, count = one.partition("=")
        if name not in plan.data or not 1 <= int(count) <= plan.folds.n_splits:
            parser.error(f"--first {one}: a data set and 1 to {plan.folds.n_splits}")
        first[name] = int(count)
    if first:
        command += f" --first {asked.first}"
    Path(asked.out).mkdir(parents=True, exist_ok=True)
    with ResultStore(Path(asked.out) / "results.sqlite") as store:
        comparison = measured(plan, store, load_data(plan), first, asked.jobs)
    left_out = [name for name in whole.data if name not in comparison.datasets]
    Path(asked.page).write_text(page(comparison, command, left_out), encoding="utf-8")
    print(f"{asked.page}: {len(comparison.results)} data sets")


if __name__ == "__main__":
    main()
