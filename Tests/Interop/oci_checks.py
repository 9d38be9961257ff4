"""Signet and oras: modules in a registry in both directions

Debian's docker-registry holds them, on the loopback interface. oras pulls what signet pushes, and signet pulls what oras
pushes. What signet pushes about a manifest meets the demands of cosign verify.
"""

import hashlib
import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import oras.client
from checks import Mismatch, expect
from cosign_demands import Call, unmet
from key_type import ED25519
from workbench import Workbench

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json"
SIGN_TYPE = "https://sigstore.dev/cosign/sign/v1"
DESCRIPTION = {"identifier": "com.example.player", "version": "1.0.0", "sequence": 1, "resources": ["a"]}


def run(bench: Workbench) -> None:
    if shutil.which("docker-registry") is None:
        bench.checks.skip("oras and signet read each other's modules", "docker-registry is not installed")
        return
    folder = bench.folder("oci")
    with _registry(folder) as host:
        key = bench.signet.keygen(ED25519.name, folder / "key")
        archive = _module(bench, folder / "player", folder / "player.zip")
        bench.signet.sign(archive, key.private, "--attach")
        place = f"{host}/modules/player:1.0.0"
        with bench.checks.check("oras pulls what signet has pushed"):
            bench.signet.run("push", f"oci://{place}", archive, "--key", key.private, "--plain-http")
            files = oras.client.OrasClient(insecure=True).pull(target=place, outdir=str(folder / "pulled"))
            expect("the names", [Path(file).name for file in files], ["com.example.player-1.0.0.zip"])
            expect("the bytes", Path(files[0]).read_bytes(), archive.read_bytes())
        with bench.checks.check("signet pulls what oras has pushed, without a word of what it is"):
            other = f"{host}/modules/oras:1"
            oras.client.OrasClient(insecure=True).push(
                target=other, files=[f"{archive}:application/zip"], disable_path_validation=True)
            out = folder / "from-oras.zip"
            bench.signet.run("pull", f"oci://{other}", "--key", key.public, "--out", out, "--plain-http")
            expect("the bytes", out.read_bytes(), archive.read_bytes())
        with bench.checks.check("the bundles are found as cosign looks for them, in a registry without a list of referrers"):
            manifest = _get(host, "modules/player/manifests/1.0.0", MANIFEST)
            digest = hashlib.sha256(manifest).hexdigest()
            entries = json.loads(_get(host, f"modules/player/manifests/sha256-{digest}", INDEX))["manifests"]
            expect("the types", {entry["artifactType"] for entry in entries}, {BUNDLE})
            types = {entry["annotations"]["dev.sigstore.bundle.predicateType"] for entry in entries}
            expect("the statements", types, {"urn:signet:module:v1", SIGN_TYPE})
        with bench.checks.check("cosign's demands on the signature of a manifest are met"):
            (entry,) = [
                entry for entry in entries
                if entry["annotations"]["dev.sigstore.bundle.predicateType"] == SIGN_TYPE]
            about = json.loads(_get(host, f"modules/player/manifests/{entry['digest']}", MANIFEST))
            expect("the subject", about["subject"]["digest"], f"sha256:{digest}")
            (layer,) = about["layers"]
            bundle = _get(host, f"modules/player/blobs/{layer['digest']}", "*/*")
            path = bench.file(folder, manifest, "manifest.json")
            expect("what is unmet", unmet(Call(bundle, key.public.read_bytes(), SIGN_TYPE, path)), {})


def _module(bench: Workbench, source: Path, archive: Path) -> Path:
    source.mkdir()
    (source / "module.json").write_text(json.dumps(DESCRIPTION))
    (source / "a").write_text("hello\n")
    bench.signet.run("pack", source, "--out", archive)
    return archive


def _get(host: str, path: str, accept: str) -> bytes:
    request = urllib.request.Request(f"http://{host}/v2/{path}", headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


@contextmanager
def _registry(folder: Path) -> Iterator[str]:
    """Debian's registry on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    configuration = folder / "registry.yml"
    configuration.write_text(
        f"version: 0.1\nlog: {{level: error}}\nstorage: {{filesystem: {{rootdirectory: {folder}/registry}}}}\n"
        f"http: {{addr: 127.0.0.1:{port}}}\n")
    process = subprocess.Popen(
        ["docker-registry", "serve", configuration], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if process.poll() is not None:
                raise Mismatch(f"docker-registry ended with {process.returncode}")
            with socket.socket() as there:
                if there.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
