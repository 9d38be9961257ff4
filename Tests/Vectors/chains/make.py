#!/usr/bin/env python3
"""Makes the list of chains anew: one fault a case.

Needs only python3 and the openssl program, which makes keys (once: they are kept in keys/) and signatures. The
certificates are put together in builder.py, byte by byte, because no tool makes broken ones.

  leaf.pem           the certificate that is asked about
  anchors.pem        whom the verifier trusts
  intermediates.pem  what may stand between (optional)
  crls.pem           revocation lists (optional)
  time               when (optional; TIME otherwise)
  expected           "verified" and how many certificates the path has, or the code of the refusal

Signing with Ed25519 and RSA is deterministic and the times are fixed, so running it again changes nothing.
"""

import base64
import pathlib
import sys

from builder import *  # noqa: F403: the cases read as sentences that way

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from vectors import Cases  # noqa: E402

# Cases ---------------------------------------------------------------------------------------------------------------

cases = Cases("chains")


def pem(label, items):
    lines = []
    for item in items:
        text = base64.b64encode(item).decode()
        lines += [f"-----BEGIN {label}-----", *(text[at:at + 64] for at in range(0, len(text), 64)), f"-----END {label}-----"]
    return "".join(line + "\n" for line in lines).encode()


def case(title, expected, why, leaf_certificate=None, *, inters=None, anchors=None, crls=(), at=None):
    inputs = {"leaf.pem": pem("CERTIFICATE", [leaf() if leaf_certificate is None else leaf_certificate])}
    inters = [inter()] if inters is None else inters
    if inters:
        inputs["intermediates.pem"] = pem("CERTIFICATE", inters)
    inputs["anchors.pem"] = pem("CERTIFICATE", [root()] if anchors is None else anchors)
    if crls:
        inputs["crls.pem"] = pem("X509 CRL", crls)
    if at:
        inputs["time"] = f"{at}\n".encode()
    cases.add(title, expected, why, inputs)


def link(subject, key, issuer, signer, **rest):
    rest.setdefault("serial", 0x3001)
    return ca(subject, key, issuer, signer, **rest)


def paths():
    case("verified", "verified 3", "leaf, intermediate, root")
    case("verified-direct", "verified 2", "issued by the root", leaf(issuer=ROOT, signer="root"), inters=[])
    case("verified-partial", "verified 2", "the anchor is the intermediate", inters=[], anchors=[inter()])
    case("verified-leaf-anchor", "verified 1", "the anchor is the leaf", inters=[], anchors=[leaf()])
    case("verified-self-signed", "verified 1", "a self-signed leaf is its own anchor",
         leaf(issuer=LEAF, signer="leaf"), inters=[], anchors=[leaf(issuer=LEAF, signer="leaf")])
    chain = [inter(length=1), ca(INTER2, "inter2", INTER, "inter", length=0, serial=0x2002)]
    case("verified-any-order", "verified 4", "intermediates in the wrong order, with others between",
         leaf(issuer=INTER2, signer="inter2"), inters=[chain[1], inter(key="stranger", subject="CN=Other"), chain[0]])
    case("verified-several-anchors", "verified 3", "the second anchor is the right one",
         anchors=[root("other-root", "CN=Other Root"), root()])
    case("verified-same-name-anchors", "verified 3", "two roots of one name; the key identifier tells them apart",
         anchors=[root("other-root"), root()])
    case("verified-superfluous-root", "verified 3", "the root came with the intermediates", inters=[root(), inter()])
    crossed = [inter(signer="other-root", issuer="CN=Other Root"), inter()]
    case("verified-cross-signed", "verified 3", "an intermediate that two roots have signed, the other one trusted",
         inters=list(reversed(crossed)), anchors=[root("other-root", "CN=Other Root")])
    case("verified-cross-signed-root", "verified 4", "the root is known only as signed by an older root",
         inters=[inter(), link(ROOT, "root", "CN=Other Root", "other-root")],
         anchors=[root("other-root", "CN=Other Root")])
    case("verified-cross-expired", "verified 3", "one of two ways has expired; the other holds",
         inters=[inter(end="2026-01-01T00:00:00Z"), inter(serial=0x2009)])
    case("verified-name-case", "verified 3", "names that differ in case, white space and string type are the same",
         leaf(issuer=name("CN=TEST  intermediate ,O=signet", 0x13)))
    case("verified-eight", "verified 9", "as many intermediates as a path may have", **long_chain(7))
    case("long", "chain.too-complex", "one intermediate more than a path may have", **long_chain(8))
    case("missing-intermediate", "chain.untrusted", "the intermediate is missing", inters=[])
    case("no-anchor", "chain.untrusted", "nobody is trusted", anchors=[root("other-root", "CN=Other Root")], inters=[])
    case("other-root", "chain.untrusted", "another root is trusted", anchors=[root("other-root", "CN=Other Root")])
    case("other-root-same-name", "chain.untrusted", "a root of the same name with another key",
         anchors=[root("other-root")])
    case("other-root-no-identifiers", "chain.malformed", "the intermediate does not say which key signed it",
         inters=[inter(authority=False)], anchors=[root("other-root")])
    case("forged-leaf", "chain.signature", "made by a stranger in the intermediate's name",
         leaf(signer="stranger", authority=extension("2.5.29.35", seq(tlv(0x80, key_identifier("inter"))))))
    case("spoilt-leaf", "chain.signature", "a bit of the leaf's signature", leaf(spoil=True))
    case("spoilt-intermediate", "chain.signature", "a bit of the intermediate's signature", inters=[inter(spoil=True)])
    case("verified-spoilt-anchor", "verified 3", "nobody relies on the signature over an anchor",
         anchors=[root(spoil=True)])
    case("anchor-not-equal", "chain.untrusted", "the anchor has the leaf's key and name, yet is another certificate",
         inters=[], anchors=[leaf(serial=0x1002)])
    # Everybody has signed everybody, nobody is trusted.
    ring = [link(f"CN={one}", one, f"CN={other}", other) for one in "abcdef" for other in "abcdef" if one != other]
    case("loop", "chain.untrusted", "two that have signed each other", leaf(issuer="CN=a", signer="a"),
         inters=[link("CN=a", "a", "CN=b", "b"), link("CN=b", "b", "CN=a", "a")])
    case("loop-self", "chain.untrusted", "one that has signed itself", leaf(issuer="CN=a", signer="a"),
         inters=[link("CN=a", "a", "CN=a", "a")])
    case("mesh", "chain.untrusted", "six that have all signed each other", leaf(issuer="CN=a", signer="a"), inters=ring)
    # One name, so that every certificate may have been issued by every other.
    crowd = [link("CN=x", one, "CN=x", other, authority=False, own=False) for one in "abcdef" for other in "abcdef"
             if one != other]
    case("crowd", "chain.too-complex", "thirty of one name without identifiers",
         leaf(issuer="CN=x", signer="a", authority=False), inters=crowd)
    case("mesh-anchored", "verified 3", "six that have all signed each other, and one is signed by the root",
         leaf(issuer="CN=a", signer="a"), inters=ring + [link("CN=a", "a", ROOT, "root")])


def long_chain(count):
    """A leaf below `count` intermediates, as arguments of case."""
    keys = ["inter", "inter2", "a", "b", "c", "d", "e", "f"][:count]
    signer, issuer, certificates = "root", ROOT, []
    for key in keys:
        certificates.append(ca(f"CN=Link {key}", key, issuer, signer, serial=0x3001))
        signer, issuer = key, f"CN=Link {key}"
    return {"leaf_certificate": leaf(issuer=issuer, signer=signer), "inters": certificates}


def leaves():
    for title, eku, why in [
        ("no-eku", None, "no extended key usage"),
        ("server", purposes(SERVER), "for servers"),
        ("any-eku", purposes(ANY), "anyExtendedKeyUsage does not do"),
        ("any-and-server", purposes(SERVER, ANY), "for servers and anything"),
        ("empty-eku", purposes(), "an empty list of purposes"),
    ]:
        case(f"leaf-{title}", "chain.not-code-signing", why, leaf(eku=eku))
    case("verified-two-purposes", "verified 3", "for code signing and servers", leaf(eku=purposes(SERVER, CODE)))
    case("verified-critical-eku", "verified 3", "a critical purpose", leaf(eku=purposes(CODE, critical=True)))
    case("verified-no-basic-constraints", "verified 3", "a leaf needs none")
    case("verified-not-a-ca", "verified 3", "a leaf that says it is no CA", leaf(basic(ca=False)))
    case("leaf-is-ca", "chain.leaf-is-ca", "a CA signs code", leaf(basic()))
    case("leaf-is-ca-anchor", "chain.leaf-is-ca", "a CA signs code, and is the anchor", leaf(basic()), inters=[],
         anchors=[leaf(basic())])
    case("leaf-path-length", "chain.malformed", "a path length without being a CA", leaf(basic(ca=False, length=0)))
    case("leaf-no-key-usage", "chain.key-usage", "no key usage", leaf(key_usage=None))
    case("leaf-no-digital-signature", "chain.key-usage", "nonRepudiation alone", leaf(key_usage=usage("nonRepudiation")))
    case("leaf-encipherment", "chain.key-usage", "keyEncipherment alone", leaf(key_usage=usage("keyEncipherment")))
    case("leaf-empty-key-usage", "chain.key-usage", "a key usage without a bit", leaf(key_usage=usage()))
    case("leaf-certificate-signing", "chain.key-usage", "keyCertSign without being a CA",
         leaf(key_usage=usage("digitalSignature", "keyCertSign")))


def issuers():
    case("issuer-server", "chain.not-code-signing", "an intermediate for servers", inters=[inter(purposes(SERVER))])
    case("issuer-empty-eku", "chain.not-code-signing", "an intermediate for nothing", inters=[inter(purposes())])
    case("verified-issuer-code", "verified 3", "an intermediate for code signing", inters=[inter(purposes(CODE))])
    case("verified-issuer-any", "verified 3", "an intermediate for anything", inters=[inter(purposes(ANY))])
    case("anchor-server", "chain.not-code-signing", "a root for servers",
         anchors=[ca(ROOT, "root", ROOT, "root", purposes(SERVER), authority=False)])
    case("issuer-is-leaf", "chain.not-a-ca", "issued by a leaf", leaf(issuer="CN=Signer", signer="inter2"),
         inters=[inter(), leaf(subject="CN=Signer", key="inter2")])
    case("issuer-no-constraints", "chain.not-a-ca", "an issuer without basicConstraints", inters=[inter(base=b"")])
    case("issuer-not-ca", "chain.not-a-ca", "an issuer that says it is no CA", inters=[inter(base=basic(ca=False))])
    case("issuer-not-critical", "chain.not-a-ca", "basicConstraints that are not critical",
         inters=[inter(base=basic(critical=False))])
    case("issuer-no-key-usage", "chain.not-a-ca", "a CA without key usage", inters=[inter(key_usage=None)])
    case("issuer-no-certificate-signing", "chain.not-a-ca", "a CA that may only sign lists",
         inters=[inter(key_usage=usage("cRLSign"))])
    case("anchor-not-ca", "chain.not-a-ca", "a leaf is the anchor and has issued", leaf(issuer=LEAF, signer="inter"),
         inters=[], anchors=[leaf(key="inter")])
    second = ca(INTER2, "inter2", INTER, "inter", serial=0x2002)
    below = leaf(issuer=INTER2, signer="inter2")
    case("path-length", "chain.path-length", "two intermediates where one may be", below,
         inters=[inter(length=0), second])
    case("path-length-root", "chain.path-length", "the root's path length", below, inters=[inter(), second],
         anchors=[root(length=0)])
    case("verified-path-length", "verified 4", "just as many as may be", below,
         inters=[inter(length=1), second], anchors=[root(length=2)])
    case("verified-self-issued", "verified 4", "a self-issued intermediate does not count",
         leaf(signer="inter2"),
         inters=[inter(length=0), ca(INTER, "inter2", INTER, "inter", length=0, serial=0x2002)],
         anchors=[root(length=1)])


def forms():
    unknown = extension("1.3.6.1.4.1.55555.1", b"\x05\x00", critical=True)
    case("leaf-unknown-critical", "chain.critical-extension", "an unknown critical extension", leaf(unknown))
    case("issuer-unknown-critical", "chain.critical-extension", "an unknown critical extension", inters=[inter(unknown)])
    case("anchor-unknown-critical", "chain.critical-extension", "an unknown critical extension of the root",
         anchors=[ca(ROOT, "root", ROOT, "root", unknown, authority=False)])
    case("verified-unknown", "verified 3", "an unknown extension that is not critical",
         leaf(extension("1.3.6.1.4.1.55555.1", b"\x05\x00")))
    case("critical-netscape", "chain.critical-extension", "OpenSSL knows it, nobody honours it",
         leaf(extension("2.16.840.1.113730.1.1", bits(b"\x10", 4), critical=True)))
    case("critical-proxy", "chain.critical-extension", "a proxy certificate",
         leaf(extension("1.3.6.1.5.5.7.1.14", seq(seq(oid("1.3.6.1.5.5.7.21.1"))), critical=True)))
    case("critical-own-identifier", "chain.critical-extension", "a critical subject key identifier",
         leaf(own=extension("2.5.29.14", tlv(4, b"x" * 20), critical=True)))
    case("critical-authority-identifier", "chain.critical-extension", "a critical authority key identifier",
         leaf(authority=extension("2.5.29.35", seq(tlv(0x80, key_identifier("inter"))), critical=True)))
    case("no-authority-identifier", "chain.malformed", "the leaf does not say which key signed it", leaf(authority=False))
    case("issuer-no-identifier", "chain.malformed", "a CA without subject key identifier", leaf(),
         inters=[inter(own=False)])
    case("duplicate-extension", "certificate.duplicate-extension", "the purposes twice", leaf(purposes(SERVER)))
    case("version-1", "chain.version", "a leaf of version 1", leaf(version=0))
    case("version-2", "chain.version", "a leaf of version 2", leaf(version=1))
    case("issuer-version-1", "chain.version", "an intermediate of version 1", inters=[inter(version=0)])
    case("anchor-version-1", "chain.version", "a root of version 1 that issues", anchors=[root(version=0)])
    case("version-1-extensions", "certificate.malformed", "version 1 with extensions",
         leaf(version=0, extra=tlv(0xA3, seq(purposes(CODE)))))
    case("version-4", "certificate.malformed", "version 4", leaf(version=3))
    case("serial-negative", "chain.serial", "a negative serial number", leaf(serial=-5))
    case("serial-zero", "chain.serial", "the serial number zero", leaf(serial=0))
    case("serial-long", "chain.serial", "21 octets", leaf(serial=1 << 160))
    case("verified-serial-20", "verified 3", "20 octets", leaf(serial=(1 << 159) - 1))
    case("serial-padded", "certificate.malformed", "a serial number with a needless zero", leaf(serial=b"\x02\x02\x00\x05"))
    case("issuer-serial-negative", "chain.serial", "a negative serial number", inters=[inter(serial=-5)])
    case("algorithm-differs", "chain.malformed", "another signature algorithm inside than outside",
         leaf(inside=ALGORITHMS["sha256"][0]))
    case("unique-identifier", "chain.malformed", "a unique identifier of the subject",
         leaf(extra=tlv(0x82, b"\x00\x01")))
    case("empty-issuer", "chain.malformed", "an empty issuer", leaf(issuer="", signer="inter"),
         inters=[inter(subject="")])
    case("empty-subject-ca", "chain.malformed", "a root with an empty subject", leaf(issuer="", signer="root"),
         inters=[], anchors=[ca("", "root", "CN=x", "stranger")])
    case("verified-empty-subject", "verified 3", "an empty subject with critical alternative names",
         leaf(alternative(uri("https://example.com/x"), critical=True), subject=""))
    case("empty-subject", "chain.malformed", "an empty subject without alternative names", leaf(subject=""))
    case("empty-subject-not-critical", "chain.malformed", "an empty subject with alternative names that are not critical",
         leaf(alternative(uri("https://example.com/x")), subject=""))
    case("empty-alternatives", "certificate.malformed", "an empty list of alternative names", leaf(alternative()))
    case("name-nul", "certificate.malformed", "a NUL within the common name", leaf(subject="CN=Leaf\0.example.com"))
    case("name-utf8", "certificate.malformed", "a common name that is not UTF-8",
         leaf(subject=seq(tlv(0x31, seq(oid("2.5.4.3"), tlv(0x0C, b"\xff"))))))
    case("name-printable", "certificate.malformed", "a printable string with an exclamation mark",
         leaf(subject=name("CN=Leaf!", 0x13)))
    case("alternative-nul", "certificate.malformed", "a NUL within a DNS name", leaf(alternative(dns("a.example\0.com"))))
    case("explicit-default", "certificate.malformed", "a criticality that is written although it is false",
         leaf(seq(oid("1.3.6.1.4.1.55555.1"), tlv(1, b"\x00"), tlv(4, b"\x05\x00"))))
    case("boolean", "certificate.malformed", "true that is not 0xff",
         leaf(seq(oid("1.3.6.1.4.1.55555.1"), tlv(1, b"\x01"), tlv(4, b"\x05\x00"))))
    case("trailing-field", "certificate.malformed", "bytes behind the extensions", leaf(basic(ca=False) + b"\x05\x00"))
    case("trailing-extension", "certificate.malformed", "bytes behind an extension's value",
         leaf(extension("2.5.29.19", seq() + b"\x05\x00")))
    case("policy", "chain.policy", "a policy is required, and none is given",
         inters=[inter(extension("2.5.29.36", seq(tlv(0x80, b"\0")), critical=True))])
    policies = extension("2.5.29.32", seq(seq(oid("1.3.6.1.4.1.55555.2"))), critical=True)
    case("policy-missing", "chain.policy", "a policy is required, and the leaf has none",
         inters=[inter(policies, extension("2.5.29.36", seq(tlv(0x80, b"\0")), critical=True))])
    case("policy-not-critical", "chain.policy", "policy constraints that are not critical hold as well",
         inters=[inter(extension("2.5.29.36", seq(tlv(0x80, b"\0"))))])
    case("verified-policy", "verified 3", "a policy is required and given", leaf(policies),
         inters=[inter(policies, extension("2.5.29.36", seq(tlv(0x80, b"\0")), critical=True))])


def anchors():
    """What an anchor may have and nobody else, and what an anchor may not have either."""
    def numbered(number):
        return [root(serial=number)]

    zero = extension("2.5.29.15", bits(b"\x06\x00", 7), critical=True)
    case("verified-anchor-serial-zero", "verified 3", "a root with the serial number zero", anchors=numbered(0))
    case("verified-anchor-serial-negative", "verified 3", "a root with a negative serial number", anchors=numbered(-5))
    case("verified-anchor-serial-long", "verified 3", "a root with a serial number of 21 octets", anchors=numbered(1 << 160))
    case("verified-anchor-intermediate", "verified 2", "an intermediate with the serial number zero is the anchor", inters=[],
         anchors=[inter(serial=0)])
    case("verified-anchor-leaf", "verified 1", "a leaf with the serial number zero is the anchor", leaf(serial=0), inters=[],
         anchors=[leaf(serial=0)])
    case("issuer-serial-zero", "chain.serial", "an intermediate with the serial number zero", inters=[inter(serial=0)])
    case("serial-zero-beside", "chain.serial", "the leaf has the serial number zero, and so has the anchor", leaf(serial=0),
         anchors=numbered(0))
    case("root-serial-zero", "chain.serial", "a root with the serial number zero that is trusted only by way of another",
         inters=[inter(), link(ROOT, "root", "CN=Other Root", "other-root", serial=0)],
         anchors=[root("other-root", "CN=Other Root")])
    case("verified-anchor-key-usage", "verified 3", "a root whose key usage has a zero bit at its end", anchors=[root(key_usage=zero)])
    case("issuer-key-usage-zero", "chain.malformed", "an intermediate whose key usage has a zero bit at its end",
         inters=[inter(key_usage=zero)])
    case("leaf-key-usage-zero", "chain.malformed", "a leaf whose key usage has a zero bit at its end",
         leaf(key_usage=extension("2.5.29.15", bits(b"\x80", 6), critical=True)))
    case("anchor-key-usage-unused", "certificate.malformed", "a root whose key usage has bits that do not count and are not zero",
         anchors=[root(key_usage=extension("2.5.29.15", bits(b"\x07", 1), critical=True))])
    case("anchor-key-usage", "chain.not-a-ca", "a root that must not sign certificates", anchors=[root(key_usage=usage("cRLSign"))])
    case("anchor-not-critical", "chain.not-a-ca", "a root whose basicConstraints are not critical",
         anchors=[root(base=basic(critical=False))])
    case("anchor-no-identifier", "chain.malformed", "a root without subject key identifier", anchors=[root(own=False)])
    case("anchor-malformed", "certificate.malformed", "a root with an extension that is no DER",
         anchors=[ca(ROOT, "root", ROOT, "root", extension("1.3.6.1.5.5.7.1.1", b"malformed"), authority=False)])
    case("anchor-not-yet-valid", "chain.not-yet-valid", "a root that is not valid yet", anchors=[root(begin="2026-11-21T00:00:01Z")])


def extensions():
    """Every extension that RFC 5280 defines, used here or not."""
    some, sha = oid("1.3.6.1.4.1.55555.2"), tlv(0x80, b"x" * 20)
    place, text = uri("http://example.com/a b"), tlv(0x0C, "Größe".encode())
    point = tlv(0xA0, tlv(0xA0, place))
    notice = seq(oid("1.3.6.1.5.5.7.2.2"), seq(seq(text, seq(integer(1), integer(2))), tlv(0x1E, b"\0A")))
    other = tlv(0xA0, some, tlv(0xA0, seq(integer(1))))
    party = tlv(0xA5, tlv(0xA0, text), tlv(0xA1, text))
    kinds = [place, other, party, tlv(0xA3, seq()), directory("CN=x"), tlv(0x87, bytes(4)), tlv(0x88, b"\x2a\x03")]
    access = "1.3.6.1.5.5.7.1.1"
    good = {
        "2.5.29.9": seq(seq(some, tlv(0x31, integer(1), text))),
        "2.5.29.18": seq(*kinds),
        "2.5.29.31": seq(seq(point), seq(point, tlv(0x81, b"\x01\x06")), seq(tlv(0xA2, directory("CN=x"))),
                         seq(tlv(0xA0, tlv(0xA1, seq(oid("2.5.4.3"), text))), tlv(0xA2, directory("CN=x")))),
        "2.5.29.32": seq(seq(some), seq(oid("1.3.6.1.4.1.55555.3"), seq(
            seq(oid("1.3.6.1.5.5.7.2.1"), tlv(0x16, b"http://example.com/a b")), notice, seq(some, seq(integer(1)))))),
        "2.5.29.46": seq(seq(point)),
        access: seq(*(seq(oid("1.3.6.1.5.5.7.48.2"), each) for each in kinds)),
        "1.3.6.1.5.5.7.1.11": seq(seq(some, place)),
    }
    full = seq(sha, tlv(0xA1, directory(ROOT)), tlv(0x82, b"\x20\x01"))
    case("verified-extensions", "verified 3", "every extension that is not used, in the form it should have",
         leaf(*(extension(each, value) for each, value in good.items()),
              authority=extension("2.5.29.35", full.replace(b"x" * 20, key_identifier("inter")))))
    titles = {"2.5.29.9": "attributes", "2.5.29.18": "issuer-names", "2.5.29.31": "points", "2.5.29.32": "policies",
              "2.5.29.33": "mappings", "2.5.29.35": "authority", "2.5.29.36": "policy-constraints", "2.5.29.46": "freshest",
              "2.5.29.54": "any-policy", access: "access", "1.3.6.1.5.5.7.1.11": "own-access", "2.5.29.17": "names"}
    for identifier, value in good.items():
        for title, why, bad in [("text", "a text that is no DER", b"malformed"), ("empty", "an empty list", seq()),
                                ("end", "bytes behind the end", value + b"\x05\x00"), ("cut", "the last byte is missing", value[:-1])]:
            case(f"form-{titles[identifier]}-{title}", "certificate.malformed", why, leaf(extension(identifier, bad)))
    for identifier, title, why, bad in [
        (access, "no-place", "a method without a place", seq(seq(some))),
        (access, "two-places", "a method with two places", seq(seq(some, place, place))),
        (access, "kind", "a kind of name that does not exist", seq(seq(some, tlv(0x89, b"x")))),
        (access, "utf8", "a URI that is not ASCII", seq(seq(some, tlv(0x86, "http://ä.example".encode())))),
        (access, "address", "an IP address of five bytes", seq(seq(some, tlv(0x87, bytes(5))))),
        (access, "other-name", "another name whose value is no DER", seq(seq(some, tlv(0xA0, oid("1.2.3"), tlv(0xA0, b"\x30"))))),
        (access, "party", "a party without a name", seq(seq(some, tlv(0xA5, tlv(0xA0, text))))),
        ("2.5.29.18", "kind", "a kind of name that does not exist", seq(tlv(0x89, b"x"))),
        ("2.5.29.9", "no-value", "an attribute without a value", seq(seq(some, tlv(0x31)))),
        ("2.5.29.9", "value", "a value that is no DER", seq(seq(some, tlv(0x31, b"\x02\x00")))),
        ("2.5.29.31", "reasons", "a point with nothing but reasons", seq(seq(tlv(0x81, b"\x01\x06")))),
        ("2.5.29.31", "reasons-zero", "reasons with a trailing zero", seq(seq(point, tlv(0x81, b"\x00\x06")))),
        ("2.5.29.31", "nothing", "a point without anything", seq(seq())),
        ("2.5.29.31", "no-name", "a point whose list of names is empty", seq(seq(tlv(0xA0, tlv(0xA0))))),
        ("2.5.29.31", "issuer", "an issuer of lists whose name is no directory's", seq(seq(point, tlv(0xA2, place)))),
        ("2.5.29.31", "field", "a field too many", seq(seq(point, tlv(0x83, b"\x01")))),
        ("2.5.29.46", "reasons", "a point with nothing but reasons", seq(seq(tlv(0x81, b"\x01\x06")))),
        ("2.5.29.32", "no-policy", "a policy without an identifier", seq(seq())),
        ("2.5.29.32", "no-qualifiers", "an empty list of qualifiers", seq(seq(some, seq()))),
        ("2.5.29.32", "address", "a place of the wrong type", seq(seq(some, seq(seq(oid("1.3.6.1.5.5.7.2.1"), text))))),
        ("2.5.29.32", "notice", "a notice of the wrong type", seq(seq(some, seq(seq(oid("1.3.6.1.5.5.7.2.2"), text))))),
        ("2.5.29.32", "notice-text", "a notice's text of the wrong type",
         seq(seq(some, seq(seq(oid("1.3.6.1.5.5.7.2.2"), seq(tlv(0x13, b"x"))))))),
        ("2.5.29.33", "empty", "an empty list", seq()),
        ("2.5.29.33", "three", "three policies in a pair", seq(seq(some, some, some))),
        ("2.5.29.35", "issuer", "an issuer without serial number", seq(sha, tlv(0xA1, directory("CN=x")))),
        ("2.5.29.35", "serial", "a serial number without issuer", seq(sha, tlv(0x82, b"\x05"))),
        ("2.5.29.35", "serial-padded", "a serial number with a needless zero",
         seq(sha, tlv(0xA1, directory("CN=x")), tlv(0x82, b"\x00\x05"))),
        ("2.5.29.35", "issuer-kind", "an issuer of a kind that does not exist", seq(sha, tlv(0xA1, tlv(0x89, b"x")), tlv(0x82, b"\x05"))),
        ("2.5.29.36", "empty", "no constraint", seq()),
        ("2.5.29.36", "negative", "a negative number", seq(tlv(0x80, b"\xff"))),
        ("2.5.29.54", "negative", "a negative number", integer(-1)),
        ("2.5.29.54", "end", "bytes behind the end", integer(1) + b"\x05\x00"),
        ("2.5.29.17", "other-name", "another name without a value", seq(tlv(0xA0, some))),
        ("2.5.29.17", "other-value", "another name whose value is no DER", seq(tlv(0xA0, some, tlv(0xA0, b"\x02\x00")))),
        ("2.5.29.17", "party", "a party without a name", seq(tlv(0xA5, tlv(0xA0, text)))),
    ]:
        made = extension(identifier, bad, critical=identifier in ["2.5.29.36", "2.5.29.54"])
        case(f"form-{titles[identifier]}-{title}", "certificate.malformed", why,
             leaf(authority=made) if identifier == "2.5.29.35" else leaf(made))


def strengths():
    case("rsa-1024-leaf", "chain.weak-key", "1024 bits", leaf(key="rsa1024"))
    case("rsa-2048-leaf", "chain.weak-key", "2048 bits in a leaf", leaf(key="rsa2048"))
    case("verified-rsa", "verified 3", "RSA in leaf and intermediate", leaf(key="rsa3072", signer="rsa2048"),
         inters=[inter(key="rsa2048")])
    case("rsa-1024-issuer", "chain.weak-key", "a CA of 1024 bits", leaf(signer="rsa1024"), inters=[inter(key="rsa1024")])
    case("rsa-1024-anchor", "chain.weak-key", "a root of 1024 bits", inters=[inter(signer="rsa1024")],
         anchors=[root("rsa1024")])
    case("rsa-exponent-3", "chain.weak-key", "a CA with the exponent 3", leaf(signer="rsa-e3"),
         inters=[inter(key="rsa-e3")])
    case("verified-p256", "verified 3", "ECDSA in the leaf", leaf(key="p256"))
    case("verified-p521", "verified 3", "ECDSA over the largest curve in the leaf", leaf(key="p521"))
    case("secp256k1", "chain.weak-key", "a curve that is not supported", leaf(key="secp256k1"))
    for digest in ["sha1", "md5", "sha224"]:
        case(f"{digest}-leaf", "chain.weak-digest", f"a leaf signed with {digest}",
             leaf(signer="rsa2048", algorithm=digest), inters=[inter(key="rsa2048")])
    case("sha1-issuer", "chain.weak-digest", "an intermediate signed with sha1",
         inters=[inter(signer="rsa2048", algorithm="sha1")], anchors=[root("rsa2048")])
    case("verified-sha1-anchor", "verified 3", "the root's signature over itself is nobody's business",
         inters=[inter(signer="rsa2048")], anchors=[root("rsa2048", algorithm="sha1")])
    for digest in ["sha384", "sha512"]:
        case(f"verified-{digest}", "verified 3", f"signed with {digest}", leaf(signer="rsa2048", algorithm=digest),
             inters=[inter(key="rsa2048")])


def names():
    def constrained(title, verdict, why, constraint, *alternatives, **rest):
        subject = rest.pop("subject", LEAF)
        case(title, verdict, why, leaf(alternative(*alternatives), subject=subject) if alternatives
             else leaf(subject=subject), inters=[inter(constraint=constraint)], **rest)

    refused = "chain.name-constraints"
    constrained("verified-permitted-uri", "verified 3", "a permitted host", constraints([uri("example.com")]),
                uri("https://example.com/x"))
    constrained("not-permitted-uri", refused, "another host", constraints([uri("example.com")]), uri("https://example.org/x"))
    constrained("excluded-uri", refused, "an excluded domain", constraints(excluded=[uri(".example.com")]),
                uri("https://a.example.com/x"))
    # OpenSSL takes everything up to a slash or a colon for the host.
    for title, text in [("user", "https://user@evil.example/x"), ("period", "https://evil.example./x"),
                        ("percent", "https://%65vil.example/x"), ("query", "https://evil.example?x"),
                        ("fragment", "https://evil.example#x"), ("backslash", "https://evil.example\\x"),
                        ("password", "https://user:word@evil.example/x")]:
        constrained(f"excluded-uri-{title}", "chain.malformed", "an excluded host that does not stand alone",
                    constraints(excluded=[uri("evil.example")]), uri(text))
    constrained("not-permitted-uri-query", "chain.malformed", "a query that ends like a permitted host",
                constraints([uri(".example.com")]), uri("https://evil.example?.example.com"))
    constrained("not-permitted-uri-no-host", refused, "a URI without a host", constraints([uri("example.com")]),
                uri("urn:example:com"))
    constrained("uri-bracket", "chain.malformed", "an address in a bracket that does not end", b"",
                uri("https://[2001:db8::1/x"))
    constrained("verified-uri-port", "verified 3", "a permitted host with a port", constraints([uri("example.com")]),
                uri("https://example.com:8443/x@y?z#"))
    constrained("verified-uri-address", "verified 3", "hosts that are addresses, and none, and no authority",
                b"", uri("https://[2001:db8::1]:1/"), uri("https://192.0.2.1/x"), uri("file:///x"), uri("urn:x:y@z"),
                uri("spiffe://a_b.example/x"))
    constrained("verified-permitted-dns", "verified 3", "a permitted domain", constraints([dns("example.com")]),
                dns("a.example.com"))
    constrained("not-permitted-dns", refused, "a domain that only looks alike", constraints([dns("example.com")]),
                dns("badexample.com"))
    constrained("excluded-wildcard", refused, "a wildcard that stands for an excluded host",
                constraints(excluded=[dns("bar.example.com")]), dns("*.EXAMPLE.com"))
    constrained("verified-excluded-other", "verified 3", "a wildcard for other hosts",
                constraints(excluded=[dns("bar.example.org")]), dns("*.example.com"))
    for title, bad in [("dns-period", dns(".example.com")), ("dns-underscore", dns("a_b.example.com")),
                       ("dns-address", dns("8.8.8.8")), ("dns-wildcard", dns("a.*.example.com")),
                       ("email", email("a@b@example.com")), ("uri", uri("example.com/x"))]:
        case(f"alternative-{title}", "chain.malformed", "an alternative name that is none", leaf(alternative(bad)))
    constrained("excluded-email", refused, "an excluded host of mailboxes", constraints(excluded=[email("example.com")]),
                email("joe@example.com"))
    constrained("verified-permitted-email", "verified 3", "a permitted mailbox", constraints([email("joe@example.com")]),
                email("joe@example.com"))
    constrained("verified-permitted-directory", "verified 3", "a permitted subtree",
                constraints([directory("O=Signet")]), subject="O=Signet,CN=Leaf")
    constrained("not-permitted-directory", refused, "a subject outside of the permitted subtree",
                constraints([directory("O=Signet")]), subject="O=Other,CN=Leaf")
    constrained("excluded-directory", refused, "a subject in the excluded subtree",
                constraints(excluded=[directory("O=Signet")]), subject="O=Signet,CN=Leaf")
    constrained("constraint-minimum", refused, "a minimum", constraints([dns("example.com")], extra=tlv(0x80, b"\x01")),
                dns("a.example.com"))
    constrained("constraint-period", refused, "a DNS name that begins with a period", constraints([dns(".example.com")]),
                dns("a.example.com"))
    constrained("constraint-mask", refused, "a mask with holes",
                constraints([tlv(0x87, bytes([10, 0, 0, 0, 255, 0, 255, 0]))]), dns("a.example.com"))
    # Constraints that match nothing, or that readers take for different things, each beside one that is as it should be.
    for title, why, bad in [
        ("dns-trailing-period", "a trailing period", dns("example.com.")),
        ("dns-empty-label", "an empty label", dns("a..example.com")),
        ("dns-only-period", "nothing but a period", dns(".")),
        ("dns-underscore", "an underscore, which no DNS name has", dns("a_b.example.com")),
        ("dns-wildcard", "a wildcard", dns("*.example.com")),
        ("dns-address", "an address in the form of a DNS name", dns("192.0.2.1")),
        ("dns-hyphen", "a label that begins with a hyphen", dns("-a.example.com")),
        ("dns-label", "a label of 64 characters", dns("a" * 64 + ".example.com")),
        ("dns-not-ascii", "a letter that is not ASCII", tlv(0x82, "ä.example".encode())),
        ("dns-space", "a space behind the name", dns("example.com ")),
        ("email-empty", "an empty one", email("")),
        ("email-two-hosts", "two at signs", email("a@b@example.com")),
        ("email-no-local", "no local part", email("@example.com")),
        ("email-no-host", "no host", email("joe@")),
        ("email-quoted", "a quoted local part", email('"joe"@example.com')),
        ("email-trailing-period", "a trailing period", email("example.com.")),
        ("email-mailbox-period", "a trailing period of a mailbox", email("joe@example.com.")),
        ("email-mailbox-domain", "a mailbox in a domain", email("joe@.example.com")),
        ("email-not-ascii", "a letter that is not ASCII", tlv(0x81, "jö@example.com".encode())),
        ("uri-empty", "an empty one", uri("")),
        ("uri-trailing-period", "a trailing period", uri("example.com.")),
        ("uri-empty-label", "an empty label", uri("a..example.com")),
        ("uri-two-periods", "two periods in front", uri("..example.com")),
        ("uri-port", "a port", uri("example.com:443")),
        ("uri-user", "a user", uri("joe@example.com")),
        ("uri-address", "an IP address", uri("192.0.2.1")),
        ("uri-address-6", "an IP address", uri("[2001:db8::1]")),
        ("uri-wildcard", "a wildcard", uri("*.example.com")),
        ("uri-whole", "a whole URI", uri("https://example.com/")),
        ("ip-length", "an address without a mask", tlv(0x87, bytes([10, 0, 0, 0]))),
        ("ip-mask-6", "a mask with holes", tlv(0x87, bytes(16) + b"\xff" * 8 + b"\0" + b"\xff" + bytes(6))),
        ("directory-all", "every name", directory("")),
        ("directory-form", "a name that is none", tlv(0xA4, tlv(0x31))),
        ("other-form", "another name without a value", tlv(0xA0, oid("1.3.6.1.4.1.55555.1"))),
    ]:
        constrained(f"constraint-{title}", refused, f"excluded: {why}", constraints(excluded=[dns("other.example"), bad]),
                    dns("a.example.com"))
    constrained("constraint-permitted", refused, "permitted: a trailing period, beside one that is as it should be",
                constraints([dns("example.com"), dns("example.org.")]), dns("a.example.com"))
    constrained("constraint-first", refused, "the first of several",
                constraints(excluded=[uri("evil.example:80"), uri("evil.example")]), dns("a.example.com"))
    case("constraint-form-of-anchor", refused, "a trailing period, in the anchor",
         anchors=[root(constraint=constraints(excluded=[dns("example.com.")]))])
    constrained("constraint-maximum", refused, "a maximum",
                constraints(excluded=[dns("other.example")], extra=tlv(0x81, b"\x01")), dns("a.example.com"))
    constrained("constraint-minimum-form", "certificate.malformed", "a minimum that is no number",
                constraints(excluded=[dns("other.example")], extra=tlv(0x80, b"\x00\x01")), dns("a.example.com"))
    constrained("constraint-unknown-form", "certificate.malformed", "a kind of name that does not exist",
                constraints(excluded=[tlv(0x89, b"x")]), dns("a.example.com"))
    constrained("verified-excluded-dns-all", "verified 3", "all DNS names are excluded, and there is none",
                constraints(excluded=[dns("")]), uri("https://example.com/"))
    constrained("excluded-dns-all", refused, "all DNS names are excluded", constraints(excluded=[dns("")]), dns("example.com"))
    constrained("verified-permitted-email-domain", "verified 3", "a domain of mailboxes",
                constraints([email(".example.com"), email("example.org")]), email("joe@a.example.com"), email("joe@example.org"))
    constrained("verified-permitted-directory-all", "verified 3", "every name is permitted", constraints([directory("")]))
    # OpenSSL takes what stands before the first colon for the host, wherever the colon is.
    constrained("excluded-uri-colon", refused, "an excluded host, with a colon in the path",
                constraints(excluded=[uri("evil.example")]), uri("https://evil.example/a:b"))
    constrained("not-permitted-uri-colon", refused, "a path that ends like a permitted host before a colon",
                constraints([uri(".example.com")]), uri("https://evil.example/.example.com:x"))
    constrained("verified-permitted-uri-case", "verified 3", "a permitted domain in capitals",
                constraints([uri(".EXAMPLE.com")], [uri("a.example.com")]), uri("https://B.example.COM/a/b"))
    constrained("permitted-uri-domain-itself", refused, "a period in front leaves the domain itself out",
                constraints([uri(".example.com")]), uri("https://example.com/"))
    constrained("excluded-uri-address", refused, "an address, below constraints for hosts by name",
                constraints(excluded=[uri("evil.example")]), uri("https://192.0.2.1/"))
    constrained("excluded-uri-address-6", refused, "an address, below constraints for hosts by name",
                constraints(excluded=[uri("evil.example")]), uri("https://[2001:db8::1]/"))
    own = ca(INTER, "inter2", INTER, "inter", alternative(uri("https://evil.example/x")), serial=0x2002)
    case("verified-excluded-self-issued", "verified 4", "a self-issued certificate between may have any names",
         leaf(signer="inter2"), inters=[inter(constraint=constraints(excluded=[uri("evil.example")])), own])
    constrained("constraint-not-critical", "chain.malformed", "constraints that are not critical",
                constraints([dns("example.com")], critical=False), dns("a.example.com"))
    case("constraint-in-leaf", "chain.malformed", "constraints in a leaf", leaf(constraints([dns("example.com")])))
    case("constraint-of-anchor", refused, "the anchor's constraints hold, too", leaf(alternative(dns("a.example.org"))),
         anchors=[root(constraint=constraints([dns("example.com")]))])


def times():
    def zulu(text, tag=0x18):
        return tlv(tag, text.encode())

    case("expired", "chain.expired", "the leaf has expired", leaf(end="2026-11-20T23:59:59Z"))
    case("verified-last-second", "verified 3", "the last second counts", leaf(end=TIME))
    case("verified-first-second", "verified 3", "the first second counts", leaf(begin=TIME))
    case("not-yet-valid", "chain.not-yet-valid", "the leaf is not valid yet", leaf(begin="2026-11-21T00:00:01Z"))
    case("issuer-expired", "chain.expired", "the intermediate has expired", inters=[inter(end="2026-11-20T23:59:59Z")])
    case("issuer-not-yet-valid", "chain.not-yet-valid", "the intermediate is not valid yet",
         inters=[inter(begin="2026-11-21T00:00:01Z")])
    case("anchor-expired", "chain.expired", "the root has expired", anchors=[root(end="2026-11-20T23:59:59Z")])
    case("anchor-leaf-expired", "chain.expired", "the leaf is the anchor and has expired",
         leaf(end="2026-01-01T00:00:00Z"), inters=[], anchors=[leaf(end="2026-01-01T00:00:00Z")])
    case("verified-earlier", "verified 3", "expired today, asked about the past", leaf(end="2026-01-01T00:00:00Z"),
         at="2025-06-01T00:00:00Z")
    case("verified-no-end", "verified 3", "the year 9999 means no end", leaf(end="9999-12-31T23:59:59Z"))
    case("before-1970", "chain.not-yet-valid", "a time before 1970", at="1969-12-31T23:59:59Z")
    case("reversed", "chain.malformed", "ends before it begins",
         leaf(begin="2027-01-01T00:00:00Z", end="2026-01-01T00:00:00Z"))
    case("verified-generalized", "verified 3", "readers must take a GeneralizedTime before 2050",
         leaf(begin=zulu("20250101000000Z")))
    case("time-1950", "chain.expired", "50 is 1950", leaf(begin=zulu("500101000000Z", 0x17), end=zulu("990101000000Z", 0x17)))
    for title, value, why in [
        ("fraction", zulu("20250101000000.5Z"), "a fraction of a second"),
        ("offset", zulu("250101000000+0100", 0x17), "an offset from UTC"),
        ("no-seconds", zulu("2501010000Z", 0x17), "no seconds"),
        ("no-zone", zulu("20250101000000"), "local time"),
        ("february", zulu("250230000000Z", 0x17), "the thirtieth of February"),
        ("hour", zulu("250101240000Z", 0x17), "an hour too many"),
        ("leap-second", zulu("250101235960Z", 0x17), "a leap second"),
        ("space", zulu("25 101000000Z", 0x17), "a space for a digit"),
    ]:
        case(f"time-{title}", "certificate.malformed", why, leaf(begin=value))


def lists():
    before, after = "2026-11-01T00:00:00Z", "2026-11-22T00:00:00Z"
    empty = crl()
    late = dict(made="2026-11-25T00:00:00Z", due="2026-12-25T00:00:00Z")
    case("verified-crl", "verified 3", "a list that does not name the leaf", crls=[empty])
    case("verified-crl-both", "verified 3", "lists of both issuers", crls=[empty, crl(issuer=ROOT, signer="root")])
    case("verified-crl-other-serial", "verified 3", "another certificate is revoked", crls=[crl([entry(0x1002, before)])])
    case("crl-version-1", "crl.unsupported", "a list of version 1", crls=[crl(version=0)])
    case("crl-number-critical", "crl.unsupported", "a critical number",
         crls=[crl((), extension("2.5.29.20", integer(7), critical=True), number=False)])
    case("crl-no-number", "crl.unsupported", "a list without number", crls=[crl(number=False)])
    case("verified-crl-stranger", "verified 3", "a list that nobody needs, not even readable by its key",
         crls=[crl(issuer="CN=Other", signer="stranger", spoil=True, made="2020-01-01T00:00:00Z", due="2020-02-01T00:00:00Z")])
    case("revoked", "chain.revoked", "the leaf was revoked before", crls=[crl([entry(0x1001, before)])])
    case("revoked-reason", "chain.revoked", "superseded", crls=[crl([entry(0x1001, before, 4)])])
    case("revoked-hold", "chain.revoked", "on hold", crls=[crl([entry(0x1001, before, HOLD)])])
    case("revoked-same-second", "chain.revoked", "revoked in the second that is asked about",
         crls=[crl([entry(0x1001, TIME)], **late)])
    case("verified-revoked-after", "verified 3", "revoked after the time that is asked about",
         crls=[crl([entry(0x1001, after)], **late)])
    case("revoked-after-compromise", "chain.revoked", "the key was lost: nobody knows since when",
         crls=[crl([entry(0x1001, after, KEY_COMPROMISE)], **late)])
    case("revoked-after-invalidity", "chain.revoked", "revoked after, invalid since before",
         crls=[crl([entry(0x1001, after, 4, extension("2.5.29.24", tlv(0x18, b"20261101000000Z")))], **late)])
    case("revoked-intermediate", "chain.revoked", "the intermediate was revoked",
         crls=[crl([entry(0x2001, before)], issuer=ROOT, signer="root")])
    case("verified-revoked-cross", "verified 3", "one of two ways was revoked; the other holds",
         inters=[inter(), inter(serial=0x2009)], crls=[crl([entry(0x2001, before)], issuer=ROOT, signer="root")])
    case("verified-revoked-anchor", "verified 3", "a list cannot take back who is trusted",
         crls=[crl([entry(0x1001, before)], issuer=ROOT, signer="root")])
    case("crl-stale", "crl.expired", "the next list was due", crls=[crl(due="2026-11-20T23:59:59Z")])
    case("verified-crl-last-second", "verified 3", "the last second of a list counts", crls=[crl(due=TIME)])
    case("verified-crl-stale-and-new", "verified 3", "the newer of two lists is current",
         crls=[crl(made="2026-09-01T00:00:00Z", due="2026-10-01T00:00:00Z"), empty])
    case("crl-spoilt", "crl.signature", "a bit of the list's signature", crls=[crl(spoil=True)])
    case("crl-forged", "crl.signature", "made by a stranger in the issuer's name",
         crls=[crl(signer="stranger", authority=False)])
    case("crl-unknown-key", "crl.issuer", "signed with a key of the issuer that nobody knows", crls=[crl(signer="stranger")])
    case("verified-crl-other-key", "verified 3", "signed with another key of the issuer, which the root vouches for",
         inters=[inter(), inter(key="list-signer", serial=0x2005)], crls=[crl(signer="list-signer")])
    case("revoked-crl-other-key", "chain.revoked", "the same, and the leaf is revoked",
         inters=[inter(), inter(key="list-signer", serial=0x2005)],
         crls=[crl([entry(0x1001, before)], signer="list-signer")])
    case("crl-not-allowed", "crl.issuer", "the issuer may not sign lists", inters=[inter(key_usage=usage("keyCertSign"))],
         crls=[empty])
    case("crl-sha1", "crl.weak-digest", "a list signed with sha1", leaf(signer="rsa2048"), inters=[inter(key="rsa2048")],
         crls=[crl(signer="rsa2048", algorithm="sha1")])
    case("verified-crl-rsa", "verified 3", "a list signed with RSA", leaf(signer="rsa2048"),
         inters=[inter(key="rsa2048")], crls=[crl(signer="rsa2048", algorithm="sha512")])
    case("crl-unknown-critical", "crl.unsupported", "an unknown critical extension",
         crls=[crl((), extension("1.3.6.1.4.1.55555.1", b"\x05\x00", critical=True))])
    case("crl-entry-unknown-critical", "crl.unsupported", "an entry with an unknown critical extension",
         crls=[crl([entry(0x1002, before, None, extension("1.3.6.1.4.1.55555.1", b"\x05\x00", critical=True))])])
    case("crl-remove", "crl.unsupported", "an entry that takes a revocation back", crls=[crl([entry(0x1001, before, REMOVE)])])
    case("crl-no-next-update", "crl.malformed", "a list that never grows stale", crls=[crl(due=None)])
    case("crl-twice", "crl.malformed", "one serial number twice", crls=[crl([entry(0x1001, after), entry(0x1001, before)])])
    case("crl-empty-entries", "crl.malformed", "an entry without a date", crls=[crl([seq(integer(5))])])


def parts():
    """Lists about a part of what an issuer has revoked."""
    unknown, before, after = "crl.incomplete", "2026-11-01T00:00:00Z", "2026-11-22T00:00:00Z"
    old = dict(made="2026-09-01T00:00:00Z", due="2026-10-01T00:00:00Z")
    revoked = entry(0x1001, before)
    case("verified-crl-holders", "verified 3", "a list of leaves alone", crls=[crl((), scope(holders=True))])
    case("crl-authorities", unknown, "a list of CAs alone, about a leaf", crls=[crl((), scope(authorities=True))])
    case("crl-attributes", unknown, "a list of attribute certificates", crls=[crl((), scope(attributes=True))])
    case("revoked-crl-authorities", "chain.revoked", "the leaf is in a list of CAs", crls=[crl([revoked], scope(authorities=True))])
    case("verified-crl-authorities", "verified 3", "a list of CAs, about a CA",
         crls=[crl((), scope(authorities=True), issuer=ROOT, signer="root")])
    case("crl-holders-of-root", unknown, "a list of leaves alone, about a CA",
         crls=[crl((), scope(holders=True), issuer=ROOT, signer="root")])
    compromise, others = b"\x05\x60", b"\x07\x9f\x80"
    first, second = crl((), scope(reasons=compromise)), crl((), scope(reasons=others), number=8)
    case("crl-some-reasons", unknown, "a list for two reasons", crls=[first])
    case("verified-crl-all-reasons", "verified 3", "two lists for all reasons together", crls=[first, second])
    case("revoked-crl-some-reasons", "chain.revoked", "in a list for some reasons, and the other is missing",
         crls=[crl([entry(0x1001, before, KEY_COMPROMISE)], scope(reasons=compromise))])
    case("crl-reasons-stale", "crl.expired", "one of two lists is stale", crls=[first, crl((), scope(reasons=others), **old)])
    here, there = "CN=Part 1,O=Signet", "CN=Part 2,O=Signet"
    divided = leaf(points(point(there), point(here)))
    case("verified-crl-point", "verified 3", "the part that the leaf names", divided, crls=[crl((), scope(here))])
    case("verified-crl-point-own", "verified 3", "the part that has the issuer's name", crls=[crl((), scope(INTER))])
    case("verified-crl-point-case", "verified 3", "the same in capitals", divided, crls=[crl((), scope("CN=PART 1,O=SIGNET"))])
    case("crl-other-point", unknown, "another part", divided, crls=[crl((), scope("CN=Part 3"))])
    case("crl-point-unnamed", unknown, "a part, and the leaf names none", crls=[crl((), scope(here))])
    case("revoked-crl-other-point", "chain.revoked", "in the list of another part", divided,
         crls=[crl([revoked], scope("CN=Part 3")), crl((), scope(here))])
    case("crl-point-reasons", unknown, "the part that the leaf names for one reason",
         leaf(points(point(here, compromise))), crls=[crl((), scope(here))])
    case("verified-crl-point-reasons", "verified 3", "a part for one reason, and one for the others",
         leaf(points(point(here, compromise), point(there, others))), crls=[crl((), scope(here)), crl((), scope(there))])
    tail = seq(oid("2.5.4.3"), tlv(0x0C, b"Part"))
    case("verified-crl-relative", "verified 3", "a name that goes on where the issuer's ends, on one side",
         leaf(points(point(INTER + ",CN=Part"))), crls=[crl((), scope(relative=tail))])
    case("crl-point-issuer", unknown, "the leaf names the part for another issuer's list",
         leaf(points(point(here, issuer="CN=Other"))), crls=[crl((), scope(here))])
    case("crl-scope-not-critical", "crl.unsupported", "a part that is not critical", crls=[crl((), scope(holders=True, critical=False))])
    case("crl-scope-empty", "crl.malformed", "an empty issuing distribution point", crls=[crl((), scope())])
    case("crl-scope-two", "crl.malformed", "leaves alone and CAs alone", crls=[crl((), scope(holders=True, authorities=True))])
    case("crl-scope-false", "crl.malformed", "a false that is written although it is the default",
         crls=[crl((), scope(holders=True, extra=tlv(0x84, b"\0")))])
    case("crl-scope-reasons", "crl.malformed", "reasons with a trailing zero", crls=[crl((), scope(reasons=b"\x04\x60"))])
    for title, identifier in [("freshest", "2.5.29.46"), ("access", "1.3.6.1.5.5.7.1.1"), ("names", "2.5.29.18"),
                              ("authority", "2.5.29.35"), ("number", "2.5.29.20"), ("scope", "2.5.29.28"), ("delta", "2.5.29.27")]:
        case(f"crl-form-{title}", "crl.malformed", f"an extension of the list that is no DER: {title}",
             crls=[crl((), extension(identifier, b"malformed"), authority=False, number=False)])
    for title, identifier in [("reason", "2.5.29.21"), ("invalidity", "2.5.29.24"), ("issuer", "2.5.29.29")]:
        case(f"crl-entry-form-{title}", "crl.malformed", f"an extension of an entry that is no DER: {title}",
             crls=[crl([entry(5, before, None, extension(identifier, b"malformed"))])])
    case("crl-other-anchor", "crl.issuer", "a list by another root of the same name", leaf(issuer=ROOT, signer="root"),
         inters=[], anchors=[root(), root("other-root")], crls=[crl(issuer=ROOT, signer="other-root")])
    deltas(unknown, before, after, old)


def deltas(unknown, before, after, old):
    hold, free = entry(0x1001, before, HOLD), entry(0x1001, before, REMOVE)
    base = crl()
    case("crl-delta", unknown, "a delta list alone", crls=[crl((), delta(1))])
    case("verified-crl-delta", "verified 3", "a list and what has changed since", crls=[base, crl((), delta(7), number=9)])
    case("revoked-crl-delta", "chain.revoked", "revoked since", crls=[base, crl([entry(0x1001, before)], delta(7), number=9)])
    case("revoked-crl-delta-base", "chain.revoked", "revoked before",
         crls=[crl([entry(0x1001, before)]), crl((), delta(7), number=9)])
    case("verified-crl-delta-removed", "verified 3", "a hold that was taken back",
         crls=[crl([hold]), crl([free], delta(7), number=9)])
    case("revoked-crl-delta-removed", "chain.revoked", "a lost key is not found again",
         crls=[crl([entry(0x1001, before, KEY_COMPROMISE)]), crl([free], delta(7), number=9)])
    case("revoked-crl-delta-removal-earlier", "chain.revoked", "taken back before it was put on hold",
         crls=[crl([hold], number=9), crl([free], delta(7), number=8)])
    case("revoked-crl-delta-removal-stale", "chain.revoked", "taken back by a list that is stale",
         crls=[crl([hold]), crl([free], delta(7), number=9, **old)])
    case("revoked-crl-delta-stale", "chain.revoked", "revoked by a delta list that is stale",
         crls=[base, crl([entry(0x1001, before)], delta(7), number=9, **old)])
    case("verified-crl-delta-superseded", "verified 3", "a hold in a delta list, and a later list without",
         crls=[crl(number=9), crl([hold], delta(5), number=8)])
    case("verified-crl-delta-twice", "verified 3", "a hold in one delta list that the next takes back",
         crls=[base, crl([hold], delta(7), number=8), crl([free], delta(7), number=9)])
    case("crl-delta-gap", unknown, "what has changed since a list that is not there", crls=[base, crl((), delta(8), number=9)])
    case("crl-delta-scope", unknown, "what has changed in another part", crls=[base, crl((), scope(holders=True), delta(7), number=9)])
    case("verified-crl-delta-scope", "verified 3", "what has changed in a part of no concern",
         crls=[base, crl((), scope(authorities=True), delta(7), number=9)])
    case("crl-delta-list-stale", "crl.expired", "the list that a delta list adds to is stale",
         crls=[crl(**old), crl((), delta(7), number=9)])
    case("crl-delta-not-critical", "crl.unsupported", "a delta list that does not say so critically",
         crls=[base, crl((), delta(7, critical=False), number=9)])
    case("crl-delta-base", "crl.unsupported", "a delta list to a later list", crls=[base, crl((), delta(9), number=8)])
    case("verified-crl-delta-base-own", "verified 3", "a delta list to the list of its own number",
         crls=[crl(number=9), crl((), delta(9), number=9)])
    case("crl-delta-spoilt", "crl.signature", "a bit of the delta list's signature", crls=[base, crl((), delta(7), number=9, spoil=True)])


LISTS = "CN=Lists,O=Signet"


def indirect():
    """Lists by others than the certificate's issuer."""
    unknown, before = "crl.incomplete", "2026-11-01T00:00:00Z"
    here = "CN=Part 1,O=Signet"
    old = dict(made="2026-09-01T00:00:00Z", due="2026-10-01T00:00:00Z")
    signer = certificate(LISTS, "list-signer", ROOT, "root", [usage("cRLSign")], serial=0x2005)
    named = leaf(points(point(issuer=LISTS)))

    def indirect_case(title, verdict, why, entries=(), *more, of=named, extensions=(scope(indirect=True),), signers=(signer,),
                      anchors=None, **rest):
        case(title, verdict, why, of, inters=[inter(), *signers], anchors=anchors,
             crls=[crl(entries, *extensions, issuer=LISTS, signer=rest.pop("key", "list-signer"), **rest), *more])

    revoked = entry(0x1001, before, None, about(INTER))
    case("verified-crl-indirect-own", "verified 3", "a list that may be about other issuers' certificates, by the own issuer",
         crls=[crl((), scope(indirect=True))])
    indirect_case("verified-indirect", "verified 3", "a list by another, whom the leaf names")
    indirect_case("revoked-indirect", "chain.revoked", "the leaf is in it", [revoked])
    indirect_case("revoked-indirect-inherited", "chain.revoked", "an entry about the same issuer as the one before",
                  [entry(5, before, None, about(INTER)), entry(0x1001, before)])
    indirect_case("verified-indirect-default", "verified 3", "an entry without issuer is about the list's own", [entry(0x1001, before)])
    indirect_case("verified-indirect-other", "verified 3", "the serial number, of another issuer", [entry(0x1001, before, None, about(ROOT))])
    indirect_case("verified-indirect-unconcerned", "verified 3", "a list by another, whom the leaf does not name", of=leaf())
    indirect_case("revoked-indirect-not-named", "chain.revoked", "the leaf is in it, and does not name it", [revoked], of=leaf())
    indirect_case("crl-indirect-not-marked", unknown, "it does not say that it is about others' certificates", extensions=())
    indirect_case("crl-indirect-no-signer", "crl.issuer", "nobody knows its issuer's key", signers=())
    indirect_case("crl-indirect-not-allowed", "crl.issuer", "its issuer must not sign lists", signers=[
        certificate(LISTS, "list-signer", ROOT, "root", [usage("digitalSignature")], serial=0x2005)])
    indirect_case("crl-indirect-forged", "crl.signature", "made by a stranger in its issuer's name", key="stranger", authority=False)
    indirect_case("crl-indirect-spoilt", "crl.signature", "a bit of its signature", spoil=True)
    indirect_case("crl-indirect-stale", "crl.expired", "the next list was due", **old)
    other = certificate(LISTS, "list-signer", "CN=Other Root", "other-root", [usage("cRLSign")], serial=0x2005)
    indirect_case("crl-indirect-other-anchor", "crl.issuer", "its issuer is below another anchor", signers=[other],
                  anchors=[root(), root("other-root", "CN=Other Root")])
    indirect_case("crl-indirect-signer-revoked", "crl.issuer", "the certificate of its issuer was revoked", (),
                  crl([entry(0x2005, before)], issuer=ROOT, signer="root"))
    indirect_case("crl-indirect-signer-expired", "crl.issuer", "the certificate of its issuer has expired", signers=[
        certificate(LISTS, "list-signer", ROOT, "root", [usage("cRLSign")], serial=0x2005, end="2026-01-01T00:00:00Z")])
    indirect_case("verified-indirect-two", "verified 3", "two certificates with its issuer's name, the second is the right one",
                  signers=[certificate(LISTS, "stranger", ROOT, "root", [usage("cRLSign")], serial=0x2006), signer],
                  authority=False)
    indirect_case("verified-indirect-point", "verified 3", "the part that the leaf names",
                  of=leaf(points(point(here, issuer=LISTS))), extensions=[scope(here, indirect=True)])
    indirect_case("crl-indirect-other-point", unknown, "another part", of=leaf(points(point(here, issuer=LISTS))),
                  extensions=[scope("CN=Part 2,O=Signet", indirect=True)])
    indirect_case("verified-indirect-relative", "verified 3", "a name that goes on where that of the list's issuer ends",
                  of=leaf(points(point(relative=seq(oid("2.5.4.3"), tlv(0x0C, b"Part")), issuer=LISTS))),
                  extensions=[scope(LISTS + ",CN=Part", indirect=True)])
    indirect_case("crl-indirect-reasons", unknown, "the leaf names it for one reason", of=leaf(points(point(reasons=b"\x05\x60", issuer=LISTS))))
    indirect_case("verified-indirect-reasons", "verified 3", "the leaf names it for one reason, and its issuer has a list for all", (),
                  crl(), of=leaf(points(point(reasons=b"\x05\x60", issuer=LISTS))))
    indirect_case("revoked-indirect-delta", "chain.revoked", "a delta list by another", (),
                  crl([revoked], scope(indirect=True), delta(7), issuer=LISTS, signer="list-signer", number=9))
    indirect_case("crl-indirect-issuer-not-critical", "crl.unsupported", "an entry that does not say critically whom it is about",
                  [entry(5, before, None, about(INTER, critical=False))])
    indirect_case("crl-indirect-issuer-uri", "crl.unsupported", "an entry whose certificate issuer is a URI",
                  [entry(5, before, None, about(uri("http://x")))])
    case("crl-entry-issuer", "crl.unsupported", "an entry about another issuer's certificate in a list that is about its own",
         crls=[crl([entry(5, before, None, about(ROOT))])])
    case("verified-indirect-missing", "verified 3", "the leaf names another's list, which was not given", named)


def main():
    for name, certificate in ("leaf", leaf()), ("intermediate", inter()), ("root", root()):
        cases.share(f"{name}.pem", pem("CERTIFICATE", [certificate]))
    for add in [paths, leaves, issuers, forms, anchors, extensions, strengths, names, times, lists, parts, indirect]:
        add()
    cases.write()


if __name__ == "__main__":
    main()
