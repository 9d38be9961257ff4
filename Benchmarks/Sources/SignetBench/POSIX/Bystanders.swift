#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The other processes on the machine, watched from one moment on.
///
/// What two threads need together cannot be compared with what one thread needs while somebody else keeps a core busy:
/// repeating helps against noise, not against that.
struct Bystanders {
  private let start = Clock.now().wall
  private let ownStart = Self.ownTime
  private let busyStart = Self.busyTime

  /// How many cores the others have kept busy since then, on average; nil where the system does not tell.
  var load: Double? {
    guard let busyStart, let busy = Self.busyTime else { return nil }
    return max(0, (busy - busyStart - (Self.ownTime - ownStart)) / (Clock.now().wall - start))
  }

  /// Processor seconds of this process and of those it has run and waited for.
  private static var ownTime: Double {
    var total = 0.0
    for who in [RUSAGE_SELF, RUSAGE_CHILDREN] {
      var usage = rusage()
      #if canImport(Glibc)
        unsafe getrusage(__rusage_who_t(Int32(who.rawValue)), &usage)
      #else
        unsafe getrusage(who, &usage)
      #endif
      for time in [usage.ru_utime, usage.ru_stime] { total += Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    }
    return total
  }

  /// Processor seconds of everybody since the machine was started: all of the first line of proc_stat(5) but the
  /// time that was idle or waiting for disks, with what the hypervisor has taken away.
  private static var busyTime: Double? {
    guard let fields = TextFile.content(of: "/proc/stat")?.firstLine.split(separator: " "), fields.count > 8 else {
      return nil
    }
    let ticks = [1, 2, 3, 6, 7, 8].compactMap { Double(fields[$0]) }.reduce(0, +)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
