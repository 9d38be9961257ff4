package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that is open and locked by this process (F_SETLK, fcntl(2)) for the lifetime of the value.
///
/// A forked process does not have the lock. It would have a lock of the open file (``OpenFileLock``): then a crash of
/// this process would not show until its children have ended, too.
///
/// A lock of the process ends when the process closes any descriptor of the file. So a file that is locked here is
/// never opened a second time.
package final class ProcessLockedFile: Sendable {
  let descriptor: Int32
  private let name: String
  private let folder: Directory
  private let identity: FileStatus.Identity

  /// The files that this process has locked. A thread that opens or closes one holds this monitor.
  private static let locked = Monitor<Set<FileStatus.Identity>>([])

  /// Opens a regular file and locks it.
  ///
  /// - Parameter isNew: whether the file is created; it must not exist.
  /// - Returns: nil if the file is locked, by another process or by this one, or is not a regular file.
  package static func open(
    _ name: String, in folder: Directory, isNew: Bool
  ) throws(SystemFailure) -> ProcessLockedFile? {
    try locked.withLock { (locked) throws(SystemFailure) in
      if !isNew {
        let status = try FileStatus(of: Array(name.utf8), in: folder.descriptor)
        guard status.kind == .regular, !locked.contains(status.identity) else { return nil }
      }
      let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
      let number = try SystemCall.open(
        Array(name.utf8), in: folder.descriptor, isNew ? flags | O_CREAT | O_EXCL : flags)
      do throws(SystemFailure) {
        guard let identity = try lock(number, except: locked) else { return nil }
        locked.insert(identity)
        return ProcessLockedFile(number, name, in: folder, identity)
      } catch {
        // If the file cannot be locked, nothing would remove it later.
        if isNew { unsafe unlinkat(folder.descriptor, name, 0) }
        throw error
      }
    }
  }

  /// Locks an open file.
  ///
  /// - Returns: the file's identity; nil if the lock cannot be had. The descriptor is then closed, unless this
  ///   process has locked the file before.
  private static func lock(
    _ descriptor: Int32, except locked: Set<FileStatus.Identity>
  ) throws(SystemFailure) -> FileStatus.Identity? {
    let status: FileStatus
    do throws(SystemFailure) { status = try FileStatus(of: descriptor) } catch {
      close(descriptor)
      throw error
    }
    // Another file may have got the name since the check, and this process may have locked that file. Closing the
    // descriptor would release that lock.
    guard !locked.contains(status.identity) else { return nil }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    guard status.kind == .regular, unsafe fcntl(descriptor, F_SETLK, &range) == 0 else {
      let failure = SystemFailure.last("fcntl")
      close(descriptor)
      guard status.kind == .regular, ![EAGAIN, EACCES].contains(failure.number) else { return nil }
      throw failure
    }
    return status.identity
  }

  private init(_ descriptor: Int32, _ name: String, in folder: Directory, _ identity: FileStatus.Identity) {
    self.descriptor = descriptor
    self.name = name
    self.folder = folder
    self.identity = identity
  }

  deinit {
    LastWords.forget(descriptor)
    Self.locked.withLock { locked in
      close(descriptor)
      locked.remove(identity)
    }
  }

  /// Whether the file still has a name; another process may have removed it before it was locked.
  package var isNamed: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// When the file was last written; nil if that cannot be determined.
  package var modified: FileStatus.Time? { (try? FileStatus(of: descriptor))?.modified }

  /// The file's bytes, at most `limit` of them; nil if they cannot be read.
  package func bytes(upTo limit: Int) -> [UInt8]? {
    guard let status = try? FileStatus(of: descriptor) else { return nil }
    let size = min(status.size, limit)
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe pread(descriptor, buffer.baseAddress, size, 0)
    }
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) throws(SystemFailure) { try SystemCall.write(descriptor, bytes) }

  /// Removes the file.
  package func remove() { unsafe unlinkat(folder.descriptor, name, 0) }
}
