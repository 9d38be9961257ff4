"""What readers of the gate's reports demand, each format against the JSON report of the same release."""

import collections
import html.parser
import json
import re
import subprocess
import tempfile
import urllib.parse
import xml.etree.ElementTree
from dataclasses import dataclass
from pathlib import Path

import cmarkgfm
from cmarkgfm.cmark import Options
from jsonschema import Draft4Validator, FormatChecker

ROOT = Path(__file__).resolve().parents[2]
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
RELEASE = "(release)"
# The formats, and how their files are called after the release.
FILES = {
    "json": "json", "sarif": "sarif", "junit": "junit.xml", "github": "github.txt", "markdown": "md", "gitlab": "gitlab.json",
    "sha256sums": "sha256sums"}


@dataclass(frozen=True)
class Reports:
    """All reports about one release."""

    folder: Path
    name: str

    def path(self, form: str) -> Path:
        return self.folder / f"{self.name}.{FILES[form]}"

    def text(self, form: str) -> str:
        return self.path(form).read_bytes().decode()

    def report(self) -> dict:
        """The JSON report, once its text is found to be canonical."""
        text = self.path("json").read_bytes()
        assert text.endswith(b"}\n") and text.count(b"\n") == 1
        report = json.loads(text)
        # Python sorts by code points, which is the order of the bytes.
        canonical = json.dumps(report, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        assert canonical.encode() + b"\n" == text.replace(b"\\u007f", b"\x7f")
        return report


def sarif_schema() -> Draft4Validator:
    """OASIS's schema, which Tests/Vectors/sarif has as it was published."""
    schema = json.loads((ROOT / "Tests/Vectors/sarif/sarif-schema-2.1.0.json").read_bytes())
    Draft4Validator.check_schema(schema)
    # The schema is of draft 4 and uses uri-reference, which came later.
    checker = FormatChecker()
    # A format that the package cannot check would be taken for right.
    assert {"uri", "uri-reference", "date-time"} <= set(checker.checkers), sorted(checker.checkers)
    return Draft4Validator(schema, format_checker=checker)


def sarif(reports: Reports, report: dict) -> None:
    run, = json.loads(reports.text("sarif"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["invocations"][0]["executionSuccessful"] is True
    assert len(run["results"]) == len(report["findings"]) <= 25000
    assert [rule["id"] for rule in rules] == [rule["id"] for rule in report["rules"]]
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


# Each element with its attributes, and what may be in it (the schema of the JUnit plugin of Jenkins).
JUNIT = {
    "testsuites": (set(), ["testsuite"]),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}, ["properties", "testcase"]),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, []),
    "testcase": ({"classname", "name", "time"}, ["failure", "system-out"]),
    "failure": ({"type", "message"}, []),
    "system-out": (set(), []),
}


def junit(reports: Reports, report: dict) -> None:
    text = reports.text("junit")
    assert not CONTROL.search(text) and "&#" not in text and "]]>" not in text
    root = xml.etree.ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.attrib) == attributes, element.tag
        tags = [child.tag for child in element]
        assert set(tags) <= set(children) and tags == sorted(tags, key=children.index), (element.tag, tags)
        assert element.tag in ("failure", "system-out") or not (element.text or "").strip(), element.tag
        assert not (element.tail or "").strip(), element.tag
    suite, = root
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp"))
    assert len(suite.findall("properties")) == 1
    cases = suite.findall("testcase")
    failed = [case for case in cases if case.find("failure") is not None]
    assert (suite.get("tests"), suite.get("failures")) == (str(len(cases)), str(len(failed)))
    assert (suite.get("errors"), suite.get("skipped")) == ("0", "0")
    artifacts = [file["path"] for file in report["files"] if file["role"] == "artifact"]
    assert len(cases) == len(artifacts) + 1
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    places = {path: path for path in artifacts}
    bundles = {file["path"]: file["bundleOf"] for file in report["files"] if file["role"] == "bundle"}
    places |= {path: artifact for path, artifact in bundles.items() if artifact in places}
    levels = ("error",) if report["failingLevel"] == "error" else ("error", "warning")
    refused = {places.get(finding.get("path")) for finding in report["findings"] if finding["level"] in levels}
    for case, path in zip(cases, [None] + artifacts):
        assert (case.find("failure") is not None) == (path in refused), path
        assert len(case.findall("failure")) <= 1 and len(case.findall("system-out")) <= 1
    assert bool(failed) == (report["verdict"] == "refused")
    assert "[[" not in "".join(out.text for out in root.iter("system-out"))


def github(reports: Reports, report: dict) -> None:
    """Reads the commands as the runner does: the properties end at the first ::, then the escapes are taken out."""
    lines = reports.text("github").splitlines()
    assert "\n".join(lines) + "\n" == reports.text("github")
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
    """The tags of a page, its cells, and the text that is not in code style."""

    def __init__(self):
        super().__init__()
        self.tags = collections.Counter()
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


def markdown(reports: Reports, report: dict) -> None:
    text = reports.text("markdown")
    assert not CONTROL.search(text) and len(text.encode()) <= 1 << 20
    page = Tags()
    page.feed(cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE))
    assert set(page.tags) <= set("h1 h2 ul li table thead tbody tr th td code br".split()), page.tags
    # What stands outside the code spans is ours: no letter of it is a name's.
    assert re.fullmatch(r"[A-Za-z0-9 \n:,.-]*", page.outside), page.outside
    artifacts = sum(file["role"] == "artifact" for file in report["files"])
    tables = [len(report["findings"]), artifacts, len(report.get("comparison", {}).get("changes", []))]
    assert page.tags["tr"] == sum(rows + 1 for rows in tables if rows)
    widths = [4, 5, 3]
    assert page.tags["td"] == sum(rows * width for rows, width in zip(tables, widths))


def gitlab(reports: Reports, report: dict) -> None:
    elements = json.loads(reports.text("gitlab"))
    assert isinstance(elements, list) and len(elements) == len(report["findings"])
    assert len({element["fingerprint"] for element in elements}) == len(elements)
    rules = {rule["id"] for rule in report["rules"]}
    severities = collections.Counter()
    for element in elements:
        # What GitLab reads, and no more: it ignores everything behind an element that lacks one of them.
        assert set(element) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert set(element["location"]) == {"path", "lines"} and set(element["location"]["lines"]) == {"begin"}
        line, path = element["location"]["lines"]["begin"], element["location"]["path"]
        assert type(line) is int and line >= 1
        assert all(isinstance(text, str) and text for text in (element["description"], element["fingerprint"], path))
        assert element["check_name"] in rules
        assert not path.startswith(("./", "/")) and not CONTROL.search(element["description"] + path)
        severities[element["severity"]] += 1
    refusing = [f for f in report["findings"] if f["level"] == "error" or report["failingLevel"] == "warning"]
    expected = {"blocker": len(refusing), "minor": len(elements) - len(refusing)}
    assert severities == collections.Counter({word: count for word, count in expected.items() if count})


def sha256sums(reports: Reports, report: dict) -> None:
    """Makes the files, whose bytes are those of their paths, and has sha256sum check them."""
    files = [file["path"] for file in report["files"] if file["type"] == "file"]
    with tempfile.TemporaryDirectory() as place:
        for path in files:
            (Path(place) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(place) / path).write_bytes(path.encode())
        assert checked(reports, [Path(place)]) == len(files)
        for path in files:
            (Path(place) / path).write_bytes(b"other")
            assert checked(reports, [Path(place)]) is None, path
            (Path(place) / path).write_bytes(path.encode())


def checked(reports: Reports, folders: list[Path]) -> int | None:
    """How many files sha256sum finds as they should be; None if it refuses one. Of several folders, each has some."""
    sums = reports.path("sha256sums").resolve()
    if sums.read_bytes() == b"\n":
        return 0
    found, lines = 0, sums.read_bytes().count(b"\n")
    for folder in folders:
        ended = subprocess.run(
            ["sha256sum", "--check", "--strict", *(["--ignore-missing"] if len(folders) > 1 else []), sums], cwd=folder,
            stdin=subprocess.DEVNULL, capture_output=True)
        if ended.returncode != 0:
            return None
        found += ended.stdout.count(b": OK\n")
    assert found == lines, (found, lines)
    return found


FORMATS = {"SARIF": sarif, "JUnit": junit, "GitHub": github, "Markdown": markdown, "GitLab": gitlab}
