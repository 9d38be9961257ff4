"""Signet and the world's readers of archives: what is accepted is read alike

Archives of modules, random and bent, are signed; those that Signet accepts are read by every reader there is, with their
signing block and without it. Names, kinds, modes and bytes must be the signed ones, but for what `archive_readers.py` says of
a reader with its reason.
"""

import base64
import json
from pathlib import Path

from archive_cases import written
from archive_readers import TAR_READERS, ZIP_READERS, Reader
from archive_views import View, differences, signed, with_modes_of
from checks import Mismatch
from workbench import Workbench

# Of so many archives at least so many must be accepted: otherwise nothing would be compared.
ZIPS, ACCEPTED_ZIPS = 600, 120
TARS, ACCEPTED_TARS = 500, 120
SHOWN = 5


def run(bench: Workbench) -> None:
    folder = bench.folder("archives")
    key = bench.signet.keygen("ed25519", folder / "key").private
    zips = _accepted(bench, folder, key, "zip", ZIPS, ACCEPTED_ZIPS)
    attached = _attached(bench, folder, key, zips)
    for reader in ZIP_READERS:
        _compare(bench, folder, reader, "ZIPs", zips)
        _compare(bench, folder, reader, "ZIPs with a signing block", attached)
    tars = _accepted(bench, folder, key, "tar", TARS, ACCEPTED_TARS)
    for reader in TAR_READERS:
        _compare(bench, folder, reader, "tars", tars)


def _accepted(bench: Workbench, folder: Path, key: Path, kind: str, count: int, least: int) -> dict[Path, View]:
    """The archives that Signet accepts as modules, and what it signs of each."""
    (folder / kind).mkdir()
    results = bench.signet.sign_all(written(folder / kind, kind, count), key, "--as", "module")
    accepted = {}
    for result in results:
        if result["verdict"] == "signed":
            envelope = json.loads(Path(result["bundle"]).read_bytes())["dsseEnvelope"]
            statement = json.loads(base64.b64decode(envelope["payload"]))
            path, view = Path(result["file"]), signed(statement["predicate"]["contents"])
            accepted[path] = with_modes_of(path, view) if kind == "zip" else view
    with bench.checks.check(f"{len(accepted)} of {count} random and bent {kind}s are accepted, {least} or more"):
        if len(accepted) < least:
            raise Mismatch(f"{len(accepted)} are: too few to be compared")
    return accepted


def _attached(bench: Workbench, folder: Path, key: Path, zips: dict[Path, View]) -> dict[Path, View]:
    (folder / "attached").mkdir()
    copies = {folder / "attached" / path.name: view for path, view in zips.items()}
    for path, copy in zip(zips, copies):
        copy.write_bytes(path.read_bytes())
    results = bench.signet.sign_all(list(copies), key, "--attach")
    with bench.checks.check("a signing block can be attached to every ZIP that is accepted"):
        refused = [result for result in results if result["verdict"] != "signed"]
        if refused:
            raise Mismatch(f"{len(refused)} are refused, the first with {refused[0]}")
    return copies


def _compare(bench: Workbench, folder: Path, reader: Reader, what: str, archives: dict[Path, View]) -> None:
    sentence = f"{reader.name} reads {len(archives)} {what} as they are signed"
    missing = reader.missing()
    if missing:
        return bench.checks.skip(sentence, missing)
    with bench.checks.check(sentence):
        work = folder / f"{reader.name} {what}"
        work.mkdir()
        told = []
        for (path, view), found in zip(archives.items(), reader.read(list(archives), work)):
            if isinstance(found, str):
                wrong = [f"refused: {found}"]
            else:
                wrong = differences(reader.known(path, view), found)
            if wrong:
                told.append(f"{path.parent.name}/{path.name}: {'; '.join(wrong[:SHOWN])}")
        if told:
            raise Mismatch(f"{len(told)} differ:\n      " + "\n      ".join(told[:SHOWN]))
