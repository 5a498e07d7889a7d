"""Keep the results of a comparison in one SQLite file, as they come."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from labelsift.evaluate._arguments import software
from labelsift.read.errors import ReadError

_APPLICATION = 0x6C736966  # "lsif", in the header of the file
_VERSION = 1
_TABLES = (
    """CREATE TABLE run (
        number INTEGER PRIMARY KEY,
        started TEXT NOT NULL,
        plan TEXT NOT NULL,
        versions TEXT NOT NULL
    )""",
    """CREATE TABLE result (
        key TEXT PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run(number),
        kind TEXT NOT NULL,
        dataset TEXT NOT NULL,
        method TEXT NOT NULL,
        settings TEXT NOT NULL,
        repeat INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        n_features INTEGER,
        seconds REAL,
        error TEXT,
        content TEXT
    ) WITHOUT ROWID""",
)
_COLUMNS = (
    "key, run, kind, dataset, method, settings, repeat, fold, n_features, seconds, "
    "error, content"
)


class StoreError(ReadError):
    """A file of results cannot be used; names the file and the remedy."""


@dataclass(frozen=True)
class Entry:
    """One result to keep: a ranking, or one classifier on one set of columns.

    Parameters
    ----------
    key : str
        Of everything that the result depends on.
    kind : {"ranking", "measurement"}
        What it is.
    dataset, method, settings : str
        For people who look into the file.
    repeat, fold : int
        Of the split.
    n_features : int or None
        Columns used by a classifier.
    seconds : float or None
        Time taken; None if it failed.
    error : str or None
        What went wrong; such a result is computed again the next time.
    content : str or None
        The result as JSON.
    """

    key: str
    kind: str
    dataset: str
    method: str
    settings: str
    repeat: int
    fold: int
    n_features: int | None
    seconds: float | None
    error: str | None
    content: str | None


class ResultStore:
    """One SQLite file of results, written by one process at a time.

    Every ``put`` is a transaction: a process that is killed loses what it had not yet
    put, and nothing else. The file is safe to read while it is written (WAL).

    Parameters
    ----------
    path : str or path-like
        Created if missing; its folder must exist.

    Raises
    ------
    StoreError
        If the file is something else, of a later version, damaged, or in use by
        another process.

    Examples
    --------
    >>> with ResultStore("results.sqlite") as store:  # for ``run_plan``
    ...     store.path.name
    'results.sqlite'
    """

    _lock_path: Path | None

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.parent.is_dir():
            raise StoreError("there is no such folder.", self.path.parent)
        self._lock = self._take_lock()
        try:
            self._connection = self._open()
        except BaseException:
            self._free_lock()
            raise
        self._run = 0

    @classmethod
    def in_memory(cls) -> Self:
        """Return a store that is gone when it is closed."""
        store = cls.__new__(cls)
        store.path = Path(":memory:")
        store._lock = sqlite3.connect(":memory:")
        store._lock_path = None
        store._connection = store._open()
        store._run = 0
        return store

    def begin(self, plan: str) -> int:
        """Note that a run starts, with its plan and the versions of the software."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO run (started, plan, versions) VALUES (?, ?, ?)",
                (
                    time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    plan,
                    json.dumps(software(), sort_keys=True),
                ),
            )
        self._run = int(cursor.lastrowid or 0)
        return self._run

    def put(self, entries: Iterable[Entry]) -> None:
        """Keep results; all of them or, if the process ends here, none."""
        marks = ", ".join("?" * 12)
        rows = [
            (
                e.key, self._run, e.kind, e.dataset, e.method, e.settings, e.repeat,
                e.fold, e.n_features, e.seconds, e.error, e.content,
            )
            for e in entries
        ]  # fmt: skip
        with self._transaction() as connection:
            connection.executemany(
                f"INSERT OR REPLACE INTO result ({_COLUMNS}) VALUES ({marks})", rows
            )

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the content of those results that are there and did not fail."""
        found = self._sought("key, content", keys)
        return {key: text for key, text in found if isinstance(text, str)}

    def present(self, keys: Sequence[str]) -> set[str]:
        """Return the keys of those results that are there and did not fail."""
        return {key for (key,) in self._sought("key", keys)}

    def _sought(self, columns: str, keys: Sequence[str]) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        with self._explained():
            for start in range(0, len(keys), 500):
                part = list(keys[start : start + 500])
                marks = ", ".join("?" * len(part))
                rows += self._connection.execute(
                    f"SELECT {columns} FROM result WHERE error IS NULL AND key IN "
                    f"({marks})",
                    part,
                )
        return rows

    def mean_seconds(self) -> dict[tuple[str, str, str, int | None], float]:
        """Return mean times by (dataset, kind, settings, number of columns)."""
        query = (
            "SELECT dataset, kind, settings, n_features, AVG(seconds) FROM result "
            "WHERE error IS NULL GROUP BY dataset, kind, settings, n_features"
        )
        with self._explained():
            rows = self._connection.execute(query).fetchall()
        return {(a, b, c, d): float(e) for a, b, c, d, e in rows if e is not None}

    def __len__(self) -> int:
        """Return how many results did not fail."""
        query = "SELECT COUNT(*) FROM result WHERE error IS NULL"
        with self._explained():
            return int(self._connection.execute(query).fetchone()[0])

    def seconds(self) -> float:
        """Return how long the work took whose results are here, on one core."""
        query = "SELECT TOTAL(seconds) FROM result WHERE error IS NULL"
        with self._explained():
            return float(self._connection.execute(query).fetchone()[0])

    def close(self) -> None:
        """Write everything into the one file and let others have it."""
        try:
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
        finally:
            self._free_lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=30)
        try:
            with self._explained():
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        is_new = connection.execute("PRAGMA schema_version").fetchone()[0] == 0
        if not is_new:
            identity = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if identity != _APPLICATION:
                raise StoreError(
                    "this SQLite file holds no results of labelsift; give the results "
                    "another name.",
                    self.path,
                )
            if version != _VERSION:
                raise StoreError(
                    f"these results have version {version}, this labelsift reads "
                    f"version {_VERSION}; give the results another name.",
                    self.path,
                )
        # triggers and views of a file that others made must not run anything
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if is_new:
            connection.execute("BEGIN IMMEDIATE")
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("COMMIT")
        connection.execute(f"SELECT {_COLUMNS} FROM result LIMIT 1").fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.OperationalError as error:
            text = str(error)
            if "no such" in text or "decode" in text:  # a table, a text
                why = text.partition(" with text ")[0]
                raise StoreError(
                    f"these results are damaged ({why}); give the results another "
                    "name.",
                    self.path,
                ) from None
            remedy = "; what is kept stays, and the same command goes on from there"
            said = f"{error}{remedy}" if "full" in str(error) else f"{error}"
            raise OSError(None, said, str(self.path)) from error
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"this is no readable SQLite file ({error}); give the results another "
                "name.",
                self.path,
            ) from None

    def _take_lock(self) -> sqlite3.Connection:
        # An empty SQLite file is a lock that every system has, and that goes away
        # with the process that holds it.
        self._lock_path = self.path.with_name(f".{self.path.name}.lock")
        lock = sqlite3.connect(self._lock_path, isolation_level=None, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if "locked" in str(error):
                raise StoreError(
                    "another process is writing these results; wait for it, or give "
                    "the results another name.",
                    self.path,
                ) from None
            raise OSError(None, f"{error}", str(self._lock_path)) from None
        return lock

    def _free_lock(self) -> None:
        if self._lock_path is not None:
            with suppress(OSError):
                self._lock_path.unlink()
        self._lock.close()
