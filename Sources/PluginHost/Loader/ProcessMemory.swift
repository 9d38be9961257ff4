#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The memory of this process.
enum ProcessMemory {
  /// Bytes of a page: what is mapped begins and ends with one.
  static let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))
}
