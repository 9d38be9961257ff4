"""Signet and Python: the listing of a directory and the manifest of a host in both directions

Python walks the directory by itself and writes down what docs/format.md says; openssl signs it. cosign, which hashes
one file, takes a directory's bundle for the file that holds the listing.
"""

import hashlib
import json
import os
import stat
from datetime import datetime, timezone
from pathlib import Path

import bundle
import fingerprint
import statement
from bundle import Content
from checks import expect
from cosign_demands import Call, unmet
from envelope import pre_authentication_encoding
from key_type import ED25519
from workbench import Workbench

DIRECTORY_TYPE = "urn:signet:directory:v1"
MANIFEST_TYPE = "urn:signet:host-manifest:v1"
HOST = "com.example.player"


def run(bench: Workbench) -> None:
    _directory(bench)
    _manifest(bench)


def listing(root: Path) -> list[dict]:
    entries = []
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = Path(folder, name)
            entry = {"path": path.relative_to(root).as_posix()}
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode):
                entry |= {"type": "symlink", "target": os.readlink(path)}
            elif stat.S_ISDIR(status.st_mode):
                entry |= {"type": "directory", "mode": f"{stat.S_IMODE(status.st_mode):04o}"}
            else:
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                mode = f"{stat.S_IMODE(status.st_mode):04o}"
                entry |= {"type": "file", "mode": mode, "size": status.st_size, "sha256": digest}
            entries.append(entry)
    return sorted(entries, key=lambda entry: entry["path"].encode())


def _make(root: Path) -> None:
    for folder in ("a", "a/b", "a-b", "empty", "\u00fcber", "\U0001f511"):
        (root / folder).mkdir()
    for number, folder in enumerate(("", "a", "a/b", "a-b", "\u00fcber", "\U0001f511")):
        file = root / folder / f'"{number}" \u3000'
        file.write_bytes(bytes(range(256)) * number)
        file.chmod((0o600, 0o644, 0o755, 0o400, 0o640, 0o604)[number])
    (root / "a/b/up").symlink_to("../../empty")
    (root / "nowhere").symlink_to("not/there")


def _directory(bench: Workbench) -> None:
    folder = bench.folder("directory")
    key = bench.signet.keygen("ed25519", folder / "key")
    root = folder / "plugin"
    root.mkdir()
    _make(root)
    listed = statement.canonical(listing(root))
    signed = bench.signet.sign(root, key.private)
    payload = bundle.unwrap(signed).payload

    with bench.checks.check("a directory's listing is the one Python makes, and its digest the subject's"):
        found = json.loads(payload)
        expect("the listing", statement.canonical(found["predicate"]["listing"]), listed)
        expect("where it stands", payload.count(b'"listing":' + listed), 1)
        expect("the digest", found["subject"][0]["digest"], {"sha256": hashlib.sha256(listed).hexdigest()})
        expect("the payload", payload, statement.canonical(found))

    with bench.checks.check("cosign's demands are met by a directory's bundle for the file that holds the listing"):
        file = bench.file(folder, listed, "listing.json")
        call = Call(signed.read_bytes(), key.public.read_bytes(), DIRECTORY_TYPE, file)
        expect("what is unmet", unmet(call), {})

    with bench.checks.check("a listing made by Python and signed by openssl is accepted, and refused after each change"):
        predicate = {"listing": listing(root), "signedAt": _now()}
        public = _signed(bench, folder, signed, statement.about("plugin", listed, DIRECTORY_TYPE, predicate))
        bench.signet.accepts(root, public)
        file = root / "a" / '"1" \u3000'
        content = file.read_bytes()
        for damaged in bundle.changed(content):
            file.write_bytes(damaged)
            bench.signet.refuses("digest.mismatch", root, public)
        file.write_bytes(content)
        file.chmod(0o600)
        bench.signet.refuses("directory.mode-mismatch", root, public)
        file.chmod(0o644)
        (root / "more").mkdir()
        bench.signet.refuses("directory.extra-entry", root, public)
        (root / "more").rmdir()
        bench.signet.accepts(root, public)

    with bench.checks.check("a listing in the order of names instead of bytes is refused"):
        predicate = {"listing": sorted(listing(root), key=lambda entry: entry["path"].split("/")), "signedAt": _now()}
        entries = statement.canonical(predicate["listing"])
        public = _signed(bench, folder, signed, statement.about("plugin", entries, DIRECTORY_TYPE, predicate))
        bench.signet.refuses("directory.unsorted", root, public)


def _manifest(bench: Workbench) -> None:
    folder = bench.folder("manifest")
    key = bench.signet.keygen("ed25519", folder / "key")
    file = bench.file(folder, b'{"bundles":[]}\n', "bundle.json")
    signed = bench.signet.sign(file, key.private, "--host-manifest", HOST, "--sequence", "7")

    with bench.checks.check("a manifest's statement is the one Python makes, and cosign's demands are met"):
        content = bundle.unwrap(signed)
        found = json.loads(content.payload)
        predicate = {"identifier": HOST, "sequence": 7, "size": len(file.read_bytes()),
                     "signedAt": found["predicate"]["signedAt"]}
        made = statement.about(file.name, file.read_bytes(), MANIFEST_TYPE, predicate)
        expect("the payload", content.payload, statement.canonical(made))
        expect("what is unmet", unmet(Call(signed.read_bytes(), key.public.read_bytes(), MANIFEST_TYPE, file)), {})

    with bench.checks.check("a manifest's statement made by Python and signed by openssl is accepted, for its host"):
        predicate = {"identifier": HOST, "sequence": 2**53 - 1, "size": len(file.read_bytes()), "signedAt": _now()}
        public = _signed(
            bench, folder, signed, statement.about(file.name, file.read_bytes(), MANIFEST_TYPE, predicate))
        bench.signet.accepts(file, public, "--host-manifest", HOST, "--least-sequence", str(2**53 - 1))
        bench.signet.refuses("manifest.identifier-mismatch", file, public, "--host-manifest", HOST + ".beta")


def _signed(bench: Workbench, folder: Path, beside: Path, value: dict) -> Path:
    """Signs a statement with a new key of openssl's, and gives the public half."""
    private = folder / "openssl"
    public = bench.openssl.generate(ED25519, private)
    payload = statement.canonical(value)
    signature = bench.openssl.sign(ED25519, private, pre_authentication_encoding(payload))
    beside.write_bytes(bundle.wrap(Content(payload, signature, fingerprint.of(ED25519, public, bench.openssl))))
    return public


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
