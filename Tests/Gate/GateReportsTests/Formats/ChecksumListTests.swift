import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import GateReports
@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct ChecksumListTests {
  private static let digest = String(repeating: "0", count: 64)

  private func text(_ paths: [String], kind: GateReport.File.Kind = .file) throws -> String {
    let digest = try #require(Digest(.sha256, hex: Self.digest))
    let files = paths.map {
      GateReport.File(path: $0, size: 0, sha256: digest, mode: 0o644, role: .excluded(by: "*"), kind: kind)
    }
    return String(decoding: try ChecksumList().text(of: SampleReport.report(files, [])), as: UTF8.self)
  }

  @Test(
    "names are escaped as sha256sum escapes them",
    arguments: [
      ("a b", "\(digest)  a b\n"), (" *a", "\(digest)   *a\n"), (#"a\b"#, "\\\(digest)  a\\\\b\n"),
      ("a\nb", "\\\(digest)  a\\nb\n"), ("a\r", "\\\(digest)  a\\r\n"), ("a\r\nb", "\\\(digest)  a\\r\\nb\n"),
      ("-", "\(digest)  ./-\n"), ("a/-", "\(digest)  a/-\n"), ("é\u{202e}", "\(digest)  é\u{202e}\n"),
    ])
  func names(path: String, line: String) throws { #expect(Array(try text([path]).utf8) == Array(line.utf8)) }

  @Test("a directory that is signed as a whole is no file, also if it was refused")
  func directories() throws {
    #expect(try text(["a"], kind: .directory) == "\n")
    let signed = GateReport.Artifact(.refused)
    let file = GateReport.File(
      path: "b", size: 1, sha256: try Digest.of([1], .sha256), mode: 0o755, role: .artifact(signed), kind: .directory)
    #expect(try ChecksumList().text(of: SampleReport.report([file], [])) == [0x0a])
  }

  @Test("a name that no file has is refused", arguments: ["", "a\0b", "\0"])
  func impossible(path: String) { expectError(.gateReportName) { _ = try text([path]) } }
}
