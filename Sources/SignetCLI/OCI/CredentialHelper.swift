internal import SignetBase
internal import SignetOCI
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
    // The program reads the server's name from its standard input.
    let folder = try TemporaryDirectory()
    let input = "\(folder.path)/server"
    try OutputFile.write(Array("\(server)\n".utf8), to: input, mode: 0o600, .keep)
    let environment = ProcessVariables.all.filter { variable in
      !withheld.contains { $0.isExactly(variable.name) }
    }
    var answer: [UInt8] = []
    let ending: ChildProgram.Ending
    do throws(SignetError) {
      ending = try ChildProgram(
        program, ["get"], environment: environment.map { "\($0.name)=\($0.value)" }, input: input
      ).run { (piece) throws(SignetError) in
        answer += piece
        guard answer.count <= limit else {
          throw SignetError(
            .ociCredentials, program, "gave an answer that is too long", expected: "at most \(limit) bytes",
            hint: "try it: \(program) get")
        }
      }
    } catch  where error.code == .fileUnreadable {
      throw SignetError(
        .ociCredentials, program, "keeps the credentials, and cannot be started", cause: error.cause,
        hint: "install it, name another file with --credentials, or use --anonymous")
    }
    guard ending.status != 0 else { return answer }
    // It says so on standard output.
    let words = String(decoding: answer.prefix(1000), as: UTF8.self)
    if (words + ending.lastWords).contains(unknown) { return nil }
    throw SignetError(
      .ociCredentials, program, "gave no credentials", found: "status \(ending.status)",
      hint: "try it: echo \(server.shellWord) | \(program) get")
  }
}
