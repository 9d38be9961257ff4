package import SignetCrypto
@_spi(_Unicode) import Swift

/// The rules for the paths and link targets of listings and archives: one path, one meaning, on every system, and none
/// that leads out of the directory.
package enum EntryPath {
  /// Bytes of a path at most: PATH_MAX of macOS, the shortest of the systems', without its NUL.
  package static let lengthLimit = 1023
  /// Bytes of a name at most: NAME_MAX of the usual file systems.
  package static let componentLimit = 255
  /// Names in a path at most. Directories are read with one descriptor a level.
  package static let depthLimit = 64

  /// Makes sure that a path may stand in a listing.
  ///
  /// - Throws: the `path.…` codes but those of ``checkPortable(_:)``.
  package static func check(_ path: String) throws(SignetError) {
    guard !path.utf8.isEmpty else { throw objection(.pathEmpty, path, "is empty") }
    guard path.utf8.first != slash else { throw objection(.pathAbsolute, path, "is absolute") }
    try checkText(path, path, "a path")
    let names = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    for name in names { try checkName(name, path) }
    guard names.count <= depthLimit else {
      throw SignetError(
        .pathBounds, path, "lies too deep", expected: "at most \(depthLimit) names", found: "\(names.count)")
    }
  }

  private static func checkName(_ name: Substring.UTF8View, _ path: String) throws(SignetError) {
    guard !name.isEmpty else { throw objection(.pathEmptyName, path, "has an empty name in it") }
    guard !name.elementsEqual(dot) else { throw objection(.pathDot, path, "has . in it") }
    guard !name.elementsEqual(dots) else { throw objection(.pathParent, path, "has .. in it") }
    guard name.count <= componentLimit else {
      throw SignetError(
        .pathBounds, path, "has a name that is too long", expected: "at most \(componentLimit) bytes",
        found: "\(name.count) bytes")
    }
  }

  /// Makes sure that a path means the same on Windows, too: archives are unpacked anywhere.
  ///
  /// Names and characters are those of Microsoft's "Naming Files, Paths, and Namespaces"; names are devices whatever follows a dot.
  ///
  /// - Throws: `path.drive`, `path.trailing`, `path.reserved`.
  package static func checkPortable(_ path: String) throws(SignetError) { try checkPortable(path, path) }

  /// Makes sure that a link leads to the same on Windows, too; `C:/x` would lead out.
  ///
  /// - Throws: `path.drive`, `path.trailing`, `path.reserved`.
  package static func checkPortable(target: String, ofLinkAt path: String) throws(SignetError) {
    try checkPortable(target, path)
  }

  private static func checkPortable(_ text: String, _ path: String) throws(SignetError) {
    guard !text.utf8.contains(UInt8(ascii: ":")) else {
      throw objection(.pathDrive, path, "has a colon in it, which names a drive or a stream elsewhere")
    }
    guard !text.utf8.contains(where: { "<>\"|?*".utf8.contains($0) }) else {
      throw objection(.pathReserved, path, "has a character in it that no name may have on Windows")
    }
    for name in text.utf8.split(separator: slash) where !name.elementsEqual(dot) && !name.elementsEqual(dots) {
      guard !hasVersion(name) else {
        throw objection(.pathReserved, path, "ends like a version of VMS, which unzip takes away")
      }
      if let last = name.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
        throw objection(.pathTrailing, path, "has a name with a dot or space at its end, which Windows takes away")
      }
      let stem = name.prefix { $0 != UInt8(ascii: ".") }
      let text = String(decoding: stem, as: UTF8.self).uppercased()
      // What Windows compares is without the spaces before the dot.
      let device = text.utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
      if isDevice(String(decoding: Array(device), as: UTF8.self)) {
        throw objection(.pathReserved, path, "has a name that is a device on Windows", found: text)
      }
    }
  }

  /// Whether a name ends in a semicolon and digits: Info-ZIP's unzip leaves that out, so that `a;1` becomes `a`.
  private static func hasVersion(_ name: Substring.UTF8View) -> Bool {
    guard let mark = name.lastIndex(of: UInt8(ascii: ";")) else { return false }
    return name[mark...].dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static let devices: Set<String> = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
  private static let ports: Set<String> = ["COM", "LPT"]

  private static func isDevice(_ name: String) -> Bool {
    if devices.contains(name) { return true }
    // The superscript digits of ISO 8859-1 count as digits there.
    return name.count == 4 && ports.contains(String(name.prefix(3))) && "0123456789¹²³".contains(name.suffix(1))
  }

  /// Makes sure that a symbolic link may stand in a listing: that it stays inside, wherever the directory is.
  ///
  /// `..` may stand at the beginning only. What a link lies in are directories and not links, so going up from there
  /// is what it looks like; behind the name of another link it would lead somewhere else than the text says.
  ///
  /// - Throws: the `path.…` codes.
  package static func check(target: String, ofLinkAt path: String) throws(SignetError) {
    guard !target.utf8.isEmpty else { throw objection(.pathEmpty, path, "is a link to nowhere") }
    guard target.utf8.first != slash else {
      throw objection(
        .pathAbsolute, path, "is a link out of the directory: its target is absolute", found: target)
    }
    try checkText(target, path, "a link's target")
    var level = path.utf8.count { $0 == slash }
    var mayGoUp = true
    for name in target.utf8.split(separator: slash) where !name.elementsEqual(dot) {
      guard name.elementsEqual(dots) else {
        mayGoUp = false
        continue
      }
      guard mayGoUp else {
        throw objection(
          .pathParent, path, "is a link with .. behind a name", expected: ".. at the beginning only", found: target)
      }
      level -= 1
      guard level >= 0 else {
        throw objection(.pathParent, path, "is a link out of the directory", found: target)
      }
    }
  }

  private static func checkText(_ text: String, _ path: String, _ what: String) throws(SignetError) {
    guard text.utf8.count <= lengthLimit else {
      throw SignetError(
        .pathBounds, path, "\(what) is too long", expected: "at most \(lengthLimit) bytes",
        found: "\(text.utf8.count) bytes")
    }
    guard !text.utf8.contains(UInt8(ascii: "\\")) else {
      throw objection(.pathBackslash, path, "\(what) has a backslash in it, which separates names elsewhere")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw objection(.pathControl, path, "\(what) has a control character in it")
    }
    guard text.isNormalized else {
      throw objection(
        .pathNotNormalized, path, "\(what) is not in Unicode's normalization form C", hint: "rename it")
    }
  }

  /// What two paths have in common that are one path where upper and lower case are not told apart.
  package static func folded(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 < 0x80 }) { return path.lowercased() }
    var folded = ""
    for scalar in path.unicodeScalars {
      for upper in scalar.properties.uppercaseMapping.unicodeScalars { folded += upper.properties.lowercaseMapping }
    }
    return folded
  }

  /// The path of the directory that an entry lies in; nil at the top.
  package static func parent(of path: String) -> String? {
    path.utf8.lastIndex(of: slash).map { String(path[..<$0]) }
  }

  private static let slash = UInt8(ascii: "/")
  private static let dot = ".".utf8
  private static let dots = "..".utf8

  private static func objection(
    _ code: SignetError.Code, _ path: String, _ message: String, expected: String? = nil, found: String? = nil,
    hint: String? = nil
  ) -> SignetError {
    SignetError(code, path, message, expected: expected, found: found, hint: hint)
  }
}

extension String {
  /// Whether the text is in normalization form C (Unicode Standard Annex 15).
  fileprivate var isNormalized: Bool {
    utf8.allSatisfy { $0 < 0x80 } || _nfc.elementsEqual(unicodeScalars)
  }
}
