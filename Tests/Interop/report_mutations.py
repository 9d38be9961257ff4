"""Changes of reports that make them something else, for checks that must refuse them."""

from collections.abc import Callable, Iterator

# What may be missing in a report, by the object that has it.
OPTIONAL = {
    "": {"comparison", "roots"}, "policy": {"sha256"}, "signers": {"signedAt"}, "certificates": {"identity"},
    "artifact": {"module"}, "findings": {"path", "entry", "place", "code", "expected", "found", "hint"}}

# A change of a report, and what it is about.
Mutation = tuple[str, Callable[[dict], None]]


def objects(value: object, path: tuple = (), kind: str = "") -> Iterator[tuple[tuple, str]]:
    """Every object in a report, by its path, with the name of the field that it or its list has."""
    if isinstance(value, dict):
        yield path, kind
        for name, field in value.items():
            yield from objects(field, (*path, name), name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, (*path, index), kind)


def at(value: object, path: tuple) -> dict:
    for step in path:
        value = value[step]
    return value


def changes(kind: str, field: str | None) -> Iterator[Mutation]:
    """What must be refused of an object, or of one of its fields."""
    if field is None:
        yield "an unknown field", lambda o: o.update(unknown=True)
        return
    for value in (None, 1.5, True, {}, ["", 0]):
        yield f"{value!r} as its {field}", lambda o, value=value: o.update({field: value})
    if field not in OPTIONAL.get(kind, ()):
        yield f"no {field}", lambda o: o.pop(field)


def first(report: dict, **fields: str) -> dict:
    """The first file with these fields."""
    return next(file for file in report["files"] if all(file[name] == value for name, value in fields.items()))


def put(container: str, field: str, value: object) -> Callable[[dict], None]:
    """Gives a field of the first object of a list another value."""
    return lambda report: report[container][0].update({field: value})


def signed(report: dict) -> dict:
    """The first artifact that somebody has signed."""
    return next(file["artifact"] for file in report["files"] if file["role"] == "artifact" and file["artifact"]["signers"])


MODULE = {"identifier": "a.b", "version": "1.0.0", "sequence": 1}
BAD_PATHS = ["", "/a", "a/", "a//b", ".", "..", "./a", "a/./b", "a/..", "../a", "a\0b"]
WRONG_FILES: list[Mutation] = [
    *[(f"a file called {path!r}", put("files", "path", path)) for path in BAD_PATHS],
    *[(f"a folder called {path!r}", put("folders", "path", path)) for path in BAD_PATHS],
    *[(f"a folder with the mode {mode}", put("folders", "mode", mode)) for mode in ("755", "00755", "0778", "rwxr")],
    *[(f"the SHA-256 {value}", put("files", "sha256", value)) for value in ("0" * 63, "A" * 64, "0" * 65, "")],
    ("a negative size", put("files", "size", -1)),
    ("a size that no program keeps", put("files", "size", 1 << 53)),
    ("a file of an unknown type", put("files", "type", "socket")),
    ("a file of an unknown role", put("files", "role", "folder")),
    ("a link with a mode", lambda r: first(r, type="file").update(type="link")),
    ("a file without a mode", lambda r: first(r, type="file").pop("mode")),
    ("an artifact that says nothing of its signers", lambda r: first(r, role="artifact").pop("artifact")),
    ("an artifact that is a bundle, too", lambda r: first(r, role="artifact").update(bundleOf="a")),
    ("another version of the format", lambda r: r.update(signetGateReport=2)),
    ("another verdict", lambda r: r.update(verdict="passed")),
    ("another level", lambda r: r.update(failingLevel="note")),
    ("a time with an offset", lambda r: r.update(time="2026-11-21T00:00:00+00:00")),
    ("a time with fractions", lambda r: r.update(time="2026-11-21T00:00:00.5Z")),
]
WRONG: list[Mutation] = [
    ("a clean release with an error", lambda r: r.update(verdict="clean")),
    ("a refused release without an error", lambda r: r.update(findings=[f | {"level": "warning"} for f in r["findings"]])),
    ("a refused release without findings", lambda r: r.update(findings=[], failingLevel="warning")),
    ("a finding that refers to no rule", put("findings", "rule", "Private Key")),
    ("a finding of another level", put("findings", "level", "note")),
    ("a finding without words", put("findings", "message", "")),
    ("a finding about a path outside", put("findings", "path", "../a")),
    ("a code that is none", put("findings", "code", "Not a code")),
    ("another program", lambda r: r["tool"].update(name="other")),
    ("a policy without a name", lambda r: r["policy"].update(name="")),
    ("a rule that is off", put("rules", "level", "off")),
    ("an artifact that nobody has signed, with a kind", lambda r: signed(r).update(signers=[])),
    ("signers of something of no kind", lambda r: signed(r).pop("kind")),
    ("an artifact of another kind", lambda r: signed(r).update(kind="folder")),
    ("a file with a module", lambda r: signed(r).update(kind="file", module=MODULE)),
    ("a module of the sequence 0", lambda r: signed(r).update(kind="module", module=MODULE | {"sequence": 0})),
    ("a key ID of another form", lambda r: signed(r)["signers"][0].update(keyId="ab:cd")),
    ("a bundle that is a directory", lambda r: first(r, role="bundle").update(type="directory")),
    ("a change of another kind", lambda r: r["comparison"].update(changes=[{"path": "a", "kind": "moved", "details": []}])),
    ("a change without words", lambda r: r["comparison"].update(changes=[{"path": "a", "kind": "changed", "details": [""]}])),
]

# A format, a text in the kept report, and what takes its place.
BROKEN = [
    ("sarif", '"executionSuccessful":true', '"executionSuccessful":"yes"'),
    ("sarif", '"endTimeUtc":"2026-11-21T', '"endTimeUtc":"21 November 2026 '),
    ("sarif", '"level":"error"', '"level":"fatal"'),
    ("sarif", '"version":"2.1.0"', '"version":"2.2"'),
    ("sarif", '"startLine":3', '"startLine":0'),
    ("sarif", '"uri":"%20spaces%20"', '"uri":" spaces "'),
    ("sarif", '"results":[', '"findings":['),
    ("sarif", '"ruleIndex":', '"unknown":'),
    ("sarif", '"properties":{"tags":["security"]}', '"properties":{"tags":["security","security"]}'),
    ("junit", ' errors="0"', ""),
    ("junit", ' time="0"', ' time="0" line="1"'),
    ("junit", "<system-out>", '<system-out line="1">'),
    ("junit", 'failures="', 'failures="1'),
    ("junit", 'timestamp="2026', 'timestamp="Z2026'),
    ("gitlab", '"severity":"blocker"', '"severity":"fatal"'),
    ("gitlab", '"begin":1', '"begin":0'),
    ("gitlab", '"check_name":', '"name":'),
    ("gitlab", '"check_name":"private-key"', '"check_name":"other"'),
    ("github", "::error ", "::set-env "),
    ("markdown", "| error |", "| <b>error</b> |"),
    ("json", '"verdict":"refused"', '"verdict":"clean"'),
    ("json", ',"sha256"', ', "sha256"'),
]
