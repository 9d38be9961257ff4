"""What a case is, and the entries that most of them are made of."""

import pathlib
import sys

from assembler import Archive, DEFLATED, Entry, LINK

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from vectors import Cases  # noqa: E402

cases = Cases("archives")


def case(name, expected, why, archive, *more, **fields):
    """Adds a case: an archive, raw bytes, or the entries of an archive and its fields."""
    if isinstance(archive, Entry):
        archive = Archive(archive, *more, **fields)
    else:
        assert not more and not fields
    cases.add(name, expected, why, {"module.zip": archive.bytes if isinstance(archive, Archive) else archive})


def file(name="a", data=b"data", *more, **fields):
    return Entry(name, data, *more, **fields)


def packed(name="a", data=b"data data", *more, **fields):
    return Entry(name, data, *more, method=DEFLATED, **fields)


def folder(name="d/", **fields):
    return Entry(name, **fields)


def link(name="l", target="a", **fields):
    return Entry(name, target, LINK, **fields)
