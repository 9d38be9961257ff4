internal import SignetBase
internal import SignetOCI

/// The programs that keep credentials for docker.
enum CredentialHelper {
  /// Asks a program for the credentials of a server (docker-credential-helpers, "get").
  static let ask: DockerCredentials.Helper = { (program, server) throws(SignetError) in
    throw SignetError(.ociCredentials, program, "cannot be asked")
  }
}
