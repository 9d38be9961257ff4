internal import SignetBase

/// The name of a versioned file of metadata: `N.ROLE.json`, with the role's name percent-encoded.
struct MetadataFileName {
  /// The version of the metadata.
  let version: Int
  /// The name of the role, percent-encoded.
  let role: String

  /// The highest version that metadata can state, which is that of JSON's whole numbers (RFC 7493, section 2.2).
  static let highest = (1 << 53) - 1
  /// The longest file name of common file systems (NAME_MAX), in bytes.
  private static let longest = 255

  /// Reads the name of a file; nil if it is not that of a versioned file of metadata.
  init?(_ name: String) {
    let end = ".json"
    guard name.utf8.count > end.utf8.count, name.hasSuffix(end),
      let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), let version = Int(name[..<dot]),
      (1...Self.highest).contains(version),
      "\(version)".utf8.elementsEqual(name[..<dot].utf8)
    else { return nil }
    let role = name[name.utf8.index(after: dot)...].dropLast(end.utf8.count)
    guard !role.isEmpty else { return nil }
    self.version = version
    self.role = String(role)
  }

  /// The name of a role's file.
  static func of(_ role: String, version: Int) -> String { "\(version).\(PercentEncoding.roleName(role)).json" }

  /// Checks that a file can have the name of a version of a role. Clients put no version in front, so a role may be read
  /// whose file cannot be written.
  ///
  /// - Throws: `tuf.role-name`.
  static func check(_ role: String, version: Int) throws(SignetError) {
    let length = of(role, version: version).utf8.count
    guard length > longest else { return }
    throw SignetError(
      .tufRoleName, role.display, "is too long a name for files of its metadata",
      expected: "names of files of at most \(longest) bytes", found: "\(length) bytes")
  }
}
