"""DSSE envelopes (DSSE v1.0, protocol.md), without Signet's code."""

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def pre_authentication_encoding(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """PAE: the bytes a signature is over."""
    parts = [b"DSSEv1"]
    for part in (payload_type.encode(), payload):
        parts += [str(len(part)).encode(), part]
    return b" ".join(parts)
