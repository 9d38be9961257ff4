"""What `cosign verify-blob-attestation --key K --bundle B --type T --insecure-ignore-tlog NAME` demands

Read from the sources of cosign 3.1.2 and of what it builds on (sigstore-go, sigstore, go-securesystemslib,
protobuf-specs, protobuf-go, in-toto attestation, x/crypto, Go's own library), and written anew. Each demand names the
file and the function it is from. Versions before differ: see README.md.

Nothing is demanded of the subject's name, of `_type`, or of what the predicate says.
"""

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

import protojson
from envelope import PAYLOAD_TYPE, pre_authentication_encoding
from messages import BUNDLE, STATEMENT
from protojson import Unreadable


class Unmet(Exception):
    """A demand that is not met, and why."""


# sigstore pkg/signature/verifier.go, LoadVerifierWithOpts.
KINDS = (rsa.RSAPublicKey, ec.EllipticCurvePublicKey, ed25519.Ed25519PublicKey)


@dataclass(frozen=True)
class Call:
    """A call of cosign."""

    bundle: bytes
    """The content of the file behind --bundle."""
    key: bytes
    """The content of the file behind --key."""
    type: str
    """--type"""
    artifact: Path
    """NAME"""
    digest: str = "sha256"
    """--signature-digest-algorithm: the hash function inside RSA and ECDSA signatures, whatever the key."""

    @property
    def envelope(self) -> dict:
        return _present(self.message, "dsseEnvelope")

    @property
    def message(self) -> dict:
        return protojson.read(self.bundle, BUNDLE)

    @property
    def payload(self) -> bytes:
        return _present(self.envelope, "payload")

    @property
    def signature(self) -> dict:
        return _only(self.envelope.get("signatures", []))

    @property
    def statement(self) -> dict:
        return protojson.read(self.payload, STATEMENT)

    @property
    def public_key(self) -> object:
        try:
            return serialization.load_pem_public_key(self.key)
        except ValueError as error:
            raise Unmet(f"the key cannot be read: {error}") from error


def bundle_is_read(call: Call) -> None:
    # sigstore-go pkg/bundle/bundle.go, Bundle.UnmarshalJSON: protojson without DiscardUnknown.
    _ = call.message


def media_type(call: Call) -> None:
    # sigstore-go pkg/bundle/bundle.go, getBundleVersion: the spellings it knows. Bundle.validate refuses 0.4 and
    # above.
    base = "application/vnd.dev.sigstore.bundle"
    known = [f"{base}{form}" for minor in (1, 2, 3) for form in (f"+json;version=0.{minor}", f".v0.{minor}+json")]
    if call.message.get("mediaType") not in known:
        raise Unmet(f"the media type is {call.message.get('mediaType')!r}")


def log_entries(call: Call) -> None:
    # sigstore-go pkg/bundle/bundle.go, TlogEntries and Bundle.validate: they are read and need an inclusion proof even
    # when the log is ignored. Signet writes none, so it is enough to make sure of that.
    if call.message.get("verificationMaterial", {}).get("tlogEntries"):
        raise Unmet("there are log entries")


def content(call: Call) -> None:
    # sigstore-go pkg/bundle/bundle.go, validateBundle and parseEnvelope; cosign
    # cmd/cosign/cli/verify/verify_blob_attestation.go, Exec: an envelope, with a payload.
    _ = call.payload


def material(call: Call) -> None:
    # sigstore-go pkg/bundle/bundle.go, validateBundle: there is some. pkg/verify/signed_entity.go, Verify, with the
    # WithKey that cosign's pkg/cosign/verify.go, verificationOptions, adds for --key: it is no certificate. The hint
    # itself is not looked at: verificationOptions gives the same key for any.
    _present(_present(call.message, "verificationMaterial"), "publicKey")


def same_hint(call: Call) -> None:
    # protobuf-specs protos/sigstore_bundle.proto, Bundle: hint and keyid must be the same. cosign does not enforce it
    # (cmd/cosign/cli/bundle/inspect.go only points it out).
    hint = call.message.get("verificationMaterial", {}).get("publicKey", {}).get("hint", "")
    if hint != call.signature.get("keyid", ""):
        raise Unmet(f"the hint is {hint!r}, the keyid {call.signature.get('keyid')!r}")


def key_file(call: Call) -> None:
    # cosign pkg/signature/keys.go, VerifierForKeyRef; sigstore pkg/cryptoutils/publickey.go, UnmarshalPEMToPublicKey:
    # PEM under one of two labels, and the first block counts.
    labels = [line.strip() for line in call.key.splitlines() if line.startswith(b"-----BEGIN ")]
    if not labels or labels[0] not in (b"-----BEGIN PUBLIC KEY-----", b"-----BEGIN RSA PUBLIC KEY-----"):
        raise Unmet(f"the key file's first block is {labels[:1]}")
    key = call.public_key
    if not isinstance(key, KINDS):
        raise Unmet(f"the key is of the kind {type(key).__name__}")
    if isinstance(key, rsa.RSAPublicKey):
        # Go crypto/rsa, checkPublicKeySize and crypto/internal/fips140/rsa, checkPublicKey.
        if key.key_size < 1024 or not 2 < key.public_numbers().e < 2**31:
            raise Unmet(f"the RSA key has {key.key_size} bits and the exponent {key.public_numbers().e}")


def one_signature(call: Call) -> None:
    # sigstore-go pkg/verify/signature.go, verifyEnvelope.
    _ = call.signature


def key_id(call: Call) -> None:
    # go-securesystemslib dsse/verify.go, EnvelopeVerifier.VerifyAndDecode: a keyid that is not empty must be the
    # verifier's own. Which has none: sigstore-go pkg/verify/signature.go, verifyEnvelope, makes sigstore's
    # pkg/signature/dsse/adapters.go, VerifierAdapter, without PubKeyID; so it is SHA256KeyID, the SSH fingerprint
    # (x/crypto ssh/keys.go, FingerprintSHA256).
    found = call.signature.get("keyid", "")
    if not isinstance(call.public_key, KINDS):
        return  # it has no fingerprint, and no keyid is refused then
    line = call.public_key.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    digest = hashlib.sha256(base64.b64decode(line.split()[1])).digest()
    expected = "SHA256:" + base64.b64encode(digest).decode().rstrip("=")
    if found not in ("", expected):
        raise Unmet(f"the keyid is {found!r}, expected none or {expected!r}")


def signature_holds(call: Call) -> None:
    # cosign cmd/cosign/cli/verify/verify_blob_attestation.go, Exec: SHA-256 unless told otherwise, and
    # cmd/cosign/cli/verify/common.go, LoadVerifierFromKeyOrCert, hands it on; so ECDSA over P-384 with SHA-384 needs
    # --signature-digest-algorithm. sigstore pkg/signature/verifier.go, LoadVerifierWithOpts: PKCS#1 v1.5 for RSA, pure
    # Ed25519. go-securesystemslib dsse/envelope.go, PAE. sigstore-go tries P-384 with both functions, but for
    # certificates only (pkg/verify/signature.go, compatSignatureVerifier).
    key, value = call.public_key, call.signature.get("sig", b"")
    message = pre_authentication_encoding(call.payload, call.envelope.get("payloadType", ""))
    function = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}[call.digest]
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(value, message, padding.PKCS1v15(), function)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(value, message, ec.ECDSA(function))
        else:
            key.verify(value, message)
    except InvalidSignature as error:
        raise Unmet("the signature does not hold") from error


def payload_type(call: Call) -> None:
    # sigstore-go pkg/bundle/signature_content.go, Envelope.Statement.
    if call.envelope.get("payloadType") != PAYLOAD_TYPE:
        raise Unmet(f"the payload type is {call.envelope.get('payloadType')!r}")


def statement_is_read(call: Call) -> None:
    # sigstore-go pkg/bundle/signature_content.go, Envelope.Statement: protojson again, so a statement may have no
    # fields but in-toto's, and a predicate must be an object.
    _ = call.statement


def subjects(call: Call) -> None:
    # sigstore-go pkg/verify/signature.go, verifyEnvelopeWithArtifacts, limitSubjects and getHashFunctions.
    found = _digests(call)
    if not 1 <= len(found) <= 1024 or any(len(digests) > 32 for digests in found):
        raise Unmet(f"there are {len(found)} subjects, with {[len(digests) for digests in found]} digests")
    if not any({"sha256", "sha384", "sha512"} & set(digests) for digests in found):
        raise Unmet(f"the subjects have only the digests {[sorted(digests) for digests in found]}")


def artifact_digest(call: Call) -> None:
    # sigstore-go pkg/verify/signature.go, verifyEnvelopeWithArtifacts and getHashFunctions: the strongest function that
    # is named decides (functions, if subjects differ in it, but Signet names one subject). Nobody compares the name.
    for function in ("sha512", "sha384", "sha256"):
        named = [digests[function] for digests in _digests(call) if function in digests]
        if named:
            found = hashlib.new(function, call.artifact.read_bytes()).digest()
            # hex.DecodeString takes capital letters too.
            if found not in [_hexadecimal(text) for text in named]:
                raise Unmet(f"no subject has the artifact's {function}")
            return
    raise Unmet("no subject has a digest")


def artifact_size(call: Call) -> None:
    # cosign internal/pkg/cosign/payload/size/size.go, CheckSize; COSIGN_MAX_ATTACHMENT_SIZE changes it.
    size = call.artifact.stat().st_size
    if size > 134_217_728:
        raise Unmet(f"the artifact has {size} bytes")


def predicate_type(call: Call) -> None:
    # cosign pkg/policy/attestation.go, AttestationToPayloadJSON: --type is a short name of cosign's or the very URI.
    if not call.type or call.statement.get("predicateType") != call.type:
        raise Unmet(f"the predicate type is {call.statement.get('predicateType')!r}")


DEMANDS: list[Callable[[Call], None]] = [
    bundle_is_read, media_type, log_entries, content, material, same_hint, key_file, one_signature, key_id,
    signature_holds, payload_type, statement_is_read, subjects, artifact_digest, artifact_size, predicate_type,
]


def unmet(call: Call) -> dict[str, str]:
    """The names of the demands that are not met, and why."""
    found = {}
    for demand in DEMANDS:
        try:
            demand(call)
        except (Unmet, Unreadable) as error:
            found[demand.__name__] = str(error)
    return found


def _present(message: dict, name: str) -> object:
    if name not in message:
        raise Unmet(f"there is no {name}")
    return message[name]


def _only(signatures: list) -> dict:
    if len(signatures) != 1:
        raise Unmet(f"there are {len(signatures)} signatures")
    return signatures[0]


def _digests(call: Call) -> list[dict]:
    return [subject.get("digest", {}) for subject in call.statement.get("subject", [])]


def _hexadecimal(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
