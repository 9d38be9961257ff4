internal import SignetBase
internal import SignetCrypto

/// What a module's binary is called: the identifier with `_` in the place of its dots, and the platform's suffix; `lib`
/// may stand in front, as build systems put it there.
///
/// Identifiers have no underscore, so each file name belongs to one identifier: where crash reports, logs and debuggers
/// show a name, it says which module it is. An identifier that begins with `lib` must have the second `lib`.
package enum ModuleFileName {
  /// The identifier that a file name belongs to; nil when it belongs to none.
  static func identifier(of name: String, on platform: ModulePlatform) -> ModuleIdentifier? {
    let suffix = platform.librarySuffix
    guard name.utf8.count > suffix.utf8.count, name.utf8.reversed().starts(with: suffix.utf8.reversed()) else {
      return nil
    }
    var stem = Array(name.utf8.dropLast(suffix.utf8.count))
    guard !stem.contains(UInt8(ascii: ".")) else { return nil }
    if stem.starts(with: "lib".utf8) { stem.removeFirst(3) }
    let text = stem.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: ".") : $0 }
    return ModuleIdentifier(String(decoding: text, as: UTF8.self))
  }

  /// The file name of a module's binary, without `lib` where it can be left out.
  package static func name(of identifier: ModuleIdentifier, on platform: ModulePlatform) -> String {
    let stem = String(
      decoding: identifier.description.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    return (stem.utf8.starts(with: "lib".utf8) ? "lib" : "") + stem + platform.librarySuffix
  }

  /// Makes sure that a module's binaries are called after it.
  ///
  /// - Throws: `packing.binary-name`.
  static func check(_ module: ModuleDescription) throws(SignetError) {
    for (platform, binary) in module.binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let name = binary.path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
        String(binary.path[binary.path.utf8.index(after: $0)...])
      }
      guard identifier(of: name ?? binary.path, on: platform) != module.identifier else { continue }
      throw SignetError(
        .packingBinaryName, binary.path, "is not called after its module",
        expected: Self.name(of: module.identifier, on: platform), found: name ?? binary.path,
        hint: "rename it, in \(ModuleDescription.path), too")
    }
  }
}
