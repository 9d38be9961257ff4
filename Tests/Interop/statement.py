"""in-toto statements about files, without Signet's code."""

import hashlib
import json
from datetime import datetime, timedelta, timezone

import fsverity
from checks import Mismatch, expect

FILE_TYPE = "urn:signet:file:v1"
PROVENANCE_TYPE = "https://slsa.dev/provenance/v1"
STATEMENT_V1 = "https://in-toto.io/Statement/v1"
STATEMENT_V01 = "https://in-toto.io/Statement/v0.1"
_TIME = "%Y-%m-%dT%H:%M:%SZ"


def canonical(value: object) -> bytes:
    """The one text Signet writes and accepts: compact, names sorted, nothing escaped that need not be."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def about_file(name: str, content: bytes) -> dict:
    """What Signet itself says about a file."""
    predicate = {
        "fsverity": fsverity.digest(content),
        "signedAt": datetime.now(timezone.utc).strftime(_TIME),
        "size": len(content),
    }
    return about(name, content, FILE_TYPE, predicate)


def expect_about_file(payload: bytes, name: str, content: bytes) -> None:
    """Raises unless the payload is, to the byte, what is to be said about the file, and said within the last hour."""
    found = json.loads(payload)
    signed_at = found["predicate"]["signedAt"]
    age = datetime.now(timezone.utc) - datetime.strptime(signed_at, _TIME).replace(tzinfo=timezone.utc)
    if not timedelta(minutes=-1) < age < timedelta(hours=1):
        raise Mismatch(f"signedAt is {signed_at}, {age} ago")
    expected = about_file(name, content)
    expected["predicate"]["signedAt"] = signed_at
    expect("the statement", found, expected)
    expect("the payload", payload, canonical(expected))


def about(name: str, content: bytes, predicate_type: str, predicate: dict, version: str = STATEMENT_V1) -> dict:
    subject = {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
    return {"subject": [subject], "predicateType": predicate_type, "predicate": predicate, "_type": version}


def provenance(name: str, content: bytes) -> bytes:
    """Somebody else's statement, in somebody else's spelling: indented, unsorted, escaped, with numbers Signet never
    writes."""
    predicate = {
        "runDetails": {"builder": {"id": "https://builder.example/1"}, "metadata": None},
        "buildDefinition": {
            "buildType": "https://builder.example/type/1",
            "externalParameters": {"name": "gr\u00fc\u00df", "weights": [1.5, -0.0, 1e3], "isRelease": True},
        },
    }
    return json.dumps(about(name, content, PROVENANCE_TYPE, predicate), indent=4).encode() + b"\n"
