"""The kinds of key Signet knows, and what others call them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KeyType:
    name: str
    """Behind `signet keygen --type`."""
    genpkey: tuple[str, ...]
    """Behind `openssl genpkey`."""
    digest: str | None
    """The hash function inside the signature; None for Ed25519, which takes the message whole."""
    scheme: str
    """What securesystemslib calls the way the key signs."""
    traditional_label: str | None = None
    """The PEM label of the private key's format from before PKCS#8; Ed25519 came later."""
    curve: str | None = None
    """Behind `openssl ecparam -name`."""


def _rsa(bits: int) -> KeyType:
    genpkey = ("-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}")
    return KeyType(f"rsa{bits}", genpkey, "sha256", "rsa-pkcs1v15-sha256", "RSA PRIVATE KEY")


def _ec(name: str, digest: str, scheme: str, curve: str) -> KeyType:
    genpkey = ("-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}")
    return KeyType(name, genpkey, digest, scheme, "EC PRIVATE KEY", curve)


ED25519 = KeyType("ed25519", ("-algorithm", "ED25519"), None, "ed25519")
P256 = _ec("p256", "sha256", "ecdsa-sha2-nistp256", "prime256v1")
P384 = _ec("p384", "sha384", "ecdsa-sha2-nistp384", "secp384r1")
KEY_TYPES = [ED25519, _rsa(3072), _rsa(4096), P256, P384]
