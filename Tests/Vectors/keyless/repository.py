#!/usr/bin/env python3
"""Makes repository/: a repository of The Update Framework that publishes the trusted root of cases.json, as Sigstore's do.

All keys are made anew and thrown away. It needs Python's cryptography.
"""

import hashlib
import json
import pathlib
import shutil

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

HERE = pathlib.Path(__file__).parent
PLACE = HERE / "repository"
EXPIRES = "2044-01-01T00:00:00Z"


def canonical(value) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


class Key:
    def __init__(self) -> None:
        self.private = ed25519.Ed25519PrivateKey.generate()
        raw = self.private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        self.public = {"keytype": "ed25519", "scheme": "ed25519", "keyval": {"public": raw.hex()}}
        self.id = hashlib.sha256(canonical(self.public)).hexdigest()


def write(name: str, key: Key, role: dict) -> None:
    signature = {"keyid": key.id, "sig": key.private.sign(canonical(role)).hex()}
    (PLACE / name).write_bytes(canonical({"signatures": [signature], "signed": role}))


def main() -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    (PLACE / "targets").mkdir(parents=True)
    keys = {name: Key() for name in ["root", "timestamp", "snapshot", "targets"]}
    common = {"spec_version": "1.0.31", "expires": EXPIRES, "version": 1}
    write("1.root.json", keys["root"], common | {
        "_type": "root", "consistent_snapshot": True, "keys": {key.id: key.public for key in keys.values()},
        "roles": {name: {"keyids": [key.id], "threshold": 1} for name, key in keys.items()}})
    target = canonical(json.loads((HERE / "cases.json").read_text())["root"])
    digest = hashlib.sha256(target).hexdigest()
    (PLACE / "targets" / f"{digest}.trusted_root.json").write_bytes(target)
    write("1.targets.json", keys["targets"], common | {
        "_type": "targets", "targets": {"trusted_root.json": {"length": len(target), "hashes": {"sha256": digest}}}})
    write("1.snapshot.json", keys["snapshot"], common | {"_type": "snapshot", "meta": {"targets.json": {"version": 1}}})
    write("timestamp.json", keys["timestamp"], common | {"_type": "timestamp", "meta": {"snapshot.json": {"version": 1}}})


if __name__ == "__main__":
    main()
