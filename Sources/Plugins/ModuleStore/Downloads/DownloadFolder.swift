package import Signet
package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A directory for one module that is being fetched. The value holds the module's lock.
///
/// `partial` has the bytes of an archive that have arrived. `archive` and `signature` are complete. `note.json` says
/// what they are of.
package struct DownloadFolder: Sendable {
  private static let partialName = "partial"
  package static let archiveName = "archive"
  private static let signatureName = "signature"
  private static let partialSignatureName = "signature-partial"
  private static let noteName = "note.json"
  private static let newNoteName = "note-new"

  private let downloads: Directory
  private let directory: Directory
  private let module: ModuleIdentifier
  private let lock: DownloadLock

  /// - Parameters:
  ///   - downloads: the store's directory for downloads.
  ///   - patience: how many milliseconds to wait for another holder of the lock.
  /// - Throws: `fetch.busy`, `store.write-failed`, `file.…`.
  package init(
    of module: ModuleIdentifier, in downloads: Directory, patience: Int = DownloadLock.patience
  ) throws(SignetError) {
    lock = try DownloadLock(module, in: downloads, patience: patience)
    // No other user can enter it.
    _ = try downloads.storing("\(module)") { () throws(SystemFailure) in
      try downloads.makeSubdirectory("\(module)", mode: 0o700)
    }
    directory = try downloads.subdirectory("\(module)")
    self.downloads = downloads
    self.module = module
  }

  /// Keeps the files of this item's earlier transfer, and removes those of any other item.
  ///
  /// - Returns: the item's note.
  /// - Throws: `store.write-failed`, `crypto.failure`.
  package func begin(_ item: DownloadItem, at time: UnixTime) throws(SignetError) -> DownloadNote {
    if let note, note.item == item { return note }
    try directory.storing { () throws(SystemFailure) in try directory.removeContents() }
    let note = DownloadNote(of: item, begun: time)
    try write(note)
    return note
  }

  /// The note on what is there; nil if it cannot be read.
  package var note: DownloadNote? {
    guard let file = try? directory.file(Self.noteName), let text = try? file.bytes(limit: DownloadNote.limits.size)
    else { return nil }
    return try? DownloadNote(text)
  }

  /// Writes the note, whole or not at all.
  ///
  /// - Throws: `store.write-failed`.
  package func write(_ note: DownloadNote) throws(SignetError) {
    try new(Self.newNoteName).append(note.text())
    try rename(Self.newNoteName, to: Self.noteName)
  }

  /// The archive, if it is complete.
  ///
  /// - Throws: errors of opening it.
  package func archive() throws(SignetError) -> RegularFile? { try whole(Self.archiveName) }

  /// The file with bundles, if it is complete.
  ///
  /// - Throws: errors of opening it.
  package func signature() throws(SignetError) -> RegularFile? { try whole(Self.signatureName) }

  /// Whether everything of an item is complete.
  ///
  /// - Throws: errors of opening it.
  package func isWhole(_ item: DownloadItem) throws(SignetError) -> Bool {
    guard try archive() != nil else { return false }
    guard item.signatureSource != nil else { return true }
    return try signature() != nil
  }

  private func whole(_ name: String) throws(SignetError) -> RegularFile? {
    do throws(SignetError) { return try directory.file(name) } catch  where error.code == .fileMissing { return nil }
  }

  /// The file for the archive's bytes: the existing one if it can be continued, or a new one.
  ///
  /// - Throws: `store.write-failed`.
  package func partialArchive(goesOn: Bool) throws(SignetError) -> AppendedFile {
    if goesOn, let file = try? open(Self.partialName, isNew: false) { return file }
    return try new(Self.partialName)
  }

  /// A new file for the bundles.
  ///
  /// - Throws: `store.write-failed`.
  package func partialSignature() throws(SignetError) -> AppendedFile { try new(Self.partialSignatureName) }

  private func new(_ name: String) throws(SignetError) -> AppendedFile {
    try directory.storing(name) { () throws(SystemFailure) in try directory.removeTree(named: name) }
    return try open(name, isNew: true)
  }

  private func open(_ name: String, isNew: Bool) throws(SignetError) -> AppendedFile {
    try AppendedFile(name, in: directory, isNew: isNew) { .storeWriteFailed($0, $1) }
  }

  private func rename(_ name: String, to newName: String) throws(SignetError) {
    try directory.storing(newName) { () throws(SystemFailure) in
      try directory.replace(newName, in: directory, with: name)
    }
  }

  /// Marks the archive as complete.
  ///
  /// - Throws: `store.write-failed`.
  package func finishArchive() throws(SignetError) { try rename(Self.partialName, to: Self.archiveName) }

  /// Marks the bundles as complete.
  ///
  /// - Throws: `store.write-failed`.
  package func finishSignature() throws(SignetError) {
    try rename(Self.partialSignatureName, to: Self.signatureName)
  }

  /// Removes all of it. The value keeps the lock.
  package func remove() { try? downloads.removeTree(named: "\(module)") }
}

/// The right to fetch a module, which one host of a store has at a time.
///
/// All modules share one file, which is never removed. Each module locks one byte of it, whose number is the beginning
/// of the module's digest. The file is empty; locks may be beyond a file's end (fcntl(2)).
final class DownloadLock: Sendable {
  static let name = "lock"
  /// Two seconds. A program that a host is just starting has the host's descriptors, with their locks, until it becomes
  /// that program.
  static let patience = 2000

  private let file: LockFile

  /// - Parameter patience: how many milliseconds to wait for another holder.
  /// - Throws: `fetch.busy`, `store.write-failed`.
  init(_ module: ModuleIdentifier, in folder: Directory, patience: Int = patience) throws(SignetError) {
    let digest = try Digest.of(Array("\(module)".utf8), .sha256)
    let byte = digest.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & (Int64.max >> 1)
    let isTaken: Bool
    do throws(SystemFailure) {
      file = try LockFile(Self.name, in: folder, isMade: true)
      isTaken = try file.take(.exclusive, byte: byte, patience: patience)
    } catch {
      throw .storeWriteFailed(folder.shown(Array(Self.name.utf8)), error)
    }
    guard !isTaken else { return }
    throw SignetError(
      .fetchBusy, "\(module)", "is being downloaded by another host that uses the same store",
      hint: "try again when the other download has ended")
  }
}
