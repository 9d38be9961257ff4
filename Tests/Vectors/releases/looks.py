"""Releases without a fault, and folders that the gate does not judge."""

import elf
from contents import tar, zip_archive
from folders import (
    ENTRIES, RELEASE, RSA_2048, RSA_3072, SECOND, Folder, case, entry, tool, trust)
from modules import description, player
from signatures import PROVENANCE, certificate_policy, provenance, signed_by_certificate


def make_clean_cases():
    def clean(name, why, release, **more):
        case(f"clean-{name}", why, release, **more)

    clean("file", "A file, and its bundle.", tool())
    clean("empty-file", "A file of no bytes.", tool(b""))
    clean("folders", "Files of the same name in two folders.",
          Folder().add("linux/tool", b"linux").add("macos/tool", b"macos"))
    clean("two-folders", "A release in two folders.", tool(), other=Folder().add("other", b"other"))
    clean("names", "Names that other programs would take for something else.",
          Folder().add("-rf").add("a b").add("::error::x").add("<b>").add("%0A").add("gr\u00fc\u00df\u20ac"))
    clean("folder", "A folder that is signed as a whole, with a program in it.",
          Folder().put("docs/page", "page").put("docs/bin/run", "#!/bin/sh\n", 0o755).sign_folder("docs"))
    clean("signers", "Two signers where two are needed, a bundle a line.",
          tool(keys=(RELEASE, SECOND)), trusted=trust(*ENTRIES, entry("second", SECOND), threshold=2))
    clean("rsa", "An RSA key of 3072 bits.", tool(keys=(RSA_3072,)), trusted=trust(entry("release", RSA_3072)))
    clean("certificate", "A signer that an authority certifies.", signed_by_certificate(),
          trusted=certificate_policy())
    clean("left-out", "Files that the policy leaves out, and their bundles.",
          tool().put("NOTES.md", "notes").put("old/tool", "old").put("old/tool.sigstore.json", "{"),
          exclude=["*.md", "old/**"])
    clean("link", "A link that the policy expects.", tool().link("latest", "tool"),
          rules={"link": {"allow": ["latest"]}})
    clean("link-in-folder", "A folder whose name is that of a link's target.",
          Folder().add("1.2/tool").link("current", "1.2"), rules={"link": {"allow": ["current"]}})
    clean("until", "A statement that ends in half a year.", tool(until="2027-05-21T00:00:00Z"))
    clean("attested", "A file with the provenance that the policy demands.",
          tool().attest("tool", "provenance", PROVENANCE, provenance()),
          rules={"attestation": {"demands": [{"type": "provenance", "signers": ["build"]}]}})
    clean("attested-besides", "Provenance that nobody demands.",
          tool().attest("tool", "provenance", PROVENANCE, provenance()))
    clean("module", "A module with code, routes and resources.", player())
    clean("module-resources", "A module of resources alone.",
          Folder().add_module("theme.zip", description("com.example.theme", resources=["images"]),
                              [("images/dot.svg", b"<svg/>")]))
    clean("modules", "Two modules, one of which requires the other.",
          player(requires={"modules": [{"identifier": "com.example.theme", "versions": ">=1.0.0"}]}).add_module(
              "theme.zip", description("com.example.theme", resources=["images"]), [("images/dot.svg", b"<svg/>")]),
          rules={"requirements": {"complete": True}})
    clean("program", "A hardened program.", tool(elf.binary()), rules={"stripped": "error"})
    clean("library", "A hardened library that looks for others beside itself.",
          Folder().add("lib/libtool.so", elf.binary(soname="libtool.so", run_path="$ORIGIN/../lib")),
          rules={"architecture": {"names": ["x86-64"]}})
    clean("object", "An object, which nobody loads as it is.", Folder().add("tool.o", elf.head_only(elf.OBJECT)))
    clean("zip", "A ZIP of plain files.", Folder().add("app.zip", zip_archive(("a/file", b"text"))))
    clean("tar", "A tar of plain files.", Folder().add("app.tar", tar(("a/file", b"text"))))
    clean("baseline-same", "The same as the last release.", player(), baseline=player())
    clean("baseline-next", "A later release of a module.", player(version="1.1.0", sequence=2), baseline=player())
    clean("baseline-reused-folder", "Another file below a folder with a version in its name.",
          Folder().add("docs-1.2/page", "new"), baseline=Folder().add("docs-1.2/page", "old"))
    clean("baseline-reused-allowed", "A version that is not the file's own.", Folder().add("python3.11.html", "new"),
          baseline=Folder().add("python3.11.html", "old"), rules={"reused-version": {"allow": ["*.html"]}})
    clean("baseline-first", "A file that the last release did not have.", tool().add("more"), baseline=tool())
    clean("rebuild", "A second build with the same bytes, which nobody has signed.",
          tool(), rebuild=Folder().put("tool"))
    clean("rule-off", "A fault that the policy does not look for.", Folder().put("unsigned"),
          rules={"signature": "off"})


def make_errors():
    def error(name, code, why, release, **more):
        case(f"error-{name}", why, release, error=code, **more)

    for name, why, target in (
            ("root", "A link to a path from the root.", "/etc/hostname"), ("out", "A link out of the release.", "../other"),
            ("nothing", "A link to nothing.", "nothing"), ("itself", "A link to itself.", "link"),
            ("behind", "A link with .. behind a name.", "folder/../tool")):
        error(f"link-{name}", "gate.link", why, tool().add("folder/file").link("link", target))
    error("link-left-out", "gate.link", "A link out of the release that is left out.",
          tool().link("NOTES.md", "/etc/hostname"), exclude=["*.md"])
    error("link-in-left-out", "gate.link", "A link out of the release in a folder that is left out.",
          tool().put("old/file").link("old/link", "../../other"), exclude=["old"])
    error("link-through", "gate.link", "A link through another link.",
          Folder().add("folder/file").link("through", "folder").link("link", "through/file"))
    error("link-to-folder-besides", "gate.link", "A link to another folder of the release.",
          tool().link("link", "../other/tool2"), other=Folder().add("tool2"))
    error("pipe", "gate.special-file", "A pipe.", tool().pipe("pipe"))
    error("empty", "gate.empty", "Nothing in the folder.", Folder())
    error("empty-left-out", "gate.empty", "Nothing that is not left out.", Folder().put("NOTES.md"), exclude=["*.md"])
    error("empty-bundles", "gate.empty", "Bundles alone.", Folder().put("tool.sigstore.json", "{}"))
    error("empty-besides", "gate.empty", "A second folder with nothing in it.", tool(), other=Folder())
    error("review", "gate.review", "A policy that a person has still to look at.", tool(), review=["look at this"])
    error("policy-weak-key", "policy.weak-key", "An RSA key of 2048 bits, and nothing says that it is enough.", tool(),
          trusted=trust(entry("release", RSA_2048)))
    error("policy-rule", "policy.unknown-field", "A rule that is not known.", tool(), rules={"signatures": "error"})
    error("policy-option", "policy.unknown-field", "An option that is not known.", tool(), rules={"expiry": {"day": 1}})
    error("policy-level", "policy.malformed", "A level that is not known.", tool(), rules={"expiry": "fatal"})
    error("twice", "gate.duplicate-path", "A path in two folders.", tool(), other=tool())
