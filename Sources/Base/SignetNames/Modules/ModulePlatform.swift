internal import SignetBase

/// The platform of a module's binary: operating system and processor, such as `linux-x86_64`.
public struct ModulePlatform: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// Linux with glibc on 64-bit x86.
  public static let linuxX86 = ModulePlatform(known: "linux-x86_64")
  /// Linux with glibc on 64-bit ARM.
  public static let linuxARM = ModulePlatform(known: "linux-aarch64")
  /// macOS on Apple silicon.
  public static let macOSARM = ModulePlatform(known: "macos-arm64")
  /// macOS on 64-bit x86.
  public static let macOSX86 = ModulePlatform(known: "macos-x86_64")

  /// All known platforms.
  public static let all = [linuxARM, linuxX86, macOSARM, macOSX86]

  /// The platform's name in descriptions.
  public let rawValue: String

  /// The platform with this name; nil if it is not known.
  public init?(rawValue: String) {
    guard let platform = Self.all.first(where: { $0.rawValue.isExactly(rawValue) }) else { return nil }
    self = platform
  }

  private init(known name: String) { rawValue = name }

  /// The platform that modules are loaded for in this process; nil if they cannot be loaded.
  public static var current: ModulePlatform? {
    #if os(Linux) && canImport(Glibc) && arch(x86_64)
      .linuxX86
    #elseif os(Linux) && canImport(Glibc) && arch(arm64)
      .linuxARM
    #else
      nil
    #endif
  }

  /// The platform's name in descriptions.
  public var description: String { rawValue }

  /// The ending of shared libraries' names on this platform.
  package var librarySuffix: String { rawValue.utf8.starts(with: "macos".utf8) ? ".dylib" : ".so" }
}
