package import SignetBase
package import SignetNames

/// What makes a path in an archive dangerous wherever it is unpacked: it leads out, or is not what it seems to be.
///
/// ``EntryPath`` has all the rules for modules. Most of them make paths mean the same on every system; a path that
/// breaks such a rule is no danger where it is used.
package enum PathDanger {
  /// The first danger of an entry's path, or nil.
  ///
  /// - Parameter isRooted: whether the archive is a package that is unpacked on Linux, where a backslash separates nothing.
  ///   systemd has names with some.
  package static func of(_ name: ListedName, isRooted: Bool = false) -> SignetError? {
    let path = name.text
    guard path.utf8.first != slash else { return SignetError(.pathAbsolute, path, "is absolute") }
    if let danger = ofText(name, path: path, what: "a path", isRooted: isRooted) { return danger }
    guard !names(of: name).contains(where: { $0.elementsEqual("..".utf8) }) else {
      return SignetError(.pathParent, path, "has .. in it")
    }
    guard !beginsWithDrive(name) else {
      return SignetError(.pathDrive, path, "begins with a drive of Windows")
    }
    return nil
  }

  /// The first danger of a member's name in a library, or nil.
  ///
  /// It is no path that anything is unpacked to. Tools of Microsoft and LLVM write where an object was when the library was
  /// made: an absolute path, one with `..`, or one with a drive.
  package static func of(memberOfLibrary name: ListedName) -> SignetError? {
    ofCharacters(name, name.text, "a member's name")
  }

  /// The first danger of a link's target, or nil.
  ///
  /// - Parameter isRooted: whether the archive is a package that is unpacked at the root of a file system. Then an
  ///   absolute target is the usual one.
  package static func of(target: ListedName, ofLinkAt link: ListedName, isRooted: Bool) -> SignetError? {
    let path = link.text
    if let danger = ofText(target, path: path, what: "a link's target", isRooted: isRooted) { return danger }
    guard !beginsWithDrive(target) else {
      return SignetError(.pathDrive, path, "is a link to a drive of Windows", found: target.text)
    }
    guard target.bytes.first != slash else {
      if isRooted { return nil }
      return SignetError(
        .pathAbsolute, path, "is a link out of the directory: its target is absolute", found: target.text)
    }
    var level = link.names.count - 1
    var mayGoUp = true
    for name in names(of: target) where !name.elementsEqual(".".utf8) {
      guard name.elementsEqual("..".utf8) else {
        mayGoUp = false
        continue
      }
      level -= 1
      // Behind a name, which may be another link, going up leads somewhere else than the text says.
      guard mayGoUp, level >= 0 else {
        if isRooted { return nil }
        return SignetError(
          .pathParent, path, "is a link out of the directory, or behind another link", found: target.text)
      }
    }
    return nil
  }

  private static func ofText(
    _ name: ListedName, path: String, what: String, isRooted: Bool
  ) -> SignetError? {
    // The second byte of a character is no backslash, and may be one to another program.
    guard isRooted || !name.separated.contains(UInt8(ascii: "\\")) else {
      return SignetError(.pathBackslash, path, "\(what) has a backslash in it, which separates names on Windows")
    }
    return ofCharacters(name, path, what)
  }

  private static func ofCharacters(_ name: ListedName, _ path: String, _ what: String) -> SignetError? {
    // Most names are plain ASCII, and need no look at each character's properties.
    if name.bytes.allSatisfy({ 0x20..<0x7f ~= $0 }) { return nil }
    let text = name.text
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

  private static let slash = UInt8(ascii: "/")

  private static func names(of name: ListedName) -> [ArraySlice<UInt8>] { name.separated.split(separator: slash) }

  private static func beginsWithDrive(_ name: ListedName) -> Bool {
    let start = name.bytes.prefix(2)
    return start.count == 2 && start[1] == UInt8(ascii: ":")
      && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(start[0] | 0x20)
  }
}
