import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// Folders with releases that a test makes, signs and examines.
final class ReleaseWorkshop {
  /// The folders: a release, the one before it, and a second build.
  enum Place: String {
    case release, baseline, rebuild
  }

  static let time = UnixTime(seconds: 1_800_000_000)
  static let hello: [String: [UInt8]] = ["assets/a": Array("hello".utf8)]
  static let resources = "\"resources\": [\"assets\"]"

  /// The key that the policy calls `release`.
  let key: PrivateKey
  /// The key that the policy calls `second`.
  let second: PrivateKey
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    key = try PrivateKey.generate(.ed25519)
    second = try PrivateKey.generate(.ed25519)
  }

  // MARK: Making

  func path(_ path: String, in place: Place = .release) -> String { folder.file("\(place.rawValue)/\(path)") }

  /// Writes a file.
  func write(_ path: String, _ bytes: [UInt8], in place: Place = .release, mode: mode_t = 0o644) throws {
    let whole = self.path(path, in: place)
    try FileManager.default.createDirectory(
      atPath: (whole as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try folder.write("\(place.rawValue)/\(path)", bytes, mode: mode)
  }

  func read(_ path: String, in place: Place = .release) throws -> [UInt8] {
    try folder.read("\(place.rawValue)/\(path)")
  }

  /// The text of a description.
  static func description(
    _ version: String, _ sequence: Int, of identifier: String = "com.example.player", _ more: String = resources
  ) -> String {
    let fields = "\"identifier\": \"\(identifier)\", \"version\": \"\(version)\", \"sequence\": \(sequence)"
    return "{\(fields)\(more.isEmpty ? "" : ", \(more)")}"
  }

  /// Writes an archive without signing it.
  ///
  /// - Parameter executable: the path of the only executable file.
  func archive(
    _ path: String, _ files: [String: [UInt8]], executable: String? = nil, at time: UnixTime = time,
    in place: Place = .release
  ) throws {
    try write(path, [], in: place)
    let handle = try #require(FileHandle(forUpdatingAtPath: self.path(path, in: place)))
    let entries = files.map { name, bytes in
      PackedEntry(path: name, content: .file(PackedBytes(bytes), isExecutable: name == executable))
    }
    let output = OutputWriter(descriptor: handle.fileDescriptor)
    try ZIPWriter.write(entries, to: output, time: time, limits: ArchiveLimits())
    _ = try output.finish()
  }

  /// Writes a module and signs it.
  func module(
    _ path: String, _ description: String, _ files: [String: [UInt8]] = hello, executable: String? = nil,
    in place: Place = .release, by keys: [PrivateKey]? = nil, minimumSequence: Int? = nil, notAfter: UnixTime? = nil
  ) throws {
    let files = files.merging(["module.json": Array(description.utf8)]) { $1 }
    try archive(path, files, executable: executable, in: place)
    try sign(path, in: place, by: keys) { name, artifact, signer in
      try signer.sign(
        module: artifact,
        try Signer.ModuleClaims(
          name: name, minimumSequence: minimumSequence, signedAt: Self.time, notAfter: notAfter))
    }
  }

  /// Writes a file and signs it.
  func file(_ path: String, _ bytes: [UInt8], in place: Place = .release, by keys: [PrivateKey]? = nil) throws {
    try write(path, bytes, in: place)
    try signFile(path, in: place, by: keys)
  }

  /// Signs a file or directory that is there.
  func signFile(_ path: String, in place: Place = .release, by keys: [PrivateKey]? = nil) throws {
    try sign(path, in: place, by: keys) { name, artifact, signer in
      try signer.sign(artifact, try Signer.FileClaims(name: name, signedAt: Self.time))
    }
  }

  /// Signs with each key, into the file of several bundles.
  private func sign(
    _ path: String, in place: Place, by keys: [PrivateKey]?,
    _ body: (String, Artifact, Signer) throws -> SigstoreBundle
  ) throws {
    let whole = self.path(path, in: place)
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: whole, isDirectory: &isDirectory)
    let artifact: Artifact =
      isDirectory.boolValue ? .directory(try Directory(opening: whole)) : .file(try RegularFile(opening: whole))
    var lines: [UInt8] = []
    for key in keys ?? [key] {
      lines += try body(ReleasePath.baseName(of: path), artifact, Signer(key)).canonicalBytes() + [UInt8(ascii: "\n")]
    }
    try write("\(path).sigstore.jsonl", lines, in: place)
  }

  // MARK: Examining

  func policy() throws -> TrustPolicy {
    try TrustPolicy(entries: [
      TrustEntry("release", .key(key.publicKey), scope: .everything),
      TrustEntry("second", .key(second.publicKey), scope: .everything),
    ])
  }

  /// The signer that a comparison and findings name.
  func name(of key: PrivateKey) -> String {
    "\(key.publicKey.id == self.key.publicKey.id ? "release" : "second") (\(key.publicKey.id))"
  }

  func files(_ place: Place) throws -> ReleaseFiles { try ReleaseFiles(in: [path("", in: place)], excluding: []) }

  /// The artifacts of a release, verified as the gate does it.
  func artifacts(_ place: Place, at time: UnixTime = time) throws -> [ExaminedArtifact] {
    let verifier = Verifier(policy: try policy(), clock: .fixed(time))
    var artifacts: [ExaminedArtifact] = []
    for file in try files(place).files {
      switch file.role {
      case .artifact: artifacts.append(try examined(file.path, in: place, verifier))
      case .directory: artifacts.append(try examinedDirectory(file.path, in: place, verifier))
      default: break
      }
    }
    return artifacts
  }

  private func examined(_ path: String, in place: Place, _ verifier: Verifier) throws -> ExaminedArtifact {
    let whole = self.path(path, in: place)
    let file = try RegularFile(opening: whole)
    let verdict = try verifier.verify(
      .file(file), signatures: .beside(whole),
      expecting: .fileOrModule(named: ReleasePath.baseName(of: path)).establishingBothDigests())
    return ExaminedArtifact(
      path: path, isDirectory: false, size: file.size, sha256: try file.sha256(), Self.outcome(verdict))
  }

  private func examinedDirectory(_ path: String, in place: Place, _ verifier: Verifier) throws -> ExaminedArtifact {
    let whole = self.path(path, in: place)
    let verdict = try verifier.verify(
      .directory(Directory(opening: whole)), signatures: .beside(whole),
      expecting: .directory(named: ReleasePath.baseName(of: path)))
    let listing = try verdict.get().listing
    return ExaminedArtifact(
      path: path, isDirectory: true, size: listing.size, sha256: listing.digest, Self.outcome(verdict))
  }

  private static func outcome<Proof>(_ verdict: Verdict<Proof>) -> ExaminedArtifact.Outcome {
    switch verdict {
    case .verified(let proof): .verified(proof.signatures, strangers: proof.strangers)
    case .refused(let refusal): .refused(refusal.reasons)
    }
  }

  /// The release, with the folders that are there.
  func release(at time: UnixTime = time) throws -> ExaminedRelease {
    let hasBaseline = FileManager.default.fileExists(atPath: path("", in: .baseline))
    let hasRebuild = FileManager.default.fileExists(atPath: path("", in: .rebuild))
    let baseline =
      try hasBaseline
      ? ExaminedRelease.Baseline(
        name: "baseline", files: files(.baseline), artifacts: artifacts(.baseline, at: time)) : nil
    return try ExaminedRelease(
      files: try files(.release), artifacts: try artifacts(.release, at: time), time: time, policy: try policy(),
      baseline: baseline, rebuild: try hasRebuild ? files(.rebuild) : nil)
  }

  /// What a rule finds, as the gate would call it.
  ///
  /// - Parameter options: the rule's options in JSON, without the braces.
  func findings(
    _ rule: any GateRule.Type, _ options: String = "", at time: UnixTime = time
  ) throws -> [GateReport.Finding] {
    let made = try Self.rule(rule, options)
    let release = try release(at: time)
    var all: [GateReport.Finding] = []
    for artifact in release.artifacts {
      var found = RuleFindings(rule.about.id, .error, about: artifact.path)
      try (made as? any ArtifactRule)?.check(artifact, &found)
      if let made = made as? any FileRule {
        for file in try contents(of: artifact) { try made.check(file, in: artifact, &found) }
      }
      all += found.all
    }
    var found = RuleFindings(rule.about.id, .error, about: nil)
    try (made as? any ReleaseRule)?.check(release, &found)
    return all + found.all
  }

  static func rule(_ rule: any GateRule.Type, _ options: String = "") throws -> any GateRule {
    let text = Array("{\"\(rule.about.id)\": {\(options)}}".utf8)
    var object = try JSONObject(
      JSONReader.read(text, limits: .policy), "rules", unknownField: .policyUnknownField, in: text)
    var taken = try RuleOptions(object.optional(rule.about.id), in: object, rule.about)
    let made = try rule.init(&taken)
    try taken.finish()
    return made
  }

  /// The files in a module's archive.
  private func contents(of artifact: ExaminedArtifact) throws -> [ContentFile] {
    guard artifact.module != nil else { return [] }
    let file = try RegularFile(opening: path(artifact.path))
    let opened = try ArchiveFile(file, limits: ArchiveLimits()).open()
    return try opened.entries.compactMap { entry in
      guard case .file(let size) = entry.content else { return nil }
      let source = try opened.content(of: entry)
      return ContentFile(
        entry: entry.path, size: size, mode: entry.mode.bits,
        head: try source.bytes(in: 0..<min(size, ContentFile.headSize)), source: source, reading: 1)
    }
  }
}

extension GateReport.Finding {
  /// All of a finding but its level and its hint: rule, path, entry, place, message, code, expected, found.
  var words: [String?] { [rule, path, entry, place, message, code, expected, found] }
}

extension GateReport.Change {
  /// The kind and the path, then the details.
  var words: [String] { ["\(kind.rawValue) \(path)"] + details }
}
