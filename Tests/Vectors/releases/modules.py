"""The rules on modules: against the last release, against a second build, and within the release."""

import hashlib

import elf
from contents import zip_archive
from folders import ENTRIES, RELEASE, SECOND, TIME, Folder, case, entry, finding, key_id, tool, trust, warning

LIBRARY = "lib/com_example_player.so"


def description(identifier, version="1.0.0", sequence=1, **fields):
    return {"identifier": identifier, "version": version, "sequence": sequence, **fields}


def library(**fields):
    """The library of the player."""
    return elf.binary(**{"soname": "com_example_player.so", "exports": ("player_main",), **fields})


def player(path="player.zip", code=None, contents=(), minimum=None, keys=(RELEASE,), version="1.0.0", sequence=1,
           needed=("libc.so.6",), **fields):
    """A release of one module with code."""
    fields = {"binary": {"linux-x86_64": {"path": LIBRARY, "needed": list(needed)}}, "principal": "player_main",
              "routes": ["ui://player/:track"], **fields}
    return Folder().add_module(
        path, description("com.example.player", version, sequence, **fields),
        [(LIBRARY, library() if code is None else code), *contents], minimum, keys)


def theme(path="theme.zip", version="1.0.0", sequence=1, identifier="com.example.theme", content=b"<svg/>", release=None,
          **fields):
    """A release of one module with a picture, or another release with it."""
    return (release or Folder()).add_module(
        path, description(identifier, version, sequence, resources=["images"], **fields), [("images/dot.svg", content)])


# The last release ------------------------------------------------------------------------------------------------------


def make_comparison_cases():
    last = "in the last release"
    case("baseline-unsigned", "The last release is not signed.", tool(),
         finding("baseline", "tool", place=last, code="signature.missing", found="has no signature"),
         baseline=Folder().put("tool"))
    case("baseline-empty", "The folder of the last release has nothing in it.", tool(),
         finding("baseline", found="none in baseline"), baseline=Folder())
    case("baseline-expired", "A statement of the last release holds no longer.", tool(),
         finding("baseline", "tool", place=last, code="statement.expired", found=TIME),
         baseline=tool(until="2026-11-20T23:59:59Z"))
    case("sequence-lower", "A lower sequence under a higher version.", theme(version="1.2.0", sequence=1),
         finding("sequence", "theme.zip", "module.json", "sequence", found="1"),
         baseline=theme(version="1.1.0", sequence=2))
    case("sequence-same", "The same sequence with other bytes.", theme(version="1.1.0", content=b"<svg></svg>"),
         finding("sequence", "theme.zip", "module.json", "sequence", found="1"), baseline=theme())
    case("sequence-renamed", "The same in a file of another name.", theme("other.zip", version="1.1.0"),
         finding("sequence", "other.zip", "module.json", "sequence", found="1"), baseline=theme())
    case("version-same", "The same version with other bytes.", theme(sequence=2, content=b"<svg></svg>"),
         finding("version", "theme.zip", "module.json", "version", found="1.0.0"), baseline=theme())
    case("version-lower", "A lower version under a higher sequence.", theme(version="1.0.9", sequence=2),
         finding("version", "theme.zip", "module.json", "version", found="1.0.9"), baseline=theme(version="1.0.10"))
    case("version-build", "The same version with other build metadata.", theme(version="1.0.0+2", sequence=2),
         finding("version", "theme.zip", "module.json", "version", found="1.0.0+2"), baseline=theme(version="1.0.0+1"))
    case("reused-version", "A file of the same version with other bytes.", Folder().add("tool-1.2.0.bin", "new"),
         finding("reused-version", "tool-1.2.0.bin", found=hashlib.sha256(b"new").hexdigest()),
         baseline=Folder().add("tool-1.2.0.bin", "old"))
    case("minimum-sequence-lower", "A lower minimum.", player(version="1.1.0", sequence=9, minimum=5),
         warning("minimum-sequence", "player.zip", place="minimum sequence", found="5"),
         baseline=player(sequence=8, minimum=6))
    case("minimum-sequence-gone", "No minimum any more.", player(version="1.1.0", sequence=9),
         warning("minimum-sequence", "player.zip", place="minimum sequence", found="none"),
         baseline=player(sequence=8, minimum=6))
    case("removed-file", "A file less.", tool(), warning("removed", "more", found="none"), baseline=tool().add("more"))
    case("removed-module", "A module less.", tool(), warning("removed", "theme.zip", found="none"), baseline=theme(release=tool()))
    case("removed-module-exchanged", "Another module under its name.", theme(identifier="com.example.other"),
         warning("removed", "theme.zip", found="another artifact at theme.zip"), baseline=theme())
    for field, place, found, fields in (
            ("permission", "permissions", "audio", {"permissions": ["audio"]}),
            ("route", "routes", "ui://other", {"routes": ["ui://other", "ui://player/:track"]}),
            ("service", "services", "PlaybackService", {"services": ["PlaybackService"]}),
            ("action", "targets", "Player/play", {"targets": {"Player": ["play"]}}),
            ("page", "pages", "main page", {"pages": [""]}),
            ("board", "pages", "Main/Settings", {"boards": {"Main": ["Settings"]}}),
            ("host", "requires.host", ">=2.0.0", {"requires": {"host": ">=2.0.0"}}),
            ("module", "requires.modules", "com.example.theme >=1.0.0",
             {"requires": {"modules": [{"identifier": "com.example.theme", "versions": ">=1.0.0"}]}})):
        case(f"permissions-grown-{field}", f"A {field} more.", player(version="1.1.0", sequence=2, **fields),
             warning("permissions-grown", "player.zip", "module.json", place, found=found), baseline=player())
    case("permissions-grown-opened", "An action that URLs may call now.",
         player(version="1.1.0", sequence=2, targets={"Player": ["play"]}),
         warning("permissions-grown", "player.zip", "module.json", "targets", found="Player/play"),
         baseline=player(targets={"Player": [{"name": "play", "local": True}]}))
    case("permissions-grown-parameter", "A parameter that URLs may set now.",
         player(version="1.1.0", sequence=2, pages=["Track"], acceptedParameters={"Track": ["from"]}),
         warning("permissions-grown", "player.zip", "module.json", "acceptedParameters", found="Track from"),
         baseline=player(pages=["Track"]))
    both = trust(*ENTRIES, entry("second", SECOND))
    case("signers-changed", "Another of the trusted signers.", tool(keys=(SECOND,)),
         warning("signers-changed", "tool", found=f"second ({key_id(SECOND)})"), baseline=tool(), trusted=both,
         rules={"continuity": "off"})
    case("signers-changed-fewer", "A signer less.", tool(),
         warning("signers-changed", "tool", found=f"release ({key_id(RELEASE)})"), baseline=tool(keys=(RELEASE, SECOND)),
         trusted=both, rules={"continuity": "off"})
    off = {"signers-changed": "off"}
    case("continuity-signer", "Another of the trusted signers.", tool(keys=(SECOND,)),
         finding("continuity", "tool", code="continuity.signer", found=f"second ({key_id(SECOND)})"), baseline=tool(), trusted=both,
         rules=off)
    case("continuity-fewer", "A signer less.", tool(),
         finding("continuity", "tool", code="continuity.fewer-signers", found=f"release ({key_id(RELEASE)})"),
         baseline=tool(keys=(RELEASE, SECOND)), trusted=both, rules=off)
    case("clean-continuity-more", "A signer more.", tool(keys=(RELEASE, SECOND)), baseline=tool(), trusted=both, rules=off)
    case("growth", "A file that is eleven times as large.", tool(b"x" * 1100),
         warning("growth", "tool", found="1,100 bytes"), baseline=tool(b"x" * 100),
         rules={"growth": {"percent": 900, "bytes": 500}})


# A second build --------------------------------------------------------------------------------------------------------


def make_rebuild_cases():
    def differs(name, why, release, rebuild, *findings):
        case(f"reproducible-{name}", why, release, *findings, rebuild=rebuild)

    differs("bytes", "A byte differs.", tool(b"built at 10:15"), Folder().put("tool", b"built at 10:16"),
            finding("reproducible", "tool", place="offset 13", found="35, of 14 bytes"))
    differs("missing", "The second build has no such file.", tool().add("more"), Folder().put("tool"),
            finding("reproducible", "more", found="nothing"))
    differs("more", "The second build has a file more.", tool(), Folder().put("tool").put("more"),
            finding("reproducible", "more", found="nothing"))
    differs("entry", "An entry of an archive differs.", Folder().add("app.zip", zip_archive(("a", b"1"), ("b", b"2"))),
            Folder().put("app.zip", zip_archive(("a", b"1"), ("b", b"3"))),
            finding("reproducible", "app.zip", "b", place="offset 0", found="32, of 1 byte"))
    differs("order", "The entries of an archive are in another order.",
            Folder().add("app.zip", zip_archive(("a", b"1"), ("b", b"2"))),
            Folder().put("app.zip", zip_archive(("b", b"2"), ("a", b"1"))),
            finding("reproducible", "app.zip", found="a"))
    differs("folder", "A file in a folder that is signed as a whole differs.",
            Folder().put("docs/page", "one").sign_folder("docs"), Folder().put("docs/page", "two"),
            finding("reproducible", "docs", "page", place="offset 0", found="6f 6e 65, of 3 bytes"))


# Descriptions ----------------------------------------------------------------------------------------------------------


def make_description_cases():
    def wrong(name, why, release, entry="module.json", place=None, code=None, found=None):
        case(f"description-{name}", why, release,
             finding("description", next(iter(release.files)), entry, place, code, found))

    wrong("routes", "Routes that no code could register.", theme(routes=["ui://theme"]), place="routes", found="1")
    wrong("services", "Services that no code could register.", theme(services=["Colours"]), place="services", found="1")
    wrong("nothing", "Neither code nor resources.",
          Folder().add_module("empty.zip", description("com.example.empty")), found="neither")
    wrong("unnamed-library", "A library that the description does not name.",
          player(contents=[("lib/other.so", library(soname="other.so"))]), "lib/other.so", found="no such name")
    wrong("principal", "A library that does not define the principal.", player(code=library(exports=())), LIBRARY,
          "player_main", "elf.principal", "no such symbol")
    wrong("principal-needed", "A library that needs the principal from others.",
          player(code=library(exports=(), imports=("__stack_chk_fail", "__printf_chk", "player_main"))), LIBRARY,
          "player_main", "elf.principal", "a symbol that it needs from elsewhere")
    wrong("file-name", "A library that is not named after its module.",
          Folder().add_module("player.zip", description(
              "com.example.player", binary={"linux-x86_64": {"path": "lib/player.so", "needed": ["libc.so.6"]}},
              principal="player_main"), [("lib/player.so", library())]),
          "lib/player.so", code="packing.binary-name", found="player.so")
    make_requirement_cases()


def make_requirement_cases():
    def required(identifier, versions):
        return {"requires": {"modules": [{"identifier": identifier, "versions": versions}]}}

    place = {"entry": "module.json", "place": "requires.modules"}
    case("requirements-version", "A required module in another version.",
         theme(release=theme("icons.zip", identifier="com.example.icons"), **required("com.example.icons", ">=2.0.0")),
         finding("requirements", "theme.zip", **place, found="1.0.0"))
    case("requirements-missing", "A required module is not here, and the release has to be complete.",
         theme(**required("com.example.icons", ">=2.0.0")), finding("requirements", "theme.zip", **place, found="none"),
         rules={"requirements": {"complete": True}})
    case("requirements-circle", "Two modules that require each other.",
         theme(release=theme("icons.zip", identifier="com.example.icons", **required("com.example.theme", ">=1.0.0")),
               **required("com.example.icons", ">=1.0.0")),
         finding("requirements", "icons.zip", **place,
                 found="com.example.icons requires com.example.theme requires com.example.icons"))
    case("requirements-range", "Versions that cannot exist.", theme(**required("com.example.icons", ">=2.0.0 <1.0.0")),
         finding("requirements", "theme.zip", **place, found=">=2.0.0 <1.0.0"))
    case("requirements-host", "Versions of the host that cannot exist.", theme(requires={"host": ">2.0.0 <2.0.0"}),
         finding("requirements", "theme.zip", "module.json", "requires.host", found=">2.0.0 <2.0.0"))
    case("duplicate-module", "A module in two releases.", theme(release=theme("old.zip"), version="1.1.0", sequence=2),
         warning("duplicate-module", "old.zip", found="sequence 1"))
    case("duplicate-sequence", "Two archives that are the same release of a module.",
         theme(release=theme("old.zip"), content=b"<svg></svg>"),
         finding("duplicate-sequence", "theme.zip", "module.json", "sequence", found="com.example.theme with sequence 1"))
    picture = b"<svg>" + b"-" * 1024 + b"</svg>"
    case("shared-file", "Two modules with the same picture.",
         theme(release=theme("icons.zip", identifier="com.example.icons", content=picture), content=picture),
         warning("shared-file", "theme.zip", "images/dot.svg", found="images/dot.svg in icons.zip"))
    case("shared-file-small", "The same small picture, and the policy counts it.",
         theme(release=theme("icons.zip", identifier="com.example.icons")),
         warning("shared-file", "theme.zip", "images/dot.svg", found="images/dot.svg in icons.zip"),
         rules={"shared-file": {"bytes": 6}})
    case("shared-file-allowed", "The same picture in two modules, which the policy allows.",
         theme(release=theme("icons.zip", identifier="com.example.icons", content=picture), content=picture),
         rules={"shared-file": {"allow": ["*.svg"]}})
    case("shared-file-releases", "The same picture in two releases of one module.",
         theme(release=theme("old.zip", content=picture), content=picture, version="1.1.0", sequence=2),
         warning("duplicate-module", "old.zip", found="sequence 1"))
    case("platforms", "No code for a platform of the release.", player(),
         finding("platforms", "player.zip", "module.json", "binary", found="linux-x86_64"),
         rules={"platforms": {"names": ["linux-x86_64", "linux-aarch64"]}})
    case("prerelease", "The version of a pre-release.", theme(version="1.1.0-beta.2"),
         warning("prerelease", "theme.zip", "module.json", "version", found="1.1.0-beta.2"))
