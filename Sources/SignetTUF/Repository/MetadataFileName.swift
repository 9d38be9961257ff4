/// The name of a versioned file of metadata: `N.ROLE.json`, with the role's name percent-encoded.
struct MetadataFileName {
  /// The version of the metadata.
  let version: Int
  /// The name of the role, percent-encoded.
  let role: String

  /// The highest version that metadata can state, which is that of JSON's whole numbers (RFC 7493, section 2.2).
  private static let highest = (1 << 53) - 1

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
}
