internal import SignetBase

/// What a release is, for people: from the spec in its sources (docs/spec.md).
///
/// Its publisher says so, and nothing is decided by it.
public struct ReleaseAbout: Hashable, Sendable {
  /// What the module is, in a sentence.
  public let summary: String?
  /// The address of the page about the module. Nothing is known of where it leads.
  public let homepage: String?
  /// The licence's name, such as `Apache-2.0`.
  public let license: String?

  /// The most bytes of each text: the summary of a spec has at most 140 characters.
  private static let sizeLimit = 2000

  /// Describes a release; nil if nothing is said. What is longer than an index takes is left out.
  public init?(summary: String?, homepage: String?, license: String?) {
    func fitting(_ text: String?) -> String? { text.flatMap { Self.fits($0) ? $0 : nil } }
    self.summary = fitting(summary)
    self.homepage = fitting(homepage)
    self.license = fitting(license)
    if texts.allSatisfy({ $0.text == nil }) { return nil }
  }

  private static func fits(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= sizeLimit }

  private var texts: [(name: String, text: String?)] {
    [("homepage", homepage), ("license", license), ("summary", summary)]
  }
}

extension ReleaseAbout {
  /// Reads what an index has.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    summary = try object.optionalString("summary")
    homepage = try object.optionalString("homepage")
    license = try object.optionalString("license")
    for (name, text) in texts {
      guard let text, !Self.fits(text) else { continue }
      throw object.wrong(name, "1 to \(Self.sizeLimit) bytes", "\(text.utf8.count) bytes")
    }
    try object.finish()
  }

  var json: JSONValue {
    .object(
      ("homepage", homepage.map { .string($0) }), ("license", license.map { .string($0) }),
      ("summary", summary.map { .string($0) }))
  }

  /// Values are equal if their texts are the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    zip(left.texts, right.texts).allSatisfy { left, right in
      switch (left.text, right.text) {
      case (let left?, let right?): left.isExactly(right)
      case (nil, nil): true
      default: false
      }
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    for (_, text) in texts { hasher.combine(text.map { Array($0.utf8) }) }
  }
}
