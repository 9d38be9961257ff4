"""Signet and securesystemslib: DSSE envelopes in both directions

The library has every scheme Signet has, and takes any text for a keyid, although its documentation says hexadecimal.
What it lacks: it has no bundles, so they are put around its envelopes here; it knows nothing of statements, so it says
only that a signature holds; and its own choice for RSA is PSS, which Signet refuses: the scheme follows from the key,
and for RSA that is PKCS#1 v1.5. Its Ed25519ph has no counterpart.
"""

import json
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey

import bundle
import statement
from checks import Mismatch, expect
from envelope import PAYLOAD_TYPE
from key_type import KEY_TYPES, KeyType
from signet import Key
from workbench import Workbench


def run(bench: Workbench) -> None:
    for kind in KEY_TYPES:
        _signet_signs(bench, kind)
    for kind in KEY_TYPES:
        _library_signs(bench, kind)
    _rsa_pss(bench)


def _signet_signs(bench: Workbench, kind: KeyType) -> None:
    folder = bench.folder(f"library-verifies/{kind.name}")
    key = bench.signet.keygen(kind.name, folder / "key")
    signed = json.loads(bench.signet.sign(bench.file(folder), key.private).read_bytes())

    def envelope() -> Envelope:
        # from_dict takes its argument apart.
        return Envelope.from_dict(json.loads(json.dumps(signed["dsseEnvelope"])))

    with bench.checks.check(f"{kind.name}: securesystemslib verifies what signet signs"):
        accepted = envelope().verify([_library_key(kind, key)], 1)
        expect("the keys that count", list(accepted), [key.id])

    with bench.checks.check(f"{kind.name}: securesystemslib refuses it after a byte of the payload changed"):
        for payload in bundle.changed(envelope().payload):
            changed = envelope()
            changed.payload = payload
            _library_refuses(changed, _library_key(kind, key))


def _library_key(kind: KeyType, key: Key) -> SSlibKey:
    return SSlibKey.from_crypto(load_pem_public_key(key.public.read_bytes()), key.id, kind.scheme)


def _library_refuses(envelope: Envelope, key: SSlibKey) -> None:
    try:
        envelope.verify([key], 1)
    except VerificationError:
        return
    raise Mismatch("securesystemslib verifies the envelope")


def _library_signs(bench: Workbench, kind: KeyType) -> None:
    folder = bench.folder(f"library-signs/{kind.name}")
    signer = _signer(kind)
    public = _public(bench, signer, folder / "key")
    file = bench.file(folder)
    content = file.read_bytes()
    beside = bundle.beside(file)
    provenance = ["--type", statement.PROVENANCE_TYPE]

    with bench.checks.check(f"{kind.name}: signet verifies Signet's statement signed by securesystemslib"):
        beside.write_bytes(_wrapped(signer, statement.canonical(statement.about_file(file.name, content))))
        bench.signet.accepts(file, public)

    beside.write_bytes(_wrapped(signer, statement.provenance(file.name, content)))
    with bench.checks.check(f"{kind.name}: signet verifies a provenance statement signed by securesystemslib"):
        found = bench.signet.accepts(file, public, *provenance)
        expect("the type", found["signatures"][0]["predicateType"], statement.PROVENANCE_TYPE)

    with bench.checks.check(f"{kind.name}: signet refuses that type where nobody asked for it"):
        bench.signet.refuses("statement.predicate-type", file, public)

    with bench.checks.check(f"{kind.name}: signet refuses it after a byte of the file or of the payload changed"):
        for damaged in bundle.changed(content):
            file.write_bytes(damaged)
            bench.signet.refuses("digest.mismatch", file, public, *provenance)
        file.write_bytes(content)
        signed = bundle.unwrap(beside)
        for payload in bundle.changed(signed.payload):
            beside.write_bytes(bundle.wrap(bundle.Content(payload, signed.signature, signed.key_id)))
            # The keyid is not one of Signet's, so it names nobody, and what does not hold is a stranger's.
            bench.signet.refuses("signer.untrusted", file, public, *provenance)


def _rsa_pss(bench: Workbench) -> None:
    folder = bench.folder("library-signs/pss")
    with bench.checks.check("rsa3072: signet refuses RSA-PSS by a key it trusts"):
        signer = CryptoSigner.generate_rsa()
        expect("the library's own choice", signer.public_key.scheme, "rsassa-pss-sha256")
        file = bench.file(folder)
        payload = statement.canonical(statement.about_file(file.name, file.read_bytes()))
        bundle.beside(file).write_bytes(_wrapped(signer, payload))
        bench.signet.refuses("signer.untrusted", file, _public(bench, signer, folder / "key"))


def _signer(kind: KeyType) -> CryptoSigner:
    if kind.name.startswith("rsa"):
        return CryptoSigner.generate_rsa(scheme=kind.scheme, size=int(kind.name.removeprefix("rsa")))
    if kind.curve:
        return CryptoSigner.generate_ecdsa(scheme=kind.scheme)
    return CryptoSigner.generate_ed25519()


def _public(bench: Workbench, signer: CryptoSigner, private: Path) -> Path:
    private.write_bytes(signer.private_bytes)
    return bench.openssl.publish(private)


def _wrapped(signer: CryptoSigner, payload: bytes) -> bytes:
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    signature = envelope.sign(signer)
    return bundle.around(envelope.to_dict(), signature.keyid)
