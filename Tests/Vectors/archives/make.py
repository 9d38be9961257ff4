#!/usr/bin/env python3
"""Makes the archive vectors anew: a folder a case, one fault each. Needs nothing but Python.

A folder holds

  module.zip   the archive
  expected     line 1: "accepted", or the code of the refusal
               line 2: why

Nothing here comes from a clock or a compressor, so running it again changes nothing.
"""

from assembler import (
    Archive, DEFLATED, Entry, FAT, LINK, MACOS, MARK, UTF8, deflated, extra, raw_block, sizes64)
from cases import case, file, folder, link, packed, remove_stale
from entries import make_attribute_faults, make_bombs, make_data_faults, make_extra_faults, make_header_faults
from names import make_name_faults, make_tree_faults
from structure import (
    ALL_MARKED, make_block_faults, make_end_faults, make_place_faults, make_truncated, make_twins, make_zip64_faults)

# As Info-ZIP writes them: the local header has more than the central directory.
TIMES = {"local": {"extra": extra(0x5455, b"\3" + bytes(8)) + extra(0x7875, b"\1\4" + bytes(4) + b"\4" + bytes(4))},
         "central": {"extra": extra(0x5455, b"\1" + bytes(4)) + extra(0x7875, b"\1\4" + bytes(4) + b"\4" + bytes(4))}}
END_RECORD = Archive().bytes
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
    good("comment", "An archive comment.", file(), comment=b"A comment with PK in it, and PK\5\5.")
    good("comment-long", "The longest archive comment that libarchive finds the end record in front of.",
         file(), link("l", "a"), comment=b"c" * COMMENT)
    good("entry-comment", "A comment on an entry.", file(central={"comment": b"what it is"}))
    good("utf8", "Names that are not ASCII, marked as UTF-8.",
         file("\u00fc"), file("\u4e2d\u6587/\U0001f600"), link("\u00e9", "\u00fc"))
    good("utf8-ascii", "An ASCII name marked as UTF-8.", file(flags=UTF8))
    good("name-bidi", "A name with a mark that turns the direction: ugly, shown escaped, one meaning.",
         file("a\u202etxt.exe"))
    good("name-long", "The longest name there can be.", file("x" * 255))
    good("name-deep", "As deep as may be.", file("/".join("x" * 64)))
    good("jar", "As jar makes them: a mark in the first entry's extra field.",
         Entry("META-INF/", host=FAT, extra=extra(0xCAFE)), file("META-INF/MANIFEST.MF", host=FAT))
    good("extra-times", "Times and owners, as Info-ZIP keeps them.", file(**TIMES))
    good("extra-all", "All extra fields there may be, together.", file(
        zip64=True, extra=extra(0xCAFE) + extra(0x5455, b"\0") + extra(0x7875, b"\1\1\0\1\0")))
    good("times", "Times that differ: no time of an archive counts.", file(local={"time": 1}, central={"date": 0x5C21}))
    good("version-needed", "A version that its features do not need.", file(needed=45))
    good("made-by-fat", "From a system without modes.", Entry("d/", host=FAT), file("d/a", host=FAT, dos=0x21))
    good("made-by-macos", "From the number that stands for macOS, which nobody writes.", file("a", host=MACOS))
    good("mode-none", "No mode at all, as zipfile writes for a name it is given.", file(mode=0))
    good("mode-no-type", "Permissions without a type.", file(mode=0o600), folder(mode=0o700))
    good("mode-wide", "Everybody may write: it is not installed so.", file(mode=0o100777))
    good("link-up", "Links to the top, to where they are, to nothing.",
         link("a/b/up", "../.."), link("a/self", "."), link("a/dangling", "./b/nothing"))
    good("link-deflated", "A link whose target is compressed.", Entry("l", b"a", LINK, method=DEFLATED))
    good("link-long", "The longest target there can be.", link("l", "x/" * 511 + "y"))
    good("zip64-entry", "ZIP64 sizes where none are needed.", file(zip64=True), packed("b", zip64=True))
    good("zip64-local", "ZIP64 sizes in the local header alone, as zipfile writes them when it is told to.",
         file(local={"packed_size": MARK, "size": MARK, "extra": sizes64(4, 4)}))
    good("zip64-offset", "A ZIP64 offset where none is needed.",
         file(), file("b", central={"offset": MARK, "extra": sizes64(35)}))
    good("zip64-end", "A ZIP64 end record beside a classic one with the same values.", file(), zip64={})
    good("zip64-end-marked", "A ZIP64 end record, and a classic one that says nothing.",
         file(), zip64={}, end=ALL_MARKED)
    good("zip64-comment-long", "The same, and the locator.",
         file(), link("l", "a"), zip64={}, end=ALL_MARKED, comment=b"c" * COMMENT)
    good("zip64-all", "Everything in ZIP64, and a comment.",
         file(zip64=True), zip64={}, end=ALL_MARKED, comment=b"comment")
    good("nested", "A ZIP in a ZIP: a file like another, and never opened.", file("b.zip", Archive(file()).bytes))
    good("data-signatures", "Data that look like records.", file(data=b"PK\1\2PK\3\4PK\5\6PK\6\6PK\6\7PK\7\x08"))
    good("data-end-record", "Data that end in an end record: the directory follows.", file(data=END_RECORD))


make_accepted()
make_end_faults()
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
remove_stale()
