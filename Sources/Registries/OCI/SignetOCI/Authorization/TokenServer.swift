internal import SignetAddresses
internal import SignetBase
internal import SignetHTTP
internal import SignetNames

/// A token that a registry's token server gave, and how long it is used.
struct BearerToken {
  let text: String
  let end: ContinuousClock.Instant

  /// The maximum length of a token: what servers take in a field, less than which they may take.
  private static let longest = 32 << 10
  /// How long a token is valid that does not say it, in seconds (Docker Registry v2, "Token Authentication
  /// Specification").
  private static let usualSeconds = 60
  /// The maximum size of an answer with tokens, in bytes: two of the longest, and room for more.
  static let answerSize = 256 << 10
  /// Tokens are renewed some seconds before they end, because the clock of the server may be ahead.
  private static let margin = 5

  /// Reads a token server's answer.
  init(_ body: [UInt8], from url: String) throws(SignetError) {
    do throws(SignetError) {
      var object = try JSONObject(
        JSONReader.read(body, limits: JSONLimits(size: Self.answerSize, depth: 8, values: 1000)).withoutNulls,
        "answer",
        unknownField: .ociDocument)
      let first = try object.optionalString("token") ?? ""
      let second = try object.optionalString("access_token") ?? ""
      text = first.isEmpty ? second : first
      // Otherwise it could begin another field.
      guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw object.wrong("token", "printable characters without spaces", "\(text.utf8.count) bytes")
      }
      let seconds = object.has("expires_in") ? try object.count("expires_in") : Self.usualSeconds
      end = .now + .seconds(max(1, min(seconds, 86_400) - Self.margin))
    } catch {
      throw SignetError(
        .ociDocument, url, "gave no token", cause: error, hint: "ask the registry's administrator")
    }
  }
}

/// The server that a registry names for tokens (Docker Registry v2, "Token Authentication Specification").
struct TokenServer {
  /// Where tokens are asked for.
  let url: FetchURL
  private let service: String?
  /// Whether requests go through a proxy, which reads what is sent over http.
  private let hasProxy: Bool
  private let scope: String?

  /// Reads where tokens come from.
  ///
  /// - Parameters:
  ///   - challenge: what the registry demands.
  ///   - registry: the address that was asked. Tokens of a registry over https come over https, and a registry in a
  ///     network cannot lead to this machine.
  /// - Throws: `oci.untrusted-realm`.
  init(_ challenge: Challenge, of registry: FetchURL, hasProxy: Bool = false) throws(SignetError) {
    self.hasProxy = hasProxy
    let realm = challenge.parameters["realm"] ?? ""
    do throws(SignetError) { url = try FetchURL(realm) } catch {
      throw SignetError(
        .ociUntrustedRealm, registry.shown, "names no server for tokens that can be asked", cause: error,
        hint: "ask the registry's administrator")
    }
    guard registry.mayLead(to: url) else {
      throw SignetError(
        .ociUntrustedRealm, registry.shown, "leads to a server for tokens that is not asked",
        expected: registry.isSecure ? "https" : "a server in the same network", found: url.shown,
        hint: "ask the registry's administrator")
    }
    service = challenge.parameters["service"]
    scope = challenge.parameters["scope"]
  }

  /// Gets a token.
  ///
  /// - Parameters:
  ///   - scopes: what it shall allow, in addition to what the registry demands.
  ///   - credential: who asks; nil for nobody.
  ///   - session: asks. It decides which addresses the server's name may have.
  /// - Throws: `oci.denied`, `oci.document`, `oci.untrusted-realm`; `fetch.…`.
  func token(
    for scopes: [String], _ credential: RegistryCredential?, _ session: HTTPSession
  ) throws(FetchFailure) -> BearerToken {
    do throws(FetchFailure) { return try asked(for: scopes, credential, session) } catch {
      guard error.error.code == .fetchRedirect else { throw error }
      var named = error.error
      named.code = .ociUntrustedRealm
      throw .final(named)
    }
  }

  private func asked(
    for scopes: [String], _ credential: RegistryCredential?, _ session: HTTPSession
  ) throws(FetchFailure) -> BearerToken {
    if credential != nil, !url.isSecure, !url.isLoopback || hasProxy {
      throw .final(
        SignetError(
          .ociUntrustedRealm, url.shown, "would get credentials over a connection that others can read",
          expected: "https", hint: "ask the registry's administrator"))
    }
    var wanted: [(String, String)] = []
    if let service { wanted.append(("service", service)) }
    // A registry may demand more than what is asked of it here.
    let others = scope.map { scope in scopes.contains { Self.covers($0, scope) } ? [] : [scope] } ?? []
    for scope in scopes + others { wanted.append(("scope", scope)) }
    let answer: HTTPResponse
    if case .identityToken(let token) = credential {
      wanted += [("grant_type", "refresh_token"), ("client_id", "signet"), ("refresh_token", token)]
      // A form has one scope, with spaces between its parts.
      let form = Self.form(Self.joiningScopes(wanted))
      answer = try session.send(
        .post, url, fields: ["Content-Type: application/x-www-form-urlencoded"],
        upload: BytesUpload(Array(form.utf8)), limit: BearerToken.answerSize
      )
    } else {
      let fields = credential?.basic.map { ["Authorization: \($0)"] } ?? []
      let place: FetchURL
      do throws(SignetError) { place = try url.adding(query: Self.form(wanted)) } catch { throw .final(error) }
      answer = try session.send(.get, place, fields: fields, limit: BearerToken.answerSize)
    }
    guard answer.status == 200 else {
      throw RegistryErrorResponse(answer).failure(
        url.shown, credential == nil ? "gives no token to somebody without credentials" : "gives no token")
    }
    do throws(SignetError) { return try BearerToken(answer.body, from: url.shown) } catch { throw .final(error) }
  }

  /// Whether a scope allows what another one does: `repository:NAME:pull,push` covers `repository:NAME:pull`.
  static func covers(_ scope: String, _ other: String) -> Bool {
    func parts(_ scope: String) -> (name: Substring, actions: Set<Substring>) {
      let colon = scope.lastIndex(of: ":") ?? scope.startIndex
      return (scope[..<colon], Set(scope[colon...].dropFirst().split(separator: ",")))
    }
    let (one, two) = (parts(scope), parts(other))
    return String(one.name).isExactly(String(two.name)) && two.actions.isSubset(of: one.actions)
  }

  private static func joiningScopes(_ fields: [(String, String)]) -> [(String, String)] {
    let scopes = fields.filter { $0.0 == "scope" }.map(\.1)
    return fields.filter { $0.0 != "scope" } + (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))])
  }

  /// Fields of a form or a query, encoded.
  private static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
  }
}
