"""Signet and Python: the archives of modules in both directions

Python reads with its own zipfile what is in an archive and writes down what docs/format.md says of it; openssl signs
that. cosign takes a detached bundle for the archive as a file: its digest is the statement's.
"""

import hashlib
import json
import stat
import struct
import tarfile
import zipfile
from datetime import datetime, timezone
from pathlib import Path

import bundle
import fingerprint
import fsverity
import statement
from bundle import Content
from checks import expect
from cosign_demands import Call, unmet
from envelope import pre_authentication_encoding
from key_type import ED25519, KEY_TYPES, P384
from workbench import Workbench

MODULE_TYPE = "urn:signet:module:v1"
DESCRIPTION = {
    "identifier": "com.example.player",
    "version": "1.2.3-rc.1",
    "sequence": 7,
    "resources": ["gr\u00fc\u00df\u20ac", "images"],
    "targets": {"Player": ["play", {"name": "reset", "local": True}]},
    "permissions": ["audio"],
}


def run(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        folder = bench.folder(f"module/{kind.name}")
        archive = _packed(bench, folder, "player.zip")
        key = bench.signet.keygen(kind.name, folder / "key")
        signed = bench.signet.sign(archive, key.private)
        call = Call(signed.read_bytes(), key.public.read_bytes(), MODULE_TYPE, archive)
        if kind == P384:
            with bench.checks.check("p384: cosign's demands are met by a module's bundle but for SHA-256"):
                expect("what is unmet", sorted(unmet(call)), ["signature_holds"])
        else:
            with bench.checks.check(f"{kind.name}: cosign's demands are met by a module's detached bundle"):
                expect("what is unmet", unmet(call), {})
    for ending in ("zip", "tar", "tar.gz", "tar.xz", "tar.zst"):
        _statement(bench, ending)
    _attached(bench)
    _made(bench)


def _packed(bench: Workbench, folder: Path, name: str) -> Path:
    root = folder / "player"
    (root / "images/empty").mkdir(parents=True)
    (root / "module.json").write_bytes(json.dumps(DESCRIPTION, indent=2).encode())
    (root / "gr\u00fc\u00df\u20ac").write_bytes(bytes(range(256)) * 40)
    (root / "images/tool").write_bytes(b"tool\n")
    (root / "images/tool").chmod(0o755)
    (root / "images/link").symlink_to("../module.json")
    bench.signet.run("pack", root, "--out", folder / name)
    return folder / name


def _entry(path: str, mode: int, content: bytes, target: str | None = None) -> dict:
    if target is not None:
        return {"path": path, "type": "symlink", "target": target}
    if path.endswith("/"):
        return {"path": path[:-1], "type": "directory", "mode": f"{mode:04o}"}
    digest = hashlib.sha256(content).hexdigest()
    return {"path": path, "type": "file", "mode": f"{mode:04o}", "size": len(content), "sha256": digest}


def _contents(archive: Path) -> list[dict]:
    """What zipfile, or tarfile, finds in an archive."""
    entries = []
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                mode, content = info.external_attr >> 16, opened.read(info)
                target = content.decode() if stat.S_ISLNK(mode) else None
                entries.append(_entry(info.filename, stat.S_IMODE(mode), content, target))
    else:
        with tarfile.open(archive) as opened:
            for info in opened:
                file = opened.extractfile(info) if info.isreg() else None
                path = info.name + "/" if info.isdir() else info.name
                target = info.linkname if info.issym() else None
                entries.append(_entry(path, info.mode, file.read() if file else b"", target))
    return sorted(entries, key=lambda entry: entry["path"].encode())


def _about(archive: Path, contents: list[dict], signed_at: str) -> dict:
    content = archive.read_bytes()
    described = {"format": archive.name.split(".", 1)[1], "size": len(content), "fsverity": fsverity.digest(content)}
    predicate = {"module": DESCRIPTION, "contents": contents, "archive": described, "signedAt": signed_at}
    return statement.about(archive.name, content, MODULE_TYPE, predicate)


def _statement(bench: Workbench, ending: str) -> None:
    folder = bench.folder(f"module/{ending}")
    archive = _packed(bench, folder, f"player.{ending}")
    key = bench.signet.keygen("ed25519", folder / "key")
    payload = bundle.unwrap(bench.signet.sign(archive, key.private)).payload
    signed_at = json.loads(payload)["predicate"]["signedAt"]
    if ending == "tar.zst":
        # Python reads Zstandard from 3.14 on: what it holds is what the tar holds that is not compressed.
        plain = folder / "plain.tar"
        bench.signet.run("pack", folder / "player", "--out", plain)
        contents = _contents(plain)
    else:
        contents = _contents(archive)
    with bench.checks.check(f"a module's statement is the one Python makes: {ending}"):
        expect("the payload", payload, statement.canonical(_about(archive, contents, signed_at)))


def _attached(bench: Workbench) -> None:
    folder = bench.folder("module/attached")
    archive = _packed(bench, folder, "player.zip")
    before = archive.read_bytes()
    key = bench.signet.keygen("ed25519", folder / "key")
    signed = bench.signet.sign(archive, key.private)
    line = signed.read_bytes()
    bench.signet.run("attach", archive)

    with bench.checks.check("the signing block is the one Python makes, and the rest of the archive is as it was"):
        value = struct.pack("<Q4s", len(line) + 4, b"SGNT") + line
        size = struct.pack("<Q", len(value) + 24)
        block = size + value + size + b"SIGNET BUNDLE 01"
        (offset,) = struct.unpack("<L", before[-6:-2])
        moved = before[offset:-6] + struct.pack("<L", offset + len(block)) + before[-2:]
        expect("the archive", archive.read_bytes(), before[:offset] + block + moved)

    with bench.checks.check("cosign's demands are met by what detach takes out, for what it leaves"):
        signed.unlink()
        bench.signet.run("detach", archive)
        expect("the archive", archive.read_bytes(), before)
        expect("the bundle", signed.read_bytes(), line)
        expect("what is unmet", unmet(Call(line, key.public.read_bytes(), MODULE_TYPE, archive)), {})


def _made(bench: Workbench) -> None:
    folder = bench.folder("module/made")
    archive = _packed(bench, folder, "player.zip")
    beside = bundle.beside(archive)

    def signed(value: dict) -> Path:
        private = folder / "openssl"
        public = bench.openssl.generate(ED25519, private)
        payload = statement.canonical(value)
        signature = bench.openssl.sign(ED25519, private, pre_authentication_encoding(payload))
        beside.write_bytes(bundle.wrap(Content(payload, signature, fingerprint.of(ED25519, public, bench.openssl))))
        return public

    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    contents = _contents(archive)
    with bench.checks.check("a module's statement made by Python and signed by openssl is accepted, and refused when it lies"):
        public = signed(_about(archive, contents, now))
        bench.signet.accepts(archive, public, "--module", DESCRIPTION["identifier"], "--least-sequence", "7")
        for damaged in bundle.changed(archive.read_bytes())[1:2]:
            changed = folder / "changed.zip"
            changed.write_bytes(damaged)
            status, result = bench.signet.verify(
                changed, "--key", str(public), "--signature", str(beside))
            expect("the exit status", status, 1)
            expect("the reason", result["reasons"][0]["code"], "digest.mismatch")
        for wrong in (contents[1:], contents[:-1], [*contents[:-1], contents[-1] | {"size": 1}]):
            bench.signet.refuses("module.contents-mismatch", archive, signed(_about(archive, wrong, now)))
        bench.signet.refuses("directory.unsorted", archive, signed(_about(archive, contents[::-1], now)))
