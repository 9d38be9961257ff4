import ModuleResolver
import Signet
import SignetBase
import SignetCrypto
import Testing

/// Offers of sources that a test makes up. It counts what is asked for.
final class Offers: CandidateSource {
  private var releases: [String: [CandidateRelease]] = [:]
  private var overrides: [String: CandidateRelease] = [:]
  /// What was asked for, as `source module`.
  private(set) var asked: [String] = []

  /// Offers a release of a module in a source: `"com.a", "1.0.0", ["com.b >=1.0.0"]`.
  @discardableResult func add(
    _ module: String, _ version: String, _ requirements: [String] = [], in source: String = "main",
    sequence: Int? = nil,
    yanked: String? = nil, host: String? = nil, binary: Bool = false, content: String = ""
  ) throws -> Offers {
    let known = releases["\(source) \(module)", default: []]
    releases["\(source) \(module)", default: []].append(
      CandidateRelease(
        version: try #require(SemanticVersion(version)), sequence: sequence ?? known.count + 1,
        requirements: try requirements.map(requirement),
        host: try host.map { try #require(VersionRange($0)) }, hasBinary: binary, yanked: yanked,
        content: .registry(try digests("\(module) \(version) \(content)"))))
    return self
  }

  /// Says what a folder or a commit has.
  func override(_ module: String, _ version: String, _ requirements: [String] = [], host: String? = nil) throws {
    overrides[module] = CandidateRelease(
      version: try #require(SemanticVersion(version)), sequence: 1, requirements: try requirements.map(requirement),
      host: try host.map { try #require(VersionRange($0)) }, hasBinary: false)
  }

  func releases(of module: ModuleIdentifier, from source: ModuleSource) throws(SignetError) -> [CandidateRelease] {
    asked.append("\(source.name) \(module)")
    return releases["\(source.name) \(module)"] ?? []
  }

  func module(_ module: ModuleIdentifier, at override: ModuleOverride) throws(SignetError) -> CandidateRelease {
    asked.append("\(override) \(module)")
    guard let found = overrides["\(module)"] else { throw SignetError(.fileMissing, "\(module)", "is not there") }
    return found
  }
}

/// The chosen releases, such as `com.a 1.0.0`.
func chosen(_ resolution: Resolution) -> [String] {
  resolution.modules.map { "\($0.identifier) \($0.release.version)" }
}

/// The lock of a resolution.
func lock(_ resolution: Resolution) throws -> ModuleLock {
  let key = try #require(ReleaseSigner(signer))
  return try resolution.lock { _ in ([key], .verified) }
}
