internal import SignetBase
internal import SignetCLI
internal import SignetOCI
internal import SignetProcesses
internal import SignetSystem

/// The programs that keep credentials for docker.
enum CredentialHelper {
  /// The longest answer: a name and a token.
  private static let limit = 256 << 10
  /// What such a program says if it knows no credentials (docker-credential-helpers, "credentials").
  private static let unknown = "credentials not found"
  /// Variables that are not for other programs: the text of a private key.
  private static let withheld = ["SIGNET_KEY"]

  /// Asks a program for the credentials of a server (docker-credential-helpers, "get").
  static let ask: DockerCredentials.Helper = { (program, server) throws(SignetError) in
    let environment = ProcessVariables.all.filter { variable in
      !withheld.contains { $0.isExactly(variable.name) }
    }
    let ended: ChildProgram.Result
    do throws(SignetError) {
      ended = try ChildProgram(
        program, ["get"], environment: environment.map { "\($0.name)=\($0.value)" },
        input: .bytes(Array("\(server)\n".utf8))
      ).run(keeping: limit)
    } catch  where error.code == .fileUnreadable {
      throw SignetError(
        .ociCredentials, program, "keeps the credentials, and cannot be started", cause: error.cause,
        hint: "install it, name another file with --credentials, or use --anonymous")
    }
    guard ended.status != 0 else { return ended.output }
    // It says so on standard output.
    let words = String(decoding: ended.output.prefix(1000), as: UTF8.self)
    if (words + ended.lastWords).contains(unknown) { return nil }
    throw SignetError(
      .ociCredentials, program, "gave no credentials", found: "status \(ended.status)",
      hint: "try it: echo \(server.shellWord) | \(program) get")
  }
}
