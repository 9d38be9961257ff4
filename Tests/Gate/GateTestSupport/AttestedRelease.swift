import Foundation
import Signet
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate
@testable import SignetCrypto

/// A release in a folder of its own, with attestations by keys that are made for one test.
final class AttestedRelease {
  static let time = UnixTime(seconds: 1_795_228_597)  // 2026-11-21T02:36:37Z
  static let provenanceType = "https://slsa.dev/provenance/v1"

  let folder: TemporaryFolder
  let keys: [String: PrivateKey]

  /// Makes a release with the artifact `tool`, and keys for `build`, `release` and `stranger`.
  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    var keys: [String: PrivateKey] = [:]
    for name in ["build", "release", "stranger"] { keys[name] = try PrivateKey.generate(.ed25519) }
    self.keys = keys
    try write("tool")
  }

  func key(_ name: String) throws -> PrivateKey {
    guard let key = keys[name] else { throw CocoaError(.keyValueValidation) }
    return key
  }

  /// Writes a file; without bytes, those of its path.
  func write(_ path: String, _ bytes: [UInt8]? = nil) throws {
    let place = URL(fileURLWithPath: folder.file(path)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try folder.write(path, bytes ?? Array(path.utf8))
  }

  /// Signs a statement about an artifact, and puts it beside the artifact.
  ///
  /// - Parameter bytes: the bytes that the statement is about; nil for those of the artifact.
  func attest(
    _ predicate: String, _ type: String = provenanceType, of path: String = "tool", label: String = "provenance",
    by signer: String = "build", as name: String? = nil, bytes: [UInt8]? = nil
  ) throws {
    let digest = try Digest.of(try bytes ?? folder.read(path), .sha256)
    let value = try JSONReader.read(Array(predicate.utf8), limits: .payload)
    let bundle = try Signer(key(signer)).sign(value, of: PredicateType(type), about: name ?? path, digests: [digest])
    try write("\(path).\(label).sigstore.json", bundle.canonicalBytes())
  }

  /// A bundle that truly signs any bytes.
  func bundle(over payload: String, by signer: String = "build") throws -> [UInt8] {
    let key = try key(signer)
    let signature = try key.sign(Envelope.preAuthenticationEncoding(of: Array(payload.utf8)))
    return try SigstoreBundle(payload: Array(payload.utf8), signature: signature, key: key.publicKey.id)
      .canonicalBytes()
  }

  /// The text of SLSA provenance as GitHub's workflows write it.
  static func provenance(
    builder: String = "https://github.com/o/r/.github/workflows/release.yml@refs/tags/v1",
    repository: String = "https://github.com/o/r", commit: String = String(repeating: "a", count: 40)
  ) -> String {
    """
    {"buildDefinition":{"buildType":"https://actions.github.io/buildtypes/workflow/v1","externalParameters":{\
    "workflow":{"path":".github/workflows/release.yml","ref":"refs/tags/v1","repository":"\(repository)"}},\
    "internalParameters":{"github":{"event_name":"push"}},"resolvedDependencies":[\
    {"uri":"git+\(repository)@refs/tags/v1","digest":{"gitCommit":"\(commit)"}},\
    {"uri":"pkg:deb/debian/gcc@12","digest":{"sha256":"0"}}]},"runDetails":{"builder":{"id":"\(builder)"},\
    "metadata":{"invocationId":"https://github.com/o/r/actions/runs/1/attempts/1"}}}
    """
  }

  /// A policy that trusts `build` and `release` for these files.
  func policy(
    build: [String] = ["*"], release: [String] = ["*"], _ terms: TrustPolicy.Terms = TrustPolicy.Terms()
  ) throws -> TrustPolicy {
    try TrustPolicy(
      entries: [
        TrustEntry(
          "build", .key(key("build").publicKey), scope: TrustScope(files: build.compactMap { FilePattern($0) })),
        TrustEntry(
          "release", .key(key("release").publicKey),
          scope: TrustScope(files: release.compactMap { FilePattern($0) })),
      ], terms: terms)
  }

  /// The release, examined.
  ///
  /// - Parameter directories: artifacts that are directories and were verified.
  func examined(
    _ policy: TrustPolicy? = nil, excluding patterns: [String] = [], _ directories: [ExaminedArtifact] = []
  ) throws -> ExaminedRelease {
    let files = try ReleaseFiles(in: [folder.path], excluding: patterns.compactMap { PathPattern($0) })
    var artifacts = directories
    for file in files.files {
      guard case .artifact = file.role else { continue }
      artifacts.append(
        ExaminedArtifact(
          path: file.path, isDirectory: false, size: file.size,
          sha256: try Digest.of(folder.read(file.path), .sha256), .notVerified))
    }
    artifacts.sort { $0.path.precedesInBytes($1.path) }
    return try ExaminedRelease(
      files: files, artifacts: artifacts, time: Self.time, policy: try policy ?? self.policy(), baseline: nil,
      rebuild: nil)
  }

  /// A rule with the options that a policy gives it.
  static func rule<Rule: GateRule>(_ type: Rule.Type, _ options: String) throws -> Rule {
    let value = try JSONReader.read(Array(#"{"\#(Rule.about.id)":\#(options)}"#.utf8), limits: .policy)
    var object = try JSONObject(value, "rules", unknownField: .policyUnknownField)
    let given = object.optional(Rule.about.id)
    var read = try RuleOptions(given, in: object, Rule.about)
    let rule = try Rule(&read)
    try read.finish()
    return rule
  }

  /// What the rule on attestations finds.
  ///
  /// - Parameter demands: the text of a list.
  func findings(
    _ demands: String, _ policy: TrustPolicy? = nil, excluding patterns: [String] = [],
    _ directories: [ExaminedArtifact] = []
  ) throws -> [Found] {
    let rule = try Self.rule(AttestationRule.self, #"{"demands":\#(demands)}"#)
    return try findings(rule, examined(policy, excluding: patterns, directories))
  }

  /// What a rule finds.
  func findings<Rule: ReleaseRule>(_ rule: Rule, _ release: ExaminedRelease) throws -> [Found] {
    var findings = RuleFindings(Rule.about.id, .error, about: nil)
    try rule.check(release, &findings)
    return findings.all.map(Found.init)
  }
}

/// Everything in a finding but its level and its hint.
struct Found: Equatable, CustomTestStringConvertible {
  let fields: [String?]

  init(_ finding: GateReport.Finding) {
    fields = [
      finding.rule, finding.path, finding.entry, finding.place, finding.message, finding.code, finding.expected,
      finding.found,
    ]
  }

  init(
    _ message: String, rule: String = "attestation", path: String? = "tool", place: String? = nil,
    code: String? = nil, expected: String? = nil, found: String? = nil
  ) {
    fields = [rule, path, nil, place, message, code, expected, found]
  }

  var testDescription: String { fields.map { $0 ?? "-" }.joined(separator: " | ") }
}
