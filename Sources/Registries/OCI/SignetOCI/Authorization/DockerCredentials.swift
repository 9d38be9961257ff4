package import SignetBase
internal import SignetSystem

/// Credentials in the files of docker, podman and skopeo.
///
/// The files are those that these programs write: `auths` with a name and a password in base64, and programs that keep
/// them (`credsStore`, `credHelpers`). Only the user may be able to write a file, because it can name a program.
package struct DockerCredentials: CredentialSource {
  /// Asks a program that keeps credentials: the name of the program, and the server. Gives what the program prints; nil
  /// if it knows no credentials.
  package typealias Helper = @Sendable (_ program: String, _ server: String) throws(SignetError) -> [UInt8]?

  private let paths: [String]
  private let isRequired: Bool
  private let helper: Helper

  private static let sizeLimit = 1 << 20

  /// - Parameters:
  ///   - paths: the files, the first one that has credentials wins.
  ///   - isRequired: whether the files must be there. Otherwise one that is missing has no credentials.
  ///   - helper: asks a program.
  package init(_ paths: [String], isRequired: Bool = false, helper: @escaping Helper) {
    self.paths = paths
    self.isRequired = isRequired
    self.helper = helper
  }

  package func credential(for repository: RepositoryName) throws(SignetError) -> RegistryCredential? {
    for path in paths {
      let text: [UInt8]
      do throws(SignetError) {
        text = try TrustedPath.open(path, isSecret: false).bytes(limit: Self.sizeLimit)
      } catch  where error.code == .fileMissing && !isRequired {
        continue
      }
      do throws(SignetError) {
        if let found = try credential(for: repository, in: text) { return found }
      } catch  where Set.aboutJSON.contains(error.code) {
        // The cause could quote the text.
        throw SignetError(
          .ociCredentials, path, "has credentials that cannot be read", found: error.object.display,
          hint: "log in again with the program that wrote the file")
      }
    }
    return nil
  }

  /// The credential in the text of a file.
  func credential(
    for repository: RepositoryName, in text: [UInt8]
  ) throws(SignetError) -> RegistryCredential? {
    var object = try JSONObject(
      JSONReader.read(text, limits: JSONLimits(size: Self.sizeLimit, depth: 16, values: 50_000)).withoutNulls,
      "config",
      unknownField: .ociCredentials)
    if var helpers = try object.optionalObject("credHelpers") {
      // docker names whole hosts here.
      for name in helpers.names where Self.covers(name, repository) != nil && !name.utf8.contains(UInt8(ascii: "/")) {
        let program = try helpers.string(name)
        if !program.isEmpty { return try ask(program, repository) }
      }
    }
    let store = try object.optionalString("credsStore") ?? ""
    if !store.isEmpty, let found = try ask(store, repository) { return found }
    guard var auths = try object.optionalObject("auths") else { return nil }
    // podman's file may have entries for parts of a registry. The one that names most wins, if it has something.
    let names = auths.names.compactMap { name in Self.covers(name, repository).map { (name, $0) } }
    for (name, _) in names.sorted(by: { $0.1 > $1.1 }) {
      var entry = try auths.object(name)
      if let token = try entry.optionalString("identitytoken"), !token.isEmpty {
        return RegistryCredential(user: "<token>", secret: token)
      }
      if let auth = try entry.optionalString("auth"), !auth.isEmpty {
        if let found = RegistryCredential(base64: auth) { return found }
        throw SignetError(
          .ociCredentials, "auths.\(name.display)", "is not a name and a password in base64",
          hint: "log in again with the program that wrote the file")
      }
      if let user = try entry.optionalString("username"), let secret = try entry.optionalString("password"),
        let found = RegistryCredential(user: user, secret: secret)
      {
        return found
      }
    }
    return nil
  }

  /// How much of a repository's name an entry of the file names; nil if it is for another one.
  static func covers(_ name: String, _ repository: RepositoryName) -> Int? {
    var rest = name[...]
    for scheme in ["https://", "http://"] where rest.utf8.starts(with: scheme.utf8) {
      rest = Substring(rest.utf8.dropFirst(scheme.utf8.count))
    }
    while rest.utf8.last == UInt8(ascii: "/") { rest = Substring(rest.utf8.dropLast()) }
    let host = repository.host.lowercased()
    // Docker's registry has a name of its own in the file.
    if host.isExactly("docker.io"), ["index.docker.io/v1", "docker.io", "index.docker.io"].contains(String(rest)) {
      return 0
    }
    for version in ["/v1", "/v2"]
    where rest.utf8.suffix(3).elementsEqual(version.utf8) && rest.utf8.count(where: { $0 == 0x2f }) == 1 {
      rest = Substring(rest.utf8.dropLast(3))
    }
    let whole = "\(host)/\(repository.path)"
    let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    let entry = rest[..<slash].lowercased() + rest[slash...]
    guard whole.utf8.starts(with: entry.utf8) else { return nil }
    let end = whole.utf8.dropFirst(entry.utf8.count).first
    return end == nil || end == UInt8(ascii: "/") ? entry.utf8.count : nil
  }

  /// Asks a program (docker-credential-helpers, "get").
  private func ask(_ program: String, _ repository: RepositoryName) throws(SignetError) -> RegistryCredential? {
    let isName = program.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.".utf8.contains(byte)
    }
    guard isName, (1...64).contains(program.utf8.count) else {
      throw SignetError(
        .ociCredentials, "credsStore", "is not the name of a program", expected: "letters, digits, - _ and .",
        hint: "correct the file")
    }
    let server = repository.host.isExactly("docker.io") ? "https://index.docker.io/v1/" : repository.host
    let name = "docker-credential-\(program)"
    guard let answer = try helper(name, server) else { return nil }
    guard let value = try? JSONReader.read(answer, limits: JSONLimits(size: 256 << 10, depth: 4, values: 100)),
      var object = try? JSONObject(value, "answer", unknownField: .ociCredentials),
      let user = try? object.string("Username"), let secret = try? object.string("Secret")
    else {
      throw SignetError(
        .ociCredentials, name, "gave an answer that is not a credential", hint: "try it: \(name) get")
    }
    return RegistryCredential(user: user, secret: secret)
  }
}
