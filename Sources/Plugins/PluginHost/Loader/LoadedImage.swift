public import Signet

/// A shared library of a module in this process.
///
/// It tells a crash reporter which module's code is at an address.
public struct LoadedImage: Hashable, Sendable {
  /// The module that the library belongs to.
  public let module: ModuleIdentifier
  /// The module's version.
  public let version: SemanticVersion
  /// The sequence of the module's release.
  public let sequence: Int
  /// The path of the library in the module.
  public let path: String
  /// The address to which the addresses in the library's file are relative.
  public let base: UInt
  /// The size of the library in memory, in bytes from the base.
  public let size: UInt
  /// The build ID that the linker gave the library.
  public let buildID: [UInt8]
  /// The dynamic linker's name for the library.
  public let name: String
  /// The library's first address in memory. It is the base, unless the addresses in the file begin higher than 0.
  public let start: UInt

  /// Whether an address is in the library.
  public func contains(_ address: UInt) -> Bool { address >= start && address - base < size }
}
