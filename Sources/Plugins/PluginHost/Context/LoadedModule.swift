internal import ModuleStore
public import Signet
public import SignetBase

/// A module in use: its registrations can be called, and its resources can be read.
///
/// It keeps its own release's resources, even if a later release is installed meanwhile.
public struct LoadedModule: Sendable {
  let release: InstalledModule
  /// The module's libraries in this process; none for a module without code.
  public let images: [LoadedImage]

  /// The module's description: its identity, and what it may do.
  public var module: ModuleDescription { release.module }
  /// The sequence of the release.
  public var sequence: Int { release.sequence }
  /// The signatures by which the release was accepted.
  public var signatures: [VerifiedSignature] { release.signatures }

  /// The paths of all resources: files that the description names, and those in directories that it names.
  public var resources: [String] {
    release.contents.entries.compactMap { entry in
      guard case .file = entry.content, Self.offers(entry.path, release.module.resources) else { return nil }
      return entry.path
    }
  }

  /// The bytes of a resource, which are checked each time against what is signed.
  ///
  /// - Parameter path: one of ``resources``.
  /// - Returns: nil for any other path.
  /// - Throws: `digest.mismatch` if it is no longer what was signed; `file.…`, `crypto.failure`.
  public func resource(_ path: String) throws(SignetError) -> [UInt8]? {
    try Self.resource(path, of: release)
  }

  static func resource(_ path: String, of release: InstalledModule) throws(SignetError) -> [UInt8]? {
    guard offers(path, release.module.resources), case .file = release.contents[path]?.content else { return nil }
    return try release.bytes(of: path)
  }

  /// Whether a path is one of the offered paths, or is below one.
  private static func offers(_ path: String, _ offered: [String]) -> Bool {
    offered.contains { name in
      path.isExactly(name)
        || path.utf8.starts(with: name.utf8) && path.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: "/")
    }
  }
}
