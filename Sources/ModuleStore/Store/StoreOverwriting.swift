internal import SignetBase
internal import SignetSystem

// What becomes of a directory that cannot be moved out of its place.
extension StoreFolder {
  /// Names in a directory at most that are compared; one with more is replaced as a whole. Twice as many as an archive
  /// has entries.
  private static let nameLimit = 40_000

  /// Makes a directory what another is, entry by entry: files are renamed over files, and what is not in the other is
  /// removed.
  ///
  /// Where a store's lower layer is read-only (overlayfs, as in containers), a directory of it cannot be renamed, but
  /// files can be. A process that has the directory open finds each file by its name: the old file or the new one.
  /// Killed in between, it leaves a directory that is not as it was signed, as it was before; it is repaired by another
  /// run.
  func overwrite(_ target: StoreFolder, _ newName: String, with name: String) throws(SignetError) {
    guard let old = try? target.folder(newName), let present = try? old.textNames() else {
      // No directory, or one of somebody else's making.
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

  /// The names in it; nil where there are too many, or some are no text.
  private func textNames() throws(SignetError) -> [String]? {
    let found: (names: [[UInt8]], isWhole: Bool)
    do throws(SystemFailure) { found = try directory.names(upTo: Self.nameLimit) } catch {
      throw failed(nil, error)
    }
    let texts = found.names.compactMap { String(validating: $0, as: UTF8.self) }
    return found.isWhole && texts.count == found.names.count ? texts : nil
  }

  /// Whether a name is that of a directory, and not of a link to one.
  private func isFolder(_ name: String) throws(SignetError) -> Bool {
    do throws(SystemFailure) {
      return try directory.status(of: name)?.kind == .directory
    } catch {
      throw failed(name, error)
    }
  }
}

extension SignetError {
  /// Whether a directory could not be renamed because it lies in another layer of the file system than its new place
  /// (rename(2), EXDEV).
  var isAboutLayers: Bool { (cause as? SystemFailure)?.isAcrossFileSystems == true }
}
