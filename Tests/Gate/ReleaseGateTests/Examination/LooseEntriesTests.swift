import SignetArchive
import TestSupport
import Testing

@testable import ReleaseGate

/// Entries of ZIPs to which no central directory leads. 7-Zip unpacks all of them.
@Suite struct LooseEntriesTests {
  /// Makes a file `o` from `local`, a compressed key behind its local header, and `late`, one whose sizes follow it. `entry`
  /// makes others.
  private static func made(_ code: String) throws -> [UInt8] {
    try WalkedFile.made(
      #"""
      python3 - <<'X'
      import io, struct, tarfile, zipfile, zlib
      key = open('key').read().encode() * 3
      def packed(d): c = zlib.compressobj(9, 8, -15); return c.compress(d) + c.flush()
      def entry(name=b'd/key', data=packed(key), flags=0, method=8, sizes=None, version=20):
        sizes = sizes or (zlib.crc32(key), len(data), len(key))
        return b'PK\3\4' + struct.pack('<HHHHHIIIHH', version, flags, method, 0, 33, *sizes, len(name), 0) + name + data
      f = io.BytesIO(); z = zipfile.ZipFile(f, 'w', 8); z.writestr('read/me', 'a text ' * 9); z.close(); whole = f.getvalue()
      local, late = entry(), entry(flags=8, sizes=(0, 0, 0))
      picture, program = b'GIF89a' + b'x' * 999, b'#!/bin/sh\nexit\n'
      def write(b): open('o', 'wb').write(b)

      """# + code + "\nX", "o")
  }

  @Test(
    "entries in the middle of a file are read",
    arguments: [
      "write(picture + local)", "write(picture + late)", "write(picture + local + b'y' * 300000)",
      "write(b'a text ' * 200 + local)", "write(picture + entry(version=128, flags=0xf780))",
      #"write(picture + b'PK\3\4' + bytes(26) + local)"#,
      // A header that states more than there is.
      "write(picture + entry(b'z', b'abc', 0, 0, (1, 900, 900)) + local)",
      // Behind a program, and before a ZIP that is whole.
      "write(program + local + whole)", "write(program + whole + local + b'y' * 140000)",
      // An archive that is stored.
      """
      t = io.BytesIO(); a = tarfile.open(fileobj=t, mode='w:gz'); a.add('key', 'd/key'); a.close(); t = t.getvalue()
      write(picture + entry(b't', t, 0, 0, (zlib.crc32(t), len(t), len(t))))
      """,
    ])
  func read(code: String) throws {
    let findings = try WalkedFile.findings(try Self.made(code))
    #expect(findings.contains { $0.hasPrefix("private-key | ") && $0.contains("d/key | ") }, "\(findings)")
    #expect(!findings.contains { $0.hasPrefix("archive | ") }, "\(findings)")
  }

  @Test("entries without a text for a name are read as well", arguments: ["", #"a\1b"#, #"ab\0\0"#])
  func names(name: String) throws {
    let findings = try WalkedFile.findings(try Self.made("write(picture + entry(b'\(name)'))"))
    #expect(findings.contains { $0.hasPrefix("private-key | ") }, "\(findings)")
  }

  @Test(
    "entries that cannot be read are named",
    arguments: [
      ("entry(method=9)", "archive.filter"), (#"entry(b'\1', method=9)"#, "archive.filter"),
      ("entry(flags=1)", "archive.encrypted"), ("local[:-30]", "archive.data"),
    ])
  func unread(entry: String, code: String) throws {
    let findings = try WalkedFile.findings(try Self.made("write(picture + \(entry))"))
    #expect(findings.contains { $0.hasPrefix("unsearched | ") && $0.contains(" | \(code) | ") }, "\(findings)")
    #expect(!findings.contains { $0.hasPrefix("archive | ") }, "\(findings)")
  }

  @Test("what is too large to be kept and has an entry in it is named")
  func large() throws {
    let findings = try WalkedFile.findings(
      try Self.made(
        "z = zipfile.ZipFile('o', 'w', 8); z.writestr('picture', picture * 99 + local + b'y' * 140000); z.close()"))
    #expect(findings.contains { $0.hasPrefix("unsearched | picture | - | archive.filter | ") }, "\(findings)")
  }

  @Test("marks of entries in programs and texts are none")
  func chance() throws {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let mark: [UInt8] = Array("PK".utf8) + [3, 4]
    let rests: [[UInt8]] = [
      Array("a program that knows this mark, and has a text behind it".utf8), [0x0f, 0x85, 0x10, 0x20] + zeros(60),
      // A comparison in code, and what follows.
      [0x0f, 0x85, 0x34, 0x12, 0, 0] + (0..<18).map { 0x81 + $0 } + zeros(4) + Array("/home/me/project/a.c".utf8),
      [0x0f, 0x85, 0x34, 0x12, 0, 0] + (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) },
      // What a program fills in.
      [20, 0, 8, 0, 8, 0] + zeros(60), [20, 0, 0, 0, 0, 0] + zeros(60), [20, 0, 0, 0, 8, 0], [], zeros(26),
    ]
    for rest in rests {
      #expect(try WalkedFile.findings(Array("text ".utf8) + mark + rest) == [], "\(rest)")
    }
    #expect(try WalkedFile.findings(Array("text ".utf8) + (0..<100_000).flatMap { _ in mark }) == [])
  }

  @Test("the entries of a ZIP that is whole are read once")
  func whole() throws {
    let findings = try WalkedFile.findings(
      try Self.made(
        """
        f = io.BytesIO(); z = zipfile.ZipFile(f, 'w', 8); z.writestr('a/', ''); z.writestr('d/key', key); z.close()
        write(program + f.getvalue())
        """))
    #expect(findings.count { $0.hasPrefix("private-key | d/key | ") } == 3, "\(findings)")
  }

  @Test("entries that share their bytes are read a few times at most")
  func shared() throws {
    // Each one goes on through all that follow it, to blocks without content.
    let findings = try WalkedFile.findings(
      try Self.made(
        """
        h = entry(b'z', b'', 0, 8, (0, 3 << 20, 1)); link = struct.pack('<BHH', 0, len(h), len(h) ^ 0xffff)
        write(picture + (link + h) * 400 + struct.pack('<BHH', 0, 0, 0xffff) * (1 << 19))
        """))
    #expect(findings.contains { $0.hasPrefix("unsearched | - | - | archive.overlap | ") }, "\(findings)")
  }
}
