#!/usr/bin/env python3
"""Makes the list of archives anew: one fault a case. Needs nothing but Python.

  module.zip   the archive
  expected     "accepted", or the code of the refusal

Nothing here comes from a clock or a compressor, so running it again changes nothing.
"""

from assembler import (
    Archive, DEFLATED, Entry, FAT, LINK, MACOS, UTF8, deflated, extra, raw_block)
from parts import case, cases, file, folder, link, packed
from entries import make_attribute_faults, make_bombs, make_data_faults, make_extra_faults, make_header_faults
from names import make_name_faults, make_tree_faults
from structure import (
    make_block_faults, make_end_faults, make_place_faults, make_stray_end_faults, make_truncated, make_twins,
    make_zip64_faults)

# As Info-ZIP writes them: the local header has more than the central directory.
TIMES = {"local": {"extra": extra(0x5455, b"\3" + bytes(8)) + extra(0x7875, b"\1\4" + bytes(4) + b"\4" + bytes(4))},
         "central": {"extra": extra(0x5455, b"\1" + bytes(4)) + extra(0x7875, b"\1\4" + bytes(4) + b"\4" + bytes(4))}}
END_RECORD = Archive().bytes
# Where programs look for an end record: it, and the longest comment.
WINDOW = 22 + 0xFFFF


def far_end_record(distance):
    """A file with an end record that begins so many bytes in front of where programs look."""
    behind = len(Archive(file()).bytes) - len(file().local_header() + file().packed)
    return file(data=END_RECORD + bytes(WINDOW + distance - behind - len(END_RECORD)))
# What libarchive searches, without the end record and the locator in front of it.
COMMENT = 16384 - 22 - 20


def make_accepted():
    def good(name, why, *entries, **fields):
        case(f"accepted-{name}", "accepted", why, *entries, **fields)

    good("stored", "A file as it is.", file())
    good("deflated", "A file that is compressed.", packed())
    good("several", "Files, directories, a link, both methods.",
         file("module.json", b"{}"), folder("lib/"), packed("lib/code", b"code", 0o100755), link("run", "lib/code"))
    good("directory", "Nothing but a directory.", folder())
    good("directory-late", "A directory that comes after what lies in it.", file("d/a"), folder("d/"))
    good("directories-implied", "Directories without entries of their own.", file("a/b/c"), file("a/d/e"))
    good("empty-file", "A file of no bytes, stored.", file(data=b""))
    good("empty-file-deflated", "A file of no bytes, compressed into two.", packed(data=b""))
    good("deflated-empty-blocks", "Compressed data with blocks in which there is nothing.",
         packed(data=b"data", packed=raw_block(b"") * 9 + raw_block(b"data", final=True)))
    good("deflated-hints", "Flags that say how hard the compressor tried.", packed(flags=0b110))
    good("deflated-larger", "Compressed data that are larger than what they are of.", packed(data=b"a"))
    good("comment", "An archive comment.", file(), comment="A comment with PK in it,\r\n\tand \u00e9.".encode())
    good("comment-long", "The longest archive comment that libarchive finds the end record in front of.",
         file(), link("l", "a"), comment=b"c" * COMMENT)
    good("entry-comment", "A comment on an entry.", file(central={"comment": "what \u00e9 is".encode()}))
    good("utf8", "Names that are not ASCII, marked as UTF-8.",
         file("\u00fc"), file("\u4e2d\u6587/\U0001f600"), link("\u00e9", "\u00fc"))
    good("utf8-ascii", "An ASCII name marked as UTF-8.", file(flags=UTF8))
    good("name-joiners", "Joiners and selectors that scripts and emoji need.",
         file("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"), file("\u0915\u094d\u200d\u0937"),
         file("\U0001f469\u200d\U0001f680.png"), file("\u2764\ufe0f\u200d\U0001f525"), file("1\ufe0f\u20e3"),
         file("\u845b\U000e0100"))
    good("name-joiner-end", "A right-to-left name, with nothing that turns it.", file("\u05e9\u05dc\u05d5\u05dd.txt"))
    good("name-long", "The longest name there can be.", file("x" * 255))
    good("name-deep", "As deep as may be.", file("/".join("x" * 64)))
    good("jar", "As jar makes them: a mark in the first entry's extra field.",
         Entry("META-INF/", host=FAT, extra=extra(0xCAFE)), file("META-INF/MANIFEST.MF", host=FAT))
    good("extra-times", "Times and owners, as Info-ZIP keeps them.", file(**TIMES))
    good("extra-all", "All extra fields there may be in a small archive, together.", file(
        extra=extra(0xCAFE) + extra(0x5455, b"\0") + extra(0x7875, b"\1\1\0\1\0")))
    good("extra-times-flags", "Times as Info-ZIP keeps them: the directory's flags are those of the local header.", file(
        local={"extra": extra(0x5455, b"\7" + bytes(12))}, central={"extra": extra(0x5455, b"\7" + bytes(4))}))
    good("extra-times-all", "All times in both headers, as libarchive keeps them.",
         file(extra=extra(0x5455, b"\7" + bytes(12))))
    good("extra-local", "Times and owners in the local header alone.",
         file(local={"extra": extra(0x5455, b"\1" + bytes(4)) + extra(0x7875, b"\1\1\0\1\0")}))
    good("times", "Times that cannot be, the same in both headers: no time of an archive counts.",
         file(time=0xFFFF, date=0xFFFF))
    good("internal-text", "The internal attribute of texts.", file(internal=1))
    good("version-needed", "A version that its features do not need.", file(needed=45))
    good("made-by-fat", "From a system without modes.", Entry("d/", host=FAT), file("d/a", host=FAT, dos=0x21))
    good("made-by-macos", "From the number that stands for macOS, which nobody writes.", file("a", host=MACOS))
    good("mode-no-type", "Permissions without a type, as zipfile writes them.", file(mode=0o600), folder(mode=0o700))
    good("mode-wide", "Everybody may write: it is not installed so.", file(mode=0o100777))
    good("link-up", "Links to the top, to where they are, to nothing.",
         link("a/b/up", "../.."), link("a/self", "."), link("a/dangling", "./b/nothing"))
    good("link-deflated", "A link whose target is compressed.", Entry("l", b"a", LINK, method=DEFLATED))
    good("link-long", "The longest target there can be.", link("l", "x/" * 511 + "y"))
    good("zip64-end", "A ZIP64 end record beside a classic one with the same values.", file(), zip64={})
    good("zip64-comment-long", "The same, and the longest comment.",
         file(), link("l", "a"), zip64={}, comment=b"c" * COMMENT)
    good("nested", "A ZIP in a ZIP, compressed: a file like another, and never opened.",
         packed("b.zip", Archive(file()).bytes))
    good("nested-parted", "A ZIP in a ZIP, in blocks that part the signature of its end record.",
         packed("b.zip", END_RECORD, packed=raw_block(END_RECORD[:3]) + raw_block(END_RECORD[3:], final=True)))
    good("data-signatures", "Data that look like records.", file(data=b"PK\1\2PK\3\4PK\7\x08PK\5PK\6\5"))
    good("data-end-record-far", "An end record in the data, a byte too far from the end for any program to look there.",
         far_end_record(1))


make_accepted()
make_end_faults()
make_stray_end_faults(far_end_record(0))
make_twins()
make_place_faults()
make_header_faults()
make_extra_faults()
make_zip64_faults()
make_attribute_faults()
make_name_faults()
make_tree_faults()
make_data_faults()
make_bombs()
make_truncated()
make_block_faults()
cases.write()
