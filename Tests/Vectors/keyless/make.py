#!/usr/bin/env python3
"""Makes cases.json: signatures by identities of a private Sigstore, each with one fault or none.

The instance has an authority with an intermediate, a log of certificates, a log of signatures of the first kind and one of the
second, and a time-stamping authority. All keys are made anew and thrown away. It needs Python's cryptography, and openssl for
the tokens.
"""

import base64
import copy
import datetime
import hashlib
import json
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

HERE = pathlib.Path(__file__).parent
ARTIFACT = b"hello\n"
IDENTITY = "https://github.com/example/tool/.github/workflows/release.yml@refs/tags/v1"
ISSUER = "https://token.actions.githubusercontent.com"
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
END = START + datetime.timedelta(days=3650)
NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
LEAF_START, LEAF_END = NOW - datetime.timedelta(minutes=5), NOW + datetime.timedelta(minutes=5)
SCT_LIST = ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
FULCIO = "1.3.6.1.4.1.57264.1."


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def spki(key) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.DER)


def pem(certificate_or_key) -> bytes:
    if isinstance(certificate_or_key, x509.Certificate):
        return certificate_or_key.public_bytes(serialization.Encoding.PEM)
    return certificate_or_key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def sign(key, message: bytes) -> bytes:
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return key.sign(message)
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(message, padding.PKCS1v15(), hashes.SHA256())
    digest = hashes.SHA384() if key.curve.name == "secp384r1" else hashes.SHA256()
    return key.sign(message, ec.ECDSA(digest))


def utf8(text: str) -> bytes:
    raw = text.encode()
    assert len(raw) < 128
    return bytes([0x0c, len(raw)]) + raw


def authority(name: str, key, issuer=None, issuer_key=None) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "example"), x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number()).not_valid_before(START).not_valid_after(END)
        .add_extension(x509.BasicConstraints(True, None), True)
        .add_extension(x509.KeyUsage(False, False, False, False, False, True, True, False, False), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key((issuer_key or key).public_key()), False))
    return builder.sign(issuer_key or key, hashes.SHA256())


class Instance:
    """A private Sigstore."""

    def __init__(self) -> None:
        curve = ec.SECP256R1()
        self.root_key, self.ca_key = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(curve)
        self.root = authority("root", self.root_key)
        self.ca = authority("intermediate", self.ca_key, self.root, self.root_key)
        self.ct_key, self.log_key, self.log2_key = (
            ec.generate_private_key(curve), ec.generate_private_key(curve), ed25519.Ed25519PrivateKey.generate())
        self.tsa_key = ec.generate_private_key(curve)
        self.tsa = (
            x509.CertificateBuilder().subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "clock")]))
            .issuer_name(self.root.subject).public_key(self.tsa_key.public_key()).serial_number(77)
            .not_valid_before(START).not_valid_after(END)
            .add_extension(x509.KeyUsage(True, False, False, False, False, False, False, False, False), True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.tsa_key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.root_key.public_key()), False)
            .sign(self.root_key, hashes.SHA256()))

    # Whom to trust.

    def trusted_root(self) -> dict:
        window = {"start": "2026-01-01T00:00:00Z", "end": "2035-12-30T00:00:00.5Z"}

        def log(key, address: str, details: str, identifier: bytes) -> dict:
            return {
                "baseUrl": address, "hashAlgorithm": "SHA2_256",
                "publicKey": {"rawBytes": b64(spki(key)), "keyDetails": details, "validFor": window},
                "logId": {"keyId": b64(identifier)}}

        def chain(*certificates) -> dict:
            return {
                "subject": {"organization": "example", "commonName": "example"}, "uri": "https://example.com",
                "certChain": {"certificates": [{"rawBytes": b64(der(c))} for c in certificates]}, "validFor": window}

        return {
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [
                log(self.log_key, "https://log.example.com", "PKIX_ECDSA_P256_SHA_256", hashlib.sha256(spki(self.log_key)).digest()),
                log(self.log2_key, "https://log2.example.com", "PKIX_ED25519", self.log2_id)],
            "ctlogs": [log(self.ct_key, "https://ct.example.com", "PKIX_ECDSA_P256_SHA_256", hashlib.sha256(spki(self.ct_key)).digest())],
            "certificateAuthorities": [chain(self.ca, self.root)], "timestampAuthorities": [chain(self.tsa, self.root)]}

    @property
    def log2_id(self) -> bytes:
        return hashlib.sha256(b"log2.example.com\n\x01" + spki(self.log2_key)[-32:]).digest()

    # Signers.

    def leaf(self, key, identity=IDENTITY, issuer=ISSUER, sct="good", names=None, usage=ExtendedKeyUsageOID.CODE_SIGNING,
             old_issuer=False, no_issuer=False, promised=NOW, start=LEAF_START, end=LEAF_END, by=None, is_authority=False,
             raw_issuer=None, contradicts=False) -> x509.Certificate:
        names = names or [x509.UniformResourceIdentifier(identity)]
        signer, signer_key = by or (self.ca, self.ca_key)

        def builder() -> x509.CertificateBuilder:
            made = (
                x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(signer.subject).public_key(key.public_key())
                .serial_number(serial).not_valid_before(start).not_valid_after(end)
                .add_extension(x509.KeyUsage(True, False, False, False, False, False, False, False, False), True)
                .add_extension(x509.ExtendedKeyUsage([usage]), False)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
                .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer_key.public_key()), False)
                .add_extension(x509.SubjectAlternativeName(names), True))
            if is_authority:
                made = made.add_extension(x509.BasicConstraints(True, 0), True)
            if no_issuer:
                return made
            if contradicts:
                made = made.add_extension(
                    x509.UnrecognizedExtension(ObjectIdentifier(FULCIO + "1"), b"https://other.example.com"), False)
            if old_issuer:
                return made.add_extension(x509.UnrecognizedExtension(ObjectIdentifier(FULCIO + "1"), issuer.encode()), False)
            made = made.add_extension(x509.UnrecognizedExtension(ObjectIdentifier(FULCIO + "8"), raw_issuer or utf8(issuer)), False)
            return made.add_extension(
                x509.UnrecognizedExtension(ObjectIdentifier(FULCIO + "12"), utf8("https://github.com/example/tool")), False)

        serial = x509.random_serial_number()
        plain = builder().sign(signer_key, hashes.SHA256())
        if sct is None:
            return plain
        milliseconds = int(promised.timestamp() * 1000)
        extensions = b""
        body = plain.tbs_certificate_bytes
        issuer_hash = hashlib.sha256(spki(self.root_key if sct == "other issuer" else signer_key)).digest()
        message = b"\0\0" + milliseconds.to_bytes(8, "big") + b"\0\1" + issuer_hash + len(body).to_bytes(3, "big") + body + b"\0\0"
        ct_key = ec.generate_private_key(ec.SECP256R1()) if sct == "other key" else self.ct_key
        signature = sign(ct_key, message)
        named = hashlib.sha256(b"x" if sct == "unknown log" else spki(self.ct_key)).digest()
        entry = b"\0" + named + milliseconds.to_bytes(8, "big") + len(extensions).to_bytes(2, "big") + extensions
        entry += b"\4\3" + len(signature).to_bytes(2, "big") + signature
        entries = len(entry).to_bytes(2, "big") + entry
        if sct == "two":
            entries = (len(entry)).to_bytes(2, "big") + entry[:1] + hashlib.sha256(b"x").digest() + entry[33:] + entries
        if sct == "two, one by another key":
            stranger = sign(ec.generate_private_key(ec.SECP256R1()), message)
            second_entry = entry[:47 - 4] + b"\4\3" + len(stranger).to_bytes(2, "big") + stranger
            entries += len(second_entry).to_bytes(2, "big") + second_entry
        if sct == "later version":
            entries = entries[:2] + b"\1" + entries[3:]
        value = len(entries).to_bytes(2, "big") + entries
        if sct == "cut off":
            value = value[:-1]
        octets = b"\x04" + (bytes([len(value)]) if len(value) < 128 else b"\x81" + bytes([len(value)]) if len(value) < 256 else b"\x82" + len(value).to_bytes(2, "big")) + value
        return builder().add_extension(x509.UnrecognizedExtension(SCT_LIST, octets), False).sign(signer_key, hashes.SHA256())

    # Logs.

    def entry(self, body: dict, kind: str, version: str, second=False, promise=True) -> dict:
        text = json.dumps(body, separators=(",", ":"), sort_keys=True).encode()
        # A tree of five entries, of which this is the fourth.
        leaves = [hashlib.sha256(b"\0entry %d" % n).digest() for n in range(5)]
        leaves[3] = hashlib.sha256(b"\0" + text).digest()

        def node(left: bytes, right: bytes) -> bytes:
            return hashlib.sha256(b"\1" + left + right).digest()

        path = [leaves[2], node(leaves[0], leaves[1]), leaves[4]]
        root = node(node(path[1], node(leaves[2], leaves[3])), leaves[4])
        name, identifier, key = (
            ("log2.example.com", self.log2_id, self.log2_key) if second
            else ("log.example.com", hashlib.sha256(spki(self.log_key)).digest(), self.log_key))
        origin = name if second else name + " - 1193050959916656506"
        note = f"{origin}\n5\n{b64(root)}\n"
        checkpoint = note + f"\n\u2014 {name} {b64(identifier[:4] + sign(key, note.encode()))}\n"
        entry = {
            "logIndex": "3" if second else "1003", "logId": {"keyId": b64(identifier)}, "kindVersion": {"kind": kind, "version": version},
            "inclusionProof": {
                "logIndex": "3", "rootHash": b64(root), "treeSize": "5", "hashes": [b64(h) for h in path],
                "checkpoint": {"envelope": checkpoint}},
            "canonicalizedBody": b64(text)}
        if not second:
            entry["integratedTime"] = str(int(NOW.timestamp()))
            if promise:
                entry["inclusionPromise"] = {"signedEntryTimestamp": b64(self.promise(entry))}
        return entry

    def promise(self, entry: dict, key=None) -> bytes:
        text = json.dumps({
            "body": entry["canonicalizedBody"], "integratedTime": int(entry["integratedTime"]),
            "logID": base64.b64decode(entry["logId"]["keyId"]).hex(), "logIndex": int(entry["logIndex"])},
            separators=(",", ":"), sort_keys=True)
        return sign(key or self.log_key, text.encode())

    def token(self, data: bytes, key=None, certificate=None) -> bytes:
        key, certificate = key or self.tsa_key, certificate or self.tsa
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "data").write_bytes(data)
            (place / "tsa.key").write_bytes(key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
            (place / "tsa.pem").write_bytes(pem(certificate))
            (place / "serial").write_text("01")
            (place / "ts.cnf").write_text(
                "[tsa]\ndefault_tsa = authority\n[authority]\nserial = serial\nsigner_digest = sha256\n"
                "default_policy = 1.2.3.4.1\ndigests = sha256\ness_cert_id_alg = sha256\n")
            for command in (
                    ["openssl", "ts", "-query", "-config", "ts.cnf", "-data", "data", "-sha256", "-out", "query"],
                    ["openssl", "ts", "-reply", "-config", "ts.cnf", "-queryfile", "query", "-signer", "tsa.pem", "-inkey", "tsa.key", "-out", "reply"]):
                subprocess.run(command, cwd=place, check=True, capture_output=True)
            return (place / "reply").read_bytes()


def hashed(signature: bytes, signer, digest: bytes, algorithm="sha256") -> dict:
    return {"apiVersion": "0.0.1", "kind": "hashedrekord", "spec": {
        "data": {"hash": {"algorithm": algorithm, "value": digest.hex()}},
        "signature": {"content": b64(signature), "publicKey": {"content": b64(pem(signer))}}}}


def second(signature: bytes, certificate: x509.Certificate, digest: bytes) -> dict:
    return {"apiVersion": "0.0.2", "kind": "hashedrekord", "spec": {"hashedRekordV002": {
        "data": {"algorithm": "SHA2_256", "digest": b64(digest)},
        "signature": {"content": b64(signature), "verifier": {
            "keyDetails": "PKIX_ECDSA_P256_SHA_256", "x509Certificate": {"rawBytes": b64(der(certificate))}}}}}}


def dsse(signature: bytes, certificate, payload: bytes) -> dict:
    return {"apiVersion": "0.0.1", "kind": "dsse", "spec": {
        "envelopeHash": {"algorithm": "sha256", "value": "00" * 32},
        "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(payload).hexdigest()},
        "signatures": [{"signature": b64(signature), "verifier": b64(pem(certificate))}]}}


def intoto(signature: bytes, certificate, payload: bytes) -> dict:
    return {"apiVersion": "0.0.2", "kind": "intoto", "spec": {"content": {
        "envelope": {"payloadType": "application/vnd.in-toto+json", "signatures": [
            {"publicKey": b64(pem(certificate)), "sig": b64(b64(signature).encode())}]},
        "hash": {"algorithm": "sha256", "value": "00" * 32},
        "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(payload).hexdigest()}}}}


def pae(payload: bytes, kind="application/vnd.in-toto+json") -> bytes:
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)


def statement(digest: str | None = None, kind="https://in-toto.io/Statement/v1", **more) -> bytes:
    return json.dumps({
        "_type": kind, "subject": [{"name": "tool", "digest": {"sha256": digest or hashlib.sha256(ARTIFACT).hexdigest()}}],
        "predicateType": "https://slsa.dev/provenance/v1", "predicate": {}, **more}).encode()


SIGSTORE = Instance()
CASES: list[dict] = []


def case(name: str, expected: str, bundle: dict, root: dict | None = None, **more) -> None:
    CASES.append({"name": name, "expected": expected, "bundle": bundle, **({"root": root} if root else {}), **more})


class Signed:
    """A bundle, with its parts at hand."""

    def __init__(self, kind="message", log="first", stamp=False, key=None, version="0.3", payload=None, digest=None, **leaf) -> None:
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.certificate = SIGSTORE.leaf(self.key, **leaf)
        self.payload = payload or statement()
        self.digest = digest or hashlib.sha256(ARTIFACT).digest()
        message = ARTIFACT if kind == "message" else pae(self.payload)
        self.signature = sign(self.key, message)
        if kind == "message":
            content = {"messageSignature": {
                "messageDigest": {"algorithm": "SHA2_256", "digest": b64(hashlib.sha256(ARTIFACT).digest())},
                "signature": b64(self.signature)}}
        else:
            content = {"dsseEnvelope": {
                "payload": b64(self.payload), "payloadType": "application/vnd.in-toto+json",
                "signatures": [{"sig": b64(self.signature)}]}}
        entries = []
        if log == "first" and kind == "message":
            entries = [SIGSTORE.entry(hashed(self.signature, self.certificate, self.digest), "hashedrekord", "0.0.1")]
        elif log == "second":
            digest = self.digest if kind == "message" else hashlib.sha256(message).digest()
            entries = [SIGSTORE.entry(second(self.signature, self.certificate, digest), "hashedrekord", "0.0.2", second=True)]
        elif log == "first" and kind == "intoto":
            entries = [SIGSTORE.entry(intoto(self.signature, self.certificate, self.payload), "intoto", "0.0.2")]
        elif log == "first":
            entries = [SIGSTORE.entry(dsse(self.signature, self.certificate, self.payload), "dsse", "0.0.1")]
        names = {"0.3": "application/vnd.dev.sigstore.bundle.v0.3+json"}
        material: dict = {"certificate": {"rawBytes": b64(der(self.certificate))}, "tlogEntries": entries}
        if stamp:
            material["timestampVerificationData"] = {"rfc3161Timestamps": [{"signedTimestamp": b64(SIGSTORE.token(self.signature))}]}
        self.bundle = {
            "mediaType": names.get(version, f"application/vnd.dev.sigstore.bundle+json;version={version}"),
            "verificationMaterial": material, **content}

    @property
    def entry(self) -> dict:
        return self.bundle["verificationMaterial"]["tlogEntries"][0]

    def resign(self) -> None:
        """Makes the log's promise anew."""
        self.entry["inclusionPromise"]["signedEntryTimestamp"] = b64(SIGSTORE.promise(self.entry))


def changed(**options):
    def made(change):
        signed = Signed(**options)
        change(signed)
        return signed.bundle
    return made


def honest() -> None:
    for kind in ("message", "dsse", "intoto"):
        for version in ("0.1", "0.2", "0.3"):
            case(f"{kind} in a log, v{version}", "ok", Signed(kind, version=version).bundle)
    for kind in ("message", "dsse"):
        case(f"{kind} in a log of the second kind, with a timestamp", "ok", Signed(kind, log="second", stamp=True).bundle)
        case(f"{kind} in a log, with a timestamp, too", "ok", Signed(kind, stamp=True).bundle)
        case(f"{kind} with a timestamp and no log", "ok", Signed(kind, log=None, stamp=True, sct=None).bundle, demands="github")
    case("a signer with P-384", "ok", Signed("dsse", key=ec.generate_private_key(ec.SECP384R1())).bundle)
    case("a signer with RSA", "ok", Signed("dsse", key=rsa.generate_private_key(65537, 3072)).bundle)
    case("a signer with Ed25519", "ok", Signed("dsse", key=ed25519.Ed25519PrivateKey.generate()).bundle)
    case("the older extension for the issuer", "ok", Signed(old_issuer=True).bundle)
    case("a promise of an unknown log beside a good one", "ok", Signed(sct="two").bundle)
    case("a statement of the older type", "ok", Signed("dsse", payload=statement(kind="https://in-toto.io/Statement/v0.1")).bundle)
    case("an address of mail", "ok", Signed(names=[x509.RFC822Name("ann@example.com")]).bundle, identity="ann@example.com")

    def without_promise(signed: Signed) -> None:
        del signed.entry["inclusionPromise"]
    case("a proof without a promise, and a timestamp", "ok", changed(stamp=True)(without_promise))

    def without_digest(signed: Signed) -> None:
        del signed.bundle["messageSignature"]["messageDigest"]
    case("no digest beside the signature", "ok", changed()(without_digest))
    key = ec.generate_private_key(ec.SECP256R1())
    signature = sign(key, ARTIFACT)
    by_key = {
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"publicKey": {"hint": "k"}, "tlogEntries": [
            SIGSTORE.entry(hashed(signature, key, hashlib.sha256(ARTIFACT).digest()), "hashedrekord", "0.0.1")]},
        "messageSignature": {"signature": b64(signature)}}
    case("a key whose signature is in a log", "ok", by_key, demands="key", key=b64(spki(key)))
    other = b64(spki(ec.generate_private_key(ec.SECP256R1())))
    case("another key", "keyless.other-entry", by_key, demands="key", key=other)
    case("a key where an identity is expected", "keyless.signer", by_key)
    case("an identity where a key is expected", "keyless.signer", Signed().bundle, demands="key", key=other)


def signers() -> None:
    case("another identity", "keyless.identity", Signed(identity=IDENTITY + "x").bundle)
    case("the beginning of the identity", "keyless.identity", Signed(identity=IDENTITY[:-1]).bundle)
    case("another issuer", "keyless.identity", Signed(issuer=ISSUER + "x").bundle)
    case("two names", "keyless.identity", Signed(names=[x509.UniformResourceIdentifier(IDENTITY), x509.RFC822Name("ann@example.com")]).bundle)
    case("a name of another kind", "keyless.identity", Signed(names=[x509.DNSName("example.com")]).bundle, identity="example.com")
    case("a certificate for servers", "chain.not-code-signing", Signed(usage=ExtendedKeyUsageOID.SERVER_AUTH).bundle)
    stranger_key = ec.generate_private_key(ec.SECP256R1())
    stranger = authority("intermediate", stranger_key)
    case("an authority of the same name", "chain.untrusted", Signed(by=(stranger, stranger_key)).bundle)
    case("a certificate that began later", "chain.not-yet-valid", Signed(start=NOW + datetime.timedelta(minutes=1), end=NOW + datetime.timedelta(minutes=9)).bundle)
    case("a certificate that ended before", "chain.expired", Signed(start=NOW - datetime.timedelta(minutes=9), end=NOW - datetime.timedelta(minutes=1)).bundle)
    case("no promise about the certificate", "keyless.promise", Signed(sct=None).bundle)
    case("a promise of an unknown log", "keyless.promise", Signed(sct="unknown log").bundle)
    case("a promise by another key", "log.promise", Signed(sct="other key").bundle)
    case("a promise about another issuer", "log.promise", Signed(sct="other issuer").bundle)

    def with_root(signed: Signed) -> None:
        material = signed.bundle["verificationMaterial"]
        certificates = [material.pop("certificate"), {"rawBytes": b64(der(SIGSTORE.ca))}, {"rawBytes": b64(der(SIGSTORE.root))}]
        material["x509CertificateChain"] = {"certificates": certificates}
    case("the root in the bundle", "keyless.signer", changed()(with_root))

    def with_chain(signed: Signed) -> None:
        material = signed.bundle["verificationMaterial"]
        material["x509CertificateChain"] = {"certificates": [material.pop("certificate"), {"rawBytes": b64(der(SIGSTORE.ca))}]}
    case("the intermediate in the bundle", "ok", changed()(with_chain))


def entries() -> None:
    for name, expected, change in ENTRY_FAULTS:
        case(f"first log: {name}", expected, changed()(change))
    other = Signed()

    def of_another(signed: Signed) -> None:
        signed.bundle["verificationMaterial"]["tlogEntries"] = [copy.deepcopy(other.entry)]
    case("the entry of another bundle", "keyless.other-entry", changed()(of_another))

    def with_another(signed: Signed) -> None:
        signed.bundle["verificationMaterial"]["tlogEntries"].append(copy.deepcopy(other.entry))
    case("the entry of another bundle, too", "keyless.other-entry", changed()(with_another))

    def twice(signed: Signed) -> None:
        signed.bundle["verificationMaterial"]["tlogEntries"] *= 2
    case("the same entry twice", "ok", changed()(twice))
    case("two logs are demanded, and one log has it twice", "keyless.entry", changed()(twice), demands="two logs")
    case("an entry about another artifact", "keyless.other-entry", Signed(digest=hashlib.sha256(b"x").digest()).bundle)
    case("second log: an entry about another artifact", "keyless.other-entry", Signed(log="second", stamp=True, digest=hashlib.sha256(b"x").digest()).bundle)
    case("second log without a timestamp", "keyless.time", Signed(log="second").bundle)

    def timed(signed: Signed) -> None:
        signed.entry["integratedTime"] = "5"
    case("second log with a time", "keyless.entry", changed(log="second", stamp=True)(timed))

    def promised(signed: Signed) -> None:
        signed.entry["inclusionPromise"] = {"signedEntryTimestamp": "AAAA"}
    case("second log with a promise", "keyless.entry", changed(log="second", stamp=True)(promised))

    def first_version(signed: Signed) -> None:
        del signed.entry["inclusionPromise"]
        signed.bundle["mediaType"] = "application/vnd.dev.sigstore.bundle+json;version=0.1"
    case("v0.1 without a promise", "keyless.entry", changed(stamp=True)(first_version))
    case("no entry", "keyless.entry", Signed(log=None, stamp=True).bundle)
    root = SIGSTORE.trusted_root()
    root["tlogs"] = []
    case("no log is trusted", "keyless.entry", Signed().bundle, root=root)
    root = SIGSTORE.trusted_root()
    root["tlogs"][0]["publicKey"]["validFor"] = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    case("a log that counts no longer", "keyless.entry", Signed().bundle, root=root)
    root = SIGSTORE.trusted_root()
    root["certificateAuthorities"][0]["validFor"] = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    case("an authority that counts no longer", "chain.untrusted", Signed().bundle, root=root)
    root = SIGSTORE.trusted_root()
    root["ctlogs"][0]["publicKey"]["validFor"] = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    case("a log of certificates that counts no longer", "keyless.promise", Signed().bundle, root=root)


def set_field(*path, value):
    def change(signed: Signed) -> None:
        place = signed.entry
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return change


def bent(*path):
    """Changes a bit of a field in base64."""
    def change(signed: Signed) -> None:
        place = signed.entry
        for step in path[:-1]:
            place = place[step]
        raw = bytearray(base64.b64decode(place[path[-1]]))
        raw[len(raw) // 2] ^= 1
        place[path[-1]] = b64(bytes(raw))
    return change


def no_proof(signed: Signed) -> None:
    del signed.entry["inclusionProof"]


def no_checkpoint(signed: Signed) -> None:
    del signed.entry["inclusionProof"]["checkpoint"]


def other_body(signed: Signed) -> None:
    """The body says the same in another order, so only the tree can tell."""
    body = json.loads(base64.b64decode(signed.entry["canonicalizedBody"]))
    signed.entry["canonicalizedBody"] = b64(json.dumps(body).encode())
    signed.resign()


def checkpoint(change):
    def made(signed: Signed) -> None:
        proof = signed.entry["inclusionProof"]
        proof["checkpoint"]["envelope"] = change(proof["checkpoint"]["envelope"])
    return made


def early(signed: Signed) -> None:
    signed.entry["integratedTime"] = str(int(NOW.timestamp()) - 3600)
    signed.resign()


def future(signed: Signed) -> None:
    signed.entry["integratedTime"] = str(int(NOW.timestamp()) + 86400 * 4000)
    signed.resign()


ENTRY_FAULTS = [
    ("no proof", "keyless.entry", no_proof), ("no checkpoint", "keyless.entry", no_checkpoint),
    ("a leaf that was not computed anew", "log.proof", other_body),
    ("another promise", "log.promise", bent("inclusionPromise", "signedEntryTimestamp")),
    ("a promise at another place", "log.promise", set_field("logIndex", value="1004")),
    ("a promise at another time", "log.promise", set_field("integratedTime", value=str(int(NOW.timestamp()) + 1))),
    ("a time before the certificate", "chain.not-yet-valid", early), ("a time that has not come", "keyless.time", future),
    ("another place in the tree", "log.proof", set_field("inclusionProof", "logIndex", value="2")),
    ("a place below zero", "log.proof", set_field("inclusionProof", "logIndex", value="-1")),
    ("a size below zero", "log.proof", set_field("inclusionProof", "treeSize", value="-5")),
    ("another size", "log.proof", set_field("inclusionProof", "treeSize", value="4")),
    ("another root", "log.proof", bent("inclusionProof", "rootHash")),
    ("no hashes", "log.proof", set_field("inclusionProof", "hashes", value=[])),
    ("another log", "keyless.entry", bent("logId", "keyId")),
    ("another kind", "keyless.other-entry", set_field("kindVersion", "kind", value="dsse")),
    ("another version", "keyless.other-entry", set_field("kindVersion", "version", value="0.0.2")),
    ("a checkpoint of another size", "log.signature", checkpoint(lambda text: text.replace("\n5\n", "\n6\n"))),
    ("a checkpoint that nobody has signed", "log.unsigned", checkpoint(lambda text: text.replace("\u2014 log.", "\u2014 gol."))),
    ("a checkpoint without an end", "log.note", checkpoint(lambda text: text[:-1])),
]


def windows() -> None:
    """What counts at some times only, and what a bundle may bring."""
    past = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    other_key = ec.generate_private_key(ec.SECP256R1())
    other = authority("other", other_key, SIGSTORE.root, SIGSTORE.root_key)
    root = SIGSTORE.trusted_root()
    current = root["certificateAuthorities"][0]
    ended = copy.deepcopy(current)
    ended["certChain"]["certificates"][0] = {"rawBytes": b64(der(other))}
    ended["validFor"] = past
    root["certificateAuthorities"] = [ended, current]

    def with_issuer(signed: Signed) -> None:
        material = signed.bundle["verificationMaterial"]
        material["x509CertificateChain"] = {"certificates": [material.pop("certificate"), {"rawBytes": b64(der(other))}]}
    case("an intermediate that the root lists for other times", "chain.untrusted", changed(by=(other, other_key))(with_issuer), root=root)
    case("an intermediate that the root does not list", "chain.untrusted", changed(by=(other, other_key))(with_issuer))
    alone = SIGSTORE.trusted_root()
    alone["certificateAuthorities"][0]["certChain"]["certificates"] = [{"rawBytes": b64(der(SIGSTORE.root))}]
    case("an anchor alone, and the intermediate in the bundle", "ok", changed(by=(other, other_key))(with_issuer), root=alone)
    listed = copy.deepcopy(alone)
    listed["certificateAuthorities"].append(ended)
    case("an anchor alone, and an intermediate that is listed for other times", "chain.untrusted", changed(by=(other, other_key))(with_issuer), root=listed)
    retired = SIGSTORE.trusted_root()
    retired["tlogs"][0]["publicKey"]["validFor"] = past

    def claimed(signed: Signed) -> None:
        del signed.entry["inclusionPromise"]
        signed.entry["integratedTime"] = "1767268800"
    case("a log that counts no longer, and a time that nothing proves", "keyless.entry", changed(stamp=True)(claimed), root=retired)
    twice = SIGSTORE.trusted_root()
    twice["tlogs"].insert(0, copy.deepcopy(retired["tlogs"][0]))
    case("a log that is listed twice with other times", "ok", Signed().bundle, root=twice)
    numbered = SIGSTORE.trusted_root()
    numbered["tlogs"][0]["checkpointKeyId"] = {"keyId": b64(hashlib.sha256(spki(SIGSTORE.log_key)).digest()[:4])}
    case("a log with a number for notes", "ok", Signed().bundle, root=numbered)
    pss = SIGSTORE.trusted_root()
    pss["tlogs"][0]["publicKey"]["keyDetails"] = "PKIX_ECDSA_P256_HMAC_SHA_256"
    case("a log whose key signs in another way", "keyless.entry", Signed().bundle, root=pss)
    case("a promise long before the certificate", "keyless.promise", Signed(promised=NOW - datetime.timedelta(days=3)).bundle)
    case("a promise after the certificate", "keyless.promise", Signed(promised=NOW + datetime.timedelta(days=3)).bundle)
    case("a certificate without an issuer", "keyless.identity", Signed(no_issuer=True).bundle)
    case("a certificate without an issuer, where none is expected", "ok", Signed(no_issuer=True).bundle, issuer=None)
    case("a certificate with an issuer, where none is expected", "keyless.identity", Signed().bundle, issuer=None)
    key = ec.generate_private_key(ec.SECP256R1())
    signature = sign(key, ARTIFACT)
    untimed = {
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": {"publicKey": {"hint": "k"}, "tlogEntries": [
            SIGSTORE.entry(hashed(signature, key, hashlib.sha256(ARTIFACT).digest()), "hashedrekord", "0.0.1", promise=False)]},
        "messageSignature": {"signature": b64(signature)}}
    case("a key whose entry has no promise", "keyless.time", untimed, demands="key", key=b64(spki(key)))
    doubled = SIGSTORE.trusted_root()
    doubled["timestampAuthorities"] *= 2

    def stamped_twice(signed: Signed) -> None:
        signed.bundle["verificationMaterial"]["timestampVerificationData"]["rfc3161Timestamps"] *= 2
    case("two timestamps are demanded, and one authority has made both", "keyless.time", changed(stamp=True)(stamped_twice), root=doubled, demands="two timestamps")
    bent_digest = [{"digest": {"sha256": "AB" * 32, "sha512": hashlib.sha512(ARTIFACT).hexdigest()}}]
    case("a subject with a digest that cannot be read", "keyless.subject", Signed("dsse", payload=statement(subject=bent_digest)).bundle)


def times() -> None:
    def bad_token(signed: Signed) -> None:
        stamps = signed.bundle["verificationMaterial"]["timestampVerificationData"]["rfc3161Timestamps"]
        stamps.append({"signedTimestamp": b64(SIGSTORE.token(b"other"))})
    case("two timestamps, of which one is about other bytes", "timestamp.imprint", changed(stamp=True)(bad_token))
    root = SIGSTORE.trusted_root()
    root["timestampAuthorities"] = []
    case("a timestamp, and no authority is trusted", "timestamp.authority", Signed(stamp=True).bundle, root=root)
    root = SIGSTORE.trusted_root()
    root["timestampAuthorities"][0]["validFor"] = {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    case("a timestamp of an authority that counts no longer", "timestamp.outside-window", Signed(stamp=True).bundle, root=root)
    case("a timestamp outside of the certificate's time", "chain.expired", Signed(
        log=None, stamp=True, start=NOW - datetime.timedelta(minutes=9), end=NOW - datetime.timedelta(minutes=1), sct=None).bundle, demands="github")
    case("no timestamp where one is demanded", "keyless.time", Signed(sct=None).bundle, demands="github")
    case("neither timestamp nor promise", "keyless.time", changed()(lambda signed: signed.entry.pop("inclusionPromise")))

    def truncated(signed: Signed) -> None:
        stamps = signed.bundle["verificationMaterial"]["timestampVerificationData"]["rfc3161Timestamps"]
        stamps[0]["signedTimestamp"] = b64(base64.b64decode(stamps[0]["signedTimestamp"])[:-1])
    case("a timestamp that is cut off", "timestamp.malformed", changed(stamp=True)(truncated))


def contents() -> None:
    case("a statement about another artifact", "keyless.subject", Signed("dsse", payload=statement("00" * 32)).bundle)
    case("a statement of another type", "keyless.subject", Signed("dsse", payload=statement(kind="https://example.com")).bundle)
    case("a statement that is none", "keyless.subject", Signed("dsse", payload=b"[]").bundle)
    case("a statement without subjects", "keyless.subject", Signed("dsse", payload=statement(subject=[])).bundle)
    mixed = [{"digest": {"sha256": hashlib.sha256(ARTIFACT).hexdigest(), "sha512": "00" * 64}}]
    case("a subject whose digests are of two artifacts", "keyless.subject", Signed("dsse", payload=statement(subject=mixed)).bundle)
    sha512 = [{"digest": {"sha512": hashlib.sha512(ARTIFACT).hexdigest()}}]
    case("a subject by SHA-512 alone", "ok", Signed("dsse", payload=statement(subject=sha512)).bundle)
    long = [{"digest": {"sha512": "00" * 64}}, *sha512]
    case("several subjects by SHA-512 alone", "ok", Signed("dsse", payload=statement(subject=long)).bundle)
    several = [{"name": "x", "digest": {"sha1": "00" * 20}}, {"name": "y", "digest": {"sha256": "00" * 32}}, *json.loads(statement())["subject"]]
    case("several subjects, of which one is the artifact", "ok", Signed("dsse", payload=statement(subject=several)).bundle)

    def other_digest(signed: Signed) -> None:
        signed.bundle["messageSignature"]["messageDigest"]["digest"] = b64(b"\0" * 32)
    case("a claimed digest of another artifact", "keyless.subject", changed()(other_digest))

    def other_payload(signed: Signed) -> None:
        signed.bundle["dsseEnvelope"]["payload"] = b64(statement(more=1))
    case("another statement", "keyless.other-entry", changed(kind="dsse")(other_payload))

    def other_type(signed: Signed) -> None:
        signed.bundle["dsseEnvelope"]["payloadType"] = "application/json"
    case("another type of payload", "keyless.signature", changed(kind="dsse")(other_type))

    def other_signature(signed: Signed) -> None:
        other = sign(signed.key, b"other")
        signed.bundle["messageSignature"]["signature"] = b64(other)
        body = hashed(other, signed.certificate, signed.digest)
        signed.bundle["verificationMaterial"]["tlogEntries"] = [SIGSTORE.entry(body, "hashedrekord", "0.0.1")]
    case("a signature over something else, in the log", "keyless.signature", changed()(other_signature))


def dropped(*path):
    """Takes a field of the bundle away."""
    def change(signed: Signed) -> None:
        place = signed.bundle
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
    return change


def put(*path, value):
    """Sets a field of the bundle."""
    def change(signed: Signed) -> None:
        place = signed.bundle
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return change


def repeated(*path, times):
    def change(signed: Signed) -> None:
        place = signed.bundle
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = place[path[-1]] * times
    return change


def forms() -> None:
    """Bundles that have not the form of one, and forms that programs write."""
    material, envelope = "verificationMaterial", "dsseEnvelope"
    stamps = (material, "timestampVerificationData", "rfc3161Timestamps")
    for name, change, options in [
            ("no type", dropped("mediaType"), {}),
            ("a later version", put("mediaType", value="application/vnd.dev.sigstore.bundle.v0.4+json"), {}),
            ("a type without a version", put("mediaType", value="application/vnd.dev.sigstore.bundle+json"), {}),
            ("two kinds of signers", put(material, "publicKey", value={"hint": "k"}), {}),
            ("no signer", dropped(material, "certificate"), {}),
            ("a certificate that is none", put(material, "certificate", "rawBytes", value=b64(b"x")), {}),
            ("nothing that is signed", dropped("messageSignature"), {}),
            ("two things that are signed", put(envelope, value={"payload": "", "payloadType": "", "signatures": []}), {}),
            ("two signatures in an envelope", repeated(envelope, "signatures", times=2), {"kind": "dsse"}),
            ("no signature in an envelope", put(envelope, "signatures", value=[]), {"kind": "dsse"}),
            ("an empty signature", put(envelope, "signatures", value=[{"sig": ""}]), {"kind": "dsse"}),
            ("a signature of 1025 bytes", put(envelope, "signatures", value=[{"sig": b64(b"x" * 1025)}]), {"kind": "dsse"}),
            ("a field that nobody knows", put("more", value=1), {}),
            ("a field of the material that nobody knows", put(material, "more", value=1), {}),
            ("33 entries", repeated(material, "tlogEntries", times=33), {}),
            ("33 timestamps", repeated(*stamps, times=33), {"stamp": True}),
            ("a place that is a number", put(material, "tlogEntries", 0, "logIndex", value=1003), {}),
            ("a size that no number holds", put(material, "tlogEntries", 0, "inclusionProof", "treeSize", value="9223372036854775808"), {}),
            ("base64 in lines", put(envelope, "payload", value="e30\n="), {"kind": "dsse"}),
            ("base64 that is cut off", put(envelope, "payload", value="e30"), {"kind": "dsse"})]:
        case(f"form: {name}", "keyless.bundle", changed(**options)(change))
    nine = [{"rawBytes": b64(der(SIGSTORE.ca))}] * 9

    def long_chain(signed: Signed) -> None:
        del signed.bundle[material]["certificate"]
        signed.bundle[material]["x509CertificateChain"] = {"certificates": nine}
    case("form: nine certificates in a chain", "keyless.bundle", changed()(long_chain))
    case("null for what is absent", "ok", changed()(put(material, "timestampVerificationData", value=None)))
    case("an object for timestamps, without any", "ok", changed()(put(material, "timestampVerificationData", value={})))
    case("an empty list of timestamps", "ok", changed()(put(material, "timestampVerificationData", value={"rfc3161Timestamps": []})))
    case("a name of the key beside the signature", "ok", changed(kind="dsse")(put(envelope, "signatures", 0, "keyid", value="k")))


def note(lines: list[str], *, more: str = "") -> str:
    """A note that the first log has signed."""
    text = "".join(f"{line}\n" for line in lines)
    identifier = hashlib.sha256(spki(SIGSTORE.log_key)).digest()
    return f"{text}\n\u2014 log.example.com {b64(identifier[:4] + sign(SIGSTORE.log_key, text.encode()))}\n{more}"


def trees() -> None:
    """Proofs and checkpoints that do not go together, and such as do."""
    def proof(change):
        def made(signed: Signed) -> None:
            change(signed.entry["inclusionProof"])
        return changed()(made)

    def noted(change):
        def made(found: dict) -> None:
            found["checkpoint"]["envelope"] = change("log.example.com - 1", found["rootHash"])
        return proof(made)
    for name, expected, change in [
            ("a hash too many", "log.proof", lambda found: found["hashes"].append(found["hashes"][0])),
            ("a hash too few", "log.proof", lambda found: found["hashes"].pop()),
            ("hashes in another order", "log.proof", lambda found: found["hashes"].reverse()),
            ("a hash of 31 bytes", "log.proof", lambda found: found["hashes"].__setitem__(0, b64(b"x" * 31))),
            ("a place behind the end", "log.proof", lambda found: found.update(logIndex="5")),
            ("a tree of nothing", "log.proof", lambda found: found.update(treeSize="0")),
            ("a tree of 2^63-1", "log.proof", lambda found: found.update(treeSize="9223372036854775807"))]:
        case(f"tree: {name}", expected, proof(change))
    stranger = f"\u2014 witness.example.com {b64(b'abcd' + b'x' * 64)}\n"
    identifier = hashlib.sha256(spki(SIGSTORE.log_key)).digest()
    forged = f"\u2014 log.example.com {b64(identifier[:4] + sign(SIGSTORE.log_key, b'other'))}\n"
    for name, expected, change in [
            ("more lines", "ok", lambda name, root: note([name, "5", root, "Timestamp: 1"])),
            ("a signature of somebody else, too", "ok", lambda name, root: note([name, "5", root], more=stranger)),
            ("a bad signature of the log, too", "log.signature", lambda name, root: note([name, "5", root], more=forged)),
            ("a size that begins with a zero", "log.note", lambda name, root: note([name, "05", root])),
            ("a size that is no number", "log.note", lambda name, root: note([name, "five", root])),
            ("a root that is no base64", "log.note", lambda name, root: note([name, "5", "root"])),
            ("two lines", "log.note", lambda name, root: note([name, "5"])),
            ("another root", "log.proof", lambda name, root: note([name, "5", b64(b"x" * 32)])),
            ("a later size", "log.proof", lambda name, root: note([name, "6", root]))]:
        case(f"checkpoint: {name}", expected, noted(change))


def bodies() -> None:
    """Entries whose bodies say something else, or nothing."""
    def by(body, kind="hashedrekord", version="0.0.1", second=False, **options):
        def change(signed: Signed) -> None:
            signed.bundle["verificationMaterial"]["tlogEntries"] = [
                SIGSTORE.entry(body(signed), kind, version, second=second)]
        return changed(**options)(change)

    def edited(change):
        def made(signed: Signed) -> dict:
            body = hashed(signed.signature, signed.certificate, signed.digest)
            change(body["spec"], signed)
            return body
        return made
    other = Signed()
    for name, body in [
            ("a text", lambda signed: "x"), ("an empty object", lambda signed: {}),
            ("no signature", edited(lambda spec, signed: spec.pop("signature"))),
            ("a digest by SHA-1", edited(lambda spec, signed: spec["data"].update(hash={"algorithm": "sha1", "value": "00" * 20}))),
            ("a digest in capital letters", edited(lambda spec, signed: spec["data"]["hash"].update(value=signed.digest.hex().upper()))),
            ("two certificates", edited(lambda spec, signed: spec["signature"]["publicKey"].update(content=b64(pem(signed.certificate) * 2)))),
            ("the key alone", edited(lambda spec, signed: spec["signature"]["publicKey"].update(content=b64(pem(signed.key))))),
            ("another certificate", edited(lambda spec, signed: spec["signature"]["publicKey"].update(content=b64(pem(other.certificate))))),
            ("another signature", edited(lambda spec, signed: spec["signature"].update(content=b64(other.signature))))]:
        case(f"body: {name}", "keyless.other-entry", by(body))
    case("body: of a statement, with bytes that are signed alone", "keyless.other-entry", by(
        lambda signed: dsse(signed.signature, signed.certificate, signed.payload), "dsse", "0.0.1"))
    case("body: of bytes, with a statement", "keyless.other-entry", by_statement())
    case("body: of a statement, with two signatures", "keyless.other-entry", by_statement(two=True))

    def elsewhere(signed: Signed) -> None:
        signed.entry["logIndex"] = "424242"
    case("second log: a place that its proof does not have", "keyless.other-entry", changed(log="second", stamp=True)(elsewhere))

    def unproven(signed: Signed) -> None:
        del signed.entry["inclusionPromise"]
        signed.entry["logIndex"] = "424242"
    case("first log: a place that nothing proves", "ok", changed(stamp=True)(unproven))
    case("body: of the second log, with another certificate", "keyless.other-entry", by(
        lambda signed: second(signed.signature, other.certificate, signed.digest), version="0.0.2", second=True, stamp=True))


def by_statement(two=False):
    def change(signed: Signed) -> None:
        if two:
            body = dsse(signed.signature, signed.certificate, signed.payload)
            body["spec"]["signatures"] *= 2
            entry = SIGSTORE.entry(body, "dsse", "0.0.1")
        else:
            digest = hashlib.sha256(pae(signed.payload)).digest()
            entry = SIGSTORE.entry(hashed(signed.signature, signed.certificate, digest), "hashedrekord", "0.0.1")
        signed.bundle["verificationMaterial"]["tlogEntries"] = [entry]
    return changed(kind="dsse")(change)


def names() -> None:
    """Whom certificates name, and what logs promise about them."""
    user = ObjectIdentifier(FULCIO + "7")
    case("a user's name", "ok", Signed(names=[x509.OtherName(user, utf8("ann!example"))]).bundle, identity="ann!example")
    case("a name of another kind, with the same text", "keyless.identity", Signed(
        names=[x509.OtherName(ObjectIdentifier("1.3.6.1.4.1.311.20.2.3"), utf8("ann@example.com"))]).bundle, identity="ann@example.com")
    case("another case of letters", "keyless.identity", Signed(identity=IDENTITY.replace("example", "Example")).bundle)
    case("a slash at the end", "keyless.identity", Signed(identity=IDENTITY + "/").bundle)
    case("an issuer with a slash at its end", "keyless.identity", Signed(issuer=ISSUER + "/").bundle)
    case("an issuer that is no text", "keyless.identity", Signed(raw_issuer=b"\x04\x01x").bundle)
    case("an issuer with a byte behind it", "keyless.identity", Signed(raw_issuer=utf8(ISSUER) + b"\0").bundle)
    case("an older extension that contradicts the newer", "ok", Signed(contradicts=True).bundle)
    case("a signer that is an authority", "chain.malformed", Signed(is_authority=True).bundle)
    case("a signer with RSA of 2048 bits", "ok", Signed("dsse", key=rsa.generate_private_key(65537, 2048)).bundle)
    case("two promises, of which one is by another key", "log.promise", Signed(sct="two, one by another key").bundle)
    case("a promise of a later version", "keyless.promise", Signed(sct="later version").bundle)
    case("a list of promises that is cut off", "log.promise", Signed(sct="cut off").bundle)


def more_times() -> None:
    def twice(signed: Signed) -> None:
        stamps = signed.bundle["verificationMaterial"]["timestampVerificationData"]["rfc3161Timestamps"]
        stamps.append({"signedTimestamp": b64(SIGSTORE.token(signed.signature))})
    case("two timestamps", "ok", changed(stamp=True)(twice))
    case("a timestamp before the certificate", "chain.not-yet-valid", Signed(
        log=None, stamp=True, start=NOW + datetime.timedelta(minutes=30), end=NOW + datetime.timedelta(minutes=40), sct=None).bundle, demands="github")
    case("a timestamp by the certificate of a signer", "timestamp.authority", changed(stamp=True)(own_token))
    case("a statement whose predicate is null", "ok", Signed("dsse", payload=statement(predicate=None)).bundle)
    case("a statement with a name twice", "keyless.subject", Signed("dsse", payload=statement()[:-1] + b', "predicate": {}}').bundle)


def fsverity(data: bytes) -> str:
    """The fs-verity digest of less than a block."""
    root = hashlib.sha256(data.ljust(4096, b"\0")).digest()
    descriptor = bytes([1, 1, 12, 0]) + bytes(4) + len(data).to_bytes(8, "little") + root.ljust(64, b"\0")
    return "sha256:" + hashlib.sha256(descriptor.ljust(256, b"\0")).hexdigest()


def statements() -> None:
    """What Signet reads itself: a file's statement, and a summary of its verification, by one identity."""
    subject = [{"digest": {"sha256": hashlib.sha256(ARTIFACT).hexdigest()}, "name": "tool"}]
    own = {
        "_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:signet:file:v1", "subject": subject,
        "predicate": {"fsverity": fsverity(ARTIFACT), "signedAt": "2026-01-01T00:00:00Z", "size": len(ARTIFACT)}}
    payload = json.dumps(own, separators=(",", ":"), sort_keys=True).encode()
    case("a file's statement of Signet", "ok", Signed("dsse", payload=payload).bundle)
    summary = statement(predicateType="https://slsa.dev/verification_summary/v1", predicate={
        "verifier": {"id": "urn:signet:gate"}, "timeVerified": "2026-01-01T00:00:00Z", "resourceUri": "urn:signet:artifact:tool",
        "policy": {"uri": "urn:signet:policy"}, "verificationResult": "PASSED", "verifiedLevels": ["SLSA_BUILD_LEVEL_1"]})
    case("a verification summary", "ok", Signed("dsse", payload=summary).bundle)
    case("a verification summary by somebody else", "ok", Signed(
        "dsse", payload=summary, names=[x509.RFC822Name("gate@example.com")]).bundle, identity="gate@example.com")


def own_token(signed: Signed) -> None:
    """A token by a clock that certifies itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "clock")])
    clock = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(77)
        .not_valid_before(START).not_valid_after(END)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), True).sign(key, hashes.SHA256()))
    token = SIGSTORE.token(signed.signature, key=key, certificate=clock)
    signed.bundle["verificationMaterial"]["timestampVerificationData"] = {"rfc3161Timestamps": [{"signedTimestamp": b64(token)}]}


def main() -> None:
    for make in (honest, signers, entries, windows, times, contents, forms, trees, bodies, names, more_times, statements):
        make()
    document = {
        "artifact": ARTIFACT.hex(), "identity": IDENTITY, "issuer": ISSUER, "now": int(NOW.timestamp()) + 600,
        "root": SIGSTORE.trusted_root(), "cases": CASES}
    (HERE / "cases.json").write_text(json.dumps(document, indent=0) + "\n")
    print(f"{len(CASES)} cases")


if __name__ == "__main__":
    main()
