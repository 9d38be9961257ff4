package import SignetBase
internal import SignetSystem

/// What makes a path in an archive dangerous wherever it is unpacked: it leads out, or is not what it seems to be.
///
/// ``EntryPath`` has all the rules for modules. Most of them make paths mean the same on every system; a path that
/// breaks such a rule is no danger where it is used.
package enum PathDanger {
  /// The first danger of an entry's path; nil if there is none.
  package static func of(_ path: String) -> SignetError? {
    guard path.utf8.first != UInt8(ascii: "/") else { return SignetError(.pathAbsolute, path, "is absolute") }
    if let danger = ofText(path, path, "a path") { return danger }
    guard !names(path).contains(where: { $0.elementsEqual("..".utf8) }) else {
      return SignetError(.pathParent, path, "has .. in it")
    }
    guard !beginsWithDrive(path) else {
      return SignetError(.pathDrive, path, "begins with a drive of Windows")
    }
    return nil
  }

  /// The first danger of a link's target; nil if there is none.
  ///
  /// - Parameter isRooted: whether the archive is a package that is unpacked at the root of a file system. Then an
  ///   absolute target is the usual one.
  package static func of(target: String, ofLinkAt path: String, isRooted: Bool) -> SignetError? {
    if let danger = ofText(target, path, "a link's target") { return danger }
    guard !beginsWithDrive(target) else {
      return SignetError(.pathDrive, path, "is a link to a drive of Windows", found: target)
    }
    guard target.utf8.first != UInt8(ascii: "/") else {
      if isRooted { return nil }
      return SignetError(
        .pathAbsolute, path, "is a link out of the directory: its target is absolute", found: target)
    }
    var level = names(path).count - 1
    var mayGoUp = true
    for name in names(target) where !name.elementsEqual(".".utf8) {
      guard name.elementsEqual("..".utf8) else {
        mayGoUp = false
        continue
      }
      level -= 1
      // Behind a name, which may be another link, going up leads somewhere else than the text says.
      guard mayGoUp, level >= 0 else {
        if isRooted { return nil }
        return SignetError(.pathParent, path, "is a link out of the directory, or behind another link", found: target)
      }
    }
    return nil
  }

  private static func ofText(_ text: String, _ path: String, _ what: String) -> SignetError? {
    guard !text.utf8.contains(UInt8(ascii: "\\")) else {
      return SignetError(.pathBackslash, path, "\(what) has a backslash in it, which separates names on Windows")
    }
    // Most names are plain ASCII, and need no look at each character's properties.
    if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return nil }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return SignetError(.pathControl, path, "\(what) has a control character in it")
    }
    guard InvisibleCharacters.first(in: text) == nil else {
      return SignetError(
        .pathInvisible, path, "\(what) has an invisible character in it, or one that changes the direction of text",
        hint: "rename it")
    }
    return nil
  }

  private static func names(_ path: String) -> [Substring.UTF8View] {
    path.utf8.split(separator: UInt8(ascii: "/"))
  }

  private static func beginsWithDrive(_ path: String) -> Bool {
    let start = Array(path.utf8.prefix(2))
    return start.count == 2 && start[1] == UInt8(ascii: ":")
      && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(start[0] | 0x20)
  }
}
