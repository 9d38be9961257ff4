import Foundation
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

/// A real server on the loopback interface.
@Suite("fetching from nginx", .serialized, .enabled(if: NginxServer.program != nil, NginxServer.isMissing))
struct NginxTests {
  /// Slow for whoever asks for all of it, fast for the rest.
  private static let slow = "map $http_range $rate { '' 2k; default 0; }"

  private func server(_ workshop: FetchWorkshop, _ secured: [NginxServer.Secured] = []) throws -> NginxServer {
    try NginxServer(
      files: ["m.zip": workshop.archive, "bundle": workshop.bundle],
      lines: """
        location /slow.zip { alias files/m.zip; limit_rate $rate; }
        location = /chain.zip { return 302 /chain4.zip; }
        location ~ ^/chain([0-9])\\.zip$ { set $n $1; if ($n = 0) { return 307 /m.zip; }
          if ($n = 1) { return 301 /chain0.zip; } if ($n = 2) { return 303 chain1.zip; }
          if ($n = 3) { return 308 http://127.0.0.1:$server_port/chain2.zip; } if ($n = 4) { return 302 chain3.zip?a=b; }
          return 302 /chain4.zip; }
        location = /loop.zip { return 302 /loop.zip; }
        location = /plain.zip { return 302 http://127.0.0.1:PORT0/m.zip; }
        location = /back.zip { return 302 http://127.0.0.1:PORT0/plain.zip; }
        location = /elsewhere.zip { return 302 $arg_to; }
        location = /nowhere.zip { return 302; }
        location = /packed.zip { alias files/m.zip; add_header Content-Encoding gzip; }
        location = /gone.zip { return 410; }
        """, http: Self.slow, secured: secured)
  }

  private func item(
    _ workshop: FetchWorkshop, _ server: NginxServer, _ path: String = "m.zip", port: Int = 0
  ) throws -> DownloadItem {
    try workshop.item(url: server.url(path, port: port), signature: server.url("bundle", port: port))
  }

  @Test("an archive and its bundle are fetched, each once")
  func plain() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop)
    let host = try workshop.host()
    #expect(try await host.download(item(workshop, server)).sequence == 1)
    #expect(try await host.load(workshop.identifier).resource("data") == patternBytes(300_000, seed: 1))
    #expect(
      try await server.log(2) == [
        "GET /m.zip 200 \"-\" \"-\" \(workshop.archive.count)",
        "GET /bundle 200 \"-\" \"-\" \(workshop.bundle.count)",
      ])
  }

  @Test("what is not there, gone or packed is not fetched", arguments: ["absent.zip", "gone.zip", "packed.zip"])
  func absent(_ path: String) async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop)
    let code: SignetError.Code = path == "packed.zip" ? .fetchEncoding : .fetchStatus
    let error = await expectFetch(code, try workshop.host(), try item(workshop, server, path))
    #expect(error?.found == ["absent.zip": "404", "gone.zip": "410", "packed.zip": "gzip"][path])
    #expect(try await server.log(1).count == 1)
  }

  @Test(
    "a slow transfer that is given up is gone on with; a file that was replaced meanwhile is fetched anew",
    arguments: [
      false, true,
    ])
  func goesOn(_ isReplaced: Bool) async throws {
    let workshop = try FetchWorkshop(size: 1_000_000)
    let server = try server(workshop)
    let host = try workshop.host()
    let item = try item(workshop, server, "slow.zip")
    let task = Task { do { _ = try await host.download(item) } catch {} }
    try await eventually { (workshop.received ?? 0) > 0 }
    task.cancel()
    await task.value
    let received = try #require(workshop.received)
    try #require(received < workshop.archive.count)
    let note = try DownloadNote(Array(Data(contentsOf: URL(filePath: workshop.place + "/note.json"))))
    let tag = try #require(note.source?.tag)
    let other = try workshop.release(1)
    if isReplaced {
      try server.replace("m.zip", other.archive)
      try server.replace("bundle", other.bundle)
    }
    #expect(try await host.download(item).sequence == 1)
    let log = try await server.log(3)
    let rest = isReplaced ? "200" : "206"
    let count = isReplaced ? other.archive.count : workshop.archive.count - received
    #expect(
      log[1] == "GET /slow.zip \(rest) \"bytes=\(received)-\" \"\(tag.replacing("\"", with: "\\x22"))\" \(count)")
    #expect(try await host.load(workshop.identifier).resource("data")?.count == (isReplaced ? 1000 : 1_000_000))
  }

  @Test("a server may send on five times, to any place that is fetched from")
  func redirects() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop)
    let host = try workshop.host()
    #expect(try await host.download(item(workshop, server, "chain4.zip")).sequence == 1)
    #expect(
      try await server.log(7).map { $0.split(separator: " ")[1] + " " + $0.split(separator: " ")[2] } == [
        "/chain4.zip 302", "/chain3.zip 308", "/chain2.zip 303", "/chain1.zip 301", "/chain0.zip 307", "/m.zip 200",
        "/bundle 200",
      ])
    await expectFetch(.fetchRedirect, host, try item(workshop, server, "chain.zip"))
  }

  @Test("a loop of redirects ends")
  func loop() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop)
    await expectFetch(.fetchRedirect, try workshop.host(), try item(workshop, server, "loop.zip"))
    #expect(try await server.log(6).count == 6)
  }

  @Test(
    "nobody is sent to where nothing is fetched",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/m.zip", "gopher://127.0.0.1/", "javascript:x", "http:///m.zip",
      "http://",
      "http://user:secret@127.0.0.1/", "http://user@127.0.0.1/m.zip", "data:,x", "http://127.0.0.1:99999/",
      "HTTP://127.0.0.1:0x50/",
    ])
  func elsewhere(_ place: String) async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop)
    let error = await expectFetch(
      .fetchRedirect, try workshop.host(), try item(workshop, server, "elsewhere.zip?to=" + place))
    #expect((error?.cause as? SignetError)?.code == .fetchURL)
    #expect(try await server.log(1).count == 1)
  }

  @Test("TLS: the host's own file of authorities says who is known, for names and times that are right")
  func tls() async throws {
    let workshop = try FetchWorkshop()
    let (authority, stranger) = (try TLSAuthority(), try TLSAuthority())
    let server = try server(
      workshop,
      [
        .init(certificate: try authority.certificate()),
        .init(certificate: try authority.certificate("IP:127.0.0.2,DNS:localhost.example")),
        .init(certificate: try authority.certificate(days: -1)),
        .init(certificate: try stranger.certificate()),
        .init(
          certificate: try authority.certificate(),
          lines: "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;"),
      ])
    func host(_ authorities: String?) throws -> PluginHost {
      try workshop.host { $0.fetcher?.authorities = authorities }
    }
    #expect(try await host(authority.path).download(item(workshop, server, port: 1)).sequence == 1)
    // Wrong name, expired, unknown, too old: nothing of the archive is asked for.
    for port in 2...5 {
      await expectFetch(.fetchTLS, try host(authority.path), try item(workshop, server, port: port))
      #expect(workshop.received == 0, "\(port)")
    }
    // The system's authorities do not know it, and the host's own are not added to them but take their place.
    await expectFetch(.fetchTLS, try host(nil), try item(workshop, server, port: 1))
    #expect(try await host(stranger.path).download(item(workshop, server, port: 4)).sequence == 1)
    #expect(try await server.log(4).count == 4)
    await expectFetch(.fileMissing, try host(authority.path + ".absent"), try item(workshop, server, port: 1))
    let open = workshop.workshop.folder.file("open.pem")
    try FileManager.default.copyItem(atPath: authority.path, toPath: open)
    chmod(open, 0o666)
    await expectFetch(.fileOthersMayWrite, try host(open), try item(workshop, server, port: 1))
  }

  @Test("TLS: nobody is sent on from https to http, not even by way of https")
  func downgrade() async throws {
    let workshop = try FetchWorkshop()
    let authority = try TLSAuthority()
    let server = try server(workshop, [.init(certificate: try authority.certificate())])
    let host = try workshop.host { $0.fetcher?.authorities = authority.path }
    await expectFetch(.fetchRedirect, host, try item(workshop, server, "plain.zip", port: 1))
    let way = "elsewhere.zip?to=https://127.0.0.1:\(server.ports[1])/plain.zip"
    await expectFetch(.fetchRedirect, host, try item(workshop, server, way))
    // From http to http and to https they are.
    #expect(try await host.download(item(workshop, server, "back.zip")).sequence == 1)
    let up = "elsewhere.zip?to=https://127.0.0.1:\(server.ports[1])/m.zip"
    #expect(try await host.download(item(workshop, server, up)).sequence == 1)
  }
}
