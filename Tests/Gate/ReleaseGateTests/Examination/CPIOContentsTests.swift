import Foundation
import SignetBase
import TestSupport
import Testing

@testable import ReleaseGate

/// cpio archives as GNU's program and Linux read them.
@Suite struct CPIOContentsTests {
  /// A cpio in words of two bytes, which GNU's program writes unless it is told otherwise.
  private static func binary(_ files: [(String, [UInt8])], isBig: Bool) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] {
      let bytes = [UInt8(value & 0xff), UInt8(value >> 8 & 0xff)]
      return isBig ? bytes.reversed() : bytes
    }
    return (files + [("TRAILER!!!", [])]).flatMap { name, content -> [UInt8] in
      let name: [UInt8] = Array(name.utf8) + [0]
      let (high, low) = (content.count >> 16, content.count & 0xffff)
      let words: [Int] = [0o070707, 1, 2, 0o100644, 0, 0, 1, 0, 0, 0, name.count, high, low]
      var bytes = words.flatMap(word)
      for part in [name, content] { bytes += part + [UInt8](repeating: 0, count: part.count % 2) }
      return bytes
    }
  }

  private static func gzip() throws -> [UInt8] { try WalkedFile.made("gzip < key > o", "o") }

  @Test("the oldest form is looked into, in either order of bytes")
  func binary() throws {
    for isBig in [false, true] {
      let bytes = Self.binary([("a", [1, 2, 3]), ("d/key.gz", try Self.gzip())], isBig: isBig)
      #expect(try WalkedFile.places(of: bytes) == ["d/key.gz"])
      #expect(try !WalkedFile.findings(bytes).contains { $0.hasPrefix("archive | ") || $0.hasPrefix("unsearched") })
    }
    // Two bytes alone say nothing.
    #expect(try WalkedFile.findings([0xc7, 0x71] + patternBytes(3000, seed: 4)) == [])
  }

  @Test("one wrong character in any header is a danger, and what follows is not passed over in silence")
  func damaged() throws {
    let key = try Self.gzip()
    for isOld in [false, true] {
      let one = WalkedFile.cpio("a.txt", [1, 2, 3, 4], isOld: isOld)
      let two = WalkedFile.cpio("key.gz", key, isOld: isOld)
      // Its own end is taken off.
      let first = Array(one.prefix((isOld ? 76 + 6 : 116) + 4))
      let whole = first + two
      #expect(try WalkedFile.places(of: whole) == ["key.gz"])
      let size = isOld ? 76 : 110
      for start in [0, first.count] {
        for place in stride(from: 6, to: size, by: 5) {
          var bytes = whole
          bytes[start + place] = 0x10
          let findings = try WalkedFile.findings(bytes)
          #expect(
            findings.contains { $0.hasPrefix("archive | - | - | archive.data") }, "\(start) \(place) \(findings)")
          #expect(findings.contains { $0.hasPrefix("unsearched | - | - | archive.data") }, "\(start) \(place)")
        }
      }
    }
  }

  @Test("a cpio without its end is a danger")
  func truncated() throws {
    let bytes = WalkedFile.cpio("a", [1])
    for count in [1, 20, 124] {
      let findings = try WalkedFile.findings(bytes.dropLast(count))
      let isWhole = count == 1
      #expect(findings.contains { $0.hasPrefix("archive | - | - | archive.truncated") } || isWhole, "\(findings)")
    }
  }

  private static func disk(_ entries: [(String, Int, String)]) -> [UInt8] {
    WalkedFile.cpio(entries.map { ($0, $1, Array($2.utf8)) })
  }

  private static func dangers(_ bytes: [UInt8]) throws -> [String] {
    try WalkedFile.findings(bytes).filter { $0.hasPrefix("archive | ") }.map {
      $0.components(separatedBy: " | ").dropFirst(2).prefix(2).joined(separator: " ")
    }
  }

  private static let (file, program, link, folder) = (0o100644, 0o100755, 0o120777, 0o040755)

  @Test("the absolute links of an initial RAM disk lead into it, or to what a system makes when it starts")
  func links() throws {
    let honest: [(String, Int, String)] = [
      ("bin", Self.link, "usr/bin"), ("init", Self.link, "/usr/lib/systemd/systemd"), ("etc", Self.folder, ""),
      ("etc/mtab", Self.link, "/proc/self/mounts"), ("var/run", Self.link, "/run"), ("lib", Self.link, "usr/lib"),
      ("usr/bin/sh", Self.link, "/lib/../bin/busybox"), ("usr/bin/busybox", Self.program, "x"),
      ("usr/lib/systemd/systemd", Self.program, "x"), ("etc/l", Self.link, "../../../lib/systemd"),
      ("usr/lib/modules/xt_DSCP.ko", Self.file, "x"), ("usr/lib/modules/xt_dscp.ko", Self.file, "x"),
      ("usr/lib/systemd/system/dev-a\\x2db.device", Self.file, "x"),
    ]
    // systemd's names have backslashes, which separate nothing.
    let wanted = [("a.wants/dev-x\\x2dy.device", Self.link, "../dev-x\\x2dy.device")]
    #expect(try Self.dangers(Self.disk(honest + wanted)) == [])
    for target in ["/etc/cron.d", "/lib/none", "/tmp/../etc/cron.d", "../../../../../srv", "/usr/bin/sh/../../srv"] {
      #expect(try Self.dangers(Self.disk(honest + [("x", Self.link, target)])).count == 1, "\(target)")
    }
    let circle = honest + [("a", Self.link, "/b"), ("b", Self.link, "/a")]
    #expect(try Self.dangers(Self.disk(circle)) == ["a path.absolute"])
  }

  @Test("a file that is called init makes no RAM disk of an archive")
  func notADisk() throws {
    let links = [("x", Self.link, "/etc"), ("etc", Self.folder, "")]
    for (name, mode) in [("init", Self.file), ("init", Self.folder), ("d/init", Self.program)] {
      #expect(
        try Self.dangers(Self.disk([(name, mode, mode == Self.folder ? "" : "x")] + links)) == ["x path.absolute"])
    }
    // An archive in it is unpacked by somebody else.
    let tar = try WalkedFile.made("ln -s /srv l; tar --format=gnu -cf o l", "o")
    let bytes = WalkedFile.cpio([("init", Self.program, [1]), ("a.tar", Self.file, tar)])
    #expect(try Self.dangers(bytes) == ["l path.absolute"])
  }

  @Test("no part of a RAM disk has files behind a link out of another part")
  func linksOfParts() throws {
    let first = Self.disk([("init", Self.program, "x"), ("x", Self.link, "/etc"), ("etc/a", Self.file, "x")])
    for second in [[("x/a", Self.file, "x")], [("x", Self.link, "/etc"), ("x/a", Self.file, "x")]] {
      #expect(try Self.dangers(first + Self.disk(second)) == ["x/a archive.path-conflict"])
    }
    #expect(try Self.dangers(first + Self.disk([("y", Self.file, "x")])) == [])
    // Also by way of another link, whichever of the two comes first.
    let chain = [("b", Self.link, "/etc"), ("a", Self.link, "b"), ("d/c", Self.link, "../a")]
    for links in [chain, chain.reversed()] {
      let first = Self.disk([("init", Self.program, "x"), ("etc/a", Self.file, "x")] + links)
      for path in ["a/x", "d/c/x"] {
        let found = try Self.dangers(first + Self.disk([(path, Self.file, "x")]))
        #expect(found == ["\(path) archive.path-conflict"])
      }
    }
    let inside = Self.disk([("init", Self.program, "x"), ("lib", Self.link, "usr/lib"), ("usr/lib", Self.folder, "")])
    #expect(try Self.dangers(inside + Self.disk([("lib/firmware", Self.file, "x")])) == [])
  }

  /// A part of a RAM disk, compressed.
  private static func packed(_ part: [UInt8], _ program: String = "gzip") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("part", part)
    let shell = try #require(Program.find("bash"))
    _ = try Program.run(shell, ["-c", "\(program) < part > o"], in: folder.path)
    return try folder.read("o")
  }

  @Test("links of a part count in the compressed part behind it", arguments: ["gzip", "xz --check=crc32", "zstd -q"])
  func linksOfCompressedParts(program: String) throws {
    let first = Self.disk([("x", Self.link, "/etc"), ("b", Self.link, "x"), ("etc/a", Self.file, "x")])
    for path in ["x/cron.d/job", "b/job"] {
      let second = try Self.packed(Self.disk([("init", Self.program, "x"), (path, Self.file, "x")]), program)
      for zeros in [0, 512] {
        let bytes = first + [UInt8](repeating: 0, count: zeros) + second
        #expect(try Self.dangers(bytes) == ["\(path) archive.path-conflict"])
        // In a package, too, and compressed as a whole.
        #expect(try Self.dangers(WalkedFile.cpio("boot/initrd.img", bytes)) == ["\(path) archive.path-conflict"])
        #expect(try Self.dangers(Self.packed(bytes)) == ["\(path) archive.path-conflict"])
      }
    }
    // What was named in the part before is not named again.
    let wrong = first + Self.disk([("x/a", Self.file, "x")]) + (try Self.packed(Self.disk([("y", Self.file, "x")])))
    #expect(try Self.dangers(wrong) == ["x/a archive.path-conflict"])
  }

  @Test("the links of all parts lead into any of them, the last one, too")
  func linksIntoOtherParts() throws {
    func found(_ target: String, _ last: String) throws -> [String] {
      let first = Self.disk([("sbin", Self.link, target), ("usr/bin/a", Self.program, "x")])
      let second = Self.disk([("init", Self.program, "x"), ("l", Self.link, last), ("usr/sbin/b", Self.program, "x")])
      return try Self.dangers(first + Self.packed(second))
    }
    #expect(try found("/usr/sbin", "/usr/bin/a") == [])
    #expect(try found("/usr/none", "/usr/bin/a") == ["sbin path.absolute"])
    #expect(try found("/usr/sbin", "/usr/bin/none") == ["l path.absolute"])
    // Nothing is left out because the next part is none.
    let first = Self.disk([("x", Self.link, "/etc/cron.d"), ("y", Self.file, "x")])
    #expect(try Self.dangers(first + Self.packed(Array("text".utf8))) == ["x path.absolute"])
    let tar = try WalkedFile.made("tar --format=gnu -cf o key", "o")
    #expect(try Self.dangers(first + Self.packed(tar)) == ["x path.absolute"])
    // Somebody else unpacks an archive in it.
    let linked = try WalkedFile.made("ln -s /srv l; tar --format=gnu -cf o l", "o")
    let second = WalkedFile.cpio([("init", Self.program, [1]), ("a.tar", Self.file, linked)])
    #expect(try Self.dangers(Self.disk([("y", Self.file, "x")]) + Self.packed(second)) == ["l path.absolute"])
  }

  @Test("links that take much work to follow are a danger, and end")
  func longLinks() throws {
    // Each of them goes up and down again, and on to the next one.
    let up = String(repeating: "../", count: 1000)
    let links = (0..<300).map { ("l\($0)", Self.link, "/\(up)l\($0 + 1)") }
    let found = try Self.dangers(Self.disk([("init", Self.program, "x"), ("l300", Self.file, "x")] + links))
    #expect(found == ["l0 path.absolute"])
  }

  @Test("an initial RAM disk of several parts is looked into as a whole, and is no danger")
  func parts() throws {
    let micro = WalkedFile.cpio("kernel/x86/microcode/GenuineIntel.bin", patternBytes(3000, seed: 1))
    let main = WalkedFile.cpio("etc/key", WalkedFile.key)
    let zeros = [UInt8](repeating: 0, count: 1024)
    let folder = try TemporaryFolder()
    try folder.write("main", main)
    for (program, suffix) in [("gzip", "gz"), ("zstd -q", "zst"), ("xz --check=crc32", "xz"), ("bzip2", "bz2")] {
      let shell = try #require(Program.find("bash"))
      _ = try Program.run(shell, ["-c", "\(program) < main > main.\(suffix)"], in: folder.path)
      let packed = try folder.read("main.\(suffix)")
      for bytes in [micro + zeros + packed, micro + packed, micro + zeros + micro + zeros + packed + zeros] {
        let findings = try WalkedFile.findings(bytes)
        #expect(findings.contains { $0.hasPrefix("private-key | etc/key | ") }, "\(program): \(findings)")
        #expect(
          !findings.contains { $0.hasPrefix("archive | ") || $0.hasPrefix("unsearched") }, "\(program): \(findings)")
      }
    }
    let plain = try WalkedFile.findings(micro + zeros + main + zeros)
    #expect(plain.contains { $0.hasPrefix("private-key | etc/key | ") }, "\(plain)")
    #expect(!plain.contains { $0.hasPrefix("archive | ") }, "\(plain)")
    // Anything else behind it is one.
    for tail in [Array("x".utf8), Array("\u{0}\u{0}x".utf8)] {
      let findings = try WalkedFile.findings(micro + zeros + tail)
      #expect(findings.contains { $0.hasPrefix("archive | - | - | archive.trailing-data") }, "\(findings)")
    }
  }
}
