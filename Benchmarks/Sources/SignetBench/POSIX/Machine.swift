#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What the numbers were measured on.
struct Machine {
  let processor: String
  let cores: Int
  /// Whether the processor has instructions for SHA-256; nil where that is not known.
  let hashesInHardware: Bool?
  let kernel: String
  let system: String
  /// How many processes were running or waiting to, on average of the last minute, before the first measurement.
  let load: Double

  static func current() throws -> Machine {
    var name = utsname()
    unsafe uname(&name)
    var loads = [0.0]
    unsafe getloadavg(&loads, 1)
    #if canImport(Darwin)
      let processor = try ChildProcess.output(Command("sysctl", "-n", "machdep.cpu.brand_string")).firstLine
      let system = try "macOS " + ChildProcess.output(Command("sw_vers", "-productVersion")).firstLine
      let hashesInHardware: Bool? = nil
    #else
      let description = TextFile.content(of: "/proc/cpuinfo") ?? ""
      let processor = description.value(of: "model name", separator: ":") ?? "unknown"
      let release = TextFile.content(of: "/etc/os-release") ?? ""
      let system = release.value(of: "PRETTY_NAME", separator: "=") ?? "unknown"
      // On x86 and on ARM.
      let features = ["flags", "Features"].lazy.compactMap { description.value(of: $0, separator: ":") }.first
      let hashesInHardware = features?.split(separator: " ").contains { $0 == "sha_ni" || $0 == "sha2" }
    #endif
    return Machine(
      processor: processor, cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), hashesInHardware: hashesInHardware,
      kernel: "\(text(&name.sysname)) \(text(&name.release)) \(text(&name.machine))", system: system,
      load: loads[0])
  }

  /// A text in one of C's arrays of characters.
  private static func text<Characters>(_ characters: inout Characters) -> String {
    unsafe withUnsafeBytes(of: &characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension String {
  /// The text up to the first line's end.
  var firstLine: String { split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "" }

  /// What stands behind a name in the first line that begins with it.
  fileprivate func value(of name: String, separator: Character) -> String? {
    for line in split(separator: "\n") {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, parts[0].trimmed == name else { continue }
      return parts[1].trimmed
    }
    return nil
  }
}

extension Substring {
  /// The text without space and quotation marks around it.
  fileprivate var trimmed: String {
    func isOutside(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }
    return String(drop(while: isOutside).reversed().drop(while: isOutside).reversed())
  }
}
