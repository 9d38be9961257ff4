#!/usr/bin/env python3
"""Makes the list of host manifests anew: one fault a case, in the way of ../bundles/make.py.

A case has bundle.json, the bundle beside it, and `expected` as for bundles. What is expected is the manifest of
com.example.player, and none with a sequence below 5.
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "bundles"), str(HERE.parent)]
from make import OTHER, OTHER_ID, bundle, canonical, statement as file_statement  # noqa: E402
from vectors import Cases  # noqa: E402

MANIFEST = b'{"bundles":[],"version":"1"}\n'


def statement(content=MANIFEST, name="bundle.json", **changes):
    predicate = {"identifier": "com.example.player", "sequence": 5, "size": len(content), "signedAt": "2026-01-02T03:04:05Z", **changes}
    return {
        "_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:signet:host-manifest:v1",
        "subject": [{"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}],
        "predicate": {name: value for name, value in predicate.items() if value is not None}}


cases = Cases("manifests")


def case(name, expected, why, value=None, content=MANIFEST, made=None):
    made = made or bundle(canonical(statement() if value is None else value))
    cases.add(name, expected, why, {
        "bundle.json": content, "bundle.json.sigstore.json": canonical(made) + b"\n"})


case("accepted-plain", "verified", "A manifest as Signet signs it.")
case("accepted-newer", "verified", "A later one than the least.", statement(sequence=6))
case("accepted-greatest", "verified", "The greatest number.", statement(sequence=2**53 - 1))
case("accepted-not-json", "verified", "What is in it is not looked into.", statement(b"\xff"), content=b"\xff")
case("accepted-not-after", "verified", "The statement holds for some time yet.", statement(notAfter="2026-12-31T23:59:59Z"))
case("digest", "digest.mismatch", "Other bytes.", content=MANIFEST.replace(b"1", b"2"))
case("size", "digest.mismatch", "More bytes.", content=MANIFEST + b"\n")
case("size-of-others", "digest.mismatch", "The bytes that are signed, and a size that is not theirs.", statement(size=5))
case("size-negative", "statement.malformed", "No size.", statement(size=-1))
case("no-size", "statement.malformed", "Without a size.", statement(size=None))
case("identifier", "manifest.identifier-mismatch", "Another host's.", statement(identifier="com.example.other"))
case("identifier-prefix", "manifest.identifier-mismatch", "Another host's, that begins alike.",
     statement(identifier="com.example.player.beta"))
case("sequence-older", "policy.rollback", "Older than the least.", statement(sequence=4))
case("sequence-one", "policy.rollback", "The first of all.", statement(sequence=1))
case("sequence-zero", "statement.malformed", "No number of a manifest.", statement(sequence=0))
case("sequence-negative", "statement.malformed", "A negative number.", statement(sequence=-1))
case("sequence-large", "statement.malformed json.number", "Beyond what every reader holds.", statement(sequence=2**53))
case("sequence-text", "statement.malformed", "A number as a text.", statement(sequence="5"))
case("no-sequence", "statement.malformed", "No number.", statement(sequence=None))
case("no-identifier", "statement.malformed", "No host.", statement(identifier=None))
for name, text in (("capitals", "com.Example.player"), ("one-label", "player"), ("empty-label", "com..player"),
                   ("hyphen", "com.example.-player"), ("space", "com.example.player "), ("empty", ""),
                   ("not-ascii", "com.ex\u00e4mple"), ("long", "com." + "x" * 64), ("wildcard", "com.example.*")):
    case(f"identifier-{name}", "statement.malformed", f"The host {text!a}.", statement(identifier=text))
case("no-date", "statement.malformed", "No date.", statement(signedAt=None))
case("expired", "statement.expired", "The statement holds no longer.", statement(notAfter="2026-06-30T23:59:59Z"))
case("unknown-field", "statement.unknown-field", "A field nobody knows.", statement(version="1"))
case("name", "subject.name-mismatch", "About a file of another name.", statement(name="other.json"))
case("file", "statement.predicate-type", "About a file.", file_statement(
    MANIFEST, subject=[{"name": "bundle.json", "digest": {"sha256": hashlib.sha256(MANIFEST).hexdigest()}}]))
case("stranger", "signer.untrusted", "By nobody who is trusted.", made=bundle(canonical(statement()), OTHER, OTHER_ID))
cases.write()
