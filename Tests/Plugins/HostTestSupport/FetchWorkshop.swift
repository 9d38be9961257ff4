import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

/// A signed module without code that can be fetched, and hosts that fetch it.
///
/// Suites that use it are serialized: tests that wait for a server are all under way at once otherwise, and a process has so many
/// descriptors only.
final class FetchWorkshop {
  let workshop: ModuleWorkshop
  let name: String
  /// The archive's bytes: some hundred KiB that cannot be compressed.
  let archive: [UInt8]
  /// A bundle for it.
  let bundle: [UInt8]
  var identifier: ModuleIdentifier { get throws { try HostTestSupport.identifier(name) } }

  init(_ name: String = "com.example.fetched", sequence: Int = 1, size: Int = 300_000) throws {
    let workshop = try ModuleWorkshop()
    self.workshop = workshop
    self.name = name
    (archive, bundle) = try Self.release(name, sequence, size, workshop)
  }

  /// Another release of it.
  func release(_ sequence: Int) throws -> (archive: [UInt8], bundle: [UInt8]) {
    try Self.release(name, sequence, 1000, workshop)
  }

  /// A small release of another module by the same key.
  static func make(_ name: String, _ workshop: ModuleWorkshop) throws -> (archive: [UInt8], bundle: [UInt8]) {
    try release(name, 1, 1000, workshop)
  }

  private static func release(
    _ name: String, _ sequence: Int, _ size: Int, _ workshop: ModuleWorkshop
  ) throws -> (archive: [UInt8], bundle: [UInt8]) {
    let source = try TemporaryFolder()
    try source.write(
      "module.json",
      Array(
        """
        {"identifier": "\(name)", "version": "1.0.\(sequence)", "sequence": \(sequence), "resources": ["data"]}
        """.utf8))
    try source.write("data", patternBytes(size, seed: UInt64(sequence)))
    let path = workshop.folder.file("\(name)-\(sequence)-\(size).zip")
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    let bundle = try #require(try workshop.sign(path).first?.canonicalBytes())
    return (Array(try Data(contentsOf: URL(filePath: path))), bundle)
  }

  /// An item that a server has; its bundle is at `/bundle`.
  func item(
    _ server: RawServer, sequence: Int? = 1, size: Int? = nil, sha256: Digest? = nil, signed: Bool = true
  ) throws -> DownloadItem {
    try item(
      url: server.url(), signature: signed ? server.url("/bundle") : nil, sequence: sequence, size: size, sha256)
  }

  func item(
    url: String, signature: String?, sequence: Int? = 1, size: Int? = nil, _ sha256: Digest? = nil
  ) throws -> DownloadItem {
    let version = try #require(SemanticVersion("1.0.\(sequence ?? 1)"))
    return try DownloadItem(
      identifier, version: version, sequence: sequence, url: url, signature: signature, sha256: sha256, size: size)
  }

  /// A server that answers for the archive as a test wants it, and has the bundle.
  func server(_ answer: @escaping @Sendable (RawServer.Request) -> [RawServer.Step]) throws -> RawServer {
    let bundle = bundle
    return try RawServer { request in
      if request.line.hasPrefix("GET /bundle ") { return [.file(bundle.count, tag: nil), .send(bundle)] }
      return answer(request)
    }
  }

  /// A host that tries again at once, and has time.
  func host(_ change: (inout PluginHost.Configuration) -> Void = { _ in }) throws -> PluginHost {
    try workshop.host { configuration in
      configuration.fetcher = .http()
      configuration.fetcher?.limits.firstDelay = 1
      configuration.fetcher?.limits.longestDelay = 2
      configuration.fetcher?.limits.retries = 2
      change(&configuration)
    }
  }

  /// Where the module's files are while it is fetched.
  var place: String { workshop.path + "/downloads/" + name }

  /// The names of these files.
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted() }

  /// How many bytes of the archive are there.
  var received: Int? { FileManager.default.contents(atPath: place + "/partial")?.count }
}

/// Expects a download to fail with exactly this code, and gives the error for a closer look.
@discardableResult
func expectFetch(
  _ code: SignetError.Code, _ host: PluginHost, _ item: DownloadItem,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> SignetError? {
  do throws(SignetError) {
    _ = try await host.download(item)
    Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    return error
  }
}

/// Keeps what a host tells.
func story(_ events: AsyncStream<HostEvent>, until isLast: (HostEvent) -> Bool) async -> [HostEvent] {
  var found: [HostEvent] = []
  for await event in events {
    found.append(event)
    if isLast(event) { break }
  }
  return found
}

extension HostEvent {
  var status: ModuleStatus? { if case .status(_, let status, _) = self { status } else { nil } }
  var received: Int? { if case .progress(_, let received, _) = self { received } else { nil } }
}
