#if canImport(Glibc)
  internal import Glibc

  /// The lock of somebody else on a store: a lock is of an open file (F_OFD_SETLK, fcntl(2)), so it keeps this process out,
  /// too, where that opens the file itself.
  final class HeldLock {
    private let path: String
    private let descriptor: Int32

    /// Opens the file of the lock, and takes nothing.
    init(_ path: String) throws {
      self.path = path
      descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { throw BenchFailure(system: "open", path) }
    }

    deinit { close(descriptor) }

    /// Keeps all others out. Having it already is as good.
    func take() throws { try set(F_WRLCK) }

    /// Lets others in.
    func release() throws { try set(F_UNLCK) }

    private func set(_ kind: Int32) throws {
      var lock = flock()
      lock.l_type = Int16(kind)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_len = 1
      guard unsafe fcntl(descriptor, F_OFD_SETLK, &lock) == 0 else { throw BenchFailure(system: "fcntl", path) }
    }
  }
#endif
