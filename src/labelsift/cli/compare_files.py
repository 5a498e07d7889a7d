"""The files that ``labelsift compare`` writes: reports, rows, exports."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from labelsift.cli.terminal import WrongInput

if TYPE_CHECKING:
    from labelsift.evaluate.comparison import Comparison
    from labelsift.evaluate.plan_run import LoadedData


def write_reports(
    comparison: Comparison, loaded: list[LoadedData], folder: Path, plan: str
) -> list[Path]:
    """Write the report, one for each data set, and all rows; return the paths."""
    from labelsift.report import write_comparison, write_report
    from labelsift.report.file_name import file_name

    datasets = {data.name: data.dataset for data in loaded}
    command = f"labelsift compare {shlex.quote(plan)}"
    written = []
    files: dict[str, str] = {}
    for number, results in enumerate(comparison.results, 1):
        dataset = datasets[results.dataset]
        assert dataset is not None
        name = "report.html"
        if len(comparison.results) > 1:
            name = f"data-{number}-{file_name(results.dataset)}.html"
        files[results.dataset] = name
        written.append(write_report(results, dataset, folder / name, command=command))
    if len(comparison.results) > 1 and comparison.methods():
        path = folder / "report.html"
        page = write_comparison(
            comparison, path, datasets=datasets, reports=files, command=command
        )
        written.insert(0, page)
    if comparison.results:
        written.append(comparison.save(folder / "results.csv"))
    return written


def check_parquet() -> None:
    """Say before anything runs that Parquet cannot be written."""
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise WrongInput(
            '--format parquet needs pyarrow:  pip install "labelsift[parquet]".'
        )


def export_files(
    comparison: Comparison,
    loaded: list[LoadedData],
    folder: str | None,
    formats: tuple[str, ...],
) -> list[Path]:
    """Write tables and figures into a folder, where one was given."""
    if folder is None:
        return []
    from labelsift.report import export_comparison

    datasets = {data.name: data.dataset for data in loaded if data.dataset is not None}
    return export_comparison(
        comparison, folder, formats=formats or None, datasets=datasets
    )
