#!/usr/bin/env python3
"""Makes the list of directories anew: one fault a case, in the way of ../bundles/make.py.

  tree                    the directory that is verified, called "plugin", a line an entry:
                          "d MODE PATH", "f MODE PATH TEXT", "l PATH TARGET", "p MODE PATH" (a pipe); no list of files
                          would keep modes, empty directories and pipes
  plugin.sigstore.json    the bundle
  expected                "verified", or the codes of all reasons, in order
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "bundles"), str(HERE.parent)]
from make import bundle, canonical, statement as file_statement  # noqa: E402
from vectors import Cases  # noqa: E402

SIGNED_AT = "2026-01-02T03:04:05Z"
TREE = """\
d 0755 empty
f 0644 help help
d 0755 lib
f 0755 lib/code code
l run lib/code
"""


def listing(tree=TREE):
    """What a tree says, as it is signed."""
    entries = []
    for line in tree.splitlines():
        kind, rest = line.split(" ", 1)
        if kind == "l":
            path, target = rest.split(" ", 1)
            entries.append({"path": path, "type": "symlink", "target": target})
            continue
        mode, rest = rest.split(" ", 1)
        if kind == "d":
            entries.append({"path": rest, "type": "directory", "mode": mode})
        else:
            path, text = rest.split(" ", 1)
            entries.append({"path": path, "type": "file", "mode": mode, "size": len(text.encode()),
                            "sha256": hashlib.sha256(text.encode()).hexdigest()})
    return sorted(entries, key=lambda entry: entry["path"].encode())


def file(path, /, **changes):
    return edited({"path": path, "type": "file", "mode": "0644", "size": 1,
                   "sha256": hashlib.sha256(b"x").hexdigest()}, **changes)


def folder(path, /, **changes):
    return edited({"path": path, "type": "directory", "mode": "0755"}, **changes)


def link(path, target, /, **changes):
    return edited({"path": path, "type": "symlink", "target": target}, **changes)


def edited(entry, **changes):
    """An entry with fields changed, or left out where they are None."""
    return {name: value for name, value in {**entry, **changes}.items() if value is not None}


def statement(entries=None, digest=None, name="plugin", **changes):
    entries = listing() if entries is None else entries
    digest = digest or hashlib.sha256(canonical(entries)).hexdigest()
    return {
        "_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:signet:directory:v1",
        "subject": [{"name": name, "digest": {"sha256": digest}}],
        "predicate": edited({"listing": entries, "signedAt": SIGNED_AT}, **changes)}


cases = Cases("directories")


def case(name, expected, why, value=None, tree=TREE, payload=None):
    """Adds a case whose bundle truly signs a statement."""
    payload = canonical(statement() if value is None else value) if payload is None else payload
    cases.add(name, expected, why, {
        "tree": tree.encode(), "plugin.sigstore.json": canonical(bundle(payload)) + b"\n"})


def make_accepted():
    case("accepted-plain", "verified", "A directory as Signet signs it.")
    case("accepted-empty", "verified", "Nothing in it.", statement([]), tree="")
    case("accepted-not-after", "verified", "The statement holds for some time yet.",
         statement(notAfter="2026-12-31T23:59:59Z"))
    tree = "d 0755 a\nf 0644 a-b x\nf 0644 a/b x\nf 0600 \u00fc x\nf 0444 \U0001f600 x\n"
    case("accepted-order", "verified", "By bytes: a hyphen comes before a slash, and not by UTF-16.",
         statement(listing(tree)), tree=tree)
    deep = "".join(f"d 0755 {'/'.join('x' * depth)}\n" for depth in range(1, 65))
    case("accepted-deep", "verified", "As deep as may be.", statement(listing(deep)), tree=deep)
    tree = "d 0755 a\nd 0755 a/b\nl a/b/up ../..\nl a/dangling ./b/nothing\nl a/self .\n"
    case("accepted-links", "verified", "Links to the top, to nothing, to where they are.",
         statement(listing(tree)), tree=tree)


def make_differences():
    def differs(name, expected, why, tree):
        assert tree != TREE
        case(name, expected, why, tree=tree)

    differs("content", "digest.mismatch", "Other bytes.", TREE.replace("code code", "code node"))
    differs("size", "digest.mismatch", "A byte more.", TREE.replace("help help", "help help!"))
    differs("mode", "directory.mode-mismatch", "Executable by nobody.", TREE.replace("f 0755", "f 0644"))
    differs("mode-directory", "directory.mode-mismatch", "Anybody may write.", TREE.replace("0755 lib\n", "0777 lib\n"))
    differs("mode-sticky", "directory.mode-mismatch", "With the sticky bit.", TREE.replace("0755 lib\n", "1755 lib\n"))
    differs("target", "directory.target-mismatch", "A link to something else.", TREE.replace("run lib/code", "run help"))
    differs("missing-file", "directory.missing-entry", "A file less.", TREE.replace("f 0644 help help\n", ""))
    differs("missing-directory", "directory.missing-entry", "A directory less: what lay in it goes without saying.",
            TREE.replace("d 0755 lib\nf 0755 lib/code code\n", ""))
    differs("extra-file", "directory.extra-entry", "A file more.", TREE + "f 0644 lib/more more\n")
    differs("extra-directory", "directory.extra-entry", "A directory more, with something in it.",
            TREE + "d 0755 more\nf 0644 more/x x\n")
    differs("extra-pipe", "directory.extra-entry", "A pipe.", TREE + "p 0644 pipe\n")
    differs("extra-link", "directory.extra-entry", "A link out.", TREE + "l out /etc\n")
    differs("type-link", "directory.type-mismatch", "A link for a file.",
            TREE.replace("f 0644 help help", "l help lib/code"))
    differs("type-directory", "directory.type-mismatch", "A directory for a file.",
            TREE.replace("f 0644 help help", "d 0755 help\nf 0644 help/me x"))
    differs("type-file", "directory.type-mismatch", "A file for a directory.",
            TREE.replace("d 0755 lib\nf 0755 lib/code code", "f 0755 lib x"))
    differs("type-pipe", "directory.type-mismatch", "A pipe for a file.", TREE.replace("f 0644 help help", "p 0644 help"))
    differs("several", "digest.mismatch directory.target-mismatch directory.missing-entry directory.extra-entry "
            "directory.mode-mismatch", "All at once, the most telling first.",
            "f 0600 help help\nd 0755 lib\nf 0755 lib/code node\nl run help\nf 0644 zebra x\n")
    differs("case", "directory.missing-entry directory.extra-entry", "Another case is another name.",
            TREE.replace("0644 help", "0644 Help"))


def make_listing_faults():
    def bad(name, expected, why, entries, **more):
        case(f"listing-{name}", expected, why, statement(entries, **more))

    good = listing()
    bad("unsorted", "directory.unsorted", "Not in order.", good[::-1])
    bad("order-components", "directory.unsorted", "In the order of names, not of bytes.",
        [folder("a"), file("a/b"), file("a-b")])
    bad("duplicate", "directory.duplicate-path", "A path twice.", [file("a"), file("a")])
    bad("missing-parent", "directory.missing-parent", "A file in a directory that is not listed.", [file("a/b")])
    bad("parent-file", "directory.parent-not-directory", "A file in a file.", [file("a"), file("a/b")])
    bad("parent-link", "directory.parent-not-directory", "A file behind a link.", [link("a", "b"), file("a/b"), folder("b")])
    bad("digest", "directory.listing-digest", "The subject is another listing.", good,
        digest=hashlib.sha256(b"[]").hexdigest())
    bad("digest-entry", "statement.digest-form", "A digest in capitals.",
        [file("a", sha256=hashlib.sha256(b"x").hexdigest().upper())])
    bad("digest-short", "statement.digest-length", "A digest cut short.", [file("a", sha256="00")])
    bad("unknown-field", "statement.unknown-field", "A field nobody knows.", [file("a", owner="root")])
    bad("directory-size", "statement.unknown-field", "A directory with a size.", [folder("a", size=0)])
    bad("link-mode", "statement.unknown-field", "A link with a mode.", [link("a", "b", mode="0777")])
    bad("file-target", "statement.unknown-field", "A file with a target.", [file("a", target="b")])
    bad("no-path", "statement.malformed", "No path.", [file("a", path=None)])
    bad("no-mode", "statement.malformed", "No mode.", [folder("a", mode=None)])
    bad("no-size", "statement.malformed", "No size.", [file("a", size=None)])
    bad("no-target", "statement.malformed", "No target.", [link("a", None)])
    bad("type", "statement.malformed", "Another type.", [folder("a", type="fifo")])
    bad("mode-digits", "statement.malformed", "Three digits.", [folder("a", mode="755")])
    bad("mode-decimal", "statement.malformed", "No octal digit.", [folder("a", mode="0855")])
    bad("mode-number", "statement.malformed", "A number.", [folder("a", mode=755)])
    bad("mode-set-user-id", "directory.special-mode", "Set-user-ID.", [file("a", mode="4755")])
    bad("mode-sticky", "directory.special-mode", "The sticky bit.", [folder("a", mode="1777")])
    bad("size-negative", "statement.malformed", "A negative size.", [file("a", size=-1)])
    bad("text", "statement.malformed", "An entry that is a text.", ["a"])
    bad("object", "statement.malformed", "A listing that is an object.", {})
    for name, code, path in (
            ("absolute", "absolute", "/a"), ("dot", "dot", "./a"), ("dot-dot", "parent", "../a"),
            ("middle", "parent", "a/../b"), ("end", "empty-name", "a/"), ("double", "empty-name", "a//b"),
            ("empty", "empty", ""), ("backslash", "backslash", "a\\b"), ("nul", "control", "a\0b"),
            ("control", "control", "a\x1bb"), ("c1", "control", "a\x9bb"),
            ("decomposed", "not-normalized", "u\u0308")):
        bad(f"path-{name}", f"path.{code}", f"The path {path!a}.", [file(path)])
    bad("path-long", "path.bounds", "A name of 256 bytes.", [file("x" * 256)])
    parents = ["/".join(["y" * 255] * depth) for depth in range(1, 5)]
    bad("path-longer", "path.bounds", "A path of 1024 bytes.",
        [folder(parent) for parent in parents] + [file(parents[-1] + "/x")])
    deep = ["/".join("x" * depth) for depth in range(1, 66)]
    bad("path-deep", "path.bounds", "65 names.", [folder(path) for path in deep])
    bad("case", "path.case-collision", "Equal but for case.", [file("README"), file("readme")])
    bad("case-greek", "path.case-collision", "Equal but for case: two small sigmas.", [file("\u03c2"), file("\u03c3")])
    bad("case-directory", "path.case-collision", "Two directories.", [folder("A"), file("A/x"), folder("a"), file("a/y")])
    for name, code, target in (
            ("absolute", "absolute", "/etc/passwd"), ("up", "parent", "../x"), ("behind-name", "parent", "a/../b"),
            ("empty", "empty", ""), ("backslash", "backslash", "a\\b"), ("control", "control", "a\nb"),
            ("decomposed", "not-normalized", "u\u0308"), ("only-up", "parent", "..")):
        bad(f"target-{name}", f"path.{code}", f"The target {target!a}.", [link("l", target)])
    bad("target-deep", "path.parent", "One level too far up.",
        [folder("a"), folder("a/b"), link("a/b/l", "../../../x")])
    bad("target-long", "path.bounds", "A target of 1024 bytes.", [link("l", "x" * 1024)])


def make_statement_faults():
    case("statement-expired", "statement.expired", "The statement holds no longer.",
         statement(notAfter="2026-06-30T23:59:59Z"))
    case("statement-name", "subject.name-mismatch", "About a directory of another name.", statement(name="other"))
    case("statement-file", "statement.predicate-type", "About a file.", file_statement(
        subject=[{"name": "plugin", "digest": {"sha256": hashlib.sha256(b"").hexdigest()}}]))
    case("statement-no-listing", "statement.malformed", "No listing.", statement(listing=None))
    case("statement-no-date", "statement.malformed", "No date.", statement(signedAt=None))
    case("statement-unknown-field", "statement.unknown-field", "A field nobody knows.", statement(mode="0755"))
    case("statement-indented", "statement.not-canonical", "With a space.",
         payload=canonical(statement()).replace(b'"listing":[', b'"listing": ['))
    case("statement-foreign", "statement.predicate-type", "Another program's type.",
         {**statement(), "predicateType": "https://model_signing/signature/v1.0"})


cases.share("tree", TREE.encode())
cases.share("plugin.sigstore.json", canonical(bundle(canonical(statement()))) + b"\n")
make_accepted()
make_differences()
make_listing_faults()
make_statement_faults()
cases.write()
