#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Another program, run to its end.
///
/// It gets an argument vector, never a command line of a shell, and only those variables that it is given. It has none
/// of this process's descriptors.
package enum ChildProgram {
  /// How a program ended.
  package struct Result: Sendable {
    /// The exit status; that of a shell for a program that a signal has ended.
    package let status: Int32
    /// What it wrote to standard output.
    package let output: [UInt8]
    /// The beginning of what it wrote to standard error.
    package let errors: [UInt8]
    /// Whether it was ended because it wrote more than allowed.
    package let wasTooLong: Bool
  }

  /// The most bytes of standard error that are kept: some screens of text.
  private static let errorLimit = 1 << 14

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - name: the program, which is searched for in `PATH`.
  ///   - arguments: its arguments, without its name.
  ///   - variables: its environment.
  ///   - input: what it reads from standard input.
  ///   - limit: the most bytes of standard output.
  /// - Throws: a failure if it cannot be started or watched.
  package static func run(
    _ name: String, _ arguments: [String], variables: [String: String], input: [UInt8] = [], limit: Int
  ) throws(SystemFailure) -> Result {
    let input = try unnamedFile(of: input)
    defer { close(input) }
    let (outputEnd, outputStart) = try pipe()
    defer { close(outputEnd) }
    let errorEnd: Int32
    let errorStart: Int32
    do throws(SystemFailure) { (errorEnd, errorStart) = try pipe() } catch {
      close(outputStart)
      throw error
    }
    defer { close(errorEnd) }
    let child: pid_t
    do throws(SystemFailure) {
      child = try spawn([name] + arguments, variables, [input, outputStart, errorStart])
    } catch {
      for end in [outputStart, errorStart] { close(end) }
      throw error
    }
    // The ends of the pipes are those of the child alone, so that its end is theirs.
    for end in [outputStart, errorStart] { close(end) }
    let written = collect(outputEnd, limit, errorEnd)
    if written.isTooLong { kill(child, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw .last("waitpid") }
    }
    return Result(
      status: status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, output: written.output,
      errors: written.errors, wasTooLong: written.isTooLong)
  }

  private static func pipe() throws(SystemFailure) -> (end: Int32, start: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      guard unsafe Darwin.pipe(&ends) == 0 else { throw .last("pipe") }
      for end in ends { _ = unsafe fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .last("pipe2") }
    #endif
    return (ends[0], ends[1])
  }

  /// A file without a name that holds the bytes, open at its beginning. A pipe would have to be filled while others are
  /// read.
  private static func unnamedFile(of bytes: [UInt8]) throws(SystemFailure) -> Int32 {
    guard !bytes.isEmpty else {
      let none = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard none >= 0 else { throw .last("open") }
      return none
    }
    let file = try unnamedFile()
    do throws(SystemFailure) {
      try SystemCall.write(file, bytes)
      guard lseek(file, 0, SEEK_SET) == 0 else { throw .last("lseek") }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  private static func unnamedFile() throws(SystemFailure) -> Int32 {
    #if canImport(Darwin)
      var name = Array("/tmp/signet-XXXXXXXX".utf8CString)
      let file = unsafe mkstemp(&name)
      guard file >= 0 else { throw .last("mkstemp") }
      unsafe unlink(name)
      _ = unsafe fcntl(file, F_SETFD, FD_CLOEXEC)
    #else
      let file = unsafe memfd_create("signet", UInt32(MFD_CLOEXEC))
      guard file >= 0 else { throw .last("memfd_create") }
    #endif
    return file
  }

  private static func spawn(
    _ words: [String], _ variables: [String: String], _ streams: [Int32]
  ) throws(SystemFailure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // This process may block and ignore signals; another program expects them.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    for signal in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&usual, signal) }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    let environment = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
    var child = pid_t()
    let failure = unsafe posix_spawnp(&child, words[0], &actions, &attributes, arguments, environment)
    guard failure == 0 else { throw SystemFailure("posix_spawn", number: failure) }
    return child
  }

  private static func collect(
    _ output: Int32, _ limit: Int, _ errors: Int32
  ) -> (output: [UInt8], errors: [UInt8], isTooLong: Bool) {
    var (written, told): ([UInt8], [UInt8]) = ([], [])
    var open = [output, errors]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !open.isEmpty {
      var waits = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if unsafe poll(&waits, nfds_t(waits.count), -1) < 0 {
        guard errno == EINTR else { break }
        continue
      }
      for wait in waits where wait.revents != 0 {
        // What cannot be read has ended; the program's status says whether it was in order.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe (try? SystemCall.read(wait.fd, into: $0)) ?? 0 }
        if count == 0 { open.removeAll { $0 == wait.fd } }
        if wait.fd == errors {
          told += buffer[..<min(count, errorLimit - told.count)]
        } else {
          guard written.count + count <= limit else { return (written, told, true) }
          written += buffer[..<count]
        }
      }
    }
    return (written, told, false)
  }
}
