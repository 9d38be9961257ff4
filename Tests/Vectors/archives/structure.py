"""Faults of the archive as a whole: its end records, what lies between its entries, ZIP64, its signing block."""

import struct

from assembler import Archive, DEFLATED, Entry, MARK, MARK16, deflated, extra, locator64, raw_block, sizes64
from parts import case, file, folder, link, packed

# An end record that refers to the ZIP64 end record for all it says.
ALL_MARKED = {"disk": MARK16, "directory_disk": MARK16, "count_here": MARK16, "count": MARK16,
              "directory_size": MARK, "directory_offset": MARK}


def make_end_faults():
    def bad(name, code, why, **fields):
        case(f"end-{name}", f"archive.{code}", why, file(), file("b"), **fields)

    archive = Archive(file(), file("b"))
    size = archive.end - archive.directory
    case("end-nothing", "archive.end-record", "No bytes.", b"")
    case("end-other", "archive.end-record", "Something else altogether.", b"\x7fELF" + bytes(60))
    case("end-empty", "archive.empty", "No entries.", Archive())
    case("end-empty-zip64", "archive.empty", "No entries, in ZIP64.", Archive(zip64={}))
    bad("empty-claimed", "empty", "Two entries, and it says there are none.", end={"count": 0, "count_here": 0})
    bad("count-more", "end-record", "An entry more than there is.", end={"count": 3, "count_here": 3})
    bad("count-less", "end-record", "An entry less than there is.", end={"count": 1, "count_here": 1})
    bad("count-many", "entry-count", "More entries than may be.", end={"count": 20_001, "count_here": 20_001})
    bad("count-here", "multi-disk", "One of the two entries stands on another disk.", end={"count_here": 1})
    bad("disk", "multi-disk", "The second disk.", end={"disk": 1, "directory_disk": 1})
    bad("disk-last", "multi-disk", "The last of several disks.", end={"disk": 1})
    bad("disk-directory", "multi-disk", "The directory begins on another disk.", end={"directory_disk": 1})
    bad("offset-more", "truncated", "A directory that ends behind the end record.",
        end={"directory_offset": archive.directory + 1})
    bad("offset-far", "truncated", "A directory behind the end of the file.", end={"directory_offset": MARK - 1})
    bad("offset-less", "leading-data", "All offsets are too small.", end={"directory_offset": archive.directory - 1})
    bad("size-more", "truncated", "A directory that is too large.", end={"directory_size": size + 1})
    bad("size-huge", "truncated", "A directory of 4 GiB.", end={"directory_size": MARK - 1})
    bad("size-less", "gap", "A directory that ends before its last record does.", end={"directory_size": size - 1})
    bad("size-none", "gap", "A directory of no bytes.", end={"directory_size": 0})
    bad("directory-none", "end-record", "A directory of no bytes, right in front of the end record.",
        end={"directory_size": 0, "directory_offset": archive.end})
    bad("moved", "record", "A directory that begins a byte too early, and ends where it must.",
        end={"directory_size": size + 1, "directory_offset": archive.directory - 1})
    case("end-second-record", "signature.malformed", "A directory that begins at its second record.",
         file(), file("b"), end={"directory_size": size // 2, "directory_offset": archive.directory + size // 2,
                                 "count": 1, "count_here": 1})
    bad("trailing", "trailing-data", "A byte behind the end.", trailing=b"\0")
    bad("trailing-line", "trailing-data", "A line behind the end.", trailing=b"\r\n")
    bad("trailing-far", "end-record", "More behind the end than any comment has.", trailing=bytes(0x10100))
    bad("trailing-comment", "trailing-data", "Something behind the comment.", comment=b"comment", trailing=b"more")
    bad("comment-short", "truncated", "A comment that is shorter than it says.", comment=b"c", end={"comment_size": 2})
    bad("comment-long", "truncated", "A comment that is not there.", end={"comment_size": MARK16})
    for name, signature in (("central", b"\1\2"), ("local", b"\3\4"), ("end", b"\5\6"), ("zip64", b"\6\6"),
                            ("locator", b"\6\7"), ("descriptor", b"\7\x08")):
        bad(f"comment-{name}", "comment", f"A comment with the signature PK{signature!r} in it.".replace("b'", "'"),
            comment=b"a comment, PK" + signature + b" within")
    bad("comment-not-utf8", "comment", "A comment that is not UTF-8.", comment=b"caf\xe9")
    bad("comment-control", "comment", "A comment with a control character in it.", comment=b"a\5b")
    case("end-entry-comment-control", "archive.comment",
         "A control character in the comment of an entry: libzip refuses the archive.", file("\u00e9", central={"comment": b"\x12"}))
    case("end-entry-comment-not-utf8", "archive.comment", "A comment on an entry that is not UTF-8: Java refuses the archive.",
         file(central={"comment": b"caf\xe9"}))
    bad("comment-too-long", "comment", "A byte longer than libarchive looks for an end record with a locator.",
        comment=b"c" * (16384 - 22 - 20 + 1))
    case("end-comment-longest", "archive.comment", "So long that libarchive reads from the front, where no link is one.",
         file(), link("l", "a"), comment=b"c" * MARK16)
    bad("comment-signature-last", "comment", "A comment that ends in a signature.", comment=b"commentPK\5\6")
    inner = Archive(file("c"), base=-len(archive.bytes)).bytes
    bad("comment-archive", "end-record", "An archive in the comment, whose offsets count from the beginning.",
        comment=inner)
    bad("comment-archive-own", "end-record", "An archive in the comment, whose offsets are its own.",
        comment=Archive(file("c")).bytes)
    bad("comment-end-record", "end-record", "An end record in the comment: the last one is not the first one.",
        comment=Archive(file(), file("b")).bytes[archive.end:])
    bad("behind-directory", "gap", "A byte between the directory and the end record.", behind_directory=b"\0")
    bad("digital-signature", "gap", "A digital signature of the directory, which the end record leaves out.",
        behind_directory=b"PK\5\5\4\0sign")
    bad("digital-signature-counted", "end-record", "A digital signature of the directory, which is counted in.",
        behind_directory=b"PK\5\5\4\0sign", end={"directory_size": size + 10})
    bad("directory-extra", "end-record", "A directory with something behind its last record.",
        behind_directory=b"\0" * 46, end={"directory_size": size + 46})
    case("end-double", "archive.gap", "Two end records, one behind the other.",
         archive.bytes + archive.bytes[archive.end:])
    case("end-two-archives", "archive.leading-data", "Two archives, one behind the other.",
         archive.bytes + Archive(file("c")).bytes)
    front = len(file().local_header())
    hidden = Archive(file("hidden"), base=-front).bytes
    rest = len(Archive(file(data=hidden)).bytes) - front - len(hidden)
    hidden = Archive(file("hidden"), base=-front, end={"comment_size": rest}).bytes
    case("end-in-data", "archive.end-record",
         "A second end record in the data, whose comment is the rest of the file: who looks from the front takes it.",
         file(data=hidden))
    case("end-in-entry-comment", "archive.end-record",
         "A second end record in an entry's comment, whose own comment is the rest of the file.",
         file(central={"comment": Archive(file(), end={"comment_size": 22}).bytes[Archive(file()).end:]}))


def make_stray_end_faults(far):
    """Signatures of end records that are not the real one. libzip takes the end record that fits best, which need not be
    the last."""
    def bad(name, why, *entries, **fields):
        case(f"end-stray-{name}", "archive.end-record", why, *entries, **fields)

    record = Archive().bytes
    bad("data", "Data that end in an end record.", file(data=record))
    bad("nested", "A ZIP in a ZIP, stored.", file("b.zip", Archive(file()).bytes))
    bad("nested-zip64", "A ZIP64 in a ZIP, stored.", file("b.zip", Archive(file(), zip64={}).bytes))
    bad("signature", "The signature alone.", file(data=b"PK\5\6"))
    bad("zip64", "The signature of a ZIP64 end record.", file(data=b"PK\6\6"))
    bad("locator", "The signature of a ZIP64 locator.", file(data=b"PK\6\7"))
    bad("deflated", "Compressed data with the signature in them.",
        packed(data=b"PK\5\6", packed=raw_block(b"PK\5\6", final=True)))
    bad("far", "In the data, just where programs begin to look.", far)
    bad("entry-comment", "In the comment of an entry.", file(central={"comment": b"PK\5\6"}), file("b"))
    bad("crc", "As the checksum of an entry.", file(crc=0x06054B50))
    # What another reader takes for a sound archive of its own, with another file.
    hidden = Archive(file("plugin.py", b"other"), base=-len(file("a").local_header()))
    bad("sound", "A whole archive in the data, whose offsets are right.", file("a", hidden.bytes))


def tar_header(name, size, start=b""):
    """A header of a tar with its checksum, whose first bytes are these instead of the name."""
    def field(text, length):
        return text.encode().ljust(length, b"\0")

    head = field(name, 100)
    head = start + head[len(start):]
    before = head + field("0000644", 8) + field("0000000", 8) * 2 + field(f"{size:011o}", 12) + field("0" * 11, 12)
    behind = (b"0" + bytes(100) + b"ustar\0" + b"00").ljust(512 - 156, b"\0")
    return before + field(f"{sum(before + b' ' * 8 + behind):06o}", 7) + b" " + behind


def also_tar():
    """A ZIP that is a tar with another file. The header's sum covers the checksum of the data, and those the sum."""
    first = Entry("a", b"").local_header()
    for salt in range(10_000):
        second = tar_header("b", 4) + f"{salt:04}".encode().ljust(512, b"\0") + bytes(1024)
        for _ in range(8):
            data = (tar_header("a", 0, first) + second)[len(first):]
            header = Entry("a", data).local_header()
            if header == first:
                return Archive(Entry("a", data))
            first = header
    raise AssertionError("no sum fits")


def make_twins():
    case("twin-tar", "archive.format", "A tar with another file, which bsdtar takes it for.", also_tar())
    head = len(Entry("a").local_header())
    mark = bytes(32768 - head) + b"\1CD001\1"
    case("twin-image", "archive.format", "The image of a disk by the place of its mark.", Entry("a", mark))


def make_place_faults():
    def bad(name, code, why, *entries, **fields):
        case(f"place-{name}", code if "." in code else f"archive.{code}", why, *entries, **fields)

    a, b, c = file("a"), file("b"), file("c")
    program = b"#!/bin/sh\nexit\n"
    bad("leading", "leading-data", "A program in front; the offsets count from the beginning.", a, b, prefix=program)
    bad("leading-own", "leading-data", "A program in front; the offsets count from behind it.",
        a, b, prefix=program, base=len(program))
    bad("leading-byte", "leading-data", "A byte in front.", a, prefix=b"\0")
    bad("leading-marker", "leading-data", "The marker that spanned archives begin with.", a, prefix=b"PK\7\x08")
    bad("leading-marker-single", "leading-data", "The marker of an archive that was to span disks.", a, prefix=b"PK00")
    bad("leading-hidden", "leading-data", "A first entry that the directory does not have.", a, b, listed=[b])
    bad("gap", "gap", "A byte between two entries.", file("a", gap=b"\0"), b)
    bad("gap-hidden", "gap", "An entry in the middle that the directory does not have.", a, b, c, listed=[a, c])
    bad("gap-archive", "end-record", "A whole archive between two entries.", file("a", gap=Archive(c).bytes), b)
    bad("gap-descriptor", "gap", "A data descriptor, and no flag that says so.",
        file("a", gap=struct.pack("<4s3I", b"PK\7\x08", a.local["crc"], 4, 4)), b)
    bad("gap-last", "signature.malformed", "A byte behind the last entry: perhaps it was a signing block.",
        a, block=b"\0")
    bad("gap-last-hidden", "signature.malformed", "A last entry that the directory does not have.", a, b, listed=[a])
    bad("gap-last-zip64", "zip64", "A byte behind the last entry, in ZIP64.",
        a, file("b", zip64=True), block=b"\0")
    bad("order", "order", "The directory has another order.", a, b, listed=[b, a])
    bad("order-middle", "order", "Two of three in another order.", a, b, c, listed=[a, c, b])
    bad("local-twice", "overlap", "Two names for one local header.", a, listed=[a, file("b", central={"offset": 0})])
    bad("local-twice-exactly", "overlap", "A record of the directory twice.", a, listed=[a, a])
    bad("local-signature", "record", "A local header with another signature.",
        b"PK\3\5" + Archive(a).bytes[4:])
    bad("local-is-central", "record", "A record of the directory where a local header should be.",
        b"PK\1\2" + Archive(a).bytes[4:])
    bad("central-signature", "record", "A record of the directory with another signature.",
        Archive(a, b).bytes.replace(b"PK\1\2", b"PK\1\3", 1))
    bad("central-name-long", "record", "A name that ends behind the directory.",
        changed(Archive(a), "directory", 28, struct.pack("<H", 2)))
    bad("central-extra-long", "record", "An extra field that ends behind the directory.",
        changed(Archive(a), "directory", 30, struct.pack("<H", 1)))
    bad("central-comment-long", "record", "A comment that ends behind the directory.",
        changed(Archive(a), "directory", 32, struct.pack("<H", MARK16)))
    bad("local-name-long", "truncated", "A local name that ends behind the entries.",
        changed(Archive(a), None, 26, struct.pack("<H", MARK16)))
    bad("local-extra-long", "truncated", "A local extra field that ends behind the entries.",
        changed(Archive(a), None, 28, struct.pack("<H", MARK16)))
    bad("size-behind", "overlap", "Data that reach into the directory.", file("a", size=5, packed_size=5))
    bad("size-behind-far", "overlap", "Data that reach behind the end.", packed(packed_size=MARK - 1))
    bad("size-into-next", "overlap", "Data that reach into the next entry.", file("a", size=9, packed_size=9), b)
    bad("size-short", "gap", "Data that end before the next entry begins.", file("a", size=3, packed_size=3), b)
    bad("size-over-next", "overlap", "Data that hold the next entry.",
        file("a", size=39, packed_size=39), b)
    bad("offset-far", "gap", "A local header behind the end of the file.", a, file("b", central={"offset": MARK - 1}))
    bad("disk", "multi-disk", "An entry that begins on another disk.", file(central={"disk": 1}))
    bad("disk-many", "multi-disk", "An entry on the disk that stands for ZIP64.", file(central={"disk": MARK16}))
    # Ways to show more than there is (Fifield, "A better zip bomb").
    kernel = packed("kernel", bytes(99))
    start = len(kernel.local_header())
    bad("bomb-full", "overlap", "Many entries, all at the same place.",
        kernel, listed=[kernel] + [packed(f"{number}", bytes(99), central={"offset": 0}) for number in range(8)])
    quoted = kernel.local_header()
    quoting = Entry("quoting", quoted + bytes(99), method=DEFLATED, packed=raw_block(quoted) + kernel.packed)
    offset = len(quoting.local_header()) + 5
    kernel = packed("kernel", bytes(99), central={"offset": offset})
    bad("bomb-quoted", "overlap", "The local header of the second entry is data of the first.",
        quoting, listed=[quoting, kernel])
    hiding = packed("hiding", bytes(99), local={"extra": extra(0x7875, b"\1\0" + bytes([len(quoted)]) + quoted)})
    kernel = packed("kernel", bytes(99), central={"offset": len(hiding.local_header()) - len(quoted)})
    bad("bomb-extra", "overlap", "The local header of the second entry is an extra field of the first.",
        hiding, listed=[hiding, kernel])
    assert start == len(quoted)


def changed(archive, place, offset, value):
    """The bytes of an archive, some of them changed, counted from the beginning or from a place of it."""
    offset += getattr(archive, place) if place else 0
    return archive.bytes[:offset] + value + archive.bytes[offset + len(value):]


def make_zip64_faults():
    def entry(name, why, code="zip64", **fields):
        case(f"zip64-{name}", f"archive.{code}", why, file(**fields))

    case("zip64-needless-entry", "archive.zip64", "ZIP64 sizes where none are needed: PharData reads on behind the data.",
         file(zip64=True), packed("b", zip64=True))
    entry("needless-local-sizes", "ZIP64 sizes in the local header alone, as zipfile writes them when it is told to.",
          local={"packed_size": MARK, "size": MARK, "extra": sizes64(4, 4)})
    case("zip64-needless-offset", "archive.zip64", "A ZIP64 offset where none is needed.",
         file(), file("b", central={"offset": MARK, "extra": sizes64(35)}))
    both = {"size": MARK, "packed_size": MARK}
    entry("missing", "Sizes that refer to a field that is not there.", **both)
    entry("missing-local", "Sizes that refer to a field that only the directory has.", **both,
          central={"extra": sizes64(4, 4)})
    entry("missing-central", "Sizes that refer to a field that only the local header has.", **both,
          local={"extra": sizes64(4, 4)})
    entry("missing-offset", "An offset that refers to a field that is not there.", central={"offset": MARK})
    entry("short", "Two sizes, of which the field has one.", **both, extra=sizes64(4))
    entry("short-byte", "A field that is a byte too short.", **both, extra=extra(1, sizes64(4, 4)[4:-1]))
    entry("long", "A field with an offset that nothing refers to.", **both, extra=sizes64(4, 4, 0))
    entry("long-local", "A local field with an offset.", **both,
          local={"extra": sizes64(4, 4, 0)}, central={"extra": sizes64(4, 4)})
    entry("long-disk", "A field with a disk that nothing refers to.", **both,
          local={"extra": sizes64(4, 4)}, central={"extra": extra(1, sizes64(4, 4)[4:] + bytes(4))})
    entry("needless", "A field that nothing refers to.", extra=sizes64(4, 4))
    entry("needless-local", "A local field that nothing refers to.", local={"extra": sizes64(4, 4)})
    entry("needless-central", "A field of the directory that nothing refers to.", central={"extra": sizes64(4, 4)})
    entry("empty", "A field with nothing in it.", extra=sizes64())
    entry("empty-central", "A field of the directory with nothing in it.", central={"extra": sizes64()})
    entry("local-one-size", "A local header that refers to one of the two sizes: readers take another one of them.",
          method=DEFLATED, packed=deflated(b"data"),
          local={"packed_size": MARK, "extra": sizes64(4, len(deflated(b"data")))})
    entry("local-one-size-field", "A local field with one size alone.",
          local={"size": MARK, "extra": sizes64(4)})
    entry("local-contradiction", "A local header and its field with different sizes.",
          local={"size": MARK, "packed_size": 3, "extra": sizes64(4, 4)})
    entry("size-huge", "A size with the highest bit.", **both, extra=sizes64(1 << 63, 1 << 63))
    entry("size-large", "A size of 4 EiB.", "overlap", **both, extra=sizes64(1 << 62, 1 << 62))
    entry("size-claim", "Two bytes that are said to become 4 EiB.", "ratio", **both, method=DEFLATED,
          packed=deflated(b""), extra=sizes64(1 << 62, len(deflated(b""))))
    entry("offset-huge", "An offset with all bits.", central={"offset": MARK, "extra": sizes64((1 << 64) - 1)})
    entry("offset-wrong", "An offset of 4 EiB.", "leading-data",
          central={"offset": MARK, "extra": sizes64(1 << 62)})
    entry("disk", "A disk that stands in the field.", "zip64", central={
        "disk": MARK16, "extra": extra(1, bytes(4))})

    def end(name, why, code="zip64", **fields):
        case(f"zip64-end-{name}", f"archive.{code}", why, file(), **({"zip64": {}} | fields))

    archive = Archive(file(), zip64={})
    end("needless", "A classic end record that says nothing, and has room for all there is to say.", end=ALL_MARKED)
    for field, value in (("count", MARK16), ("directory_offset", MARK)):
        end(f"needless-{field.replace('_', '-')}", f"A classic end record that refers to ZIP64 for {field} without need.",
            end={field: value})
    for field, value in (("count", MARK16), ("count_here", MARK16), ("directory_size", MARK),
                         ("directory_offset", MARK), ("disk", MARK16), ("directory_disk", MARK16)):
        end(f"missing-{field.replace('_', '-')}", f"No ZIP64 end record, and {field} refers to one.",
            zip64=None, end={field: value})
    end("locator-missing", "A ZIP64 end record without its locator.", "gap", zip64=None,
        behind_directory=archive.bytes[archive.end:archive.end + 56])
    end("locator-missing-marked", "A ZIP64 end record without its locator, and values that refer to it.", zip64=None,
        behind_directory=archive.bytes[archive.end:archive.end + 56], end=ALL_MARKED)
    end("record-missing", "A locator without its record.", zip64=None, behind_directory=locator64(archive.end))
    end("locator-offset", "A locator that points elsewhere.", locator={"offset": archive.end - 1})
    end("locator-offset-huge", "A locator that points nowhere.", locator={"offset": (1 << 64) - 1})
    end("locator-disk", "A locator that points at another disk.", "multi-disk", locator={"disk": 1})
    end("locator-disks", "A locator of two disks.", "multi-disk", locator={"disks": 2})
    end("locator-no-disks", "A locator of no disks.", "multi-disk", locator={"disks": 0})
    end("gap-record", "A byte between the ZIP64 end record and its locator.", behind_zip64=b"\0")
    end("gap-locator", "A byte between the locator and the end record.", "gap", behind_locator=b"\0")
    end("gap-locator-marked", "A byte between the locator and an end record that refers to it.",
        behind_locator=b"\0", end=ALL_MARKED)
    end("extensible", "Data of an extensible kind in the ZIP64 end record.",
        zip64={"extensible": bytes(8), "record_size": 52})
    end("size", "A ZIP64 end record with a size that is not its own.", zip64={"record_size": 43})
    end("size-huge", "A ZIP64 end record with a size of all bits.", zip64={"record_size": (1 << 64) - 1})
    for field in ("count", "count_here", "directory_size", "directory_offset", "disk", "directory_disk"):
        value = {"count": 2, "count_here": 2, "directory_size": 46, "directory_offset": 0}.get(field, 1)
        end(f"other-{field.replace('_', '-')}", f"The end records have different values of {field}.",
            zip64={field: value})
    end("disk", "The second disk.", "multi-disk", zip64={"disk": 1}, end={"disk": 1})
    end("count", "An entry more than there is.", "end-record",
        zip64={"count": 2, "count_here": 2}, end={"count": 2, "count_here": 2})
    end("count-many", "More entries than may be.", "entry-count",
        zip64={"count": 1 << 40, "count_here": 1 << 40}, end={"count": MARK16, "count_here": MARK16})
    end("count-huge", "Entries with the highest bit.",
        zip64={"count": 1 << 63, "count_here": 1 << 63}, end={"count": MARK16, "count_here": MARK16})
    end("size-overflow", "A directory whose end is more than any number.", "truncated",
        zip64={"directory_size": (1 << 63) - 1, "directory_offset": (1 << 63) - 1},
        end={"directory_size": MARK, "directory_offset": MARK})
    end("offset-huge", "A directory at all bits.",
        zip64={"directory_offset": (1 << 64) - 1}, end={"directory_offset": MARK})
    end("double", "Two ZIP64 end records, each with a locator.", "gap",
        behind_locator=archive.bytes[archive.end:archive.classic].replace(
            struct.pack("<Q", archive.end), struct.pack("<Q", archive.classic)))
    case("zip64-in-comment", "archive.zip64", "A ZIP64 end record and its locator in the last entry's comment.",
         file(central={"comment": archive.bytes[archive.end:archive.classic]}))


def make_truncated():
    archive = Archive(file(), packed("b"), folder(), comment=b"comment")
    second = archive.bytes.index(b"PK\3\4", 1)
    for name, end in (
            ("local-header", 20), ("local-name", 30), ("data", 32), ("first", second), ("second", second + 36),
            ("entries", archive.directory), ("directory", archive.directory + 46),
            ("directory-record", archive.directory + 60), ("records", archive.end),
            ("signature", archive.end + 4), ("end", archive.end + 21)):
        case(f"truncated-{name}", "archive.end-record", f"It ends after {end} bytes.", archive.bytes[:end])
    case("truncated-comment", "archive.truncated", "Its comment is not whole.", archive.bytes[:-1])
    case("truncated-comment-all", "archive.truncated", "Its comment is not there.", archive.bytes[:-7])
    case("truncated-front", "archive.truncated", "Its first byte is missing.", archive.bytes[1:])
    case("truncated-no-first", "archive.truncated", "Its first entry is missing.", archive.bytes[second:])
    case("truncated-middle", "archive.truncated", "Bytes in the middle are missing.",
         archive.bytes[:32] + archive.bytes[40:])
    case("truncated-no-entries", "archive.truncated", "The end alone.", archive.bytes[archive.directory:])
    case("truncated-no-directory", "archive.truncated", "The end record alone.", archive.bytes[archive.end:])
    zip64 = Archive(file(), zip64={}, end=ALL_MARKED)
    for name, start in (("zip64", zip64.end), ("locator", zip64.end + 56), ("marked", zip64.classic)):
        case(f"truncated-{name}", "archive.zip64", f"The last {len(zip64.bytes) - start} bytes alone.",
             zip64.bytes[start:])


def make_block_faults():
    """What stands where a signing block stands. A whole one needs a signature to be accepted, and is not made here."""
    magic = b"SIGNET BUNDLE 01"

    def block(value=b"{}\n", number=b"SGNT", magic=magic, size=None, foot=None, pair=None):
        size = 8 + 4 + len(value) + 24 if size is None else size
        return struct.pack("<2Q", size, len(value) + 4 if pair is None else pair) + number + value + struct.pack(
            "<Q", size if foot is None else foot) + magic

    def bad(name, why, content, *entries):
        case(f"block-{name}", "signature.malformed", why, *(entries or [file()]), block=content)

    whole = block()
    case("block-foreign", "archive.gap", "An APK's signing block.", file(),
         block=block(magic=b"APK Sig Block 42", number=b"\x1a\x87\x09\x71"))
    bad("foreign-sizes", "An APK's signing block with two sizes.",
        block(magic=b"APK Sig Block 42", number=b"\x1a\x87\x09\x71", foot=38))
    bad("foreign-pair", "An APK's signing block with a pair that ends behind it.",
        block(magic=b"APK Sig Block 42", number=b"\x1a\x87\x09\x71", pair=8))
    bad("magic", "A damaged magic.", block(magic=b"SIGNET BUNDLE 00"))
    bad("magic-alone", "Nothing but the magic.", magic)
    bad("pair-unknown", "A pair of an unknown number.", block(number=b"SGNU"))
    bad("pair-two", "Two pairs.", block(value=b"{}\n" + struct.pack("<Q", 7) + b"SGNT{}\n", pair=7))
    bad("pair-short", "A pair that ends before the block does.", block(pair=6))
    bad("pair-long", "A pair that ends behind the block.", block(pair=8))
    bad("empty", "No signature in it.", block(value=b""))
    bad("sizes", "Two different sizes.", block(size=39, foot=38))
    bad("size-huge", "A size with all bits.", block(size=(1 << 64) - 1))
    bad("size-small", "A size that leaves no room for a pair.", block(size=24))
    bad("size-more", "A size that reaches into the last entry.", block(size=40))
    bad("padding-front", "Padding in front of it.", bytes(8) + whole)
    bad("padding-behind", "Padding behind it.", whole + bytes(8))
    bad("twice", "Two of them.", whole * 2)
    bad("cut", "Its first byte is missing.", whole[1:])
    bad("hidden-entry", "An entry in front of it that the directory does not have.",
        file("hidden").local_header() + b"data" + whole)
