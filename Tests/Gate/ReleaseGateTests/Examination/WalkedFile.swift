import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// Lets the gate's rules on contents walk through the bytes of an artifact, as they do for a release.
enum WalkedFile {
  /// A key that everybody has, which the walk must find wherever it is.
  static let key = Array(
    """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
    -----END PRIVATE KEY-----

    """.utf8)

  static func emptyDigest() throws -> Digest { try Digest.of([], .sha256) }

  /// The findings, a line each: rule, level, entry, place, code and found.
  ///
  /// - Parameter rules: the rules that are in force, each with a level or an object as a policy has it.
  static func findings(
    _ bytes: [UInt8], _ name: String = "app.bin",
    _ rules: String = #""archive-form": "warning", "build-path": "off", "signature": "off""#, among count: Int = 1
  ) throws -> [String] {
    let object = try JSONObject(
      JSONReader.read(Array("{\(rules)}".utf8), limits: .policy), "rules", unknownField: .policyUnknownField)
    let artifact = ExaminedArtifact(
      path: name, isDirectory: false, size: bytes.count, sha256: try Digest.of([], .sha256), .notVerified)
    var walk = ContentWalk(artifact, try RuleSettings(object), among: count)
    try walk.read(artifact: BytesInMemory(bytes, path: name), named: name, mode: 0o644)
    return shown(walk)
  }

  /// The findings in the files of an archive that was verified, and beside them.
  static func findings(of archive: OpenedArchive, in file: any ByteSource) throws -> [String] {
    let artifact = ExaminedArtifact(
      path: "app", isDirectory: false, size: file.size, sha256: try Digest.of([], .sha256), .notVerified)
    var walk = ContentWalk(artifact, RuleSettings())
    try walk.read(archive, of: file)
    return shown(walk)
  }

  private static func shown(_ walk: ContentWalk) -> [String] {
    walk.findings.map { finding in
      [finding.rule, finding.entry, finding.place, finding.code, finding.found].map { $0 ?? "-" }
        .joined(separator: " | ")
    }
  }

  /// The entries in which a private key is found.
  static func places(of bytes: [UInt8], _ name: String = "app.bin") throws -> [String] {
    try findings(bytes, name).filter { $0.hasPrefix("private-key") }.map {
      $0.components(separatedBy: " | ")[1]
    }
  }

  /// The files that commands make in a folder, which holds the key in the file `key`.
  static func made(_ commands: String, _ result: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("key", key)
    let shell = try #require(Program.find("bash"), "make test installs bash")
    let run = try Program.run(shell, ["-euo", "pipefail", "-c", commands], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try folder.read(result)
  }

  /// A cpio of one file, in the form of SVR4 or in POSIX's old one.
  static func cpio(_ path: String, _ content: [UInt8], isOld: Bool = false) -> [UInt8] {
    cpio([(path, 0o100644, content)], isOld: isOld)
  }

  /// A cpio of several entries, each with its mode and its type. The content of a link is where it leads.
  static func cpio(_ entries: [(path: String, mode: Int, content: [UInt8])], isOld: Bool = false) -> [UInt8] {
    func digits(_ value: Int, _ count: Int, _ radix: Int) -> [UInt8] {
      let text = String(value, radix: radix, uppercase: true)
      return Array((String(repeating: "0", count: count - text.count) + text).utf8)
    }
    func entry(_ path: String, _ mode: Int, _ content: [UInt8]) -> [UInt8] {
      let name = Array(path.utf8) + [0]
      guard !isOld else {
        let fields = [0, 0, mode, 0, 0, 1, 0].flatMap { digits($0, 6, 8) }
        return Array("070707".utf8) + fields + digits(0, 11, 8) + digits(name.count, 6, 8)
          + digits(content.count, 11, 8) + name + content
      }
      let fields = [0, mode, 0, 0, 1, 0, content.count, 0, 0, 0, 0, name.count, 0].flatMap { digits($0, 8, 16) }
      let head = Array("070701".utf8) + fields + name
      func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
      return padded(head) + padded(content)
    }
    return entries.flatMap { entry($0.path, $0.mode, $0.content) } + entry("TRAILER!!!", 0, [])
  }
}
