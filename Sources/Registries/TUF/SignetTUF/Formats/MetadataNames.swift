public import SignetBase

/// Names of roles and paths of targets, in URLs and as names of files.
extension PercentEncoding {
  /// A role's name in a URL or file name.
  public static func roleName(_ name: String) -> String { encode(name) }

  /// The file name for a target's path.
  ///
  /// The result has no slash, so it names a file in one folder. A name of dots alone is encoded whole, because `..`
  /// would lead out of the folder.
  public static func fileName(_ path: String) -> String {
    guard path.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) else { return encode(path) }
    var encoded: [UInt8] = []
    for byte in path.utf8 { append(byte, to: &encoded) }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The path in a URL for the path of a target, which keeps its slashes.
  ///
  /// Target paths are path-relative URL strings (specification, section 4.5), so an escape such as `%5B` stays. Bytes
  /// that no such string has are encoded: without that, `?` and `#` would end the path.
  public static func urlPath(_ path: String) -> String {
    let bytes = Array(path.utf8)
    var encoded: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if sequence(at: index, in: bytes) != nil || isUnreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte) {
        encoded.append(byte)
      } else {
        append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
