internal import SignetAddresses
package import SignetBase
package import SignetCrypto
internal import SignetFiles
internal import SignetHTTP
internal import SignetSystem

/// A repository in a registry (OCI distribution-spec, version 1.1).
package final class OCIRegistry: OCIStorage {
  package var name: String { connection.name }
  /// The repository.
  package let repository: RepositoryName
  /// A repository of the same registry that may have blobs already; they are mounted from it.
  package var mountSource: RepositoryName?

  let connection: RegistryConnection
  /// The number of bytes that the registry's answers had so far.
  var received: Int { connection.received }
  /// Whether the registry has said that it lists referrers itself.
  private var listsReferrers: Bool?

  /// Names a repository, and asks nobody yet.
  ///
  /// - Throws: `fetch.url`, `fetch.unavailable`.
  package init(_ repository: RepositoryName, _ settings: RegistrySettings) throws(SignetError) {
    self.repository = repository
    connection = try RegistryConnection(repository, settings)
  }

  // MARK: Manifests

  package func manifest(_ name: ManifestName) throws(SignetError) -> OCIManifest? {
    let url = try connection.url("manifests/\(name)")
    let accept = "Accept: " + MediaType.documents.joined(separator: ", ")
    let answer = try connection.persist { () throws(FetchFailure) in
      let answer = try connection.read(.get, url, fields: [accept], limit: OCIManifest.sizeLimit)
      guard [200, 404].contains(answer.status) else {
        throw RegistryErrorResponse(answer).failure(url.shown, "does not give the manifest")
      }
      return answer
    }
    guard answer.status == 200 else { return nil }
    if case .digest(let digest) = name {
      let expected = OCIDescriptor("", digest, size: answer.body.count)
      try BlobCheck.check(Digest.of(answer.body, .sha256), expected, "\(self.name)@\(digest)")
    }
    let type = MediaType.plain(try answer.field("content-type") ?? "")
    return try OCIManifest(answer.body, type: type, from: "\(self.name):\(name)")
  }

  package func put(_ manifest: OCIManifest, tag: String?) throws(SignetError) {
    connection.need(.push)
    let name: ManifestName = tag.map { .tag($0) } ?? .digest(manifest.digest)
    let url = try connection.url("manifests/\(name)")
    let answer = try connection.persist { () throws(FetchFailure) in
      let answer = try connection.send(
        .put, url, fields: ["Content-Type: \(manifest.descriptor.mediaType)"], upload: { BytesUpload(manifest.bytes) }
      )
      guard (200..<300).contains(answer.status) else {
        throw RegistryErrorResponse(answer).failure(url.shown, "does not take the manifest")
      }
      return answer
    }
    if let said = try answer.field("docker-content-digest"), !said.isExactly("\(manifest.digest)") {
      throw SignetError(
        .ociDigest, url.shown, "was stored under another digest", expected: "\(manifest.digest)", found: said.display,
        hint: "ask the registry's administrator")
    }
    guard let subject = manifest.subject else { return }
    // A registry that lists referrers says so (OCI distribution-spec, "Pushing Manifests with Subject").
    if try answer.field("oci-subject")?.isExactly("\(subject.digest)") == true { return }
    try referrersTag(of: subject.digest).add(manifest.descriptor)
  }

  // MARK: Blobs

  package func has(_ blob: OCIDescriptor) throws(SignetError) -> Bool { try connection.has(blob) }

  package func feed(_ blob: OCIDescriptor) throws(SignetError) -> BlobFeed {
    .stream { (take) throws(SignetError) in
      try self.download(
        blob.digest, size: blob.size, isExact: true, wrongSize: { BlobCheck.wrongSize(blob, $0, $1) }, take)
    }
  }

  package func read(
    _ digest: Digest, atMost limit: Int, _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    func tooLarge(_ found: String, _ object: String) -> SignetError {
      SignetError(
        .ociBounds, object, "is larger than it may be", expected: "at most \(limit) bytes", found: found)
    }
    try download(digest, size: limit, isExact: false, wrongSize: tooLarge, take)
  }

  /// So many bytes must arrive between two failures for the first one not to count.
  private static let leastMove = 1 << 20

  /// Gives the bytes of a blob. After a failure that may pass, the registry is asked for the rest.
  ///
  /// - Parameters:
  ///   - size: the number of bytes, or their maximum number.
  ///   - isExact: whether it is the number of bytes.
  ///   - wrongSize: the error for a size, and an object.
  private func download(
    _ digest: Digest, size: Int, isExact: Bool, wrongSize: (_ found: String, _ object: String) -> SignetError,
    _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let url = try connection.url("blobs/\(digest)")
    let object = "\(name)@\(digest)"
    var count = 0
    var mark = 0
    func hasMoved() -> Bool {
      guard count - mark >= Self.leastMove else { return false }
      mark = count
      return true
    }
    try connection.persist(isTransfer: true, hasMoved: hasMoved) { () throws(FetchFailure) in
      // The bytes of an answer that begins at 0 again are passed over.
      // The end of an answer that was whole may have been lost.
      if isExact, count == size, count > 0 { return }
      var position = 0
      var hasBegun = false
      let first = count
      let answer = try connection.read(url, fields: first > 0 ? ["Range: bytes=\(first)-"] : []) {
        (head, piece) throws(SignetError) in
        if !hasBegun, head.status == 206 { position = try Self.start(of: head, first, object) }
        hasBegun = true
        let known = max(0, min(piece.count, count - position))
        position += piece.count
        guard position <= size else { throw wrongSize("more", object) }
        guard known < piece.count else { return }
        count = position
        try take(known == 0 ? piece : Array(piece[known...]))
      }
      switch answer.status {
      case 200, 206: break
      case 404:
        throw .final(SignetError(.ociNotFound, object, "is not there", hint: "ask who has pushed it"))
      case 416: throw .final(wrongSize("\(first) bytes", object))
      default: throw RegistryErrorResponse(answer).failure(url.shown, "does not give the blob")
      }
      // What was cut off may be given whole another time.
      guard count == size || !isExact else { throw .transient(wrongSize("\(count) bytes", object)) }
    }
  }

  /// The first byte of a part.
  private static func start(of head: ResponseHead, _ first: Int, _ object: String) throws(SignetError) -> Int {
    guard let range = try head.range(), range.first == first else {
      throw SignetError(
        .fetchRange, object, "was answered with a part that was not requested", expected: "bytes \(first)-",
        found: (try head.field("content-range") ?? "no Content-Range").display)
    }
    return first
  }

  @discardableResult
  package func put(_ blob: OCIDescriptor, _ feed: BlobFeed) throws(SignetError) -> Bool {
    connection.need(.push, alsoFrom: mountSource)
    if try has(blob) { return false }
    try BlobUpload(blob, over: connection, mountSource: mountSource).run { () throws(SignetError) in
      switch feed {
      case .file(let source): return source
      case .stream:
        // An upload that breaks off must be able to go on, so the bytes are kept until it has ended.
        let copy = try Snapshot(in: TemporaryName.usualFolder, of: "\(blob.digest)")
        try BlobCheck.run(blob, feed, from: "\(blob.digest)") { (piece) throws(SignetError) in try copy.append(piece)
        }
        return try copy.finish()
      }
    }
    return true
  }

  // MARK: Lists

  /// The most pages of a list that are read, and the most entries of all pages.
  private static let (pageLimit, entryLimit) = (100, 10_000)
  /// The most bytes of all pages.
  private static let listSize = 4 * OCIManifest.sizeLimit

  package func tags() throws(SignetError) -> [String] {
    var tags: Set<String> = []
    let isThere = try pages("tags/list", unless: { $0.status == 404 }) { (answer) throws(SignetError) in
      var object = try JSONObject(
        JSONReader.read(answer.body, limits: JSONLimits(size: OCIManifest.sizeLimit, depth: 4, values: 20_000))
          // Debian's says null when the last tag is gone.
          .withoutNulls,
        "tags", unknownField: .ociDocument)
      for tag in try object.strings("tags", atMost: Self.entryLimit) where ManifestName.isTag(tag) {
        tags.insert(tag)
      }
      return tags.count
    }
    guard isThere else {
      throw SignetError(.ociNotFound, name, "is not there", hint: "check the name of the repository")
    }
    return tags.filter { !ManifestName.isReferrersTag($0) }.sorted { $0.precedesInBytes($1) }
  }

  package func referrers(of subject: Digest) throws(SignetError) -> [OCIDescriptor] {
    var found: [OCIDescriptor] = []
    let isListed =
      try listsReferrers == false
      ? false
      // A registry that knows no list says so in many ways: other statuses, redirects to pages, pages.
      : pages(
        "referrers/\(subject)", accepting: MediaType.index,
        unless: { (answer) throws(SignetError) in
          guard answer.status == 200 else { return ![401, 408, 429].contains(answer.status) && answer.status < 500 }
          return !MediaType.plain(try answer.field("content-type") ?? "").isExactly(MediaType.index)
        },
        { (answer) throws(SignetError) in
          found += try Self.referrers(in: answer.body, from: answer.url.shown)
          return found.count
        })
    listsReferrers = isListed
    if !isListed { found = try referrersTag(of: subject).read() }
    var seen: Set<Digest> = []
    return found.filter { seen.insert($0.digest).inserted }
  }

  private func referrersTag(of subject: Digest) -> ReferrersTag {
    ReferrersTag(of: subject, in: self, wait: connection.settings.wait)
  }

  private static func referrers(in body: [UInt8], from url: String) throws(SignetError) -> [OCIDescriptor] {
    guard case .index(let entries) = try OCIManifest(body, type: MediaType.index, from: url).content else {
      return []
    }
    return entries
  }

  /// Reads a list page by page (OCI distribution-spec, "Listing Tags" and "Listing Referrers").
  ///
  /// - Parameters:
  ///   - type: the type that is asked for; nil for any.
  ///   - isAbsence: whether the answer for the first page says that there is no such list.
  ///   - add: takes a page, and returns how many entries there are so far.
  /// - Returns: false if the registry has no such list.
  private func pages(
    _ path: String, accepting type: String? = nil, unless isAbsence: (HTTPResponse) throws(SignetError) -> Bool,
    _ add: (HTTPResponse) throws(SignetError) -> Int
  ) throws(SignetError) -> Bool {
    let fields = type.map { ["Accept: \($0)"] } ?? []
    var next: FetchURL? = try connection.url(path)
    var isFirst = true
    var size = 0
    for _ in 0..<Self.pageLimit {
      guard let url = next else { return true }
      let isFirstPage = isFirst
      let answer = try connection.persist { () throws(FetchFailure) -> HTTPResponse? in
        let answer = try connection.send(.get, url, fields: fields, limit: OCIManifest.sizeLimit)
        do throws(SignetError) { if isFirstPage, try isAbsence(answer) { return nil } } catch { throw .final(error) }
        guard answer.status == 200 else {
          throw RegistryErrorResponse(answer).failure(url.shown, "does not give the list")
        }
        return answer
      }
      guard let answer else { return false }
      isFirst = false
      size += answer.body.count
      guard size <= Self.listSize else { throw tooLong(url) }
      do throws(SignetError) {
        guard try add(answer) <= Self.entryLimit else { throw tooLong(url) }
      } catch  where Set.aboutJSON.contains(error.code) {
        throw SignetError(.ociDocument, url.shown, "is not a valid list", cause: error)
      }
      next = try Self.next(after: answer)
    }
    guard let next else { return true }
    throw tooLong(next)
  }

  private func tooLong(_ url: FetchURL) -> SignetError {
    SignetError(
      .ociBounds, url.shown, "is a list that is too long",
      expected: "at most \(Self.entryLimit) entries and \(Self.listSize) bytes on \(Self.pageLimit) pages",
      hint: "ask the registry's administrator")
  }

  /// The address of the next page, or nil.
  private static func next(after answer: HTTPResponse) throws(SignetError) -> FetchURL? {
    for value in answer.head.values("link") {
      guard let links = WebLink.all(in: value) else {
        throw SignetError(
          .ociDocument, answer.url.shown, "has a field Link that cannot be read", expected: "RFC 8288",
          found: value.display, hint: "ask the registry's administrator")
      }
      if let next = links.first(where: { $0.relations.contains("next") }) {
        return try answer.url.following(next.target)
      }
    }
    return nil
  }
}
