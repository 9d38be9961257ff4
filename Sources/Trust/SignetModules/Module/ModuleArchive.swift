package import SignetArchive
package import SignetBase
internal import SignetNames
package import SignetVerify

extension OpenedArchive {
  /// The module's description.
  ///
  /// - Throws: `module.missing-file` if the archive has no description, `module.…`, `archive.…`.
  package func moduleDescription() throws(SignetError) -> ModuleDescription {
    let module = try uncheckedDescription()
    try module.check(against: entries)
    return module
  }

  /// The module's description, without the comparison with the other entries.
  ///
  /// - Throws: `module.missing-file` if the archive has no description, `module.…`, `archive.…`.
  package func uncheckedDescription() throws(SignetError) -> ModuleDescription {
    guard let entry = entries.first(where: { $0.path.isExactly(ModuleDescription.path) }) else {
      throw SignetError(
        .moduleMissingFile, ModuleDescription.path, "is missing, so the archive is not a module",
        hint: "put a module.json at its root; docs/format.md describes it")
    }
    return try ModuleDescription(json: bytes(of: entry, limit: JSONLimits.moduleDescription.size))
  }
}

extension ModulePredicate {
  /// Checks that the statement is about this archive.
  ///
  /// The format, each entry, the files that the description names, and the description itself must match.
  ///
  /// - Throws: `module.contents-mismatch`, `module.missing-file`, and what reading the archive's description throws.
  package func checkArchive(_ opened: OpenedArchive) throws(SignetError) {
    guard opened.format == archive.format else {
      throw SignetError(
        .moduleContentsMismatch, "archive", "has another format than its statement says",
        expected: "\(archive.format)", found: "\(opened.format)")
    }
    try contents.checkEntries(opened.entries)
    try module.check(against: opened.entries)
    // Programs that unpack the archive use the description in it, and a policy uses the one in the statement.
    guard try described(by: opened) == module else { throw Self.otherDescription(nil) }
  }

  private func described(by opened: OpenedArchive) throws(SignetError) -> ModuleDescription {
    do throws(SignetError) {
      return try opened.uncheckedDescription()
    } catch {
      let isAboutArchive = error.code == .moduleMissingFile || Set.aboutArchives.contains(error.code)
      guard !isAboutArchive, !error.isAboutReading else { throw error }
      throw Self.otherDescription(error)
    }
  }

  private static func otherDescription(_ cause: SignetError?) -> SignetError {
    SignetError(
      .moduleContentsMismatch, ModuleDescription.path, "does not describe the module that the statement describes",
      expected: "the same description", found: "another", cause: cause,
      hint: "ask the publisher for a release whose statement is about its archive")
  }
}

extension ModuleContents {
  /// Checks that an archive's structure is the signed one: each entry, and no others.
  ///
  /// The bytes of its files are not compared here. They are hashed as they are unpacked.
  ///
  /// - Throws: `module.contents-mismatch`.
  func checkEntries(_ found: [ArchiveEntry]) throws(SignetError) {
    let found = found.sorted { $0.path.precedesInBytes($1.path) }
    for (expected, entry) in zip(entries, found) {
      guard expected.path.isExactly(entry.path) else { throw Self.mismatch(entry.path, expected.path, entry.path) }
      guard expected.isSameKind(as: entry) else {
        throw Self.mismatch(entry.path, expected.structure, entry.structure)
      }
    }
    guard entries.count == found.count else {
      throw Self.mismatch("archive", "\(entries.count) entries", "\(found.count) entries")
    }
  }

  private static func mismatch(_ path: String, _ expected: String, _ found: String) -> SignetError {
    SignetError(
      .moduleContentsMismatch, path, "is not what the statement lists", expected: expected, found: found,
      hint: "ask the publisher for a release whose statement is about its archive")
  }

  /// The contents in the form that an extraction takes.
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
}

extension DirectoryListing.Entry {
  /// Whether an archive's structure says the same about an entry.
  fileprivate func isSameKind(as found: ArchiveEntry) -> Bool {
    switch (content, found.content) {
    case (.file(let mode, let size, _), .file(let foundSize)): mode == found.mode && size == foundSize
    case (.directory(let mode), .directory): mode == found.mode
    case (.symbolicLink(let target), .symbolicLink(let foundTarget)): target.isExactly(foundTarget)
    default: false
    }
  }

  /// What an archive's structure says about such an entry, for messages.
  fileprivate var structure: String {
    switch content {
    case .file(let mode, let size, _): "file \(mode), \(size) bytes"
    case .directory(let mode): "directory \(mode)"
    case .symbolicLink(let target): "link to \(target)"
    }
  }
}

extension ArchiveEntry {
  fileprivate var structure: String {
    switch content {
    case .file(let size): "file \(mode), \(size) bytes"
    case .directory: "directory \(mode)"
    case .symbolicLink(let target): "link to \(target)"
    }
  }
}

extension ModuleDescription {
  /// Checks that an archive holds what the description names.
  ///
  /// Binaries and libraries must be regular files, and resources must be files or directories. Links do not count:
  /// the target of a link has a path of its own.
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
      // Directories need no entry of their own. If a path is known, its parents are known too.
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
