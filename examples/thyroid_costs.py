"""Which thyroid tests to buy for 10, 20 or 40 dollars.

9 172 patients, seven kinds of diagnosis, and published prices of every question and
blood test. Run it with the two files in the folder given:

    python examples/thyroid_costs.py ../shared/data
"""

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import average_precision_score, roc_auc_score
from threadpoolctl import threadpool_limits

from labelsift.evaluate.folds import IterativeStratifiedKFold
from labelsift.read import load_dataset
from labelsift.select import CSIG, D2F, BudgetedGroups, InfoGain

BUDGETS = (10, 20, 40)
BLOOD = ["TSH", "T3", "TT4", "T4U"]
DRAWING_BLOOD = 2.10  # our assumption: this part of each price is paid once
COMPUTED = {"FTI": ["TT4", "T4U"]}


def read(folder):
    """Return the patients and what each test costs, by name."""
    data = load_dataset(folder / "meka-thyroid-L7.arff.gz", negative_value="NEG")
    # no price is known for TBG; whether it was ordered is known without it
    data = data.take_features(
        [i for i, name in enumerate(data.feature_names) if name != "TBG"]
    )
    with open(folder / "thyroid-test-costs.csv", encoding="utf-8", newline="") as lines:
        costs = {row["feature"]: float(row["cost"]) for row in csv.DictReader(lines)}
    for name in BLOOD:
        costs[name] -= DRAWING_BLOOD
    for name in data.feature_names:  # "was it ordered" and "who sent the patient"
        if name.endswith("_measured") or name == "referral_source":
            costs[name] = 0.0
    return data, costs


def frame(data):
    """Return the features with their names; missing values stay missing."""
    return pd.DataFrame(data.X, columns=data.feature_names)


def selector(data, costs, budget):
    """Return the selector that knows what is shared and what is computed."""
    return CSIG(
        costs,
        budget=budget,
        cost_groups={"blood": (DRAWING_BLOOD, [*BLOOD, *COMPUTED])},
        derived_features=COMPUTED,
        discretize="mdl",
        categorical_features=data.is_nominal,
    )


def one_by_one(costs, budget):
    """Return the selector that weighs each feature against those already bought."""
    return BudgetedGroups(
        D2F(discretize="none"),
        budget=budget,
        costs=costs,
        cost_groups={"blood": (DRAWING_BLOOD, [*BLOOD, *COMPUTED])},
        derived_features=COMPUTED,
        on_exceed="skip",
    )


def binned(data, rows, n_bins=5):
    """Return the features of some rows in bins; a missing value is one of its own."""
    X = data.X[rows].copy()
    for feature in np.flatnonzero(~data.is_nominal):
        values = X[:, feature]
        known = ~np.isnan(values)
        cuts = np.quantile(values[known], np.arange(1, n_bins) / n_bins)
        values[known] = np.searchsorted(np.unique(cuts), values[known])
    return pd.DataFrame(np.nan_to_num(X, nan=-1.0), columns=data.feature_names)


def bought_by_rank(order, price_of, budget):
    """Walk down a ranking that knows no prices and buy what can still be paid."""
    kept = []
    for feature in order:
        if price_of([*kept, feature]) <= budget:
            kept.append(int(feature))
    return kept


def diagnose(data, columns, train, test, seed=0):
    """Return the probability of each diagnosis for the test patients."""
    scores = np.empty((len(test), data.n_labels))
    for label in range(data.n_labels):
        model = HistGradientBoostingClassifier(
            max_iter=40,
            max_leaf_nodes=15,
            categorical_features=data.is_nominal[columns],
            early_stopping=False,
            random_state=seed,
        )
        with threadpool_limits(1):  # trees this small do not gain by threads
            model.fit(data.X[np.ix_(train, columns)], data.Y[train, label])
        scores[:, label] = model.predict_proba(data.X[np.ix_(test, columns)])[:, 1]
    return scores


def evaluate(data, costs, budgets=BUDGETS, n_splits=5):
    """Return mean cost, AUC and average precision of each way of buying."""
    results = {}
    folds = IterativeStratifiedKFold(n_splits, shuffle=True, random_state=0)
    for train, test in folds.split(data.X, data.Y):
        X, Y = frame(data).iloc[train], data.Y[train]
        ranking = InfoGain(discretize="mdl", categorical_features=data.is_nominal)
        ranking.fit(X, Y)
        purchases = {}
        for budget in budgets:
            fitted = selector(data, costs, budget).fit(X, Y)
            purchases["CSIG", budget] = fitted.get_support(indices=True)
            bought = one_by_one(costs, budget).fit(binned(data, train), Y)
            purchases["BudgetedGroups", budget] = bought.get_support(indices=True)
            purchases["InfoGain", budget] = bought_by_rank(
                ranking.order_, fitted.cost_of, budget
            )
        purchases["what is free", 0] = np.flatnonzero(fitted.costs_ == 0)
        purchases["everything", np.inf] = np.arange(data.n_features)
        for name, kept in purchases.items():
            scores = diagnose(data, np.sort(kept), train, test)
            truth = data.Y[test]
            results.setdefault(name, []).append(
                (
                    fitted.cost_of(kept),
                    roc_auc_score(truth, scores, average="macro"),
                    average_precision_score(truth, scores, average="macro"),
                )
            )
    return {name: np.mean(rows, axis=0) for name, rows in results.items()}


def main(folder):
    """Print what to buy, and how well the diagnoses are then told."""
    data, costs = read(Path(folder))
    names = np.array(data.feature_names)
    missing = np.isnan(data.X).sum()
    print(
        f"{data.n_samples} patients, {data.n_features} features, {data.n_labels} kinds "
        f"of diagnosis, {missing} values missing"
    )
    for budget in BUDGETS:
        fitted = selector(data, costs, budget).fit(frame(data), data.Y)
        kept = fitted.get_support()
        paid = [names[i] for i in fitted.order_ if kept[i] and fitted.costs_[i] > 0]
        told = fitted.relevance_[kept].sum() / fitted.relevance_.sum()
        print(
            f"\nfor {budget} dollars ({fitted.total_cost_:.2f} spent, {told:.0%} of "
            f"the information): {', '.join(paid)}"
        )
        other = one_by_one(costs, budget).fit(binned(data, slice(None)), data.Y)
        picks = other.order_[: other.n_features_]
        paid = [names[i] for i in picks if other.costs_[i] > 0]
        print(f"  one by one ({other.total_cost_:.2f} spent): {', '.join(paid)}")
    print("\nmoney spent, relevance had:")
    money, share = fitted.cost_curve_.T
    for step in np.flatnonzero(np.diff(money, append=np.inf)):  # the last of each price
        print(
            f"  {money[step]:6.2f}  {'#' * round(40 * share[step])} {share[step]:.0%}"
        )
    print("\nfive-fold, choosing inside each fold      dollars     AUC   avg precision")
    for (name, budget), row in sorted(
        evaluate(data, costs).items(), key=lambda item: (item[0][1], item[0][0])
    ):
        said = f"{name}, {budget:g} dollars" if 0 < budget < np.inf else name
        print(f"  {said:<40}{row[0]:8.2f}{row[1]:8.3f}{row[2]:16.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
