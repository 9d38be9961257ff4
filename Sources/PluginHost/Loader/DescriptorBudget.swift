internal import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// How many descriptors this process may have (getrlimit(2), RLIMIT_NOFILE), and how many it has.
///
/// Each library of a module keeps one for good. A host without any cannot open a file or a connection any more, so modules leave it some.
struct DescriptorBudget: Hashable, Sendable {
  /// How many there may be.
  let limit: Int
  /// How many there are.
  let used: Int

  /// How many may still be opened.
  var free: Int { max(0, limit - used) }
  /// How many modules leave to their host: an eighth of what it may have, which is 128 of the usual 1024; at least as many as a small
  /// program uses, and no more than a large server needs.
  var reserve: Int { min(max(limit / 8, 32), 1024) }
  /// Whether the host should know: as many again are left as are kept for it.
  var isLow: Bool { free < 2 * reserve }

  /// Whether some more leave the reserve.
  func allows(_ count: Int) -> Bool { count <= free - reserve }

  #if os(Linux)
    /// What holds at this moment; nil where there is no limit, or where it cannot be told.
    static func now() -> DescriptorBudget? {
      var limits = rlimit()
      guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0,
        let limit = Int(exactly: limits.rlim_cur), let used = count()
      else { return nil }
      return DescriptorBudget(limit: limit, used: used)
    }

    /// Kernels since 6.2 say it as the directory's size (proc_pid_fd(5)); with others it is counted.
    private static func count() -> Int? {
      guard let status = try? FileStatus(at: "/proc/self/fd") else { return nil }
      if status.size > 0 { return status.size }
      guard let directory = unsafe opendir("/proc/self/fd") else { return nil }
      defer { unsafe closedir(directory) }
      // Not `.`, `..` and this directory's own.
      var count = -3
      while unsafe readdir(directory) != nil { count += 1 }
      return count
    }
  #else
    static func now() -> DescriptorBudget? { nil }
  #endif

  /// Why a module is not loaded.
  func exhausted(_ object: String, _ count: Int) -> SignetError {
    SignetError(
      .loaderDescriptors, object, "needs file descriptors that are reserved for the host",
      expected: "\(count) and a reserve of \(reserve)", found: "\(free) of \(limit)", hint: Self.hint)
  }

  /// What the host is told before it comes to that.
  var warning: SignetError {
    SignetError(
      .loaderDescriptorsLow, "this process", "has few file descriptors left, and each library of a module needs one",
      expected: "at least \(2 * reserve)", found: "\(free) of \(limit)", hint: Self.hint)
  }

  private static let hint = "raise the limit of the host's open files: ulimit -n, LimitNOFILE=, or setrlimit(2)"
}
