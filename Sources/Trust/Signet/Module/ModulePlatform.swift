package import SignetBase
package import SignetELF
package import SignetSystem

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
  var librarySuffix: String { rawValue.utf8.starts(with: "macos".utf8) ? ".dylib" : ".so" }

  /// The processor that the platform's ELF files are built for; nil for platforms without ELF.
  package var machine: ELFMachine? { [ELFMachine.x86, .arm].first { $0.platform.isExactly(rawValue) } }
}

extension ModuleDescription {
  /// Checks the code for every platform that the description names.
  ///
  /// - Parameter open: opens a file of the module by its path.
  /// - Returns: every fault and all advice, platform by platform.
  /// - Throws: what `open` throws, and `file.…` if a file cannot be read, since nothing is known about it then.
  package func binaryFindings(
    _ open: (String) throws(SignetError) -> any ByteSource
  ) throws(SignetError) -> BinaryFindings {
    var findings = BinaryFindings()
    for (platform, binary) in binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard let machine = platform.machine else {
        findings.advice.append(
          SignetError(
            .elfUnchecked, binary.path, "is for a platform whose binaries cannot be checked here",
            found: "\(platform)"))
        continue
      }
      var images: [ELFImage] = []
      for path in [binary.path] + binary.libraries {
        let source = try open(path)
        do throws(SignetError) {
          images.append(try ELFImage(source, path: path, for: machine))
        } catch {
          guard [.elfMalformed, .elfArchitecture, .elfType].contains(error.code) else { throw error }
          findings.errors.append(error)
        }
      }
      // What an unreadable image would have offered is unknown, so each of the others is judged by itself.
      guard images.count == binary.libraries.count + 1, let main = images.first, let principal else {
        findings.errors += images.flatMap { $0.faults() }
        findings.advice += images.flatMap { $0.advice() }
        continue
      }
      let whole = ModuleBinary(
        of: identifier, on: platform, main: main, libraries: Array(images.dropFirst()), declared: binary.needed,
        principal: principal)
      let found = whole.findings()
      findings.errors += found.errors
      findings.advice += found.advice
    }
    return findings
  }
}
