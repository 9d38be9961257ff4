"""Signet and sigstore-protobuf-specs: bundles in both directions

The library is generated from the definition of the bundle. It reads leniently, so a bundle is also written back by it
and compared: a field it does not know would be missing then.
"""

import base64
import hashlib
import json
from pathlib import Path

from sigstore_protobuf_specs.dev.sigstore.bundle.v1 import Bundle, TimestampVerificationData, VerificationMaterial
from sigstore_protobuf_specs.dev.sigstore.common.v1 import (
    HashAlgorithm, HashOutput, LogId, MessageSignature, PublicKeyIdentifier, Rfc3161SignedTimestamp)
from sigstore_protobuf_specs.dev.sigstore.rekor.v1 import (
    Checkpoint, InclusionPromise, InclusionProof, KindVersion, TransparencyLogEntry)
from sigstore_protobuf_specs.io.intoto import Envelope, Signature

import bundle
import fingerprint
import statement
from bundle import MEDIA_TYPE
from checks import expect
from envelope import PAYLOAD_TYPE, pre_authentication_encoding
from key_type import ED25519, KEY_TYPES, KeyType
from workbench import Workbench

OLDER_MEDIA_TYPES = [f"application/vnd.dev.sigstore.bundle+json;version=0.{minor}" for minor in (1, 2, 3)]
COSIGN_TYPE = "https://cosign.sigstore.dev/attestation/v1"


def run(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        _signet_writes(bench, kind)
    signed = Signed(bench)
    for media_type in [MEDIA_TYPE, *OLDER_MEDIA_TYPES]:
        with bench.checks.check(f"signet verifies a bundle the library writes: {media_type}"):
            signed.accepts(signed.bundle(media_type))
    _extras(bench, signed)
    _like_cosign(bench, signed)
    _refusals(bench, signed)


def _signet_writes(bench: Workbench, kind: KeyType) -> None:
    folder = bench.folder(f"library-reads/{kind.name}")
    key = bench.signet.keygen(kind.name, folder / "key")
    file = bench.file(folder)
    document = json.loads(bench.signet.sign(file, key.private).read_bytes())
    read = Bundle.from_dict(document)

    with bench.checks.check(f"{kind.name}: the library reads a bundle of signet's, and what it must say is there"):
        expect("mediaType", read.media_type, MEDIA_TYPE)
        expect("publicKey.hint", read.verification_material.public_key.hint, key.id)
        expect("tlogEntries", read.verification_material.tlog_entries, [])
        envelope = read.dsse_envelope
        expect("payloadType", envelope.payload_type, PAYLOAD_TYPE)
        expect("the keyids", [signature.keyid for signature in envelope.signatures], [key.id])
        statement.expect_about_file(envelope.payload, file.name, file.read_bytes())

    with bench.checks.check(f"{kind.name}: the library knows every field of the bundle"):
        # It leaves out what is empty.
        expect("tlogEntries", document["verificationMaterial"].pop("tlogEntries"), [])
        expect("the bundle as the library writes it", read.to_dict(), document)


class Signed:
    """A file with a statement that openssl signed, and the bundles the library makes of it."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._private = bench.folder("library-writes") / "key"
        self._public = bench.openssl.generate(ED25519, self._private)
        self.file = bench.file(self._private.parent)
        self.content = self.file.read_bytes()
        self.key_id = fingerprint.of(ED25519, self._public, bench.openssl)
        self.public_der = bench.openssl.publish(self._private, "DER").read_bytes()

    def bundle(self, media_type: str = MEDIA_TYPE) -> Bundle:
        payload = statement.canonical(statement.about_file(self.file.name, self.content))
        return Bundle(
            media_type=media_type,
            verification_material=VerificationMaterial(public_key=PublicKeyIdentifier(hint=self.key_id)),
            dsse_envelope=self.envelope(payload, self.key_id))

    def envelope(self, payload: bytes, key_id: str) -> Envelope:
        signature = self._bench.openssl.sign(ED25519, self._private, pre_authentication_encoding(payload))
        return Envelope(
            payload=payload, payload_type=PAYLOAD_TYPE, signatures=[Signature(sig=signature, keyid=key_id)])

    def accepts(self, made: Bundle, *options: str) -> dict:
        return self._bench.signet.accepts(self._written(made), self._public, *options)

    def refuses(self, code: str, made: Bundle) -> None:
        self._bench.signet.refuses(code, self._written(made), self._public)

    def _written(self, made: Bundle) -> Path:
        bundle.beside(self.file).write_text(made.to_json(indent=2))
        return self.file


def _extras(bench: Workbench, signed: Signed) -> None:
    with bench.checks.check("signet reads log entries and timestamps the library writes, and says it checks neither"):
        made = signed.bundle()
        proof = InclusionProof(
            log_index=2**53, root_hash=b"root", tree_size=2**53 + 1, hashes=[b"one", b"two"],
            checkpoint=Checkpoint(envelope="log\n1\n"))
        made.verification_material.tlog_entries = [
            TransparencyLogEntry(
                log_index=2**62, log_id=LogId(key_id=b"log"), kind_version=KindVersion(kind="dsse", version="0.0.1"),
                integrated_time=1_700_000_000, inclusion_promise=InclusionPromise(signed_entry_timestamp=b"promise"),
                inclusion_proof=proof, canonicalized_body=b"{}")]
        made.verification_material.timestamp_verification_data = TimestampVerificationData(
            rfc3161_timestamps=[Rfc3161SignedTimestamp(signed_timestamp=b"token")])
        steps = {check["step"]: check["outcome"] for check in signed.accepts(made)["checks"]}
        expect("the log entries' outcome", steps.get("transparency-log"), "skipped")
        expect("the timestamps' outcome", steps.get("timestamps"), "skipped")


def _like_cosign(bench: Workbench, signed: Signed) -> None:
    with bench.checks.check("signet verifies a bundle like those of cosign attest-blob: older statement, no keyid"):
        # cosign pkg/cosign/attestation/attestation.go, generateCustomStatement and generateCustomPredicate; sigstore-go
        # pkg/sign/content.go, DSSEData.Bundle; the hint is the base64 of the SHA-256 of the public key's DER.
        predicate = {"Data": "{}", "Timestamp": "2026-11-21T02:26:37Z"}
        said = statement.about(
            signed.file.name, signed.content, COSIGN_TYPE, predicate, version=statement.STATEMENT_V01)
        made = signed.bundle()
        made.verification_material.public_key.hint = base64.b64encode(
            hashlib.sha256(signed.public_der).digest()).decode()
        made.dsse_envelope = signed.envelope(json.dumps(said).encode(), "")
        signed.accepts(made, "--type", COSIGN_TYPE)


def _refusals(bench: Workbench, signed: Signed) -> None:
    with bench.checks.check("signet refuses a bundle with two signatures"):
        made = signed.bundle()
        made.dsse_envelope.signatures *= 2
        signed.refuses("envelope.signature-count", made)

    with bench.checks.check("signet refuses a bundle of a bare message signature, by its own code"):
        digest = HashOutput(
            algorithm=HashAlgorithm.SHA2_256, digest=hashlib.sha256(signed.content).digest())
        made = Bundle(
            media_type=MEDIA_TYPE,
            verification_material=VerificationMaterial(public_key=PublicKeyIdentifier(hint=signed.key_id)),
            message_signature=MessageSignature(message_digest=digest, signature=b"signature"))
        signed.refuses("bundle.message-signature", made)
