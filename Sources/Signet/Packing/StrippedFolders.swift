internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// The folders around everything that an archive holds, which a module does not have: many programs put one around what
/// they pack.
enum StrippedFolders {
  /// The entries without that many folders around them.
  ///
  /// - Throws: `packing.strip` for what lies elsewhere.
  static func removed(_ depth: Int, from entries: [PackedEntry]) throws(SignetError) -> [PackedEntry] {
    guard depth > 0 else { return entries }
    var around: [Substring]?
    var inside: [PackedEntry] = []
    for entry in entries {
      let names = entry.path.split(separator: "/", omittingEmptySubsequences: false)
      let folders = around ?? Array(names.prefix(depth))
      around = folders
      let isFolder: Bool
      if case .directory = entry.content { isFolder = names.count <= depth } else { isFolder = false }
      guard names.count > depth || isFolder, zip(names, folders).allSatisfy({ String($0).isExactly(String($1)) })
      else {
        throw SignetError(
          .packingStrip, entry.path, "does not lie in the folders around everything else",
          expected: "a path below \(folders.joined(separator: "/"))", hint: "strip fewer folders")
      }
      if !isFolder {
        inside.append(PackedEntry(path: names.dropFirst(depth).joined(separator: "/"), content: entry.content))
      }
    }
    return inside
  }

  /// The folder in which a whole module lies, and how deep; nil where there is none around everything.
  static func around(_ entries: [PackedEntry]) -> (path: String, depth: Int)? {
    let suffix = "/" + ModuleDescription.path
    for entry in entries where entry.path.utf8.reversed().starts(with: suffix.utf8.reversed()) {
      let folder = String(entry.path.dropLast(suffix.count))
      let depth = folder.split(separator: "/").count
      if (try? removed(depth, from: entries)) != nil { return (folder, depth) }
    }
    return nil
  }
}
