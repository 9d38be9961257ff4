internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The right to fetch a module, which of all hosts of a store one has at a time.
///
/// All share one file, which is never removed, and each module has a byte of it: the one whose number its digest begins with. The file
/// is empty, and locks may lie behind a file's end (fcntl(2)).
final class DownloadLock: Sendable {
  static let name = "lock"
  /// Two seconds: a program that a host is just starting has the host's descriptors until it becomes that program, and their
  /// locks with them.
  static let patience = 2000

  private let descriptor: Int32

  /// - Parameter patience: milliseconds to wait for another that has it.
  /// - Throws: `fetch.busy`, `store.write-failed`.
  init(_ module: ModuleIdentifier, in folder: Directory, patience: Int = patience) throws(SignetError) {
    let digest = try Digest.of(Array("\(module)".utf8), .sha256)
    let byte = digest.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & (Int64.max >> 1)
    descriptor = try folder.openFile(Self.name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    // When that throws the value ends, which closes it.
    try Self.take(descriptor, byte, module, folder, patience)
  }

  deinit { close(descriptor) }

  private static func take(
    _ descriptor: Int32, _ byte: Int64, _ module: ModuleIdentifier, _ folder: Directory, _ patience: Int
  ) throws(SignetError) {
    let isTaken: Bool
    do throws(SystemFailure) {
      isTaken = try OpenFileLock.take(.exclusive, of: descriptor, byte: byte, patience: patience)
    } catch {
      throw .storeWriteFailed(folder.shown(Array(name.utf8)), error)
    }
    guard !isTaken else { return }
    throw SignetError(
      .fetchBusy, "\(module)", "is being fetched by another host of the store",
      hint: "try again when the other has finished")
  }
}
