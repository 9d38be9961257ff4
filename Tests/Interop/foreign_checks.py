"""Archives that others have made, packed anew

Wheels and source distributions from PyPI, packages and source tarballs from Debian, and jars get a `module.json` and are
packed by `signet pack --from`; so are archives of each kind that other programs make of what is in them. What comes out
must hold what is unpacked without libarchive, which Signet reads with: tars by GNU's tar, ZIPs by bsdtar, which Signet
reads itself. The same paths, kinds, bytes, targets and executable bits.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from archive_views import View, differences, unpacked
from checks import Mismatch
from workbench import Workbench

WHEELS = ["pip==24.2", "requests==2.32.3", "setuptools==75.1.0"]
SOURCES = ["flit_core==3.10.1", "packaging==24.2", "wheel==0.45.1"]
DEBIAN = ["ca-certificates", "hello", "libarchive13", "minisign", "tzdata", "zlib1g"]
JARS = 12
# What makes an archive of each kind: another program than libarchive's where most machines have one.
FORMATS = {
    **{kind: ["bsdtar", "--format", kind, "-cf"] for kind in ("pax", "ustar", "cpio", "newc", "7zip", "iso9660", "xar")},
    **{f"{kind} of GNU's tar": ["tar", "--format", kind, "-cf"] for kind in ("gnu", "posix")}}
DESCRIPTION = b'{"identifier":"org.example.foreign","version":"1.0.0","sequence":1}\n'
# A name that does not mean the same everywhere is no fault of ours.
LEGAL = ("path.",)
PATIENCE = 300


def run(bench: Workbench) -> None:
    folder = bench.folder("foreign")
    for kind, fetch, describe in KINDS:
        place = folder / kind
        place.mkdir()
        try:
            archives = sorted(fetch(place))
        except (OSError, subprocess.SubprocessError, Mismatch) as error:
            archives, why = [], str(error)
        else:
            why = "there are none here"
        if not archives:
            bench.checks.skip(f"{kind} are packed anew as others unpack them", why)
            continue
        with bench.checks.check(
                f"{len(archives)} {kind} are packed anew as others unpack them, and in {len(FORMATS)} other forms"):
            _compare_all(bench, archives, describe, place)


def _compare_all(bench: Workbench, archives: list[Path], describe: Callable[[Path], None], place: Path) -> None:
    told = []
    packed = dict.fromkeys(["as they are", *FORMATS], 0)
    for number, archive in enumerate(archives):
        describe(archive)
        tree = place / f"tree-{number}"
        expected = _as_packed(_unpacked(_installed(archive, place), tree))
        for form, path in chain([("as they are", archive)], _others(tree, place / f"other-{number}")):
            code, found = _packed(bench, path, place)
            if found is not None:
                packed[form] += 1
                told += [f"{archive.name} {form}: {line}" for line in differences(expected, found)]
            elif not code.startswith(LEGAL):
                told.append(f"{archive.name} {form}: refused with {code}")
        shutil.rmtree(tree)
    if told:
        raise Mismatch(f"{len(told)} differences: " + "; ".join(told[:5]))
    for form, count in packed.items():
        if 2 * count < len(archives):
            raise Mismatch(f"only {count} of {len(archives)} were packed {form}: too few to be compared")


def _packed(bench: Workbench, archive: Path, place: Path) -> tuple[str, View | None]:
    """The first reason against packing it, or what the new archive holds."""
    out = place / "packed.zip"
    result = bench.signet.packed(archive, out)
    if result["verdict"] != "packed":
        return result["reasons"][0]["code"], None
    view = _unpacked(out, place / "packed")
    shutil.rmtree(place / "packed")
    return "", view


def _unpacked(archive: Path, folder: Path) -> View:
    """What is unpacked into a new folder, which stays."""
    folder.mkdir()
    if zipfile.is_zipfile(archive):
        _call("bsdtar", "-xf", archive, "-C", folder)
    else:
        _call("tar", "--no-same-owner", "-xf", archive, "-C", folder)
    return unpacked(folder)


def _as_packed(view: View) -> View:
    """What packing carries over: of permissions the executable bit of files alone."""
    return {
        path: replace(seen, mode=None, executable=bool(seen.mode & 0o111) if seen.kind == "file" else None)
        for path, seen in view.items()}


def _others(tree: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    folder.mkdir()
    for kind in FORMATS:
        archive = folder / f"m.{kind.split()[0]}"
        made = subprocess.run(
            [*FORMATS[kind], str(archive), "."], cwd=tree, capture_output=True, timeout=PATIENCE,
            env=os.environ | {"LC_ALL": "C.UTF-8"})
        # A form that has no place for a name or a size is not made.
        if made.returncode == 0 and not made.stderr:
            yield kind, archive
        archive.unlink(missing_ok=True)
    folder.rmdir()


def _call(*command: str | Path, at: Path | None = None, data: bytes | None = None) -> bytes:
    ended = subprocess.run(
        [str(word) for word in command], cwd=at, input=data, capture_output=True, timeout=PATIENCE, umask=0o022,
        env=os.environ | {"LC_ALL": "C.UTF-8"})
    if ended.returncode != 0:
        raise Mismatch(f"{command[0]} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-300:]}")
    return ended.stdout


# Where archives come from.

def _pip(place: Path, *options: str) -> Iterator[Path]:
    _call(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", place,
          *options)
    return place.iterdir()


def _wheels(place: Path) -> Iterator[Path]:
    return _pip(place, "--only-binary=:all:", *WHEELS)


def _sources(place: Path) -> Iterator[Path]:
    return _pip(place, "--no-binary=:all:", *SOURCES)


def _debs(place: Path) -> Iterator[Path]:
    place.chmod(0o755)
    _call("apt-get", "download", *DEBIAN, at=place)
    return place.glob("*.deb")


def _debian_sources(place: Path) -> Iterator[Path]:
    """From where the packages come; most machines have no list of sources, and get none."""
    place.chmod(0o755)
    (place / "lists/partial").mkdir(parents=True)
    listed = place / "debian.sources"
    listed.write_text("\n\n".join(
        path.read_text().replace("Types: deb\n", "Types: deb-src\n")
        for path in sorted(Path("/etc/apt/sources.list.d").glob("*.sources"))))
    options = [f"Dir::Etc::SourceList={listed}", "Dir::Etc::SourceParts=/dev/null", f"Dir::State::Lists={place}/lists"]
    options = [word for option in options for word in ("-o", option)]
    _call("apt-get", *options, "update")
    for package in DEBIAN:
        # A mirror may not have the source of each.
        subprocess.run(
            ["apt-get", *options, "source", "--download-only", package], cwd=place, capture_output=True, timeout=PATIENCE)
    return (path for path in place.glob("*.tar.*") if path.suffix in COMPRESSIONS)


def _jars(place: Path) -> list[Path]:
    found = [jar for root in ("/usr/share/java", "/usr/lib/jvm") for jar in Path(root).rglob("*.jar")]
    chosen = sorted((jar for jar in found if jar.is_file() and not jar.is_symlink()), key=lambda jar: jar.stat().st_size)
    for number, jar in enumerate(chosen[:JARS]):
        shutil.copy(jar, place / f"{number}-{jar.name}")
    return list(place.iterdir())


# A description is added behind what is there, which stays as it is.

def _describe_zip(archive: Path) -> None:
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr("module.json", DESCRIPTION)


COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}


def _describe_tar(archive: Path) -> None:
    program = COMPRESSIONS.get(archive.suffix)
    plain = archive.with_suffix(".plain")
    plain.write_bytes(_call(program, "-dc", archive) if program else archive.read_bytes())
    with tarfile.open(plain, "a") as opened:
        entry = tarfile.TarInfo("module.json")
        entry.size = len(DESCRIPTION)
        opened.addfile(entry, io.BytesIO(DESCRIPTION))
    archive.write_bytes(_call(program, "-c", plain) if program else plain.read_bytes())
    plain.unlink()


def _describe_deb(archive: Path) -> None:
    work = archive.with_suffix(".members")
    work.mkdir()
    members = _call("ar", "t", archive).decode().split()
    _call("ar", "x", archive, at=work)
    _describe_tar(next(work.glob("data.tar*")))
    archive.unlink()
    _call("ar", "qc", archive, *members, at=work)
    shutil.rmtree(work)


def _installed(archive: Path, place: Path) -> Path:
    """What is to be unpacked: of a Debian package the tar that dpkg would."""
    if archive.suffix != ".deb":
        return archive
    data = place / "data.tar"
    data.write_bytes(_call("dpkg-deb", "--fsys-tarfile", archive))
    return data


KINDS = [
    ("wheels", _wheels, _describe_zip), ("source distributions", _sources, _describe_tar),
    ("Debian packages", _debs, _describe_deb), ("source tarballs of Debian", _debian_sources, _describe_tar),
    ("jars", _jars, _describe_zip)]
