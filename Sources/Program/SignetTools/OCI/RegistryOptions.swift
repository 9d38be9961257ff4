internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetOCI
internal import SignetSystem

/// With which credentials OCI registries are reached.
struct CredentialOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Take credentials for OCI registries from this file, which is like docker's config.json. By default those of docker and podman.",
      valueName: "path"), completion: .file())
  var credentials: String?

  @Flag(name: .long, help: "Ask OCI registries without credentials.")
  var anonymous = false

  @Flag(name: .long, help: "Speak http to OCI registries. Credentials then go to one on this machine only.")
  var plainHttp = false

  func validate() throws {
    if anonymous, credentials != nil { throw ValidationError("Give --credentials or --anonymous, not both.") }
  }

  /// How registries are reached.
  func settings(authorities: String?, proxy: String?) -> RegistrySettings {
    var settings = RegistrySettings()
    settings.isPlain = plainHttp
    settings.authorities = authorities
    settings.proxy = proxy
    settings.names = .ofCommand
    if !anonymous {
      settings.credentials = DockerCredentials(
        credentials.map { [$0] } ?? Self.usualFiles, isRequired: credentials != nil, helper: CredentialHelper.ask)
    }
    return settings
  }

  /// Where docker, podman and skopeo keep credentials, in the order in which they are looked at.
  private static var usualFiles: [String] {
    func variable(_ name: String) -> String? { ProcessEnvironment.value(name).flatMap { $0.isEmpty ? nil : $0 } }
    let home = variable("HOME")
    // podman looks nowhere else then.
    if let only = variable("REGISTRY_AUTH_FILE") { return [only] }
    let docker = variable("DOCKER_CONFIG") ?? home.map { "\($0)/.docker" }
    return [
      docker.map { "\($0)/config.json" },
      variable("XDG_RUNTIME_DIR").map { "\($0)/containers/auth.json" },
      home.map { "\($0)/.config/containers/auth.json" },
    ].compactMap(\.self)
  }

}

/// How OCI registries are reached.
struct RegistryOptions: ParsableArguments {
  @OptionGroup var access: CredentialOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Identify https servers by these authorities (PEM), not by the system's.", valueName: "path"),
    completion: .file())
  var authorities: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Use this proxy. Those of the environment do not count.", valueName: "url"))
  var proxy: String?

  /// Opens a place.
  ///
  /// - Parameter isMade: whether a missing layout is made.
  /// - Throws: `oci.layout`, `file.…`, `output.failed`; `fetch.url`, `fetch.unavailable`.
  func open(_ place: OCIPlace, isMade: Bool = false) throws(SignetError) -> any OCIStorage {
    try place.open(access.settings(authorities: authorities, proxy: proxy), isMade: isMade)
  }
}

extension OCIPlace {
  /// How places begin, for completions.
  static let starts = CompletionKind.list(["oci://", "oci-layout:"])

  /// Reads a place to which a file is pushed, which stands before the file.
  static func target(_ text: String) throws -> OCIPlace {
    guard (try? OCIPlace(text)) == nil, (try? FileStatus(ofLink: text)) != nil else { return try argument(text) }
    throw ValidationError(
      "it is a file: where to put it stands first, such as oci://HOST/NAME:1.0.0, and then the module")
  }

  /// Reads a place for the argument parser, which puts the sentence after the value and the name of the argument.
  static func argument(_ text: String) throws -> OCIPlace {
    do throws(SignetError) { return try OCIPlace(text) } catch {
      let why = [error.message, error.expected.map { "expected \($0)" }, error.hint].compactMap(\.self)
      throw ValidationError("it \(why.joined(separator: "; "))")
    }
  }
}
