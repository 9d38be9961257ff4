"""A release's folder, who signs what is in it, and what the gate finds."""

import base64
import functools
import hashlib
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Each area has a make.py, and this one wants that of the bundles.
sys.path[:0] = [str(HERE.parent / "bundles"), str(HERE.parent)]
from make import KEYS, bundle, canonical, fsverity  # noqa: E402
from vectors import Cases, Hidden  # noqa: E402

sys.path[2:2] = [str(HERE.parent / "archives"), str(HERE.parent / "chains")]
from assembler import Archive, Entry  # noqa: E402

CHAIN_KEYS = HERE.parent / "chains/keys"
# Who releases, who builds, who else may release, and who may not. Ed25519, as are all but the last two.
RELEASE, BUILD = KEYS / "insecure-test-ed25519", KEYS / "insecure-test-encrypted"
SECOND, STRANGER = CHAIN_KEYS / "insecure-b.pem", CHAIN_KEYS / "insecure-stranger.pem"
RSA_2048, RSA_3072 = KEYS / "insecure-test-rsa2048", KEYS / "insecure-test-rsa3072"
# The time of the check, and that of the signatures.
TIME, SIGNED_AT = "2026-11-21T00:00:00Z", "2026-11-20T00:00:00Z"

cases = Cases("releases")

# Keys and statements ---------------------------------------------------------------------------------------------------


@functools.cache
def public(key):
    return subprocess.check_output(
        ["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER", "-passin", "pass:correct horse battery staple"])


def key_text(key):
    """The key as policies have it."""
    return base64.b64encode(public(key)).decode()


@functools.cache
def key_id(key):
    def field(content):
        return struct.pack(">I", len(content)) + content

    if key in (RSA_2048, RSA_3072):
        text = subprocess.check_output(["openssl", "rsa", "-in", key, "-noout", "-modulus"]).decode()
        wire = field(b"ssh-rsa") + field(b"\1\0\1") + field(b"\0" + bytes.fromhex(text.strip().removeprefix("Modulus=")))
    else:
        wire = field(b"ssh-ed25519") + field(public(key)[-32:])
    return "SHA256:" + base64.b64encode(hashlib.sha256(wire).digest()).decode().rstrip("=")


@functools.cache
def signed(payload, key):
    return canonical(bundle(payload, key, key_id(key))) + b"\n"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def statement(kind, name, digest, predicate):
    return canonical({
        "_type": "https://in-toto.io/Statement/v1", "predicateType": kind,
        "subject": [{"name": name, "digest": {"sha256": digest}}], "predicate": predicate})


# Folders ---------------------------------------------------------------------------------------------------------------


class Folder:
    """The files of a release by their paths, and what files cannot say: modes, links, pipes."""

    def __init__(self):
        self.files, self.modes, self.tree = {}, {}, []

    def put(self, path, content=b"content", mode=0o644):
        self.files[path] = content.encode() if isinstance(content, str) else content
        self.modes[path] = mode
        if mode != 0o644:
            self.tree.append(f"f {mode:04o} {{}}/{path}")
        return self

    def mode(self, path, mode):
        """Gives a folder another mode."""
        self.tree.append(f"d {mode:04o} {{}}/{path}")
        return self

    def link(self, path, target):
        self.tree.append(f"l {{}}/{path} {target}")
        return self

    def pipe(self, path):
        self.tree.append(f"p 0644 {{}}/{path}")
        return self

    def add(self, path, content=b"content", mode=0o644, **how):
        """Adds a file, and its bundle."""
        return self.put(path, content, mode).sign(path, **how)

    def sign(self, path, name=None, keys=(RELEASE,), at=SIGNED_AT, until=None, content=None):
        """Signs a file, or other content in its name."""
        content = self.files[path] if content is None else content
        predicate = {"size": len(content), "fsverity": fsverity(content), "signedAt": at}
        payload = statement("urn:signet:file:v1", name or path, sha256(content), with_end(predicate, until))
        return self.put_bundles(path, payload, keys)

    def put_bundles(self, path, payload, keys):
        end = "" if len(keys) == 1 else "l"
        self.files[f"{path}.sigstore.json{end}"] = b"".join(signed(payload, key) for key in keys)
        return self

    def sign_folder(self, path, keys=(RELEASE,)):
        """Signs everything in a folder as one artifact."""
        entries = {}
        for file, content in self.files.items():
            if not file.startswith(f"{path}/"):
                continue
            names = file.removeprefix(f"{path}/").split("/")
            for depth in range(1, len(names)):
                parent = "/".join(names[:depth])
                entries[parent] = {"path": parent, "type": "directory", "mode": "0755"}
            entries["/".join(names)] = listed("/".join(names), content, self.modes[file])
        listing = sorted(entries.values(), key=lambda entry: entry["path"].encode())
        payload = statement("urn:signet:directory:v1", path, sha256(canonical(listing)),
                            {"listing": listing, "signedAt": SIGNED_AT})
        return self.put_bundles(path, payload, keys)

    def add_module(self, path, description, contents=(), minimum=None, keys=(RELEASE,)):
        """Adds a module's archive, a ZIP, and its bundle. The contents are a list of paths and bytes."""
        contents = [("module.json", canonical(description)), *contents]
        archive = Archive(*(Entry(name, content) for name, content in contents)).bytes
        entries = [listed(name, content) for name, content in contents]
        predicate = {
            "module": description, "contents": sorted(entries, key=lambda entry: entry["path"].encode()),
            "archive": {"format": "zip", "size": len(archive), "fsverity": fsverity(archive)}, "signedAt": SIGNED_AT}
        if minimum:
            predicate["minimumSequence"] = minimum
        self.put(path, archive)
        return self.put_bundles(path, statement("urn:signet:module:v1", path, sha256(archive), predicate), keys)

    def attest(self, path, label, kind, predicate, key=BUILD, content=None):
        """Adds what somebody else states about a file."""
        content = self.files[path] if content is None else content
        payload = statement(kind, path, sha256(content), predicate)
        return self.put(f"{path}.{label}.sigstore.json", signed(payload, key))

    def without(self, path):
        del self.files[path]
        return self

    def move(self, old, new):
        """Moves a file and its bundle."""
        for end in ("", ".sigstore.json"):
            self.files[new + end] = self.files.pop(old + end)
        return self


def with_end(predicate, until):
    return predicate | {"notAfter": until} if until else predicate


def listed(path, content, mode=0o644):
    return {"path": path, "type": "file", "mode": f"{mode:04o}", "size": len(content), "sha256": sha256(content)}


def tool(content=b"content", **how):
    """A release of one file."""
    return Folder().add("tool", content, **how)


# Policies --------------------------------------------------------------------------------------------------------------


def entry(name, key, **scope):
    return {"name": name, "key": key_text(key), **(scope or {"files": ["*"], "modules": ["**"]})}


def trust(*entries, **terms):
    return {"version": 1, "entries": list(entries), **terms}


ENTRIES = (entry("release", RELEASE), entry("build", BUILD, files=["*.*.sigstore.json"]))


def policy(trusted=None, rules=None, **fields):
    return {"version": 1, "trust": trusted or trust(*ENTRIES), **({"rules": rules} if rules else {}), **fields}


# Cases -----------------------------------------------------------------------------------------------------------------


def finding(rule, path=None, entry=None, place=None, code=None, found=None, level="error"):
    """A line of the input `findings`; what a finding does not have is a dash."""
    fields = [rule, level, path, entry, place, code, found]
    assert not any(" | " in field or "\n" in field for field in fields if field)
    return " | ".join(field or "-" for field in fields)


def warning(*fields, **more):
    return finding(*fields, **more, level="warning")


def case(name, why, release, *findings, error=None, baseline=None, rebuild=None, other=None, time=None, **policies):
    """Adds a case: what the gate finds, all by one rule, or the code of what keeps it from looking."""
    inputs, tree = {}, []
    folders = {"release": release, "baseline": baseline, "rebuild": rebuild, "other": other}
    for place, folder in folders.items():
        if folder is None:
            continue
        tree += [f"d 0755 {place}"] if not folder.files else []
        tree += [line.format(place) for line in folder.tree]
        inputs |= {f"{place}/{path}": content for path, content in folder.files.items()}
    inputs["policy.json"] = canonical(policy(**policies))
    if tree:
        inputs["tree"] = "".join(f"{line}\n" for line in tree).encode()
    if time:
        inputs["time"] = time.encode()
    rules = {line.split(" | ")[0] for line in findings}
    assert len(rules) + (error is not None) <= 1, name
    if findings:
        inputs["findings"] = "".join(f"{line}\n" for line in findings).encode()
    cases.add(name, error or next(iter(rules), "clean"), why, inputs)


def hidden(content):
    """A key or a token, which is in the list in base64, so that no scanner takes the list for a leak."""
    return Hidden(content.encode() if isinstance(content, str) else content)


cases.share("policy.json", canonical(policy()))
