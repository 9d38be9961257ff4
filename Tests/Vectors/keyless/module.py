#!/usr/bin/env python3
"""Makes module/: a module, its signature by an identity, and the trusted root that proves it. Usage: module.py SIGNET

SIGNET is the program: it packs the module and writes the statement that is signed here, as cosign would.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import make

signet, folder = pathlib.Path(sys.argv[1]).resolve(), make.HERE / "module"
folder.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as work:
    source = pathlib.Path(work, "player")
    (source / "assets").mkdir(parents=True)
    (source / "assets/greeting").write_text("hello\n")
    (source / "module.json").write_text(json.dumps(
        {"identifier": "com.example.player", "version": "1.0.0", "sequence": 1, "resources": ["assets"]}))
    archive, statement = folder / "player.zip", pathlib.Path(work, "statement.json")
    archive.unlink(missing_ok=True)
    subprocess.run([signet, "pack", source, "--out", archive, "-q"], check=True)
    subprocess.run([signet, "statement", archive, "--out", statement, "-q"], check=True)
    bundle = make.Signed("dsse", payload=statement.read_bytes()).bundle
for name, document in (("root.json", make.SIGSTORE.trusted_root()), ("player.zip.sigstore.json", bundle)):
    (folder / name).write_text(json.dumps(document, indent=0) + "\n")
