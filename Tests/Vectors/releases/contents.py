"""The rules on contents."""

import base64
import io
import json
import tarfile
import zlib

import elf
import vectors
from assembler import DEFLATED, LINK, Archive, Entry
from folders import KEYS, Folder, case, finding, hidden, tool, warning


def zip_archive(*files):
    """A ZIP of paths and bytes, or of entries."""
    return Archive(*(each if isinstance(each, Entry) else Entry(*each) for each in files)).bytes


def tar(*files, form=tarfile.USTAR_FORMAT, **fields):
    """A tar of paths and bytes."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as archive:
        for path, content in files:
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            for field, value in fields.items():
                setattr(entry, field, value)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def make_content_cases():
    make_key_cases()
    make_token_cases()
    make_name_cases()
    make_mode_cases()
    make_archive_cases()
    for name, text in (("home", b"/home/ann/src/tool/main.c"), ("root", b"/root/tool/main.go"),
                       ("runner", b"/__w/tool/tool/main.rs"), ("temporary", b"/tmp/build.1/tool/main.c")):
        binary = elf.binary(texts=(text,))
        case(f"build-path-{name}", "A path of the machine that built it.", tool(binary),
             warning("build-path", "tool", place=f"offset {binary.index(text)}", found=text.decode()))
    case("clean-build-path-text", "The same path in a text.", tool(b"see /home/ann/src/tool/main.c"))
    case("clean-build-path-allowed", "The same path, which the policy allows.", tool(elf.binary(texts=(b"/home/ann/src/tool/main.c",))),
         rules={"build-path": {"allow": ["/home/ann/"]}})


def make_key_cases():
    """The keys are those in keys/, which everybody has."""
    plain, encrypted = ((KEYS / name).read_bytes() for name in ("insecure-test-ed25519", "insecure-test-encrypted"))
    der = base64.b64decode(b"".join(plain.splitlines()[1:-1]))

    def key(name, why, release, entry=None, place=None, found=None, path="tool"):
        case(f"private-key-{name}", why, release, finding("private-key", path, entry, place, found=found))

    key("pem", "A private key in PEM.", tool(hidden(plain)), place="offset 0", found="PKCS #8 in PEM")
    key("encrypted", "An encrypted private key in PEM.", tool(hidden(encrypted)), place="offset 0", found="PKCS #8 in PEM")
    key("der", "A private key in DER.", tool(der), found="PKCS #8 in DER")
    key("text", "A private key in a script.", tool(hidden(b"#!/bin/sh\nkey='" + plain + b"'\n")), place="offset 15",
        found="PKCS #8 in PEM")
    key("binary", "A private key in a program.", tool(binary := elf.binary(texts=(plain,))),
        place=f"offset {binary.index(plain)}", found="PKCS #8 in PEM")
    key("entry", "A private key in a ZIP.", Folder().add("app.zip", zip_archive(("etc/key", plain))), "etc/key", "offset 0",
        "PKCS #8 in PEM", "app.zip")
    key("deflated", "A private key that is compressed.",
        Folder().add("app.zip", zip_archive(Entry("etc/key", plain, method=DEFLATED))), "etc/key", "offset 0",
        "PKCS #8 in PEM", "app.zip")
    key("folder", "A private key in a folder that is signed as a whole.",
        Folder().put("docs/key", hidden(plain)).sign_folder("docs"), "key", "offset 0", "PKCS #8 in PEM", "docs")
    case("clean-public-key", "A public key.", tool((KEYS / "insecure-test-ed25519.pub").read_bytes()))
    case("clean-key-label", "What a program needs to find keys.", tool("-----BEGIN PRIVATE KEY-----\n%s\n"))


def make_token_cases():
    # The last six characters are the CRC-32 of those before them, in base 62.
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    body = "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ"
    rest, checksum = zlib.crc32(body.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        checksum = digits[digit] + checksum
    token = f"ghp_{body}{checksum}"
    case("access-token", "A token of GitHub.", tool(hidden(f"token = {token}\n")),
         finding("access-token", "tool", place="offset 8", found="ghp_\u2026, 40 characters"))
    case("access-token-entry", "A token in a ZIP.", Folder().add("app.zip", zip_archive((".npmrc", f"{token}\n"))),
         finding("access-token", "app.zip", ".npmrc", "offset 0", found="ghp_\u2026, 40 characters"))
    case("access-token-decoys", "A token behind a thousand texts that seem to begin one.", tool(hidden("ghp_" * 1100 + f" {token}")),
         finding("access-token", "tool", place="offset 4401", found="ghp_\u2026, 40 characters"))
    bundled = tool()
    bundle = json.loads(bundled.files["tool.sigstore.json"])
    bundle["dsseEnvelope"]["signatures"][0]["keyid"] = token
    bundled.put("tool.sigstore.json", json.dumps(bundle))
    case("access-token-bundle", "A token in the bundle of a file, where it is not signed.", bundled,
         finding("access-token", "tool.sigstore.json", place=f"offset {json.dumps(bundle).index(token)}", found="ghp_\u2026, 40 characters"))
    case("clean-token-checksum", "A token whose checksum is not right.", tool(hidden(token[:-1] + "x")))
    case("clean-token-allowed", "A token that the policy allows.", tool(hidden(token)), rules={"access-token": {"allow": ["github"]}})


def make_name_cases():
    case("version-control", "The folder of a version control system.", Folder().add(".git/config", "[core]"),
         finding("version-control", ".git/config", found="Git, in .git"))
    case("version-control-below", "The same further down.", tool().add("src/.hg/store", "x"),
         finding("version-control", "src/.hg/store", found="Mercurial, in src/.hg"))
    case("version-control-empty", "The same without a file in it.", tool().mode("src/.git", 0o755),
         finding("version-control", "src/.git", found="Git, in src/.git"))
    case("version-control-entry", "The same in a ZIP.", Folder().add("app.zip", zip_archive(("src/.git/HEAD", b"ref: x"))),
         finding("version-control", "app.zip", "src/.git", found="Git"))
    case("version-control-case", "The same in capitals.", Folder().add(".GIT/config", "[core]"),
         finding("version-control", ".GIT/config", found="Git, in .GIT"))
    case("environment-file", "Settings of one machine.", Folder().add(".env", "MODE=1"), finding("environment-file", ".env", found=".env"))
    case("environment-file-kind", "Settings of one kind of machine.", Folder().add("app/.env.production", "MODE=1"),
         finding("environment-file", "app/.env.production", found=".env.production"))
    case("environment-file-entry", "The same in a ZIP.", Folder().add("app.zip", zip_archive((".env", b"MODE=1"))),
         finding("environment-file", "app.zip", ".env", found=".env"))
    case("clean-environment-example", "An example of settings for users.", Folder().add(".env.example", "MODE=1"))
    for name, path, found in (
            ("backup", "tool~", "a backup copy"), ("swap", ".tool.swp", "a swap file of Vim"),
            ("macos", ".DS_Store", "the view of a folder from macOS"), ("fork", "._tool", "attributes of a file from macOS"),
            ("emacs", "#tool#", "a copy that Emacs saves"), ("windows", "Thumbs.db", "thumbnails from Windows"),
            ("patch", "tool.c.orig", "the copy from before a merge or a patch")):
        case(f"dropping-{name}", "What another program left behind.", Folder().add(path), warning("dropping", path, found=found))
    case("dropping-folder", "The settings of an editor.", Folder().add(".vscode/settings.json", "{}"),
         warning("dropping", ".vscode/settings.json", found="settings of an editor"))
    case("dropping-entry", "Attributes from macOS in a ZIP.", Folder().add("app.zip", zip_archive(("__MACOSX/._a", b"x"))),
         warning("dropping", "app.zip", "__MACOSX", found="attributes of files from macOS"))
    case("dropping-core", "The memory of a program.", tool(elf.head_only(elf.CORE)), warning("dropping", "tool", found="a core dump"))


def make_mode_cases():
    case("world-writable-file", "A file that everybody may write.", tool(mode=0o666), finding("world-writable", "tool", found="0666"))
    bundle = tool()
    bundle.tree.append("f 0646 {}/tool.sigstore.json")
    case("world-writable-bundle", "A bundle that everybody may write.", bundle,
         finding("world-writable", "tool.sigstore.json", found="0646"))
    case("world-writable-folder", "A folder that everybody may write.", Folder().add("bin/tool").mode("bin", 0o777),
         finding("world-writable", "bin", found="0777"))
    top = tool()
    top.tree.append("d 0777 {}")
    case("world-writable-top", "The folder of the release itself.", top, finding("world-writable", None, found="0777"))
    case("world-writable-entry", "An entry that everybody may write.",
         Folder().add("app.zip", zip_archive(Entry("a", b"x", 0o100666))), finding("world-writable", "app.zip", "a", found="0666"))
    case("clean-link-mode", "A link in a ZIP: its mode means nothing.",
         Folder().add("app.zip", zip_archive(("a", b"x"), Entry("l", b"a", LINK))))
    case("special-mode-user", "A program with the set-user-ID bit.", tool(mode=0o4755), finding("special-mode", "tool", found="4755"))
    case("special-mode-group", "A program with the set-group-ID bit.", tool(mode=0o2755), finding("special-mode", "tool", found="2755"))
    case("special-mode-entry", "An entry with the set-user-ID bit.",
         Folder().add("app.zip", zip_archive(Entry("a", b"data", 0o104755))), finding("special-mode", "app.zip", "a", found="4755"))
    case("special-mode-both", "A program with both.", tool(mode=0o6755), finding("special-mode", "tool", found="6755"))


# Archives --------------------------------------------------------------------------------------------------------------


def make_archive_cases():
    refused = {each.name: each for each in vectors.read("archives")}

    def archive(name, why, content, place=None, code=None, found=None, entry=None, path="app.zip"):
        case(f"archive-{name}", why, Folder().add(path, content), finding("archive", path, entry, place, code, found),
             rules={"unsearched": "off"})

    for name, place, found in (
            ("place-leading", "a", "15"), ("end-trailing", None, "1 bytes"), ("place-gap", "b", "36"),
            ("end-double", None, "22 bytes"), ("place-size-into-next", "b", "35")):
        why, content = refused[name].reason, refused[name].inputs["module.zip"]
        # A script may be before a ZIP.
        if name == "place-leading":
            why, content = "A text in front; the offsets count from the beginning.", content.replace(b"#!", b"# ", 1)
        archive(name, why, content, place, refused[name].expected, found)
    archive("twice", "A path twice.", zip_archive(("a", b"1"), ("a", b"2")), "a", "archive.duplicate-path")
    archive("out", "A path that leads out.", zip_archive(("../a", b"1")), "../a", "path.parent")
    archive("checksum", "An entry whose checksum is another.", zip_archive(Entry("a", b"data", crc=1)),
            code="archive.checksum", entry="a", found="CRC-32 adf3f363")
    archive("named", "A file that is named as a ZIP and is none.", b"text", code="archive.end-record")
    archive("tar-twice", "A path twice in a tar.", tar(("a", b"1"), ("a", b"2")), "a", "archive.duplicate-path", path="app.tar")
    archive("tar-end", "Something behind the end of a tar.", tar(("a", b"1")) + b"more", code="archive.trailing-data",
            found="other bytes before offset 10244", path="app.tar")
    archive("tar-gz-named", "A file that is named as a compressed tar and is none.", b"text", code="archive.format", path="app.tar.gz")
