"""The published schemas of trust policies and module descriptions, and what Signet reads

What Signet takes for sound the schema must allow; what it refuses the schema must not, but for what no schema can say.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

from checks import expect
from workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Vectors"))
import vectors  # noqa: E402

# Names used twice, bytes inside of texts, orders of times, and the finer rules of URIs.
BEYOND_A_SCHEMA = {
    "entry-duplicate-name", "entry-format-of-key", "entry-key-base64", "entry-key-no-key", "entry-key-weak",
    "entry-uri-malformed", "entry-window-inverted", "floor-twice", "json-duplicate"}


def run(bench: Workbench) -> None:
    run_descriptions(bench)
    schema = json.loads((ROOT / "docs/trust-policy.schema.json").read_bytes())
    with bench.checks.check("the schema is a schema"):
        Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    allowed: dict[bool, set[str]] = {True: set(), False: set()}
    rejected: dict[bool, set[str]] = {True: set(), False: set()}
    for case in vectors.read("policies"):
        try:
            policy = json.loads(case.inputs["policy.json"])
        except ValueError:
            continue
        (allowed if validator.is_valid(policy) else rejected)[case.expected == "sound"].add(case.name)
    with bench.checks.check("the schema allows every policy that signet takes for sound"):
        expect("what it does not allow", rejected[True], set())
        expect("that there are any", len(allowed[True]) > 10, True)
    with bench.checks.check("the schema refuses every policy that signet refuses, but for what no schema can say"):
        expect("what it allows", allowed[False], BEYOND_A_SCHEMA)
        expect("that there are any", len(rejected[False]) > 30, True)


def run_descriptions(bench: Workbench) -> None:
    """The same words against the same cases as ModuleDescriptionTests: each case is a text behind its verdict."""
    schema = json.loads((ROOT / "docs/module.schema.json").read_bytes())
    with bench.checks.check("the schema of descriptions is a schema"):
        Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    verdicts: dict[str, list[str]] = {}
    for line in (ROOT / "Tests/Vectors/descriptions/cases.txt").read_text().split("\n"):
        if not line or line.startswith("#"):
            continue
        word, text = line.split(" ", 1)
        try:
            value = json.loads(text)
        except ValueError:
            continue
        verdicts.setdefault(word, []).append(text)
        if word == "sound" or word.startswith("schema:"):
            continue
        with bench.checks.check(f"the schema of descriptions refuses {text}"):
            expect("valid", validator.is_valid(value), False)
    with bench.checks.check("the schema allows every description that signet takes for sound"):
        expect("refused", [t for t in verdicts["sound"] if not validator.is_valid(json.loads(t))], [])
