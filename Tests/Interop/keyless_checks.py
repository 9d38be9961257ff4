"""Signet and others' programs for signatures by identities and for models: sigstore, pypi-attestations and model_signing of PyPI

They run in an environment of their own (keyless_requirements.txt), by keyless_readers.py.
"""

import json
import os
import subprocess
from pathlib import Path

from checks import Mismatch, expect
from key_type import P256, P384
from workbench import Workbench

HERE = Path(__file__).parent
VECTORS = HERE.parent / "Vectors" / "keyless"

# What sigstore refuses and Signet verifies, and why.
REFUSED_BY_SIGSTORE = {
    "it takes no chain, and older bundles only with one": [
        "message in a log, v0.1", "message in a log, v0.2", "dsse in a log, v0.1", "dsse in a log, v0.2",
        "intoto in a log, v0.1", "intoto in a log, v0.2", "the intermediate in the bundle",
        "an anchor alone, and the intermediate in the bundle"],
    "it takes one entry, and this instance has none": [
        "message with a timestamp and no log", "dsse with a timestamp and no log", "the same entry twice"],
    "it takes no time of entries of this kind": ["intoto in a log, v0.3"],
    "it takes P-256 alone": [
        "a signer with P-384", "a signer with RSA", "a signer with Ed25519", "a signer with RSA of 2048 bits"],
    "it takes one promise": ["a promise of an unknown log beside a good one"],
    "this check demands the newer extension": ["the older extension for the issuer"],
    "it compares SHA-256 alone": ["a subject by SHA-512 alone", "several subjects by SHA-512 alone"],
    "it takes no names of users": ["a user's name"],
}

# What Signet refuses and sigstore verifies, and why Signet does.
REFUSED_BY_SIGNET = {
    "exactly one name is certified (Fulcio)": ["two names"],
    "a log is known by its ID, and in its time (RFC 6962; trusted root)": [
        "a promise of an unknown log", "a log that counts no longer", "a log of certificates that counts no longer",
        "a log that counts no longer, and a time that nothing proves", "a promise long before the certificate",
        "a promise after the certificate"],
    "an authority counts in its time (trusted root)": [
        "an authority that counts no longer", "a timestamp of an authority that counts no longer"],
    "a checkpoint is signed by its log, and is the proof's (C2SP, client-spec)": [
        "first log: a checkpoint that nobody has signed", "checkpoint: a bad signature of the log, too",
        "checkpoint: a size that begins with a zero", "checkpoint: a later size",
        "second log: a place that its proof does not have"],
    "a log of the second kind gives no time": ["second log with a time", "second log with a promise"],
    "every timestamp must hold (client-spec)": [
        "two timestamps, of which one is about other bytes", "a timestamp by the certificate of a signer"],
    "this check expects no issuer": ["a certificate with an issuer, where none is expected"],
    "the statement is read by Signet, and by nobody in sigstore": [
        "a statement of another type", "a subject whose digests are of two artifacts", "a statement with a name twice"],
}


def run(bench: Workbench) -> None:
    python = os.environ.get("KEYLESS_PYTHON")
    if python is None:
        bench.checks.skip("others' programs for signatures by identities", "KEYLESS_PYTHON names no environment")
        return
    others = Others(python)
    _vectors(bench, others)
    _public(bench, others)
    _models(bench, others)


class Others:
    def __init__(self, python: str) -> None:
        self.python = python

    def __call__(self, *arguments: object) -> list[str]:
        """The lines that a reader prints; raises if it fails."""
        ended = subprocess.run(
            [self.python, "-B", HERE / "keyless_readers.py", *map(str, arguments)], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=300)
        if ended.returncode != 0:
            raise Mismatch(f"{arguments[0]} ended with {ended.returncode}: {ended.stderr.strip().splitlines()[-1:]}")
        return ended.stdout.splitlines()


def _vectors(bench: Workbench, others: Others) -> None:
    cases = json.loads((VECTORS / "cases.json").read_text())["cases"]
    own = {case["name"] for case in cases if case["expected"] == "ok" and "key" not in case}
    read: set[str] = set()
    with bench.checks.check("sigstore reads the cases of a private instance"):
        read = set(others("vectors", VECTORS / "cases.json"))
    with bench.checks.check(f"sigstore verifies what Signet verifies, but for what it cannot read ({len(own & read)} cases)"):
        expect("what sigstore refuses", own - read, {name for names in REFUSED_BY_SIGSTORE.values() for name in names})
    with bench.checks.check("sigstore refuses what Signet refuses, but for what it does not check"):
        expect("what Signet refuses", read - own, {name for names in REFUSED_BY_SIGNET.values() for name in names})


def _public(bench: Workbench, others: Others) -> None:
    folder = VECTORS / "public"
    workflow = "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon"
    with bench.checks.check("a public file that cosign has signed: sigstore and Signet verify it, without a network"):
        expect("what sigstore verifies", others("public", folder), ["cosign.txt"])
        status, result = bench.signet.verify(
            folder / "cosign.txt", "--signature", str(folder / "cosign.sigstore.json"), "--repository", workflow,
            "--format", "message")
        expect("signet's status", (status, result["verdict"]), (0, "verified"))
    with bench.checks.check("an answer of PyPI's index: pypi-attestations and Signet verify it, without a network"):
        expect("what pypi-attestations verifies", others("pypi", folder), ["pypi_attestations-0.0.19.tar.gz"])
        status, result = bench.signet.verify(
            folder / "pypi.tar.gz", "--signature", str(folder / "pypi.provenance"), "--pypi",
            "trailofbits/pypi-attestations")
        expect("signet's status", (status, result["verdict"]), (0, "verified"))


def _models(bench: Workbench, others: Others) -> None:
    for kind in (P256, P384):
        for how in ("key", "shards"):
            with bench.checks.check(f"{kind.name}: a model that model_signing has signed ({how}) is verified, and not once it changes"):
                folder = bench.folder(f"models/{kind.name}-{how}")
                key = bench.signet.keygen(kind.name, folder / "key")
                model = _model(folder)
                signature = folder / "model.sig"
                others("sign", model, signature, how, key.private)
                if how == "key":  # of parts it cannot read names with colons, which it has signed
                    others("read", model, signature, key.public)
                _changes(bench, model, signature, "--key", key.public)
    with bench.checks.check("a model that model_signing has signed with a certificate is verified, and not once it changes"):
        folder = bench.folder("models/certificate")
        key, authority = folder / "leaf.pem", folder / "authority.pem"
        _certificates(bench, folder)
        model = _model(folder)
        signature = folder / "model.sig"
        others("sign", model, signature, "certificate", key, folder / "leaf.crt", authority)
        _changes(bench, model, signature, "--anchor", authority, "--identity", "email:signer@example.com")


def _model(folder: Path) -> Path:
    model = folder / "model"
    (model / "sub").mkdir(parents=True)
    (model / "weights.bin").write_bytes(bytes(range(256)) * 13)
    (model / "sub" / "größe: 1.txt").write_text("a name with a colon\n")
    (model / ".gitignore").write_text("x\n")
    return model


def _changes(bench: Workbench, model: Path, signature: Path, *trust: object) -> None:
    options = ["--as", "model", "--signature", str(signature), *map(str, trust)]
    status, result = bench.signet.verify(model, *options)
    if status != 0:
        raise Mismatch(f"signet verify ended with {status}: {result.get('reasons') or result}")
    weights = model / "weights.bin"
    whole = weights.read_bytes()
    for content, code in ((whole[:-1] + b"!", "digest.mismatch"), (whole + b"!", "digest.mismatch"), (whole[:-1], "digest.mismatch")):
        weights.write_bytes(content)
        status, result = bench.signet.verify(model, *options)
        expect("the reason", (status, result["reasons"][0]["code"]), (1, code))
    weights.write_bytes(whole)
    (model / "new").write_text("new\n")
    status, result = bench.signet.verify(model, *options)
    expect("the reason", (status, result["reasons"][0]["code"]), (1, "directory.extra-entry"))


def _certificates(bench: Workbench, folder: Path) -> None:
    openssl = bench.openssl.must
    group = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    openssl(
        "req", "-x509", *group, "-keyout", folder / "root.pem", "-out", folder / "authority.pem", "-days", "30", "-subj",
        "/CN=authority", "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", "-new", *group, "-keyout", folder / "leaf.pem", "-out", folder / "leaf.csr", "-subj", "/CN=signer")
    (folder / "extensions").write_text(
        "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=codeSigning\n"
        "subjectAltName=email:signer@example.com\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n")
    openssl(
        "x509", "-req", "-in", folder / "leaf.csr", "-CA", folder / "authority.pem", "-CAkey", folder / "root.pem", "-out",
        folder / "leaf.crt", "-days", "30", "-extfile", folder / "extensions", "-set_serial", "77")
