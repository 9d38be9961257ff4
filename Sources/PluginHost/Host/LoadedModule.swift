internal import ModuleStore
public import Signet
public import SignetBase

/// A module that is in use: what it registered can be reached, and its resources can be had.
///
/// It keeps its own release's resources, also when a later release is installed meanwhile.
public struct LoadedModule: Sendable {
  let release: InstalledModule
  /// The module's libraries in this process; none for a module without code.
  public let images: [LoadedImage]

  /// Who the module is, and what it may do.
  public var module: ModuleDescription { release.module }
  /// Which release it is.
  public var sequence: Int { release.sequence }
  /// The signatures by which it was accepted.
  public var signatures: [VerifiedSignature] { release.signatures }

  /// The paths of all resources: files that the description names, and those in directories that it names.
  public var resources: [String] {
    release.contents.entries.compactMap { entry in
      guard case .file = entry.content, Self.offers(entry.path, release.module.resources) else { return nil }
      return entry.path
    }
  }

  /// The bytes of a resource, held against what is signed each time.
  ///
  /// - Parameter path: one of ``resources``.
  /// - Returns: nil for any other path.
  /// - Throws: `digest.mismatch` when it is not what was signed any more; what reading throws.
  public func resource(_ path: String) throws(SignetError) -> [UInt8]? {
    try Self.resource(path, of: release)
  }

  static func resource(_ path: String, of release: InstalledModule) throws(SignetError) -> [UInt8]? {
    guard offers(path, release.module.resources), case .file = release.contents[path]?.content else { return nil }
    return try release.bytes(of: path)
  }

  /// Whether a path is one of those that are offered, or lies in one.
  private static func offers(_ path: String, _ offered: [String]) -> Bool {
    offered.contains { name in
      path.isExactly(name)
        || path.utf8.starts(with: name.utf8) && path.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: "/")
    }
  }
}

/// A shared library of a module in this process: what a crash reporter needs to tell whose code an address is.
public struct LoadedImage: Hashable, Sendable {
  /// The module that it belongs to.
  public let module: ModuleIdentifier
  /// The module's version.
  public let version: SemanticVersion
  /// The module's release.
  public let sequence: Int
  /// Its path in the module.
  public let path: String
  /// The address that the addresses in the file count from.
  public let base: UInt
  /// Bytes of memory from the base on.
  public let size: UInt
  /// The linker's number for it.
  public let buildID: [UInt8]
  /// What the dynamic linker calls it.
  public let name: String

  /// Whether an address lies in it.
  public func contains(_ address: UInt) -> Bool { address >= base && address - base < size }
}
