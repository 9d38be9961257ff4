import Foundation
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import OCITestSupport
@testable import SignetOCI

/// A real registry: Debian's docker-registry.
@Suite(
  "Debian's registry", .serialized,
  .enabled(if: DebianRegistry.program != nil, DebianRegistry.isMissing)) struct DebianRegistryTests
{
  private struct Password: CredentialSource {
    var secret = "pass:word"

    func credential(for repository: RepositoryName) throws(SignetError) -> RegistryCredential? {
      RegistryCredential(user: "user", secret: secret)
    }
  }

  @Test("manifests, blobs, tags and referrers go there and come back", arguments: ["", "  relativeurls: true"])
  func roundTrip(_ http: String) throws {
    let registry = try DebianRegistry(http: http)
    let client = try registry.client { $0.partSize = 1 << 20 }
    let large = try Blob((0..<3_333_333).map { UInt8(truncatingIfNeeded: $0 / 13) })
    try client.put(large.descriptor, large.feed)
    let manifest = try client.putImage("one", tag: "1")
    let about = try client.putImage("about", about: manifest)
    let other = try registry.client()
    #expect(try other.whole(large.descriptor) == large.bytes)
    #expect(try other.existing(.tag("1")).bytes == manifest.bytes)
    #expect(try other.referrers(of: manifest.digest).map(\.digest) == [about.digest])
    #expect(try other.tags() == ["1"])
    #expect(try other.manifest(.tag("2")) == nil)
    #expect(try !other.has(Blob([9]).descriptor))
    expectError(.ociNotFound) { _ = try other.whole(Blob([9]).descriptor) }
    // A manifest whose parts are missing is not taken.
    let parts = try OCIManifest("application/vnd.test.v1", layers: [Blob([1, 2]).descriptor])
    expectError(.ociRefused) { try client.put(parts, tag: "2") }
    // From one repository to the other, nothing is transferred.
    let copy = try registry.client("c/d")
    copy.mountSource = client.repository
    try copy.put(large.descriptor, .stream { (_) throws(SignetError) in Issue.record("it was read") })
    #expect(try copy.whole(large.descriptor) == large.bytes)
  }

  @Test("an empty blob is a blob")
  func empty() throws {
    let registry = try DebianRegistry()
    let blob = try Blob([])
    let client = try registry.client()
    try client.put(blob.descriptor, blob.feed)
    #expect(try client.has(blob.descriptor))
    #expect(try client.whole(blob.descriptor).isEmpty)
  }

  /// A file that lets something happen when it is read from an offset on.
  private final class WatchedBytes: ByteSource, @unchecked Sendable {
    let bytes: [UInt8]
    let path = "watched"
    private let offset: Int
    private let action: () -> Void
    private var hasHappened = false

    init(_ bytes: [UInt8], from offset: Int, _ action: @escaping () -> Void) {
      self.bytes = bytes
      self.offset = offset
      self.action = action
    }

    var size: Int { bytes.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      if !hasHappened, offset >= self.offset {
        hasHappened = true
        action()
      }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
  }

  @Test(
    "a registry that is killed in the middle of a push, and started again, gets the rest", arguments: [0, 1, 5, 9])
  func killed(_ part: Int) throws {
    let registry = try DebianRegistry()
    let part = part << 20
    let bytes = (0..<10 << 20).map { UInt8(truncatingIfNeeded: $0 / 17) }
    let blob = try Blob(bytes)
    let restarts = Counter()
    let client = try registry.client {
      $0.partSize = 1 << 20
      $0.wait = { _ in
        restarts.count()
        if restarts.value == 1 { do { try registry.start() } catch { Issue.record(error) } }
      }
    }
    try client.put(blob.descriptor, .file(WatchedBytes(bytes, from: part + 500_000) { registry.kill() }))
    #expect(restarts.value >= 1)
    #expect(try registry.client().whole(blob.descriptor) == bytes)
  }

  @Test("a registry that is killed and stays away is told")
  func gone() throws {
    let registry = try DebianRegistry()
    let bytes = Array(repeating: UInt8(3), count: 4 << 20)
    let blob = try Blob(bytes)
    let client = try registry.client {
      $0.partSize = 1 << 20
      $0.wait = { _ in }
    }
    let error = expectError(.fetchConnection) {
      try client.put(blob.descriptor, .file(WatchedBytes(bytes, from: 2 << 20) { registry.kill() }))
    }
    #expect(error?.object.hasPrefix("http://\(registry.host)/v2/a/b/blobs/uploads/") == true)
  }

  @Test("names and passwords are asked for, and sent to it alone")
  func passwords() throws {
    let registry = try DebianRegistry(
      lines: "auth: {htpasswd: {realm: test, path: FOLDER/users}}",
      files: ["users": Array("user:$2y$05$R3h7yNo3FqOp4WHStEi9He2nak/jI4uH6gn0bm3lrQBoBEJKPJhWS\n".utf8)])
    let manifest = try registry.client { $0.credentials = Password() }.putImage("one", tag: "1")
    #expect(try registry.client { $0.credentials = Password() }.existing(.tag("1")).bytes == manifest.bytes)
    expectError(.ociDenied) { _ = try registry.client().manifest(.tag("1")) }
    expectError(.ociDenied) {
      _ = try registry.client { $0.credentials = Password(secret: "wrong") }.manifest(.tag("1"))
    }
  }

  @Test("over TLS, its certificate decides")
  func secured() throws {
    let authority = try TLSAuthority()
    let certificate = try authority.certificate()
    let registry = try DebianRegistry(
      http: "  tls: {certificate: FOLDER/tls.pem, key: FOLDER/tls.key}",
      files: ["tls.pem": certificate.chain, "tls.key": certificate.key])
    let client = try registry.client {
      $0.isPlain = false
      $0.authorities = authority.path
    }
    let manifest = try client.putImage("one", tag: "1")
    #expect(try client.existing(.tag("1")).bytes == manifest.bytes)
    expectError(.fetchTLS) { _ = try registry.client { $0.isPlain = false }.manifest(.tag("1")) }
  }

  @Test("tokens come from the server that it names, for what is needed")
  func tokens() throws {
    let issuer = try TokenIssuer()
    let server = try RawServer { request in
      guard request["Authorization"] == "Basic dXNlcjpwYXNzOndvcmQ=" else {
        return StubRegistry.reply("401 Unauthorized")
      }
      return StubRegistry.reply("200 OK", [], Array(#"{"token":"\#(issuer.token(for: request.line))"}"#.utf8))
    }
    let registry = try DebianRegistry(
      lines: """
        auth:
          token:
            realm: \(server.url("/token"))
            service: test
            issuer: issuer
            rootcertbundle: FOLDER/issuer.pem
        """, files: ["issuer.pem": issuer.certificate])
    let manifest = try registry.client { $0.credentials = Password() }.putImage("one", tag: "1")
    #expect(try registry.client { $0.credentials = Password() }.existing(.tag("1")).bytes == manifest.bytes)
    #expect(
      server.requests.map(\.line) == [
        "GET /token?service=test&scope=repository%3Aa%2Fb%3Apull%2Cpush HTTP/1.1",
        "GET /token?service=test&scope=repository%3Aa%2Fb%3Apull HTTP/1.1",
      ])
    expectError(.ociDenied) { _ = try registry.client().manifest(.tag("1")) }
  }

  @Test("a copy from a registry to a layout and to another registry keeps every byte, with what is about it")
  func copies() throws {
    let (registry, folder) = (try DebianRegistry(), try TemporaryFolder())
    let source = try registry.client()
    let one = try source.putImage("one", tag: "1")
    let about = try source.putImage("about", about: one)
    let more = try source.putImage("about that", about: about)
    let list = try OCIManifest(index: [one.descriptor, source.putImage("two").descriptor])
    try source.put(list, tag: "all")
    let layout = try OCILayout(folder.file("layout"), isMade: true)
    var down = OCICopy(from: source, to: layout)
    for tag in try source.tags() { _ = try down.copy(.tag(tag), tag: tag) }
    #expect(down.tally.manifests == 5 && down.tally.referrers == 2)
    let other = try DebianRegistry()
    let target = try other.client("x")
    var up = OCICopy(from: layout, to: target)
    for tag in try layout.tags() { _ = try up.copy(.tag(tag), tag: tag) }
    #expect(try target.tags() == ["1", "all"])
    #expect(try target.existing(.tag("all")).bytes == list.bytes)
    #expect(try target.referrers(of: one.digest).map(\.digest) == [about.digest])
    #expect(try target.referrers(of: about.digest).map(\.digest) == [more.digest])
    #expect(try target.whole(#require(more.blobs.last)) == Array("about that".utf8))
    var again = OCICopy(from: layout, to: target)
    _ = try again.copy(.tag("1"), tag: "1")
    #expect(again.tally.blobs == 0)
  }

  private static let skopeoProgram = Program.find("skopeo")

  @Test(
    "skopeo reads what is pushed, and what skopeo pushes is read",
    .enabled(if: skopeoProgram != nil, "no skopeo; make test installs it"))
  func skopeo() throws {
    let (registry, folder) = (try DebianRegistry(), try TemporaryFolder())
    let manifest = try registry.client().putImage("one", tag: "1")
    let run = { (arguments: [String]) in
      let result = try Program.run(#require(Self.skopeoProgram), arguments, in: folder.path)
      try #require(result.status == 0, "\(arguments)\n\(result.errors)")
    }
    try run([
      "--insecure-policy", "copy", "--src-tls-verify=false", "docker://\(registry.host)/a/b:1", "oci:skopeo:1",
    ])
    let theirs = try OCILayout(folder.file("skopeo"), isMade: false)
    #expect(try theirs.existing(.tag("1")).bytes == manifest.bytes)
    #expect(try theirs.whole(manifest.blobs[1]) == Array("one".utf8))
    let own = try OCILayout(folder.file("own"), isMade: true)
    let other = try own.putImage("two", tag: "2")
    try run([
      "--insecure-policy", "copy", "--dest-tls-verify=false", "oci:own:2", "docker://\(registry.host)/from/skopeo:2",
    ])
    #expect(try registry.client("from/skopeo").existing(.tag("2")).bytes == other.bytes)
  }
}

/// Who signs tokens for Debian's registry (RFC 7519, RFC 7515).
private final class TokenIssuer: Sendable {
  let certificate: [UInt8]
  private let key: PrivateKey

  init() throws {
    let folder = try TemporaryFolder()
    let openssl = try #require(Program.find("openssl"), "make test installs openssl")
    let result = try Program.run(
      openssl,
      [
        "req", "-new", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-subj",
        "/CN=issuer", "-days", "30",
      ], in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    certificate = try folder.read("cert.pem")
    key = try PrivateKey(file: SecretBytes(folder.read("key.pem"))) { () throws(SignetError) in
      throw SignetError(.keyPassphraseRequired, "key", "has a passphrase")
    }
  }

  /// A token for what a request's line asks for.
  func token(for line: String) -> String {
    let query = line.components(separatedBy: "?").last?.prefix { $0 != " " } ?? ""
    let access = query.components(separatedBy: "&").filter { $0.hasPrefix("scope=") }.compactMap { scope -> String? in
      let parts = scope.dropFirst(6).removingPercentEncoding?.split(separator: ":").map(String.init) ?? []
      guard parts.count == 3 else { return nil }
      let actions = parts[2].split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"type":"repository","name":"\#(parts[1])","actions":[\#(actions)]}"#
    }
    let now = Int(Date().timeIntervalSince1970)
    let der = String(decoding: certificate, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
      .joined()
    let head = Self.part(#"{"typ":"JWT","alg":"RS256","x5c":["\#(der)"]}"#)
    let claims = Self.part(
      #"{"iss":"issuer","sub":"user","aud":"test","exp":\#(now + 600),"nbf":\#(now - 60),"iat":\#(now),"jti":"1","access":[\#(access.joined(separator: ","))]}"#
    )
    let signature = (try? key.sign(Array("\(head).\(claims)".utf8))) ?? []
    return "\(head).\(claims).\(Self.encoded(signature))"
  }

  private static func part(_ text: String) -> String { encoded(Array(text.utf8)) }

  private static func encoded(_ bytes: [UInt8]) -> String {
    Base64.encode(bytes).replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}
