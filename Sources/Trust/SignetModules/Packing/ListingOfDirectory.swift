package import SignetBase
internal import SignetCrypto
package import SignetSystem
package import SignetVerify

extension DirectoryListing {
  /// Lists a directory to sign it.
  ///
  /// Scans the directory, reads its files on all cores, and then checks that nothing has changed meanwhile.
  ///
  /// - Throws: `path.…`, `directory.entry-count`, `directory.special-file`, `directory.special-mode`, `file.changed`,
  ///   `file.unreadable`, `file.read-failed`, `crypto.failure`.
  package init(of directory: Directory, progress: ProgressCounter?) throws(SignetError) {
    let scan = try DirectoryScan(directory, limits: Self.scanLimits)
    // Checks that need no file content come first, so that a large file is not read for nothing.
    let unread = try Digest.of([], .sha256)
    var entries: [Entry] = []
    for found in scan.entries { entries.append(try Entry(found, in: directory, sha256: unread)) }
    do throws(SignetError) {
      try Self.checkEntries(entries)
    } catch {
      throw error.about(directory.shown(Array(error.object.utf8)))
    }
    let files = entries.indices.filter { scan.entries[$0].status.kind == .regular }
    let digests = try directory.sha256(of: files.map { scan.entries[$0] }, progress: progress)
    for (index, digest) in zip(files, digests) {
      entries[index] = try Entry(scan.entries[index], in: directory, sha256: digest)
    }
    try scan.checkUnchanged(directory, limits: Self.scanLimits)
    try self.init(entries)
  }
}

extension DirectoryListing.Entry {
  /// Describes a scanned entry, unless it cannot be signed.
  fileprivate init(_ found: DirectoryScan.Entry, in directory: Directory, sha256: Digest) throws(SignetError) {
    let shown = directory.shown(found.path)
    let path = try found.name(shown)
    let content: DirectoryListing.Content
    switch found.status.kind {
    case .regular:
      content = .file(mode: try Self.mode(found, shown), size: found.status.size, sha256: sha256)
    case .directory: content = .directory(mode: try Self.mode(found, shown))
    case .symbolicLink: content = .symbolicLink(target: try found.linkTarget(shown))
    case .other: throw DirectoryScan.Entry.isSpecial(shown)
    }
    self.init(path: path, content: content)
  }

  private static func mode(_ found: DirectoryScan.Entry, _ shown: String) throws(SignetError) -> FileMode {
    guard let mode = FileMode(bits: found.status.mode) else {
      throw SignetError(
        .directorySpecialMode, shown, "has set-user-ID, set-group-ID or the sticky bit", expected: "0000 to 0777",
        found: FileMode.text(found.status.mode), hint: "remove that bit with chmod")
    }
    return mode
  }
}

/// The texts of a scanned entry.
extension DirectoryScan.Entry {
  /// The path.
  ///
  /// - Throws: `path.not-utf8`.
  package func name(_ shown: String) throws(SignetError) -> String {
    try Self.text(path, shown, "has a name that is not UTF-8")
  }

  /// Where a symbolic link leads.
  ///
  /// - Throws: `path.not-utf8`.
  package func linkTarget(_ shown: String) throws(SignetError) -> String {
    try Self.text(target ?? [], shown, "is a link whose target is not UTF-8")
  }

  /// The error for an entry that can be neither signed nor packed.
  package static func isSpecial(_ shown: String) -> SignetError {
    SignetError(
      .directorySpecialFile, shown, "is not a file, a directory or a symbolic link",
      expected: "files, directories and symbolic links", found: "a pipe, device or socket", hint: "remove it")
  }

  private static func text(_ bytes: [UInt8], _ shown: String, _ message: String) throws(SignetError) -> String {
    guard UTF8Check.firstFault(in: bytes) == nil else {
      throw SignetError(.pathNotUTF8, shown, message, hint: "rename it")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
