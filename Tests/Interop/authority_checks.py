"""Signet's authority and its timestamps, as cryptography, pkilint and sigstore's reader of tokens see them

They run in the environment of keyless_requirements.txt. An authority of timestamps of openssl listens on the loopback
interface while its checks run.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from checks import Mismatch, expect
from keyless_checks import Others
from workbench import Workbench

CLOCK = Path(__file__).parent.parent / "Program" / "SignetCLITests" / "Mirrors" / "authority.py"
# What pkilint tells of any certificate with such an identifier of its key, which RFC 7093 allows.
TOLD = {"pkix.subject_key_identifier_rfc7093_method_1_identified"}


def run(bench: Workbench) -> None:
    python = os.environ.get("KEYLESS_PYTHON")
    if python is None:
        bench.checks.skip("others' readers of certificates and tokens", "KEYLESS_PYTHON names no environment")
        return
    others = Others(python)
    for kind in ("p256", "p384", "ed25519", "rsa3072"):
        folder = bench.folder(f"authority/{kind}")
        _made(bench, folder, kind)
        with bench.checks.check(f"{kind}: cryptography verifies the path, the request and the revocation list"):
            expect("the serial numbers in the list", others("authority", folder), [_serial(bench, folder / "holder.pem")])
        for name in ("root/ca.pem", "team/ca.pem", "holder.pem"):
            with bench.checks.check(f"{kind}: pkilint finds no fault in {name}"):
                expect("what it finds", _lint(python, folder / name) - TOLD, set())
        _answered(bench, others, folder)
    _stamped(bench, others)


def _answered(bench: Workbench, others: Others, folder: Path) -> None:
    """OCSP responses that cryptography makes about the holder's certificate."""
    file = bench.file(folder)
    bench.signet.run("sign", file, "--key", folder / "holder", "--certificate", folder / "holder.pem")
    anchored = ("--anchor", str(folder / "root" / "ca.pem"), "--identity", "email:holder@example.com")
    with bench.checks.check(f"{folder.name}: cryptography's OCSP responses say what they mean"):
        found = {}
        for name in others("answers", folder):
            status, said = bench.signet.verify(file, *anchored, "--status-response", str(folder / f"{name}.ors"))
            found[name] = (status, [reason["code"] for reason in said.get("reasons", [])])
        expect("how many", len(found), 10)
        expect("the one that revokes", found.pop("revoked"), (1, ["chain.revoked"]))
        expect("the one by a key for another purpose", found.pop("other"), (1, ["ocsp.responder"]))
        expect("the others", set(map(str, found.values())), {"(0, [])"})


def _made(bench: Workbench, folder: Path, kind: str) -> None:
    """A root, an authority below it, a signer's request and certificate, and a list that revokes it."""
    signet = bench.signet.run
    signet("cert", "init-ca", folder / "root", "--subject", "CN=Root,O=Example,C=CH", "--type", kind, "--no-passphrase")
    signet(
        "cert", "init-ca", folder / "team", "--subject", "CN=Team,O=Example,C=CH", "--type", kind, "--parent",
        folder / "root", "--no-passphrase")
    signet("keygen", "--out", folder / "holder", "--type", kind, "--no-passphrase")
    signet(
        "cert", "request", "--key", folder / "holder", "--subject", "CN=Holder,O=Example,C=CH", "--identity",
        "holder@example.com", "--identity", "https://example.com/holder", "--out", folder / "holder.csr")
    signet(
        "cert", "issue", folder / "team", folder / "holder.csr", "--crl-url", "http://example.com/team.crl", "--out",
        folder / "holder.pem")
    signet("cert", "revoke", folder / "team", folder / "holder.pem", "--reason", "key-compromise", "--since", "2026-01-01")


def _serial(bench: Workbench, certificate: Path) -> str:
    return bench.openssl.must("x509", "-in", certificate, "-noout", "-serial").decode().strip().split("=")[1].lower()


def _lint(python: str, certificate: Path) -> set[str]:
    # Of several certificates in a file, pkilint takes the text for that of one.
    first, end, _ = certificate.read_text().partition("-----END CERTIFICATE-----\n")
    alone = certificate.with_suffix(".first")
    alone.write_text(first + end)
    ended = subprocess.run(
        [python, "-m", "pkilint.bin.lint_pkix_cert", "lint", "-f", "JSON", alone], capture_output=True, text=True,
        timeout=120)
    if not ended.stdout.strip():
        raise Mismatch(f"pkilint says nothing: {ended.stderr.strip().splitlines()[-1:]}")
    document = json.loads(ended.stdout)
    return {found["code"] for result in document["results"] for found in result["finding_descriptions"]}


def _stamped(bench: Workbench, others: Others) -> None:
    folder = bench.folder("timestamps")
    key = bench.signet.keygen("ed25519", folder / "key")
    file = bench.file(folder)
    port = folder / "port"
    clock = subprocess.Popen(
        [sys.executable, CLOCK, folder / "clock", port], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if port.exists():
                break
            time.sleep(0.1)
        with bench.checks.check("sigstore's reader of tokens verifies a timestamp that Signet has got, over the signature"):
            bundle = bench.signet.sign(
                file, key.private, "--timestamp-url", f"http://127.0.0.1:{port.read_text()}/good")
            expect("who has stamped", others("token", bundle, folder / "clock" / "ca.pem"), ["CN=Test Clock"])
            bench.signet.accepts(file, key.public, "--timestamp-authority", str(folder / "clock" / "ca.pem"))
    finally:
        clock.terminate()
        clock.wait()
