internal import Signet
internal import SignetCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A note that a release is being loaded: an open and locked file in `loading/`, for as long as that lasts. A process that crashes leaves
/// the file behind, and its lock goes with it.
///
/// The note need not outlive a loss of power, so nothing is synced: it costs a start next to nothing.
final class LoadingMark: Sendable {
  /// The directory with the notes.
  static let folderName = "loading"
  /// Notes that are looked at, at once.
  private static let limit = 4096
  /// Bytes of a note at most: an identifier and a number.
  private static let sizeLimit = 512

  private let folder: StoreFolder
  private let name: String
  private let descriptor: Int32

  /// Leaves a note.
  ///
  /// - Throws: `store.write-failed`, `file.…`.
  init(_ identifier: ModuleIdentifier, _ sequence: Int, in store: ModuleStore) throws(SignetError) {
    if try store.root.makeFolder(Self.folderName) { try store.root.folder(Self.folderName).share() }
    folder = try store.root.folder(Self.folderName)
    name = String(UInt64.random(in: .min ... .max), radix: 36)
    let number = unsafe openat(
      folder.directory.descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw folder.failed(name, .last("openat")) }
    descriptor = number
    // From here on a throw ends a whole value: its end takes the note away, and closes the descriptor.
    do throws(SystemFailure) {
      guard try OpenFileLock.take(.exclusive, of: descriptor) else { throw SystemFailure("fcntl", number: EAGAIN) }
    } catch {
      throw folder.failed(name, error)
    }
    var failure: SystemFailure?
    unsafe Array("\(identifier) \(sequence)\n".utf8).withUnsafeBytes { bytes in
      do throws(SystemFailure) { try unsafe SystemCall.write(descriptor, bytes) } catch { failure = error }
    }
    if let failure { throw folder.failed(name, failure) }
  }

  /// The release was loaded, or refused in order: the process lives.
  deinit {
    unsafe unlinkat(folder.directory.descriptor, name, 0)
    close(descriptor)
  }

  /// Counts the notes of processes that are gone, and takes them away.
  ///
  /// - Parameter count: gets what they were loading, as they noted it. When it throws, this note and what is left stay for the next time.
  /// - Throws: `file.…`, `store.write-failed`, and what `count` throws.
  static func collect(
    in store: ModuleStore, _ count: (ModuleIdentifier, Int) throws(SignetError) -> Void
  ) throws(SignetError) {
    let folder: StoreFolder
    do throws(SignetError) { folder = try store.root.folder(folderName) } catch  where error.code == .fileMissing {
      return
    }
    for name in try folder.names(upTo: limit) {
      let descriptor = unsafe openat(
        folder.directory.descriptor, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard descriptor >= 0 else { continue }
      // Whoever has the lock takes it away: of two hosts that start at once, one counts it.
      guard (try? OpenFileLock.take(.exclusive, of: descriptor)) == true else {
        close(descriptor)
        continue
      }
      // Somebody else may have counted it between the two.
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
        close(descriptor)
        continue
      }
      // It keeps the lock until the note is gone.
      let text = try? RegularFile(takingOwnershipOf: descriptor, path: name)
      defer { withExtendedLifetime(text) {} }
      if let (identifier, sequence) = text.flatMap(Self.read) { try count(identifier, sequence) }
      unsafe unlinkat(folder.directory.descriptor, name, 0)
    }
  }

  private static func read(_ text: RegularFile) -> (ModuleIdentifier, Int)? {
    guard text.size <= sizeLimit, let bytes = try? text.bytes(in: 0..<text.size) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let identifier = ModuleIdentifier(String(words[0])), let sequence = Int(words[1]) else {
      return nil
    }
    return (identifier, sequence)
  }
}
