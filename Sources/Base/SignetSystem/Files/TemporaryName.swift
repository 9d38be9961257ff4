#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Where files lie that get another name later, or none, and names for them that others cannot guess.
package enum TemporaryName {
  /// The folder for temporary files: the value of TMPDIR, or `/tmp`.
  package static var usualFolder: String {
    guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
    let path = unsafe String(cString: value)
    return path.isEmpty ? "/tmp" : path
  }

  /// A name for something in any folder.
  package static func make(_ suffix: String) -> String {
    ".signet-\(String(UInt64.random(in: .min ... .max), radix: 36))\(suffix)"
  }
}
