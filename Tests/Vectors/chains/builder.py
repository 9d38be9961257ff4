"""Certificates and revocation lists, put together byte by byte, with every fault one may want."""

import functools
import hashlib
import pathlib
import subprocess
import tempfile

KEYS = pathlib.Path(__file__).resolve().parent / "keys"
TIME = "2026-11-21T00:00:00Z"

# DER (X.690) ---------------------------------------------------------------------------------------------------------


def tlv(tag, *parts):
    content = b"".join(parts)
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + content


def seq(*parts):
    return tlv(0x30, *parts)


def oid(text):
    first, second, *rest = map(int, text.split("."))
    out = b""
    for part in [first * 40 + second, *rest]:
        piece = [part & 0x7F]
        while part := part >> 7:
            piece.insert(0, 0x80 | part & 0x7F)
        out += bytes(piece)
    return tlv(6, out)


def integer(value):
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def bits(content, unused=0):
    return tlv(3, bytes([unused]), content)


def time(text):
    """UTCTime from 1950 through 2049, GeneralizedTime otherwise: 2026-11-21T00:00:00Z or a prepared element."""
    if isinstance(text, bytes):
        return text
    digits = "".join(c for c in text if c.isdigit()) + "Z"
    return tlv(0x17, digits[2:].encode()) if "1950" <= digits[:4] < "2050" else tlv(0x18, digits.encode())


TYPES = {"CN": "2.5.4.3", "C": "2.5.4.6", "O": "2.5.4.10", "OU": "2.5.4.11"}


def name(text, tag=0x0C):
    """CN=Leaf,O=Signet in the order of the DER; an empty text is the empty name."""
    parts = [part.split("=", 1) for part in text.split(",") if part]
    return seq(*(tlv(0x31, seq(oid(TYPES[kind]), tlv(0x13 if kind == "C" else tag, value.encode())))
                 for kind, value in parts))


# Extensions (RFC 5280, section 4.2) ----------------------------------------------------------------------------------


def extension(identifier, value, critical=False):
    return seq(oid(identifier), tlv(1, b"\xff") if critical else b"", tlv(4, value))


def basic(ca=True, length=None, critical=True):
    return extension("2.5.29.19", seq(tlv(1, b"\xff") if ca else b"", b"" if length is None else integer(length)), critical)


USAGES = ["digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
          "cRLSign", "encipherOnly"]


def usage(*names, critical=True):
    value = sum(0x80 >> USAGES.index(each) for each in names)
    unused = (value & -value).bit_length() - 1 if value else 0
    return extension("2.5.29.15", bits(bytes([value]) if value else b"", unused), critical)


CODE, SERVER, ANY = "1.3.6.1.5.5.7.3.3", "1.3.6.1.5.5.7.3.1", "2.5.29.37.0"


def purposes(*identifiers, critical=False):
    return extension("2.5.29.37", seq(*map(oid, identifiers)), critical)


def uri(text):
    return tlv(0x86, text.encode())


def dns(text):
    return tlv(0x82, text.encode())


def email(text):
    return tlv(0x81, text.encode())


def directory(text):
    return tlv(0xA4, name(text))


def alternative(*names, critical=False):
    return extension("2.5.29.17", seq(*names), critical)


def constraints(permitted=(), excluded=(), critical=True, extra=b""):
    trees = [tlv(0xA0 | number, *(seq(base, extra) for base in bases))
             for number, bases in enumerate([permitted, excluded]) if bases]
    return extension("2.5.29.30", seq(*trees), critical)


# Keys ----------------------------------------------------------------------------------------------------------------

MAKE = {
    **{each: ["-algorithm", "ED25519"] for each in
       ["root", "other-root", "inter", "inter2", "leaf", "stranger", "list-signer", "a", "b", "c", "d", "e", "f"]},
    "rsa1024": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
    "rsa2048": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
    "rsa3072": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072"],
    "rsa-e3": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-pkeyopt", "rsa_keygen_pubexp:3"],
    "p256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    "p521": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"],
    "secp256k1": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
}


def key_path(key):
    path = KEYS / f"insecure-{key}.pem"
    if not path.exists():
        KEYS.mkdir(exist_ok=True)
        subprocess.run(["openssl", "genpkey", *MAKE[key], "-out", path], check=True, stderr=subprocess.DEVNULL)
    return path


@functools.cache
def public(key):
    return subprocess.check_output(["openssl", "pkey", "-in", key_path(key), "-pubout", "-outform", "DER"])


def key_identifier(key):
    return hashlib.sha1(public(key)).digest()


# Signature algorithms: the AlgorithmIdentifier and what openssl is told.
NULL = tlv(5)
ALGORITHMS = {
    "ed25519": (seq(oid("1.3.101.112")), ["-rawin"]),
    "sha256": (seq(oid("1.2.840.113549.1.1.11"), NULL), ["-rawin", "-digest", "sha256"]),
    "sha384": (seq(oid("1.2.840.113549.1.1.12"), NULL), ["-rawin", "-digest", "sha384"]),
    "sha512": (seq(oid("1.2.840.113549.1.1.13"), NULL), ["-rawin", "-digest", "sha512"]),
    "sha224": (seq(oid("1.2.840.113549.1.1.14"), NULL), ["-rawin", "-digest", "sha224"]),
    "sha1": (seq(oid("1.2.840.113549.1.1.5"), NULL), ["-rawin", "-digest", "sha1"]),
    "md5": (seq(oid("1.2.840.113549.1.1.4"), NULL), ["-rawin", "-digest", "md5"]),
}


def signature(key, algorithm, message):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "message")
        path.write_bytes(message)
        return subprocess.check_output(
            ["openssl", "pkeyutl", "-sign", *ALGORITHMS[algorithm][1], "-in", path, "-inkey", key_path(key)])


def default_algorithm(key):
    return "sha256" if key.startswith("rsa") else "ed25519"


# Certificates and lists ----------------------------------------------------------------------------------------------


def certificate(subject, key, issuer, signer, extensions, *, serial=0x1001, version=2, begin="2025-01-01T00:00:00Z",
                end="2035-01-01T00:00:00Z", algorithm=None, inside=None, own=True, authority=True, extra=b"",
                spoil=False):
    """The certificate of `subject`'s `key`, made by `issuer` with `signer`'s key.

    own, authority: whether the two key identifiers are added; bytes are taken for the extension. inside: another
    AlgorithmIdentifier in the signed part. extra: elements between key and extensions. spoil: turn a bit of the signature.
    """
    algorithm = algorithm or default_algorithm(signer)
    outside = ALGORITHMS[algorithm][0]
    extensions = list(extensions)
    if own:
        extensions.append(own if isinstance(own, bytes) else extension("2.5.29.14", tlv(4, key_identifier(key))))
    if authority:
        extensions.append(authority if isinstance(authority, bytes)
                          else extension("2.5.29.35", seq(tlv(0x80, key_identifier(signer)))))
    number = serial if isinstance(serial, bytes) else integer(serial)
    body = seq(
        tlv(0xA0, integer(version)) if version else b"", number, inside or outside,
        issuer if isinstance(issuer, bytes) else name(issuer), seq(time(begin), time(end)),
        subject if isinstance(subject, bytes) else name(subject), public(key), extra,
        tlv(0xA3, seq(*extensions)) if version == 2 and extensions else b"")
    value = bytearray(signature(signer, algorithm, body))
    if spoil:
        value[10] ^= 1
    return seq(body, outside, bits(bytes(value)))


CA_USAGE = usage("keyCertSign", "cRLSign")


def ca(subject, key, issuer, signer, *more, length=None, constraint=None, key_usage=CA_USAGE, base=None, **rest):
    extensions = [base if base is not None else basic(length=length), key_usage, *more]
    if constraint:
        extensions.append(constraint)
    return certificate(subject, key, issuer, signer, [each for each in extensions if each], **rest)


ROOT, INTER, INTER2, LEAF = "CN=Test Root,O=Signet", "CN=Test Intermediate,O=Signet", "CN=Second,O=Signet", "CN=Leaf,O=Signet"
SIGNING = usage("digitalSignature")


def leaf(*more, key="leaf", issuer=INTER, signer="inter", subject=LEAF, key_usage=SIGNING, eku=purposes(CODE), **rest):
    return certificate(subject, key, issuer, signer, [each for each in [key_usage, eku, *more] if each], **rest)


def root(key="root", subject=ROOT, **rest):
    return ca(subject, key, subject, key, authority=rest.pop("authority", False), **rest)


def inter(*more, **rest):
    rest.setdefault("serial", 0x2001)
    return ca(rest.pop("subject", INTER), rest.pop("key", "inter"), rest.pop("issuer", ROOT), rest.pop("signer", "root"),
              *more, **rest)


KEY_COMPROMISE, HOLD, REMOVE = 1, 6, 8


def entry(serial, date, reason=None, *more, repeat=1):
    extensions = list(more)
    if reason is not None:
        extensions.append(extension("2.5.29.21", tlv(10, bytes([reason]))))
    return seq(integer(serial), time(date), seq(*extensions) if extensions else b"") * repeat


def point(full=None, reasons=None, issuer=None, relative=None):
    """A distribution point: its name, the content of its reasons' BIT STRING, who issues its lists."""
    named = tlv(0xA0, tlv(0xA0, directory(full))) if full else tlv(0xA0, tlv(0xA1, relative)) if relative else b""
    return seq(named, tlv(0x81, reasons) if reasons else b"", tlv(0xA2, directory(issuer)) if issuer else b"")


def points(*each):
    return extension("2.5.29.31", seq(*each))


def scope(full=None, *, holders=False, authorities=False, reasons=None, indirect=False, attributes=False, critical=True,
          relative=None, extra=b""):
    """The issuing distribution point of a list."""
    named = tlv(0xA0, tlv(0xA0, directory(full))) if full else tlv(0xA0, tlv(0xA1, relative)) if relative else b""
    flags = [tlv(0x80 | number, b"\xff") if flag else b"" for number, flag in [(1, holders), (2, authorities)]]
    some = tlv(0x83, reasons) if reasons else b""
    more = [tlv(0x80 | number, b"\xff") if flag else b"" for number, flag in [(4, indirect), (5, attributes)]]
    return extension("2.5.29.28", seq(named, *flags, some, *more, extra), critical)


def about(issuer, critical=True):
    """The certificate issuer of an entry."""
    return extension("2.5.29.29", seq(directory(issuer) if isinstance(issuer, str) else issuer), critical)


def delta(base, critical=True):
    return extension("2.5.29.27", integer(base), critical)


def crl(entries=(), *more, issuer=INTER, signer="inter", made="2026-11-20T00:00:00Z", due="2026-12-20T00:00:00Z",
        algorithm=None, version=1, authority=True, spoil=False, number=7):
    algorithm = algorithm or default_algorithm(signer)
    extensions = list(more)
    if authority:
        extensions.append(extension("2.5.29.35", seq(tlv(0x80, key_identifier(signer)))))
    if number:
        extensions.append(extension("2.5.29.20", integer(number)))
    body = seq(
        integer(version) if version else b"", ALGORITHMS[algorithm][0], name(issuer), time(made),
        time(due) if due else b"", seq(*entries) if entries else b"",
        tlv(0xA0, seq(*extensions)) if version and extensions else b"")
    value = bytearray(signature(signer, algorithm, body))
    if spoil:
        value[10] ^= 1
    return seq(body, ALGORITHMS[algorithm][0], bits(bytes(value)))
