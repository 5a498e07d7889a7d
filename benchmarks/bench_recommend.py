"""The recommendation: time, and whether the promised interval holds on rows held back.

Run with LABELSIFT_DATA naming a folder that holds the benchmark data. Every seed holds
back a third of the rows, recommends on the rest, and measures the fitted classifier on
the third. Options: ``--sets emotions,birds`` and ``--seeds 3``; ``--whole`` recommends
once on all rows instead, and ``--simulated 40`` adds so many small made-up tables.
"""

import argparse
import resource
import time
from dataclasses import replace

import numpy as np
from measure import data_folder, report
from sklearn.feature_selection import f_classif
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

from labelsift import Dataset, load_dataset
from labelsift.evaluate import METRICS, IterativeStratifiedKFold, recommend
from labelsift.evaluate.recommend_setup import sizes_to_try
from labelsift.evaluate.run import cross_validate
from labelsift.kernels.threads import n_threads
from labelsift.learn import MLkNN
from labelsift.select import MultiLabelFStatistic

SETS = ("emotions", "birds", "medical", "yeast", "scene", "noise")
IN_PARTS = ("birds", "scene")
FOLDER = data_folder()


def data_set(name):
    """Return a benchmark set with all of its rows, or pure noise."""
    if name == "noise":
        rng = np.random.default_rng(1)
        Y = (rng.random((600, 5)) < [0.5, 0.3, 0.2, 0.1, 0.4]).astype(np.uint8)
        names = [f"f{i}" for i in range(60)]
        return Dataset(rng.normal(size=(600, 60)), Y, names, "abcde", name="noise")
    if name not in IN_PARTS:
        return load_dataset(FOLDER / f"{name}.arff.gz")
    parts = [load_dataset(FOLDER / f"{name}-{p}.arff.gz") for p in ("train", "test")]
    X, Y = (np.vstack([getattr(p, m) for p in parts]) for m in "XY")
    return replace(parts[0], X=X, Y=Y, name=name)


def simulated(seed):
    """Return a table in which a few of many columns say something of the labels."""
    rng = np.random.default_rng(seed)
    n, d, q = 240, 25, 3
    X = rng.normal(size=(n, d))
    strength = rng.uniform(0, 2)
    Y = (strength * X[:, :q] + rng.normal(size=(n, q)) > 0.3).astype(np.uint8)
    names = [f"f{i}" for i in range(d)]
    return Dataset(X, Y, names, [f"l{i}" for i in range(q)], name="simulated")


def cpu():
    """Return the CPU seconds of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(call):
    """Return the result, wall seconds and CPU seconds."""
    wall, used = time.perf_counter(), cpu()
    result = call()
    return result, time.perf_counter() - wall, cpu() - used


def on_held_out(found, data, test):
    """Return the deciding metric of the recommendation and of all features."""
    metric = METRICS[found.metric]
    kept = found.transform(data.X[test])
    truth = data.Y[test]

    def value(classifier, X):
        if metric.needs == "scores":
            return metric(truth, classifier.predict_proba(X))
        return metric(truth, classifier.predict(X))

    return value(found.classifier_, kept)


def one_trial(data, seed, settings):
    """Hold a third back, recommend on the rest, and say whether the promise held."""
    folds = IterativeStratifiedKFold(3, shuffle=True, random_state=100 + seed)
    train, test = next(iter(folds.split(data.X, data.Y)))
    found, wall, used = timed(lambda: recommend(data.take_rows(train), **settings))
    shown = on_held_out(found, data, test)
    every = MLkNN(
        scale="minmax",
        categorical_features=data.is_nominal if data.is_nominal.any() else None,
    ).fit(data.X[train], data.Y[train])
    chosen = found.classifier_ if found.justified_ else None
    difference = None
    if chosen is not None:
        everything = METRICS[found.metric](data.Y[test], every.predict(data.X[test]))
        difference = shown - everything
    low, high = found.interval_
    holds = low <= shown <= high
    apart = found.difference_
    holds_apart = difference is None or apart.low <= difference <= apart.high
    print(
        f"  {data.name} seed {seed}: {found.decision_.verdict}, "
        f"{found.n_features_} of {data.n_features}; promised {found.expected_:.4f} "
        f"({low:.4f} to {high:.4f}), held-out third {shown:.4f}: "
        f"{'kept' if holds else 'BROKEN'}; "
        + (
            f"against all {difference:+.4f} ({apart.low:+.4f} to {apart.high:+.4f}): "
            f"{'kept' if holds_apart else 'BROKEN'}; "
            if difference is not None
            else ""
        )
        + f"{wall:.1f} s, CPU {used:.1f} s",
        flush=True,
    )
    return holds, holds_apart, difference is not None


def on_all_rows(data, settings):
    """Recommend once on all rows, and print the time and the answer."""
    found, wall, used = timed(lambda: recommend(data, **settings))
    print(
        f"{data.name}: {data.n_samples} x {data.n_features}, {data.n_labels} labels: "
        f"{wall:.1f} s, CPU {used:.1f} s, on two quiet cores about {used / 2:.0f} s "
        f"(target 120 s)\n  {found.reason_}",
        flush=True,
    )


def against_a_plain_loop():
    """Compare one method's inner folds with a loop over scikit-learn's parts."""
    data = data_set("noise")
    sizes = sizes_to_try(None, data.n_features)
    folds = IterativeStratifiedKFold(5, shuffle=True, random_state=0)
    splits = list(folds.split(data.X, data.Y))

    def ours():
        return cross_validate(
            MultiLabelFStatistic(),
            MLkNN(scale="minmax"),
            data,
            grid=list(sizes),
            cv=splits,
            metrics=["hamming_loss"],
            baseline=False,
        )

    def plain():
        for train, test in splits:
            scores = np.mean(
                [f_classif(data.X[train], label)[0] for label in data.Y[train].T],
                axis=0,
            )
            order = np.argsort(-scores, kind="stable")
            scaler = MinMaxScaler().fit(data.X[train])
            X, Y = scaler.transform(data.X), data.Y.astype(int)
            for size in sizes:
                columns = order[:size]
                near = KNeighborsClassifier(10, algorithm="brute")
                near.fit(X[np.ix_(train, columns)], Y[train])
                predicted = near.predict(X[np.ix_(test, columns)])
                METRICS["hamming_loss"](Y[test], predicted)

    ours()
    mine, theirs = timed(ours)[2], timed(plain)[2]
    report(
        f"inner folds of one method, CPU ({len(sizes)} sizes x 5 folds; ML-kNN also "
        "finds the neighbours of the training rows)",
        mine,
        theirs,
        peer="scikit-learn's k nearest neighbours in a loop",
    )


def main():
    """Parse the options and run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--metric", default="hamming_loss")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--simulated", type=int, default=20)
    given = parser.parse_args()
    settings = {"metric": given.metric}
    print(f"{n_threads()} threads", flush=True)
    recommend(simulated(0), cv=2, inner_cv=2)  # compiles
    names = [name for name in given.sets.split(",") if name]
    if given.whole:
        for name in names:
            on_all_rows(data_set(name), settings)
        return
    against_a_plain_loop()
    trials = [
        (data_set(name), seed)
        for name in names
        for seed in range(given.first_seed, given.first_seed + given.seeds)
    ]
    trials += [(simulated(seed), seed) for seed in range(given.simulated)]
    outcomes = [one_trial(data, seed, settings) for data, seed in trials]
    kept = sum(holds for holds, _, _ in outcomes)
    compared = [apart for _, apart, was in outcomes if was]
    print(
        f"promise kept in {kept} of {len(outcomes)} held-out thirds "
        f"({100 * kept / len(outcomes):.0f} %, promised 95 %); difference from all "
        f"features kept in {sum(compared)} of {len(compared)}"
    )


if __name__ == "__main__":
    main()
