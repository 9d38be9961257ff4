import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetOCI

/// Credentials, and how registries ask for them.
@Suite("credentials for registries") struct CredentialTests {
  @Test(
    "a demand is read as RFC 9110 writes it",
    arguments: [
      (["Basic realm=\"x\""], [("basic", ["realm": "x"])]),
      (
        ["Bearer realm=\"https://a/b?c=d\",service=\"s,t\", scope=\"repository:a/b:pull\""],
        [("bearer", ["realm": "https://a/b?c=d", "service": "s,t", "scope": "repository:a/b:pull"])]
      ),
      (["Basic realm=a, Bearer realm=b"], [("basic", ["realm": "a"]), ("bearer", ["realm": "b"])]),
      (["Basic realm=a", "BEARER Realm=b"], [("basic", ["realm": "a"]), ("bearer", ["realm": "b"])]),
      (["Negotiate YII==, Basic realm=\"x\""], [("negotiate", [:]), ("basic", ["realm": "x"])]),
      (["Negotiate"], [("negotiate", [:])]), (["Basic , realm = \"a\\\"b\\\\\" ,"], [("basic", ["realm": "a\"b\\"])]),
      ([""], []), ([",,,"], []), (["=x"], []), (["Basic realm=\"open"], [("basic", [:])]),
    ] as [([String], [(String, [String: String])])])
  func challenges(_ values: [String], _ expected: [(String, [String: String])]) {
    let found = Challenge.all(in: values)
    #expect(found.map(\.scheme) == expected.map(\.0))
    #expect(found.map(\.parameters) == expected.map(\.1))
  }

  private static func repository(_ text: String) throws -> RepositoryName { try #require(RepositoryName(text[...])) }

  @Test(
    "an entry of the file is for its registry, and for nothing that only begins like it",
    arguments: [
      ("example.com", "example.com/a", 11), ("https://example.com", "example.com/a", 11),
      ("https://example.com/v2/", "example.com/a", 11), ("http://example.com/v1", "example.com/a", 11),
      ("EXAMPLE.com", "example.com/a", 11), ("example.com:5000", "example.com:5000/a", 16),
      ("example.com/a", "example.com/a/b", 13), ("example.com/a/b", "example.com/a/b", 15),
      ("https://index.docker.io/v1/", "docker.io/a", 0), ("example.com", "example.com.evil/a", nil),
      ("example.com", "example.com:5000/a", nil), ("example.com:5000", "example.com/a", nil),
      ("example.com/a", "example.com/ab", nil), ("", "example.com/a", nil), ("sub.example.com", "example.com/a", nil),
      ("https://index.docker.io/v1/", "index.docker.io.evil/a", nil),
    ] as [(String, String, Int?)])
  func covers(_ entry: String, _ repository: String, _ length: Int?) throws {
    #expect(try DockerCredentials.covers(entry, Self.repository(repository)) == length)
  }

  private func credential(_ text: String, for name: String = "example.com/a/b") throws -> RegistryCredential? {
    let folder = try TemporaryFolder()
    let path = try folder.write("config.json", Array(text.utf8), mode: 0o600)
    return try DockerCredentials([folder.file("missing"), path]) { (program, server) throws(SignetError) in
      switch (program, server) {
      case ("docker-credential-store", "example.com"): Array(#"{"ServerURL":"","Username":"u","Secret":"s"}"#.utf8)
      case ("docker-credential-token", _): Array(#"{"Username":"<token>","Secret":"t"}"#.utf8)
      case ("docker-credential-odd", _): Array("oops".utf8)
      default: nil
      }
    }.credential(for: Self.repository(name))
  }

  @Test("names and passwords come from docker's file, the entry that names most first")
  func passwords() throws {
    let text = #"{"auths":{"example.com":{"auth":"dTpwOnE="},"example.com/a":{"auth":"djp4"}}}"#
    #expect(try credential(text)?.basic == "Basic djp4")
    #expect(try credential(text, for: "example.com/c")?.basic == "Basic dTpwOnE=")
    #expect(try credential(text, for: "other.com/c") == nil)
    #expect(try credential(#"{"auths":{"example.com":{}}}"#) == nil)
    #expect(try credential("{}") == nil)
    #expect(try credential(#"{"auths":null,"credsStore":null,"credHelpers":{"example.com":""}}"#) == nil)
    #expect(
      try credential(#"{"auths":{"http://example.com":{},"example.com":{"auth":"djp4"}}}"#)?.basic == "Basic djp4")
    #expect(try credential(#"{"auths":{"example.com":{"username":"v","password":"x"}}}"#)?.basic == "Basic djp4")
    let token = try credential(#"{"auths":{"example.com":{"auth":"","identitytoken":"t"}}}"#)
    guard case .identityToken("t") = token else { return #expect(Bool(false), "no token") }
  }

  @Test("programs that keep credentials are asked")
  func helpers() throws {
    #expect(try credential(#"{"credsStore":"store"}"#)?.basic == "Basic dTpz")
    #expect(
      try credential(#"{"credHelpers":{"example.com":"store"},"auths":{"example.com":{"auth":"djp4"}}}"#)?.basic
        == "Basic dTpz")
    #expect(
      try credential(#"{"credHelpers":{"other.com":"store"},"auths":{"example.com":{"auth":"djp4"}}}"#)?.basic
        == "Basic djp4")
    #expect(try credential(#"{"credsStore":"none","auths":{"example.com":{"auth":"djp4"}}}"#)?.basic == "Basic djp4")
    guard case .identityToken("t") = try credential(#"{"credsStore":"token"}"#) else {
      return #expect(Bool(false), "no token")
    }
  }

  @Test(
    "a file that is wrong is told, and never quoted",
    arguments: [
      "{", #"{"auths":[]}"#, #"{"auths":{"example.com":{"auth":"c2VjcmV0"}}}"#,
      #"{"auths":{"example.com":{"auth":"%secret%"}}}"#, #"{"auths":{"example.com":{"auth":"dTpzZWNyZXQKeA=="}}}"#,
      #"{"credsStore":"../secret"}"#, #"{"credsStore":"a b"}"#, #"{"credsStore":"odd"}"#,
      #"{"auths":{"example.com":"secret"}}"#,
    ])
  func wrong(_ text: String) throws {
    let error = expectError(.ociCredentials) { _ = try credential(text) }
    let shown = try #require(error).description
    #expect(!shown.contains("secret") && !shown.contains("c2VjcmV0"))
  }

  @Test("a file that others may write is not believed")
  func writable() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("config.json", Array("{}".utf8), mode: 0o666)
    expectError(.fileOthersMayWrite) {
      _ = try DockerCredentials([path]) { _, _ in nil }.credential(for: Self.repository("example.com/a"))
    }
  }

  @Test("a credential is never shown")
  func shown() throws {
    let credential = try #require(RegistryCredential(user: "u", secret: "hidden"))
    #expect("\(credential)" == "…" && String(reflecting: credential) == "…")
    #expect(RegistryCredential(user: "u\r\nX: y", secret: "s") == nil)
    #expect(RegistryCredential(user: "u", secret: "") == nil)
  }

  @Test("a file that is named must be there")
  func named() throws {
    let folder = try TemporaryFolder()
    let repository = try Self.repository("example.com/a")
    #expect(try DockerCredentials([folder.file("no")]) { _, _ in nil }.credential(for: repository) == nil)
    expectError(.fileMissing) {
      _ = try DockerCredentials([folder.file("no")], isRequired: true) { _, _ in nil }.credential(for: repository)
    }
  }
}
