"""What is in an archive, as one reader sees it: paths with their kinds, modes, bytes and targets."""

import hashlib
import os
import stat
import tarfile
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Seen:
    """What a reader tells of a path; None is what it does not tell."""

    kind: str | None
    mode: int | None = None
    sha256: str | None = None
    target: str | None = None
    # Where the mode is not told.
    executable: bool | None = None


# A path, without a slash at its end, and what is there.
View = dict[str, Seen]


def unpacked(folder: Path) -> View:
    """What a program has unpacked into a folder."""
    view = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = Path(parent, name)
            status = path.lstat()
            mode = stat.S_IMODE(status.st_mode)
            shown = str(path.relative_to(folder))
            if stat.S_ISLNK(status.st_mode):
                view[shown] = Seen("link", None, None, os.readlink(path))
            elif stat.S_ISDIR(status.st_mode):
                view[shown] = Seen("directory", mode)
            else:
                view[shown] = Seen("file", mode, hashlib.sha256(path.read_bytes()).hexdigest())
    return view


def signed(contents: list[dict]) -> View:
    """What a statement lists."""
    view = {}
    for entry in contents:
        kind = {"symlink": "link"}.get(entry["type"], entry["type"])
        mode = int(entry["mode"], 8) if "mode" in entry else None
        view[entry["path"]] = Seen(kind, mode, entry.get("sha256"), entry.get("target"))
    return view


def with_parents(view: View) -> View:
    """The same, with the directories that only paths name."""
    whole = dict(view)
    for path in view:
        while "/" in path:
            path = path.rpartition("/")[0]
            whole.setdefault(path, Seen("directory"))
    return whole


def differences(expected: View, found: View) -> list[str]:
    """In what two views differ, as far as both tell."""
    expected, found = with_parents(expected), with_parents(found)
    told = [f"{path!a} is missing" for path in sorted(expected.keys() - found.keys())]
    told += [f"{path!a} is there, and is not signed" for path in sorted(found.keys() - expected.keys())]
    for path in sorted(expected.keys() & found.keys()):
        one, other = expected[path], found[path]
        for field in ("kind", "mode", "sha256", "target"):
            signed_value, found_value = getattr(one, field), getattr(other, field)
            if None not in (signed_value, found_value) and signed_value != found_value:
                told.append(f"{path!a}: {field} {found_value!a}, signed {signed_value!a}")
        if None not in (one.executable, other.mode) and one.executable != bool(other.mode & 0o111):
            told.append(f"{path!a}: mode {other.mode:o}, signed as executable: {one.executable}")
    return told


def links_as_files(view: View) -> View:
    """As a reader sees it that makes a file of a link, with the target as its bytes."""
    return {
        path: Seen("file", None, hashlib.sha256(seen.target.encode()).hexdigest()) if seen.kind == "link" else seen
        for path, seen in view.items()}


def without_modes(view: View) -> View:
    return {path: replace(seen, mode=None) for path, seen in view.items()}


def with_modes_of(archive: Path, view: View) -> View:
    """What a ZIP is from that has no modes gets those that each program has for new files: none makes it executable."""
    with zipfile.ZipFile(archive) as opened:
        none = {info.filename.removesuffix("/") for info in opened.infolist() if info.create_system != 3}
    return {
        path: replace(seen, mode=None, executable=False if seen.kind == "file" else None) if path in none else seen
        for path, seen in view.items()}


def headers_of(archive: Path, view: View) -> View:
    """A tar as a reader sees it that knows no extended headers: by the names and targets in the entries' own headers."""
    content = archive.read_bytes()
    seen, entries, start = {}, iter(_in_order(archive)), 0
    while any(content[start:start + 512]):
        block = content[start:start + 512]
        name, prefix, target = (
            os.fsdecode(block[at:at + room].split(b"\0")[0]) for at, room in ((0, 100), (345, 155), (157, 100)))
        size, kind = int(block[124:135].rstrip(b"\0 "), 8), block[156:157]
        if kind != b"x":
            entry = view[next(entries)]
            seen[(f"{prefix}/{name}" if prefix else name).removesuffix("/")] = replace(entry, target=target or None)
        start += 512 + size + -size % 512
    return seen


def _in_order(archive: Path) -> list[str]:
    with tarfile.open(archive) as opened:
        return opened.getnames()
