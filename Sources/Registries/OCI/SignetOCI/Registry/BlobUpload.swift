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
  private let connection: RegistryConnection
  /// Another repository of the registry that may have the blob already.
  private let mountSource: RepositoryName?
  private let object: String

  /// Where the bytes go, and how many at once.
  private struct Place {
    var url: FetchURL
    let partSize: Int
  }

  /// How often an upload begins.
  private static let attempts = 3
  /// How often in one attempt a registry may have less of a part than was sent.
  private static let shortAnswers = 16
  /// Up to this size, in bytes, a blob is sent with the last request.
  private static let small = 1 << 20
  /// The largest least size of a part that a registry can demand: a part is what is sent again after a failure.
  private static let largestFloor = 1 << 30

  init(_ blob: OCIDescriptor, over connection: RegistryConnection, mountSource: RepositoryName?) {
    self.blob = blob
    self.connection = connection
    self.mountSource = mountSource
    object = "\(connection.name)@\(blob.digest)"
  }

  /// Uploads the blob, unless the registry takes it from another of its repositories.
  ///
  /// - Parameter open: gives the bytes, if they are needed.
  /// - Throws: `oci.digest`, `oci.upload`, `oci.denied`, `oci.refused`; `fetch.…`; what `open` and reading throw.
  func run(_ open: () throws(SignetError) -> any ByteSource) throws(SignetError) {
    guard var place = try begin(mayMount: true) else { return }
    let file = try open()
    guard file.size == blob.size else { throw BlobCheck.wrongSize(blob, "\(file.size) bytes", file.path) }
    let source = try HashedSource(file)
    for attempt in 1...Self.attempts {
      // Some registries take no parts as the protocol says (ghcr.io, ECR), but the whole.
      if try send(source, to: place, inParts: attempt == 1) { return }
      guard attempt < Self.attempts, let next = try begin(mayMount: false) else { break }
      place = next
    }
    throw SignetError(
      .ociUpload, object, "could not be completed in \(Self.attempts) attempts",
      hint: "ask the registry's administrator")
  }

  /// Begins an upload.
  ///
  /// - Parameter mayMount: whether the registry may take the blob from the repository that it is copied from.
  /// - Returns: nil if it did.
  private func begin(mayMount: Bool) throws(SignetError) -> Place? {
    var query = ""
    if mayMount, let source = mountSource {
      query = "?mount=\(blob.digest)&from=\(PercentEncoding.encode(source.path))"
    }
    let url = try connection.url("blobs/uploads/\(query)")
    return try connection.persist { () throws(FetchFailure) -> Place? in
      let answer = try connection.send(.post, url, upload: { BytesUpload([]) })
      switch answer.status {
      case 201 where !query.isEmpty: return nil
      case 202: break
      default: throw RegistryErrorResponse(answer).failure(url.shown, "does not begin an upload")
      }
      do throws(SignetError) {
        let floor = try answer.field("oci-chunk-min-length").flatMap { Int($0) } ?? 0
        guard floor <= Self.largestFloor else {
          throw SignetError(
            .ociUpload, object, "would have to be uploaded in parts that are too large",
            expected: "at least \(Self.largestFloor) bytes or less", found: "\(floor) bytes",
            hint: "ask the registry's administrator")
        }
        return Place(url: try Self.location(in: answer), partSize: max(connection.settings.partSize, floor))
      } catch {
        throw .final(error)
      }
    }
  }

  /// Sends all bytes.
  ///
  /// - Returns: false if the upload must begin again.
  private func send(_ source: HashedSource, to place: Place, inParts: Bool) throws(SignetError) -> Bool {
    var place = place
    var sent = 0
    var left = Self.shortAnswers
    if inParts, blob.size > Self.small {
      while sent < blob.size {
        let end = blob.size - sent <= place.partSize ? blob.size : sent + place.partSize
        guard let next = try send(source, sent..<end, to: place.url) else { return false }
        if next.sent < end { left -= 1 }
        guard left > 0 else { return false }
        (place.url, sent) = next
      }
      // Bytes that are not what the descriptor says are never offered.
      guard let digest = try source.finish() else { return false }
      try check(digest, place.url)
    }
    if sent < blob.size, blob.size <= Self.small {
      // A small blob is compared before it is sent. A large one was, or is told by its digest in the address.
      _ = try PartUpload(source, 0..<blob.size).next(atMost: blob.size)
      if let digest = try source.finish() { try check(digest, place.url) }
    }
    return try end(source, at: place.url, sent)
  }

  private func check(_ digest: Digest, _ place: FetchURL) throws(SignetError) {
    do throws(SignetError) { try BlobCheck.check(digest, blob, object) } catch {
      // Nothing is removed where the registry points to.
      if connection.isHome(place) { _ = try? connection.send(.delete, place) }
      throw error
    }
  }

  /// Sends a part.
  ///
  /// - Returns: where the next one goes, and how many bytes the registry has; nil if the upload must begin again.
  private func send(
    _ source: HashedSource, _ range: Range<Int>, to place: FetchURL
  ) throws(SignetError) -> (place: FetchURL, sent: Int)? {
    var place = place
    var range = range
    var hasFailed = false
    return try connection.persist(isTransfer: true) { () throws(FetchFailure) -> (place: FetchURL, sent: Int)? in
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
      let part = range
      let answer = try connection.send(
        .patch, place,
        fields: [
          "Content-Type: application/octet-stream", "Content-Range: \(part.lowerBound)-\(part.upperBound - 1)",
        ],
        upload: { PartUpload(source, part) })
      switch answer.status {
      case 202: break
      case 404: return nil
      case 416:
        // The parts are not in order.
        guard let known = try status(of: place), known.sent > range.lowerBound, known.sent <= range.upperBound else {
          return nil
        }
        return known
      default: throw RegistryErrorResponse(answer).failure(object, "does not take a part of the blob")
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
    default: throw RegistryErrorResponse(answer).failure(object, "does not say how much has arrived")
    }
  }

  /// Ends the upload, with all bytes of a small blob.
  ///
  /// - Returns: false if the upload must begin again.
  private func end(_ source: HashedSource, at place: FetchURL, _ sent: Int) throws(SignetError) -> Bool {
    let digest = "digest=\(PercentEncoding.encode("\(blob.digest)"))"
    let url = try place.adding(query: digest)
    let size = blob.size
    var tries = 0
    return try connection.persist(isTransfer: true) { () throws(FetchFailure) in
      tries += 1
      let answer = try connection.send(
        .put, url, fields: ["Content-Type: application/octet-stream"], upload: { PartUpload(source, sent..<size) })
      switch answer.status {
      case 200..<300: return true
      case 404, 416:
        // The answer to an earlier try may have been lost.
        do throws(SignetError) { return try connection.has(blob) } catch { throw .final(error) }
      default:
        let response = RegistryErrorResponse(answer)
        guard response.names(["DIGEST_INVALID", "SIZE_INVALID"]) else {
          throw response.failure(object, "does not take the blob")
        }
        // The bytes of an earlier try may be there, too.
        if tries > 1 { return false }
        throw .final(
          SignetError(
            .ociUpload, object, "was refused: the registry computed another digest",
            cause: response.failure(object, "refuses the blob").error, hint: "try again"))
      }
    }
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
        .ociUpload, answer.url.shown, "sent an invalid Range", expected: "0-END", found: String(text).display,
        hint: "ask the registry's administrator")
    }
    return last + 1
  }
}
