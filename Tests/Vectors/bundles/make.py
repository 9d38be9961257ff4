#!/usr/bin/env python3
"""Makes the list of bundles anew: one fault a case.

Needs only the openssl program and the published test keys in keys/.

  plugin.bin                 the artifact (another name where the case is about the name)
  plugin.bin.sigstore.json   the bundle beside it, or .sigstore.jsonl with a bundle a line
  type, name                 what the caller expects, where that is not the default
  expected                   "verified", or the code of the first reason and, where there is one, of its cause

Signing Ed25519 is deterministic and the times are fixed, so running it again changes nothing.
"""

import base64
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from vectors import Cases  # noqa: E402

KEYS = HERE.parents[2] / "keys"
ARTIFACT = b"a plugin, for what it is worth\n" * 7
IN_TOTO = "application/vnd.in-toto+json"
FILE = "urn:signet:file:v1"
V03 = "application/vnd.dev.sigstore.bundle.v0.3+json"


def fsverity(data):
    """The digest of a file (Documentation/filesystems/fsverity.rst)."""
    root, level = bytes(32), data
    while level:
        hashes = [hashlib.sha256(level[at:at + 4096].ljust(4096, b"\0")).digest() for at in range(0, len(level), 4096)]
        root, level = hashes[0], b"".join(hashes) if len(hashes) > 1 else b""
    descriptor = struct.pack("<BBBBIQ", 1, 1, 12, 0, 0, len(data)) + root
    return "sha256:" + hashlib.sha256(descriptor.ljust(256, b"\0")).hexdigest()


def key_id(name):
    der = subprocess.check_output(["openssl", "pkey", "-pubin", "-in", KEYS / f"{name}.pub", "-outform", "DER"])
    wire = b"".join(struct.pack(">I", len(part)) + part for part in (b"ssh-ed25519", der[-32:]))
    return "SHA256:" + base64.b64encode(hashlib.sha256(wire).digest()).decode().rstrip("=")


MAIN, OTHER = "insecure-test-ed25519", "insecure-test-encrypted"
MAIN_ID, OTHER_ID = key_id(MAIN), key_id(OTHER)


def sign(message, key=MAIN):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "message")
        path.write_bytes(message)
        return subprocess.check_output(
            ["openssl", "pkeyutl", "-sign", "-rawin", "-in", path, "-inkey", KEYS / key,
             "-passin", "pass:correct horse battery staple"])


def pae(payload, kind=IN_TOTO):
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def b64(data):
    return base64.b64encode(data).decode()


def statement(artifact=ARTIFACT, **changes):
    value = {
        "_type": "https://in-toto.io/Statement/v1",
        "predicateType": FILE,
        "subject": [{"name": "plugin.bin", "digest": {"sha256": hashlib.sha256(artifact).hexdigest()}}],
        "predicate": {
            "size": len(artifact), "fsverity": fsverity(artifact), "signedAt": "2026-01-02T03:04:05Z"},
    }
    value.update(changes)
    return value


def predicate(**changes):
    value = dict(statement()["predicate"])
    value.update(changes)
    return {name: each for name, each in value.items() if each is not None}


def subject(**changes):
    value = dict(statement()["subject"][0])
    value.update(changes)
    return [value]


def bundle(payload=None, key=MAIN, claim=MAIN_ID, signature=None):
    payload = canonical(statement()) if payload is None else payload
    signature = sign(pae(payload), key) if signature is None else signature
    return {
        "mediaType": V03,
        "verificationMaterial": {"publicKey": {"hint": claim}, "tlogEntries": []},
        "dsseEnvelope": {
            "payload": b64(payload), "payloadType": IN_TOTO, "signatures": [{"keyid": claim, "sig": b64(signature)}]},
    }


def edited(edit, value=None):
    value = bundle() if value is None else value
    edit(value)
    return value


def said(value):
    """A bundle that truly signs another statement."""
    return bundle(canonical(value))


def flipped(data, bit=0):
    data = bytearray(data)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


cases = Cases("bundles")


def case(name, expected, why, content, artifact=ARTIFACT, called="plugin.bin", kind=None, expect_name=None):
    """Adds a case. `content` is a bundle, a list of them for .jsonl, raw bytes, or None for no signature."""
    inputs = {called: artifact}
    beside = f"{called}.sigstore.json"
    if isinstance(content, dict):
        inputs[beside] = canonical(content) + b"\n"
    elif isinstance(content, list):
        lines = [each if isinstance(each, bytes) else canonical(each) for each in content]
        inputs[beside + "l"] = b"".join(line + b"\n" for line in lines)
    elif content is not None:
        inputs[beside] = content
    if kind:
        inputs["type"] = kind.encode()
    if expect_name:
        inputs["name"] = expect_name.encode()
    cases.add(name, expected, why, inputs)


def make_accepted():
    case("accepted-plain", "verified", "The bundle as Signet writes it.", bundle())
    case("accepted-indented", "verified", "JSON need not be canonical outside the payload.",
         json.dumps(bundle(), indent=2).encode())
    case("accepted-two-signers", "verified", "Two signers over the same payload, a bundle a line.",
         [bundle(key=OTHER, claim=OTHER_ID), bundle()])
    case("accepted-with-stranger", "verified", "A stranger's bundle beside a trusted one does no harm.",
         [bundle(key=OTHER, claim=OTHER_ID, payload=canonical(statement(b"else"))), bundle()])
    case("accepted-lines-in-json", "verified", "A bundle a line in a file that ends in .json.",
         canonical(bundle(key=OTHER, claim=OTHER_ID)) + b"\n" + canonical(bundle()) + b"\n")
    for name, kind in (("v01", "+json;version=0.1"), ("v02", "+json;version=0.2"), ("v03", "+json;version=0.3")):
        case(f"accepted-media-type-{name}", "verified", "An older spelling of the media type.",
             edited(lambda b: b.update(mediaType="application/vnd.dev.sigstore.bundle" + kind)))
    case("accepted-other-hint", "verified", "A hint of another program's making says nothing.",
         bundle(claim="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"))
    case("accepted-no-hint", "verified", "Neither hint nor keyid.",
         edited(lambda b: (b["dsseEnvelope"]["signatures"][0].pop("keyid"),
                           b["verificationMaterial"]["publicKey"].pop("hint"))))
    case("accepted-no-log-entries", "verified", "protojson leaves empty lists out.",
         edited(lambda b: b["verificationMaterial"].pop("tlogEntries")))
    entry = {"logIndex": "7", "logId": {"keyId": b64(b"log")}, "kindVersion": {"kind": "dsse", "version": "0.0.1"},
             "integratedTime": "1767323045", "inclusionPromise": {"signedEntryTimestamp": b64(b"set")},
             "inclusionProof": {"logIndex": "7", "rootHash": b64(b"root"), "treeSize": "8", "hashes": [b64(b"hash")],
                                "checkpoint": {"envelope": "log\n8\nroot\n"}}, "canonicalizedBody": b64(b"body")}
    case("accepted-log-entry", "verified", "A log entry is parsed and reported as not checked.",
         edited(lambda b: b["verificationMaterial"].update(tlogEntries=[entry])))
    case("accepted-timestamp", "verified", "A timestamp is parsed and reported as not checked.",
         edited(lambda b: b["verificationMaterial"].update(
             timestampVerificationData={"rfc3161Timestamps": [{"signedTimestamp": b64(b"der")}]})))
    case("accepted-not-after", "verified", "The statement holds for some time yet.",
         said(statement(predicate=predicate(notAfter="2026-12-31T23:59:59Z"))))
    foreign = {"_type": "https://in-toto.io/Statement/v0.1", "predicateType": "https://slsa.dev/provenance/v0.2",
               "subject": subject(), "predicate": {"ratio": 0.25, "z": None, "a": [True, {}]}}
    case("accepted-foreign-type", "verified", "Another program's statement, indented and with numbers of its own.",
         bundle(json.dumps(foreign, indent=1).encode()), kind="https://slsa.dev/provenance/v0.2")
    case("accepted-renamed", "verified", "The caller says what the statement calls the file.",
         bundle(), called="renamed.bin", expect_name="plugin.bin")
    case("accepted-sixteen", "verified", "As many bundles as there may be.", [bundle()] * 16)
    case("accepted-many-log-entries", "verified", "As many log entries as there may be.",
         edited(lambda b: b["verificationMaterial"].update(tlogEntries=[entry] * 32)))
    case("accepted-empty-file", "verified", "An empty file is a file.",
         said(statement(subject=subject(digest={"sha256": hashlib.sha256(b"").hexdigest()}), predicate=predicate(
             size=0, fsverity="sha256:3d248ca542a24fc62d1c43b916eae5016878e2533c88238480b26128a1f1af95"))),
         artifact=b"")


def make_malformed():
    good = canonical(bundle())
    text = good.decode()

    def bad(name, cause, why, content):
        case(f"malformed-{name}", f"signature.malformed {cause}", why, content)

    bad("empty", "json.syntax", "An empty file is no signature, and not the absence of one.", b"")
    bad("space", "json.syntax", "Nothing but white space.", b" \n")
    bad("text", "json.syntax", "Not JSON.", b"untrusted comment: signature\n")
    bad("truncated", "json.syntax", "The second half is missing.", good[:len(good) // 2])
    bad("trailing-comma", "json.syntax", "JSON has no comma before a closing brace.", good[:-1] + b",}")
    bad("trailing-data", "json.syntax", "Something follows the bundle.", good + b"x")
    bad("comment", "json.syntax", "JSON has no comments.", good[:1] + b"/**/" + good[1:])
    bad("byte-order-mark", "json.encoding", "A byte-order mark in front.", b"\xef\xbb\xbf" + good)
    bad("utf-16", "json.encoding", "UTF-16.", text.encode("utf-16"))
    bad("overlong-utf-8", "json.encoding", "An overlong form of the slash.", good.replace(b"application/", b"application\xc0\xaf", 1))
    bad("half-surrogate", "json.syntax", "Half a surrogate pair in an escape.", good.replace(b"SHA256:", b"\\ud800", 1))
    bad("duplicate-name", "json.duplicate-name", "Two payloads: one reader takes the first, another the last.",
        text.replace('"payload":', '"payload":"e30=","payload":', 1).encode())
    bad("duplicate-name-escaped", "json.duplicate-name", "The same, with one name in escapes.",
        text.replace('"payload":', '"p\\u0061yload":"e30=","payload":', 1).encode())
    bad("deep", "json.bounds", "Nested deeper than any bundle.", b"[" * 10_000)
    bad("number", "json.number", "A number no reader holds exactly.", b'{"mediaType":9007199254740993}')
    bad("list", "json.wrong-value", "A list instead of an object.", b"[" + good + b"]")
    bad("no-media-type", "json.missing-field", "No media type.", edited(lambda b: b.pop("mediaType")))
    bad("no-envelope", "json.missing-field", "No envelope.", edited(lambda b: b.pop("dsseEnvelope")))
    bad("no-material", "json.missing-field", "No verification material.", edited(lambda b: b.pop("verificationMaterial")))
    bad("payload-object", "json.wrong-value", "A payload that is not text.",
        edited(lambda b: b["dsseEnvelope"].update(payload=statement())))
    bad("log-index-number", "json.wrong-value", "protojson writes int64 as text.",
        edited(lambda b: b["verificationMaterial"].update(tlogEntries=[{"logIndex": 7}])))
    bad("log-index-sign", "json.wrong-value", "A number as text has one form.",
        edited(lambda b: b["verificationMaterial"].update(tlogEntries=[{"logIndex": "+7"}])))

    def signature_text(change):
        def edit(value):
            signature = value["dsseEnvelope"]["signatures"][0]
            signature["sig"] = change(signature["sig"])
        return edited(edit)

    bad("base64-url", "base64.malformed", "The URL alphabet.",
        edited(lambda b: b["dsseEnvelope"].update(payload=b64(b"\xfb\xff\xfe").replace("+", "-").replace("/", "_"))))
    bad("base64-unpadded", "base64.malformed", "Padding is missing.", signature_text(lambda s: s.rstrip("=")))
    bad("base64-bits", "base64.malformed", "Bits behind the end are set: another text for the same signature.",
        signature_text(lambda s: s[:-3] + chr(ord(s[-3]) + 1) + "=="))
    bad("base64-space", "base64.malformed", "A line break within.", signature_text(lambda s: s[:4] + "\n" + s[4:]))
    bad("signature-empty", "json.wrong-value", "An empty signature.", signature_text(lambda s: ""))
    bad("signature-long", "json.wrong-value", "Longer than any signature.", signature_text(lambda s: b64(bytes(2048))))
    bad("hint-long", "json.wrong-value", "A hint of 2 KiB.",
        edited(lambda b: b["verificationMaterial"]["publicKey"].update(hint="x" * 2048)))
    bad("log-entries", "json.wrong-value", "More log entries than are read.",
        edited(lambda b: b["verificationMaterial"].update(tlogEntries=[{}] * 33)))
    bad("timestamps", "json.wrong-value", "More timestamps than are read.",
        edited(lambda b: b["verificationMaterial"].update(
            timestampVerificationData={"rfc3161Timestamps": [{"signedTimestamp": ""}] * 33})))
    bad("chain-long", "json.wrong-value", "More certificates than are read.",
        edited(lambda b: b.update(verificationMaterial={
            "x509CertificateChain": {"certificates": [{"rawBytes": b64(b"der")}] * 9}})))
    bad("chain-empty", "json.wrong-value", "A chain without certificates.",
        edited(lambda b: b.update(verificationMaterial={"x509CertificateChain": {"certificates": []}})))
    bad("blank-line", "json.syntax", "A blank line between two bundles.", [bundle(), b"", bundle(key=OTHER, claim=OTHER_ID)])
    bad("beside-good", "json.syntax", "A damaged bundle beside a good one is not ignored.", [bundle(), b"{"])


def make_bundle_faults():
    def unknown(name, edit):
        case(f"bundle-unknown-field-{name}", "bundle.unknown-field", "A field nobody looks at.", edited(edit))

    unknown("top", lambda b: b.update(extra=1))
    unknown("snake-case", lambda b: b.update(media_type=V03))
    unknown("material", lambda b: b["verificationMaterial"].update(extra={}))
    unknown("public-key", lambda b: b["verificationMaterial"]["publicKey"].update(rawBytes=b64(b"key")))
    unknown("envelope", lambda b: b["dsseEnvelope"].update(extra=""))
    unknown("signature", lambda b: b["dsseEnvelope"]["signatures"][0].update(cert="-----BEGIN"))
    case("bundle-media-type", "bundle.media-type", "A version that is not known.",
         edited(lambda b: b.update(mediaType="application/vnd.dev.sigstore.bundle.v0.4+json")))
    case("bundle-media-type-case", "bundle.media-type", "The media type in capitals.",
         edited(lambda b: b.update(mediaType=V03.upper())))
    message = {"messageDigest": {"algorithm": "SHA2_256", "digest": b64(hashlib.sha256(ARTIFACT).digest())},
               "signature": b64(sign(ARTIFACT))}
    case("bundle-message-signature", "bundle.message-signature", "A signature over the bare file.",
         edited(lambda b: (b.pop("dsseEnvelope"), b.update(messageSignature=message))))
    case("bundle-both-contents", "bundle.message-signature", "Two contents.",
         edited(lambda b: b.update(messageSignature=message)))
    case("bundle-two-materials", "bundle.verification-material", "Key and certificate at once.",
         edited(lambda b: b["verificationMaterial"].update(certificate={"rawBytes": b64(b"der")})))
    case("bundle-no-signer", "bundle.verification-material", "No kind of signer.",
         edited(lambda b: b["verificationMaterial"].pop("publicKey")))
    case("bundle-null-material", "bundle.verification-material", "A signer that is null is none, as in ProtoJSON.",
         edited(lambda b: b["verificationMaterial"].update(publicKey=None)))
    case("bundle-too-many", "bundle.count", "Seventeen bundles.", [bundle()] * 17)
    case("envelope-payload-type", "envelope.payload-type", "Another payload type.",
         edited(lambda b: b["dsseEnvelope"].update(payloadType="text/plain")))
    case("envelope-no-signature", "envelope.signature-count", "No signature.",
         edited(lambda b: b["dsseEnvelope"].update(signatures=[])))
    case("envelope-two-signatures", "envelope.signature-count", "Two signatures in one envelope.",
         edited(lambda b: b["dsseEnvelope"].update(signatures=b["dsseEnvelope"]["signatures"] * 2)))


def make_signature_faults():
    good = canonical(statement())
    signature = sign(pae(good))
    case("signature-missing", "signature.missing", "No bundle stands beside the file.", None)
    case("signature-bit", "signature.invalid", "A bit of the signature was changed.",
         bundle(signature=flipped(signature, 77)))
    case("signature-payload-bit", "signature.invalid", "A bit of the payload was changed.",
         bundle(flipped(good, 400), signature=signature))
    case("signature-other-key", "signature.invalid", "Another key's signature under the trusted key's name.",
         bundle(key=OTHER))
    case("signature-other-key-keyid", "signature.invalid", "The envelope alone claims the trusted key.",
         edited(lambda b: b["verificationMaterial"].update(publicKey={"hint": OTHER_ID}), bundle(key=OTHER)))
    case("signature-bare-payload", "signature.invalid", "Signed without the pre-authentication encoding.",
         bundle(signature=sign(good)))
    case("signature-other-encoding", "signature.invalid", "Signed for another payload type.",
         bundle(signature=sign(pae(good, "text/plain"))))
    order = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")
    grown = (int.from_bytes(signature[32:], "little") + int.from_bytes(order, "little")).to_bytes(32, "little")
    case("signature-malleable", "signature.invalid", "The same signature with the group's order added to S.",
         bundle(signature=signature[:32] + grown))
    case("signature-bad-beside-good", "signature.invalid", "A bad signature in the trusted key's name beside a good one.",
         [bundle(), bundle(signature=flipped(signature))])
    case("signer-stranger", "signer.untrusted", "A good signature by a key nobody trusts.",
         bundle(key=OTHER, claim=OTHER_ID))
    case("signer-stranger-without-hint", "signer.untrusted", "The same without a name.", bundle(key=OTHER, claim=""))
    case("signer-certificate", "signer.certificate", "A certificate where only a key is trusted.",
         edited(lambda b: b.update(verificationMaterial={"certificate": {"rawBytes": b64(b"der")}, "tlogEntries": []})))
    case("signer-certificate-chain", "signer.certificate", "A chain where only a key is trusted.",
         edited(lambda b: b.update(verificationMaterial={
             "x509CertificateChain": {"certificates": [{"rawBytes": b64(b"der")}]}, "tlogEntries": []})))


def make_statement_faults():
    def bad(name, code, why, payload, **more):
        case(f"statement-{name}", code, why, bundle(payload), **more)

    digest = statement()["subject"][0]["digest"]["sha256"]
    text = canonical(statement()).decode()
    bad("text", "statement.malformed json.syntax", "Not JSON, and truly signed.", b"hello")
    bad("list", "statement.malformed", "A list.", b"[]")
    bad("duplicate-name", "statement.malformed json.duplicate-name", "Two predicates.",
        text.replace('"predicate":', '"predicate":{},"predicate":', 1).encode())
    bad("indented", "statement.not-canonical", "Ours must be written canonically.", json.dumps(statement()).encode())
    bad("line-end", "statement.not-canonical", "A line end behind it.", canonical(statement()) + b"\n")
    bad("escape", "statement.not-canonical", "An escape that is not needed.", text.replace("plugin", "plu\\u0067in", 1).encode())
    bad("unknown-field", "statement.unknown-field", "A field nobody looks at.", canonical(statement(extra=1)))
    bad("unknown-predicate-field", "statement.unknown-field", "The same in the predicate.",
        canonical(statement(predicate=predicate(extra=1))))
    bad("unknown-subject-field", "statement.unknown-field", "The same in the subject.",
        canonical(statement(subject=subject(uri="https://example.com/"))))
    bad("type", "statement.type", "Another type of statement.", canonical(statement(_type="https://in-toto.io/Link/v1")))
    bad("type-v01", "statement.type", "Our types are statements of version 1.",
        canonical(statement(_type="https://in-toto.io/Statement/v0.1")))
    bad("no-type", "statement.malformed", "No type.", canonical({k: v for k, v in statement().items() if k != "_type"}))
    bad("no-subject", "statement.subject-count", "No subject.", canonical(statement(subject=[])))
    bad("two-subjects", "statement.subject-count", "Two subjects.", canonical(statement(subject=subject() * 2)))
    bad("digest-short", "statement.digest-length", "A digest cut short.",
        canonical(statement(subject=subject(digest={"sha256": digest[:-2]}))))
    bad("digest-long", "statement.digest-length", "A digest too long.",
        canonical(statement(subject=subject(digest={"sha256": digest + "00"}))))
    bad("digest-capitals", "statement.digest-form", "A digest in capitals.",
        canonical(statement(subject=subject(digest={"sha256": digest.upper()}))))
    bad("digest-base64", "statement.digest-form", "64 characters that are not hexadecimal.",
        canonical(statement(subject=subject(digest={"sha256": "x" * 64}))))
    bad("digest-sha512", "statement.digest-algorithm", "Another algorithm.",
        canonical(statement(subject=subject(digest={"sha512": hashlib.sha512(ARTIFACT).hexdigest()}))))
    bad("digest-two", "statement.digest-algorithm", "Another algorithm beside it.",
        canonical(statement(subject=subject(digest={"sha256": digest, "sha1": "0" * 40}))))
    bad("digest-none", "statement.digest-algorithm", "No digest.", canonical(statement(subject=subject(digest={}))))
    bad("fsverity-bare", "statement.digest-form", "The tree digest without its prefix.",
        canonical(statement(predicate=predicate(fsverity=fsverity(ARTIFACT)[7:]))))
    bad("fsverity-capitals", "statement.digest-form", "The tree digest in capitals.",
        canonical(statement(predicate=predicate(fsverity="sha256:" + fsverity(ARTIFACT)[7:].upper()))))
    bad("no-size", "statement.malformed", "No size.", canonical(statement(predicate=predicate(size=None))))
    bad("size-negative", "statement.malformed", "A negative size.", canonical(statement(predicate=predicate(size=-1))))
    bad("size-fraction", "statement.malformed", "A size with a fraction.",
        text.replace(f'"size":{len(ARTIFACT)}', f'"size":{len(ARTIFACT)}.0').encode())
    bad("size-text", "statement.malformed", "A size as text.",
        canonical(statement(predicate=predicate(size=str(len(ARTIFACT))))))
    bad("no-signed-at", "statement.malformed", "No date.", canonical(statement(predicate=predicate(signedAt=None))))
    bad("signed-at-offset", "statement.malformed", "A date in another form.",
        canonical(statement(predicate=predicate(signedAt="2026-01-02T03:04:05+00:00"))))
    bad("signed-at-day", "statement.malformed", "The thirtieth of February.",
        canonical(statement(predicate=predicate(signedAt="2026-02-30T03:04:05Z"))))
    bad("expired", "statement.expired", "The statement holds no longer.",
        canonical(statement(predicate=predicate(notAfter="2026-06-30T23:59:59Z"))))
    bad("foreign-type", "statement.predicate-type", "Another program's type, and nobody asked for it.",
        canonical(statement(predicateType="https://slsa.dev/provenance/v1")))
    bad("other-foreign-type", "statement.predicate-type", "Another type than the one asked for.",
        canonical(statement()), kind="https://slsa.dev/provenance/v1")
    dated = {"signedAt": "2026-01-02T03:04:05Z"}
    manifest = statement(predicate={"identifier": "com.example.player", "sequence": 1, "size": 9, **dated})
    directory = statement(predicate={"listing": [], **dated}, subject=subject(
        digest={"sha256": hashlib.sha256(b"[]").hexdigest()}))
    module = statement(predicate={
        "module": {"identifier": "com.example.player", "version": "1.0.0", "sequence": 1},
        "contents": [{"path": "module.json", "type": "file", "mode": "0644", "size": 0,
                      "sha256": hashlib.sha256(b"").hexdigest()}],
        "archive": {"format": "zip", "size": 1, "fsverity": "sha256:" + hashlib.sha256(b"").hexdigest()}, **dated})
    for kind, value in (("directory", directory), ("module", module), ("host-manifest", manifest)):
        bad(f"own-type-{kind}", "statement.predicate-type", "One of our types never passes for a foreign one.",
            canonical({**value, "predicateType": f"urn:signet:{kind}:v1"}), kind=f"urn:signet:{kind}:v1")
        bad(f"own-type-{kind}-as-file", "statement.predicate-type", "Nor for a file's.",
            canonical({**value, "predicateType": f"urn:signet:{kind}:v1"}))
    bad("foreign-list", "statement.malformed", "A foreign predicate that is no object.",
        canonical(statement(predicateType="https://example.com/p", predicate=[])), kind="https://example.com/p")
    bad("name", "subject.name-mismatch", "About a file of another name.", canonical(statement(subject=subject(name="other.bin"))))
    bad("name-path", "subject.name-mismatch", "About a path.", canonical(statement(subject=subject(name="./plugin.bin"))))
    bad("name-kelvin", "subject.name-mismatch", "The Kelvin sign is not the letter K.",
        canonical(statement(subject=subject(name="\u212ait.bin"))), called="Kit.bin")
    bad("name-decomposed", "subject.name-mismatch", "Equal only after normalisation.",
        canonical(statement(subject=subject(name="plu\u0308gin.bin"))), expect_name="pl\u00fcgin.bin")


def make_digest_faults():
    changed = bytearray(ARTIFACT)
    changed[100] ^= 1
    case("digest-bit", "digest.mismatch", "A bit of the file was changed.", bundle(), artifact=bytes(changed))
    case("digest-longer", "digest.mismatch", "A byte was added.", bundle(), artifact=ARTIFACT + b"\0")
    case("digest-shorter", "digest.mismatch", "A byte was taken away.", bundle(), artifact=ARTIFACT[:-1])
    case("digest-empty", "digest.mismatch", "Nothing is left of the file.", bundle(), artifact=b"")
    case("digest-size", "digest.mismatch", "The signed size is another.", said(statement(predicate=predicate(size=1))))
    case("digest-fsverity", "digest.mismatch", "The signed tree digest is another file's.",
         said(statement(predicate=predicate(fsverity=fsverity(b"else")))))
    foreign = statement(b"else", predicateType="https://slsa.dev/provenance/v1", predicate={})
    case("digest-foreign", "digest.mismatch", "A foreign statement about another file.",
         bundle(canonical(foreign)), kind="https://slsa.dev/provenance/v1")


if __name__ == "__main__":
    cases.share("plugin.bin", ARTIFACT)
    cases.share("plugin.bin.sigstore.json", canonical(bundle()) + b"\n")
    make_accepted()
    make_malformed()
    make_bundle_faults()
    make_signature_faults()
    make_statement_faults()
    make_digest_faults()
    cases.write()
