import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// What the search does not look at is told, whatever the container, and whatever is wrong with it.
@Suite struct UnsearchedTests {
  /// Containers with a key in them that other programs unpack, each compressed or with compressed entries.
  private static let containers: [(name: String, commands: String)] = [
    ("gz", "gzip < key > o"), ("bz2", "bzip2 < key > o"), ("xz", "xz < key > o"), ("zst", "zstd -q < key > o"),
    ("lz4", "lz4 -q < key > o"), ("lzma", "xz --format=lzma < key > o"),
    ("raw lzma", "xz --format=lzma --lzma1=lc=1,lp=1,pb=1 < key > o"),
    ("tar.xz", "tar -cf - key | xz > o"), ("tar.zst", "tar -cf - key | zstd -q > o"), ("tar.gz", "tar -czf o key"),
    ("tar of gz", "gzip key; tar -cf o key.gz"), ("zip", "python3 -m zipfile -c o key"),
    ("ar of xz", "xz key; ar rc o key.xz"),
    (
      "deb",
      "xz key; echo 2.0 > debian-binary; tar -cf data.tar key.xz; xz data.tar; ar rc o debian-binary data.tar.xz"
    ),
    ("cpio", "gzip key; echo key.gz | cpio -o --quiet -H newc > o"),
    ("odc", "gzip key; echo key.gz | cpio -o --quiet -H odc > o"),
    ("bin", "gzip key; echo key.gz | cpio -o --quiet -H bin > o"),
    (
      "skipped frame",
      "gzip < key > z; printf 'P*M\\030\\%o\\0\\0\\0' $(stat -c %s z) > o; cat z >> o; echo x | zstd -q >> o"
    ),
    ("7z", "printf '7z\\274\\257\\047\\034' > o; gzip < key >> o"),
  ]

  @Test("zlib's format is looked into, and objects of git are")
  func zlib() throws {
    for level in [0, 1, 6, 9] {
      let pack =
        "python3 -c 'import sys,zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read(), \(level)))'"
      let bytes = try WalkedFile.made("\(pack) < key > o", "o")
      #expect(try WalkedFile.places(of: bytes) == ["-"])
      let tar = try WalkedFile.made("tar --format=gnu -cf - key | \(pack) > o", "o")
      #expect(try WalkedFile.places(of: tar) == ["key"])
      for tail in [[], [0, 0, 0], Array("abc".utf8)] {
        let findings = try WalkedFile.findings(bytes + tail)
        #expect(!findings.contains { $0.hasPrefix("archive | ") })
        #expect(
          findings.contains { $0.hasPrefix("unsearched | ") } == (tail.first == UInt8(ascii: "a")), "\(findings)")
        #expect(findings.contains { $0.hasPrefix("private-key | ") })
      }
      let damaged = try WalkedFile.findings(bytes.dropLast(1))
      #expect(damaged.contains { $0.hasPrefix("unsearched | ") }, "\(damaged)")
    }
    let dictionary = try WalkedFile.made(
      "python3 -c 'import os,sys,zlib; k=sys.stdin.buffer.read(); c=zlib.compressobj(9, zdict=k[100:300]); "
        + "sys.stdout.buffer.write(c.compress(k+os.urandom(2000))+c.flush())' < key > o", "o")
    let unread = try WalkedFile.findings(dictionary)
    #expect(unread.contains("unsearched | - | - | archive.filter | -"), "\(unread)")
    let object = try WalkedFile.made("git init -q .; h=$(git hash-object -w key); cp .git/objects/*/${h:2} o", "o")
    #expect(try WalkedFile.places(of: object) == ["-"])
    for text in [
      "x^2 + y^2 = z^2 in all triangles with a right angle, as everybody learns at school\n", "x^2", "HTTP", "h\u{1}",
    ] {
      #expect(try WalkedFile.findings(Array(String(repeating: text, count: 20).utf8)) == [], "\(text)")
    }
    for seed in 0..<400 {
      #expect(try WalkedFile.findings([0x78, 0x9c] + patternBytes(2000, seed: UInt64(seed))) == [], "\(seed)")
    }
  }

  @Test("rare compressions and bundles of git are told")
  func rare() throws {
    let random = patternBytes(400, seed: 8)
    let packed: [UInt8] = [0x1f, 0x1e, 0, 0, 0, 9, 2, 1, 0] + Array("ab".utf8) + [0x55, 0x80]
    let lzma = try WalkedFile.made("xz --format=lzma < key > o", "o")
    let known =
      Array(lzma[..<1]) + [1, 0x23, 0x45, 0] + [UInt8(WalkedFile.key.count), 0, 0, 0, 0, 0, 0, 0] + lzma[13...]
    for bytes in [
      [0x1f, 0x9e, 8, 0, 1, 2, 3, 4, 0, 3] + random, packed,
      Array("# v2 git bundle\n".utf8) + random, Array("# v3 git bundle\n".utf8) + random,
    ] {
      #expect(try WalkedFile.findings(bytes).contains { $0.hasPrefix("unsearched | ") }, "\(bytes.prefix(4))")
    }
    #expect(try WalkedFile.places(of: known) == ["-"])
    for bytes in [[0x1f, 0x9e] + random, [0x1f, 0x1e] + random] { #expect(try WalkedFile.findings(bytes) == []) }
  }

  @Test(
    "LZH is told by its tables, however short it is",
    arguments: [
      ("1fa00006200426313700540000", "ababab"),
      ("1fa000113a4b475819c05d3ce03e79e7861fa180287edc6084d72131b80000", "a token: ghp_AbCd"),
      (
        "1fa00020400704c0167fffffff800022190a63a12a5b1ae7c2329d2b6be33adf3bef800000",
        "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_"
      ),
    ])
  func lzh(digits: String, text: String) throws {
    let bytes = try #require(Hexadecimal.decode(digits))
    let folder = try TemporaryFolder()
    try folder.write("i", bytes)
    let bash = try #require(Program.find("bash"))
    #expect(try Program.run(bash, ["-c", "gzip -dc < i"], in: folder.path).output == text)
    for bytes in [bytes, bytes + patternBytes(400, seed: 1)] {
      let findings = try WalkedFile.findings(bytes)
      #expect(findings.contains { $0.hasPrefix("unsearched | - | - | archive.filter | ") }, "\(findings)")
    }
    for count in 0..<9 { #expect(try WalkedFile.findings(Array(bytes[..<count])) == [], "\(count)") }
    // Other files begin with the mark by chance.
    for rest in [
      Array(String(repeating: "text ", count: 40).utf8), [0, 5] + [UInt8](repeating: 0, count: 60),
      [UInt8](repeating: 0, count: 60), [UInt8](repeating: 0xff, count: 60), [],
    ] { #expect(try WalkedFile.findings([0x1f, 0xa0] + rest) == [], "\(rest)") }
    for seed in 0..<200 {
      #expect(try WalkedFile.findings([0x1f, 0xa0] + patternBytes(300, seed: UInt64(seed))) == [], "\(seed)")
    }
  }

  @Test("a short zlib stream with a dictionary is told, and a text is none")
  func shortDictionary() throws {
    let stream = try WalkedFile.made(
      "python3 -c \"import zlib; c = zlib.compressobj(9, zdict=b'a secret'); open('o', 'wb').write(c.compress(b'a secret') + c.flush())\"",
      "o")
    #expect(stream.count < 48)
    #expect(try WalkedFile.findings(stream).contains { $0.hasPrefix("unsearched | - | - | archive.filter | ") })
    for text in ["x y", "x y and z\n", "x = 1", "x}", "x? yes"] {
      #expect(try WalkedFile.findings(Array(text.utf8)) == [], "\(text)")
    }
  }

  @Test("an empty file that is compressed is no danger")
  func empty() throws {
    for program in ["gzip", "bzip2", "xz", "zstd -q", "lz4 -q -c", "lz4 -q -l -c", "lzip -c", "xz --format=lzma"] {
      let bytes = try WalkedFile.made("\(program) < /dev/null > o", "o")
      let findings = try WalkedFile.findings(bytes)
      #expect(
        !findings.contains { $0.hasPrefix("archive | ") || $0.hasPrefix("unsearched") }, "\(program) \(findings)")
      let behind = try WalkedFile.findings(bytes + Array("text".utf8))
      #expect(behind.contains { $0.hasPrefix("archive | ") || $0.hasPrefix("unsearched") }, "\(program) \(behind)")
    }
  }

  @Test("a ZIP behind a script may be called a ZIP")
  func script() throws {
    let bytes = try WalkedFile.made(
      "mkdir a; mv key a; echo 'print(1)' > a/__main__.py; python3 -m zipapp -p /usr/bin/python3 -o o a", "o")
    for name in ["a.zip", "a.pyz", "a.run", "a.jar"] {
      let findings = try WalkedFile.findings(bytes, name)
      #expect(findings.contains { $0.hasPrefix("private-key | key | ") }, "\(name) \(findings)")
      #expect(!findings.contains { $0.hasPrefix("archive | ") }, "\(name) \(findings)")
    }
    let script = try WalkedFile.findings(Array("#!/bin/sh\necho\n".utf8), "a.zip")
    #expect(script.contains { $0.hasPrefix("archive | ") }, "\(script)")
    // What only 7-Zip unpacks.
    let zip = try WalkedFile.made("gzip key; python3 -m zipfile -c o key.gz", "o")
    let end = zip.indices.first { zip[$0...].starts(with: [0x50, 0x4b, 1, 2]) } ?? 0
    var split = zip
    split[split.count - 18] = 1
    for bytes in [Array(zip[..<end]), split] {
      let findings = try WalkedFile.findings(bytes)
      #expect(findings.contains { $0.hasPrefix("archive | ") }, "\(findings)")
      #expect(findings.contains { $0.hasPrefix("unsearched | ") || $0.hasPrefix("private-key") }, "\(findings)")
    }
  }

  @Test("bytes behind a compressed key hide nothing", arguments: containers.prefix(10).map(\.name))
  func behind(name: String) throws {
    let container = try #require(Self.containers.first { $0.name == name })
    let bytes = try WalkedFile.made(container.commands, "o")
    let isTar = name.hasPrefix("tar")
    for (tail, isDanger) in [
      (Array("x".utf8), true), ([0x0a], true), (Array("abcd".utf8), true),
      (Array("P*M\u{18}\u{04}\0\0\0abcd".utf8), !name.hasSuffix("zst") && name != "lz4"),
      ([0, 0, 0, 0], false), ([0, 0, 0], name.hasSuffix("xz")), ([], false),
    ] {
      let findings = try WalkedFile.findings(bytes + tail)
      #expect(findings.contains { $0.hasPrefix("private-key | \(isTar ? "key" : "-") | ") }, "\(tail): \(findings)")
      #expect(!findings.contains { $0.hasPrefix("unsearched") }, "\(tail): \(findings)")
      let dangers = findings.filter { $0.hasPrefix("archive | ") }
      #expect(dangers.count == (isDanger ? 1 : 0), "\(tail): \(findings)")
      #expect(dangers.allSatisfy { $0.contains(" | archive.trailing-data | ") }, "\(tail): \(findings)")
    }
  }

  @Test("bytes behind the data of a Debian package hide nothing, in a ZIP and a tar neither")
  func package() throws {
    let deb = """
      echo 2.0 > debian-binary; tar -cf data.tar key; xz data.tar; printf 'x\\n' >> data.tar.xz
      ar rc p debian-binary data.tar.xz; python3 -m zipfile -c z data.tar.xz; tar -cf t data.tar.xz
      """
    for file in ["p", "z", "t"] {
      let findings = try WalkedFile.findings(try WalkedFile.made(deb, file))
      #expect(findings.contains { $0.hasPrefix("private-key | data.tar.xz!key | ") }, "\(file): \(findings)")
      #expect(
        findings.contains { $0.hasPrefix("archive | data.tar.xz | ") && $0.contains("archive.trailing-data") },
        "\(file): \(findings)")
    }
  }

  @Test(
    "no fault anywhere in a container with a key makes it clean", .slow, .seeded, arguments: containers.map(\.name))
  func faults(name: String) throws {
    let container = try #require(Self.containers.first { $0.name == name })
    let bytes = try WalkedFile.made(container.commands, "o")
    var random = SeededRandom()
    // The first bytes say what it is. Without them, no program unpacks it.
    let start = ["tar of gz": 600, "ar of xz": 68, "deb": 200, "cpio": 120, "odc": 83, "bin": 34][name] ?? 18
    var faulty: [[UInt8]] = []
    for _ in 0..<(Extent.isWhole ? 1000 : 12) {
      let place = Int.random(in: start..<bytes.count, using: &random)
      var bent = bytes
      bent[place] ^= UInt8.random(in: 1...255, using: &random)
      faulty.append(bent)
      faulty.append(Array(bytes[..<place]))
      faulty.append(
        bytes + (0..<Int.random(in: 1...40, using: &random)).map { _ in .random(in: 0...255, using: &random) })
      faulty.append(bytes[..<place] + [.random(in: 0...255, using: &random)] + bytes[place...])
    }
    for bytes in faulty { #expect(try !WalkedFile.findings(bytes).isEmpty, "\(bytes.count) \(bytes.prefix(64))") }
  }

  @Test(
    "a container that is not read is named",
    arguments: [
      // A volume descriptor set with more than one descriptor, as every real image has one.
      (
        "(head -c 32769 /dev/zero; printf CD001; head -c 2043 /dev/zero; printf CD001; head -c 9000 /dev/zero) > o",
        "-"
      ),
      ("(head -c 32769 /dev/zero; printf BEA01; head -c 9000 /dev/zero) > o", "-"),
      ("(printf 'x CD001'; head -c 32762 /dev/zero; printf CD001; head -c 9000 /dev/zero) > i; tar -cf o i", "i"),
      ("printf '\\072\\377\\046\\355' > o; head -c 900 /dev/zero >> o", "-"),
      ("printf 'ANDROID!' > o; head -c 900 /dev/zero >> o", "-"),
      ("printf 'AVB0\\0\\0\\0\\1' > o; head -c 900 /dev/zero >> o", "-"),
      ("(head -c 54 /dev/zero; printf 'FAT16   '; head -c 2000 /dev/zero) > o", "-"),
      ("(head -c 4096 /dev/zero; printf AVBf; head -c 60 /dev/zero) > o", "-"),
      ("head -c 900 /bin/ls | tail -c 300 > key.br; tar -cf o key.br", "key.br"),
      ("(printf '#1234-lh7-'; head -c 900 /dev/zero | tr '\\0' x) > i; tail -c +4 i > o", "-"),
    ])
  func unread(commands: String, place: String) throws {
    let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
    #expect(findings.contains { $0.hasPrefix("unsearched | \(place) | - | archive.filter | ") }, "\(findings)")
  }

  @Test("what only resembles such a container has no finding")
  func others() throws {
    for commands in [
      "echo 'the mark CD001 is at 32769' > o", "(head -c 30000 /dev/zero; printf CD001; head -c 9000 /dev/zero) > o",
      "echo 'a list of names' > key.br; tar -cf o key.br", "printf '`\\352this is no header' > o",
      "(head -c 510 /dev/zero; printf '\\125\\252'; head -c 2000 /dev/zero) > o", "echo 'AVBf' > o",
    ] {
      let findings = try WalkedFile.findings(try WalkedFile.made(commands, "o"))
      #expect(findings.filter { !$0.hasPrefix("archive-form") } == [], "\(commands): \(findings)")
    }
  }

  @Test("an ARJ is told by its header's checksum, whatever the header says")
  func arj() throws {
    var header = (0..<34).map { UInt8($0) }
    func file() -> [UInt8] {
      let sum = TokenText.crc32(header)
      return [0x60, 0xea, 34, 0] + header + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + [0, 0]
    }
    #expect(try WalkedFile.findings(file()).contains { $0.hasPrefix("unsearched | - | - | archive.filter") })
    let wrong = file()
    header[5] = 0
    #expect(try WalkedFile.findings(wrong.dropLast(4) + [0, 0, 0, 0]) == [])
  }

  @Test("data that need too much memory are not searched, and are no danger")
  func windows() throws {
    for (commands, name) in [
      ("tar -cf - key | zstd -q --ultra -22 > o", "app.tar.zst"), ("zstd -q --ultra -22 < key > o", "app.bin"),
      ("cat key | zstd -q --long=27 > o", "app.bin"), ("xz --lzma2=dict=200MiB < key > o", "app.bin"),
    ] {
      let findings = try WalkedFile.findings(
        try WalkedFile.made("(cat key; head -c 9000000 /dev/zero) > k; mv k key; " + commands, "o"), name)
      #expect(
        findings.contains { $0.hasPrefix("unsearched | - | - | archive.filter | ") }, "\(commands): \(findings)")
      #expect(!findings.contains { $0.hasPrefix("archive | ") }, "\(commands): \(findings)")
    }
  }

  /// A header of LZMA, with a size that is known, before compressed data.
  private static func lzma(_ properties: UInt8, dictionary: UInt32, size: Int, _ data: ArraySlice<UInt8>) -> [UInt8] {
    [properties] + (0..<4).map { UInt8(truncatingIfNeeded: dictionary >> (8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + data
  }

  @Test("an LZMA with a fault is named, whatever its properties and its dictionary are")
  func lzma() throws {
    let whole = try WalkedFile.made("xz --format=lzma --lzma1=lc=1,lp=1,pb=1,dict=64KiB < key > o", "o")
    let size = WalkedFile.key.count
    func made(_ dictionary: UInt32, _ properties: UInt8? = nil, fault: Int? = nil) -> [UInt8] {
      var bytes = Self.lzma(properties ?? whole[0], dictionary: dictionary, size: size, whole[13...])
      if let fault { bytes[fault] ^= 0xff }
      return bytes
    }
    for dictionary: UInt32 in [1 << 16, 1 << 11, 1] {
      #expect(try WalkedFile.places(of: made(dictionary)) == ["-"], "\(dictionary)")
    }
    for (bytes, code) in [
      (made(1 << 16, fault: 40), "archive.data"), (Array(made(1 << 16).dropLast(40)), "archive."),
      // Only some programs read these: LZMA SDK has no limit for lc and lp together.
      (made(1 << 16, 8 + 9 * 4), "archive.data"), (made(1 << 27), "archive.filter"),
      (made(3 << 30), "archive.filter"),
    ] {
      let findings = try WalkedFile.findings(bytes)
      #expect(findings.contains { $0.hasPrefix("unsearched | - | - | \(code)") }, "\(findings)")
    }
    // Without a look at what follows.
    let large = Self.lzma(0, dictionary: 1 << 27, size: 1 << 30, [0, 0, 1, 2, 3])
    #expect(try WalkedFile.findings(large).map { $0.prefix(33) } == ["unsearched | - | - | archive.filt"])
  }

  @Test("an entry with a method that is not read is no danger")
  func methods() throws {
    var zip = try WalkedFile.made("python3 -c \"import zipfile; zipfile.ZipFile('o','w',8).write('key')\"", "o")
    // Deflate64, in the local header and in the central directory.
    zip[8] = 9
    let directory = try #require((0..<zip.count - 4).first { zip[$0...].starts(with: [0x50, 0x4b, 1, 2]) })
    zip[directory + 10] = 9
    let findings = try WalkedFile.findings(zip)
    #expect(
      findings.contains { $0.hasPrefix("unsearched | key | - | archive.filter | deflation-64-bit") }, "\(findings)")
    #expect(!findings.contains { $0.hasPrefix("archive | ") }, "\(findings)")
  }

  @Test("a tar whose first header has a wrong checksum is a danger: some programs pass it")
  func firstHeader() throws {
    var tar = try WalkedFile.made("gzip < key > k.gz; tar -cf o key k.gz", "o")
    tar[0] ^= 1
    let findings = try WalkedFile.findings(tar)
    #expect(findings.contains { $0.hasPrefix("archive | - | ") && $0.contains("archive.tar-header") }, "\(findings)")
    #expect(findings.contains { $0.hasPrefix("unsearched | - | ") }, "\(findings)")
  }

  @Test("the header of a gzip and frames that are skipped are searched")
  func headers() throws {
    let gzip = try WalkedFile.made("echo text | gzip -n > o", "o")
    var named = gzip
    named[3] = 16
    named.insert(contentsOf: WalkedFile.key + [0], at: 10)
    #expect(try WalkedFile.places(of: named) == ["-"])
    let frame: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, UInt8(WalkedFile.key.count), 0, 0, 0]
    let zstd = try WalkedFile.made("echo text | zstd -q > o", "o")
    #expect(try WalkedFile.places(of: frame + WalkedFile.key + zstd) == ["-"])
  }
}
