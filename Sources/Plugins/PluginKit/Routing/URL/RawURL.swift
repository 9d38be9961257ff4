/// What a `+` means in values of a URL.
public enum PlusDecoding: Hashable, Sendable {
  /// A space in the query, as in forms, and a plus elsewhere. `%2B` is a plus everywhere. This is the default.
  case inQuery
  /// A space in the path, too. `%2B` is a plus everywhere.
  case everywhere
  /// A space everywhere, even if it is encoded as `%2B`. Some iOS routers read URLs like this.
  case evenEncoded
  /// A plus everywhere, in the query, too.
  case never

  /// Decodes a part of a URL once.
  func decode(_ bytes: ArraySlice<UInt8>, isQuery: Bool) -> String {
    let decoded = PercentCoding.decode(bytes, plusIsSpace: self != .never && (isQuery || self != .inQuery))
    guard self == .evenEncoded, decoded.utf8.contains(UInt8(ascii: "+")) else { return decoded }
    return String(decoding: decoded.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}

/// The parts of a URL as they are written, still encoded.
extension PluginURL {
  /// The host as it is written.
  public var rawHost: String { form == .opaque ? "" : rawParts.first ?? "" }

  /// The segments as they are written, in the same order as ``segments``.
  public var rawSegments: [String] { form == .opaque ? rawParts : Array(rawParts.dropFirst()) }

  /// The text after the `?` as it is written; nil without a `?`.
  public var rawQuery: String? { raw(URLFrame(Array(text.utf8)).query) }

  /// The text after the `#` as it is written; nil without a `#`.
  public var rawFragment: String? { raw(URLFrame(Array(text.utf8)).fragment) }

  /// The parameters as they are written, in the same order as those of ``query``.
  public var rawQueryItems: [URLQuery.Item] {
    queryPieces.map { URLQuery.item($0) { String(decoding: $0, as: UTF8.self) } }
  }

  /// The parameters, read with another meaning of `+`.
  public func query(plus: PlusDecoding) -> URLQuery {
    plus == .evenEncoded || plus == .never
      ? URLQuery(queryPieces.map { URLQuery.item($0) { plus.decode($0, isQuery: true) } }) : query
  }

  private var queryPieces: [ArraySlice<UInt8>] { URLQuery.split(Array((rawQuery ?? "").utf8)[...]) }

  private func raw(_ range: Range<Int>?) -> String? {
    range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
  }

  /// Host and segments as they are written, one for each of ``parts``.
  var rawParts: [String] { Self.split(Array(text.utf8)[pathRange]) }

  /// The parts of a path as they are written.
  static func split(_ bytes: ArraySlice<UInt8>) -> [String] {
    var pieces = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if pieces.last?.isEmpty == true { pieces.removeLast() }
    if pieces.count == 1, pieces[0].isEmpty { return [] }
    return pieces.map { String(decoding: $0, as: UTF8.self) }
  }
}
