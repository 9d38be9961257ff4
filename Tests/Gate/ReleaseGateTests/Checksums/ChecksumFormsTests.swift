import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// Lists in forms that no program for digests writes, and those of Windows.
extension OtherChecksumsTests {
  @Test("what is no program's form, or has no path, accuses nobody if the digests are right")
  func honest() throws {
    let (right, wrong) = try Self.digests()
    let weak = String(repeating: "a", count: 40)
    let (hash, name) = ("Hash\(String(repeating: " ", count: 60))", "----\(String(repeating: " ", count: 60))")
    let wrap = "Algorithm \(hash) Path\n--------- \(name) ----\n"
    let column = String(repeating: " ", count: 75)
    func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, 65 - text.utf8.count)) }
    func forms(_ digits: String) -> [(list: String, text: String)] {
      [
        ("tool.sha256", "SHA256:\n\(digits)\n"), ("checksums.txt", "File  Hash\n----  ----\ntool  \(digits)\n"),
        ("checksums.txt", "Hash  Name\n----  ----\n\(digits)  tool\n"),
        ("tool.sha256", "SHA256 checksum of it:\n\(digits)\n"),
        ("checksums.txt", "Name Hash Path\n---- ---- ----\nmy tool \(digits) C:\\x y\\tool\n"),
        (
          "checksums.txt", "Name Path Algorithm Hash\n---- ---- --------- ----\ntool C:\\x y\\tool SHA256 \(digits)\n"
        ),
        ("checksums.txt", "Hash Length Path\n---- ------ ----\n\(digits) 4 C:\\x y\\tool\n"),
        ("checksums.txt", "SHA256-Hash von tool:\n\(digits)\nCertUtil: ok\n"),
        ("checksums.txt", "SHA256-Hash von C:\\x y\\tool:\r\n\(digits)\r\n"),
        ("checksums.txt", "Hachage SHA256 de tool :\n\(digits)\nCertUtil: ok\n"),
        ("checksums.txt", "SHA256 x (y tool):\n\(digits)\nCertUtil: ok\n"),
        ("checksums.txt", "\(wrap)SHA256    \(padded(digits))C:\\b\\to\n\(column)ol\n\n"),
        ("checksums.txt", "\(wrap)SHA256    \(padded(digits))C:\\b\\x\n\(column)y\\to\n\(column)ol\n\n"),
        ("checksums.txt", "Hash : \(right)\nPath : C:\\tool\nHash : \(digits)\nPath : C:\\tool\n"),
        ("checksums.txt", "Hash : \(digits)\nPath : C:\\tool\nHash : \(right)\nPath : C:\\tool\n"),
      ]
    }
    for (list, text) in forms(right) { #expect(try Self.findings(list, text) == [], "\(text)") }
    for (list, text) in forms(wrong) {
      let found = try Self.findings(list, text)
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(text) \(found)")
    }
    // Nothing says what these are about.
    for text in ["tool\nSHA256 HEX\n", "Hash\r\n----\r\nHEX\r\n", "Hachage SHA256 de x :\nHEX\nCertUtil: ok\n"] {
      #expect(try Self.findings("SHA256SUMS", text.replacingOccurrences(of: "HEX", with: right)) == [], "\(text)")
      let found = try Self.findings("SHA256SUMS", text.replacingOccurrences(of: "HEX", with: wrong))
      #expect(found.count == 1 && found[0].contains("cannot be compared"), "\(text) \(found)")
    }
    for (list, text) in [
      ("SHA256SUMS", "SHA256:\n\(wrong)\n"), ("tool.sha256", "SHA256 hash of tool:\n\(weak)\n"),
      ("SHA256SUMS", "Product Name Hash\n------- ---- ----\na b c \(wrong)\n"),
      ("SHA256SUMS", "Name Hash\n---- ----\nA product \(wrong)\n"),
      ("SHA256SUMS", "Algorithm Hash Path\n--------- ---- ----\nThree files\n"),
    ] { #expect(try Self.findings(list, text) == [], "\(text)") }
    // The name of a file may have digits only.
    let folder = try TemporaryFolder()
    try folder.write("cafe", Array("one\n".utf8))
    for (digits, count) in [(right, 0), (wrong, 1)] {
      try folder.write("SHA256SUMS", Array("SHA256:\n\(digits)  cafe\n".utf8))
      #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path).count == count)
    }
  }

  @Test("JSON of PowerShell is compared, and any other is passed over")
  func json() throws {
    let (right, wrong) = try Self.digests()
    for text in [
      #"{"Algorithm": "SHA256", "Hash": "HEX", "Path": "C:\\out\\tool"}"#,
      "[\r\n  {\r\n \"Hash\": \"HEX\",\r\n \"Path\": \"tool\"\r\n}, {\"Algorithm\": \"MD5\", \"Hash\": \"00\"}]\r\n",
    ] {
      #expect(try Self.findings("checksums.txt", text.replacingOccurrences(of: "HEX", with: right)) == [], "\(text)")
      let found = try Self.findings("checksums.txt", text.replacingOccurrences(of: "HEX", with: wrong))
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(text) \(found)")
    }
    for text in [#"{"Hash": "\#(wrong)"}"#, #"["\#(wrong)", 1]"#, "{", #"{"other": "\#(wrong)"}"#] {
      #expect(try Self.findings("checksums.txt", text) == [], "\(text)")
    }
  }

  @Test("base64 with a name is compared, as cksum --base64 --untagged writes it", arguments: DigestAlgorithm.allCases)
  func base64(algorithm: DigestAlgorithm) throws {
    let right = Base64.encode(try Digest.of(Array("one\n".utf8), algorithm).bytes)
    let wrong = Base64.encode(try Digest.of(Array("two\n".utf8), algorithm).bytes)
    for form in ["DIGEST  tool\n", "DIGEST *tool\n", "\\DIGEST  tool\n", "DIGEST  tool\u{0}"] {
      #expect(try Self.findings("CHECKSUMS", form.replacing("DIGEST", with: right)) == [], "\(form)")
      let found = try Self.findings("CHECKSUMS", form.replacing("DIGEST", with: wrong))
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(form) \(found)")
    }
    // Lines of a signature.
    #expect(try Self.findings("CHECKSUMS", "\(wrong)\n\(wrong)\n=aB3d\n") == [])
  }

  @Test("lists of Macintosh, and those in UTF-16 without a mark, are compared")
  func encodings() throws {
    let (right, wrong) = try Self.digests()
    for form in ["HEX  tool\r", "HEX  tool\rHEX  tool\r", "HEX  tool", "SHA256 (tool) = HEX\r"] {
      #expect(try Self.findings("SHA256SUMS", form.replacing("HEX", with: right)) == [], "\(form)")
      #expect(!(try Self.findings("SHA256SUMS", form.replacing("HEX", with: wrong)).isEmpty), "\(form)")
    }
    for form in ["HEX  tool\r\n", "\"Algorithm\",\"Hash\",\"Path\"\r\n\"SHA256\",\"HEX\",\"C:\\é\\tool\"\r\n"] {
      for isBig in [false, true] {
        func bytes(_ digits: String) -> [UInt8] {
          form.replacing("HEX", with: digits).utf16.flatMap { unit in
            let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
            return isBig ? bytes.reversed() : bytes
          }
        }
        #expect(try Self.findings("SHA256SUMS", bytes(right)) == [], "\(form)")
        #expect(try Self.findings("SHA256SUMS", bytes(wrong)).count == 1, "\(form)")
      }
    }
  }

  @Test(
    "the file may have another property than Path",
    arguments: [
      "\"Hash\",\"File\"\r\n\"HEX\",\"NAME\"\r\n", "Algorithm;FileName;Hash\r\nSHA256;NAME;HEX\r\n",
      "Name,Hash\nNAME,HEX\n", "Name,Path,Hash\nother,NAME,HEX\n", "FullName,Name,Hash\nC:\\a\\NAME,NAME,HEX\n",
      "Hash : HEX\nFile : NAME\n", "Name : NAME\nHash : HEX\n", "Path : NAME\nName : other\nHash : HEX\n",
      #"[{"Hash": "HEX", "File": "NAME"}]"#, #"{"Name": "NAME", "Hash": "HEX", "Algorithm": "SHA256"}"#,
    ])
  func properties(form: String) throws {
    let (right, wrong) = try Self.digests()
    func findings(_ digits: String, _ name: String) throws -> [String] {
      try Self.findings("checksums.txt", form.replacing("HEX", with: digits).replacing("NAME", with: name))
    }
    #expect(try findings(right, "tool") == [])
    let found = try findings(wrong, "tool")
    #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(found)")
    #expect(try findings(wrong, "gone").count == 1)
  }

  @Test("a path of Windows is as much of it as the release has, and lines of sha256sum stay theirs")
  func folders() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("linux"), withIntermediateDirectories: false)
    try folder.write("tool", Array("one\n".utf8))
    try folder.write("linux/tool", Array("two\n".utf8))
    let (one, two) = (
      try Digest.of(Array("one\n".utf8), .sha256).hex, try Digest.of(Array("two\n".utf8), .sha256).hex
    )
    for (path, digits) in [("linux/tool", two), ("C:\\rel\\linux\\tool", two), ("C:\\rel\\tool", one)] {
      for text in [
        "Hash Path\n---- ----\nHEX  \(path)\n", "Hash Path Length\n---- ---- ------\nHEX \(path) 4\n",
        "HEX  \(path)\n",
        "SHA256 HEX \(path)\n", "SHA256 hash of \(path):\nHEX\n", "Hash : HEX\nPath : \(path)\n",
        "Hash,Path\nHEX,\(path)\n",
      ] {
        for hex in [one, two] {
          try folder.write("SHA256SUMS", Array(text.replacingOccurrences(of: "HEX", with: hex).utf8))
          let found = try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
          #expect(found.count == (hex == digits ? 0 : 1), "\(text) \(found)")
        }
      }
    }
    let wrong = try Self.digests().wrong
    try folder.write("MD5", Array("one\n".utf8))
    for text in ["Hash Algorithm\n---- ---------\n\(wrong)  MD5\n", "Hash Path\n---- ----\n\(one)  gone/tool\n"] {
      try folder.write("SHA256SUMS", Array(text.utf8))
      #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path).count == 1, "\(text)")
    }
  }
}
