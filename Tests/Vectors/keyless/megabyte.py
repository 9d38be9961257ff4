#!/usr/bin/env python3
"""Makes megabyte.sigstore.json, for the benchmarks: a signature of a mebibyte of zeros by an identity; and megabyte.root.json.

The keys have the sizes of the public instance's: its authorities have P-384, its logs P-256. All are made anew and thrown away.
"""

import json

from cryptography.hazmat.primitives.asymmetric import ec

import make

SIGSTORE = make.SIGSTORE
SIGSTORE.ca_key = ec.generate_private_key(ec.SECP384R1())
SIGSTORE.ca = make.authority("intermediate", SIGSTORE.ca_key, SIGSTORE.root, SIGSTORE.root_key)
make.ARTIFACT = bytes(1 << 20)
for name, document in (("root", SIGSTORE.trusted_root()), ("sigstore", make.Signed("message").bundle)):
    (make.HERE / f"megabyte.{name}.json").write_text(json.dumps(document, indent=0) + "\n")
