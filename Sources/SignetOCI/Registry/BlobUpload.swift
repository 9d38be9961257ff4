internal import SignetBase
internal import SignetCrypto
internal import SignetHTTP
internal import SignetSystem

/// An upload of one blob (OCI distribution-spec, "Pushing blobs").
///
/// A large blob goes in parts, and after a failure the registry says how much of it has arrived. If it has forgotten
/// the upload, or has other bytes than were sent, the upload begins again.
struct BlobUpload {
  private let blob: OCIDescriptor
  private let source: HashedSource
  private let registry: OCIRegistry
  private var connection: RegistryConnection { registry.connection }
  private let object: String

  /// How often an upload begins again.
  private static let restarts = 3

  /// - Throws: `oci.digest` if the source has another size.
  init(_ blob: OCIDescriptor, _ source: any ByteSource, to registry: OCIRegistry) throws(SignetError) {
    self.blob = blob
    self.registry = registry
    object = "\(registry.name)@\(blob.digest)"
    guard source.size == blob.size else { throw BlobCheck.wrongSize(blob, "\(source.size) bytes", source.path) }
    self.source = try HashedSource(source)
  }

  /// Has the registry take the blob from another of its repositories.
  ///
  /// - Returns: whether it did.
  static func mount(_ blob: OCIDescriptor, to registry: OCIRegistry) throws(SignetError) -> Bool {
    guard let origin = registry.origin, origin != registry.repository, origin.host.isExactly(registry.repository.host)
    else { return false }
    let connection = registry.connection
    let url = try connection.url("blobs/uploads/?mount=\(blob.digest)&from=\(URLText.encoded(origin.path))")
    return try connection.persist { () throws(FetchFailure) in
      let answer = try connection.send(.post, url, upload: { BytesUpload([]) })
      if answer.status == 202 {
        // The registry has begun an upload in its place. Where that is to be ended is not known if the answer is odd.
        if let place = try? Self.location(in: answer) { _ = try? connection.send(.delete, place) }
      }
      return answer.status == 201
    }
  }

  /// Uploads the blob.
  ///
  /// - Throws: `oci.digest`, `oci.upload`, `oci.denied`, `oci.refused`; `fetch.…`; what reading the source throws.
  func run() throws(SignetError) {
    if try Self.mount(blob, to: registry) { return }
    for _ in 0..<Self.restarts {
      if try once() { return }
    }
    throw SignetError(
      .ociUpload, object, "was begun \(Self.restarts) times, and the registry has forgotten it each time",
      hint: "ask the registry's administrator")
  }

  /// - Returns: false if the upload must begin again.
  private func once() throws(SignetError) -> Bool {
    var (place, partSize) = try begin()
    var sent = 0
    if blob.size > partSize || blob.size > Self.small {
      while sent < blob.size {
        let end = min(blob.size, sent + partSize)
        guard let next = try send(sent..<end, to: place) else { return false }
        (place, sent) = (next.place, next.sent)
      }
      // Bytes that are not what the descriptor says are never offered.
      guard let digest = try source.finish() else { return false }
      try check(digest, place)
    }
    return try end(at: place, sent)
  }

  /// Up to this size, in bytes, a blob is sent with the last request.
  private static let small = 1 << 20

  private func check(_ digest: Digest, _ place: FetchURL) throws(SignetError) {
    do throws(SignetError) { try BlobCheck.check(digest, blob, object) } catch {
      _ = try? connection.send(.delete, place)
      throw error
    }
  }

  /// Begins an upload.
  ///
  /// - Returns: where the bytes go, and how many at once.
  private func begin() throws(SignetError) -> (place: FetchURL, partSize: Int) {
    let url = try connection.url("blobs/uploads/")
    return try connection.persist { () throws(FetchFailure) in
      let answer = try connection.send(.post, url, upload: { BytesUpload([]) })
      guard answer.status == 202 else { throw RegistryAnswer(answer).failure(url.shown, "does not begin an upload") }
      do throws(SignetError) {
        let floor = try answer.field("oci-chunk-min-length").flatMap { Int($0) } ?? 0
        return (try Self.location(in: answer), max(connection.settings.partSize, floor))
      } catch {
        throw .final(error)
      }
    }
  }

  /// Sends a part.
  ///
  /// - Returns: where the next one goes, and how many bytes the registry has; nil if the upload must begin again.
  private func send(
    _ range: Range<Int>, to place: FetchURL
  ) throws(SignetError) -> (place: FetchURL, sent: Int)? {
    var place = place
    var range = range
    var hasFailed = false
    return try connection.persist { () throws(FetchFailure) -> (place: FetchURL, sent: Int)? in
      if hasFailed {
        // Some of the part may have arrived. The registry may have been restarted meanwhile.
        guard let known = try status(of: place), known.sent >= range.lowerBound, known.sent <= range.upperBound else {
          return nil
        }
        place = known.place
        range = known.sent..<range.upperBound
        if range.isEmpty { return (place, range.upperBound) }
      }
      hasFailed = true
      let (source, part) = (source, range)
      let answer = try connection.send(
        .patch, place,
        fields: [
          "Content-Type: application/octet-stream", "Content-Range: \(part.lowerBound)-\(part.upperBound - 1)",
        ],
        upload: { PartUpload(source, part) })
      switch answer.status {
      case 202: break
      case 404, 416:
        // 416 says that the parts are not in order.
        guard answer.status == 416, let known = try status(of: place), range.lowerBound != known.sent,
          known.sent <= range.upperBound
        else { return nil }
        return known
      default: throw RegistryAnswer(answer).failure(object, "does not take a part of the blob")
      }
      do throws(SignetError) {
        let next = try Self.location(in: answer)
        // Some registries append whatever comes, so what they have is compared with what was sent.
        guard let end = try Self.end(in: answer), end != range.upperBound else { return (next, range.upperBound) }
        return end > range.lowerBound && end < range.upperBound ? (next, end) : nil
      } catch {
        throw .final(error)
      }
    }
  }

  /// How much of an upload the registry has; nil if it does not know it.
  private func status(of place: FetchURL) throws(FetchFailure) -> (place: FetchURL, sent: Int)? {
    let answer = try connection.send(.get, place)
    switch answer.status {
    case 204:
      do throws(SignetError) {
        let next = try answer.field("location") == nil ? place : Self.location(in: answer)
        // Debian's registry says 0-0 for one byte, and for none.
        guard let end = try Self.end(in: answer), end > 1 else { return nil }
        return (next, end)
      } catch {
        throw .final(error)
      }
    case 404: return nil
    default: throw RegistryAnswer(answer).failure(object, "does not say how much has arrived")
    }
  }

  /// Ends the upload, with all bytes of a small blob.
  ///
  /// - Returns: false if the upload must begin again.
  private func end(at place: FetchURL, _ sent: Int) throws(SignetError) -> Bool {
    let url: FetchURL
    let digest = "digest=\(URLText.encoded("\(blob.digest)"))"
    url = try FetchURL(place.text + (place.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + digest)
    let source = source
    let (first, size) = (sent, blob.size)
    if first < size { try checkSmall() }
    return try connection.persist { () throws(FetchFailure) in
      let answer = try connection.send(
        .put, url, fields: ["Content-Type: application/octet-stream"], upload: { PartUpload(source, first..<size) })
      switch answer.status {
      case 200..<300: return true
      case 404, 416:
        // The answer to an earlier try may have been lost.
        do throws(SignetError) { return try registry.has(blob) } catch { throw .final(error) }
      default:
        if RegistryAnswer(answer).names(["DIGEST_INVALID", "SIZE_INVALID"]) {
          throw .final(
            SignetError(
              .ociUpload, object, "arrived as something else", found: "status \(answer.status)",
              cause: RegistryAnswer(answer).failure(object, "refuses the blob").error, hint: "try again"))
        }
        throw RegistryAnswer(answer).failure(object, "does not take the blob")
      }
    }
  }

  /// Compares a small blob before it is sent.
  private func checkSmall() throws(SignetError) {
    _ = try PartUpload(source, 0..<blob.size).next(atMost: blob.size)
    guard let digest = try source.finish() else { return }
    try BlobCheck.check(digest, blob, object)
  }

  /// Where the next request of an upload goes. It may be on another server, which then gets no credentials.
  private static func location(in answer: HTTPResponse) throws(SignetError) -> FetchURL {
    guard let location = try answer.field("location"), !location.isEmpty else {
      throw SignetError(
        .ociUpload, answer.url.shown, "does not say where the bytes go", expected: "a Location",
        hint: "ask the registry's administrator")
    }
    return try answer.url.following(location)
  }

  /// How many bytes the registry has, by the field Range: `0-END`; nil without it.
  private static func end(in answer: HTTPResponse) throws(SignetError) -> Int? {
    guard var text = try answer.field("range")?[...] else { return nil }
    if text.utf8.starts(with: "bytes=".utf8) { text = Substring(text.utf8.dropFirst(6)) }
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(String(decoding: parts[0], as: UTF8.self)), first == 0,
      let last = Int(String(decoding: parts[1], as: UTF8.self)), (0..<Int.max).contains(last)
    else {
      throw SignetError(
        .ociUpload, answer.url.shown, "says something odd of what it has", found: String(text).display)
    }
    return last + 1
  }
}
