package import SignetArchive
package import SignetBase
internal import SignetCrypto

extension ModuleDescription {
  /// Makes sure that an archive holds what the description names: binaries and libraries as regular files, resources
  /// as files or directories. Links do not do: what they lead to has a path of its own.
  ///
  /// - Throws: `module.missing-file`.
  package func check(against entries: [ArchiveEntry]) throws(SignetError) {
    var files: Set<String> = []
    var directories: Set<String> = []
    for entry in entries {
      switch entry.content {
      case .file: files.insert(entry.path)
      case .directory: directories.insert(entry.path)
      case .symbolicLink: break
      }
      // Directories need no entry of their own. What is known has had its parents noted.
      var path = entry.path
      while let parent = EntryPath.parent(of: path), directories.insert(parent).inserted { path = parent }
    }
    for (platform, binary) in binaries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try Self.require(binary.path, in: files, "the binary for \(platform)")
      for library in binary.libraries { try Self.require(library, in: files, "a library for \(platform)") }
    }
    for resource in resources where !directories.contains(resource) {
      try Self.require(resource, in: files, "a resource")
    }
  }

  private static func require(_ path: String, in files: Set<String>, _ role: String) throws(SignetError) {
    guard !files.contains(path) else { return }
    throw SignetError(
      .moduleMissingFile, path, "is \(role) by \(Self.path), and no such file is in the module",
      expected: role == "a resource" ? "a file or directory" : "a regular file")
  }
}
