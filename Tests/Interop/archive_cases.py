"""Archives of modules, random and bent: built from sound entries with changes that some readers heed and others do not.

The same seed gives the same archives on every machine; ARCHIVE_SEED takes another, to look for more. Most of what is bent is refused by Signet; what it accepts must read
alike everywhere.
"""

import json
import os
import random
import struct
import sys
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "Vectors/archives"))
from assembler import Archive, DEFLATED, Entry, LINK, MARK, MARK16, UTF8, extra, sizes64  # noqa: E402

SEED = int(os.environ.get("ARCHIVE_SEED", "20261122"))
DESCRIPTION = json.dumps({"identifier": "com.example.bent", "version": "1.0.0", "sequence": 1}).encode()
NAMES = [
    "a", "b.txt", "lib/code.so", "lib/x", "d/e/f", "README", "gr\u00fc\u00df.txt", "\u4e2d\u6587/\u6587",
    "\u0444\u0430\u0439\u043b", "\U0001f600.png", "\U0001f469\u200d\U0001f680", "with space", "n" * 120, "m" * 90 + "/" + "k" * 90,
    "p" * 99, "q" * 100, "r" * 101, "s/" * 20 + "t", "-dash", "~tilde", "a.b.c", "x" * 255, "plugin.py", "\u00e9/" + "u" * 99,
    "\u00e9" * 50, "\u00e9" * 60, "%41", "semi;colon", "[brackets]", "'quotes'", "$dollar", "#hash", "@at", "caf\u00e9;x"]
ALL_MARKED = {"disk": MARK16, "directory_disk": MARK16, "count_here": MARK16, "count": MARK16,
              "directory_size": MARK, "directory_offset": MARK}


def deflated(data: bytes) -> bytes:
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return coder.compress(data) + coder.flush()


def content(random: random.Random) -> bytes:
    nested = Archive(Entry("plugin.py", b"other"), comment=b"c" * random.randrange(40)).bytes
    return random.choice([
        b"", b"x", b"text\n" * random.randrange(200), random.randbytes(random.randrange(2000)), nested,
        nested[:-random.randrange(1, 22)], b"PK\3\4PK\1\2PK\7\x08", random.randbytes(70_000) if random.random() < 0.2 else b"y"])


def tree(random: random.Random) -> list[tuple[str, str, object, int]]:
    """Paths, what they are, with which bytes or target, and which mode; mostly as a module may have them."""
    entries = []
    for name in random.sample(NAMES, random.randrange(1, 6)):
        if any(name == other[0] or name.startswith(other[0] + "/") or other[0].startswith(name + "/") for other in entries):
            continue
        mode = random.choice([0o644, 0o755, 0o600, 0o444, 0o777, 0o555, 0o640])
        kind = random.choices(["file", "directory", "link"], [6, 2, 2])[0]
        up = "../" * name.count("/")
        what = {"file": content(random), "directory": b"",
                "link": random.choice([up + "a", "x/y", ".", up + "gr\u00fc\u00df.txt", up + "l" * 101, "./a"])}[kind]
        entries.append((name, kind, what, mode))
    return entries


# MARK: ZIP

def zip_entry(random: random.Random, name: str, kind: str, what: object, mode: int, fields: dict) -> Entry:
    if kind == "directory":
        return Entry(name + "/", mode=0o40000 | mode | 0o700, **fields)
    if kind == "link":
        return Entry(name, what, LINK, **fields)
    if random.random() < 0.5:
        return Entry(name, what, 0o100000 | mode, method=DEFLATED, packed=deflated(what), **fields)
    return Entry(name, what, 0o100000 | mode, **fields)


def times(random: random.Random, is_central: bool) -> bytes:
    flags = random.choice([0, 1, 3, 5, 7, 9])
    count = bin(flags & 7).count("1") if not is_central or random.random() < 0.5 else flags & 1
    return extra(0x5455, bytes([flags]) + bytes(4 * max(0, count + random.choice([0] * 6 + [-1, 1]))))


def comment(random: random.Random) -> bytes:
    return random.choice([b"text\r\n\t", "\u00e9\u4e2d".encode(), random.randbytes(random.randrange(30)), b"\x12", b"PK\5"])


def bend(random: random.Random) -> dict:
    """Fields of one entry's headers that are not as usual."""
    any_host = random.randrange(21) << 8 | random.choice([20, 25, 26, 30, 40, 50, 63, 255])
    where = random.choice(["both", "both", "local", "central"])
    fields = random.choice([
        {"made_by": any_host}, {"made_by": any_host, "external": random.choice([0, 1, 0x20, 0x21, 0x80, 0x8000, 0x8020])},
        {"internal": random.choice([0, 1, 1, 2, 4, 5, 0x8000])}, {"time": random.randrange(1 << 16)},
        {"date": random.randrange(1 << 16)}, {"needed": random.choice([0, 10, 20, 45, 46])}, {"flags": UTF8},
        {"flags": random.choice([2, 4, 6, UTF8 | 6])}, {"comment": comment(random)},
        {"comment": Archive().bytes}, {"extra": times(random, False)}, {"extra": times(random, True)},
        {"extra": extra(0x7875, random.choice([b"\1\4\1\2\3\4\4\1\2\3\4", b"\1\0\0", b"\1\2\0\0\2\0\0", b"\1\4\0\0"]))},
        {"extra": extra(0xCAFE)}, {"extra": extra(0x7075, b"\1\0\0\0\0other")}, {"extra": extra(random.randrange(1 << 16), b"ab")},
        {"external": random.randrange(1 << 16) | 0o100644 << 16}, {"external": random.randrange(1 << 16)},
        {"external": random.randrange(0o200000) << 16}, {"external": 0}, {"name": b"other"}, {"crc": 0}, {"size": 1},
        {"disk": 1}, {"zip64": True}])
    if "zip64" in fields:
        return fields
    return {"local": fields, "central": fields} if where == "both" else {where: fields}


def a_zip(random: random.Random) -> bytes:
    description = Entry("module.json", DESCRIPTION)
    entries = []
    for entry in tree(random):
        fields = bend(random) if random.random() < 0.4 else {}
        entries.append(zip_entry(random, *entry, fields))
    entries.insert(random.randrange(len(entries) + 1), description)
    around = random.choices([
        {}, {"comment": comment(random)}, {"comment": b"c" * random.choice([1, 16000, 16342, 16343, 65535])},
        {"zip64": {}}, {"zip64": {}, "end": ALL_MARKED}, {"prefix": b"#!/bin/sh\n"}, {"trailing": b"\0"},
        {"listed": entries[::-1]}, {"listed": entries[1:]}, {"end": {"comment_size": 3}},
        {"comment": Archive(Entry("plugin.py", b"other")).bytes}], [20] + [1] * 10)[0]
    archive = Archive(*entries, **around)
    if random.random() < 0.8:
        return archive.bytes
    # A byte or two of the central directory or of a local header.
    changed = bytearray(archive.bytes)
    for _ in range(random.randrange(1, 3)):
        start = changed.find(b"PK\1\2" if random.random() < 0.8 else b"PK\3\4", random.randrange(len(changed)))
        if start >= 0 and start + 46 < len(changed):
            changed[start + random.randrange(4, 46)] ^= 1 << random.randrange(8)
    return bytes(changed)


# MARK: tar

def header(name: bytes, size: int, kind: bytes, mode: int, link: bytes = b"", prefix: bytes = b"", mtime: int = 0,
           magic: bytes = b"ustar\x0000", owner: bytes = b"root") -> bytes:
    block = bytearray(512)
    for text, at, room in ((name, 0, 100), (link, 157, 100), (magic, 257, 8), (owner, 265, 32), (owner, 297, 32),
                           (prefix, 345, 155)):
        block[at:at + min(len(text), room)] = text[:room]
    for number, at, digits in ((mode, 100, 7), (0, 108, 7), (0, 116, 7), (size, 124, 11), (mtime, 136, 11), (0, 329, 7), (0, 337, 7)):
        block[at:at + digits] = f"{number:0{digits}o}".encode()
    block[156:157] = kind
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}".encode() + b"\0 "
    return bytes(block)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 512)


def record(key: str, value: bytes) -> bytes:
    rest = f" {key}=".encode() + value + b"\n"
    length = len(rest) + 1
    while length != len(rest) + len(str(length)):
        length = len(rest) + len(str(length))
    return str(length).encode() + rest


def tar_entry(random: random.Random, number: int, name: str, kind: str, what: object, mode: int) -> bytes:
    path = name.encode() + (b"/" if kind == "directory" else b"")
    target = what.encode() if kind == "link" else b""
    data = what if kind == "file" else b""
    letter = {"file": b"0", "directory": b"5", "link": b"2"}[kind]
    mode = mode | 0o700 if kind == "directory" else mode
    folder, _, base = path.rstrip(b"/").rpartition(b"/")
    folder += b"/" if folder else b""
    prefix, own, shown = b"", path, target
    records = b""
    needs = len(path) > 100 or not path.isascii()
    if needs or random.random() < 0.3:
        records += record("path", random.choice([path] * 20 + [b"other", b"../up"]))
        own = random.choices([
            path[:100], b"PaxHeaders/entries/%d" % number + (b"/" if kind == "directory" else b""), b"plugin.py", b"../up.txt",
            b"/etc/passwd", path[:50], b"././@LongLink", path.replace(b"\xc3\xa9", b"?")[:100]], [20, 20, 1, 1, 1, 1, 1, 1])[0]
    elif b"/" in path[:-1] and random.random() < 0.5:
        prefix, _, own = path.rstrip(b"/").rpartition(b"/")
        own += b"/" if kind == "directory" else b""
    if target and (len(target) > 100 or not target.isascii() or random.random() < 0.2):
        records += record("linkpath", target)
        shown = random.choices(
            [target[:100], b"././@LongSymLink", b"PaxHeaders/links/%d" % number, b"/etc/passwd", b"a"], [6, 3, 6, 1, 1])[0]
    for key, value in (("mtime", b"1.5"), ("uid", b"7"), ("size", b"%d" % len(data)), ("comment", b"x"), ("size", b"1")):
        if random.random() < 0.06:
            records += record(key, value)
    front = b""
    if records:
        extended = random.choices([
            folder + b"PaxHeaders/" + base, b"./PaxHeaders/" + base if not folder else folder + b"PaxHeaders/" + base,
            folder + b"PaxHeader/" + base, b"././@PaxHeader", b"PaxHeaders/headers/%d" % number, folder + b"PaxHeaders.12/" + base,
            b"plugin.py", b"../up.txt", b"a"], [8, 8, 8, 8, 8, 8, 1, 1, 1])[0]
        front = header(extended[:100], len(records), b"x", 0o644) + padded(records)
    more = random.choices([{}, {"mtime": random.randrange(1 << 33)}, {"owner": b""}, {"magic": b"ustar  \0"}], [20, 4, 4, 1])[0]
    return front + header(own, len(data), letter, mode, shown, prefix, **more) + padded(data)


def a_tar(random: random.Random) -> bytes:
    entries = tree(random)
    blocks = [tar_entry(random, number, *entry) for number, entry in enumerate(entries, 2)]
    blocks.insert(random.randrange(len(blocks) + 1), header(b"module.json", len(DESCRIPTION), b"0", 0o644) + padded(DESCRIPTION))
    whole = b"".join(blocks) + bytes(1024)
    whole += bytes(-len(whole) % 10240)
    if random.random() < 0.8:
        return whole
    # A bit of a header, whose checksum is made right again.
    changed = bytearray(whole)
    starts = [start for start in range(0, len(whole), 512) if whole[start + 257:start + 262] == b"ustar"]
    start = random.choice(starts)
    changed[start + random.choice([random.randrange(100), random.randrange(100, 148), random.randrange(156, 512)])] ^= 1 << random.randrange(8)
    block = changed[start:start + 148] + b" " * 8 + changed[start + 156:start + 512]
    changed[start + 148:start + 156] = f"{sum(block):06o}".encode() + b"\0 "
    return bytes(changed)


def written(folder: Path, kind: str, count: int) -> list[Path]:
    """Writes so many archives of a kind, `zip` or `tar`."""
    print(f"ARCHIVE_SEED={SEED}: {count} archives of kind {kind}", flush=True)
    chance = random.Random(f"{SEED} {kind}")
    paths = []
    for number in range(count):
        path = folder / f"{number:04}.{kind}"
        path.write_bytes(a_zip(chance) if kind == "zip" else a_tar(chance))
        paths.append(path)
    return paths
