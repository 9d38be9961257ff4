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
      let isInside = zip(names, folders).allSatisfy { String($0).isExactly(String($1)) }
      guard isInside, names.count > depth || isFolder else {
        throw SignetError(
          .packingStrip, entry.path,
          isInside ? "lies less deep than that" : "lies in another folder than the first entry",
          expected: isInside
            ? "\(depth) folders around everything" : "a path below \(folders.joined(separator: "/"))",
          found: isInside ? "\(names.count - 1)" : nil, hint: Self.advice(on: entries))
      }
      if !isFolder {
        inside.append(PackedEntry(path: names.dropFirst(depth).joined(separator: "/"), content: entry.content))
      }
    }
    return inside
  }

  private static func advice(on entries: [PackedEntry]) -> String {
    guard let folder = around(entries) else { return "no folder with a module lies around everything" }
    return "the module lies in \(folder.path): --strip \(folder.depth)"
  }

  /// The folder in which a whole module lies, and how deep; nil where there is none around everything.
  static func around(_ entries: [PackedEntry]) -> (path: String, depth: Int)? {
    let suffix = "/" + ModuleDescription.path
    for entry in entries where entry.path.utf8.reversed().starts(with: suffix.utf8.reversed()) {
      let folder = String(entry.path.dropLast(suffix.count))
      let depth = folder.split(separator: "/").count
      // A file beside the folders would be left behind.
      let isAround = entries.allSatisfy { each in
        let isFolder = if case .directory = each.content { true } else { false }
        return each.path.utf8.starts(with: (folder + "/").utf8)
          || isFolder && (folder + "/").utf8.starts(with: (each.path + "/").utf8)
      }
      if isAround { return (folder, depth) }
    }
    return nil
  }
}
