internal import SignetCrypto
@_spi(_Unicode) import Swift

/// The rules for the paths and link targets of a listing: one path, one meaning, on every system, and none that leads
/// out of the directory.
enum EntryPath {
  /// Bytes of a path at most: PATH_MAX of macOS, the shortest of the systems', without its NUL.
  static let lengthLimit = 1023
  /// Bytes of a name at most: NAME_MAX of the usual file systems.
  static let componentLimit = 255
  /// Names in a path at most. Directories are read with one descriptor a level.
  static let depthLimit = 64

  /// Makes sure that a path may stand in a listing.
  ///
  /// - Throws: `path.unsafe`, `path.bounds`.
  static func check(_ path: String) throws(SignetError) {
    guard !path.utf8.isEmpty else { throw objection(path, "is empty") }
    guard path.utf8.first != slash else { throw objection(path, "is absolute") }
    try checkText(path, path, "a path")
    let names = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    for name in names { try checkName(name, path) }
    guard names.count <= depthLimit else {
      throw SignetError(
        .pathBounds, path, "lies too deep", expected: "at most \(depthLimit) names", found: "\(names.count)")
    }
  }

  private static func checkName(_ name: Substring.UTF8View, _ path: String) throws(SignetError) {
    guard !name.isEmpty else { throw objection(path, "has an empty name in it") }
    guard !name.elementsEqual(dot), !name.elementsEqual(dots) else { throw objection(path, "has . or .. in it") }
    guard name.count <= componentLimit else {
      throw SignetError(
        .pathBounds, path, "has a name that is too long", expected: "at most \(componentLimit) bytes",
        found: "\(name.count) bytes")
    }
  }

  /// Makes sure that a symbolic link may stand in a listing: that it stays inside, wherever the directory is.
  ///
  /// `..` may stand at the beginning only. What a link lies in are directories and not links, so going up from there
  /// is what it looks like; behind the name of another link it would lead somewhere else than the text says.
  ///
  /// - Throws: `path.unsafe`, `path.bounds`.
  static func check(target: String, ofLinkAt path: String) throws(SignetError) {
    guard !target.utf8.isEmpty else { throw objection(path, "is a link to nowhere") }
    guard target.utf8.first != slash else {
      throw objection(path, "is a link out of the directory: its target is absolute", found: target)
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
        throw objection(path, "is a link with .. behind a name", expected: ".. at the beginning only", found: target)
      }
      level -= 1
      guard level >= 0 else { throw objection(path, "is a link out of the directory", found: target) }
    }
  }

  private static func checkText(_ text: String, _ path: String, _ what: String) throws(SignetError) {
    guard text.utf8.count <= lengthLimit else {
      throw SignetError(
        .pathBounds, path, "\(what) is too long", expected: "at most \(lengthLimit) bytes",
        found: "\(text.utf8.count) bytes")
    }
    guard !text.utf8.contains(UInt8(ascii: "\\")) else {
      throw objection(path, "\(what) has a backslash in it, which separates names elsewhere")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw objection(path, "\(what) has a control character in it")
    }
    guard text.isNormalized else {
      throw objection(path, "\(what) is not in Unicode's normalization form C", hint: "rename it")
    }
  }

  /// What two paths have in common that are one path where upper and lower case are not told apart.
  static func folded(_ path: String) -> String {
    if path.utf8.allSatisfy({ $0 < 0x80 }) { return path.lowercased() }
    var folded = ""
    for scalar in path.unicodeScalars {
      for upper in scalar.properties.uppercaseMapping.unicodeScalars { folded += upper.properties.lowercaseMapping }
    }
    return folded
  }

  /// The path of the directory that an entry lies in; nil at the top.
  static func parent(of path: String) -> String? {
    path.utf8.lastIndex(of: slash).map { String(path[..<$0]) }
  }

  private static let slash = UInt8(ascii: "/")
  private static let dot = ".".utf8
  private static let dots = "..".utf8

  private static func objection(
    _ path: String, _ message: String, expected: String? = nil, found: String? = nil, hint: String? = nil
  ) -> SignetError {
    SignetError(.pathUnsafe, path, message, expected: expected, found: found, hint: hint)
  }
}

extension String {
  /// Whether the text is in normalization form C (Unicode Standard Annex 15).
  fileprivate var isNormalized: Bool {
    utf8.allSatisfy { $0 < 0x80 } || _nfc.elementsEqual(unicodeScalars)
  }
}
