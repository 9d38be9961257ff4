"""The OpenSSH fingerprint of a public key, by ssh-keygen."""

import base64
import subprocess
from pathlib import Path

from checks import expect
from key_type import ED25519, KeyType
from openssl import OpenSSL

# SubjectPublicKeyInfo of Ed25519 up to the 32 bytes of the key (RFC 8410, section 4).
_ED25519_PREFIX = bytes.fromhex("302a300506032b6570032100")


def of(kind: KeyType, public: Path, openssl: OpenSSL) -> str:
    line = public.with_name(public.name + ".ssh")
    line.write_bytes(_ed25519_line(public, openssl) if kind == ED25519 else _keygen("-i", "-m", "PKCS8", "-f", public))
    # bits, fingerprint, comment, kind
    return _keygen("-l", "-E", "sha256", "-f", line).decode().split()[1]


def _ed25519_line(public: Path, openssl: OpenSSL) -> bytes:
    """ssh-keygen reads no Ed25519 key in PEM, so its line is put together here (RFC 8709, section 4)."""
    der = openssl.must("pkey", "-pubin", "-in", public, "-outform", "DER")
    expect("the public key's frame", der[:-32], _ED25519_PREFIX)
    wire = b"".join(len(part).to_bytes(4, "big") + part for part in (b"ssh-ed25519", der[-32:]))
    return b"ssh-ed25519 " + base64.b64encode(wire) + b"\n"


def _keygen(*arguments: str | Path) -> bytes:
    return subprocess.run(["ssh-keygen", *map(str, arguments)], capture_output=True, check=True, timeout=60).stdout
