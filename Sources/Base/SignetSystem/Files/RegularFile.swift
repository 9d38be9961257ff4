public import SignetBase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A regular file, opened once for reading.
///
/// Everything later said about the file concerns this descriptor: the path is not looked up again. Reading does not
/// move a position, so several threads may read at once.
public final class RegularFile: Sendable {
  /// The path by which the file was opened, for messages.
  public let path: String
  /// The size of the file in bytes when it was opened.
  public let size: Int
  /// The file's status when it was opened.
  package let status: FileStatus
  package let descriptor: Int32
  /// Whether the file belongs to this process alone, so that its bytes may be discarded.
  private let isPrivate: Bool

  /// Opens a regular file, following symbolic links as users expect for a file they name.
  ///
  /// - Throws: `file.missing`, `file.unreadable`, `file.is-directory`, `file.not-regular`.
  public convenience init(opening path: String) throws(SignetError) {
    try self.init(path, in: AT_FDCWD, path: path, flags: 0)
  }

  /// Opens a regular file unless the last component of the path is a symbolic link.
  package convenience init(openingNoFollow path: String) throws(SignetError) {
    try self.init(path, in: AT_FDCWD, path: path, flags: O_NOFOLLOW)
  }

  /// Opens a regular file by its name in an open directory, unless it is a symbolic link.
  ///
  /// - Parameter path: the name for messages.
  package convenience init(_ name: String, in folder: Int32, path: String) throws(SignetError) {
    try self.init(name, in: folder, path: path, flags: O_NOFOLLOW)
  }

  /// Takes a descriptor of a regular file that is open for reading, and closes it at the end, even if this fails.
  ///
  /// - Parameters:
  ///   - path: the name for messages.
  ///   - isPrivate: whether this process made the file for itself; ``discard(_:)`` affects only such files.
  /// - Throws: `file.unreadable`, `file.not-regular`.
  package init(
    takingOwnershipOf descriptor: Int32, path: String, isPrivate: Bool = false
  ) throws(SignetError) {
    do throws(SignetError) {
      let status = try FileStatus(of: descriptor, path: path)
      guard status.kind == .regular else {
        throw SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file")
      }
      self.path = path
      self.descriptor = descriptor
      self.status = status
      self.size = status.size
      self.isPrivate = isPrivate
    } catch {
      close(descriptor)
      throw error
    }
  }

  private init(_ name: String, in folder: Int32, path: String, flags: Int32) throws(SignetError) {
    guard !name.utf8.contains(0) else { throw SignetError(.fileMissing, path, "a path cannot contain NUL") }
    // O_NONBLOCK: opening a pipe or a device must not wait; it has no effect on a regular file.
    let number: Int32
    do throws(SystemFailure) {
      number = try SystemCall.open(Array(name.utf8), in: folder, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags)
    } catch {
      throw Self.refusal(path, error)
    }
    do throws(SignetError) {
      let status = try FileStatus(of: number, path: path)
      switch status.kind {
      case .regular: break
      case .directory: throw SignetError(.fileIsDirectory, path, "is a directory", expected: "a file")
      default: throw SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file")
      }
      self.path = path
      self.descriptor = number
      self.status = status
      self.size = status.size
      self.isPrivate = false
    } catch {
      close(number)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// The last component of the path, which is the file's name in a statement.
  public var baseName: String {
    let end = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let name = end.prefix { $0 != UInt8(ascii: "/") }
    return String(decoding: name.reversed(), as: UTF8.self)
  }

  /// Fills `buffer` from `offset` on, in as many calls as the system needs.
  ///
  /// - Throws: `file.changed` if the file ends before the buffer is full, because it has shrunk since it was opened;
  ///   `file.read-failed`.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    let count: Int
    do throws(SystemFailure) {
      count = try unsafe SystemCall.read(descriptor, into: buffer, at: offset)
    } catch {
      throw SignetError(.fileReadFailed, path, "cannot be read", cause: error)
    }
    guard count == buffer.count else {
      throw changed("it ends after \(offset + count) bytes", expected: "\(size) bytes")
    }
  }

  /// Returns the space of bytes that will not be read again, if the file is private and the file system supports it.
  ///
  /// They read as zeros afterwards. Bytes that have not yet been written to the disk need not be written any more.
  package func discard(_ range: Range<Int>) {
    #if !canImport(Darwin)
      guard isPrivate, !range.isEmpty else { return }
      // A file system that does not support this keeps the bytes.
      _ = fallocate(
        descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(range.lowerBound), off_t(range.count))
    #endif
  }

  /// Reads a range of the file from the descriptor that was opened.
  ///
  /// The bytes may have changed since they were verified, unless no other user can write the file.
  ///
  /// - Throws: `file.changed` if the file ends before the range does; `file.read-failed`.
  public func bytes(in range: Range<Int>) throws(SignetError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var failure: SignetError?
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(SignetError) { try unsafe read(into: buffer, at: range.lowerBound) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads the whole file into memory that is wiped.
  ///
  /// - Throws: `file.too-large`, `file.changed`, `file.read-failed`.
  package func secretBytes(limit: Int) throws(SignetError) -> SecretBytes {
    guard size <= limit else { throw tooLarge(limit) }
    return try unsafe SecretBytes(capacity: size) { (memory) throws(SignetError) -> Int in
      try unsafe read(into: memory, at: 0)
      return size
    }
  }

  /// Reads the whole file.
  ///
  /// - Throws: `file.too-large`, `file.changed`, `file.read-failed`.
  package func bytes(limit: Int) throws(SignetError) -> [UInt8] {
    guard size <= limit else { throw tooLarge(limit) }
    return try bytes(in: 0..<size)
  }

  private func tooLarge(_ limit: Int) -> SignetError {
    SignetError(
      .fileTooLarge, path, "is too large", expected: "at most \(limit) bytes",
      found: "\(size) bytes")
  }

  /// Checks that the file has not changed since it was opened: it has the same size, the same times of change, and no
  /// bytes after its end.
  ///
  /// A writer who resets the times within a tick of the clock is not noticed.
  ///
  /// - Throws: `file.changed`; `file.unreadable`.
  public func checkUnchanged() throws(SignetError) {
    // Files that the system generates as they are read (in /proc) report that they are empty.
    var byte: UInt8 = 0
    guard unsafe pread(descriptor, &byte, 1, off_t(size)) <= 0 else {
      throw changed("more than that", expected: "\(size) bytes")
    }
    let now = try FileStatus(of: descriptor, path: path)
    guard now.size == status.size else { throw changed("\(now.size) bytes", expected: "\(status.size) bytes") }
    guard now.modified == status.modified, now.changed == status.changed else {
      throw changed("it was written to while it was read", expected: "an unchanged file")
    }
  }

  private func changed(_ found: String, expected: String) -> SignetError {
    SignetError(
      .fileChanged, path, "changed while it was read", expected: expected, found: found,
      hint: "run the command again when nothing writes to it")
  }

  package static func refusal(_ path: String, _ failure: SystemFailure) -> SignetError {
    switch failure.number {
    case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
      SignetError(.fileMissing, path, "cannot be found", cause: failure, hint: "check the path")
    case EISDIR: SignetError(.fileIsDirectory, path, "is a directory", expected: "a file", cause: failure)
    case ENXIO:
      SignetError(.fileNotRegular, path, "is not a regular file", expected: "a regular file", cause: failure)
    default: SignetError(.fileUnreadable, path, "cannot be opened for reading", cause: failure)
    }
  }
}
