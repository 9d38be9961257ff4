"""What others say about signatures by identities, and models that they sign; run with what keyless_requirements.txt names.

keyless_readers.py vectors CASES              which cases PyPI's sigstore accepts, one name a line
keyless_readers.py public FOLDER              whether sigstore accepts public files, one name a line
keyless_readers.py pypi FOLDER                whether pypi-attestations accepts the index's answer
keyless_readers.py sign MODEL SIGNATURE HOW…  signs a model: key PRIVATE, shards PRIVATE, certificate PRIVATE LEAF AUTHORITY
keyless_readers.py read MODEL SIGNATURE PUBLIC
keyless_readers.py authority FOLDER           verifies what Signet's authority made, and prints the serials of its list
keyless_readers.py token BUNDLE AUTHORITY     verifies a bundle's timestamp, and prints who has made it
"""

import hashlib
import json
import logging
import sys
import tempfile
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def vectors(path: str) -> None:
    from sigstore.models import Bundle, TrustedRoot
    from sigstore.verify import Verifier, policy

    document = json.loads(Path(path).read_text())
    artifact = bytes.fromhex(document["artifact"])
    for case in document["cases"]:
        if "key" in case:
            continue  # it verifies no keys
        issuer = case["issuer"] if "issuer" in case else document["issuer"]
        demanded = [policy.Identity(identity=case.get("identity", document["identity"]), issuer=None)]
        if issuer is not None:
            demanded.append(policy.OIDCIssuerV2(issuer))
        try:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(case.get("root", document["root"]), file)
                file.flush()
                verifier = Verifier(trusted_root=TrustedRoot.from_file(file.name))
            bundle = Bundle.from_json(json.dumps(case["bundle"]))
            if bundle._dsse_envelope is None:
                verifier.verify_artifact(artifact, bundle, policy.AllOf(demanded))
            else:
                _, payload = verifier.verify_dsse(bundle, policy.AllOf(demanded))
                digest = hashlib.sha256(artifact).hexdigest()
                if not any(subject["digest"].get("sha256") == digest for subject in json.loads(payload)["subject"]):
                    continue
        except Exception:
            continue
        print(case["name"])


def authority(folder: str) -> None:
    from cryptography import x509

    place = Path(folder)
    root, team, holder = (
        x509.load_pem_x509_certificate((place / name).read_bytes()) for name in ("root/ca.pem", "team/ca.pem", "holder.pem"))
    root.verify_directly_issued_by(root)
    team.verify_directly_issued_by(root)
    holder.verify_directly_issued_by(team)
    request = x509.load_pem_x509_csr((place / "holder.csr").read_bytes())
    assert request.is_signature_valid and request.subject == holder.subject
    kind = x509.SubjectAlternativeName
    names = [certificate.extensions.get_extension_for_class(kind).value for certificate in (request, holder)]
    assert names[0] == names[1] and len(list(names[0])) == 2
    usage = holder.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert [purpose.dotted_string for purpose in usage] == ["1.3.6.1.5.5.7.3.3"]
    assert team.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length == 0
    revoked = x509.load_pem_x509_crl((place / "team/crl.pem").read_bytes())
    assert revoked.is_signature_valid(team.public_key()) and revoked.issuer == team.subject
    for entry in revoked:
        assert entry.extensions.get_extension_for_class(x509.CRLReason).value.reason == x509.ReasonFlags.key_compromise
        assert entry.extensions.get_extension_for_class(x509.InvalidityDate).value.invalidity_date_utc.year == 2026
        print(f"{entry.serial_number:x}".zfill(32))


def answers(folder: str) -> None:
    """OCSP responses about the holder's certificate, by the authority's key and by one that it has certified for this."""
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519
    from cryptography.x509 import ocsp

    place = Path(folder)
    team, holder = (x509.load_pem_x509_certificate((place / name).read_bytes()) for name in ("team/ca.pem", "holder.pem"))
    key = serialization.load_pem_private_key((place / "team/ca.key").read_bytes(), None)
    own = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    week = now + datetime.timedelta(days=7)

    def digest(signer: object) -> hashes.HashAlgorithm | None:
        return None if isinstance(signer, ed25519.Ed25519PrivateKey) else hashes.SHA256()

    def certified(purpose: x509.ObjectIdentifier) -> x509.Certificate:
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Responder")])
        usage = x509.KeyUsage(True, *(False for _ in range(8)))
        return (
            x509.CertificateBuilder().subject_name(name).issuer_name(team.subject).public_key(own.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(week).add_extension(x509.ExtendedKeyUsage([purpose]), False)
            .add_extension(x509.OCSPNoCheck(), False).add_extension(usage, True)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(
                team.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value), False)
            .sign(key, digest(key)))

    delegate, other = certified(x509.ExtendedKeyUsageOID.OCSP_SIGNING), certified(x509.ExtendedKeyUsageOID.CODE_SIGNING)
    encodings = ocsp.OCSPResponderEncoding
    cases = [
        (f"{'own' if signer is key else 'delegated'}-{algorithm.name}-{encoding.name.lower()}", signer, certificate, algorithm, encoding, False)
        for signer, certificate in ((key, team), (own, delegate))
        for algorithm in (hashes.SHA1(), hashes.SHA256()) for encoding in (encodings.NAME, encodings.HASH)]
    cases += [("revoked", own, delegate, hashes.SHA1(), encodings.HASH, True), ("other", own, other, hashes.SHA1(), encodings.HASH, False)]
    for name, signer, certificate, algorithm, encoding, is_revoked in cases:
        builder = ocsp.OCSPResponseBuilder().add_response(
            cert=holder, issuer=team, algorithm=algorithm,
            cert_status=ocsp.OCSPCertStatus.REVOKED if is_revoked else ocsp.OCSPCertStatus.GOOD, this_update=now,
            next_update=week, revocation_time=now - datetime.timedelta(hours=1) if is_revoked else None,
            revocation_reason=x509.ReasonFlags.superseded if is_revoked else None).responder_id(encoding, certificate)
        if signer is own:
            builder = builder.certificates([certificate])
        response = builder.sign(signer, digest(signer))
        (place / f"{name}.ors").write_bytes(response.public_bytes(serialization.Encoding.DER))
        print(name)


def token(bundle: str, authority: str) -> None:
    import base64

    from cryptography import x509
    from rfc3161_client import VerifierBuilder, decode_timestamp_response

    document = json.loads(Path(bundle).read_text())
    signature = base64.b64decode(document["dsseEnvelope"]["signatures"][0]["sig"])
    stamps = document["verificationMaterial"]["timestampVerificationData"]["rfc3161Timestamps"]
    root = x509.load_pem_x509_certificate(Path(authority).read_bytes())
    verifier = VerifierBuilder().add_root_certificate(root).build()
    for stamp in stamps:
        answer = decode_timestamp_response(base64.b64decode(stamp["signedTimestamp"]))
        assert verifier.verify_message(answer, signature)
        for certificate in answer.signed_data.certificates:
            print(x509.load_der_x509_certificate(bytes(certificate)).subject.rfc4514_string())


def public(folder: str) -> None:
    from sigstore.models import Bundle, ClientTrustConfig
    from sigstore.verify import Verifier, policy

    verifier = Verifier(trusted_root=ClientTrustConfig.production(offline=True).trusted_root)
    for name in ("cosign.txt",):
        bundle = Bundle.from_json((Path(folder) / "cosign.sigstore.json").read_text())
        verifier.verify_artifact((Path(folder) / name).read_bytes(), bundle, policy.UnsafeNoOp())
        print(name)


def pypi(folder: str) -> None:
    from pypi_attestations import Distribution, Provenance

    provenance = Provenance.model_validate_json((Path(folder) / "pypi.provenance").read_text())
    with tempfile.TemporaryDirectory() as place:
        # It reads name and version from the file's name.
        file = Path(place) / "pypi_attestations-0.0.19.tar.gz"
        file.write_bytes((Path(folder) / "pypi.tar.gz").read_bytes())
        for bundle in provenance.attestation_bundles:
            for attestation in bundle.attestations:
                attestation.verify(bundle.publisher, Distribution.from_file(file), offline=True)
                print(file.name)


def sign(model: str, signature: str, how: str, private: str, leaf: str = "", authority: str = "") -> None:
    from model_signing import hashing, signing

    config = signing.Config()
    if how == "certificate":
        config.use_certificate_signer(
            private_key=Path(private), signing_certificate=Path(leaf), certificate_chain=[Path(authority)])
    else:
        config.use_elliptic_key_signer(private_key=Path(private))
    if how == "shards":
        config.set_hashing_config(hashing.Config().use_shard_serialization(hashing_algorithm="sha256", shard_size=1000))
    config.sign(model, signature)


def read(model: str, signature: str, key: str) -> None:
    from model_signing import verifying

    verifying.Config().use_elliptic_key_verifier(public_key=Path(key)).verify(model, signature)


if __name__ == "__main__":
    readers = {
        "vectors": vectors, "public": public, "pypi": pypi, "sign": sign, "read": read, "authority": authority, "token": token,
        "answers": answers}
    readers[sys.argv[1]](*sys.argv[2:])
