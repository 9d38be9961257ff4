"""What others say about signatures by identities, and models that they sign; run with what keyless_requirements.txt names.

keyless_readers.py vectors CASES              which cases PyPI's sigstore accepts, one name a line
keyless_readers.py public FOLDER              whether sigstore accepts public files, one name a line
keyless_readers.py pypi FOLDER                whether pypi-attestations accepts the index's answer
keyless_readers.py sign MODEL SIGNATURE HOW…  signs a model: key PRIVATE, shards PRIVATE, certificate PRIVATE LEAF AUTHORITY
keyless_readers.py read MODEL SIGNATURE PUBLIC
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
    {"vectors": vectors, "public": public, "pypi": pypi, "sign": sign, "read": read}[sys.argv[1]](*sys.argv[2:])
