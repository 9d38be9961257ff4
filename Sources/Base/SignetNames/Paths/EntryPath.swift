package import SignetBase
internal import SignetSystem
@_spi(_Unicode) import Swift

/// The rules for the paths and link targets of listings and archives: each path has one meaning on every system, and
/// none leads out of the directory.
package enum EntryPath {
  /// The maximum number of bytes in a path: PATH_MAX of macOS, the shortest of the systems', without its NUL.
  package static let lengthLimit = 1023
  /// The maximum number of bytes in a name: NAME_MAX of the usual file systems.
  package static let componentLimit = 255
  /// The maximum number of names in a path. Reading a directory takes one descriptor for each level.
  package static let depthLimit = 64

  /// Checks that a path is allowed in a listing.
  ///
  /// - Throws: the `path.…` codes except those of ``checkPortable(_:)``.
  package static func check(_ path: String) throws(SignetError) {
    guard !path.utf8.isEmpty else { throw objection(.pathEmpty, path, "is empty") }
    guard path.utf8.first != slash else { throw objection(.pathAbsolute, path, "is absolute") }
    try checkText(path, path, "a path")
    // The path is not split into an array, because lists of many thousand paths are checked here several times.
    var rest = path.utf8[...]
    var count = 1
    while let end = rest.firstIndex(of: slash) {
      try checkName(rest[..<end], path)
      rest = rest[path.utf8.index(after: end)...]
      count += 1
    }
    try checkName(rest, path)
    guard count <= depthLimit else {
      throw SignetError(
        .pathBounds, path, "is nested too deeply", expected: "at most \(depthLimit) names", found: "\(count)")
    }
  }

  private static func checkName(_ name: Substring.UTF8View, _ path: String) throws(SignetError) {
    guard let first = name.first else { throw objection(.pathEmptyName, path, "has an empty name in it") }
    if first == UInt8(ascii: ".") {
      guard !name.elementsEqual(dot) else { throw objection(.pathDot, path, "has . in it") }
      guard !name.elementsEqual(dots) else { throw objection(.pathParent, path, "has .. in it") }
    }
    guard name.count <= componentLimit else {
      throw SignetError(
        .pathBounds, path, "has a name that is too long", expected: "at most \(componentLimit) bytes",
        found: "\(name.count) bytes")
    }
  }

  /// Checks that a path means the same on Windows, too, because archives are unpacked anywhere.
  ///
  /// Names and characters are those of Microsoft's "Naming Files, Paths, and Namespaces". The name of a device is
  /// refused whatever follows its dot.
  ///
  /// - Throws: `path.drive`, `path.trailing`, `path.reserved`.
  package static func checkPortable(_ path: String) throws(SignetError) { try checkPortable(path, path) }

  /// Checks that a link leads to the same place on Windows, too; `C:/x` would lead out.
  ///
  /// - Throws: `path.drive`, `path.trailing`, `path.reserved`.
  package static func checkPortable(target: String, ofLinkAt path: String) throws(SignetError) {
    try checkPortable(target, path)
  }

  private static func checkPortable(_ text: String, _ path: String) throws(SignetError) {
    guard !text.utf8.contains(UInt8(ascii: ":")) else {
      throw objection(.pathDrive, path, "has a colon in it, which names a drive or a stream on Windows")
    }
    guard !text.utf8.contains(where: isReserved) else {
      throw objection(.pathReserved, path, "has a character in it that Windows does not allow")
    }
    var rest = text.utf8[...]
    while let end = rest.firstIndex(of: slash) {
      try checkPortable(name: rest[..<end], path)
      rest = rest[text.utf8.index(after: end)...]
    }
    try checkPortable(name: rest, path)
  }

  private static func checkPortable(name: Substring.UTF8View, _ path: String) throws(SignetError) {
    guard let last = name.last else { return }
    if last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
      // A link's target may have these.
      if name.elementsEqual(dot) || name.elementsEqual(dots) { return }
      throw objection(.pathTrailing, path, "has a name with a dot or space at its end, which Windows removes")
    }
    guard !hasVersion(name) else {
      throw objection(.pathReserved, path, "ends like a VMS version, which unzip removes")
    }
    let stem = name.prefix { $0 != UInt8(ascii: ".") }
    if isDevice(stem) {
      throw objection(
        .pathReserved, path, "has a name that is a device on Windows",
        found: String(decoding: stem, as: UTF8.self).uppercased())
    }
  }

  private static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "|"), UInt8(ascii: "?"),
      UInt8(ascii: "*"):
      true
    default: false
    }
  }

  /// Whether a name ends in a semicolon, or in one and digits. Info-ZIP's unzip drops these: `a;1` becomes `a`.
  private static func hasVersion(_ name: Substring.UTF8View) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return name.reversed().first { !digits.contains($0) } == UInt8(ascii: ";")
  }

  private static let devices: Set<String> = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
  private static let ports: Set<String> = ["COM", "LPT"]
  /// The first letters of devices, in both cases. Other letters that become one of these in upper case are not ASCII.
  private static let deviceInitials = Set("CPANLcpanl".utf8)
  /// The maximum number of bytes in a device's name: `CONOUT$`, with at most three bytes for each letter.
  private static let deviceLength = 7 * 3

  /// Whether the part of a name before its first dot is a device.
  private static func isDevice(_ stem: Substring.UTF8View) -> Bool {
    // Almost no name is a device, and this quick test rules out most of them.
    guard let first = stem.first, first >= 0x80 || deviceInitials.contains(first) else { return false }
    // Windows compares the name without the spaces before the dot.
    let end = stem.lastIndex { $0 != UInt8(ascii: " ") }
    guard let end, stem[...end].count <= deviceLength else { return false }
    return isDevice(String(decoding: stem[...end], as: UTF8.self).uppercased())
  }

  private static func isDevice(_ name: String) -> Bool {
    if devices.contains(name) { return true }
    // On Windows, the superscript digits of ISO 8859-1 count as digits.
    return name.count == 4 && ports.contains(String(name.prefix(3))) && "0123456789¹²³".contains(name.suffix(1))
  }

  /// Checks that a symbolic link is allowed in a listing: it must stay inside the directory, wherever that is.
  ///
  /// `..` is allowed only at the beginning. A link lies in directories and not in links, so going up from there leads
  /// where it seems to. After the name of another link, `..` would lead somewhere else than the text says.
  ///
  /// - Throws: the `path.…` codes.
  package static func check(target: String, ofLinkAt path: String) throws(SignetError) {
    guard !target.utf8.isEmpty else { throw objection(.pathEmpty, path, "is a link without a target") }
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
      throw objection(.pathBackslash, path, "\(what) has a backslash in it, which separates names on Windows")
    }
    guard !hasControl(text) else {
      throw objection(.pathControl, path, "\(what) has a control character in it")
    }
    if let invisible = InvisibleCharacters.first(in: text) {
      throw objection(
        .pathInvisible, path, "\(what) has an invisible character in it, or one that changes the direction of text",
        expected: "visible characters", found: hex(invisible), hint: "rename it")
    }
    guard text.isNormalized else {
      throw objection(
        .pathNotNormalized, path, "\(what) is not in Unicode's normalization form C", hint: "rename it")
    }
  }

  private static func hasControl(_ text: String) -> Bool {
    // ASCII is recognized by its bytes; only other texts need Unicode's tables.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.contains { $0 < 0x20 || $0 == 0x7f } }
    return text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16).uppercased()
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
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
