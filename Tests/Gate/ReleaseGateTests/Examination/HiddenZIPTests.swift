import TestSupport
import Testing

@testable import ReleaseGate

/// ZIPs behind other bytes whose end record leads elsewhere than to the bytes right before it.
@Suite struct HiddenZIPTests {
  /// Makes a ZIP with a compressed key from `p`, bytes before it, and `g`, bytes before its end record. `o` is the offset
  /// that the end record states, counted from where the ZIP begins or from the file's first byte.
  private static func made(_ code: String) throws -> [UInt8] {
    try WalkedFile.made(
      """
      python3 - <<'X'
      import io, struct, zipfile
      f = io.BytesIO(); z = zipfile.ZipFile(f, 'w', 8); z.writestr('d/key', open('key').read() * 3); z.close()
      d = f.getvalue(); e = d.rindex(b'PK\\5\\6'); body, end = d[:e], d[e:]
      size, offset = struct.unpack('<II', end[12:20])
      def record(o, size=size, disks=0): return end[:4] + struct.pack('<HH', disks, disks) + end[8:12] + struct.pack('<II', size, o) + end[20:]
      \(code)
      X
      """, "o")
  }

  @Test(
    "a ZIP with a gap before its end record is looked into, or named",
    arguments: [
      // As .NET, libzip and yauzl read it, and 7-Zip.
      "p, g = b'GIF89a' + b'x' * 999, b'y' * 77; open('o','wb').write(p + body + g + record(len(p) + offset))",
      // As 7-Zip alone reads it.
      "p, g = b'GIF89a' + b'x' * 999, b'y' * 77; open('o','wb').write(p + body + g + record(offset))",
      // Programs that read as many entries as it says, whatever its size.
      "p, g = b'GIF89a', b'y' * 77; open('o','wb').write(p + body + g + record(len(p) + offset, 0))",
      "p, g = b'GIF89a', b'y' * 77; open('o','wb').write(p + body + g + record(len(p) + offset, size, 7))",
      // Behind a program.
      "p, g = b'#!/bin/sh\\nexit\\n', b'y'; open('o','wb').write(p + body + g + record(len(p) + offset))",
    ])
  func gaps(code: String) throws {
    let findings = try WalkedFile.findings(try Self.made(code))
    #expect(findings.contains { $0.hasPrefix("archive | - | ") }, "\(findings)")
    #expect(
      findings.contains { $0.hasPrefix("unsearched | - | - | archive.") || $0.hasPrefix("private-key | d/key | ") },
      "\(findings)")
  }

  @Test("a mark of an end record that leads nowhere is no ZIP")
  func others() throws {
    for bytes in [
      Array("a program that knows PK\u{5}\u{6}, and more than 22 bytes of text behind that".utf8),
      Array("xPK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18),
      Array("xPK\u{5}\u{6}".utf8) + [UInt8](repeating: 0xff, count: 90),
      Array("a text, and a record PK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}\u{8}\u{0}\u{0}\u{0}".utf8)
        + [UInt8](repeating: 0, count: 9),
    ] { #expect(try WalkedFile.findings(bytes) == [], "\(bytes)") }
  }

  @Test(
    "what follows a ZIP in an object of Go hides no danger before it",
    arguments: [
      ("open('o','wb').write(b'go object linux' + d + d + b'more')", "archive.end-record"),
      (
        "open('o','wb').write(b'go object linux' + body + b'y' * 9 + record(15 + offset) + b'more')",
        "archive.end-record"
      ),
      (
        "a = d.replace(b'd/key', b'd/kez', 1); open('o','wb').write(b'go object linux' + a + b'more')",
        "archive.header-mismatch"
      ),
    ])
  func objects(code: String, fault: String) throws {
    let findings = try WalkedFile.findings(try Self.made(code))
    #expect(findings.contains { $0.hasPrefix("archive | ") && $0.contains(" | \(fault) | ") }, "\(findings)")
    let honest = try WalkedFile.findings(try Self.made("open('o','wb').write(b'go object linux' + d + b'more')"))
    #expect(honest.filter { !$0.hasPrefix("private-key | d/key") }.map { $0.prefix(12) } == ["archive-form"])
  }
}
