internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What is written beside a file that is being fetched, so that a later try can go on with it.
struct DownloadNote: Hashable, Sendable {
  /// The file as the server has it.
  struct Source: Hashable, Sendable {
    /// Its strong entity tag: as long as the server gives it that, it is the same file byte by byte.
    let tag: String
    /// When it was changed, as the server puts it.
    let modified: String?
    /// How many bytes it has.
    let length: Int
  }

  /// What is fetched.
  let item: DownloadItem
  /// Since when.
  let begun: UnixTime
  /// Of which file the bytes that are there are; nil when that cannot be told.
  var source: Source?

  /// An item with two long URLs, and a few words.
  static let limits = JSONLimits(size: 128 << 10, depth: 3, values: 32)

  init(of item: DownloadItem, begun: UnixTime) {
    self.item = item
    self.begun = begun
  }

  /// Reads a note's text.
  ///
  /// - Throws: `json.…`, `fetch.…`: then it is none of ours.
  init(_ text: [UInt8]) throws(SignetError) {
    var object = try JSONObject(
      try JSONReader.read(text, limits: Self.limits), "note", unknownField: .fetchItem, in: text)
    begun = try object.time("begun")
    var part = try object.object("item")
    item = try DownloadItem(&part)
    if var part = try object.optionalObject("source") {
      let tag = try part.string("tag")
      guard ResponseHead.isStrongTag(tag) else { throw part.wrong("tag", "a strong entity tag", tag) }
      source = Source(
        tag: tag, modified: try part.optionalString("modified"), length: try part.count("length"))
      try part.finish()
    }
    try object.finish()
  }

  /// The note's text.
  func text() throws(SignetError) -> [UInt8] {
    try CanonicalJSON.write(
      .object(
        ("item", item.json), ("begun", .string("\(begun)")),
        (
          "source",
          source.map {
            .object(
              ("tag", .string($0.tag)), ("modified", $0.modified.map { .string($0) }), ("length", .integer($0.length))
            )
          }
        )))
  }
}

extension DownloadNote.Source {
  /// What a head says of the file whose bytes follow; nil where nothing could be gone on with.
  init?(_ head: ResponseHead, length: Int?) {
    guard let tag = head.strongTag, let length else { return nil }
    self.init(tag: tag, modified: Self.modified(head), length: length)
  }

  /// Whether a head speaks of the same file, as far as it says.
  func isSame(_ head: ResponseHead) throws(SignetError) -> Bool {
    guard try head.field("etag").map({ $0.isExactly(tag) }) ?? true else { return false }
    guard let modified, let other = Self.modified(head) else { return true }
    return other.isExactly(modified)
  }

  /// A server's time in printable ASCII; RFC 9110, section 5.6.7 has 29 characters.
  private static func modified(_ head: ResponseHead) -> String? {
    let text = try? head.field("last-modified")
    return text.flatMap { $0.utf8.count <= 64 && $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } ? $0 : nil }
  }
}
