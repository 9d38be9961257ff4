#!/usr/bin/env python3
"""Makes the list of policies anew: one fault a case.

Needs only the openssl program and the published test keys in keys/.

  policy.json   the policy
  expected      "sound", or the code of the complaint and, where it is known, its line and column (L:C)
"""

import base64
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from vectors import Cases  # noqa: E402

KEYS = HERE.parents[2] / "keys"


def key(name):
    return base64.b64encode(
        subprocess.check_output(["openssl", "pkey", "-pubin", "-in", KEYS / f"{name}.pub", "-outform", "DER"])).decode()


ED, RSA2048, P256 = key("insecure-test-ed25519"), key("insecure-test-rsa2048"), key("insecure-test-p256")
KEY_ID = "SHA256:t4zZ/PiJ5G+RW1h5HioQB81YtrcEWj1VVtROKj/kUJY"


def entry(name="one", **fields):
    return {"name": name, "key": ED, "modules": ["com.example.**"], **fields}


def policy(*entries, **fields):
    return {"version": 1, "entries": list(entries or [entry()]), **fields}


def revoked(**fields):
    return policy(revoked=[{"reason": "lost", **fields}])


cases = Cases("policies")


def case(name, content, expected, why):
    text = content if isinstance(content, (str, bytes)) else json.dumps(content, indent=1, ensure_ascii=False)
    cases.add(name, expected, why, {"policy.json": text if isinstance(text, bytes) else text.encode()})


# What is sound.
case("sound-empty", {"version": 1, "entries": []}, "sound", "nobody is trusted")
case("sound-key", policy(), "sound", "one key for the modules of one publisher")
case("sound-uris", policy(entry(uris=["https://example.com/", "ui://*"])), "sound", "URI patterns")
case("sound-no-scope", policy({"name": "one", "key": ED}), "sound", "an entry that may speak for nothing")
case("sound-window", policy(entry(validFrom="2026-01-01T00:00:00Z", validUntil="2027-01-01T00:00:00Z")), "sound",
     "an entry for a year")
case("sound-formats", policy(entry(formats=["dsse"])), "sound", "the format is named")
case("sound-formats-of-others", policy(entry(formats=["minisign", "minisign:E7620F1842B4E81F", "signify", "ssh:git", "raw"])), "sound",
     "the formats of other programs")
case("sound-threshold", policy(entry(), entry("two", key=P256), threshold=2), "sound", "both of two")
case("sound-exact", policy(entry(), entry("two", key=P256), exact=True), "sound", "exactly these two")
case("sound-expires", policy(expires="2030-01-01T00:00:00Z"), "sound", "the policy has an end")
case("sound-rsa2048", policy(entry(key=RSA2048), strengths={"leastRSABits": 2048}), "sound", "old RSA keys, said so")
case("sound-revoked-key", revoked(key=KEY_ID), "sound", "a key")
case("sound-revoked-serial", revoked(serial="0a1b", issuer="CN=CA,O=Example", date="2026-01-01T00:00:00Z"), "sound",
     "a certificate")
case("sound-revoked-sha256", revoked(sha256="0" * 64), "sound", "an artifact")
case("sound-revoked-fsverity", revoked(fsverity="sha256:" + "0" * 64), "sound", "an artifact, by its tree digest")
case("sound-revoked-sequence", revoked(module="com.example.player", sequence=7), "sound", "a release")
case("sound-revoked-versions", revoked(module="com.example.player", versions=">=1.2.0 <1.4.3"), "sound", "versions")
case("sound-floors", policy(floors=[{"module": "com.example.player", "sequence": 3}]), "sound", "a floor")

# What is no JSON, or not this document.
case("json-empty", "", "policy.malformed 1:1", "an empty file")
case("json-not-an-object", "[]", "policy.malformed 1:1", "a list")
case("json-duplicate", '{"version":1,\n "entries":[],"version":1}', "policy.malformed 2:15", "a name twice")
case("json-byte-order-mark", b"\xef\xbb\xbf{}", "policy.malformed 1:1", "a byte-order mark")
case("json-trailing-comma", '{"version":1,"entries":[],}', "policy.malformed 1:27", "a trailing comma")
case("json-not-utf8", b'{"version":1,"entries":["\xff"]}', "policy.malformed 1:26", "not UTF-8")
case("version-missing", '{"entries":[]}', "policy.malformed 1:1", "no version")
case("version-other", '{"version":2,"entries":[]}', "policy.version 1:12", "a later version")
case("version-text", '{"version":"1","entries":[]}', "policy.malformed 1:12", "a text for a number")
case("entries-missing", '{"version":1}', "policy.malformed 1:1", "no entries")
case("entries-not-a-list", '{"version":1,"entries":{}}', "policy.malformed 1:24", "an object for a list")
case("unknown-field", '{"version":1,"entries":[],\n"thresold":2}', "policy.unknown-field 2:12", "a misspelt field")
case("unknown-field-in-entry", policy(entry(module="com.example.a")), "policy.unknown-field", "modules, misspelt")
case("unknown-field-in-revoked", revoked(key=KEY_ID, when="now"), "policy.unknown-field", "date, misspelt")
case("unknown-field-in-strengths", policy(strengths={"leastRSABits": 3072, "sha1": True}), "policy.unknown-field",
     "a strength nobody knows")

# Entries.
case("entry-no-kind", policy({"name": "one", "modules": ["**"]}), "policy.entry", "trusts nobody")
case("entry-two-kinds", policy(entry(authority={"certificates": [], "anyLeaf": True})), "policy.entry",
     "a key and an authority")
case("entry-no-name", policy({"key": ED, "modules": ["**"]}), "policy.malformed", "no name")
case("entry-empty-name", policy(entry("")), "policy.entry", "an empty name")
case("entry-name-with-control", policy(entry("a\u001b[2J")), "policy.entry", "a name that could move the cursor")
case("entry-duplicate-name", policy(entry(), entry(key=P256)), "policy.duplicate", "two entries of one name")
case("entry-window-inverted", policy(entry(validFrom="2027-01-01T00:00:00Z", validUntil="2026-01-01T00:00:00Z")),
     "policy.entry", "ends before it begins")
case("entry-window-malformed", policy(entry(validFrom="2027-01-01")), "policy.malformed", "a day, not a time")
case("entry-module-malformed", policy(entry(modules=["com.example.*x"])), "policy.malformed", "half a label")
case("entry-module-regular-expression", policy(entry(modules=["com\\.example\\..*"])), "policy.malformed",
     "a regular expression")
case("sound-files", policy(entry(modules=[], files=["*", "tool-*.deb", "*a*b*", "ä"])), "sound", "file patterns")
case("entry-file-empty", policy(entry(files=[""])), "policy.malformed", "a file pattern of no characters")
case("entry-file-slash", policy(entry(files=["a/b"])), "policy.malformed", "a file pattern with a slash")
case("entry-file-control", policy(entry(files=["a\u0007"])), "policy.malformed", "a file pattern with a control character")
case("entry-file-long", policy(entry(files=["a" * 256])), "policy.malformed", "a file pattern of 256 bytes")
case("entry-uri-malformed", policy(entry(uris=["https://example.com/../"])), "policy.malformed", "a URI with dots")
case("entry-uri-query", policy(entry(uris=["https://example.com/?a"])), "policy.malformed", "a URI with a query")
case("entry-format-unknown", policy(entry(formats=["pgp"])), "policy.malformed", "a format that is not verified")
case("entry-format-number", policy(entry(formats=["minisign:e7620f1842b4e81f"])), "policy.malformed", "a key number in small letters")
case("entry-format-short", policy(entry(formats=["signify:E7620F18"])), "policy.malformed", "a key number that is too short")
case("entry-format-namespace", policy(entry(formats=["ssh"])), "policy.malformed", "a format of OpenSSH without its namespace")
case("entry-format-namespaces", policy(entry(formats=["ssh:a,b"])), "policy.malformed", "two namespaces in one")
case("entry-format-digest", policy(entry(formats=["raw:md5"])), "policy.malformed", "a digest that is not accepted")
case("entry-format-of-key", policy(entry(formats=["raw:sha256"])), "policy.entry", "Ed25519 signs no digest")
case("entry-format-message", policy(entry(formats=["message"])), "policy.entry", "a key with the format of those whom others vouch for")
case("entry-formats-empty", policy(entry(formats=[])), "policy.entry", "no format at all")
case("entry-key-base64", policy(entry(key=ED[:-1])), "policy.malformed", "base64 without its padding")
case("entry-key-no-key", policy(entry(key="QUJD")), "key.malformed", "bytes that are no key")
case("entry-key-weak", policy(entry(key=RSA2048)), "policy.weak-key", "RSA with 2048 bits, and nobody said so")
case("authority-no-certificate", policy({"name": "one", "authority": {"certificates": [], "anyLeaf": True}}),
     "policy.entry", "an authority without certificates")
case("authority-nobody", policy({"name": "one", "authority": {"certificates": []}}), "policy.entry",
     "neither identities nor anyLeaf")
case("authority-both", policy({"name": "one", "authority": {
    "certificates": [], "identities": ["dns:example.com"], "anyLeaf": True}}), "policy.malformed", "names and anybody")
case("authority-identity-without-kind", policy({"name": "one", "authority": {
    "certificates": [], "identities": ["example.com"]}}), "policy.malformed", "which kind of name is not said")
case("authority-identity-twice", policy({"name": "one", "authority": {
    "certificates": [], "identities": ["dns:example.com", "dns:example.com"]}}), "policy.malformed",
    "one name would count twice")

# Requirements.
case("threshold-zero", policy(threshold=0), "policy.malformed", "nobody needed")
case("sound-unreachable", policy(threshold=2), "sound", "two of one: nothing verifies, as while it is being made")
case("threshold-and-exact", policy(threshold=1, exact=True), "policy.malformed", "both")
case("threshold-fraction", policy(threshold=1.5), "policy.malformed", "one and a half")
case("expires-malformed", policy(expires="tomorrow"), "policy.malformed", "no time")
case("strength-too-low", policy(strengths={"leastRSABits": 1024}), "policy.malformed", "RSA with 1024 bits")

# Revocations and floors.
case("revoked-nothing", revoked(), "policy.entry", "a reason alone")
case("revoked-two-things", revoked(key=KEY_ID, sha256="0" * 64), "policy.entry", "two things at once")
case("revoked-no-reason", policy(revoked=[{"key": KEY_ID}]), "policy.malformed", "no reason")
case("revoked-key-malformed", revoked(key="SHA256:abc"), "policy.malformed", "no key ID")
case("revoked-serial-capital", revoked(serial="0A1B"), "policy.malformed", "capital digits")
case("revoked-serial-padded", revoked(serial="000a1b"), "policy.malformed",
     "a zero byte in front, as in the DER: no certificate would be found by it")
case("revoked-sha256-short", revoked(sha256="00"), "policy.malformed", "a short digest")
case("revoked-fsverity-bare", revoked(fsverity="0" * 64), "policy.malformed", "a tree digest without its name")
case("revoked-sequence-without-module", revoked(sequence=7), "policy.malformed", "release 7 of what")
case("revoked-versions-malformed", revoked(module="com.example.player", versions="~1.2"), "policy.malformed",
     "another program's range")
case("floor-twice", policy(floors=[{"module": "com.example.a", "sequence": 1}, {"module": "com.example.a", "sequence": 2}]),
     "policy.duplicate", "two floors of one module")
case("floor-zero", policy(floors=[{"module": "com.example.a", "sequence": 0}]), "policy.malformed", "below the first")
case("floor-module-malformed", policy(floors=[{"module": "Player", "sequence": 1}]), "policy.malformed", "no identifier")

cases.write()
