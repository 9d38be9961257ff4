import Foundation
import SignetBase
import SignetCrypto
import SignetHTTP
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import OCITestSupport
@testable import SignetOCI

/// How a registry asks for credentials, and what it could do with them.
@Suite("credentials and hostile registries", .serialized) struct HostileCredentialTests {
  /// A registry that wants a token, and the server that gives it.
  private static func tokens(
    _ answer: String = #"{"token":"T"}"#, status: String = "200 OK", realm: String? = nil
  ) throws -> StubRegistry {
    try StubRegistry { request, stub in
      if request.line.contains("/token") { return StubRegistry.reply(status, [], Array(answer.utf8)) }
      guard request["Authorization"] == "Bearer T" else {
        let place = realm ?? "http://\(stub.host)/token"
        return StubRegistry.reply(
          "401 Unauthorized",
          ["WWW-Authenticate: Bearer realm=\"\(place)\",service=\"s&t\",scope=\"repository:a/b:pull\""])
      }
      return nil
    }
  }

  @Test("a token is asked for once, for what is needed, with the password only there")
  func bearer() throws {
    let stub = try Self.tokens()
    let registry = try stub.client { $0.credentials = KnownPassword() }
    #expect(try registry.tags() == [])
    #expect(try registry.tags() == [])
    try registry.putImage("one", tag: "1")
    let asked = stub.requests.filter { $0.line.contains("/token") }
    #expect(
      asked.map { $0.line } == [
        "GET /token?service=s%26t&scope=repository%3Aa%2Fb%3Apull HTTP/1.1",
        "GET /token?service=s%26t&scope=repository%3Aa%2Fb%3Apull%2Cpush HTTP/1.1",
      ])
    #expect(asked.allSatisfy { $0["Authorization"] == "Basic dTpz" })
    #expect(
      stub.requests.filter { !$0.line.contains("/token") }.compactMap { $0["Authorization"] }.allSatisfy {
        $0 == "Bearer T"
      })
  }

  @Test("somebody without credentials gets a token, too, and an identity token is sent in a form")
  func otherTokens() throws {
    let stub = try Self.tokens(#"{"access_token":"T","expires_in":300}"#)
    #expect(try stub.client().tags() == [])
    #expect(stub.requests.first { $0.line.contains("/token") }?["Authorization"] == nil)
    let identity = try Self.tokens()
    #expect(try identity.client { $0.credentials = KnownPassword(token: "I&D") }.tags() == [])
    let form = try #require(identity.requests.first { $0.line.hasPrefix("POST /token") })
    #expect(
      String(decoding: form.body, as: UTF8.self)
        == "service=s%26t&grant_type=refresh_token&client_id=signet&refresh_token=I%26D&scope=repository%3Aa%2Fb%3Apull"
    )
    #expect(form["Authorization"] == nil)
  }

  @Test(
    "an answer that is no token is refused",
    arguments: [
      "", "{}", "[]", #"{"token":""}"#, #"{"token":1}"#, #"{"token":"T\r\nX-Evil: 1"}"#, #"{"token":"a b"}"#,
      #"{"token":"T","expires_in":-1}"#,
    ])
  func wrongTokens(_ answer: String) throws {
    let stub = try Self.tokens(answer)
    expectError(.ociDocument) { _ = try stub.client().tags() }
    #expect(stub.requests.allSatisfy { $0["X-Evil"] == nil })
  }

  @Test("a server for tokens that must not be asked is not asked")
  func realms() throws {
    for realm in ["", "ftp://127.0.0.1/t", "http://u:p@127.0.0.1/t", "not a url"] {
      let stub = try Self.tokens(realm: realm)
      expectError(.ociUntrustedRealm) { _ = try stub.client { $0.credentials = KnownPassword() }.tags() }
      #expect(stub.requests.allSatisfy { $0["Authorization"] == nil })
    }
    func server(_ realm: String, of registry: String) throws {
      _ = try TokenServer(Challenge(scheme: "bearer", parameters: ["realm": realm]), of: FetchURL(registry))
    }
    expectError(.ociUntrustedRealm) { try server("http://example.com/t", of: "https://example.com/v2/") }
    expectError(.ociUntrustedRealm) { try server("https://127.0.0.1/t", of: "https://example.com/v2/") }
    try server("https://auth.example.com/t", of: "https://example.com/v2/")
  }

  @Test("a token that has ended is renewed, and one that is demanded for more is asked for")
  func renewed() throws {
    let tokens = Counter()
    let stub = try StubRegistry { request, stub in
      if request.line.contains("/token") {
        tokens.count()
        // A second less than the margin: it has ended at once.
        return StubRegistry.reply("200 OK", [], Array(#"{"token":"T\#(tokens.value)","expires_in":1}"#.utf8))
      }
      guard request["Authorization"] == "Bearer T\(tokens.value)", tokens.value > 0 else {
        return StubRegistry.reply(
          "401 Unauthorized",
          ["WWW-Authenticate: Bearer realm=\"http://\(stub.host)/token\",scope=\"registry:catalog:*\""])
      }
      return nil
    }
    let registry = try stub.client()
    #expect(try registry.tags() == [])
    let asked = try #require(stub.requests.first { $0.line.contains("/token") })
    #expect(asked.line.contains("scope=repository%3Aa%2Fb%3Apull&scope=registry%3Acatalog%3A%2A"))
  }

  @Test("what a scope allows is compared by name and actions")
  func scopes() {
    #expect(TokenServer.covers("repository:a/b:pull,push", "repository:a/b:pull"))
    #expect(!TokenServer.covers("repository:a/b:pull", "repository:a/b:pull,push"))
    #expect(!TokenServer.covers("repository:a/b:pull", "repository:a/bc:pull"))
    #expect(!TokenServer.covers("repository:a/b:pull", "registry:catalog:*"))
  }

  @Test("a token that was taken back is asked for again, once")
  func expired() throws {
    let stub = try StubRegistry { request, stub in
      if request.line.contains("/token") { return StubRegistry.reply("200 OK", [], Array(#"{"token":"T"}"#.utf8)) }
      return StubRegistry.reply(
        "401 Unauthorized", ["WWW-Authenticate: Bearer realm=\"http://\(stub.host)/token\""])
    }
    expectError(.ociDenied) { _ = try stub.client().tags() }
    #expect(stub.requests.count == 3)
  }

  @Test("wrong passwords, and demands that nobody understands, are told without the password")
  func denied() throws {
    for challenge in ["Basic realm=\"x\"", "Negotiate", "", "Digest realm=\"x\""] {
      let stub = try StubRegistry.giving(
        "401 Unauthorized", ["WWW-Authenticate: \(challenge)"],
        #"{"errors":[{"code":"UNAUTHORIZED","message":"no\u001b[2J"}]}"#)
      let error = expectError(.ociDenied) { _ = try stub.client { $0.credentials = KnownPassword() }.tags() }
      let shown = try #require(error).description
      #expect(!shown.contains("dTpz") && !shown.unicodeScalars.contains("\u{1b}"))
      #expect(shown.contains("UNAUTHORIZED"))
    }
    let closed = try StubRegistry.giving("403 Forbidden")
    expectError(.ociDenied) { _ = try closed.client().whole(try Blob([1]).descriptor) }
  }

  @Test("over http, credentials stay on this machine")
  func plainHTTP() throws {
    var settings = RegistrySettings()
    settings.isPlain = true
    settings.credentials = KnownPassword()
    let connection = try RegistryConnection(#require(RepositoryName("registry.invalid/a")), settings)
    #expect(try connection.usedCredential() == nil)
    let local = try RegistryConnection(#require(RepositoryName("127.0.0.1:1/a")), settings)
    #expect(try local.usedCredential() != nil)
    // A proxy reads what goes over http.
    settings.proxy = "http://proxy.invalid"
    #expect(try RegistryConnection(#require(RepositoryName("127.0.0.1:1/a")), settings).usedCredential() == nil)
    settings.proxy = nil
    settings.isPlain = false
    let secure = try RegistryConnection(#require(RepositoryName("registry.invalid/a")), settings)
    #expect(try secure.usedCredential() != nil)
  }
}
