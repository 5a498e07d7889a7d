"""The protocol for incomplete data: what each way of selecting is worth.

5 % of the feature values are deleted at random; in each fold features are selected on
the training rows and a classifier is fitted on them, with what is missing replaced by
the mean of the training rows (nominal features: by their most frequent value). The
tolerance rough sets select before that, all others after it. Five metrics, as mean
over folds and seeds; the spread is that of the means of the seeds.

Sizes are each method's own; "impute, InfoGain" gets as many features as a reduct of
that fold, so that only the choice differs. There are three parts: ``methods`` compares
all of them (RAkEL and ML-kNN), ``sweep`` goes through ``lam`` with ML-kNN, ``trees``
judges every second value of that sweep with RAkEL (first seed). The trees of RAkEL
read 33 steps of each feature.

``python benchmarks/study_incomplete.py [SETS] [--part P] [--seeds N] [--folds N]``
reads the sets by name (LABELSIFT_DATA). Results go line by line into a file, fold by
fold, and what is in it is not computed again; ``--show`` prints its tables.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import KFold

from labelsift import load_dataset
from labelsift.encode import inject_missing
from labelsift.evaluate.metrics import measure
from labelsift.learn import MLkNN, RAkEL
from labelsift.select import MLFSDM, MLFSIE, MLFSPA, InfoGain, ToleranceRoughSet

METRICS = (
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
)
SETS = ("emotions", "birds", "yeast", "scene")
LAMS = [k / 10 for k in range(1, 21)]
TIES = ("discerned", "index")


def dense(values):
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values)


class Fold:
    """Training and test rows: with gaps, and with the gaps filled."""

    def __init__(self, data, seed, n_folds, number):
        X = inject_missing(dense(data.X).astype(float), 0.05, random_state=seed)
        Y = dense(data.Y).astype(int)
        splitter = KFold(n_folds, shuffle=True, random_state=seed)
        train, test = list(splitter.split(X))[number]
        self.nominal = data.is_nominal
        self.gaps, self.y, self.y_test = X[train], Y[train], Y[test]
        middle = [usual(X[train, c], self.nominal[c]) for c in range(X.shape[1])]
        self.filled = np.where(np.isnan(X[train]), middle, X[train])
        low, high = self.filled.min(axis=0), self.filled.max(axis=0)
        width = np.where(high > low, high - low, 1)
        self.x = (self.filled - low) / width
        self.x_test = (np.where(np.isnan(X[test]), middle, X[test]) - low) / width

    def judged(self, classifier, columns):
        """Return the five metrics of a classifier on these columns."""
        x, x_test = self.x[:, columns], self.x_test[:, columns]
        if isinstance(classifier, RAkEL):  # trees: a third of the time, same quality
            x, x_test = np.round(32 * x), np.round(32 * x_test)
        fitted = classifier.fit(x, self.y)
        values = measure(
            METRICS,
            self.y_test,
            predictions=fitted.predict(x_test),
            scores=fitted.predict_proba(x_test),
        )
        return [values[name] for name in METRICS]

    def rough(self, metric, tie):
        return ToleranceRoughSet(
            metric=metric, tie_break=tie, categorical_features=self.nominal
        )


def usual(column, nominal):
    known = column[~np.isnan(column)]
    if not known.size:
        return 0.0
    if nominal:
        values, counts = np.unique(known, return_counts=True)
        return values[np.argmax(counts)]
    return known.mean()


def learners():
    return {"RAkEL": RAkEL(random_state=0), "ML-kNN": MLkNN()}


def methods_part(fold, *_):
    kept, seconds = {}, {}

    def select(name, selector, table):
        start = time.process_time()
        kept[name] = selector.fit(table, fold.y).get_support(indices=True)
        seconds[name] = time.process_time() - start

    for metric in ("manhattan", "euclidean"):
        for tie in TIES:
            select(f"{metric}, {tie}", fold.rough(metric, tie), fold.gaps)
    for kind in (MLFSIE, MLFSPA, MLFSDM):
        selector = kind(categorical_features=fold.nominal)
        select(kind.__name__, selector, fold.filled)
    for metric in ("manhattan", "euclidean"):
        ranking = InfoGain(
            len(kept[f"{metric}, discerned"]),
            discretize="equal_width",
            categorical_features=fold.nominal,
        )
        select(f"impute, InfoGain, size of {metric}", ranking, fold.filled)
    kept["all features"] = np.arange(fold.x.shape[1])
    return [
        {
            "name": name,
            "kept": len(columns),
            "seconds": seconds.get(name, 0.0),
            **{learner: fold.judged(c, columns) for learner, c in learners().items()},
        }
        for name, columns in kept.items()
    ]


def sweep_part(fold, _, given):
    rows = []
    for metric in ("manhattan", "euclidean"):
        for tie in given.ties:
            path = fold.rough(metric, tie).lam_path(fold.gaps, fold.y, lams=given.lams)
            for fitted in path:
                columns = fitted.get_support(indices=True)
                rows.append(
                    {
                        "name": f"{metric}, {tie}",
                        "lam": fitted.lam,
                        "kept": len(fitted.reduct_),
                        "dependency": fitted.total_dependency_,
                        "columns": columns.tolist(),
                        "ML-kNN": fold.judged(MLkNN(), columns),
                    }
                )
    return rows


def trees_part(fold, sweep, given):
    """Judge every second value of the sweep of this fold by RAkEL."""
    rows = []
    for row in sweep or sweep_part(fold, None, given):
        if row["name"].endswith("discerned") and round(10 * row["lam"]) % 2 == 0:
            judged = fold.judged(RAkEL(random_state=0), np.array(row["columns"]))
            rows.append({**row, "RAkEL": judged})
            del rows[-1]["columns"], rows[-1]["ML-kNN"]
    return rows


PARTS = {"methods": methods_part, "sweep": sweep_part, "trees": trees_part}


def read(path):
    """Return the results of a file by (part, set, folds, seed, fold)."""
    found = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            found[tuple(record["key"])] = record["rows"]
    return found


def run(given):
    found = read(given.results)
    for part in given.part:
        for seed in range(1 if part == "trees" else given.seeds):
            for number in range(given.folds):
                for name in given.sets:
                    key = (part, name, given.folds, seed, number)
                    if key in found:
                        continue
                    start = time.perf_counter()
                    fold = Fold(load_dataset(name), seed, given.folds, number)
                    swept = found.get(("sweep", *key[1:]))
                    found[key] = PARTS[part](fold, swept, given)
                    with given.results.open("a", encoding="utf-8") as file:
                        line = {"key": key, "rows": found[key]}
                        file.write(json.dumps(line) + "\n")
                    print(*key, f"{time.perf_counter() - start:.0f} s", flush=True)


def gathered(found, part, name, learner, by):
    """Return for each group the mean of each seed: size and five metrics.

    The result maps groups to arrays of shape (n_seeds, 6); folds of a seed are
    weighted equally.
    """
    seeds = {}
    for (its_part, its_name, _, seed, _), rows in found.items():
        if (its_part, its_name) != (part, name):
            continue
        for row in rows:
            if learner in row:
                figures = [row["kept"], *row[learner]]
                group = seeds.setdefault(tuple(row[k] for k in by), {})
                group.setdefault(seed, []).append(figures)
    return {
        group: np.array([np.nanmean(rows, axis=0) for rows in of_seed.values()])
        for group, of_seed in seeds.items()
    }


def show(found, sets):
    """Print the tables as Markdown."""
    counts = {}
    for part, name, folds, seed, _ in found:
        counts.setdefault((part, name, folds), {}).setdefault(seed, []).append(1)
    for (part, name, folds), seeds in sorted(counts.items()):
        done = [len(each) for each in seeds.values()]
        print(f"{part} {name}: {folds} folds, of seeds {done} done")
    head = " | ".join(["HL", "OE", "Cov", "RL", "AP"])
    for name in sets:
        trees = gathered(found, "methods", name, "RAkEL", ("name",))
        near = gathered(found, "methods", name, "ML-kNN", ("name",))
        if not trees:
            continue
        print(f"\n{name}\n\n| | kept | {head} (RAkEL) | {head} (ML-kNN) |")
        print("| :-- |" + " --: |" * 11)
        for group, figures in trees.items():
            size, *means = figures.mean(axis=0)
            means += near[group].mean(axis=0)[1:].tolist()
            text = " | ".join(f"{mean:.3f}" for mean in means)
            print(f"| {group[0]} | {size:.0f} | {text} |")
        deviations = [each[:, -1].std(ddof=1) for each in trees.values()]
        if len(figures) > 1:
            print(
                f"\nAP differs between seeds by {np.mean(deviations):.4f} (deviation)"
            )
    for name in sets:
        for part, learner in (("sweep", "ML-kNN"), ("trees", "RAkEL")):
            rows = gathered(found, part, name, learner, ("name", "lam"))
            if rows:
                print(f"\n{name} over lam, {learner}\n\n| | lam | kept | {head} |")
                print("| :-- |" + " --: |" * 7)
            for (title, lam), figures in rows.items():
                size, *means = figures.mean(axis=0)
                text = " | ".join(f"{mean:.3f}" for mean in means)
                print(f"| {title} | {lam} | {size:.0f} | {text} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument(
        "--ties", nargs="+", choices=TIES, default=TIES, help="of sweep"
    )
    parser.add_argument("--lams", nargs="+", type=float, default=LAMS, help="of sweep")
    parser.add_argument("--results", type=Path, default=Path("incomplete.jsonl"))
    parser.add_argument("--show", action="store_true", help="print tables only")
    given = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    if not given.show:
        run(given)
    show(read(given.results), given.sets)


if __name__ == "__main__":
    main()
