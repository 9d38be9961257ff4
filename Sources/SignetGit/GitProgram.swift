internal import SignetBase
internal import SignetSystem

/// The git program, so that nothing of a repository or of the user's configuration is executed.
///
/// Arguments are a list, which no shell reads. Hooks, monitors of the file system, helpers and filters are off, and the
/// configuration of the system and the user is not read. Git asks nobody for a password.
package struct GitProgram: Sendable {
  /// Variables of the environment that git gets: where programs and certificates are, and how the network is reached.
  /// Those of git itself could name other repositories and programs.
  private static let inherited = [
    "PATH", "TMPDIR", "SSH_AUTH_SOCK", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
  ]
  private static let variables = [
    // In a home, libcurl would find .netrc, whose passwords it sends to any server that asks, also after a redirect.
    // Without HOME it would look for the user's. No file is below this one. ssh finds the user's home by itself.
    "HOME=/dev/null", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
    "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_SSH_COMMAND=ssh -o BatchMode=yes", "GIT_NO_LAZY_FETCH=1",
  ]
  /// What a repository's own configuration could otherwise make git execute, or leave running.
  private static let settings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.pager=cat",
    "submodule.recurse=false", "gc.auto=0", "maintenance.auto=false", "credential.helper=",
    "protocol.ext.allow=never",
    "fetch.fsckObjects=true", "transfer.fsckObjects=true", "uploadpack.packObjectsHook=",
    "http.followRedirects=initial",
    // A server that says nothing for a minute is given up.
    "http.lowSpeedLimit=1", "http.lowSpeedTime=60",
  ]

  /// The folder that git works in.
  package let folder: String
  private let place: [String]
  private let environment: [String]

  /// Names a folder within a working tree.
  ///
  /// - Parameter variable: gives the value of a variable of the process's environment.
  package init(in folder: String, _ variable: (String) -> String?) {
    // A checkout can name a place, and a program, for objects that it lacks. Nothing is fetched for it.
    self.init(folder, ["-C", folder], protocols: "none", variable)
  }

  /// Names a repository without a working tree. Git looks for no other one in the folders above.
  init(bare folder: String, _ variable: (String) -> String?) {
    self.init(folder, ["--git-dir=\(folder)"], protocols: "file:https:http:ssh", variable)
  }

  private init(_ folder: String, _ place: [String], protocols: String, _ variable: (String) -> String?) {
    self.folder = folder
    self.place = place
    environment =
      Self.inherited.compactMap { name in variable(name).map { "\(name)=\($0)" } } + Self.variables
      + ["GIT_ALLOW_PROTOCOL=\(protocols)"]
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
    let program = ChildProgram(
      "git", place + Self.settings.flatMap { ["-c", $0] } + arguments, environment: environment, input: input
    )
    let ending: ChildProgram.Ending
    do throws(SignetError) { ending = try program.run(sink) } catch
      where error.code == .fileUnreadable && error.object.isExactly("git")
    {
      throw SignetError(
        .gitMissing, "git", "cannot be started", expected: "the git program", cause: error.cause, hint: "install git")
    }
    guard ending.status == 0 else {
      throw SignetError(
        .gitFailed, folder, "git \(arguments.first ?? "") has failed",
        found: "status \(ending.status): \(Self.lastLine(ending.lastWords))",
        hint: "run the command in a terminal to see more: git \(arguments.first ?? "")")
    }
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

  /// The line that says why: the last one with an error, or the last one.
  private static func lastLine(_ words: String) -> String {
    let lines = words.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    let named = lines.last { line in ["fatal:", "error:"].contains { line.utf8.starts(with: $0.utf8) } }
    return (named ?? lines.last ?? "no message").display
  }
}
