"""The lists of cases: a script in each area makes its list, `unpack` and others read it. README.md describes the form."""

import base64
import json
import pathlib
import typing

HERE = pathlib.Path(__file__).resolve().parent
# Binary inputs above this size stand in a file beside the list: base64 makes 16 KiB of 12.
LARGE = 12 << 10


class Case(typing.NamedTuple):
    name: str
    expected: str
    reason: str
    inputs: dict[str, bytes]


class Hidden(bytes):
    """A content that stands in base64 although it is text."""


class Cases:
    """The cases of an area as its script adds them."""

    def __init__(self, area):
        self.folder = HERE / area
        self.shared, self.cases, self.large = {}, {}, {}

    def share(self, name, content):
        """Names a content: inputs that are equal to it refer to it."""
        assert name not in self.shared, name
        self.shared[name] = content

    def add(self, name, expected, reason, inputs):
        assert name not in self.cases, name
        self.cases[name] = {
            "name": name, "reason": reason, "expected": expected,
            "inputs": {file: self.reference(name, file, content) for file, content in inputs.items()}}

    def reference(self, case, file, content):
        for name, shared in self.shared.items():
            if content == shared:
                return {"shared": name}
        value = inline(content)
        if isinstance(value, str) or len(content) <= LARGE:
            return value
        self.large[f"{case}.{file}"] = content
        return {"file": f"{case}.{file}"}

    def write(self):
        """Writes the list, a case a line, and the large inputs."""
        large = self.folder / "large"
        for path in large.glob("*"):
            if path.name not in self.large:
                path.unlink()
        if large.exists() and not self.large:
            large.rmdir()
        for file, content in self.large.items():
            large.mkdir(exist_ok=True)
            replace(large / file, content)
        shared = ",\n".join(f"{json.dumps(name)}: {json.dumps(inline(value))}" for name, value in self.shared.items())
        cases = ",\n".join(json.dumps(case) for case in self.cases.values())
        replace(self.folder / "cases.json", f'{{"shared": {{\n{shared}\n}},\n"cases": [\n{cases}\n]}}\n'.encode())
        print(f"{self.folder.name}: {len(self.cases)} cases")


def replace(path, content):
    """Writes a file at once, and only if it changes: tests may read it."""
    if path.exists() and path.read_bytes() == content:
        return
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    new.replace(path)


def inline(content):
    """A content in JSON: text where it can be read as such, base64 otherwise."""
    try:
        text = content.decode()
        if not isinstance(content, Hidden) and not any(character < " " and character not in "\t\n\r" for character in text):
            return text
    except UnicodeDecodeError:
        pass
    return {"base64": base64.b64encode(content).decode()}


def read(area):
    """The cases of an area, with the bytes of their inputs."""
    whole = json.loads((HERE / area / "cases.json").read_bytes())

    def content(value):
        if isinstance(value, str):
            return value.encode()
        (kind, text), = value.items()
        if kind == "base64":
            return base64.b64decode(text, validate=True)
        if kind == "file":
            return (HERE / area / "large" / text).read_bytes()
        assert kind == "shared", kind
        return content(whole["shared"][text])

    return [Case(case["name"], case["expected"], case["reason"],
                 {file: content(value) for file, value in case["inputs"].items()}) for case in whole["cases"]]
