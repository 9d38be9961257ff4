"""Sigstore bundles (sigstore_bundle.proto, version 0.3) as JSON, without Signet's code."""

import base64
import json
from dataclasses import dataclass
from pathlib import Path

from envelope import PAYLOAD_TYPE

MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json"


@dataclass(frozen=True)
class Content:
    """What a bundle carries."""

    payload: bytes
    signature: bytes
    key_id: str


def unwrap(path: Path) -> Content:
    envelope = json.loads(path.read_bytes())["dsseEnvelope"]
    (signature,) = envelope["signatures"]
    return Content(
        base64.b64decode(envelope["payload"], validate=True), base64.b64decode(signature["sig"], validate=True),
        signature["keyid"])


def wrap(content: Content) -> bytes:
    envelope = {
        "payload": base64.b64encode(content.payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"sig": base64.b64encode(content.signature).decode(), "keyid": content.key_id}],
    }
    return around(envelope, content.key_id)


def around(envelope: dict, hint: str) -> bytes:
    """The bundle of an envelope in its JSON form."""
    material = {"publicKey": {"hint": hint}, "tlogEntries": []}
    return json.dumps({"mediaType": MEDIA_TYPE, "verificationMaterial": material, "dsseEnvelope": envelope}).encode()


def beside(file: Path) -> Path:
    return file.with_name(file.name + ".sigstore.json")


def changed(content: bytes) -> list[bytes]:
    """The content with its first, its middle and its last byte changed, one at a time."""
    return [
        content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in (0, len(content) // 2, len(content) - 1)
    ]
