#!/usr/bin/env python3
"""Makes the list of releases anew: one fault a case, and the rule of the gate that finds it.

  release/…, baseline/…, rebuild/…, other/…   the files of a release, of the last one, of a second build, and of a
                 second folder of the release
  tree           what files cannot say, a line each, done in this order when the files are there: "d MODE PATH" (a folder,
                 which may be there), "f MODE PATH" (a file's mode), "l PATH TARGET" (a link), "p MODE PATH" (a pipe).
                 Other files have the mode 0644, other folders 0755
  policy.json    the release policy; the test keys count
  time           when the release is checked; 2026-11-21T00:00:00Z without it
  findings       all that is found, a line each: rule, level, path, entry, place, code, found, with " | " between them
                 and "-" for what a finding does not have
  expected       "clean"; the rule, which all findings have; or the code of what keeps the gate from looking

Needs Python and the openssl program. Every rule has a case; a test counts them. Signing with Ed25519 and RSA is
deterministic and the times are fixed, so running it again changes nothing.
"""

from folders import cases
from signatures import make_attestation_cases, make_signature_cases
from modules import make_comparison_cases, make_description_cases, make_rebuild_cases
from binaries import make_binary_cases
from contents import make_content_cases
from containers import make_container_cases
from looks import make_clean_cases, make_errors

make_clean_cases()
make_errors()
make_signature_cases()
make_attestation_cases()
make_comparison_cases()
make_rebuild_cases()
make_description_cases()
make_binary_cases()
make_content_cases()
make_container_cases()
cases.write()
