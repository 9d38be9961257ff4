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

/// What servers may say, and what they may not.
@Suite("what servers answer", .serialized) struct FetchAnswerTests {
  private typealias Step = RawServer.Step

  /// A fault of an answer: what the server does, what is said of it, and how often it is asked.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: SignetError.Code
    let asked: Int
    let steps: @Sendable ([UInt8]) -> [RawServer.Step]

    init(
      _ name: String, _ code: SignetError.Code, asked: Int = 1,
      _ steps: @escaping @Sendable ([UInt8]) -> [RawServer.Step]
    ) {
      testDescription = name
      self.code = code
      self.asked = asked
      self.steps = steps
    }
  }

  /// Those that are tried again are asked three times: two tries more.
  static let faults: [Fault] = [
    Fault("closes at once", .fetchConnection, asked: 3) { _ in [] },
    Fault("resets at once", .fetchConnection, asked: 3) { _ in [.reset] },
    Fault("ends before its length", .fetchLength, asked: 3) {
      [.file($0.count, tag: nil), .send(Array($0.prefix(1000)))]
    },
    Fault("resets in the middle", .fetchConnection, asked: 3) {
      [.file($0.count, tag: nil), .send(Array($0.prefix(1000))), .reset]
    },
    Fault("ends in the middle of the head", .fetchConnection, asked: 3) { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nCont".utf8))]
    },
    Fault("ends in the middle of a chunk", .fetchLength, asked: 3) {
      [.head("200 OK", ["Transfer-Encoding: chunked"]), .send(Array("ffff\r\n".utf8) + $0.prefix(1000))]
    },
    Fault("has chunks that are none", .fetchConnection, asked: 3) { _ in
      [.head("200 OK", ["Transfer-Encoding: chunked"]), .send(Array("xyz\r\n".utf8)), .hold]
    },
    Fault("has an endless body", .fetchTooLarge) { _ in
      [.head("200 OK"), .sendForever([UInt8](repeating: 7, count: 10_000))]
    },
    Fault("has an endless body of chunks", .fetchTooLarge) { _ in
      [.head("200 OK", ["Transfer-Encoding: chunked"]), .sendForever(Array("10\r\n0123456789abcdef\r\n".utf8))]
    },
    Fault("says that it is too long", .fetchTooLarge) { _ in [.file(1_000_001), .hold] },
    Fault("has an endless head", .fetchResponse) { _ in
      [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(Array("X-More: and more\r\n".utf8))]
    },
    Fault("has heads before the head without end", .fetchResponse) { _ in
      [.sendForever(Array("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".utf8))]
    },
    Fault("is not HTTP", .fetchResponse) { _ in [.send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), .hold] },
    Fault("is of HTTP 0.9", .fetchResponse) { [.send($0), .hold] },
    Fault("changes to another protocol", .fetchStatus) { _ in
      [.head("101 Switching Protocols", ["Upgrade: x", "Connection: Upgrade"]), .hold]
    },
    Fault("has two lengths", .fetchResponse) { [.file($0.count, tag: nil, ["Content-Length: 7"]), .send($0)] },
    Fault("has a length that is none", .fetchResponse) { [.head("200 OK", ["Content-Length: -5"]), .send($0)] },
    Fault("has a length that overflows", .fetchResponse) { _ in
      [.head("200 OK", ["Content-Length: 99999999999999999999999"]), .hold]
    },
    Fault("goes on with a field on the next line", .fetchResponse) {
      [.file($0.count, tag: nil, ["X-Long: a", " b"]), .send($0)]
    },
    Fault("is compressed", .fetchEncoding) { [.file($0.count, tag: nil, ["Content-Encoding: gzip"]), .send($0)] },
    Fault("is a part that nobody asked for", .fetchRange) { [.part(0, of: $0.count), .send($0)] },
    Fault("is no content", .fetchStatus) { _ in [.head("204 No Content")] },
    Fault("was not changed", .fetchStatus) { _ in [.head("304 Not Modified")] },
    Fault("has several choices", .fetchStatus) { _ in [.head("300 Multiple Choices", ["Location: /other"])] },
  ]

  @Test("D11: each fault of an answer has its code, and nothing of it becomes the archive", arguments: faults)
  func fault(_ fault: Fault) async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in fault.steps(bytes) }
    let host = try workshop.host { $0.fetcher?.limits.bytes = 1_000_000 }
    await expectFetch(fault.code, host, try workshop.item(server))
    #expect(server.requests.count == fault.asked)
    #expect(host.status(of: try workshop.identifier) == .none)
    #expect(workshop.received.map { $0 == 0 } ?? true)
    #expect(host.refusals.isEmpty)
  }

  @Test(
    "D11: the body of an error never becomes the archive; only what may be otherwise in a moment is asked again",
    arguments: [
      (400, 1), (401, 1), (403, 1), (404, 1), (408, 3), (410, 1), (429, 3), (500, 3), (501, 1), (502, 3), (503, 3),
      (504, 3),
      (505, 1), (507, 1),
    ])
  func statuses(_ status: Int, _ asked: Int) async throws {
    let workshop = try FetchWorkshop(size: 5000)
    // The body would be a good archive.
    let bytes = workshop.archive
    let server = try workshop.server { _ in
      [.head("\(status) Reason", ["Content-Length: \(bytes.count)"]), .send(bytes)]
    }
    let host = try workshop.host()
    let error = await expectFetch(.fetchStatus, host, try workshop.item(server))
    #expect(error?.found == "\(status)")
    #expect(server.requests.count == asked)
    #expect(host.status(of: try workshop.identifier) == .none)
    #expect(!workshop.files.contains("archive"))
  }

  @Test("a server that is in trouble for a moment is asked again, and waited for as it asks")
  func trouble() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let bytes = workshop.archive
    let server = try workshop.server { request in
      switch request.number {
      case 0: [.head("503 Busy", ["Retry-After: 1"])]
      case 1: [.reset]
      default: [.file(bytes.count), .send(bytes)]
      }
    }
    #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    #expect(server.requests.count == 4)
  }

  @Test("limits that libcurl cannot keep, and ones below nothing, end in a refusal")
  func limits() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in [.file(bytes.count), .send(bytes)] }
    let item = try workshop.item(server)
    await expectFetch(.fetchUnavailable, try workshop.host { $0.fetcher?.limits.connectSeconds = -1 }, item)
    await expectFetch(.fetchUnavailable, try workshop.host { $0.fetcher?.limits.connectSeconds = .max }, item)
    await expectFetch(.fetchTooLarge, try workshop.host { $0.fetcher?.limits.bytes = -1 }, item)
    await expectFetch(.fetchTimeout, try workshop.host { $0.fetcher?.limits.totalSeconds = -1 }, item)
    #expect(
      try await workshop.host {
        $0.fetcher?.limits.redirects = -1
        $0.fetcher?.limits.retries = -1
        $0.fetcher?.limits.firstDelay = -1
        $0.fetcher?.limits.longestDelay = -1
        $0.fetcher?.limits.retryAfterSeconds = -1
      }.download(item).sequence == 1)
  }

  @Test("a server that asks for more patience than there is is not asked again")
  func patience() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let server = try workshop.server { _ in [.head("503 Busy", ["Retry-After: 61"])] }
    await expectFetch(.fetchStatus, try workshop.host(), try workshop.item(server))
    #expect(server.requests.count == 1)
  }

  @Test(
    "a server that says nothing any more, before or behind the head, is given up", .slow,
    arguments: [[], [Step.file(100_000)], [.file(100_000), .send([1, 2, 3])]])
  func stalls(_ steps: [RawServer.Step]) async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let server = try workshop.server { _ in steps + [.hold] }
    let host = try workshop.host {
      $0.fetcher?.limits.stalledSeconds = 1
      $0.fetcher?.limits.retries = 1
    }
    await expectFetch(.fetchTimeout, host, try workshop.item(server))
    #expect(server.requests.count == 2)
  }

  @Test("everything together has its time, however fast the server is", .slow)
  func total() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let server = try workshop.server { _ in
      [.head("200 OK", ["Transfer-Encoding: chunked"]), .sendForever(Array("1\r\nx\r\n".utf8))]
    }
    let host = try workshop.host {
      $0.fetcher?.limits.totalSeconds = 1
      $0.fetcher?.limits.bytes = .max
    }
    await expectFetch(.fetchTimeout, host, try workshop.item(server))
    // On a busy machine the time may be over before the request is sent.
    #expect(server.requests.count <= 1)
  }

  @Test("what the item says of the bytes must be so", arguments: ["said", "unsaid"])
  func offered(_ length: String) async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in
      [length == "said" ? .file(bytes.count, tag: nil) : .head("200 OK"), .send(bytes)]
    }
    let host = try workshop.host { $0.fetcher?.limits.retries = 0 }
    await expectFetch(.fetchLength, host, try workshop.item(server, size: bytes.count - 1))
    await expectFetch(.fetchLength, host, try workshop.item(server, size: bytes.count + 1))
    #expect(host.refusals.isEmpty)
    let other = try Digest.of([1], .sha256)
    await expectFetch(.digestMismatch, host, try workshop.item(server, sha256: other))
    #expect(host.refusals.map(\.reason.code) == [.digestMismatch])
    #expect(workshop.files.isEmpty)
    let right = try Digest.of(bytes, .sha256)
    #expect(try await host.download(workshop.item(server, size: bytes.count, sha256: right)).sequence == 1)
  }

  @Test("more than the item says is not waited for, where the server does not say how much it sends")
  func longerThanOffered() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let server = try workshop.server { _ in
      [.head("200 OK", ["Transfer-Encoding: chunked"]), .sendForever(Array("10\r\n0123456789abcdef\r\n".utf8))]
    }
    let host = try workshop.host { $0.fetcher?.limits.bytes = 1_000_000 }
    await expectFetch(.fetchLength, host, try workshop.item(server, size: workshop.archive.count))
    #expect(server.requests.count == 1)
    #expect(workshop.received == 0)
  }

  @Test("another release than was offered is refused, however well it is signed")
  func otherRelease() async throws {
    let workshop = try FetchWorkshop(sequence: 1, size: 5000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in [.file(bytes.count), .send(bytes)] }
    let host = try workshop.host()
    await expectFetch(.fetchOtherRelease, host, try workshop.item(server, sequence: 2))
    // The version alone, and the sequence alone.
    for (version, sequence) in [("1.0.9", nil), ("1.0.1", 2)] as [(String, Int?)] {
      let item = try DownloadItem(
        workshop.identifier, version: #require(SemanticVersion(version)), sequence: sequence, url: server.url(),
        signature: server.url("/bundle"))
      await expectFetch(.fetchOtherRelease, host, item)
    }
    #expect(host.status(of: try workshop.identifier) == .refused)
    #expect(workshop.files.isEmpty)
    #expect(try await host.download(workshop.item(server)).sequence == 1)
    // Another module in its place.
    let other = try FetchWorkshop("com.example.another", size: 100)
    let item = try DownloadItem(
      other.identifier, version: #require(SemanticVersion("1.0.1")), url: server.url(),
      signature: server.url("/bundle"))
    await expectFetch(.moduleIdentifierMismatch, host, item)
  }

  @Test("chunks, and an end that only the connection tells, are taken")
  func forms() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let bytes = workshop.archive
    for chunked in [true, false] {
      let server = try workshop.server { _ in
        chunked
          ? [
            .head("100 Continue"), .head("200 OK", ["Transfer-Encoding: chunked"]),
            .send(
              Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes
                + Array("\r\n0\r\nX-Trailer: y\r\n\r\n".utf8)),
          ] : [.head("200 OK"), .send(bytes)]
      }
      #expect(try await workshop.host().download(workshop.item(server)).sequence == 1)
    }
  }

  @Test("a file of bundles that is too large or missing is no signature, and the archive is not fetched again for it")
  func signature() async throws {
    let workshop = try FetchWorkshop(size: 5000)
    let (bytes, bundle) = (workshop.archive, workshop.bundle)
    let server = try RawServer { request in
      guard request.line.hasPrefix("GET /bundle ") else { return [.file(bytes.count), .send(bytes)] }
      switch request.number {
      case 1: return [.head("503 Busy", ["Retry-After: 61"])]
      default: return [.file(bundle.count), .send(bundle)]
      }
    }
    let host = try workshop.host()
    let item = try workshop.item(server)
    await expectFetch(.fetchStatus, host, item)
    #expect(workshop.files == ["archive", "note.json", "signature-partial"])
    #expect(try await host.download(item).sequence == 1)
    #expect(server.requests.map(\.line).filter { $0.hasPrefix("GET /m.zip ") }.count == 1)
    // Without any it is refused.
    await expectFetch(.signatureMissing, host, try workshop.item(server, signed: false))
    let small = try workshop.host { $0.fetcher?.limits.signatureBytes = bundle.count - 1 }
    await expectFetch(.fetchTooLarge, small, item)
  }
}
