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

/// How a transfer goes on after a cut.
@Suite("going on with a transfer", .serialized) struct FetchResumeTests {
  private static let cut = 120_000

  /// A server that cuts the first answer off.
  private func server(
    _ workshop: FetchWorkshop, tag: String? = "\"one\"",
    _ second: @escaping @Sendable ([UInt8], RawServer.Request) -> [RawServer.Step]
  ) throws -> RawServer {
    let bytes = workshop.archive
    return try workshop.server { request in
      if request.number > 0 { return second(bytes, request) }
      return [.file(bytes.count, tag: tag), .send(Array(bytes.prefix(Self.cut)))]
    }
  }

  @Test("what is missing is asked for, of the same file alone")
  func goesOn() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, _ in
      [.part(Self.cut, of: bytes.count), .send(Array(bytes.dropFirst(Self.cut)))]
    }
    #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    let requests = server.requests
    #expect(requests[0]["Range"] == nil)
    #expect(requests[0]["If-Range"] == nil)
    #expect(requests[1]["Range"] == "bytes=\(Self.cut)-")
    #expect(requests[1]["If-Range"] == "\"one\"")
    #expect(requests.count == 3)
    #expect(workshop.files.isEmpty)
  }

  @Test("the next host goes on with what the one before has left")
  func nextHost() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, _ in
      [.part(Self.cut, of: bytes.count), .send(Array(bytes.dropFirst(Self.cut)))]
    }
    let item = try workshop.item(server)
    await expectFetch(.fetchLength, try workshop.host { $0.fetcher?.limits.retries = 0 }, item)
    #expect(workshop.received == Self.cut)
    let mode =
      try FileManager.default.attributesOfItem(atPath: workshop.place + "/partial")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    for folder in [workshop.place, workshop.workshop.path + "/downloads"] {
      let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
      #expect(mode == 0o700, "\(folder)")
    }
    #expect(try await workshop.host().download(item).sequence == 1)
    #expect(server.requests[1]["Range"] == "bytes=\(Self.cut)-")
  }

  @Test(
    "what is there stays when there is no time left, or the server has an error or sends elsewhere",
    arguments: ["time", "404 Not Found", "302 Found"])
  func stays(_ what: String) async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, request in
      if request.number == 1, what != "time" { return [.head(what, ["Location: ftp://127.0.0.1/m.zip"])] }
      return [.part(Self.cut, of: bytes.count), .send(Array(bytes.dropFirst(Self.cut)))]
    }
    let item = try workshop.item(server)
    await expectFetch(.fetchLength, try workshop.host { $0.fetcher?.limits.retries = 0 }, item)
    let code: SignetError.Code =
      what == "time" ? .fetchTimeout : what == "404 Not Found" ? .fetchStatus : .fetchRedirect
    let late = try workshop.host { if what == "time" { $0.fetcher?.limits.totalSeconds = 0 } }
    await expectFetch(code, late, item)
    #expect(workshop.received == Self.cut)
    #expect(try await workshop.host().download(item).sequence == 1)
    #expect(server.requests.filter { $0.line.hasPrefix("GET /m.zip ") }.last?["Range"] == "bytes=\(Self.cut)-")
  }

  @Test("a file that has changed is fetched anew")
  func changed() async throws {
    let workshop = try FetchWorkshop()
    // What was there is of another file: bytes of both together would be refused.
    let bytes = workshop.archive
    let old = [UInt8](repeating: 7, count: bytes.count)
    let server = try workshop.server { request in
      request.number == 0
        ? [.file(old.count, tag: "\"old\""), .send(Array(old.prefix(Self.cut)))]
        : [.file(bytes.count, tag: "\"new\""), .send(bytes)]
    }
    #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    #expect(server.requests[1]["If-Range"] == "\"old\"")
  }

  @Test(
    "without a strong tag nothing is gone on with",
    arguments: [
      nil, "W/\"one\"", "one", "\"\u{7f}\"", "\"a\" \"b\"", "\"" + String(repeating: "x", count: 300) + "\"",
    ])
  func weak(_ tag: String?) async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop, tag: tag) { bytes, _ in [.file(bytes.count, tag: tag), .send(bytes)] }
    #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    #expect(server.requests[1]["Range"] == nil)
    #expect(server.requests[1]["If-Range"] == nil)
  }

  @Test(
    "a part that is another one than was asked for is refused, and nothing of it is kept",
    arguments: [
      "bytes 0-LAST/SIZE", "bytes CUT-99999999/SIZE", "bytes CUT-LAST/*", "bytes CUT-BEFORE/SIZE",
      "bytes CUT-LAST/MORE",
      "bytes */SIZE", "bytes=CUT-LAST/SIZE", "lines CUT-LAST/SIZE", "bytes CUT-LAST/SIZE, bytes 0-5/SIZE",
      "bytes CUT-LAST/SIZE/1", "bytes -LAST/SIZE", "bytes +CUT-LAST/SIZE", "bytes CUT-LAST/99999999999999999999999",
      "",
    ])
  func wrongRange(_ range: String) async throws {
    let workshop = try FetchWorkshop()
    let size = workshop.archive.count
    let text = [
      "BEFORE": size - 2, "CUT": Self.cut, "LAST": size - 1, "SIZE": size, "MORE": size + 1,
    ].reduce(range) { $0.replacing($1.key, with: "\($1.value)") }
    let server = try server(workshop) { bytes, _ in
      [
        .head("206 Partial Content", ["ETag: \"one\""] + (text.isEmpty ? [] : ["Content-Range: \(text)"])),
        .send(Array(bytes.dropFirst(Self.cut))),
      ]
    }
    await expectFetch(.fetchRange, try workshop.host(), try workshop.item(server))
    #expect(server.requests.count == 2)
    #expect(workshop.received == 0)
  }

  @Test(
    "a part of another file, by its tag, its time or its length, is refused", arguments: ["tag", "time", "length"])
  func otherFile(_ what: String) async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let server = try workshop.server { request in
      func time(_ hour: Int) -> String { "Last-Modified: Sat, 21 Nov 2026 0\(hour):00:00 GMT" }
      if request.number == 0 {
        return [.file(bytes.count, [time(1)]), .send(Array(bytes.prefix(Self.cut)))]
      }
      return [
        .head(
          "206 Partial Content",
          [
            "ETag: \(what == "tag" ? "\"two\"" : "\"one\"")", time(what == "time" ? 2 : 1),
            "Content-Range: bytes \(Self.cut)-\(bytes.count - 1)/\(bytes.count)",
            "Content-Length: \(bytes.count - Self.cut - (what == "length" ? 1 : 0))",
          ]), .send(Array(bytes.dropFirst(Self.cut))),
      ]
    }
    await expectFetch(.fetchRange, try workshop.host(), try workshop.item(server))
    #expect(server.requests.count == 2)
    #expect(workshop.received == 0)
  }

  @Test("when a file begins anew the note lets go of the old one before its bytes do")
  func order() throws {
    let folder = try TemporaryFolder()
    let file = try AppendedFile("partial", in: Directory(opening: folder.path), isNew: true) {
      .storeWriteFailed($0, $1)
    }
    try file.append([1, 2, 3])
    let old = DownloadNote.Source(tag: "\"old\"", modified: nil, length: 5)
    var notes: [String] = []
    let body = StagedBody(
      file: file, demand: StagedBody.Demand(limit: 100, size: nil, source: old), signal: FetchSignal(),
      limits: ArchiveFetcher.Limits(),
      progress: nil
    ) { source in notes.append("\(source?.tag ?? "none"), \(file.size) bytes") }
    let lines = ["HTTP/1.1 200 OK", "ETag: \"new\"", "Content-Length: 9"]
    let head = try #require(ResponseHead(lines.map { Array($0.utf8) }))
    let isWanted = try body.begin(
      head, of: HTTPRequest(url: FetchURL("http://example.com/"), rest: body.rest, milliseconds: 1))
    #expect(isWanted)
    #expect(notes == ["none, 3 bytes", "\"new\", 0 bytes"])
  }

  @Test("what others may write is not gone on with")
  func othersMayWrite() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, _ in [.file(bytes.count), .send(bytes)] }
    let item = try workshop.item(server)
    await expectFetch(.fetchLength, try workshop.host { $0.fetcher?.limits.retries = 0 }, item)
    #expect(chmod(workshop.place + "/partial", 0o666) == 0)
    #expect(try await workshop.host().download(item).sequence == 1)
    #expect(server.requests[1]["Range"] == nil)
  }

  @Test("a part in an encoding that was not asked for is refused")
  func encodedPart() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, _ in
      [
        .head(
          "206 Partial Content",
          [
            "ETag: \"one\"", "Content-Range: bytes \(Self.cut)-\(bytes.count - 1)/\(bytes.count)",
            "Content-Encoding: gzip",
          ]), .send(Array(bytes.dropFirst(Self.cut))),
      ]
    }
    await expectFetch(.fetchEncoding, try workshop.host(), try workshop.item(server))
    #expect(workshop.received == 0)
  }

  @Test("a part of several parts is refused")
  func multipart() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { _, _ in
      [.head("206 Partial Content", ["Content-Type: multipart/byteranges; boundary=x"]), .hold]
    }
    await expectFetch(.fetchRange, try workshop.host(), try workshop.item(server))
  }

  @Test("a part that ends too early is gone on with again, and one that is too long is cut off where it ends")
  func partsOfParts() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, request in
      if request.number == 1 {
        return [.part(Self.cut, of: bytes.count), .send(Array(bytes[Self.cut..<Self.cut + 50_000])), .reset]
      }
      return [
        .part(Self.cut + 50_000, of: bytes.count), .send(Array(bytes.dropFirst(Self.cut + 50_000)) + [1, 2, 3]),
      ]
    }
    #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    // How much arrives before a reset is the system's affair, but none of it counts twice.
    let second = try #require(server.requests[2]["Range"])
    #expect(second == "bytes=\(Self.cut + 50_000)-" || server.requests.count >= 3)
  }

  @Test("a file that became shorter than what is there is fetched anew")
  func notSatisfiable() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, request in
      request["Range"] != nil
        ? [.head("416 Range Not Satisfiable", ["Content-Range: bytes */5"])]
        : [.file(bytes.count, tag: "\"two\""), .send(bytes)]
    }
    #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=\(Self.cut)-", nil, nil])
  }

  @Test("what is there of another item is not gone on with")
  func otherItem() async throws {
    let workshop = try FetchWorkshop()
    let server = try server(workshop) { bytes, _ in [.file(bytes.count), .send(bytes)] }
    let host = try workshop.host { $0.fetcher?.limits.retries = 0 }
    await expectFetch(.fetchLength, host, try workshop.item(server))
    #expect(workshop.received == Self.cut)
    let other = try workshop.item(url: server.url("/other.zip"), signature: server.url("/bundle"))
    #expect(try await host.download(other).sequence == 1)
    #expect(server.requests[1]["Range"] == nil)
  }

  @Test(
    "what somebody has done to the files while nobody looked is refused, or fetched anew",
    arguments: [
      "longer", "shorter", "other bytes", "link", "note", "folder",
    ])
  func tampered(_ what: String) async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let server = try server(workshop) { bytes, request in
      guard let range = request["Range"], let first = Int(range.dropFirst(6).dropLast()) else {
        return [.file(bytes.count), .send(bytes)]
      }
      return [.part(first, of: bytes.count), .send(Array(bytes.dropFirst(first)))]
    }
    let item = try workshop.item(server)
    await expectFetch(.fetchLength, try workshop.host { $0.fetcher?.limits.retries = 0 }, item)
    let partial = URL(filePath: workshop.place + "/partial")
    let mark = workshop.workshop.folder.file("mark")
    try Data([1, 2, 3]).write(to: URL(filePath: mark))
    switch what {
    case "longer": try Data(bytes + bytes).write(to: partial)
    case "shorter": try Data(bytes.prefix(17)).write(to: partial)
    case "other bytes": try (Data(bytes.prefix(1000)) + Data(repeating: 7, count: Self.cut - 1000)).write(to: partial)
    case "link":
      try FileManager.default.removeItem(at: partial)
      try FileManager.default.createSymbolicLink(atPath: partial.path, withDestinationPath: mark)
    case "note": try Data("{}".utf8).write(to: URL(filePath: workshop.place + "/note.json"))
    default:
      try FileManager.default.removeItem(at: partial)
      try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: false)
    }
    let host = try workshop.host()
    if what == "other bytes" {
      // Nobody believes a partial file: what comes of it is verified like everything else.
      await expectFetch(.digestMismatch, host, item)
      #expect(workshop.files.isEmpty)
    }
    #expect(try await host.download(item).sequence == 1)
    #expect(try Data(contentsOf: URL(filePath: mark)) == Data([1, 2, 3]))
  }
}
