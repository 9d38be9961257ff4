internal import SignetBase
internal import SignetFiles
internal import SignetSystem

// Replacing a directory that cannot be moved out of its place.
extension StoreFolder {
  /// The greatest number of names in a directory that are compared. A directory with more is replaced as a whole. The
  /// limit is twice the number of entries that an archive may have.
  private static let nameLimit = 40_000

  /// Makes a directory equal to another, entry by entry: files are renamed over files, and what the other lacks is
  /// removed.
  ///
  /// If a store's lower layer is read-only (overlayfs, as in containers), a directory of it cannot be renamed, but
  /// files can. A process that has the directory open finds each file by its name: the old file or the new one. If this
  /// process is killed in between, the directory is not as it was signed, just as it was before. Another run repairs
  /// it.
  func overwrite(_ target: StoreFolder, _ newName: String, with name: String) throws(SignetError) {
    guard let old = try? target.folder(newName), let present = try? old.textNames() else {
      // It is not a directory, or not one that a store has made.
      try target.remove(newName)
      return try move(name, to: target, as: newName)
    }
    let new = try folder(name)
    let names = try new.names(upTo: Self.nameLimit)
    let wanted = Set(names)
    for extra in present where !wanted.contains(extra) { try old.remove(extra) }
    for entry in names {
      if try new.isFolder(entry) {
        try new.overwrite(old, entry, with: entry)
      } else {
        if try old.isFolder(entry) { try old.remove(entry) }
        try new.replace(old, entry, with: entry)
      }
    }
    try old.share()
  }

  /// The names in it; nil if there are too many, or some are not text.
  private func textNames() throws(SignetError) -> [String]? {
    let found: (names: [[UInt8]], isWhole: Bool)
    do throws(SystemFailure) { found = try directory.names(upTo: Self.nameLimit) } catch {
      throw failed(nil, error)
    }
    let texts = found.names.compactMap { String(validating: $0, as: UTF8.self) }
    return found.isWhole && texts.count == found.names.count ? texts : nil
  }

  /// Whether a name is that of a directory, not of a link to one.
  private func isFolder(_ name: String) throws(SignetError) -> Bool {
    do throws(SystemFailure) {
      return try directory.status(of: name)?.kind == .directory
    } catch {
      throw failed(name, error)
    }
  }
}

extension SignetError {
  /// Whether a directory could not be renamed because it is in another layer of the file system than its new place
  /// (rename(2), EXDEV).
  var isAboutLayers: Bool { (cause as? SystemFailure)?.isAcrossFileSystems == true }
}
