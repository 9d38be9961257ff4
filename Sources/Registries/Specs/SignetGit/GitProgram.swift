package import SignetBase
package import SignetProcesses
internal import SignetSystem

/// The git program, so that nothing of a repository is executed.
///
/// Arguments are a list, which no shell reads. Hooks, monitors of the file system and filters are off, there are no
/// submodules, and git asks nobody for a password.
package struct GitProgram: Sendable {
  /// Who git is for.
  private enum Role {
    /// Nobody: it reads a working tree, or fetches from anybody. The configuration of the system and the user is not read.
    case alone(protocols: String)
    /// The user, who has keys, helpers for passwords, and a name.
    case user
  }

  /// Variables of the environment that git gets: where programs and certificates are, and how the network is reached.
  /// Those of git itself could name other repositories and programs.
  private static let inherited = [
    "PATH", "TMPDIR", "SSH_AUTH_SOCK", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
  ]
  /// The variables that git gets besides when it is for the user: where the user's settings are, and the user's name.
  private static let ofUser = [
    "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_SSL_CAINFO",
  ]
  private static let variables = [
    "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "/bin/false", "SSH_ASKPASS": "/bin/false", "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes", "GIT_PROTOCOL_FROM_USER": "0",
  ]
  /// What a repository's own configuration, or the user's, could otherwise make git execute, or leave running.
  private static let settings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.pager=cat",
    "submodule.recurse=false", "fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "push.gpgSign=false",
    "commit.gpgSign=false", "log.showSignature=false", "gc.auto=0", "maintenance.auto=false",
    "protocol.ext.allow=never", "fetch.fsckObjects=true", "transfer.fsckObjects=true", "uploadpack.packObjectsHook=",
    "http.followRedirects=initial",
  ]

  /// How long git waits for servers.
  package struct Patience: Sendable {
    /// Over https and http, the fewest bytes a second. A server that sends fewer for a while is given up, so that one
    /// that sends a byte now and then does not hold its client for ever.
    package var bytesPerSecond = 1000
    /// How many seconds a server may send fewer. One that makes a pack of a large commit sends next to nothing meanwhile.
    package var slowSeconds = 120
    /// How many milliseconds a list of references may take: five minutes, in which the longest ones come over slow lines.
    package var listing = 300_000
    /// How many milliseconds a fetch or a push may take: six hours. This alone bounds what ssh does.
    package var transfer = 6 * 3_600_000

    /// The usual patience.
    package init() {}

    /// The settings of git.
    fileprivate var settings: [String] {
      ["http.lowSpeedLimit=\(bytesPerSecond)", "http.lowSpeedTime=\(slowSeconds)"]
    }

    /// How many milliseconds a command may take; nil for one that asks no server.
    fileprivate func milliseconds(of command: String?) -> Int? {
      switch command {
      case "ls-remote": listing
      case "clone", "fetch", "push": transfer
      default: nil
      }
    }
  }

  /// The folder that git works in.
  package let folder: String
  private let place: [String]
  private let settings: [String]
  private let environment: [String: String]
  private let patience: Patience

  /// Names a folder within a working tree.
  ///
  /// - Parameter variable: gives the value of a variable of the process's environment.
  package init(in folder: String, _ variable: (String) -> String?) {
    // A checkout can name a place, and a program, for objects that it lacks. Nothing is fetched for it.
    self.init(folder: folder, place: ["-C", folder], role: .alone(protocols: "none"), patience: Patience(), variable)
  }

  /// Names a repository without a working tree. Git looks for no other one in the folders above.
  init(bare folder: String, _ patience: Patience, _ variable: (String) -> String?) {
    self.init(
      folder: folder, place: ["--git-dir=\(folder)"], role: .alone(protocols: "file:https:http:ssh"),
      patience: patience, variable)
  }

  /// Names a repository of the user, without a working tree. Git speaks no http, which anybody on the way could change.
  ///
  /// - Parameters:
  ///   - folder: the repository; nil to name it among the arguments.
  ///   - variable: gives the value of a variable of the process's environment.
  package init(ofUser folder: String?, _ variable: (String) -> String?) {
    self.init(
      folder: folder ?? "git", place: folder.map { ["--git-dir=\($0)"] } ?? [], role: .user, patience: Patience(),
      variable)
  }

  private init(
    folder: String, place: [String], role: Role, patience: Patience, _ variable: (String) -> String?
  ) {
    self.folder = folder
    self.patience = patience
    self.place = place
    var environment = Self.variables
    var inherited = Self.inherited
    switch role {
    case .alone(let protocols):
      environment["GIT_ALLOW_PROTOCOL"] = protocols
      // In a home, libcurl would find .netrc, whose passwords it sends to any server that asks, also after a redirect.
      // Without HOME it would look for the user's. No file is below this one. ssh finds the user's home by itself.
      environment["HOME"] = "/dev/null"
      environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
      settings = Self.settings + patience.settings + ["credential.helper="]
    case .user:
      environment["GIT_ALLOW_PROTOCOL"] = "file:https:ssh"
      inherited += Self.ofUser
      settings = Self.settings + patience.settings
    }
    for name in inherited { if let value = variable(name) { environment[name] = value } }
    self.environment = environment
  }

  /// Runs a command of git, and passes what it prints to a sink.
  ///
  /// - Parameters:
  ///   - arguments: the command and its arguments.
  ///   - input: the file that git reads.
  /// - Throws: `git.missing`, `git.failed`; what the sink throws.
  func run(
    _ arguments: [String], input: ChildProgram.Input = .bytes([]), _ sink: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let ending: ChildProgram.Ending
    do throws(SignetError) { ending = try program(arguments, input, [:]).run(sink) } catch
      where Self.isMissing(error)
    {
      throw Self.missing(error)
    }
    guard !ending.wasTooSlow else { throw tooSlow(arguments) }
    guard ending.status == 0 else {
      throw SignetError(
        .gitFailed, folder, "git \(arguments.first ?? "") has failed",
        found: "status \(ending.status): \(Self.lastLine(ending.lastWords))",
        hint: "run the command in a terminal to see more: git \(arguments.first ?? "")")
    }
  }

  /// Runs a command of git, and says how it ended.
  ///
  /// - Parameters:
  ///   - arguments: the command and its arguments. What comes from outside stands after `--`, or is checked.
  ///   - input: what git reads.
  ///   - added: variables of the environment for this run.
  ///   - limit: how many bytes it may print; a run that prints more is ended.
  /// - Throws: `git.missing`; `git.failed` if a server takes too long; `file.unreadable` if it cannot be fed or read.
  package func result(
    _ arguments: [String], input: [UInt8] = [], adding added: [String: String] = [:], limit: Int
  ) throws(SignetError) -> ChildProgram.Result {
    let result: ChildProgram.Result
    do throws(SignetError) { result = try program(arguments, .bytes(input), added).run(keeping: limit) } catch
      where Self.isMissing(error)
    {
      throw Self.missing(error)
    }
    guard !result.wasTooSlow else { throw tooSlow(arguments) }
    return result
  }

  private func tooSlow(_ arguments: [String]) -> SignetError {
    let limit = patience.milliseconds(of: arguments.first) ?? 0
    return SignetError(
      .gitFailed, folder, "git \(arguments.first ?? "") has taken too long, and was ended",
      found: "no end within \(limit / 1000) seconds",
      hint: "try again later, or over another network")
  }

  private static let name = "git"

  private func program(
    _ arguments: [String], _ input: ChildProgram.Input, _ added: [String: String]
  ) -> ChildProgram {
    ChildProgram(
      Self.name, place + settings.flatMap { ["-c", $0] } + arguments,
      environment: environment.merging(added) { $1 }.map { "\($0.key)=\($0.value)" }, input: input,
      patience: patience.milliseconds(of: arguments.first))
  }

  /// Whether git could not be started.
  private static func isMissing(_ error: SignetError) -> Bool {
    error.code == .fileUnreadable && error.object.isExactly(name)
  }

  private static func missing(_ error: SignetError) -> SignetError {
    SignetError(
      .gitMissing, name, "cannot be started", expected: "the git program", cause: error.cause,
      hint: "install git, and look at PATH")
  }

  /// Runs a command of git, and gives what it prints.
  ///
  /// - Parameter limit: how many bytes it may print.
  /// - Throws: `git.missing`, `git.failed`, also for more bytes.
  func output(_ arguments: [String], limit: Int = 4096) throws(SignetError) -> [UInt8] {
    var bytes: [UInt8] = []
    try run(arguments) { (piece) throws(SignetError) in
      bytes += piece
      guard bytes.count <= limit else {
        throw SignetError(
          .gitFailed, folder, "git \(arguments.first ?? "") has printed too much", expected: "at most \(limit) bytes",
          hint: "look at the repository: it is larger than a module's")
      }
    }
    return bytes
  }

  /// Runs a command that prints one line, and gives the line; nil if git fails.
  ///
  /// - Throws: `git.missing`.
  func line(_ arguments: [String]) throws(SignetError) -> String? {
    do throws(SignetError) {
      var bytes = try output(arguments)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      return String(validating: bytes, as: UTF8.self)
    } catch  where error.code == .gitFailed {
      return nil
    }
  }

  /// The line that says why: the one about an object that is not sound, the last one with an error, or the last one.
  /// Lines of a server begin with `remote:`.
  package static func lastLine(_ words: String) -> String {
    let lines = words.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    let unsound = lines.last { $0.utf8.starts(with: "error: object ".utf8) }
    let named = unsound ?? lines.last { line in ["fatal:", "error:"].contains { line.utf8.starts(with: $0.utf8) } }
    return (named ?? lines.last ?? "no message").display
  }
}
