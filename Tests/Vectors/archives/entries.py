"""Faults of single entries: their headers, extra fields, attributes and data."""

import struct

from assembler import (
    Bits, DEFLATED, Entry, FAT, LINK, MACOS, MARK, UTF8, deflated, extra, fixed, raw_block, sizes64, zeros)
from parts import case, file, folder, link, packed


def make_header_faults():
    def differs(name, why, make=file, /, **local):
        case(f"local-{name}", "archive.header-mismatch", why, make(local=local), file("z"))

    differs("name", "Another name in the local header.", name=b"b")
    differs("name-longer", "A longer name in the local header.", name=b"a.txt")
    differs("name-none", "No name in the local header.", name=b"")
    differs("name-case", "The local name in another case.", name=b"A")
    differs("name-slash", "A directory in the local header.", name=b"a/")
    differs("name-parent", "A local name that leads out.", name=b"../a")
    differs("name-nul", "A local name with a NUL at its end.", name=b"a\0")
    differs("flags-encrypted", "Encrypted in the local header only.", flags=1)
    differs("flags-descriptor", "A data descriptor in the local header only.", flags=8)
    differs("flags-utf8", "Marked as UTF-8 in the local header only.", flags=UTF8)
    differs("method", "Another method in the local header.", method=DEFLATED)
    differs("method-stored", "Stored in the local header only.", packed, method=0)
    differs("method-unknown", "An unknown method in the local header.", method=99)
    differs("crc", "Another checksum in the local header.", crc=0)
    differs("size", "Another size in the local header.", size=3)
    differs("packed-size", "Another compressed size in the local header.", packed, packed_size=1)
    differs("sizes-none", "No sizes in the local header, and no data descriptor.", crc=0, size=0, packed_size=0)
    case("local-zip64", "archive.zip64", "Other sizes in the local header, in ZIP64.",
         file(local={"size": MARK, "packed_size": MARK, "extra": sizes64(4, 3)}), file("z"))
    differs("time", "Another time in the local header.", time=1)
    differs("date", "Another date in the local header.", date=0x5C21)
    differs("version", "Another version needed in the local header.", needed=10)
    case("local-version-central", "archive.header-mismatch", "A later version needed in the directory.",
         file(central={"needed": 45}))
    case("local-unicode", "archive.header-mismatch", "The local name decomposed, the other one not.",
         file("\u00fc", local={"name": "u\u0308".encode()}))
    case("local-name-shorter", "archive.header-mismatch", "A shorter name in the local header.",
         file("long-name", local={"name": b"long"}))
    case("local-swapped", "archive.header-mismatch", "Two entries whose local names are exchanged.",
         file("a", local={"name": b"b"}), file("b", local={"name": b"a"}))

    def bad(name, code, why, *entries, **fields):
        case(name, f"archive.{code}", why, *entries, **fields)

    bad("encrypted", "encrypted", "Encrypted as PKZIP did.", file(flags=1, packed=bytes(12) + b"data", size=16))
    bad("encrypted-strong", "encrypted", "Encrypted with the strong method.", file(flags=1 << 6 | 1))
    bad("encrypted-strong-only", "encrypted", "The flag of strong encryption alone.", file(flags=1 << 6))
    bad("encrypted-directory", "encrypted", "With masked local headers.", file(flags=1 << 13))
    bad("encrypted-aes", "encrypted", "Encrypted as WinZip does.",
        file(flags=1, method=99, extra=extra(0x9901, b"\2\0AE\3\0\0")))
    descriptor = struct.pack("<4s3I", b"PK\7\x08", file().local["crc"], 4, 4)
    bad("descriptor", "data-descriptor", "Sizes behind the data, as who cannot go back writes them.",
        file(flags=8, gap=descriptor, local={"crc": 0, "size": 0, "packed_size": 0}))
    bad("descriptor-both", "data-descriptor", "Sizes behind the data, and in front, too.",
        file(flags=8, gap=descriptor))
    bad("descriptor-bare", "data-descriptor", "Sizes behind the data, without a signature.",
        file(flags=8, gap=descriptor[4:]))
    bad("descriptor-none", "data-descriptor", "The flag, and nothing behind the data.", file(flags=8))
    bad("descriptor-central", "data-descriptor", "The flag in the directory only.", file(central={"flags": 8}))
    for bit in (4, 5, 7, 8, 9, 10, 12, 14, 15):
        bad(f"flags-{bit}", "flags", f"Bit {bit}, which is reserved or changes what the entry is.",
            packed(flags=1 << bit))
    bad("flags-hints-stored", "flags", "A compressor's hints where nothing is compressed.", file(flags=0b010))
    for number, name in ((1, "shrunk"), (2, "reduced"), (6, "imploded"), (7, "tokenized"), (9, "deflate64"),
                         (12, "bzip2"), (14, "lzma"), (20, "old-zstd"), (93, "zstd"), (95, "xz"), (98, "ppmd"),
                         (0xFFFF, "all-ones")):
        bad(f"method-{name}", "method", f"Method {number}.", file(method=number))
    bad("method-version", "method", "A version that asks for more than ZIP64: Info-ZIP leaves the entry out.",
        file(), file("b", needed=47))
    bad("method-version-central", "method", "The same in the directory only.", file(central={"needed": 47}))
    bad("method-version-local", "method", "The same in the local header only.", file(local={"needed": 47}))
    bad("method-version-system", "method", "A system that is needed.", file(needed=7 << 8 | 20))
    bad("stored-sizes", "record", "Stored, and said to be larger.", file(size=5))
    bad("stored-sizes-less", "record", "Stored, and said to be smaller.", file(size=0))


def make_extra_faults():
    def bad(name, why, content, **more):
        case(f"extra-{name}", "archive.extra-field", why, file(extra=content, **more))

    for number, name in ((0x7075, "unicode-path"), (0x6375, "unicode-comment"), (0x000A, "ntfs"), (0x000D, "unix"),
                         (0x0017, "encryption"), (0x0009, "os2"), (0x5855, "old-unix"), (0x7855, "unix2"),
                         (0x756E, "asi"), (0xD935, "alignment"), (0x0000, "zero"), (0xFFFF, "all-ones")):
        bad(name, f"The field 0x{number:04x}.", extra(number, bytes(5)))
    bad("long", "A field that is longer than all of them.", struct.pack("<2H", 0x5455, 2) + b"\0")
    bad("header-cut", "Three bytes, where a field begins with four.", b"\x55\x54\0")
    bad("byte", "One byte.", b"\0")
    bad("padding", "Padding behind a field.", extra(0xCAFE) + bytes(3))
    bad("zeros", "Padding that looks like an empty field.", bytes(4))
    bad("times-empty", "Times without so much as the flags: libarchive gives up.", extra(0x5455))
    bad("times-flags", "Times with flags that mean nothing.", extra(0x5455, b"\x09" + bytes(8)))
    bad("times-short", "Times that are fewer than the flags say.", extra(0x5455, b"\3" + bytes(4)),
        central={"extra": b""})
    bad("times-long", "Times that are more than the flags say.", extra(0x5455, b"\1" + bytes(8)))
    bad("times-cut", "A time that is cut off.", extra(0x5455, b"\1" + bytes(3)))
    bad("times-central-none", "Times in the directory, which leaves out the one that it must have.",
        b"", central={"extra": extra(0x5455, b"\3")})
    bad("owners-empty", "Owners without anything.", extra(0x7875))
    bad("owners-version", "Owners of an unknown version.", extra(0x7875, b"\2\1\0\1\0"))
    bad("owners-short", "Owners that end too early.", extra(0x7875, b"\1\4\0\0\0\0\4\0"))
    bad("owners-long", "Something behind the owners.", extra(0x7875, b"\1\1\0\1\0\0"))
    bad("java-full", "The mark of Java archives with something in it.", extra(0xCAFE, b"\0"))
    bad("twice", "A field twice.", extra(0x5455, b"\0") * 2)
    bad("twice-zip64", "ZIP64 sizes twice.", sizes64(4, 4) * 2, size=MARK, packed_size=MARK)
    def differs(name, why, local, central):
        case(f"extra-other-{name}", "archive.header-mismatch", why,
             file(local={"extra": local}, central={"extra": central}))

    differs("times", "Another time in the directory.",
            extra(0x5455, b"\1" + bytes(4)), extra(0x5455, b"\1" + b"\1\0\0\0"))
    differs("times-second", "Another time of the last access in the directory.",
            extra(0x5455, b"\3" + bytes(8)), extra(0x5455, b"\3" + bytes(4) + b"\1\0\0\0"))
    differs("owners", "Other owners in the directory.",
            extra(0x7875, b"\1\1\0\1\0"), extra(0x7875, b"\1\1\1\1\0"))
    case("extra-local", "archive.extra-field", "A Unicode path in the local header only.",
         file(local={"extra": extra(0x7075, b"\1" + bytes(4) + b"other")}))
    case("extra-central", "archive.extra-field", "A Unicode path in the directory only.",
         file(central={"extra": extra(0x7075, b"\1" + bytes(4) + b"other")}))
    case("extra-local-long", "archive.extra-field", "A local field that is longer than all of them.",
         file(local={"extra": struct.pack("<2H", 0xCAFE, 1)}))


def make_attribute_faults():
    def bad(name, code, why, *entries):
        case(f"mode-{name}", f"archive.{code}", why, *entries)

    for name, kind in (("fifo", 0o010000), ("character-device", 0o020000), ("block-device", 0o060000),
                       ("socket", 0o140000), ("whiteout", 0o160000), ("unknown", 0o170000)):
        bad(name, "special-file", f"The type {kind:06o}.", file("a", b"", kind | 0o644))
    bad("fifo-directory", "special-file", "A pipe whose name is a directory's.", folder(mode=0o010644))
    bad("set-user-id", "special-mode", "Set-user-ID.", file(mode=0o104755))
    bad("set-group-id", "special-mode", "Set-group-ID.", file(mode=0o102755))
    bad("sticky", "special-mode", "The sticky bit.", file(mode=0o101644))
    bad("sticky-directory", "special-mode", "A directory with the sticky bit.", folder(mode=0o041777))
    bad("set-group-id-directory", "special-mode", "A directory with set-group-ID.", folder(mode=0o042755))
    bad("set-user-id-link", "special-mode", "A link with set-user-ID.",
        Entry("l", b"a", LINK | 0o4000))
    bad("set-user-id-no-type", "special-mode", "Set-user-ID without a type.", file(mode=0o4755))
    bad("none", "record", "From Unix, and no mode: Debian's unzip makes a file that nobody may read.", file(mode=0))
    bad("none-directory", "record", "A directory from Unix without a mode.", folder(mode=0))
    bad("no-type-executable", "record", "An execute bit without a type, which 7-Zip does not heed.", file(mode=0o755))
    bad("no-permissions", "record", "A type and no permissions.", file(mode=0o100000))
    bad("directory-name", "record", "A directory whose name is a file's.", file("d", b"", 0o040755))
    bad("directory-bit", "record", "A file with the bit of a directory.", file("d", b"", dos=0x10))
    bad("directory-bit-fat", "record", "A file with the bit of a directory, from a system without modes.",
        file("d", b"", host=FAT, dos=0x10))
    bad("directory-bit-link", "record", "A link with the bit of a directory.", link(dos=0x10))
    bad("file-name", "record", "A file whose name is a directory's.", folder(mode=0o100644))
    bad("link-name", "record", "A link whose name is a directory's.", Entry("l/", b"a", LINK))
    bad("link-permissions", "record", "A link with permissions of its own: Perl's Archive::Zip makes a file of it.",
        Entry("l", b"a", 0o120755))
    bad("link-no-permissions", "record", "A link without permissions.", Entry("l", b"a", 0o120000))
    bad("link-dos", "record", "A link with an attribute of DOS.", link(dos=0x20))
    bad("volume-label", "special-file", "A disk's label: Info-ZIP leaves it out, others make a file of it.",
        file("a", host=FAT, dos=0x08))
    bad("reparse-point", "special-file", "A link of Windows: 7-Zip takes it for one, others for a file.",
        file("a", host=FAT, dos=0x400))
    bad("fat", "record", "A mode from a system without modes.", file(mode=0o100644, host=FAT))
    bad("fat-link", "record", "A link from a system without links.", link(host=FAT))
    bad("macos", "record", "A mode from the number that stands for macOS, where no reader looks for one.",
        file("a", b"", 0o100755, host=MACOS))
    bad("macos-link", "record", "A link from the number that stands for macOS: others make a file of it.",
        link(host=MACOS))
    bad("fat-set-user-id", "record", "Set-user-ID from a system without modes.", file(mode=0o104755, host=FAT))
    for name, value in (("record", 2), ("ancient", 4), ("high", 0x8000), ("both", 5)):
        bad(f"internal-{name}", "record", f"The internal attributes 0x{value:x}.", file(internal=value))
    bad("internal-link", "record", "A link with an internal attribute of which Debian's unzip makes a file.",
        link(internal=4))
    bad("directory-data", "record", "A directory with data.", folder(data=b"data"))
    bad("directory-deflated", "record", "A directory with nothing in it that is compressed.", folder(method=DEFLATED))
    bad("directory-size", "record", "A directory that claims data.",
        folder(method=DEFLATED, packed=b"", size=4, packed_size=0))
    bad("directory-crc", "record", "A directory with a checksum.", folder(crc=1))


def make_data_faults():
    def bad(name, why, content, data=b"data", code="data", **fields):
        case(f"data-{name}", f"archive.{code}", why, Entry("a", data, method=DEFLATED, packed=content, **fields))

    case("data-crc-stored", "archive.checksum", "Other bytes than the checksum's.", file(packed=b"date"))
    case("data-crc-zero", "archive.checksum", "A checksum of zero.", file(crc=0))
    case("data-crc-empty", "archive.checksum", "No bytes, and a checksum.", file(data=b"", crc=1))
    case("data-crc-second", "archive.checksum", "Other bytes in the second entry.", file(), file("b", packed=b"date"))
    bad("crc-deflated", "Other bytes than the checksum's.", deflated(b"date"), code="checksum")
    bad("crc-deflated-empty", "No bytes, compressed, and a checksum.", deflated(b""), b"", "checksum", crc=1)
    bad("nothing", "Compressed data of no bytes.", b"", b"")
    bad("nothing-claimed", "Compressed data of no bytes, where there should be some.", b"")
    bad("shorter", "They become less than they say.", deflated(b"dat"))
    bad("longer", "They become more than they say.", deflated(b"data!"))
    bad("longer-than-none", "They become more than nothing.", deflated(b"data"), b"")
    bad("much-longer", "They become a megabyte more than they say.", zeros(258 * 4064 + 1), bytes(9))
    bad("shorter-raw", "An uncompressed block of less than they say.", raw_block(b"dat", True))
    bad("trailing", "A byte behind their end.", deflated(b"data") + b"\0")
    bad("trailing-text", "A text behind their end.", deflated(b"data") + b"hidden from all who stop at the end")
    bad("twice", "Two of them, one behind the other.", deflated(b"da") + deflated(b"ta"))
    bad("twice-same", "The same ones twice.", deflated(b"data") * 2)
    bad("empty-behind", "An empty one behind their end.", deflated(b"data") + deflated(b""))
    bad("not-final", "No last block.", deflated(b"data", final=False))
    bad("cut", "They end within a block.", deflated(b"data")[:-1])
    bad("cut-header", "They end within the first block's header.", raw_block(b"data", True)[:3])
    bad("cut-raw", "They end within an uncompressed block.", raw_block(b"data", True)[:-1])
    bad("block-type", "A block of the reserved type.", Bits().number(1, 1).number(3, 2).bytes())
    bad("raw-length", "An uncompressed block whose length is not that of its complement.",
        raw_block(b"data", True)[:3] + b"\0\0data")
    bad("distance", "A repetition of what was before the beginning.",
        Bits().number(1, 1).number(1, 2).codes(fixed(100), "0000010", "00100", "0000000").bytes())
    bad("distance-code", "A distance code that does not exist.",
        Bits().number(1, 1).number(1, 2).codes(fixed(100), "0000001", "11110", "0000000").bytes())
    bad("length-code", "A length code that does not exist.",
        Bits().number(1, 1).number(1, 2).codes(fixed(100), "11000110", "0000000").bytes())
    bad("many-lengths", "More codes than there are.", Bits().number(1, 1).number(2, 2).number(31, 5).number(31, 5)
        .number(15, 4).number(0, 57).bytes())
    bad("no-end-code", "A code table without an end.", Bits().number(1, 1).number(2, 2).number(0, 5).number(0, 5)
        .number(15, 4).number(0, 57).bytes() + bytes(20))
    bad("stored", "They are not compressed.", b"data")
    bad("zlib", "They have zlib's header and checksum.",
        b"\x78\x9c" + deflated(b"data") + struct.pack(">I", 0x0400019B))
    bad("gzip", "They have gzip's header.", b"\x1f\x8b\x08" + bytes(7) + deflated(b"data"))
    bad("zeros", "Nothing but zeros.", bytes(16))
    bad("ones", "Nothing but ones.", b"\xff" * 16)


def make_bombs():
    mebibytes = 17 << 20
    blocks = mebibytes // 258
    case("bomb-flat", "archive.ratio", "Zeros: 17 KB that become 17 MB.",
         packed("a", bytes(258 * blocks + 1), packed=zeros(258 * blocks + 1)))
    case("bomb-claim", "archive.ratio", "Some bytes that are said to become 4 GB.", packed(size=MARK - 1))
    case("bomb-claim-nothing", "archive.ratio", "No bytes that are said to become 17 MB.",
         packed(packed=b"", size=mebibytes))
    case("bomb-second", "archive.ratio", "The second entry.", file(), packed("b", size=mebibytes))
    case("bomb-many", "archive.ratio", "Entries that are each small enough, and together are not.",
         *(packed(str(number), size=16 << 20) for number in range(8)))
