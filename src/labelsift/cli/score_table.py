"""The scores of all features, best first: as text, a file, or words."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from labelsift.evaluate.spreadsheet import harmless
from labelsift.read.errors import plain_line
from labelsift.read.whole_file import whole_file

_MOST_PAIRS = 5_000_000  # a table of about 100 MB


class ScoreRows:
    """Feature, rank, score, kept, and the score for each label where there is one.

    Parameters
    ----------
    selector : RankingSelector
        Fitted.
    dataset : Dataset or StreamedData
        The data it was fitted on; gives the names.
    """

    def __init__(self, selector: Any, dataset: Any) -> None:
        self.names = dataset.feature_names
        self.labels = dataset.label_names
        self.order = selector.order_
        self.scores = selector.scores_
        self.kept = selector.get_support()
        table = getattr(selector, "scores_per_label_", None)
        pairs = None if table is None else np.asarray(table)
        # where all labels were made one class, scores are not those of a label
        if pairs is not None and pairs.shape != (len(self.names), len(self.labels)):
            pairs = None
        self.per_label = pairs
        self.left_out = ""
        if self.per_label is not None and self.per_label.size > _MOST_PAIRS:
            self.left_out = (
                f"scores for each label are left out of the table: "
                f"{self.per_label.size} pairs are more than {_MOST_PAIRS}"
            )
        self.top = None
        if self._pairs is None:
            self.top = _top_labels(selector, self.labels)

    @property
    def _pairs(self) -> Any:
        return None if self.left_out else self.per_label

    def best_label(self, feature: int) -> str | None:
        """Return the label for which a feature scores highest, if known."""
        if self.per_label is None:
            best = self.top_labels(feature)
            return next(iter(best), None)
        return str(self.labels[int(np.argmax(self.per_label[feature]))])

    def top_labels(self, feature: int) -> dict[str, float]:
        """Return the scores for the best labels, where those of all are not kept."""
        if self.top is None:
            return {}
        pairs = zip(self.top.labels[feature], self.top.scores[feature], strict=True)
        return {self.labels[j]: float(score) for j, score in pairs if j >= 0}

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return a dict for each feature, best first."""
        found = []
        for rank, feature in enumerate(self.order.tolist(), 1):
            row = {
                "feature": self.names[feature],
                "rank": rank,
                "score": float(self.scores[feature]),
                "kept": bool(self.kept[feature]),
            }
            if self._pairs is not None:
                row["label_scores"] = dict(
                    zip(self.labels, self._pairs[feature].tolist(), strict=True)
                )
            elif self.top is not None:
                row["top_labels"] = self.top_labels(feature)
            found.append(row)
        return found

    def lines(self, shown: Callable[[str], str] = str) -> Iterator[list[Any]]:
        """Yield the heading, then a line for each feature, best first.

        ``shown`` is what becomes of names from the data.
        """
        head = ["feature", "rank", "score", "kept"]
        if self._pairs is not None:
            head += [f"score for {shown(label)}" for label in self.labels]
        yield head
        for rank, feature in enumerate(self.order.tolist(), 1):
            line = [shown(self.names[feature]), rank, float(self.scores[feature])]
            line.append(int(self.kept[feature]))
            if self._pairs is not None:
                line += self._pairs[feature].tolist()
            yield line

    def write(self, file: IO[str], delimiter: str = ",") -> None:
        """Write all lines; names are quoted where needed, and do nothing.

        No character of a name steers the terminal on which the table is shown; one that
        a spreadsheet would run as a formula gets an apostrophe in front.
        """
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(
            self.lines(_inert)
        )


def _top_labels(selector: Any, labels: Any) -> Any:
    found = getattr(selector, "top_labels_", None)
    return found if found is not None and found.n_labels == len(labels) else None


def _inert(name: str) -> str:
    return harmless(plain_line(name))


def write_scores(rows: ScoreRows, path: Path) -> None:
    """Write the scores as CSV; the file appears only when it is whole."""
    with whole_file(path) as file:
        rows.write(file)


def best_features(rows: ScoreRows, count: int = 5) -> str:
    """Return the best features in words, with the label that each serves most."""
    parts = []
    for feature in rows.order[: min(count, int(rows.kept.sum()))].tolist():
        label = rows.best_label(feature)
        serves = "" if label is None else f", for {label}"
        parts.append(f"{rows.names[feature]} ({rows.scores[feature]:.4g}{serves})")
    more = ", ..." if rows.kept.sum() > count else ""
    return ", ".join(parts) + more
