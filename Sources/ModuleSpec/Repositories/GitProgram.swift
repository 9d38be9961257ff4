internal import SignetBase
internal import SignetSystem

/// The program git, which fetches repositories and pushes to them.
///
/// Nothing of a repository is executed: there are no hooks, no checkout, so no filters, and no submodules. It asks
/// nobody, and speaks only the protocols file, https and ssh.
public struct GitProgram: Sendable {
  /// The variables of the environment that git may have from the user: where it finds programs, keys and settings.
  public static let variables = [
    "PATH", "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_SSL_CAINFO", "SSH_AUTH_SOCK", "https_proxy", "no_proxy",
  ]

  private let variables: [String: String]

  /// - Parameter user: the user's variables; those that git may not have are left out.
  public init(_ user: [String: String]) {
    variables = user.filter { Self.variables.contains($0.key) }.merging([
      "GIT_ALLOW_PROTOCOL": "file:https:ssh", "GIT_PROTOCOL_FROM_USER": "0", "GIT_TERMINAL_PROMPT": "0",
      "GIT_ASKPASS": "/bin/false", "SSH_ASKPASS": "/bin/false", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C",
    ]) { $1 }
  }

  /// Settings that no file may change.
  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat", "submodule.recurse=false",
    "fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "push.gpgSign=false", "commit.gpgSign=false",
    "gc.auto=0", "maintenance.auto=false", "log.showSignature=false",
    // A server that is silent for a minute is given up.
    "http.lowSpeedLimit=1000", "http.lowSpeedTime=60",
  ]
  /// The most bytes that git may print: what a repository of specs may have.
  static let outputLimit = 300 << 20

  /// Runs git.
  ///
  /// - Parameters:
  ///   - arguments: its arguments. What comes from outside stands after `--`, or is checked.
  ///   - folder: the git directory; nil for none.
  /// - Returns: what it printed.
  /// - Throws: `spec-repo.git`.
  @discardableResult
  func run(
    _ arguments: [String], in folder: String? = nil, about object: String, input: [UInt8] = [],
    adding added: [String: String] = [:], limit: Int = outputLimit
  ) throws(SignetError) -> [UInt8] {
    let ended = try result(arguments, in: folder, about: object, input: input, adding: added, limit: limit)
    guard ended.status == 0 else {
      // The last line says most; those before it may be a server's.
      let lines = ended.lastWords.split(separator: "\n")
      throw SignetError(
        .specRepositoryGit, object, "git \(arguments.first ?? "") has failed",
        found: ended.wasTooLong
          ? "more than \(limit) bytes"
          : lines.last { $0.utf8.starts(with: "fatal:".utf8) || $0.utf8.starts(with: "error:".utf8) }.map(String.init)
            ?? lines.last.map(String.init) ?? "status \(ended.status)",
        hint: "look whether git itself can reach the repository, without asking for anything")
    }
    return ended.output
  }

  /// Runs git, and says how it ended.
  ///
  /// - Throws: `spec-repo.git` if it cannot be started.
  func result(
    _ arguments: [String], in folder: String? = nil, about object: String, input: [UInt8] = [],
    adding added: [String: String] = [:], limit: Int = outputLimit
  ) throws(SignetError) -> ChildProgram.Result {
    let place = folder.map { ["--git-dir=\($0)"] } ?? []
    let settings = Self.settings.flatMap { ["-c", $0] }
    let environment = variables.merging(added) { $1 }.map { "\($0.key)=\($0.value)" }
    let git = ChildProgram("git", settings + place + arguments, environment: environment, input: .bytes(input))
    do throws(SignetError) { return try git.run(keeping: limit) } catch {
      throw SignetError(
        .specRepositoryGit, object, "git cannot be started", cause: error.cause,
        hint: "install git, and look at PATH")
    }
  }

  /// The lines of a text that git printed.
  static func lines(_ output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
