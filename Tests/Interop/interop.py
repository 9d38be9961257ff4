"""Runs every check against one signet; started by the script `run`."""

import sys
from pathlib import Path

import archive_checks
import authority_checks
import certificate_checks
import cosign_checks
import directory_checks
import foreign_checks
import keyless_checks
import module_checks
import oci_checks
import openssl_checks
import other_signature_checks
import pipeline_checks
import protobuf_specs_checks
import registry_checks
import report_checks
import schema_checks
import securesystemslib_checks
from workbench import Workbench

AREAS = [
    openssl_checks, securesystemslib_checks, protobuf_specs_checks, cosign_checks, directory_checks, module_checks,
    archive_checks, foreign_checks, certificate_checks, schema_checks, report_checks,
    pipeline_checks, registry_checks, oci_checks, keyless_checks, authority_checks,
    other_signature_checks]


def main(signet: str, folder: str) -> int:
    bench = Workbench(signet, Path(folder))
    for area in AREAS:
        bench.checks.begin(area.__doc__.splitlines()[0])
        try:
            area.run(bench)
        except Exception as error:  # what a check needs could not be made: the checks after it are lost
            bench.checks.fail("the checks of this area could be made", error)
    return bench.checks.finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
