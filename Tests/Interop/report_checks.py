"""The gate's reports: their schemas, their readers, and what the schema of reports refuses

The reports are those that are kept in Tests/Vectors/reports, those about every release of Tests/Vectors/releases, and
those about a release with hostile names. Only the clock decides whether a signature of a vector still holds, so the
verdict is compared with the exit status, and not with the case.
"""

import collections
import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from jsonschema import Draft202012Validator

from checks import Mismatch, expect
from report_formats import FILES, FORMATS, ROOT, Reports, checked, sarif_schema, sha256sums
from report_mutations import BROKEN, OPTIONAL, WRONG, WRONG_FILES, at, changes, objects
from workbench import Workbench

sys.path.append(str(ROOT / "Tests/Vectors"))
import vectors  # noqa: E402

# Names that mean something to a shell, a list of checksums, a log, a page or a URI.
HOSTILE = [
    " lead", "trail ", "a b", "-", "-rf", "--", "--json", "back\\slash", "\\", "\\n", "new\nline", "carriage\rreturn",
    "$(touch pwned)", "`x`", "'quoted'", '"quoted"', "*", "~", "#1", "%0A::error::x", "::error::x", "##[group]x", "x|y",
    "<script>", "]]>", "&amp;", "{0}", "[x](y)", "[[ATTACHMENT|x]]", "\u202egpj.exe", "\u001b[31mred", "e\u0301", "\u00e9", "(release)",
    "release", "c:drive"]


def run(bench: Workbench) -> None:
    schema = json.loads((ROOT / "docs/gate-report.schema.json").read_bytes())
    with bench.checks.check("the schema of reports is a schema, and describes every field"):
        Draft202012Validator.check_schema(schema)
        expect("what has no description", list(undescribed(schema, schema)), [])
    schemas = Schemas(Draft202012Validator(schema))
    kept = [Reports(ROOT / "Tests/Vectors/reports", name) for name in ("clean", "hostile")]
    with bench.checks.check("no kept report is left out"):
        found = {path.stem for path in (ROOT / "Tests/Vectors/reports").glob("*.sarif")}
        expect("the reports", found, {reports.name for reports in kept})
    for reports in kept:
        with bench.checks.check(f"the kept reports about the release {reports.name} are what their readers demand"):
            report = schemas.check(reports)
            sha256sums(reports, report)
    run_broken(bench, schemas, kept[1])
    releases = run_vectors(bench, schemas)
    hostile = run_hostile(bench, schemas)
    run_mutations(bench, schemas, [reports.report() for reports in kept] + releases + hostile)


class Schemas:
    """What every set of reports is held against."""

    def __init__(self, report: Draft202012Validator) -> None:
        self.report = report
        self.sarif = sarif_schema()

    def check(self, reports: Reports) -> dict:
        """The JSON report, if all reports about the release are what they must be."""
        try:
            report = reports.report()
        except AssertionError as error:
            raise Mismatch("the JSON report is not canonical") from error
        refuse_errors("the JSON report", self.report, report)
        refuse_errors("the SARIF", self.sarif, json.loads(reports.text("sarif")))
        for title, check in FORMATS.items():
            try:
                check(reports, report)
            except (AssertionError, KeyError) as error:
                raise Mismatch(f"{title} is not what its readers demand: {error}") from error
        return report


def refuse_errors(what: str, validator: object, value: object) -> None:
    errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(value)]
    if errors:
        raise Mismatch(f"{what} is not what its schema says: {'; '.join(errors[:5])}")


def undescribed(schema: dict, node: object, place: str = "") -> Iterator[str]:
    """The fields that neither have a description nor refer to a definition with one."""
    if not isinstance(node, dict):
        return
    for keyword in ("oneOf", "dependentSchemas", "if", "then", "else"):
        # They limit fields that are described elsewhere.
        node = {key: value for key, value in node.items() if key != keyword}
    for name, field in node.get("properties", {}).items():
        defined = schema["$defs"].get(field.get("$ref", "").removeprefix("#/$defs/"), {})
        if "description" not in field and "description" not in defined:
            yield f"{place}/{name}"
    for key, value in node.items():
        yield from undescribed(schema, value, f"{place}/{key}")


def gate(bench: Workbench, folder: Path, options: list[str], releases: list[str]) -> tuple[int, str]:
    """Gates releases, and writes all reports into the folder `reports` beside them."""
    (folder / "reports").mkdir()
    files = [f"--report={form}=reports/gate.{end}" for form, end in FILES.items()]
    ended = subprocess.run(
        [bench.signet.program, "gate", *files, "--report=html=reports/gate.html", "--quiet", *options, "--", *releases], cwd=folder,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return ended.returncode, ended.stderr.decode(errors="replace")


def run_vectors(bench: Workbench, schemas: Schemas) -> list[dict]:
    reports, seen = [], collections.Counter()
    with bench.checks.check("the reports about every release of the vectors are what their readers demand"):
        for case in vectors.read("releases"):
            folder = bench.folder(f"releases/{case.name}")
            releases = unpack(case, folder)
            options = ["--policy=policy.json", "--allow-test-keys"]
            options += [f"--{name}={name}" for name in ("baseline", "rebuild") if (folder / name).is_dir()]
            # Every other one is refused by warnings, too.
            options += ["--fail-on=warning"] if len(reports) % 2 else []
            status, errors = gate(bench, folder, options, releases)
            if status == 2:
                expect(f"{case.name}: the reports of a gate that could not check", list((folder / "reports").iterdir()), [])
                seen["not checked"] += 1
                continue
            try:
                written = Reports(folder / "reports", "gate")
                report = schemas.check(written)
                expect("the verdict", report["verdict"], {0: "clean", 1: "refused"}[status])
                expect("that sha256sum accepts the list", checked(written, [folder / name for name in releases]) is not None, True)
            except Exception as error:
                raise Mismatch(f"{case.name}: {error or type(error).__name__}\n{errors}") from error
            reports.append(report)
            seen.update({report["verdict"]: 1, f"to {report['failingLevel']}": 1, "baseline": "comparison" in report})
            seen.update(f"is {file['role']}" for file in report["files"])
            seen.update(f"is a {file['type']}" for file in report["files"])
    with bench.checks.check("these releases have each verdict, role and type"):
        words = ["clean", "refused", "not checked", "to error", "to warning", "baseline"]
        words += [f"is {role}" for role in ("artifact", "bundle", "excluded", "link")]
        words += [f"is a {kind}" for kind in ("file", "directory", "link")]
        expect("what none has", [word for word in words if not seen[word]], [])
        expect("that there are many", len(reports) > 200, True)
    return reports


def run_broken(bench: Workbench, schemas: Schemas, kept: Reports) -> None:
    """The checks of the other formats refuse what is broken: each change is one of a text that passes."""
    report = kept.report()
    for number, (form, old, new) in enumerate(BROKEN):
        with bench.checks.check(f"a broken {form} is refused: {new or f'no {old}'}"):
            folder = bench.folder(f"broken/{number}")
            for other in FILES:
                text = kept.text(other)
                if other == form:
                    expect(f"whether the text has {old}", old in text, True)
                    text = text.replace(old, new, 1)
                (folder / f"gate.{FILES[other]}").write_bytes(text.encode())
            try:
                schemas.check(Reports(folder, "gate"))
            except Mismatch:
                continue
            raise Mismatch("it is taken for right")


def unpack(case: vectors.Case, folder: Path) -> list[str]:
    """Writes the files of a case, and gives the folders of the release (Tests/Vectors/releases/make.py)."""
    for name, content in case.inputs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for root, folders, files in os.walk(folder):
        for name in folders + files:
            os.chmod(Path(root, name), 0o755 if name in folders else 0o644)
    for line in case.inputs.get("tree", b"").decode().splitlines():
        kind, first, second = line.split(" ", 2)
        if kind == "l":
            (folder / first).symlink_to(second)
            continue
        if kind == "d":
            (folder / second).mkdir(parents=True, exist_ok=True)
        if kind == "p":
            os.mkfifo(folder / second)
        os.chmod(folder / second, int(first, 8))
    return [name for name in ("release", "other") if (folder / name).is_dir()]


def run_hostile(bench: Workbench, schemas: Schemas) -> list[dict]:
    """A release that is signed and gated with a key of its own; then one file is changed, and one is not signed."""
    folder = bench.folder("hostile")
    release = folder / "release"
    release.mkdir(mode=0o755)
    for name in HOSTILE:
        bench.file(release, name.encode(), name).chmod(0o644)
    os.mkfifo(release / "pipe")
    (release / "to a b").symlink_to("a b")
    key = bench.signet.keygen("ed25519", folder / "key")
    bench.signet.run("sign", "--each", release, "--exclude", "pipe", "--exclude", "to*", "--key", key.private)
    options = [f"--key={key.public}", "--exclude=pipe", "--exclude=to*"]
    written = Reports(folder / "reports", "gate")
    reports = []
    with bench.checks.check("a release with hostile names passes, and its reports are what their readers demand"):
        expect("the status and the errors", gate(bench, folder, options, ["release"]), (0, ""))
        reports.append(schemas.check(written))
        expect("the verdict", reports[0]["verdict"], "clean")
        expect("the types", {file["type"] for file in reports[0]["files"]}, {"file", "link", "special"})
    with bench.checks.check("sha256sum accepts the checksums of a release with hostile names, and of each file no other"):
        expect("the files that it found", checked(written, [release]), 2 * len(HOSTILE))
        for name in HOSTILE:
            content = (release / name).read_bytes()
            (release / name).write_bytes(content + b".")
            expect(f"what it says of another {name!r}", checked(written, [release]), None)
            (release / name).write_bytes(content)
    with bench.checks.check("a refused release with hostile names has reports that are what their readers demand"):
        (release / "new\nline").write_bytes(b"other bytes")
        (release / "-rf.sigstore.json").unlink()
        (folder / "reports").rename(folder / "first reports")
        status, _ = gate(bench, folder, [f"--key={key.public}", "--exclude=pipe", "--baseline=nothing"], ["release"])
        expect("the status without a last release", status, 2)
        (folder / "nothing").mkdir(mode=0o755)
        (folder / "reports").rename(folder / "no reports")
        status, errors = gate(bench, folder, [f"--key={key.public}", "--exclude=pipe", "--baseline=nothing"], ["release"])
        expect("the status", status, 1)
        reports.append(schemas.check(written))
        paths = {finding.get("path") for finding in reports[1]["findings"]}
        # The last release has nothing in it, which is about no file.
        expect("the files with findings", paths, {None, "-rf", "new\nline", "to a b"})
        for form in ("sarif", "github", "junit", "markdown"):
            expect(f"that the release is the subject in {form}", "the release" in written.text(form), True)
        expect("that the release is the subject in the text", "  the release: has nothing to compare" in errors, True)
    return reports


def run_mutations(bench: Workbench, schemas: Schemas, reports: list[dict]) -> None:
    """Each kind of object of all reports is changed in every way that makes it no report."""
    tried = 0
    seen: set[tuple] = set()
    with bench.checks.check("the schema refuses unknown and missing fields and values of other types, wherever they are"):
        for report in reports:
            for path, kind in objects(report):
                here = at(report, path)
                shape = (kind, *sorted(here))
                # One object of each kind and set of fields is enough.
                if shape in seen:
                    continue
                seen.add(shape)
                for field in [None, *here]:
                    for words, change in changes(kind, field):
                        mutated = copy.deepcopy(report)
                        change(at(mutated, path))
                        expect(f"whether {'/'.join(map(str, path))} may have {words}", schemas.report.is_valid(mutated), False)
                        tried += 1
                    if field in OPTIONAL.get(kind, ()):
                        mutated = copy.deepcopy(report)
                        del at(mutated, path)[field]
                        expect(f"whether {kind}.{field} may be missing", schemas.report.is_valid(mutated), True)
        kinds = {shape[0] for shape in seen}
        expected = {"", "tool", "policy", "rules", "files", "folders", "roots", "findings", "artifact", "module", "signers", "certificates"}
        expect("the kinds of objects", kinds, expected | {"comparison", "changes"})
        expect("that many changes were tried", tried > 400, True)
    base = next(r for r in reports if r["verdict"] == "refused" and r["failingLevel"] == "error" and r["folders"] and "comparison" in r)
    with bench.checks.check("the schema refuses values that no report has"):
        for words, change in WRONG:
            mutated = copy.deepcopy(base)
            change(mutated)
            expect("whether the change is one", mutated != base, True)
            expect(f"whether there may be {words}", schemas.report.is_valid(mutated), False)
    with bench.checks.check("signet gate --recheck refuses the same of files and folders"):
        folder = bench.folder("recheck")
        clean = next(r for r in reports if r["verdict"] == "clean" and r["folders"])
        for words, change in WRONG_FILES:
            mutated = copy.deepcopy(clean)
            change(mutated)
            expect(f"whether there may be {words}", schemas.report.is_valid(mutated), False)
            (folder / "report.json").write_text(json.dumps(mutated))
            ended = subprocess.run(
                [bench.signet.program, "gate", "--recheck", folder / "report.json", folder], stdin=subprocess.DEVNULL,
                capture_output=True, timeout=300)
            expect(f"the status for {words}", ended.returncode, 2)
            expect(f"the code for {words}", b"[gate.report-malformed]" in ended.stderr, True)
