package import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import CLinux
  internal import Glibc
#endif

/// The file system that holds a directory.
package enum FileSystem {
  /// A local file system with its number (statfs(2) and the kernel's `include/uapi/linux/magic.h`).
  ///
  /// The number is 0 on systems that have none.
  case local(magic: UInt64)
  /// A file system on another machine, on systems that report this.
  case remote

  /// Examines an open directory.
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
