import Foundation
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport

@testable import ReleaseGate

/// A release in a folder of its own, signed by a key of its own.
final class ReleaseFolder {
  static let time = UnixTime(seconds: 1_800_000_000)

  let folder: TemporaryFolder
  let signer: Signer
  let name: String

  /// The folder of the release.
  var path: String { folder.file(name) }

  init(_ name: String = "release", in folder: TemporaryFolder? = nil, signer: Signer? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    self.signer = try signer ?? Signer(PrivateKey.generate(.ed25519))
    self.name = name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The path of something in the release.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and the folders above it.
  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Writes a file, and the folders above it.
  func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws {
    let parent = (file(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    chmod(file(name), mode)
  }

  /// Writes a bundle beside a file or directory.
  func sign(
    _ name: String, as subject: String? = nil, by signer: Signer? = nil, at time: UnixTime = ReleaseFolder.time,
    until end: UnixTime? = nil
  ) throws {
    let isDirectory = (try? FileManager.default.contentsOfDirectory(atPath: file(name))) != nil
    let artifact: Artifact =
      isDirectory ? .directory(try Directory(opening: file(name))) : .file(try RegularFile(opening: file(name)))
    let claims = try Signer.FileClaims(name: subject ?? name, signedAt: time, notAfter: end)
    let bundle = try (signer ?? self.signer).sign(artifact, claims)
    try write(name + ".sigstore.json", bundle.canonicalBytes() + [UInt8(ascii: "\n")])
  }

  /// Writes a file, and its bundle.
  func add(_ name: String, _ text: String = "content") throws {
    try write(name, text)
    try sign(name)
  }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) throws {
    let parent = (file(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
  }

  /// A gate that trusts the signer for everything.
  func gate(
    rules: String? = nil, exclude: [String] = [], _ options: Gate.Options = Gate.Options()
  ) throws -> Gate {
    let trust = try TrustPolicy(trusting: [signer.publicKey])
    let settings: RuleSettings
    if let rules {
      let value = try JSONReader.read(Array(rules.utf8), limits: .policy)
      settings = try RuleSettings(JSONObject(value, "rules", unknownField: .policyUnknownField))
    } else {
      settings = RuleSettings()
    }
    return Gate(
      policy: ReleasePolicy(trust: trust, exclusions: exclude.compactMap { PathPattern($0) }, settings: settings),
      called: GateReport.Policy(name: "test", sha256: nil), clock: .fixed(Self.time), version: "1.0.0",
      options: options)
  }

  /// Checks the release.
  func check(
    rules: String? = nil, exclude: [String] = [], _ options: Gate.Options = Gate.Options()
  ) throws -> GateReport {
    try gate(rules: rules, exclude: exclude, options).check([path])
  }
}

extension GateReport {
  /// What each finding says, in a line.
  var lines: [String] {
    findings.map { finding in
      [
        finding.rule, finding.path, finding.entry, finding.place, finding.message, finding.code, finding.expected,
        finding.found,
      ].compactMap(\.self).joined(separator: " | ")
    }
  }
}
