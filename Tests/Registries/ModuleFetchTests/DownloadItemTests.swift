import Foundation
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

@Suite("download items") struct DownloadItemTests {
  private static let hex = String(repeating: "ab", count: 32)

  @Test("PA7: an item says which release of which module is where")
  func whole() throws {
    let item = try DownloadItem(
      json: Array(
        """
        {"identifier": "com.example.player", "version": "2.1.0", "sequence": 7, "url": "https://example.com/p.zip?key=s",
         "signature": "https://example.com/p.sigstore.json", "sha256": "\(Self.hex)", "size": 12}
        """.utf8))
    #expect("\(item.identifier)" == "com.example.player" && item.version == SemanticVersion("2.1.0"))
    #expect(item.sequence == 7)
    #expect(item.url == "https://example.com/p.zip?key=s")
    #expect(item.signature == "https://example.com/p.sigstore.json")
    #expect(item.sha256?.hex == Self.hex)
    #expect(item.size == 12)
    #expect(try DownloadItem(json: CanonicalJSON.write(item.json)) == item)
    // What may be a secret is not shown.
    #expect(item.source.shown == "https://example.com/p.zip")
    let least = try DownloadItem(
      json: Array(#"{"identifier":"com.example.a","version":"1.0.0","url":"http://example.com/"}"#.utf8))
    #expect(least.sequence == nil && least.signature == nil && least.sha256 == nil && least.size == nil)
    #expect(try DownloadItem(json: CanonicalJSON.write(least.json)) == least)
  }

  @Test("an item for any release names none; its note is read, and a list without a version is not")
  func anyRelease() throws {
    let module = try identifier("com.example.a")
    let item = try DownloadItem(
      anyReleaseOf: module, url: "http://example.com/a.zip", signature: "http://example.com/b")
    #expect(item.version == nil && item.sequence == nil && item.release == "any release")
    #expect(item.url == "http://example.com/a.zip" && item.signature == "http://example.com/b")
    expectError(.fetchItem) { _ = try DownloadItem(json: CanonicalJSON.write(item.json)) }
    let note = DownloadNote(of: item, begun: ModuleWorkshop.time)
    #expect(try DownloadNote(note.text()) == note)
    expectError(.fetchURL) { _ = try DownloadItem(anyReleaseOf: module, url: "file:///a") }
  }

  @Test(
    "PA7: an item that lacks something, or has something that nobody knows, is none",
    arguments: [
      #"{"version":"1.0.0","url":"http://a/"}"#, #"{"identifier":"com.example.a","url":"http://a/"}"#,
      #"{"identifier":"com.example.a","version":"1.0.0"}"#,
      #"{"identifier":"a","version":"1.0.0","url":"http://a/"}"#,
      #"{"identifier":"com.example.a","version":"1","url":"http://a/"}"#,
      #"{"identifier":"com.example.a","version":1,"url":"http://a/"}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","sequence":0}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","sequence":"1"}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","size":0}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","size":-1}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","sha256":"ab"}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","sha256":null}"#,
      #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/","zipName":"x"}"#,
      #"{"identifier":"com.example.a","identifier":"com.example.a","version":"1.0.0","url":"http://a/"}"#,
      #"[]"#, "", "{", #"{"identifier":"com.example.a","version":"1.0.0","url":"http://a/"} x"#,
    ])
  func malformed(_ text: String) {
    expectError(.fetchItem) { _ = try DownloadItem(json: Array(text.utf8)) }
  }

  @Test(
    "D11: nothing is fetched but http and https, from a host, without a password",
    arguments: [
      "", "a", "/etc/passwd", "file:///etc/passwd", "ftp://example.com/", "http:/example.com", "http://", "http:///x",
      "///x", "http:////x",
      "http://a:b@example.com/", "http://a@example.com/", "https://example.com:99999/", "http://exa mple.com/",
      "http://example.com/\n", "http://example.com/\u{e4}", "http://b\u{fc}cher.example/", "scp://example.com/x",
      "http://[::1/", "//example.com/x", "http+unix://x/",
      "http://example.com/" + String(repeating: "a", count: 8192),
    ])
  func urls(_ url: String) {
    expectError(.fetchURL) {
      _ = try DownloadItem(identifier("com.example.a"), version: #require(SemanticVersion("1.0.0")), url: url)
    }
    expectError(.fetchURL) {
      _ = try DownloadItem(
        identifier("com.example.a"), version: #require(SemanticVersion("1.0.0")), url: "http://example.com/",
        signature: url)
    }
  }

  @Test(
    "messages tell no password and no query of a URL that is refused",
    arguments: [
      "http://me:secret@example.com/", "http://secret@example.com/", "ftp://me:secret@example.com/?x",
      "http://me:secret?x@example.com/", "ftp://example.com/?key=secret", "http://exa mple.com/?a@b&key=secret",
      "http://me:a@secret@example.com/", "https://me:secret/x", "ftp://example.com/#secret",
      "/x#access_token=secret\u{e4}", "ftp://example.com/?\u{308}secret", "ftp:secret", "https:secret/x",
    ])
  func secrets(_ url: String) throws {
    let error = expectError(.fetchURL) { _ = try FetchURL(url) }
    #expect(try !"\(#require(error))".contains("secret"))
    let place = expectError(.fetchURL) { _ = try FetchURL("http://example.com/x").resolving(url) }
    #expect(try !"\(#require(place))".contains("secret"))
  }

  @Test(
    "places are read as seen from where the server is",
    arguments: [
      ("/b", "https://example.com/b"), ("b?c#d", "https://example.com/x/b?c"),
      ("//other.example/b", "https://other.example/b"),
      ("../../../b", "https://example.com/b"), ("HTTP://Other.Example/b", "http://Other.Example/b"),
      ("?q", "https://example.com/x/y?q"), ("http://[::1]:8080/b", "http://[::1]:8080/b"),
    ])
  func resolved(_ place: String, _ url: String) throws {
    #expect(try FetchURL("https://example.com/x/y?z#f").resolving(place).text == url)
  }
}

@Suite("heads of answers") struct ResponseHeadTests {
  private func head(_ lines: String...) -> ResponseHead? { ResponseHead(lines.map { Array(($0 + "\r\n").utf8) }) }

  @Test("a head is a line with a status, and fields")
  func heads() throws {
    let parsed = try #require(
      head("HTTP/1.1 206 Partial Content", "ETag:  \"a\" \t", "etag: \"a\"", "X:", "A: 1", "a: 2"))
    #expect(parsed.status == 206)
    #expect(parsed.strongTag == "\"a\"")
    #expect(try parsed.field("x")?.isEmpty == true)
    #expect(try parsed.field("y") == nil)
    expectError(.fetchResponse) { _ = try parsed.field("a") }
    #expect(head("HTTP/1.1 200") != nil)
    for line in [
      "", "HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 2a0 OK", "200 OK", "HTTP/1.1  200 OK",
    ] {
      #expect(head(line) == nil, "\(line)")
    }
    for line in ["", ": x", "x", "x y: z", " x: y", "\u{e4}: x", "x: a\u{0}b"] {
      #expect(head("HTTP/1.1 200 OK", line) == nil, "\(line)")
    }
    #expect(ResponseHead([]) == nil)
  }

  @Test("whatever the bytes, a head is read or is none", .seeded(0))
  func anything() {
    for number in 0..<500 {
      let bytes = patternBytes(60, seed: Seed.current &+ UInt64(number)).map { $0 & 0x7f }
      let lines =
        [Array("HTTP/1.1 206 x".utf8)] + bytes.split(separator: 0x20).map { Array("content-range:bytes ".utf8) + $0 }
      _ = try? ResponseHead(lines)?.range()
      _ = ResponseHead(bytes.split(separator: 0x20).map { Array($0) })?.strongTag
    }
  }

  @Test("waiting times double, within bounds, and a server's wish counts up to a bound", .seeded)
  func delays() {
    var limits = ArchiveFetcher.Limits()
    limits.firstDelay = 1000
    limits.longestDelay = 30_000
    var generator = SeededRandom()
    for (attempt, whole) in [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].enumerated() {
      for _ in 0..<50 {
        let delay = limits.delay(after: attempt, asked: nil, using: &generator) ?? -1
        #expect((whole / 2...whole).contains(delay), "\(attempt)")
      }
    }
    #expect(limits.delay(after: 0, asked: 60, using: &generator) == 60_000)
    #expect(limits.delay(after: 0, asked: 61, using: &generator) == nil)
    #expect(limits.delay(after: Int.max, asked: nil, using: &generator).map { $0 <= 30_000 } == true)
    limits.firstDelay = .max
    #expect(limits.delay(after: 19, asked: nil, using: &generator).map { $0 <= 30_000 } == true)
    limits.longestDelay = .max
    for attempt in 0..<25 { #expect(limits.delay(after: attempt, asked: nil, using: &generator) != nil) }
  }
}

/// What the process around it says has no say in a transfer.
@Suite("fetching and the environment", .serialized) struct FetchEnvironmentTests {
  @Test("proxies, passwords and authorities of the environment do not count")
  func environment() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in
      [.file(bytes.count, ["Set-Cookie: a=b", "WWW-Authenticate: Basic realm=x"]), .send(bytes)]
    }
    let other = try RawServer { _ in [.head("404 Not Found")] }
    let home = try TemporaryFolder()
    try home.write(".netrc", Array("machine 127.0.0.1 login somebody password secret\n".utf8), mode: 0o600)
    let arguments = [
      workshop.workshop.path, workshop.workshop.key.publicKey.pem, server.url(), server.url("/bundle"), home.path,
      other.url("/"),
    ]
    await #expect(processExitsWith: .exitCode(0)) { [arguments = arguments as [String]] in
      setenv("HOME", arguments[4], 1)
      for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"] {
        setenv(name, arguments[5], 1)
      }
      let policy = try TrustPolicy(
        entries: [
          TrustEntry("key", .key(PublicKey(file: SecretBytes(Array(arguments[1].utf8)))), scope: .everything)
        ],
        terms: TrustPolicy.Terms())
      var configuration = PluginHost.Configuration()
      configuration.clock = .fixed(ModuleWorkshop.time)
      configuration.fetcher = .http()
      let host = try PluginHost(policy: policy, store: arguments[0], configuration: configuration)
      let item = try DownloadItem(
        identifier("com.example.fetched"), version: #require(SemanticVersion("1.0.1")), url: arguments[2],
        signature: arguments[3])
      exit(try await host.download(item).sequence == 1 ? 0 : 7)
    }
    #expect(other.requests.isEmpty)
    #expect(server.requests.count == 2)
    for request in server.requests {
      #expect(request["Authorization"] == nil)
      #expect(request["Cookie"] == nil)
      #expect(request["Accept-Encoding"] == "identity")
      #expect(request.line.hasSuffix(" HTTP/1.1"))
    }
  }

  @Test("a proxy that the host names is used, whatever the environment says of exceptions")
  func proxyAndExceptions() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let (bytes, bundle) = (workshop.archive, workshop.bundle)
    let proxy = try RawServer { request in
      let content = request.line.contains("/bundle ") ? bundle : bytes
      return [.file(content.count), .send(content)]
    }
    let arguments = [
      workshop.workshop.path, workshop.workshop.key.publicKey.pem, "http://127.0.0.1:\(proxy.port)",
    ]
    await #expect(processExitsWith: .exitCode(0)) { [arguments = arguments as [String]] in
      for name in ["no_proxy", "NO_PROXY"] { setenv(name, "*", 1) }
      let key = try PublicKey(file: SecretBytes(Array(arguments[1].utf8)))
      let policy = try TrustPolicy(
        entries: [TrustEntry("key", .key(key), scope: .everything)], terms: TrustPolicy.Terms())
      var configuration = PluginHost.Configuration()
      configuration.clock = .fixed(ModuleWorkshop.time)
      configuration.fetcher = .http()
      configuration.fetcher?.proxy = arguments[2]
      configuration.fetcher?.limits.retries = 0
      let host = try PluginHost(policy: policy, store: arguments[0], configuration: configuration)
      let item = try DownloadItem(
        identifier("com.example.fetched"), version: #require(SemanticVersion("1.0.1")),
        url: "http://modules.invalid/m.zip", signature: "http://modules.invalid/bundle")
      exit(try await host.download(item).sequence == 1 ? 0 : 7)
    }
    #expect(proxy.requests.count == 2)
  }

  @Test("a proxy that the host names is used")
  func proxy() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let (bytes, bundle) = (workshop.archive, workshop.bundle)
    let proxy = try RawServer { request in
      let content = request.line.contains("/bundle ") ? bundle : bytes
      return [.file(content.count), .send(content)]
    }
    let host = try workshop.host { $0.fetcher?.proxy = "http://127.0.0.1:\(proxy.port)" }
    let item = try workshop.item(url: "http://modules.invalid/m.zip", signature: "http://modules.invalid/bundle")
    #expect(try await host.download(item).sequence == 1)
    #expect(
      proxy.requests.map(\.line) == [
        "GET http://modules.invalid/m.zip HTTP/1.1", "GET http://modules.invalid/bundle HTTP/1.1",
      ])
  }
}
