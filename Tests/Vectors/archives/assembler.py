"""Puts ZIP archives together, sound ones and others: what is not said otherwise has the value a strict ZIP has.

The field names are those of APPNOTE 4.3.7, 4.3.12 and 4.3.14 to 4.3.16, shortened.
"""

import struct
import zlib

MARK16, MARK = 0xFFFF, 0xFFFFFFFF  # "look into the ZIP64 field"
UTF8 = 1 << 11
STORED, DEFLATED = 0, 8
UNIX, FAT, MACOS = 3, 0, 19
LINK = 0o120777


class Entry:
    """A file; with a slash at the end of its name a directory; with the mode LINK a link whose target is the data.

    Fields given by name stand in both headers, those of `local` and `central` in one of them. `packed` is what is
    written instead of the data, `gap` what stands between this entry and the next. With `zip64` both headers refer to
    a ZIP64 field for the sizes.
    """

    def __init__(self, name="a", data=b"", mode=None, *, local=(), central=(), packed=None, gap=b"", zip64=False,
                 host=UNIX, dos=None, **fields):
        name = name.encode() if isinstance(name, str) else name
        data = data.encode() if isinstance(data, str) else data
        directory = name.endswith(b"/")
        if packed is None:
            packed = deflated(data) if fields.get("method") == DEFLATED else data
        if mode is None:
            mode = 0 if host != UNIX else 0o40755 if directory else 0o100644
        if dos is None:
            dos = 0x10 if directory else 0
        self.packed, self.gap = packed, gap
        both = {
            "made_by": host << 8 | 30, "needed": 20, "flags": 0 if name.isascii() else UTF8, "method": STORED,
            "time": 0, "date": 0x21, "crc": zlib.crc32(data), "packed_size": len(packed), "size": len(data),
            "name": name, "extra": b"", "comment": b"", "disk": 0, "internal": 0, "external": mode << 16 | dos,
            "offset": None, "extra_size": None} | fields
        if zip64:
            both["extra"] += sizes64(both["size"], both["packed_size"])
            both["size"] = both["packed_size"] = MARK
        self.local, self.central = both | dict(local), both | dict(central)

    def local_header(self):
        field = self.local
        extra_size = len(field["extra"]) if field["extra_size"] is None else field["extra_size"]
        return struct.pack(
            "<4s5H3I2H", b"PK\3\4", field["needed"], field["flags"], field["method"], field["time"], field["date"],
            field["crc"], field["packed_size"], field["size"], len(field["name"]), extra_size
        ) + field["name"] + field["extra"]

    def central_header(self, offset):
        field = self.central
        offset = offset if field["offset"] is None else field["offset"]
        extra_size = len(field["extra"]) if field["extra_size"] is None else field["extra_size"]
        return struct.pack(
            "<4s6H3I5H2I", b"PK\1\2", field["made_by"], field["needed"], field["flags"], field["method"],
            field["time"], field["date"], field["crc"], field["packed_size"], field["size"], len(field["name"]),
            extra_size, len(field["comment"]), field["disk"], field["internal"], field["external"], offset
        ) + field["name"] + field["extra"] + field["comment"]


class Archive:
    """Entries, central directory, end records, with things in between.

    `listed` are the entries of the central directory, where they are not those written. Offsets count from `base`.
    `end`, `zip64` and `locator` change fields of the end records; without `zip64` there is no ZIP64 end record.
    """

    def __init__(self, *entries, listed=None, prefix=b"", base=0, block=b"", behind_directory=b"", end=(), zip64=None,
                 locator=(), behind_zip64=b"", behind_locator=b"", comment=b"", trailing=b""):
        out = prefix
        offsets = {}
        for entry in entries:
            offsets[entry] = len(out) - base
            out += entry.local_header() + entry.packed + entry.gap
        out += block
        listed = entries if listed is None else listed
        self.directory = len(out)
        records = b"".join(entry.central_header(offsets.get(entry, 0)) for entry in listed)
        out += records + behind_directory
        self.end = len(out)
        fields = {"disk": 0, "directory_disk": 0, "count_here": len(listed), "count": len(listed),
                  "directory_size": len(records), "directory_offset": self.directory - base}
        if zip64 is not None:
            place = len(out) - base
            field = fields | {"record_size": 44, "extensible": b""} | zip64
            out += struct.pack(
                "<4sQ2H2I4Q", b"PK\6\6", field["record_size"], 0x31E, 45, field["disk"], field["directory_disk"],
                field["count_here"], field["count"], field["directory_size"], field["directory_offset"]
            ) + field["extensible"] + behind_zip64
            out += locator64(**{"offset": place} | dict(locator)) + behind_locator
        self.classic = len(out)
        field = fields | {"comment_size": len(comment)} | dict(end)
        out += struct.pack(
            "<4s4H2IH", b"PK\5\6", field["disk"], field["directory_disk"], field["count_here"], field["count"],
            field["directory_size"], field["directory_offset"], field["comment_size"]) + comment
        self.bytes = out + trailing


def locator64(offset, disk=0, disks=1):
    return struct.pack("<4sIQI", b"PK\6\7", disk, offset, disks)


def extra(number, content=b""):
    """An extra field."""
    return struct.pack("<2H", number, len(content)) + content


def sizes64(*values):
    """The ZIP64 field."""
    return extra(0x0001, b"".join(struct.pack("<Q", value) for value in values))


class Bits:
    """Deflate's order: numbers from their lowest bit, Huffman codes (given as text) from their first."""

    def __init__(self):
        self.text = ""

    def number(self, value, count):
        self.text += "".join(str(value >> bit & 1) for bit in range(count))
        return self

    def codes(self, *codes):
        self.text += "".join(codes)
        return self

    def bytes(self):
        text = self.text + "0" * (-len(self.text) % 8)
        return bytes(int(text[at:at + 8][::-1], 2) for at in range(0, len(text), 8))


def fixed(byte):
    """The code of a byte in deflate's fixed table (RFC 1951, 3.2.6)."""
    return f"{0x30 + byte:08b}" if byte < 144 else f"{0x190 + byte - 144:09b}"


def deflated(data, final=True):
    """One block of literals: the same with every zlib."""
    return Bits().number(final, 1).number(1, 2).codes(*map(fixed, data)).codes("0" * 7).bytes()


def raw_block(data, final=False):
    """A block as it is (RFC 1951, 3.2.4)."""
    return struct.pack("<B2H", final, len(data), len(data) ^ 0xFFFF) + data


def zeros(count):
    """NUL bytes, one and a multiple of 258, as small as deflate can: two bits for 258 bytes."""
    assert count % 258 == 1
    bits = Bits().number(1, 1).number(2, 2).number(286 - 257, 5).number(0, 5).number(18 - 4, 4)
    # How long the codes are that code lengths are written in: 18 (many zeros) has one bit, 1 and 2 have two.
    for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1):
        bits.number({18: 1, 1: 2, 2: 2}.get(symbol, 0), 3)
    many, one, two = "0", "10", "11"
    bits.codes(two)  # the literal 0
    bits.codes(many).number(138 - 11, 7).codes(many).number(117 - 11, 7)  # 1 to 255
    bits.codes(two)  # the end
    bits.codes(many).number(28 - 11, 7).codes(one)  # 285, which is 258 bytes
    bits.codes(one)  # the distance 1
    return bits.codes("10").codes("00" * (count // 258)).codes("11").bytes()
