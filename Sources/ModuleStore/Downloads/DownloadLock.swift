internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The right to fetch a module, which of all hosts of a store one has at a time.
///
/// All share one file, which is never removed, and each module has a byte of it: the one whose number its digest begins with. The file
/// is empty, and locks may lie behind a file's end (fcntl(2)).
final class DownloadLock: Sendable {
  static let name = "lock"
  /// Two seconds: a program that a host is just starting has the host's descriptors until it becomes that program, and their
  /// locks with them.
  static let patience = 2000

  private let file: LockFile

  /// - Parameter patience: milliseconds to wait for another that has it.
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
      .fetchBusy, "\(module)", "is being fetched by another host of the store",
      hint: "try again when the other has finished")
  }
}
