import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// A binary in an artifact, as the engine gives it to rules.
struct CheckedBinary {
  /// The path of the artifact.
  var path = "linux/tool.zip"
  /// The path in the artifact; nil for the artifact itself.
  var entry: String? = "bin/tool"
  let bytes: [UInt8]

  init(_ bytes: [UInt8], path: String = "linux/tool.zip", entry: String? = "bin/tool") {
    self.bytes = bytes
    self.path = path
    self.entry = entry
  }

  /// The file with its bytes in memory.
  var file: ContentFile {
    ContentFile(
      entry: entry, size: bytes.count, mode: 0o755, head: Array(bytes.prefix(ContentFile.headSize)),
      source: BytesInMemory(bytes, path: entry ?? path), reading: 1)
  }

  /// The artifact, which nobody has signed.
  func artifact() throws -> ExaminedArtifact {
    ExaminedArtifact(
      path: path, isDirectory: false, size: bytes.count, sha256: try Digest.of(bytes, .sha256), .notVerified)
  }

  /// What a rule finds.
  func findings(of rule: any GateRule) throws -> [GateReport.Finding] {
    try Self.findings(of: rule, file, try artifact())
  }

  static func findings(
    of rule: any GateRule, _ file: ContentFile, _ artifact: ExaminedArtifact
  ) throws -> [GateReport.Finding] {
    let about = type(of: rule).about
    var findings = RuleFindings(about.id, about.usualLevel ?? .error, about: artifact.path)
    try #require(rule as? any FileRule).check(file, in: artifact, &findings)
    return findings.all
  }

  /// A rule with options as a policy writes them, such as `{"names": ["x86-64"]}`.
  static func rule(_ type: any GateRule.Type, _ options: String = "{}") throws -> any GateRule {
    let text = Array("{\"\(type.about.id)\": \(options)}".utf8)
    let value = try JSONReader.read(text, limits: .policy)
    var object = try JSONObject(value, "rules", unknownField: .policyUnknownField, in: text)
    var taken = try RuleOptions(object.optional(type.about.id), in: object, type.about)
    let rule = try type.init(&taken)
    try taken.finish()
    return rule
  }

  /// Everything that the rules of this group find, each with its usual options.
  func allFindings() throws -> [GateReport.Finding] {
    try Self.allRules.flatMap { type in try findings(of: Self.rule(type)) }
  }

  /// The rules of this group that are usually in force.
  static let allRules: [any GateRule.Type] = [
    BinaryFormatRule.self, PositionIndependenceRule.self, ReadOnlyRelocationsRule.self, BindNowRule.self,
    ExecutableStackRule.self, TextRelocationsRule.self, WritableCodeRule.self, RunPathRule.self,
    NeededLibrariesRule.self, StackProtectorRule.self, FortifyRule.self, ArchitectureRule.self, BuildIDRule.self,
  ]
}

extension GateReport.Finding {
  /// What a test compares: everything but the texts for people who repair it.
  var facts: [String?] { [rule, "\(level)", path, entry, place, message, code, expected, found] }
}
