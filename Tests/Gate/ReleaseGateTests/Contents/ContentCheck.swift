import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

/// Runs one rule as the gate does: on the bytes of a file, on the names in an archive, or on the files of a release.
struct ContentCheck {
  let rule: any GateRule
  private let about: RuleDescription
  /// The artifact's path in findings.
  static let path = "app.zip"

  /// Makes a rule.
  ///
  /// - Parameter options: what a policy says of the rule, in JSON.
  init(_ type: any GateRule.Type, _ options: String = "{}") throws {
    about = type.about
    var rules = try JSONObject(
      JSONReader.read(Array("{\"\(about.id)\": \(options)}".utf8), limits: .policy), "rules",
      unknownField: .policyUnknownField)
    var given = try RuleOptions(rules.optional(about.id), in: rules, about)
    rule = try type.init(&given)
    try given.finish()
  }

  private var none: RuleFindings { RuleFindings(about.id, about.usualLevel ?? .error, about: Self.path) }

  private static func artifact(_ path: String = path) throws -> ExaminedArtifact {
    ExaminedArtifact(
      path: path, isDirectory: false, size: 0, sha256: try Digest.of([], .sha256), .notVerified)
  }

  /// The findings about a file, by its bytes.
  func findings(in bytes: [UInt8], entry: String? = nil) throws -> [String] {
    var findings = none
    let artifact = try Self.artifact()
    let file = ContentFile(
      entry: entry, size: bytes.count, mode: 0o644, head: Array(bytes.prefix(ContentFile.headSize)),
      source: bytes.count <= ContentFile.smallSize ? BytesInMemory(bytes, path: "file") : nil, reading: 1)
    let files = rule as? any FileRule
    try files?.check(file, in: artifact, &findings)
    guard let rule = rule as? any LiteralRule else {
      try #require(files != nil)
      return findings.all.map(Self.shown)
    }
    var scan = LiteralScan(
      LiteralSearch(rule.literals), rule.literals.indices.map(rule.reach), isELF: ContentFile.isELF(bytes),
      entry: entry, reading: 1)
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { piece in
      do throws(SignetError) {
        try unsafe scan.scan(piece) { (match) throws(SignetError) in
          try rule.check(match, in: artifact, &findings)
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    try scan.finish { (match) throws(SignetError) in try rule.check(match, in: artifact, &findings) }
    return findings.all.map(Self.shown)
  }

  /// The findings about a file, by its text.
  func findings(in text: String, entry: String? = nil) throws -> [String] {
    try findings(in: Array(text.utf8), entry: entry)
  }

  /// The findings about a binary that has these texts, each with a NUL before and after it.
  func findings(inBinaryWith texts: [String], entry: String? = nil) throws -> [String] {
    let header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
    return try findings(in: header + texts.flatMap { Array($0.utf8) + [0] }, entry: entry)
  }

  /// The findings about an archive with these entries; a path with a slash at its end is a directory.
  func findings(
    inEntries paths: [String], mode: UInt32 = 0o644, failure: SignetError? = nil
  ) throws -> [String] {
    let entries = paths.map { path in
      path.hasSuffix("/")
        ? ArtifactContents.Entry(path: String(path.dropLast()), content: .directory, mode: mode)
        : ArtifactContents.Entry(path: path, content: .file(size: 1), mode: mode)
    }
    return try findings(in: ArtifactContents(entries: entries, format: .zip, archiveFailure: failure))
  }

  /// The findings about an archive.
  func findings(in contents: ArtifactContents) throws -> [String] {
    var findings = none
    try #require(rule as? any ContentsRule).check(contents, in: try Self.artifact(), &findings)
    return findings.all.map(Self.shown)
  }

  /// The findings about the files in a folder.
  func findings(inRelease folder: String, excluding patterns: [String] = []) throws -> [String] {
    try findings(in: ReleaseFiles(in: [folder], excluding: patterns.compactMap { PathPattern($0) }))
  }

  /// The findings about the files of a release.
  func findings(in files: ReleaseFiles) throws -> [String] {
    let release = try ExaminedRelease(
      files: files, artifacts: [], time: SampleReport.time, policy: try TrustPolicy(entries: []), baseline: nil,
      rebuild: nil)
    var findings = RuleFindings(about.id, about.usualLevel ?? .error, about: nil)
    try #require(rule as? any ReleaseRule).check(release, &findings)
    return findings.all.map(Self.shown)
  }

  /// A finding in one line.
  static func shown(_ finding: GateReport.Finding) -> String {
    var text = "\(finding.rule) \(finding.level) \(finding.path ?? "-")"
    if let entry = finding.entry { text += " \(entry)" }
    if let place = finding.place { text += " at \(place)" }
    text += ": \(finding.message)"
    if let code = finding.code { text += " (\(code))" }
    if let expected = finding.expected { text += "; expected \(expected)" }
    if let found = finding.found { text += "; found \(found)" }
    if let hint = finding.hint { text += "; \(hint)" }
    return text
  }
}
