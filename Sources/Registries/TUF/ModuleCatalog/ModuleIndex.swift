public import Signet
public import SignetBase

/// All releases of a module that a registry offers: the target `LABELS/releases/index.json`.
///
/// Targets are found by their whole paths, so a client that does not know a version could not find it. The index says
/// which versions there are and what each of them is, in one small file.
public struct ModuleIndex: Sendable {
  /// The module.
  public let identifier: ModuleIdentifier
  /// The releases, the one with the lowest sequence first. No two have the same version.
  public private(set) var releases: [ModuleRelease] = []
  /// Why releases were left out that this version of Signet cannot read. The others are offered all the same, so that old
  /// hosts still get what is made for them.
  public private(set) var unreadable: [SignetError] = []

  /// The size of an index at most, in bytes: some thousand releases with descriptions of the usual size.
  public static let sizeLimit = 8 << 20
  private static let limits = JSONLimits(size: sizeLimit, depth: 12, values: 1_000_000)
  private static let releaseLimit = 10_000
  private static let version = 1

  /// Creates an index without releases.
  package init(of identifier: ModuleIdentifier) { self.identifier = identifier }

  /// Reads an index.
  ///
  /// - Parameters:
  ///   - bytes: its JSON text, as a target was verified.
  ///   - identifier: the module that it must be about.
  /// - Throws: `repo.index`, whose cause says where.
  public init(json bytes: [UInt8], of identifier: ModuleIdentifier) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(bytes, limits: Self.limits)
      // Without the text: to count the columns before each of some thousand releases that cannot be read is work that
      // grows with the square of their number. A field's path says as much of a text in one line.
      var object = try JSONObject(value, "index", unknownField: .repoIndex)
      let version = try object.count("version")
      guard version == Self.version else { throw object.wrong("version", "\(Self.version)", "\(version)") }
      let name = try object.string("identifier")
      guard name.isExactly("\(identifier)") else { throw object.wrong("identifier", "\(identifier)", name) }
      self.identifier = identifier
      var versions = Set<SemanticVersion>()
      for entry in try object.objects("releases", atMost: Self.releaseLimit) {
        let release: ModuleRelease
        do throws(SignetError) { release = try ModuleRelease(entry) } catch {
          unreadable.append(error)
          continue
        }
        guard release.identifier == identifier else {
          throw object.wrong("releases", "releases of \(identifier)", "\(release.identifier)")
        }
        guard releases.last.map({ $0.sequence < release.sequence }) ?? true else {
          throw object.wrong("releases", "rising sequences", "\(release.sequence)")
        }
        guard versions.insert(release.version).inserted else {
          throw object.wrong("releases", "each version once", "\(release.version) twice")
        }
        releases.append(release)
      }
      try object.finish()
    } catch {
      throw SignetError(
        .repoIndex, RegistryLayout.indexPath(of: identifier), "is not an index of the releases of \(identifier)",
        cause: error, hint: "ask the module's publisher to push it again")
    }
  }

  /// The one JSON text of the index.
  ///
  /// - Throws: `repo.index` if it is too large for clients, or would lose releases that could not be read.
  package func canonicalBytes() throws(SignetError) -> [UInt8] {
    if let lost = unreadable.first {
      throw SignetError(
        .repoIndex, RegistryLayout.indexPath(of: identifier), "has releases that this version of Signet cannot read",
        cause: lost, hint: "use the newest version of Signet")
    }
    let bytes = try CanonicalJSON.write(
      .object(
        ("identifier", .string("\(identifier)")), ("releases", .array(releases.map(\.json))),
        ("version", .integer(Self.version))))
    guard bytes.count <= Self.sizeLimit, releases.count <= Self.releaseLimit else {
      throw SignetError(
        .repoIndex, RegistryLayout.indexPath(of: identifier), "has more releases than a registry takes",
        expected: "at most \(Self.sizeLimit) bytes and \(Self.releaseLimit) releases",
        found: "\(bytes.count) bytes and \(releases.count) releases",
        hint: "publish further releases under another identifier")
    }
    return bytes
  }

  /// The release with this version, or nil. Versions that differ only in their build metadata are the same version.
  public func release(_ version: SemanticVersion) -> ModuleRelease? { releases.first { $0.version == version } }

  /// Adds a release. Its sequence is above that of all others, and its version is new.
  package mutating func append(_ release: ModuleRelease) {
    precondition(releases.last.map { $0.sequence < release.sequence } ?? true)
    releases.append(release)
  }

  /// Withdraws a release, or offers it again with a nil reason.
  ///
  /// - Returns: false if there is no such release.
  package mutating func setYanked(_ version: String, _ reason: String?) -> Bool {
    guard let place = releases.firstIndex(where: { "\($0.version)".isExactly(version) }) else { return false }
    releases[place].yanked = reason
    return true
  }
}
