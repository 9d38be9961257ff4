"""What is in archives, packages and compressed files: found, judged by its danger, or named as not searched."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile

from assembler import DEFLATED, Archive, Entry
import contents
import elf
import vectors
from contents import zip_archive
from folders import KEYS, Folder, case, finding, hidden, warning


def tar(*files, **how):
    """A tar without the padding to a record, so that tars in tars stay small."""
    made, end = contents.tar(*files, **how), 0
    while any(made[end:end + 512]):
        size = int(made[end + 124:end + 135], 8)
        end += 512 + size + -size % 512
    return made[:end] + bytes(1024)


def gz(content):
    """gzip without a time, as blocks that are not compressed: the same bytes with every zlib."""
    return gzip.compress(content, compresslevel=0, mtime=0)


def newc(*files):
    """A cpio of the form that RPM has."""
    made = b""
    for path, content in (*files, ("TRAILER!!!", b"")):
        name = path.encode() + b"\0"
        fields = (0, 0o100644, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
        made += head + b"\0" * (-len(head) % 4) + content + b"\0" * (-len(content) % 4)
    return made


def ar(*members):
    made = b"!<arch>\n"
    for name, content in members:
        made += b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name.encode(), 0, 0, 0, 0o100644, len(content))
        made += content + b"\n" * (len(content) % 2)
    return made


def rpm(payload):
    def header(data):
        return bytes.fromhex("8eade80100000000") + struct.pack(">II", 1, len(data)) + bytes(16) + data

    signatures = header(b"abc")
    return bytes.fromhex("edabeedb0300") + bytes(90) + signatures + bytes(-len(signatures) % 8) + header(b"x") + payload


def python_zip(content, method):
    """A ZIP with one entry `key`, compressed with a method that modules cannot have."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        entry = zipfile.ZipInfo("key", (2026, 1, 1, 0, 0, 0))
        entry.compress_type = method
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, content)
    return made.getvalue()


def make_container_cases():
    key = (KEYS / "insecure-test-ed25519").read_bytes()
    one = tar(("key", key))

    def found(name, why, content, entry, path="app.bin"):
        case(f"private-key-in-{name}", why, Folder().add(path, content),
             finding("private-key", path, entry, "offset 0", found="PKCS #8 in PEM"))

    found("gnu-tar", "A key in a tar of GNU's.", tar(("key", key), form=tarfile.GNU_FORMAT, uname="ann"), "key")
    found("long-name", "A key behind a long name of GNU's.", tar(("d/" * 60 + "key", key), form=tarfile.GNU_FORMAT),
          "d/" * 60 + "key")
    found("tar-gz", "A key in a tar, compressed.", gz(one), "key")
    found("members", "A key in a tar that is compressed in two members.", gz(one[:700]) + gz(one[700:]), "key")
    found("tar-bz2", "The same with bzip2.", bz2.compress(one), "key")
    found("tar-xz", "The same in two streams of xz.", lzma.compress(one[:700]) + lzma.compress(one[700:]), "key")
    found("tar-lzma", "The same with lzma.", lzma.compress(one, format=lzma.FORMAT_ALONE), "key")
    found("gz", "A compressed key.", gz(key), None)
    found("nested-gz", "A compressed key in a tar.", tar(("key.gz", gz(key))), "key.gz")
    found("cpio", "A key in a cpio.", newc(("key", key)), "key")
    found("ar", "A key in an ar.", ar(("key", key)), "key")
    found("deb", "A key in a Debian package.", ar(
        ("debian-binary", b"2.0\n"), ("control.tar.gz", gz(tar(("control", b"Package: x\n")))),
        ("data.tar.gz", gz(tar(("./usr/key", key))))), "data.tar.gz!usr/key", "app.deb")
    found("rpm", "A key in an RPM package.", rpm(gz(newc(("./usr/key", key)))), "usr/key", "app.rpm")
    found("nested", "A key in a ZIP in a tar.", tar(("lib/in.zip", zip_archive(("key", key)))), "lib/in.zip!key")
    found("deep", "A key in the fourth archive below.",
          tar(("a", tar(("b", tar(("c", tar(("d", one)))))))), "a!b!c!d!key")
    for number, method in ((12, "bzip2"), (14, "lzma")):
        found(f"zip-{method}", f"A key in a ZIP with {method}.", python_zip(key, number), "key")
    found("script", "A key in a ZIP behind a script.", b"#!/bin/sh\n" + zip_archive(Entry("key", key, method=DEFLATED)), "key")
    make_form_cases(key)
    make_unsearched_cases(key, one)
    make_names_cases()


def make_form_cases(key):
    """What the rule `archive-form` names, and what only looks as if it were no more than that."""
    plain = (("a", b"1"), ("b", b"2"))

    def form(name, why, content, place=None, code=None, found=None, path="app.tar"):
        case(f"archive-form-{name}", why, Folder().add(path, content),
             finding("archive-form", path, None, place, code, found), rules={"archive-form": "error"})
        case(f"clean-{name}", f"{why} By itself, it is no fault.", Folder().add(path, content))

    form("gnu-tar", "A tar of GNU's.", tar(*plain, form=tarfile.GNU_FORMAT), "header at 0", "archive.tar-header")
    form("device", "A device.", tar(("a", b""), type=tarfile.CHRTYPE), "a", "archive.special-file", "a pipe or device")
    form("gnu-device", "A device in a tar of GNU's.", tar(("a", b""), form=tarfile.GNU_FORMAT, type=tarfile.CHRTYPE),
         "header at 0", "archive.tar-header")
    form("tar-dot", "A path with a dot.", tar(("./a", b"1")), "./a", "path.dot")
    form("tar-bz2", "A tar that is compressed with bzip2.", bz2.compress(tar(*plain)), None, "archive.filter", "bzip2",
         "app.tar.bz2")
    form("cpio", "A cpio.", newc(*plain), None, "archive.format", path="app.cpio")
    form("zip-order", "Entries that are not in order.", next(
        each.inputs["module.zip"] for each in vectors.read("archives") if each.expected == "archive.order"),
        "b", "archive.order", "35", "app.zip")
    # A second fault behind one of the form is not missed.
    for name, content, place, code in (
            ("gnu-out", tar(("../a", b"1"), form=tarfile.GNU_FORMAT), "../a", "path.parent"),
            ("gnu-twice", tar(("a", b"1"), ("a", b"2"), form=tarfile.GNU_FORMAT), "a", "archive.duplicate-path"),
            ("gnu-case", tar(("a", b"1"), ("A", b"2"), form=tarfile.GNU_FORMAT), "A", "path.case-collision"),
            ("gnu-link", tar(("a", b""), form=tarfile.GNU_FORMAT, type=tarfile.SYMTYPE, linkname="../../etc"), "a",
             "path.parent")):
        case(f"archive-{name}", "A danger in a tar of GNU's.", Folder().add("app.tar", content),
             finding("archive", "app.tar", None, place, code, "../../etc" if name == "gnu-link" else
                     "a" if name == "gnu-case" else None))
    case("archive-nested", "A danger in an archive in another.",
         Folder().add("app.tar", tar(("in.tar", tar(("../a", b"1"))))),
         finding("archive", "app.tar", "in.tar", "../a", "path.parent"))


def make_unsearched_cases(key, one):
    def unsearched(name, why, content, entry=None, code="archive.filter", path="app.bin", **rules):
        case(f"unsearched-{name}", why, Folder().add(path, content), warning("unsearched", path, entry, code=code),
             rules=rules or {"archive": "off"})

    seven = bytes.fromhex("377abcaf271c0004") + bytes(24)
    unsearched("7z", "A 7z archive.", seven)
    unsearched("7z-entry", "A 7z archive in a ZIP.", zip_archive(("vendor.7z", seven)), "vendor.7z")
    unsearched("rar", "A RAR archive.", b"Rar!\x1a\x07\x01\x00" + bytes(24))
    unsearched("image", "An image of a file system.", b"hsqs" + bytes(92))
    unsearched("dmg", "A disk image of macOS.", bytes(512) + b"koly" + bytes(508))
    unsearched("damaged", "Compressed data that end too early.", gz(b"text" * 100)[:-9], code="archive.truncated")
    unsearched("encrypted", "An entry that is encrypted.",
               Archive(Entry("a", b"1234", flags=1)).bytes, "a", "archive.encrypted", "app.zip")
    # Behind the local header and the name: a version, the size of the properties, a byte, the size of the dictionary.
    small = python_zip(key, 14)
    huge = small[:38] + (1 << 31).to_bytes(4, "little") + small[42:]
    case("unsearched-zip-dictionary", "An entry that asks for a dictionary of 2 GiB.", Folder().add("app.zip", huge),
         warning("unsearched", "app.zip", "key", code="archive.filter", found="lzma"))
    unsearched("deep", "A fifth archive below.",
               tar(("a", tar(("b", tar(("c", tar(("d", tar(("e", tar(("f", b"1")))))))))))), "a!b!c!d!e", "archive.entry-count")
    case("clean-unsearched-allowed", "A 7z archive that the policy allows.", Folder().add("app.zip", zip_archive(("vendor.7z", seven))),
         rules={"unsearched": {"allow": ["*.7z"]}})


def make_names_cases():
    inner = tar((".git/HEAD", b"ref: x"))
    case("version-control-nested", "A version control folder in a tar in a tar.", Folder().add("app.tar", tar(("in.tar", inner))),
         finding("version-control", "app.tar", "in.tar!.git", found="Git"))
    case("environment-file-nested", "Settings of one machine in a compressed tar in a ZIP.",
         Folder().add("app.zip", zip_archive(("in.tgz", gz(tar((".env", b"A=1")))))), 
         finding("environment-file", "app.zip", "in.tgz!.env", found=".env"))
    case("dropping-nested", "A backup copy in a tar in a tar.", Folder().add("app.tar", tar(("in.tar", tar(("a~", b"1"))))),
         warning("dropping", "app.tar", "in.tar!a~", found="a backup copy"))
    case("world-writable-nested", "What everybody may write in a tar in a tar.",
         Folder().add("app.tar", tar(("in.tar", tar(("a", b"1"), mode=0o666)))),
         finding("world-writable", "app.tar", "in.tar!a", found="0666"))
    case("special-mode-nested", "An entry with the set-user-ID bit in a tar in a tar.",
         Folder().add("app.tar", tar(("in.tar", tar(("a", b"data"), mode=0o4755)))),
         finding("special-mode", "app.tar", "in.tar!a", found="4755"))
    case("binary-format-nested", "A damaged binary in a tar in a tar.",
         Folder().add("app.tar", tar(("in.tar", tar(("a", elf.binary()[:100]))))),
         finding("binary-format", "app.tar", "in.tar!a", code="elf.malformed", found="offset 64"))
