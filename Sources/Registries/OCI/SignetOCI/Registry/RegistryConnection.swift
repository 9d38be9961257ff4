internal import SignetAddresses
internal import SignetBase
package import SignetHTTP
internal import SignetNames
internal import SignetProcesses
internal import SignetSystem

/// How registries are reached.
package struct RegistrySettings: Sendable {
  /// Whether http is spoken instead of https. Credentials are sent over http to this machine only.
  package var isPlain = false
  /// A PEM file with the certificates of the authorities that identify servers; nil for the system's.
  package var authorities: String?
  /// The URL of a proxy; nil for none.
  package var proxy: String?
  /// Where names have led. All who work for the same purpose share it.
  package var names = ServerNames()
  /// Where credentials come from.
  package var credentials: any CredentialSource = NoCredentials()
  /// How often a request is sent again after a failure that may pass.
  package var retries = 5
  /// How long to wait before the first of them, in milliseconds. Each further time is twice as long.
  package var patience = 250
  /// The size from which a blob is uploaded in parts, and the size of the parts, in bytes. What was lost of a part is
  /// sent again.
  package var partSize = 64 << 20
  /// Waits. Tests replace it.
  package var wait: @Sendable (_ milliseconds: Int) -> Void = { CurrentProcess.sleep(milliseconds: $0) }

  package init() {}
}

/// The requests to one repository in a registry: with credentials, and again after failures that may pass.
///
/// Credentials are asked for when the registry demands them. They go to the registry, and to the server that it names
/// for tokens; a token goes to the registry alone. What is read from elsewhere, because the registry points there, is
/// read as nobody.
final class RegistryConnection {
  /// What a token allows.
  enum Actions: String { case pull, push }

  let repository: RepositoryName
  /// The name of the repository, for messages.
  let name: String
  let settings: RegistrySettings
  /// The server's address, with a slash at its end.
  private let base: FetchURL
  private let origin: String?
  private let session: HTTPSession
  /// The number of bytes that all answers together had, whatever they were.
  private(set) var received = 0
  private var actions = Actions.pull
  /// Other repositories of the registry that are read from.
  private var others: Set<String> = []
  /// Those for which there was no token.
  private var refused: Set<String> = []

  /// The value of the field Authorization for the registry.
  private enum Authorization {
    case none
    case basic(String)
    case bearer(TokenServer, BearerToken)
  }
  private var authorization = Authorization.none
  /// The credential, once it was looked for.
  private var credential: RegistryCredential??

  /// - Throws: `fetch.url`, `fetch.unavailable`.
  init(_ repository: RepositoryName, _ settings: RegistrySettings) throws(SignetError) {
    self.repository = repository
    name = OCIPlace.registryStart + repository.description
    self.settings = settings
    // docker.io serves no registry; its API is at registry-1.docker.io.
    let host = repository.host.isExactly("docker.io") ? "registry-1.docker.io" : repository.host
    base = try FetchURL("\(settings.isPlain ? "http" : "https")://\(host)/v2/\(repository.path)/")
    origin = base.origin
    session = HTTPSession(with: base, authorities: settings.authorities, proxy: settings.proxy, names: settings.names)
  }

  /// The address of something of the repository.
  func url(_ path: String) throws(SignetError) -> FetchURL { try FetchURL(base.text + path) }

  /// States that the next requests write, or that they read from another repository of the registry, too.
  func need(_ actions: Actions, alsoFrom other: RepositoryName? = nil) {
    let other = other.flatMap { refused.contains($0.path) ? nil : $0.path }
    let isNew = actions == .push && self.actions == .pull || other.map { !others.contains($0) } ?? false
    guard isNew else { return }
    if actions == .push { self.actions = .push }
    if let other { others.insert(other) }
    // The token does not allow that.
    if case .bearer = authorization { authorization = .none }
  }

  private var scopes: [String] {
    ["repository:\(repository.path):\(actions == .push ? "pull,push" : "pull")"]
      + others.sorted().map { "repository:\($0):pull" }
  }

  // MARK: Requests

  /// Sends a request once, or twice if the registry demands credentials.
  ///
  /// - Parameters:
  ///   - makeUpload: makes the body anew for each time.
  /// - Returns: the answer, whatever its status.
  /// - Throws: `oci.denied`, `oci.credentials`, `oci.untrusted-realm`, `oci.document`; `fetch.…`.
  func send(
    _ method: HTTPRequest.Method, _ url: FetchURL, fields: [String] = [], limit: Int? = nil,
    upload makeUpload: (() -> any HTTPUpload)? = nil
  ) throws(FetchFailure) -> HTTPResponse {
    try authorizing(url, fields) { (fields) throws(FetchFailure) in
      let answer = try session.send(method, url, fields: fields, upload: makeUpload?(), limit: limit)
      received += answer.body.count
      return answer
    }
  }

  /// Whether an address is that of the registry itself.
  func isHome(_ url: FetchURL) -> Bool { origin != nil && url.origin == origin }

  /// Sends a request with what proves who asks, if it goes to the registry itself; again if that was not enough.
  private func authorizing(
    _ url: FetchURL, _ fields: [String], _ send: ([String]) throws(FetchFailure) -> HTTPResponse
  ) throws(FetchFailure) -> HTTPResponse {
    guard isHome(url) else { return try send(fields) }
    let answer = try send(fields + authorized())
    guard answer.status == 401 else { return answer }
    try authorize(answer)
    return try send(fields + authorized())
  }

  /// Sends a request, and sends it again after failures that may pass.
  ///
  /// - Parameters:
  ///   - isTransfer: whether many bytes are sent or received. Such a request is also sent again if it took too long.
  ///   - hasMoved: says whether so much was done since the last time that the failures before do not count.
  func persist<Value>(
    isTransfer: Bool = false, hasMoved: () -> Bool = { false }, _ body: () throws(FetchFailure) -> Value
  ) throws(SignetError) -> Value {
    var wait = settings.patience
    var left = settings.retries
    var end = ContinuousClock.now + .seconds(Self.longestTrouble)
    while true {
      do throws(FetchFailure) { return try body() } catch {
        if hasMoved() {
          (wait, left) = (settings.patience, settings.retries)
          end = .now + .seconds(Self.longestTrouble)
        }
        let isSlow = error.error.code == .fetchTimeout && !isTransfer
        guard error.isTransient, !isSlow, left > 0, end > .now else { throw Self.named(error.error) }
        left -= 1
        settings.wait(max(wait, max(0, min(error.retryAfter ?? 0, Self.longestWait)) * 1000))
        wait *= 2
      }
    }
  }

  /// A document that is too long is a fault of the registry, not of the way to it.
  private static func named(_ error: SignetError) -> SignetError {
    guard error.code == .fetchTooLarge else { return error }
    var named = error
    named.code = .ociBounds
    named.hint = "ask the registry's administrator"
    return named
  }

  /// For how long a request is sent again, in seconds: twice as long as one may take.
  private static let longestTrouble = 600
  /// The longest time that a registry can make a client wait, in seconds.
  private static let longestWait = 30
  /// The maximum number of redirects that one request follows (RFC 2068, section 10.3).
  private static let redirects = 5

  /// Reads something, wherever the registry says it is.
  ///
  /// - Parameter fields: fields that also go to where the registry points.
  func read(
    _ method: HTTPRequest.Method, _ url: FetchURL, fields: [String] = [], limit: Int? = nil
  ) throws(FetchFailure) -> HTTPResponse {
    try following(url) { (url) throws(FetchFailure) in try send(method, url, fields: fields, limit: limit) }
  }

  /// Reads something, wherever the registry says it is, and hands its bytes on.
  func read(
    _ url: FetchURL, fields: [String], handingOn take: HTTPSession.Sink
  ) throws(FetchFailure) -> HTTPResponse {
    try following(url) { (url) throws(FetchFailure) in
      try authorizing(url, fields) { (fields) throws(FetchFailure) in
        let answer = try session.send(
          .get, url, fields: fields,
          handingOn: { (head, piece) throws(SignetError) in
            self.received += piece.count
            try take(head, piece)
          })
        received += answer.body.count
        return answer
      }
    }
  }

  /// Sends a request to where the registry redirects it.
  private func following(
    _ url: FetchURL, _ send: (FetchURL) throws(FetchFailure) -> HTTPResponse
  ) throws(FetchFailure) -> HTTPResponse {
    var url = url
    for _ in 0...Self.redirects {
      let answer = try send(url)
      guard [301, 302, 303, 307, 308].contains(answer.status) else { return answer }
      do throws(SignetError) { url = try url.following(answer.field("location") ?? "") } catch {
        throw .final(error)
      }
    }
    throw .final(
      SignetError(
        .fetchRedirect, url.shown, "redirects too often", expected: "at most \(Self.redirects) times",
        hint: "ask the registry's administrator"))
  }

  // MARK: Credentials

  private func authorized() throws(FetchFailure) -> [String] {
    switch authorization {
    case .none: return []
    case .basic(let text): return ["Authorization: \(text)"]
    case .bearer(let server, let token):
      guard token.end <= .now else { return ["Authorization: Bearer \(token.text)"] }
      let renewed = try self.token(of: server)
      authorization = .bearer(server, renewed)
      return ["Authorization: Bearer \(renewed.text)"]
    }
  }

  /// Answers the demand for credentials.
  private func authorize(_ answer: HTTPResponse) throws(FetchFailure) {
    let challenges = Challenge.all(in: answer.head.values("www-authenticate"))
    let object = answer.url.shown
    if let bearer = challenges.first(where: { $0.scheme.isExactly("bearer") }) {
      let server: TokenServer
      do throws(SignetError) {
        server = try TokenServer(bearer, of: base, hasProxy: settings.proxy != nil)
      } catch {
        throw .final(error)
      }
      authorization = .bearer(server, try token(of: server))
      return
    }
    guard challenges.contains(where: { $0.scheme.isExactly("basic") }) else {
      throw RegistryErrorResponse(answer).failure(object, "demands credentials of a kind that Signet does not know")
    }
    guard let basic = try usedCredential()?.basic else {
      throw RegistryErrorResponse(answer).failure(object, "demands a name and a password, and none are known")
    }
    if case .basic = authorization {
      throw RegistryErrorResponse(answer).failure(object, "does not accept the credentials")
    }
    authorization = .basic(basic)
  }

  /// A token for what is needed. If it must not allow to read from other repositories, they are read from no longer.
  private func token(of server: TokenServer) throws(FetchFailure) -> BearerToken {
    let credential = try usedCredential()
    do throws(FetchFailure) { return try server.token(for: scopes, credential, session) } catch {
      guard !others.isEmpty, error.error.code == .ociDenied else { throw error }
      refused.formUnion(others)
      others = []
      return try server.token(for: scopes, credential, session)
    }
  }

  /// The credential for the registry; nil if it is missing, or if others could read it on its way.
  func usedCredential() throws(FetchFailure) -> RegistryCredential? {
    if let credential { return credential }
    // A proxy reads what goes over http.
    guard base.isSecure || base.isLoopback && settings.proxy == nil else { return nil }
    do throws(SignetError) {
      let found = try settings.credentials.credential(for: repository)
      credential = .some(found)
      return found
    } catch {
      throw .final(error)
    }
  }

  /// Whether the repository has a blob.
  ///
  /// - Throws: how the registry cannot be reached.
  func has(_ blob: OCIDescriptor) throws(SignetError) -> Bool {
    let url = try url("blobs/\(blob.digest)")
    return try persist { () throws(FetchFailure) in
      let answer = try read(.head, url)
      switch answer.status {
      case 200: return true
      case 404: return false
      default: throw RegistryErrorResponse(answer).failure(url.shown, "does not say whether it has the blob")
      }
    }
  }
}
