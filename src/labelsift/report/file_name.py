"""Names of files made from names of data."""

from __future__ import annotations

_MOST_BYTES = 80


def file_name(name: str) -> str:
    """Return letters, digits, hyphens and underscores only, at most 80 bytes of them.

    Nothing in it leaves a folder, hides a file or is an option of a program once it
    stands behind a prefix. Different names may give the same: add a number.

    Parameters
    ----------
    name : str
        A name from data.

    Examples
    --------
    >>> file_name("../../etc/passwd"), file_name("my data.arff")
    ('------etc-passwd', 'my-data-arff')
    """
    kept = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)
    code = kept.encode("utf-8")[:_MOST_BYTES]
    return code.decode("utf-8", "ignore")
