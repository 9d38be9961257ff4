#!/usr/bin/env python3
"""Holds the written reports in this folder, or in the folder that is named, against the programs and rules of others.

    check.py [--sarif-schema FILE] [FOLDER]

Each sample is a set of files, one a format: NAME.json says what the others must hold. The schema is OASIS's
sarif-schema-2.1.0.json, which is not part of this repository. cmarkgfm is GitHub's Markdown parser. A check whose program
or package is missing is skipped, and counted. Exit status: 0 all passed or were skipped, 1 a check failed."""
import argparse
import collections
import html.parser
import json
import pathlib
import re
import subprocess
import tempfile
import urllib.parse
import xml.etree.ElementTree

CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
RELEASE = "(release)"


class Skipped(Exception):
    pass


def json_report(folder, name):
    text = (folder / f"{name}.json").read_bytes()
    assert text.endswith(b"}\n") and text.count(b"\n") == 1
    report = json.loads(text)
    # Python sorts by code points, which is the order of the bytes.
    canonical = json.dumps(report, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    assert canonical.encode() + b"\n" == text.replace(b"\\u007f", b"\x7f")
    return report


def sarif(folder, name, report):
    run, = json.loads((folder / f"{name}.sarif").read_text())["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["invocations"][0]["executionSuccessful"] is True
    assert len(run["results"]) == len(report["findings"]) <= 25000
    for rule in rules:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"] and rule["defaultConfiguration"]["level"] in ("warning", "error")
    seen, paths = set(), collections.Counter()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location, = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"\(release\)|([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri) and not uri.startswith("/"), uri
        split = urllib.parse.urlsplit(uri)
        assert not (split.scheme or split.netloc or split.query or split.fragment), uri
        paths[None if uri == RELEASE else urllib.parse.unquote(uri)] += 1
        text = result["message"]["text"]
        assert not CONTROL.search(text) and "](" not in text, text
        # Without the doubled ones there is no brace, so no placeholder.
        assert not re.search("[{}]", text.replace("{{", "").replace("}}", "")), text
        fingerprint = result["partialFingerprints"]["primaryLocationLineHash"]
        assert re.fullmatch("[0-9a-f]{64}:[1-9][0-9]*", fingerprint) and fingerprint not in seen
        seen.add(fingerprint)
    assert paths == collections.Counter(finding.get("path") for finding in report["findings"])


def sarif_schema(schema):
    def check(folder, name, report):
        if not schema:
            raise Skipped("no --sarif-schema")
        try:
            import jsonschema
        except ImportError:
            raise Skipped("jsonschema is missing") from None
        validator = jsonschema.validators.validator_for(schema)
        validator(schema, format_checker=validator.FORMAT_CHECKER).validate(
            json.loads((folder / f"{name}.sarif").read_text()))
    return check


def junit(folder, name, report):
    text = (folder / f"{name}.junit.xml").read_text()
    assert not CONTROL.search(text) and "&#" not in text and "]]>" not in text
    root = xml.etree.ElementTree.fromstring(text.encode())
    suite, = root
    cases = suite.findall("testcase")
    failed = [case for case in cases if case.find("failure") is not None]
    assert (suite.get("tests"), suite.get("failures")) == (str(len(cases)), str(len(failed)))
    artifacts = [file["path"] for file in report["files"] if file["role"] == "artifact"]
    assert len(cases) == len(artifacts) + 1
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    refused = {finding.get("path") for finding in report["findings"] if finding["level"] == "error"}
    for case, path in zip(cases[1:], artifacts):
        assert (case.find("failure") is not None) == (path in refused), path
        assert len(case.findall("failure")) <= 1
    assert bool(failed) == (report["verdict"] == "refused")
    assert "[[" not in "".join(out.text for out in root.iter("system-out"))


def github(folder, name, report):
    """Reads the commands as the runner does: the properties end at the first ::, then the escapes are taken out."""
    lines = (folder / f"{name}.github.txt").read_bytes().decode().splitlines()
    assert "\n".join(lines) + "\n" == (folder / f"{name}.github.txt").read_bytes().decode()
    commands = []
    for line in lines:
        match = re.fullmatch("::(error|warning|notice) (.*?)::(.*)", line)
        assert match and not CONTROL.search(line), line
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        assert set(properties) <= {"file", "line", "title"}, line
        commands.append(match[1])
        for value in (*properties.values(), match[3]):
            assert re.fullmatch("([^%]|%(25|0D|0A|3A|2C))*", value), line
    levels = [finding["level"] for finding in report["findings"]]
    assert commands == ["error"] * levels.count("error") + ["warning"] * levels.count("warning") + ["notice"]


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = collections.Counter()
        self.cells = []
        self.outside = ""
        self.inside = 0

    def handle_starttag(self, tag, attributes):
        assert not attributes, (tag, attributes)
        self.tags[tag] += 1
        self.inside += tag == "code"

    def handle_endtag(self, tag):
        self.inside -= tag == "code"

    def handle_data(self, data):
        self.outside += "" if self.inside else data


def markdown(folder, name, report):
    text = (folder / f"{name}.md").read_text()
    assert not CONTROL.search(text) and len(text.encode()) <= 1 << 20
    try:
        import cmarkgfm
        from cmarkgfm.cmark import Options
    except ImportError:
        raise Skipped("cmarkgfm is missing") from None
    page = Tags()
    page.feed(cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE))
    assert set(page.tags) <= set("h1 h2 ul li table thead tbody tr th td code br".split()), page.tags
    # What stands outside the code spans is ours: no letter of it is a name's.
    assert re.fullmatch(r"[A-Za-z0-9 \n:,.-]*", page.outside), page.outside
    artifacts = sum(file["role"] == "artifact" for file in report["files"])
    tables = [len(report["findings"]), artifacts, len(report.get("comparison", {}).get("changes", []))]
    assert page.tags["tr"] == sum(rows + 1 for rows in tables if rows)
    widths = [4, 4, 3]
    assert page.tags["td"] == sum(rows * width for rows, width in zip(tables, widths))


def gitlab(folder, name, report):
    elements = json.loads((folder / f"{name}.gitlab.json").read_text())
    assert len(elements) == len(report["findings"])
    assert len({element["fingerprint"] for element in elements}) == len(elements)
    for element in elements:
        assert set(element) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert element["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert element["location"]["lines"]["begin"] >= 1 and element["location"]["path"]
        assert not CONTROL.search(element["description"] + element["location"]["path"])


def sha256sums(folder, name, report):
    """Makes the files, whose bytes are those of their paths, and has them checked."""
    files = [file["path"] for file in report["files"] if file["type"] == "file"]
    with tempfile.TemporaryDirectory() as place:
        for path in files:
            (pathlib.Path(place) / path).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(place) / path).write_bytes(path.encode())
        sums = (folder / f"{name}.sha256sums").resolve()
        def run():
            return subprocess.run(
                ["sha256sum", "--check", "--strict", sums], cwd=place, stdin=subprocess.DEVNULL, capture_output=True)
        result = run()
        assert result.returncode == 0, result
        assert result.stdout.count(b": OK\n") == len(files) == sums.read_bytes().count(b"\n")
        for path in files:
            (pathlib.Path(place) / path).write_bytes(b"other")
            assert run().returncode == 1, path
            (pathlib.Path(place) / path).write_bytes(path.encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sarif-schema", type=pathlib.Path)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    options = parser.parse_args()
    schema = options.sarif_schema and json.loads(options.sarif_schema.read_text())
    checks = {
        "sarif": sarif, "sarif schema": sarif_schema(schema), "junit": junit, "github": github, "markdown": markdown,
        "gitlab": gitlab, "sha256sums": sha256sums}
    counts = collections.Counter()
    names = sorted(path.stem for path in options.folder.glob("*.sarif"))
    assert names, f"no samples in {options.folder}"
    for name in names:
        report = json_report(options.folder, name)
        for title, check in checks.items():
            try:
                check(options.folder, name, report)
                counts["passed"] += 1
            except Skipped as reason:
                counts["skipped"] += 1
                print(f"{name}, {title}: skipped, {reason}")
            except Exception as failure:
                counts["failed"] += 1
                print(f"{name}, {title}: {type(failure).__name__}: {failure}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return counts["failed"] > 0


if __name__ == "__main__":
    raise SystemExit(main())
