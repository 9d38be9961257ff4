"""Signet, openssl and sigstore-protobuf-specs: certificate chains in both directions

openssl is the authority: it certifies keys, verifies the chain and the signature of Signet's bundles, and signs bundles
that Signet verifies. The library reads the bundles, and the authority that Signet exports.
"""

import base64
import json
from pathlib import Path

from sigstore_protobuf_specs.dev.sigstore.bundle.v1 import Bundle
from sigstore_protobuf_specs.dev.sigstore.trustroot.v1 import TrustedRoot

from bundle import MEDIA_TYPE, beside
from checks import Mismatch, expect
from envelope import PAYLOAD_TYPE, pre_authentication_encoding
from key_type import KEY_TYPES, KeyType
from workbench import Workbench

IDENTITY = "release@example.com"
CA = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n"
SIGNER = (
    "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,codeSigning\n"
    f"subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\nsubjectAltName=email:{IDENTITY}\n")


class Authority:
    """A root and an intermediate, whose keys are of any kind."""

    def __init__(self, bench: Workbench, folder: Path, kind: KeyType) -> None:
        self._openssl = bench.openssl
        self._folder = folder
        self._kind = kind
        (folder / "cnf").write_text("[req]\ndistinguished_name=dn\n[dn]\n")
        self.root = self._certify("root", "Root", CA, None)
        self.intermediate = self._certify("intermediate", "Intermediate", CA + "authorityKeyIdentifier=keyid\n", "root")

    def certify(self, private: Path) -> Path:
        return self._issue("leaf", "Signer", SIGNER, "intermediate", private)

    def _certify(self, name: str, subject: str, extensions: str, issuer: str | None) -> Path:
        private = self._folder / f"{name}.key"
        self._openssl.generate(self._kind, private)
        return self._issue(name, subject, extensions, issuer, private)

    def _issue(self, name: str, subject: str, extensions: str, issuer: str | None, private: Path) -> Path:
        request, certificate, options = (self._folder / f"{name}.{end}" for end in ("csr", "pem", "ext"))
        options.write_text(extensions)
        self._openssl.must(
            "req", "-new", "-config", self._folder / "cnf", "-key", private, "-subj", f"/O=Example/CN={subject}", "-out",
            request)
        by = ["-signkey", private] if issuer is None else [
            "-CA", self._folder / f"{issuer}.pem", "-CAkey", self._folder / f"{issuer}.key"]
        self._openssl.must(
            "x509", "-req", "-in", request, *by, "-set_serial", str(len(name)), "-days", "30", "-extfile", options, "-out",
            certificate)
        return certificate


def run(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        _both_ways(bench, kind)
    _export(bench)


def _der(openssl, certificate: Path) -> bytes:
    return openssl.must("x509", "-in", certificate, "-outform", "DER")


def _both_ways(bench: Workbench, kind: KeyType) -> None:
    folder = bench.folder(f"certificates/{kind.name}")
    authority = Authority(bench, folder, kind)
    key = bench.signet.keygen(kind.name, folder / "key")
    leaf = authority.certify(key.private)
    chain = folder / "chain.pem"
    # Out of order, and with the root, which Signet leaves out.
    chain.write_bytes(b"".join(path.read_bytes() for path in (authority.root, leaf, authority.intermediate)))
    file = bench.file(folder)
    signed = bench.signet.sign(file, key.private, "--certificate", str(chain))
    anchored = ["--anchor", str(authority.root), "--identity", IDENTITY]

    with bench.checks.check(f"{kind.name}: the library reads the chain, leaf first and without the root"):
        read = Bundle.from_dict(json.loads(signed.read_bytes()))
        found = [certificate.raw_bytes for certificate in
                 read.verification_material.x509_certificate_chain.certificates]
        expect("the chain", found, [_der(bench.openssl, path) for path in (leaf, authority.intermediate)])

    with bench.checks.check(f"{kind.name}: openssl verifies the chain and the signature of the bundle"):
        (folder / "first.der").write_bytes(found[0])
        bench.openssl.must("x509", "-inform", "DER", "-in", folder / "first.der", "-out", folder / "first.pem")
        (folder / "second.der").write_bytes(found[1])
        bench.openssl.must("x509", "-inform", "DER", "-in", folder / "second.der", "-out", folder / "second.pem")
        bench.openssl.must(
            "verify", "-x509_strict", "-CAfile", authority.root, "-untrusted", folder / "second.pem",
            folder / "first.pem")
        (folder / "first.pub").write_bytes(
            bench.openssl.must("x509", "-in", folder / "first.pem", "-noout", "-pubkey"))
        envelope = read.dsse_envelope
        bench.openssl.accepts(
            kind, folder / "first.pub", pre_authentication_encoding(envelope.payload), envelope.signatures[0].sig)

    with bench.checks.check(f"{kind.name}: signet verifies its own under the root, and nobody else's"):
        _accepts(bench, file, *anchored)
        _refuses(bench, "signer.identity", file, "--anchor", str(authority.root), "--identity", "x@example.com")
        _refuses(bench, "signer.certificate", file, "--key", str(key.public))

    with bench.checks.check(f"{kind.name}: signet verifies what openssl has signed, with the leaf alone and its chain"):
        payload = envelope.payload
        signature = bench.openssl.sign(kind, key.private, pre_authentication_encoding(payload))
        raw = [base64.b64encode(der).decode() for der in found]
        for material, intermediates in (
            ({"x509CertificateChain": {"certificates": [{"rawBytes": der} for der in raw]}}, []),
            ({"certificate": {"rawBytes": raw[0]}}, [authority.intermediate]),
        ):
            document = {
                "mediaType": MEDIA_TYPE, "verificationMaterial": {**material, "tlogEntries": []},
                "dsseEnvelope": {
                    "payload": base64.b64encode(payload).decode(), "payloadType": PAYLOAD_TYPE,
                    "signatures": [{"sig": base64.b64encode(signature).decode(), "keyid": ""}]}}
            beside(file).write_text(json.dumps(document))
            anchor = intermediates[0] if intermediates else authority.root
            _accepts(bench, file, "--anchor", str(anchor), "--identity", IDENTITY)
        _refuses(bench, "chain.untrusted", file, *anchored)


def _export(bench: Workbench) -> None:
    folder = bench.folder("certificates/export")
    authority = Authority(bench, folder, KEY_TYPES[0])
    policy, out = folder / "trust.json", folder / "trusted_root.json"
    bench.signet.run("trust", "init", policy)
    bench.signet.run(
        "trust", "add", policy, "--name", "ca", "--authority", authority.root, "--intermediates", authority.intermediate,
        "--identity", IDENTITY, "--modules", "**")
    bench.signet.run("trust", "export", policy, "ca", "--format", "sigstore", "--out", out)
    with bench.checks.check("the library reads the authority that signet exports, and knows every field of it"):
        document = json.loads(out.read_bytes())
        root = TrustedRoot.from_dict(document)
        (exported,) = root.certificate_authorities
        expect("the chain", [certificate.raw_bytes for certificate in exported.cert_chain.certificates],
               [_der(bench.openssl, path) for path in (authority.intermediate, authority.root)])
        expect("the subject", (exported.subject.organization, exported.subject.common_name), ("Example", "Root"))
        expect("the media type", root.media_type, document["mediaType"])
        expect("what is written back", sorted(root.to_dict()), sorted(
            name for name, value in document.items() if value))


def _accepts(bench: Workbench, file: Path, *options: str) -> None:
    status, result = bench.signet.verify(file, *options)
    if status != 0:
        raise Mismatch(f"signet verify ended with {status}: {result}")


def _refuses(bench: Workbench, code: str, file: Path, *options: str) -> None:
    status, result = bench.signet.verify(file, *options)
    expect("the exit status", status, 1)
    expect("the reason", result["reasons"][0]["code"], code)
