"""Faults of names, of what names make together, and of links."""

from assembler import DEFLATED, Entry, FAT, LINK, MACOS, UTF8, deflated
from parts import case, file, folder, link


def make_name_faults():
    def bad(name, code, path, **more):
        text = ascii(path).lstrip("b")
        case(f"name-{name}", f"path.{code}", f"The name {text if len(text) < 40 else text[:20] + '...'}.",
             Entry(path, b"", **more))

    bad("empty", "empty", "")
    bad("empty-nul", "control", "\0")
    bad("absolute", "absolute", "/etc/passwd")
    bad("absolute-directory", "absolute", "/")
    bad("absolute-two", "absolute", "//server/share")
    bad("parent", "parent", "../a")
    bad("parent-alone", "parent", "..")
    bad("parent-directory", "parent", "../")
    bad("parent-middle", "parent", "a/../../b")
    bad("parent-end", "parent", "a/..")
    bad("dot", "dot", "./a")
    bad("dot-alone", "dot", ".")
    bad("dot-directory", "dot", "./")
    bad("dot-middle", "dot", "a/./b")
    bad("dot-end", "dot", "a/.")
    bad("double-slash", "empty-name", "a//b")
    bad("double-slash-end", "empty-name", "a//")
    bad("backslash", "backslash", "a\\b")
    bad("backslash-parent", "backslash", "..\\..\\a")
    bad("backslash-absolute", "backslash", "\\a")
    bad("backslash-drive", "backslash", "C:\\a")
    bad("backslash-end", "backslash", "a\\")
    bad("nul", "control", "a\0b")
    bad("nul-extension", "control", "a.txt\0.so")
    bad("newline", "control", "a\nb")
    bad("escape", "control", "a\x1b[2Jb")
    bad("delete", "control", "a\x7f")
    bad("c1", "control", "a\x9bb")
    bad("next-line", "control", "a\x85b")
    for name, path in (("override", "a\u202etxt.so"), ("embedding", "a\u202ab"), ("isolate", "a\u2066b"),
                       ("pop-isolate", "a\u2069"), ("mark-left", "\u200ea"), ("mark-right", "a\u200f"),
                       ("mark-arabic", "a\u061c"), ("zero-width-space", "a\u200bb"), ("word-joiner", "a\u2060b"),
                       ("invisible-times", "a\u2062b"), ("byte-order-mark", "\ufeffa"), ("soft-hyphen", "a\u00adb"),
                       ("tag", "a\U000e0061"), ("language-tag", "a\U000e0001"), ("grapheme-joiner", "a\u034fb"),
                       ("hangul-filler", "\u3164"), ("half-filler", "a\uffa0"), ("vowel-separator", "a\u180eb"),
                       ("line-separator", "a\u2028b"), ("annotation", "a\ufff9b"), ("musical", "a\U0001d173"),
                       ("joiner-latin", "a\u200db"), ("non-joiner-latin", "a\u200cb"), ("joiner-first", "\u200d\u0915"),
                       ("joiner-last", "\u0915\u200d"), ("joiner-emoji-alone", "\U0001f469\u200d"),
                       ("joiner-slash", "\u0915\u200d/a"), ("joiner-twice", "\u0915\u200d\u200d\u0915"),
                       ("selector-latin", "a\ufe0f"), ("selector-digit", "1\ufe0f.so"),
                       ("selector-twice", "\u2764\ufe0f\ufe0f"), ("selector-first", "\ufe0fa"),
                       ("selector-supplement", "a\U000e0100"), ("directory", "a\u202e/b")):
        bad(f"invisible-{name}", "invisible", path)
    bad("not-utf8", "not-utf8", b"a\xff", flags=UTF8)
    bad("not-utf8-unmarked", "not-utf8", b"\x81.txt", flags=0)
    bad("overlong", "not-utf8", b"..\xc0\xaf..\xc0\xafa", flags=UTF8)
    bad("overlong-dot", "not-utf8", b"\xc0\xae\xc0\xae/a", flags=UTF8)
    bad("overlong-nul", "not-utf8", b"a\xc0\x80", flags=UTF8)
    bad("surrogate", "not-utf8", b"\xed\xa0\x80", flags=UTF8)
    bad("surrogates", "not-utf8", b"\xed\xa0\xbd\xed\xb8\x80", flags=UTF8)
    bad("beyond", "not-utf8", b"\xf4\x90\x80\x80", flags=UTF8)
    bad("cut", "not-utf8", b"a\xe2\x82", flags=UTF8)
    bad("decomposed", "not-normalized", "u\u0308")
    bad("decomposed-hangul", "not-normalized", "\u1112\u1161\u11ab")
    bad("order-of-marks", "not-normalized", "a\u0301\u0323")
    bad("kelvin", "not-normalized", "\u212a")
    bad("angstrom-directory", "not-normalized", "\u212b/a")
    bad("drive", "drive", "C:a")
    bad("drive-slash", "drive", "C:/a")
    bad("stream", "drive", "a:b")
    bad("stream-data", "drive", "a/b::$DATA")
    bad("trailing-dot", "trailing", "a.")
    bad("trailing-space", "trailing", "a ")
    bad("trailing-directory", "trailing", "a./b")
    bad("trailing-dots", "trailing", ".../a")
    for path in ("CON", "nul.txt", "lib/aux", "COM1", "lpt9.tar.gz", "prn /a", "CONOUT$", "COM\u00b9"):
        word = "".join(letter for letter in path.lower() if letter.isascii() and letter.isalnum())
        bad(f"device-{word}", "trailing" if path == "prn /a" else "reserved", path)
    bad("device-space", "reserved", "con .txt")
    bad("version", "reserved", "a;1")
    for name, character in (("less", "<"), ("greater", ">"), ("quote", '"'), ("pipe", "|"), ("question", "?"),
                            ("star", "*")):
        bad(f"character-{name}", "reserved", f"a{character}b")
    bad("device-directory", "reserved", "nul/")
    bad("long", "bounds", "x" * 256)
    bad("long-utf8", "bounds", "\u00fc" * 128)
    bad("longer", "bounds", "/".join(["y" * 200] * 5) + "/" + "z" * 19)
    bad("deep", "bounds", "/".join("x" * 65))
    for name, host in (("fat", FAT), ("os2", 6), ("ntfs", 11), ("ntfs-appnote", 10), ("vfat", 14), ("macos", MACOS)):
        case(f"name-host-{name}", "archive.name-encoding",
             f"A name that is not ASCII, from the system {host}: some programs translate it.",
             file("\u00e9.txt", host=host))
    case("name-unmarked", "archive.name-encoding", "A name in UTF-8 that is not marked so.", file("\u00fc", flags=0))
    case("name-unmarked-directory", "archive.name-encoding", "A directory's name in UTF-8 that is not marked so.",
         folder("\u4e2d/", flags=0))


def make_tree_faults():
    def bad(name, code, why, *entries):
        case(f"tree-{name}", code, why, *entries)

    collision, duplicate, conflict = "path.case-collision", "archive.duplicate-path", "archive.path-conflict"
    bad("case", collision, "Equal but for case.", file("README"), file("readme"))
    bad("case-directories", collision, "Two directories.", file("A/x"), file("a/y"))
    bad("case-directory-entry", collision, "A directory and its other spelling.", folder("LIB/"), file("lib/a"))
    bad("case-directory-file", collision, "A file, and a directory that is implied.", file("Lib"), file("lib/a"))
    bad("case-deep", collision, "In the middle of a path.", file("a/B/c"), file("a/b/d"))
    for name, one, other in (("greek", "\u03c2", "\u03c3"), ("umlaut", "\u00fc", "\u00dc"),
                             ("sharp-s", "stra\u00dfe", "STRASSE"), ("sharp-s-capital", "\u1e9e.txt", "\u00df.txt"),
                             ("sharp-s-capital-ascii", "\u1e9e", "ss"),
                             ("iota-below", "\u1fb3", "\u03b1\u03b9"), ("joiner", "\u0915\u094d\u200d\u0937", "\u0915\u094d\u0937"),
                             ("selector", "\u2764\ufe0f", "\u2764"), ("order-of-marks", "\u0390\u0323", "\u03aa\u0323\u0301"), ("dotless-i", "\u0131", "i"),
                             ("dotted-i", "\u0130", "i\u0307"), ("long-s", "\u017f", "s"), ("ligature", "\ufb01", "fi"),
                             ("cyrillic", "\u0436", "\u0416"), ("titlecase", "\u01c5", "\u01c6"),
                             ("micro", "\u00b5", "\u03bc"), ("deseret", "\U00010400", "\U00010428"),
                             ("cherokee", "\u13a0", "\uab70"), ("georgian", "\u10d0", "\u1c90")):
        bad(f"case-{name}", collision, f"Equal but for case: {one!a} and {other!a}.", file(one), file(other))
    bad("normalized", "path.not-normalized", "Equal in normalization form C.", file("\u00fc"), file("u\u0308"))
    bad("duplicate", duplicate, "A name twice.", file("a", b"one"), file("a", b"two"))
    bad("duplicate-same", duplicate, "A file twice, with the same bytes.", file("a"), file("b"), file("a"))
    bad("duplicate-directory", duplicate, "A directory twice.", folder("d/"), folder("d/"))
    bad("duplicate-link", duplicate, "A link, and a file of its name.", link("l"), file("l"))
    bad("duplicate-slash", duplicate, "A file, and a directory of its name.", file("a"), folder("a/"))
    bad("file-as-parent", conflict, "A file in a file.", file("a"), file("a/b"))
    bad("file-as-parent-late", conflict, "A file in a file that comes later.", file("a/b"), file("a"))
    bad("file-as-grandparent", conflict, "A file far below a file.", file("a"), file("a/b/c/d"))
    bad("link-as-parent", conflict, "A file behind a link.", link("l", "."), file("l/a"))
    bad("link-as-parent-late", conflict, "A file behind a link that comes later.", file("l/a"), link("l", "."))
    bad("link-as-parent-directory", conflict, "A directory behind a link.", link("l", "d"), folder("l/d/"))
    bad("link-as-parent-case", collision, "A link, and a file behind its other spelling.", link("L", "."), file("l/a"))
    bad("link-as-directory", duplicate, "A directory, and a link of its name.", folder("d/"), link("d", "."))

    def points(name, code, target, path="l"):
        shown = f"{target[:20]!a}...".lstrip("b") if len(target) > 40 else ascii(target).lstrip("b")
        case(f"link-{name}", f"path.{code}", f"A link to {shown}.", link(path, target), file("a"))

    points("absolute", "absolute", "/etc/passwd")
    points("root", "absolute", "/")
    points("up", "parent", "../a")
    points("up-alone", "parent", "..")
    points("up-behind-dot", "parent", "./../a")
    points("up-deep", "parent", "../../a", "d/l")
    points("up-behind-name", "parent", "d/../a")
    points("up-behind-name-deep", "parent", "../d/../../a", "d/e/l")
    points("empty", "empty", "")
    points("backslash", "backslash", "..\\a")
    points("nul", "control", "a\0b")
    points("newline", "control", "a\n")
    points("invisible", "invisible", "a\u202etxt.so")
    points("not-utf8", "not-utf8", b"\xff")
    points("overlong", "not-utf8", b"\xc0\xae\xc0\xae/a")
    points("decomposed", "not-normalized", "u\u0308")
    points("long", "bounds", "x/" * 512)
    points("drive", "drive", "C:/Windows")
    points("drive-relative", "drive", "C:a")
    points("device", "reserved", "d/NUL")
    points("trailing", "trailing", "../a ./b", "d/l")
    case("link-deflated-up", "path.parent", "A link to '../a', whose target is compressed.",
         Entry("l", b"../a", LINK, method=DEFLATED))
    case("link-crc", "archive.checksum", "A link whose target has another checksum.", link(crc=0))
    case("link-data", "archive.data", "A link whose target is longer than it says.",
         Entry("l", b"a", LINK, method=DEFLATED, packed=deflated(b"a/../../b")))
    case("link-bomb", "path.bounds", "A link whose target is said to be a megabyte.",
         Entry("l", b"", LINK, method=DEFLATED, size=1 << 20))
