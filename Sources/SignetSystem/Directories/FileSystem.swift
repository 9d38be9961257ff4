#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import CLinux
  internal import Glibc
#endif

/// What the system says of the file system that something lies on.
package enum FileSystem {
  /// Its number (statfs(2) and the kernel's `include/uapi/linux/magic.h`); 0 where systems have none.
  case local(magic: UInt64)
  /// One of another machine, where systems say so.
  case remote

  /// Asks about an open directory.
  package init(of directory: Directory) throws(SystemFailure) {
    var status = statfs()
    guard unsafe fstatfs(directory.descriptor, &status) == 0 else { throw .last("fstatfs") }
    #if canImport(Darwin)
      self = status.f_flags & UInt32(MNT_LOCAL) == 0 ? .remote : .local(magic: 0)
    #else
      self = .local(magic: UInt64(truncatingIfNeeded: status.f_type))
    #endif
  }
}
