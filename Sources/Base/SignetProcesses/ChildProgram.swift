package import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Another program, with what it is told: arguments, variables and a file to read.
///
/// It is started with a list of arguments, which no shell reads. It gets no signal mask, no ignored signal and no
/// descriptor of this process but the three standard ones.
package struct ChildProgram {
  /// The program: a path, or a name that is looked up in `PATH`.
  package let name: String
  /// The arguments, without the program's name.
  package let arguments: [String]
  /// The variables of the environment, `NAME=VALUE`, and no others.
  package let environment: [String]
  /// What the program reads from its standard input.
  package let input: Input
  /// How many milliseconds it may take; nil for as long as it likes.
  package let patience: Int?

  /// What a program reads.
  package enum Input {
    /// Bytes; none read as an empty input.
    case bytes([UInt8])
    /// The file of this path.
    case file(String)
  }

  /// How the program ended.
  package struct Ending {
    /// The exit status, or 128 and the number of the signal that ended the program.
    package let status: Int32
    /// The end of what the program wrote to standard error, at most some kilobytes. Bytes that are no UTF-8 are replaced.
    package let lastWords: String
    /// Whether it was killed because it took too long.
    package var wasTooSlow = false
  }

  /// How a program ended whose output was kept.
  package struct Result {
    /// The exit status, or 128 and the number of the signal that ended the program.
    package let status: Int32
    /// What it wrote to standard output.
    package let output: [UInt8]
    /// The end of what it wrote to standard error.
    package let lastWords: String
    /// Whether it was ended because it wrote more than allowed.
    package let wasTooLong: Bool
    /// Whether it was killed because it took too long.
    package var wasTooSlow = false
  }

  /// The bytes that are kept of standard error: a screen or two of messages.
  private static let wordsLimit = 4096
  private static let readSize = 64 << 10

  /// Describes a program, and starts nothing.
  ///
  /// - Parameter patience: how many milliseconds it may take; nil for as long as it likes.
  package init(
    _ name: String, _ arguments: [String], environment: [String], input: Input = .bytes([]), patience: Int? = nil
  ) {
    self.name = name
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.patience = patience
  }

  /// Runs the program to its end. If it takes too long, it is killed with all programs that it has started. (macOS does not
  /// tell them; there they end when what they read and write does.)
  ///
  /// - Parameter sink: takes what the program writes to standard output, piece by piece. If it throws, the program is
  ///   killed in the same way.
  /// - Throws: what the sink throws; `file.unreadable` if the program cannot be started, with the system's reason as
  ///   cause.
  package func run(_ sink: ([UInt8]) throws(SignetError) -> Void) throws(SignetError) -> Ending {
    let process: pid_t
    let output: Pipe
    let errors: Pipe
    do throws(SystemFailure) {
      output = try Pipe()
      errors = try Pipe()
      let input = try InputFile(input)
      process = try ProcessTree.start { () throws(SystemFailure) in try start(input, output, errors) }
    } catch {
      throw SignetError(.fileUnreadable, name, "cannot be started", cause: error)
    }
    // The child has its own copies. What is left open here would never end.
    output.closeWriting()
    errors.closeWriting()
    var words: [UInt8] = []
    let isDone: Bool
    do throws(SignetError) {
      let end = patience.map { ContinuousClock.now + .milliseconds($0) }
      isDone = try Self.read(output, errors, before: end) { (piece, isOutput) throws(SignetError) in
        if isOutput { return try sink(piece) }
        words += piece
        if words.count > Self.wordsLimit { words.removeFirst(words.count - Self.wordsLimit) }
      }
    } catch {
      ProcessTree.kill(process)
      _ = Self.wait(process)
      throw error
    }
    if !isDone { ProcessTree.kill(process) }
    return Ending(
      status: Self.wait(process), lastWords: String(decoding: words, as: UTF8.self), wasTooSlow: !isDone)
  }

  /// Runs the program to its end, and keeps what it writes to standard output.
  ///
  /// - Parameter limit: the most bytes; a program that writes more is killed.
  /// - Throws: `file.unreadable` if the program cannot be started, with the system's reason as cause.
  package func run(keeping limit: Int) throws(SignetError) -> Result {
    var output: [UInt8] = []
    var isTooLong = false
    do throws(SignetError) {
      let ending = try run { (piece) throws(SignetError) in
        isTooLong = piece.count > limit - output.count
        guard !isTooLong else { throw SignetError(.fileTooLarge, name, "writes too much") }
        output += piece
      }
      return Result(
        status: ending.status, output: output, lastWords: ending.lastWords, wasTooLong: false,
        wasTooSlow: ending.wasTooSlow)
    } catch {
      guard isTooLong else { throw error }
      return Result(status: 128 + SIGKILL, output: output, lastWords: "", wasTooLong: true)
    }
  }

  /// Starts the program. The calling thread's mask of signals would otherwise be the child's, too.
  private func start(_ input: InputFile, _ output: Pipe, _ errors: Pipe) throws(SystemFailure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.descriptor, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    // Others may be open that hold a key or a passphrase.
    #if canImport(Glibc)
      unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    var none = sigset_t()
    var usual = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&usual)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&usual, number) }
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let number = unsafe posix_spawnp(&process, name, &actions, &attributes, words, variables)
    guard number == 0 else { throw SystemFailure("posix_spawn", number: number) }
    return process
  }

  /// Reads both pipes until both have ended. One that waited for the other would let the child wait, too.
  ///
  /// - Returns: false if they have not ended in time.
  private static func read(
    _ output: Pipe, _ errors: Pipe, before end: ContinuousClock.Instant?,
    _ body: (_ piece: [UInt8], _ isOutput: Bool) throws(SignetError) -> Void
  ) throws(SignetError) -> Bool {
    var open = [
      pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
    ]
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)
    defer { unsafe buffer.deallocate() }
    // A negative descriptor is not looked at.
    while open.contains(where: { $0.fd >= 0 }) {
      let left = end.map { ContinuousClock.now.duration(to: $0) }
      if let left, left <= .zero { return false }
      guard unsafe poll(&open, nfds_t(open.count), left.map(Self.milliseconds) ?? -1) >= 0 else {
        if errno == EINTR { continue }
        throw SignetError(.fileReadFailed, "a pipe", "cannot be read", cause: SystemFailure.last("poll"))
      }
      for index in open.indices where open[index].revents != 0 {
        let count: Int
        do throws(SystemFailure) {
          count = try unsafe SystemCall.read(open[index].fd, into: buffer)
        } catch {
          throw SignetError(.fileReadFailed, "a pipe", "cannot be read", cause: error)
        }
        if count > 0 { try unsafe body(Array(buffer[..<count]), index == 0) } else { open[index].fd = -1 }
      }
    }
    return true
  }

  /// A duration for poll(2), rounded up, so that it does not end before.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    return Int32(
      clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Passes a signal on that ends this process: to all programs that run, and to those that they have started.
  package static func interrupt(_ number: Int32) { ProcessTree.interrupt(number) }

  private static func wait(_ process: pid_t) -> Int32 {
    ProcessTree.forget(process)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// A file that holds what a program reads: one that is named, or one without a name that holds bytes. A pipe would have
  /// to be filled while others are read.
  private final class InputFile {
    let descriptor: Int32

    init(_ input: Input) throws(SystemFailure) {
      let bytes: [UInt8]
      switch input {
      case .bytes(let given) where !given.isEmpty: bytes = given
      case .bytes:
        descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open") }
        return
      case .file(let path):
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open") }
        return
      }
      #if canImport(Darwin)
        var name = Array("/tmp/signet-XXXXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw .last("mkstemp") }
        unsafe unlink(name)
        _ = unsafe fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      #else
        descriptor = unsafe memfd_create("signet", UInt32(MFD_CLOEXEC))
        guard descriptor >= 0 else { throw .last("memfd_create") }
      #endif
      // If this fails, the deinitializer closes the file.
      try SystemCall.write(descriptor, bytes)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last("lseek") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  /// A pipe whose ends no other child gets.
  private final class Pipe {
    let reading: Int32
    private(set) var writing: Int32

    init() throws(SystemFailure) {
      var ends: [Int32] = [-1, -1]
      #if canImport(Darwin)
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = unsafe fcntl(end, F_SETFD, FD_CLOEXEC) }
      #else
        guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .last("pipe2") }
      #endif
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      close(reading)
      closeWriting()
    }

    func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }
  }
}
