import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import Testing

@testable import HTTPTestSupport
@testable import SignetOCI

/// A registry in memory on the loopback interface, which a test makes lie.
final class StubRegistry: @unchecked Sendable {
  // Sendable: `state` is reached under `lock` alone.
  typealias Request = RawServer.Request
  typealias Step = RawServer.Step

  /// What it holds.
  struct State {
    var blobs: [String: [UInt8]] = [:]
    /// By digest.
    var manifests: [String: (type: String, bytes: [UInt8])] = [:]
    /// The digests of tags.
    var tags: [String: String] = [:]
    var uploads: [String: [UInt8]] = [:]
    var next = 0
  }

  /// Whether it lists referrers itself.
  let listsReferrers: Bool
  private let lock = NSLock()
  private var held = State()
  private var server: RawServer?
  /// Answers in the registry's place; nil to let it answer.
  private let lie: @Sendable (Request, StubRegistry) -> [Step]?

  init(
    listsReferrers: Bool = true, bodyLimit: Int = 64 << 20,
    lie: @escaping @Sendable (Request, StubRegistry) -> [Step]? = { _, _ in nil }
  ) throws {
    self.listsReferrers = listsReferrers
    self.lie = lie
    server = try RawServer(bodyLimit: bodyLimit) { [weak self] request in
      guard let self else { return [] }
      return self.lie(request, self) ?? self.answer(request)
    }
  }

  var port: UInt16 { server?.port ?? 0 }
  var host: String { "127.0.0.1:\(port)" }
  var requests: [Request] { server?.requests ?? [] }
  var endless: Int { server?.endless ?? 0 }
  /// The methods and paths that were asked for.
  var log: [String] {
    requests.map {
      $0.line.replacingOccurrences(of: " HTTP/1.1", with: "").replacingOccurrences(of: "/v2/a/b/", with: "")
    }
  }

  func state<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    try lock.withLock { try body(&held) }
  }

  /// A client of the repository `a/b` that takes the registry for one of a network, because its name does not say that it
  /// is on this machine.
  func foreignClient(_ change: (inout RegistrySettings) -> Void = { _ in }) throws -> OCIRegistry {
    try Self.client("0.0.0.0:\(port)", change)
  }

  /// A client of the repository `a/b`, which waits for nothing.
  func client(_ change: (inout RegistrySettings) -> Void = { _ in }) throws -> OCIRegistry {
    try Self.client(host, change)
  }

  static func client(_ host: String, _ change: (inout RegistrySettings) -> Void = { _ in }) throws -> OCIRegistry {
    var settings = RegistrySettings()
    settings.isPlain = true
    settings.wait = { _ in }
    change(&settings)
    return try OCIRegistry(#require(RepositoryName("\(host)/a/b")), settings)
  }

  static func digest(_ bytes: [UInt8]) -> String { (try? "\(Digest.of(bytes, .sha256))") ?? "" }

  /// A registry that answers everything alike.
  static func giving(
    _ status: String, _ fields: [String] = [], _ body: String = ""
  ) throws -> StubRegistry {
    try StubRegistry { _, _ in StubRegistry.reply(status, fields, Array(body.utf8)) }
  }

  // MARK: Answers

  static func reply(_ status: String, _ fields: [String] = [], _ body: [UInt8] = []) -> [Step] {
    [.head(status, ["Content-Length: \(body.count)"] + fields), .send(body)]
  }

  private func answer(_ request: Request) -> [Step] {
    let words = request.line.split(separator: " ").map(String.init)
    guard words.count == 3, words[1].hasPrefix("/v2/a/b/") else { return Self.reply("404 Not Found") }
    let path = String(words[1].dropFirst("/v2/a/b/".count))
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    let query = parts.count > 1 ? parts[1] : ""
    return state { state in
      switch (words[0], parts[0]) {
      case ("POST", "blobs/uploads/"):
        state.next += 1
        state.uploads["\(state.next)"] = []
        return Self.reply("202 Accepted", ["Location: /v2/a/b/blobs/uploads/\(state.next)?s=1", "Range: 0-0"])
      case (let method, let place) where place.hasPrefix("blobs/uploads/"):
        return Self.upload(method, String(place.dropFirst(14)), query, request.body, &state)
      case (let method, let place) where place.hasPrefix("blobs/"):
        guard let bytes = state.blobs[String(place.dropFirst(6))] else { return Self.reply("404 Not Found") }
        return Self.blob(method, bytes, request["Range"])
      case ("PUT", let place) where place.hasPrefix("manifests/"):
        return put(String(place.dropFirst(10)), request, &state)
      case ("GET", let place) where place.hasPrefix("manifests/"):
        let name = String(place.dropFirst(10))
        guard let manifest = state.manifests[state.tags[name] ?? name] else { return Self.reply("404 Not Found") }
        return Self.reply("200 OK", ["Content-Type: \(manifest.type)"], manifest.bytes)
      case ("GET", let place) where place.hasPrefix("referrers/") && listsReferrers:
        return Self.referrers(of: String(place.dropFirst(10)), state)
      case ("GET", "tags/list"):
        let tags = state.tags.keys.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        return Self.reply(
          "200 OK", ["Content-Type: application/json"], Array("{\"name\":\"a/b\",\"tags\":[\(tags)]}".utf8))
      default: return Self.reply("404 Not Found")
      }
    }
  }

  private static func upload(
    _ method: String, _ name: String, _ query: String, _ body: [UInt8], _ state: inout State
  ) -> [Step] {
    guard let bytes = state.uploads[name] else { return reply("404 Not Found") }
    let location = "Location: /v2/a/b/blobs/uploads/\(name)?s=\(bytes.count)"
    switch method {
    case "PATCH":
      state.uploads[name] = bytes + body
      return reply("202 Accepted", [location, "Range: 0-\(bytes.count + body.count - 1)"])
    case "GET": return reply("204 No Content", [location, "Range: 0-\(max(0, bytes.count - 1))"])
    case "DELETE":
      state.uploads[name] = nil
      return reply("204 No Content")
    default:
      let whole = bytes + body
      let wanted = query.components(separatedBy: "digest=").last?.removingPercentEncoding ?? ""
      guard digest(whole) == wanted else {
        return reply("400 Bad Request", [], Array(#"{"errors":[{"code":"DIGEST_INVALID","message":"no"}]}"#.utf8))
      }
      state.blobs[wanted] = whole
      state.uploads[name] = nil
      return reply("201 Created", ["Location: /v2/a/b/blobs/\(wanted)"])
    }
  }

  private static func blob(_ method: String, _ bytes: [UInt8], _ range: String?) -> [Step] {
    guard method != "HEAD" else { return [.head("200 OK", ["Content-Length: \(bytes.count)"])] }
    guard let range, let first = Int(range.dropFirst(6).dropLast()), first < bytes.count else {
      return reply("200 OK", [], bytes)
    }
    return reply(
      "206 Partial Content", ["Content-Range: bytes \(first)-\(bytes.count - 1)/\(bytes.count)"],
      Array(bytes[first...]))
  }

  private func put(_ name: String, _ request: Request, _ state: inout State) -> [Step] {
    let digest = Self.digest(request.body)
    state.manifests[digest] = (request["Content-Type"] ?? "", request.body)
    if !name.hasPrefix("sha256:") { state.tags[name] = digest }
    let manifest = try? OCIManifest(request.body, type: request["Content-Type"] ?? "", from: "it")
    let subject = manifest?.subject.map { ["OCI-Subject: \($0.digest)"] } ?? []
    return Self.reply("201 Created", ["Docker-Content-Digest: \(digest)"] + (listsReferrers ? subject : []))
  }

  private static func referrers(of subject: String, _ state: State) -> [Step] {
    let found = state.manifests.values.compactMap { try? OCIManifest($0.bytes, type: $0.type, from: "it") }
      .filter { "\($0.subject?.digest.description ?? "")" == subject }.map(\.descriptor)
    let bytes = (try? OCIManifest(index: found.sorted { $0.digest.hex < $1.digest.hex }).bytes) ?? []
    return reply("200 OK", ["Content-Type: \(MediaType.index)"], bytes)
  }
}

/// Somebody whose password, or whose identity token, is known.
struct KnownPassword: CredentialSource {
  var token: String?

  func credential(for repository: RepositoryName) throws(SignetError) -> RegistryCredential? {
    RegistryCredential(user: token == nil ? "u" : "<token>", secret: token ?? "s")
  }
}

/// A blob that is in memory.
struct Blob {
  let bytes: [UInt8]
  let descriptor: OCIDescriptor

  init(_ bytes: [UInt8], _ type: String = "application/octet-stream") throws {
    self.bytes = bytes
    descriptor = try OCIDescriptor(type, of: bytes)
  }

  var feed: BlobFeed { .file(BytesInMemory(bytes, path: "blob")) }
}

extension OCIStorage {
  /// Puts a manifest with one layer, and what it needs.
  @discardableResult
  func putImage(
    _ text: String, tag: String? = nil, about subject: OCIManifest? = nil, type: String = "application/vnd.test.v1"
  ) throws -> OCIManifest {
    let empty = try OCIManifest.emptyConfig()
    try put(empty.descriptor, .file(BytesInMemory(empty.bytes, path: "empty")))
    let layer = try Blob(Array(text.utf8))
    try put(layer.descriptor, layer.feed)
    let manifest = try OCIManifest(type, layers: [layer.descriptor], subject: subject?.descriptor)
    try put(manifest, tag: tag)
    return manifest
  }

  /// The whole bytes of a blob.
  func whole(_ blob: OCIDescriptor) throws -> [UInt8] { try bytes(of: blob, limit: 1 << 30) }
}
