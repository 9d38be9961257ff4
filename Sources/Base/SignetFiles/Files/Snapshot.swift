package import SignetBase
package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A private copy of bytes in a file without a name, to be read again.
///
/// The copy stays the same, whatever happens to the file that the bytes came from.
@safe package final class Snapshot {
  private let descriptor: Int32
  private let path: String
  /// The number of bytes in the copy.
  private var size = 0
  private var isFinished = false

  /// Creates an empty snapshot.
  ///
  /// - Parameters:
  ///   - folder: the folder whose file system holds the bytes; no entry appears in it.
  ///   - path: the name for messages: the file that is copied.
  ///   - mayBeUnnamed: false to avoid O_TMPFILE even where it exists, which is for tests.
  /// - Throws: `extraction.failed`.
  package init(in folder: String, of path: String, mayBeUnnamed: Bool = true) throws(SignetError) {
    self.path = path
    let unnamed = mayBeUnnamed ? Self.openUnnamed(folder) : -1
    descriptor = try unnamed >= 0 ? unnamed : Self.openNamed(folder, path)
  }

  deinit { if !isFinished { close(descriptor) } }

  private static func openUnnamed(_ folder: String) -> Int32 {
    #if canImport(Darwin)
      return -1
    #else
      return unsafe open(folder, O_RDWR | O_CLOEXEC | O_TMPFILE, 0o600)
    #endif
  }

  /// Opens a file under a random name and removes the name at once, for file systems without unnamed files.
  private static func openNamed(_ folder: String, _ path: String) throws(SignetError) -> Int32 {
    let name = "\(folder)/\(TemporaryName.make(".tmp"))"
    let descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failed(path, .last("open")) }
    guard unsafe unlink(name) == 0 else {
      let failure = SystemFailure.last("unlink")
      close(descriptor)
      throw failed(path, failure)
    }
    return descriptor
  }

  /// Appends bytes.
  ///
  /// - Throws: `extraction.failed`.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SignetError) {
    do throws(SystemFailure) {
      try unsafe SystemCall.write(descriptor, bytes)
    } catch {
      throw Self.failed(path, error)
    }
    size += bytes.count
  }

  /// Appends bytes.
  ///
  /// - Throws: `extraction.failed`.
  package func append(_ bytes: [UInt8]) throws(SignetError) {
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SignetError) { try unsafe append(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Appends what a descriptor gives up to its end, such as a pipe.
  ///
  /// - Throws: `file.read-failed`, `extraction.failed`.
  package func append(contentsOf descriptor: Int32) throws(SignetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { unsafe buffer.deallocate() }
    while true {
      let count: Int
      do throws(SystemFailure) { count = try unsafe SystemCall.read(descriptor, into: buffer) } catch {
        throw SignetError(.fileReadFailed, path, "cannot be read", cause: error)
      }
      guard count > 0 else { return }
      try unsafe append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Returns the bytes for reading; nothing may be appended afterwards.
  ///
  /// - Throws: `file.unreadable`; `file.changed` if the copy does not have the expected size.
  package func finish() throws(SignetError) -> RegularFile {
    isFinished = true
    let file = try RegularFile(takingOwnershipOf: descriptor, path: path, isPrivate: true)
    guard file.size == size else {
      throw SignetError(
        .fileChanged, path, "has a copy of another size", expected: "\(size) bytes",
        found: "\(file.size) bytes")
    }
    return file
  }

  private static func failed(_ path: String, _ failure: SystemFailure) -> SignetError {
    SignetError(
      .extractionFailed, path, "cannot be copied for inspection", cause: failure,
      hint: "check that the folder for temporary files is writable and has space")
  }
}
