public import Signet
internal import SignetBase
public import SignetTUF

/// A release of a module as a registry offers it: a target of The Update Framework.
///
/// The target's path has the labels of the identifier, the version and the file: `com/example/player/1.2.0/module.zip`.
/// So delegations can mirror a trust policy's scope, and a version has one place.
public struct ModuleRelease: Sendable {
  /// The identifier of the module.
  public let identifier: ModuleIdentifier
  /// The version of the release.
  public let version: SemanticVersion
  /// The sequence, which orders releases.
  public let sequence: Int
  /// SHA-256 of the canonical description, in hexadecimal.
  public let description: String
  /// Why the release was withdrawn; nil if it was not.
  public let yanked: String?
  /// The target of the archive.
  public let target: TargetFile

  /// The number of labels of an identifier up to which a registry takes modules.
  ///
  /// A pattern of The Update Framework matches paths of one depth, so `com.example.**` becomes one pattern for each
  /// depth. Without a limit that would be 126 patterns for each publisher, which all clients fetch.
  public static let labelLimit = 8

  /// The base name of an archive's file.
  static let baseName = "module"

  /// Describes a release for clients.
  init(
    _ module: ModuleDescription, _ path: String, length: Int, hashes: FileHashes, descriptionDigest: String
  ) {
    identifier = module.identifier
    version = module.version
    sequence = module.sequence
    description = descriptionDigest
    yanked = nil
    let custom = JSONValue.object(
      ("description", .string(descriptionDigest)), ("identifier", .string("\(module.identifier)")),
      ("sequence", .integer(module.sequence)), ("version", .string("\(module.version)")))
    target = TargetFile(path: path, length: length, hashes: hashes, custom: custom)
  }

  /// Reads what a target says of itself.
  ///
  /// - Returns: nil for a target that is no release: a bundle beside an archive, or a file of another kind.
  public init?(_ target: TargetFile) {
    guard case .object(let members)? = target.custom?.content else { return nil }
    func text(_ name: String) -> String? {
      guard case .string(let text)? = members.first(where: { $0.name.isExactly(name) })?.value.content else {
        return nil
      }
      return text
    }
    guard let identifier = text("identifier").flatMap(ModuleIdentifier.init),
      let version = text("version").flatMap(SemanticVersion.init), let description = text("description"),
      case .integer(let sequence)? = members.first(where: { $0.name.isExactly("sequence") })?.value.content,
      target.path.utf8.starts(with: "\(Self.folder(identifier, version))/\(Self.baseName).".utf8)
    else { return nil }
    self.identifier = identifier
    self.version = version
    self.sequence = Int(sequence)
    self.description = description
    yanked = text("yanked")
    self.target = target
  }

  /// The folder of a release among the targets.
  static func folder(_ identifier: ModuleIdentifier, _ version: SemanticVersion) -> String {
    "\(labels(identifier).joined(separator: "/"))/\(version)"
  }

  /// The labels of an identifier.
  static func labels(_ identifier: ModuleIdentifier) -> [String] {
    identifier.description.split(separator: ".").map(String.init)
  }

  /// The target of the release after it was withdrawn, or with a nil reason after it was offered again.
  func target(yanked reason: String?) -> TargetFile {
    var members: [JSONValue.Member] = []
    if case .object(let known)? = target.custom?.content { members = known.filter { $0.name != "yanked" } }
    if let reason { members.append(JSONValue.Member("yanked", .string(reason))) }
    return TargetFile(
      path: target.path, length: target.length, hashes: target.hashes, custom: JSONValue(.object(members)))
  }
}
