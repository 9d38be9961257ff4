#!/usr/bin/env python3
"""Writes python-tuf.json: what python-tuf says of hash bins, hash prefixes, path patterns, canonical JSON and key IDs.

Another implementation computes the expected values, so that a wrong idea of ours does not test itself.
Needs: pip install tuf==7.0.0 'securesystemslib[crypto]==1.4.0'
"""
import hashlib
import json
import pathlib

from securesystemslib.formats import encode_canonical
from tuf.api.metadata import DelegatedRole, SuccinctRoles

PATHS = [
    "a", "b", "file.txt", "dir/file.txt", "com.example.player/1.0.0/player.zip", "Ünïcödé/パス", "a b", "", "x" * 300,
    "../a", "/a", "%61", "A",
]
BITS = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 20, 24, 31, 32]
PATTERNS = [
    "*", "?", "*/*", "a", "A", "*.txt", "dir/*", "dir/?ile.*", "dir/file.tx?", "file.tx?", "[a-f]*", "[!a-f]*", "[ab]",
    "[]a]", "[a", "[!]a]", "[a-]", "*a*", "**", "", "/*", "../*", "com.example.*/*/*.zip", "com.example.*", "Ün?c*/*", "a?b",
    "x*x", "[z-a]",
]
VALUES = [
    '{}', '[]', '{"b":1,"a":[true,false,null]}', '{"é":1,"z":2,"e\\u0301":3,"\\ud83d\\ude00":4,"\\uffff":5}',
    '"line\\nfeed\\ttab\\u0000nul"', '"quote \\" and backslash \\\\ and slash \\/"', '-5', '9007199254740991',
    '{"":{"":{}}}', '["\\u007f\\u0080\\u2028"]', '{"a":"-----BEGIN PUBLIC KEY-----\\nAAAA\\n"}',
]


def prefixes_of(path):
    digest = hashlib.sha256(path.encode()).hexdigest()
    return [[digest[:2]], [digest], [digest[:1], "00"], [digest + "0"], [digest[:3].upper()], [""], [], ["zz", digest[:5]]]


result = {
    "bins": [
        {"path": path, "bits": bits, "name": SuccinctRoles([], 1, bits, "bin").get_role_for_target(path)}
        for path in PATHS for bits in BITS
    ],
    "prefixes": [
        {"path": path, "prefixes": prefixes,
         "matches": DelegatedRole("r", [], 1, False, None, prefixes).is_delegated_path(path)}
        for path in PATHS for prefixes in prefixes_of(path)
    ],
    "patterns": [
        {"path": path, "pattern": pattern,
         "matches": DelegatedRole("r", [], 1, False, [pattern]).is_delegated_path(path)}
        for path in PATHS for pattern in PATTERNS
    ],
    "canonical": [
        {"json": value, "utf8": encode_canonical(json.loads(value)).encode().hex()} for value in VALUES
    ],
}
text = json.dumps(result, indent=1, ensure_ascii=True) + "\n"
pathlib.Path(__file__).with_name("python-tuf.json").write_text(text)
