package import SignetArchive
internal import SignetBase
internal import SignetCrypto

// What becomes of a module's contents when they are unpacked.
extension ModuleContents {
  /// The contents as an extraction takes them.
  package var expectedEntries: [ExpectedEntry] {
    entries.map { entry in
      switch entry.content {
      case .file(let mode, let size, let sha256):
        ExpectedEntry(path: entry.path, content: .file(size: size, sha256: sha256, mode: mode))
      case .directory: ExpectedEntry(path: entry.path, content: .directory)
      case .symbolicLink(let target): ExpectedEntry(path: entry.path, content: .symbolicLink(target: target))
      }
    }
  }

  /// What there is afterwards, sorted by the bytes of the paths: everything with the permissions it gets then, and the
  /// directories that only other entries' paths name.
  func unpacked() -> [Entry] {
    var unpacked: [Entry] = []
    var known: Set<String> = []
    for entry in entries {
      var path = entry.path
      while let parent = EntryPath.parent(of: path), known.insert(parent).inserted {
        unpacked.append(.directory(parent))
        path = parent
      }
      switch entry.content {
      case .file(let mode, let size, let sha256):
        unpacked.append(Entry(path: entry.path, content: .file(mode: mode.unpacked, size: size, sha256: sha256)))
      case .directory: if known.insert(entry.path).inserted { unpacked.append(.directory(entry.path)) }
      case .symbolicLink: unpacked.append(entry)
      }
    }
    return unpacked.sorted { $0.path.precedesInBytes($1.path) }
  }
}

extension DirectoryListing.Entry {
  fileprivate static func directory(_ path: String) -> Self {
    Self(path: path, content: .directory(mode: .unpackedDirectory))
  }
}
