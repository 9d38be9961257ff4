public import Signet

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
