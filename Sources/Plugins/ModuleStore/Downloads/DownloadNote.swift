package import SignetBase

/// The note beside a file that is being fetched, by which a later try can continue.
package struct DownloadNote: Hashable, Sendable {
  /// The file on the server.
  package struct Source: Hashable, Sendable {
    /// Its strong entity tag. While the server gives it this tag, it is the same file byte by byte.
    package let tag: String
    /// When it was changed, as the server writes it.
    package let modified: String?
    /// Its length in bytes.
    package let length: Int

    /// Whether a text is a strong entity tag. Then it can be in a request as it is.
    package static func isStrongTag(_ text: String) -> Bool {
      guard (2...256).contains(text.utf8.count), text.utf8.first == quote, text.utf8.last == quote else {
        return false
      }
      return text.utf8.dropFirst().dropLast().allSatisfy { $0 != quote && (0x21...0x7e).contains($0) }
    }
    package init(tag: String, modified: String?, length: Int) {
      self.tag = tag
      self.modified = modified
      self.length = length
    }

    private static let quote = UInt8(ascii: "\"")
  }

  /// The item that is fetched.
  package let item: DownloadItem
  /// When fetching began.
  package let begun: UnixTime
  /// The file to which the bytes here belong; nil if that cannot be determined.
  package var source: Source?

  /// An item with two long URLs, and a few words.
  static package let limits = JSONLimits(size: 128 << 10, depth: 3, values: 32)

  package init(of item: DownloadItem, begun: UnixTime) {
    self.item = item
    self.begun = begun
  }

  /// Reads a note's text.
  ///
  /// - Throws: `json.…`, `fetch.…`: then it is not a note of ours.
  package init(_ text: [UInt8]) throws(SignetError) {
    var object = try JSONObject(
      try JSONReader.read(text, limits: Self.limits), "note", unknownField: .fetchItem, in: text)
    begun = try object.time("begun")
    var part = try object.object("item")
    item = try DownloadItem(&part, needsVersion: false)
    if var part = try object.optionalObject("source") {
      let tag = try part.string("tag")
      guard Source.isStrongTag(tag) else { throw part.wrong("tag", "a strong entity tag", tag) }
      source = Source(
        tag: tag, modified: try part.optionalString("modified"), length: try part.count("length"))
      try part.finish()
    }
    try object.finish()
  }

  /// The note's text.
  package func text() throws(SignetError) -> [UInt8] {
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
