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
/// Each library of a module keeps one for good. A host without descriptors can open no file and no connection, so
/// modules leave it some.
struct DescriptorBudget: Hashable, Sendable {
  /// The greatest number of descriptors.
  let limit: Int
  /// The number of open descriptors.
  let used: Int

  /// How many may still be opened.
  var free: Int { max(0, limit - used) }
  /// How many modules leave to their host. This is an eighth of the limit, which is 128 of the usual 1024; at least as
  /// many as a small program uses, and at most as many as a large server needs.
  var reserve: Int { min(max(limit / 8, 32), 1024) }
  /// Whether the host should be told: fewer than twice the reserve are left.
  var isLow: Bool { free < 2 * reserve }

  /// Whether opening some more leaves the reserve.
  func allows(_ count: Int) -> Bool { count <= free - reserve }

  #if os(Linux)
    /// The budget at this moment; nil if there is no limit, or it cannot be determined.
    static func now() -> DescriptorBudget? {
      var limits = rlimit()
      guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0,
        let limit = Int(exactly: limits.rlim_cur), let used = count()
      else { return nil }
      return DescriptorBudget(limit: limit, used: used)
    }

    /// Kernels since 6.2 give the number as the directory's size (proc_pid_fd(5)). On others it is counted.
    private static func count() -> Int? {
      guard let status = try? FileStatus(at: "/proc/self/fd") else { return nil }
      if status.size > 0 { return status.size }
      guard let directory = unsafe opendir("/proc/self/fd") else { return nil }
      defer { unsafe closedir(directory) }
      // Leaves out `.`, `..` and this directory's own.
      var count = -3
      while unsafe readdir(directory) != nil { count += 1 }
      return count
    }
  #else
    static func now() -> DescriptorBudget? { nil }
  #endif

  /// The error for a module that is not loaded for lack of descriptors.
  func exhausted(_ object: String, _ count: Int) -> SignetError {
    SignetError(
      .loaderDescriptors, object, "needs file descriptors that are reserved for the host",
      expected: "\(count) and a reserve of \(reserve)", found: "\(free) of \(limit)", hint: Self.hint)
  }

  /// The notice for the host before that happens.
  var warning: SignetError {
    SignetError(
      .loaderDescriptorsLow, "this process", "has few file descriptors left, and each library of a module needs one",
      expected: "at least \(2 * reserve)", found: "\(free) of \(limit)", hint: Self.hint)
  }

  private static let hint = "raise the limit of the host's open files: ulimit -n, LimitNOFILE=, or setrlimit(2)"
}
