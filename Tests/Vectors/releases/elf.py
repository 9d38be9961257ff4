"""Puts programs and libraries together, hardened ones and others: what is not said otherwise is as it must be.

The names are those of elf(5). A binary has two segments: one with everything that is read or run, and one that the
dynamic linker writes. A compiler would make other bytes on every machine.
"""

import struct

PROGRAM, LIBRARY, OBJECT, CORE = 2, 3, 1, 4
X86_64, AARCH64 = 62, 183
READ, WRITE, RUN = 4, 2, 1
PAGE = 0x1000
BIND_NOW = 8
NOW, PIE = 1, 0x0800_0000
GCC = b"GCC: (GNU) 13.2.0\0"


class Image:
    """What is in the file, part after part; an address is the place in the file."""

    def __init__(self, size):
        self.bytes = bytes(size)

    def add(self, content):
        """Adds a part and gives its place."""
        self.bytes += bytes(-len(self.bytes) % 8)
        place = len(self.bytes)
        self.bytes += content
        return place


def binary(*, kind=LIBRARY, machine=X86_64, soname=None, needed=("libc.so.6",), run_path=None, old_run_path=None,
           imports=("__stack_chk_fail", "__printf_chk"), exports=(), flags=BIND_NOW, flags_1=NOW | PIE, lazy=False,
           text_relocations=False, stack=READ | WRITE, relro=True, code=READ | RUN, data=READ | WRITE,
           build_id=bytes(range(20)), compiler=GCC, symbols=False, texts=()):
    """The bytes of a program or a library.

    lazy: there are functions that can be bound when they are called. stack: the flags of PT_GNU_STACK, None for no such
    header. code, data: the flags of the two segments. symbols: there is a table of symbols for debuggers. texts: what
    is among the constants.
    """
    names = [*needed, *imports, *exports, *(name for name in (soname, run_path, old_run_path) if name)]
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in names)

    def string(name):
        return strings.index(b"\0" + name.encode() + b"\0") + 1

    image = Image(64 + 56 * (4 + (stack is not None) + relro))
    function = image.add(b"\xc3" * 8)
    for text in texts:
        image.add(b"\0" + text + b"\0")
    strings_place = image.add(strings)
    table = [bytes(24), *(struct.pack("<IBBHQQ", string(name), 0x12, 0, 0, 0, 0) for name in imports),
             *(struct.pack("<IBBHQQ", string(name), 0x12, 0, 1, function, 8) for name in exports)]
    symbols_place = image.add(b"".join(table))
    # One bucket, whose chain has all symbols (gABI, "Hash Table").
    chain = [0, *(number + 1 if number + 1 < len(table) else 0 for number in range(1, len(table)))]
    hash_place = image.add(struct.pack(f"<{3 + len(chain)}I", 1, len(chain), int(len(chain) > 1), *chain))
    note = struct.pack("<3I", 4, len(build_id), 3) + b"GNU\0" + build_id if build_id else b""
    note_place = image.add(note)
    jumps = struct.pack("<QQq", 0, 0, 0) if lazy else b""
    jumps_place = image.add(jumps)
    end = len(image.bytes)

    entries = [(1, string(name)) for name in needed]
    entries += [(tag, string(name)) for tag, name in ((14, soname), (29, run_path), (15, old_run_path)) if name]
    entries += [(4, hash_place), (5, strings_place), (6, symbols_place), (10, len(strings)), (11, 24)]
    if lazy:
        entries += [(23, jumps_place), (2, len(jumps)), (20, 7)]
    if text_relocations:
        entries.append((22, 0))
    entries += [(30, flags), (0x6FFF_FFFB, flags_1), (0, 0)]
    dynamic = b"".join(struct.pack("<2Q", *entry) for entry in entries)
    dynamic_place = image.add(dynamic)
    sections, sections_place = section_headers(image, compiler, symbols)

    def segment(kind, flags, place, size, align, shift=0):
        return struct.pack("<2I6Q", kind, flags, place, place + shift, place + shift, size, size, align)

    segments = [
        segment(1, code, 0, end, PAGE), segment(1, data, dynamic_place, len(dynamic), PAGE, PAGE),
        segment(2, data, dynamic_place, len(dynamic), 8, PAGE), segment(4, READ, note_place, len(note), 4)]
    if stack is not None:
        segments.append(segment(0x6474_E551, stack, 0, 0, 16))
    if relro:
        segments.append(segment(0x6474_E552, READ, dynamic_place, len(dynamic), 1, PAGE))
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<2HI3QI6H", kind, machine, 1, 0, 64, sections_place, 0, 64, 56, len(segments), 64, sections,
        sections - 1 if sections else 0) + b"".join(segments)
    return head + image.bytes[len(head):]


def section_headers(image, compiler, symbols):
    """Adds the section headers, which only people and debuggers read, and gives their number and place."""
    names = b"\0.comment\0.symtab\0.shstrtab\0"
    headers = [bytes(64)]

    def section(name, kind, content, size=0):
        place = image.add(content)
        headers.append(struct.pack(
            "<2I4Q2I2Q", names.index(name + b"\0"), kind, 0, 0, place, len(content), 0, 0, 1, size))

    if compiler:
        section(b".comment", 1, compiler)
    if symbols:
        section(b".symtab", 2, bytes(48), 24)
    if len(headers) == 1:
        return 0, 0
    section(b".shstrtab", 3, names)
    return len(headers), image.add(b"".join(headers))


def head_only(kind, machine=X86_64):
    """A file that has nothing but its header."""
    return b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<2HI3QI6H", kind, machine, 1, 0, 0, 0, 0, 64, 56, 0, 64, 0, 0)
