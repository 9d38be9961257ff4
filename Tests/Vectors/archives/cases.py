"""What a case is, and the entries that most of them are made of."""

import pathlib
import shutil

from assembler import Archive, DEFLATED, Entry, LINK

HERE = pathlib.Path(__file__).resolve().parent
written = set()


def case(name, expected, why, archive, *more, **fields):
    """Writes a case: an archive, raw bytes, or the entries of an archive and its fields."""
    assert name not in written
    written.add(name)
    if isinstance(archive, Entry):
        archive = Archive(archive, *more, **fields)
    else:
        assert not more and not fields
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "module.zip").write_bytes(archive.bytes if isinstance(archive, Archive) else archive)
    (folder / "expected").write_text(f"{expected}\n{why}\n")


def file(name="a", data=b"data", *more, **fields):
    return Entry(name, data, *more, **fields)


def packed(name="a", data=b"data data", *more, **fields):
    return Entry(name, data, *more, method=DEFLATED, **fields)


def folder(name="d/", **fields):
    return Entry(name, **fields)


def link(name="l", target="a", **fields):
    return Entry(name, target, LINK, **fields)


def remove_stale():
    for stale in HERE.iterdir():
        if stale.is_dir() and stale.name not in written:
            shutil.rmtree(stale)
    print(len(written), "cases")
