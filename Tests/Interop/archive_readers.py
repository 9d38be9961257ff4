"""Readers of archives: how to run each, and what it sees otherwise by its nature.

A reader is a function that takes archives and gives, for each, a view or the text of an error. `known` turns what is
signed into what this reader sees of an archive; a reader without it must see what is signed. Each has its reason. A reader
that refuses an archive differs.
"""

import hashlib
import json
import os
import shutil
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from archive_views import Seen, View, headers_of, links_as_files, unpacked, without_modes

HERE = Path(__file__).parent
# Seconds for one program over all archives; only what hangs takes as long.
PATIENCE = 300


@dataclass(frozen=True)
class Reader:
    name: str
    # What must be there for it: programs, or pairs of a program and a check that it ends well.
    needs: tuple[str, ...]
    read: Callable[[list[Path], Path], list[View | str]]
    known: Callable[[Path, View], View] = lambda archive, view: view

    def missing(self) -> str | None:
        for need in self.needs:
            program, *arguments = need.split()
            if shutil.which(program) is None:
                return f"{program} is not installed"
            if arguments and subprocess.run([program, *arguments], capture_output=True).returncode != 0:
                return f"{need} does not work"
        return None


def _unpacking(
        *command: str, stdin: bool = False, into: str = ".") -> Callable[[list[Path], Path], list[View | str]]:
    """A program that unpacks an archive into the current folder or a new one in it; `{}` stands for the archive."""

    def one(archive: Path, folder: Path) -> View | str:
        folder.mkdir()
        with open(archive if stdin else os.devnull, "rb") as opened:
            ended = subprocess.run(
                [word.replace("{}", str(archive)) for word in command], cwd=folder, capture_output=True,
                stdin=opened, timeout=PATIENCE, umask=0,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC"})
        view = unpacked(folder / into)
        shutil.rmtree(folder)
        if ended.returncode != 0:
            return f"status {ended.returncode}: {(ended.stderr or ended.stdout).decode(errors='replace').strip()[-200:]}"
        return view

    def read(archives: list[Path], folder: Path) -> list[View | str]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(one, archives, (folder / str(number) for number in range(len(archives)))))

    return read


def _umoci(archives: list[Path], folder: Path) -> list[View | str]:
    """A tar as the only layer of an image: umoci unpacks it with the archive/tar of Go's library."""
    images = [_image(archive, folder / f"image-{archive.stem}") for archive in archives]
    return _unpacking("umoci", "raw", "unpack", "--rootless", "--image", "{}:layer", "rootfs", into="rootfs")(images, folder)


def _image(layer: Path, folder: Path) -> Path:
    """An image layout (OCI image specification 1.0)."""
    (folder / "blobs/sha256").mkdir(parents=True)

    def blob(content: bytes, kind: str) -> dict:
        digest = hashlib.sha256(content).hexdigest()
        (folder / "blobs/sha256" / digest).write_bytes(content)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

    content = layer.read_bytes()
    part = blob(content, "layer.v1.tar")
    config = blob(
        json.dumps({"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": [part["digest"]]}}).encode(),
        "config.v1+json")
    manifest = blob(
        json.dumps({"schemaVersion": 2, "config": config, "layers": [part]}).encode(), "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": "layer"}
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [manifest]}))
    (folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    return folder


def _library(*command: str) -> Callable[[list[Path], Path], list[View | str]]:
    """A program of the folder `readers`, whose README says what it prints."""

    def read(archives: list[Path], folder: Path) -> list[View | str]:
        views: list[View | str] = [{} for _ in archives]
        arguments = [str(archive) for archive in archives]
        ended = subprocess.run(
            [*command, *arguments], cwd=HERE / "readers", capture_output=True, timeout=PATIENCE, check=True)
        for line in ended.stdout.decode("ascii").splitlines():
            number, what, *fields = line.split("\t")
            if what == "error":
                views[int(number)] = bytes.fromhex(fields[0]).decode(errors="replace") or "an error without words"
            elif isinstance(view := views[int(number)], dict):
                _add(view, *fields)
        return views

    return read


def _add(view: View, name: str, kind: str, mode: str, sha256: str, target: str) -> None:
    path = os.fsdecode(bytes.fromhex(name)).removesuffix("/")
    # Two entries of one name are two: a reader that lists both must not look like one that lists one.
    while path in view:
        path += " (again)"
    view[path] = Seen(
        None if kind == "other" else kind, None if mode == "-" or kind == "link" else int(mode, 8),
        None if sha256 == "-" or kind in ("directory", "link") else sha256,
        None if target == "-" else os.fsdecode(bytes.fromhex(target)))


def _python_zip(archives: list[Path], folder: Path) -> list[View | str]:
    return [_tried(_one_python_zip, archive) for archive in archives]


def _one_python_zip(archive: Path) -> View:
    view: View = {}
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            mode = info.external_attr >> 16 if info.create_system == 3 else 0
            content = opened.read(info)
            if stat.S_ISLNK(mode):
                seen = Seen("link", None, None, os.fsdecode(content))
            elif info.is_dir():
                seen = Seen("directory", stat.S_IMODE(mode) or None)
            else:
                seen = Seen("file", stat.S_IMODE(mode) or None, hashlib.sha256(content).hexdigest())
            view[info.filename.removesuffix("/") + (" (again)" if info.filename in view else "")] = seen
    return view


def _python_tar(archives: list[Path], folder: Path) -> list[View | str]:
    return [_tried(_one_python_tar, archive) for archive in archives]


def _one_python_tar(archive: Path) -> View:
    view: View = {}
    with tarfile.open(archive) as opened:
        for info in opened:
            name = info.name + (" (again)" if info.name in view else "")
            if info.issym():
                view[name] = Seen("link", None, None, info.linkname)
            elif info.isdir():
                view[name] = Seen("directory", info.mode)
            elif info.isreg():
                view[name] = Seen("file", info.mode, hashlib.sha256(opened.extractfile(info).read()).hexdigest())
            else:
                view[name] = Seen(f"type {info.type!a}")
    return view


def _tried(read: Callable[[Path], View], archive: Path) -> View | str:
    try:
        return read(archive)
    except Exception as error:  # whatever a library throws is its verdict
        return f"{type(error).__name__}: {error}"


def _streamed(archive: Path, view: View) -> View:
    """The local headers say neither what is a link nor any mode."""
    return without_modes(links_as_files(view))


def _modeless(archive: Path, view: View) -> View:
    """PharData has modes of its own for all that is in a ZIP, and files in the place of links."""
    return without_modes(links_as_files(view))


def _seven_zip(archive: Path, view: View) -> View:
    """7-Zip heeds no permissions without a type, and gives the owner of a directory all rights."""
    with zipfile.ZipFile(archive) as opened:
        typeless = {info.filename.removesuffix("/") for info in opened.infolist() if not info.external_attr >> 28}

    def seen(path: str, signed: Seen) -> Seen:
        if signed.kind == "directory":
            return replace(signed, mode=None if path in typeless or signed.mode is None else signed.mode | 0o700)
        return replace(signed, mode=None, executable=False) if path in typeless and signed.kind == "file" else signed

    return {path: seen(path, signed) for path, signed in view.items()}


ZIP_READERS = [
    Reader("Python's zipfile", (), _python_zip),
    Reader("unzip", ("unzip",), _unpacking("unzip", "-q", "{}")),
    Reader("bsdtar", ("bsdtar",), _unpacking("bsdtar", "-xpf", "{}")),
    Reader("bsdtar from a pipe", ("bsdtar",), _unpacking("sh", "-c", "cat | bsdtar -xpf -", stdin=True), _streamed),
    Reader("7z", ("7z",), _unpacking("7z", "x", "-bd", "-y", "-snld20", "{}"), _seven_zip),
    Reader("busybox unzip", ("busybox",), _unpacking("busybox", "unzip", "-q", "{}")),
    Reader("Java's ZipFile", ("java -version",), _library("java", "Zip.java", "file")),
    Reader("Java's ZipInputStream", ("java -version",), _library("java", "Zip.java", "stream"), _streamed),
    Reader("Perl's Archive::Zip", ("perl -MArchive::Zip -e 1",), _library("perl", "zip.pl")),
    Reader("PHP's ZipArchive", ("php -r exit(class_exists('ZipArchive')?0:1);",), _library("php", "zip.php")),
    Reader("PHP's PharData", ("php -r exit(class_exists('PharData')?0:1);",), _library("php", "phar.php"), _modeless),
]
TAR_READERS = [
    Reader("Python's tarfile", (), _python_tar),
    Reader("GNU tar", ("tar",), _unpacking("tar", "-xpf", "{}")),
    Reader("bsdtar", ("bsdtar",), _unpacking("bsdtar", "-xpf", "{}")),
    Reader("7z", ("7z",), _unpacking("7z", "x", "-bd", "-y", "-ttar", "-snld20", "{}")),
    Reader("busybox tar", ("busybox",), _unpacking("busybox", "tar", "-xpf", "{}")),
    Reader("umoci, which is Go's library,", ("umoci",), _umoci),
    Reader("Perl's Archive::Tar", ("perl -MArchive::Tar -e 1",), _library("perl", "tar.pl"), headers_of),
    Reader("PHP's PharData", ("php -r exit(class_exists('PharData')?0:1);",), _library("php", "phar.php"), headers_of),
]
