"""The forms in which the openssl program writes private keys."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checks import expect
from key_type import KeyType
from openssl import OpenSSL


@dataclass(frozen=True)
class KeyForm:
    name: str
    path: Path
    """The private key in this form."""
    public: Path
    """Its public half in PEM."""
    passphrase: Path | None = None
    """The file with the passphrase's line, for an encrypted one."""


def all_of(kind: KeyType, folder: Path, openssl: OpenSSL) -> Iterator[KeyForm]:
    key = folder / "key"
    public = openssl.generate(kind, key)
    passphrase = folder / "passphrase"
    passphrase.write_text("correct horse battery staple\n")
    encrypted = ("pkcs8", "-topk8", "-passout", f"file:{passphrase}", "-in", key)

    ways = [
        ("PKCS#8", "PRIVATE KEY", ("pkcs8", "-topk8", "-nocrypt", "-in", key), None),
        ("PKCS#8 encrypted with PBKDF2", "ENCRYPTED PRIVATE KEY", (*encrypted, "-v2", "aes-256-cbc"), passphrase),
        ("PKCS#8 encrypted with scrypt", "ENCRYPTED PRIVATE KEY", (*encrypted, "-scrypt"), passphrase),
    ]
    if kind.traditional_label:
        ways.append(("the traditional form", kind.traditional_label, ("pkey", "-traditional", "-in", key), None))
    for number, (name, label, command, secret) in enumerate(ways):
        pem = folder / f"{number}.pem"
        openssl.must(*command, "-out", pem)
        _expect_first_line(pem, label)
        yield KeyForm(f"{name} in PEM", pem, public, secret)
        # What stands in the PEM: pkey -outform DER would write PKCS#8 whatever it is told.
        der = folder / f"{number}.der"
        openssl.must("asn1parse", "-noout", "-in", pem, "-out", der)
        yield KeyForm(f"{name} in DER", der, public, secret)

    if kind.curve:
        # As many guides tell: a block with the curve's parameters comes before the key.
        other = folder / "ecparam.pem"
        openssl.must("ecparam", "-name", kind.curve, "-genkey", "-out", other)
        _expect_first_line(other, "EC PARAMETERS")
        yield KeyForm("the traditional form behind its parameters", other, openssl.publish(other))


def _expect_first_line(pem: Path, label: str) -> None:
    """Makes sure that openssl wrote the form it was asked for; it ignores some wishes."""
    expect(f"the first line of {pem.name}", pem.read_text().splitlines()[0], f"-----BEGIN {label}-----")
