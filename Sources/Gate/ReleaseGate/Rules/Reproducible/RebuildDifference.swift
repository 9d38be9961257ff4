internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// A difference between an artifact and its rebuild.
struct RebuildDifference: Sendable {
  let message: String
  /// The entry of an archive or a directory.
  var entry: String?
  /// Where the difference is.
  var place: String?
  /// What the rebuild has.
  var expected: String?
  /// What the release has.
  var found: String?
  var code: SignetError.Code?
  var hint: String

  /// Notes the difference as a finding about an artifact.
  func note(about path: String, _ findings: inout RuleFindings) {
    findings.note(
      message, about: path, entry: entry, place: place, code: code?.rawValue, expected: expected, found: found,
      hint: hint)
  }

  /// The first different bytes of two sources; nil if they are equal.
  ///
  /// - Throws: what reading throws.
  static func inBytes(
    _ message: String, _ made: any ByteSource, _ rebuilt: any ByteSource, entry: String? = nil, hint: String
  ) throws(SignetError) -> RebuildDifference? {
    guard let offset = try ByteComparison.firstDifference(made, rebuilt) else { return nil }
    return RebuildDifference(
      message: message, entry: entry, place: "offset \(Amount.number(offset))",
      expected: try bytes(of: rebuilt, at: offset), found: try bytes(of: made, at: offset), hint: hint)
  }

  /// The number of bytes that are shown.
  private static let shownSize = 16

  /// Some bytes in hexadecimal, and the size of the source.
  static func bytes(of source: any ByteSource, at offset: Int) throws(SignetError) -> String {
    let size = Amount.of(source.size, "byte", "bytes")
    guard offset < source.size else { return "the end, after \(size)" }
    let bytes = try source.bytes(in: offset..<min(offset + shownSize, source.size))
    return "\(bytes.map { Hexadecimal.encode([$0]) }.joined(separator: " ")), of \(size)"
  }

  /// The difference in one property of two entries of the same name, in archives or directories, or nil.
  static func inProperty(
    _ message: String, entry: String, made: String, rebuilt: String, hint: String
  ) -> RebuildDifference? {
    guard !made.isExactly(rebuilt) else { return nil }
    return RebuildDifference(message: message, entry: entry, expected: rebuilt, found: made, hint: hint)
  }
}

/// The first differences between an artifact and its rebuild.
struct RebuildDifferences: Sendable {
  /// The maximum number of differences that are looked for: one is often the cause of the others.
  private static let limit = 5

  private(set) var first: [RebuildDifference] = []

  /// Whether no more differences are looked for.
  var isFull: Bool { first.count >= Self.limit }

  /// Adds a difference, if there is one and there is room.
  mutating func add(_ difference: RebuildDifference?) {
    if let difference, !isFull { first.append(difference) }
  }
}

/// The hints about differences.
enum RebuildHint {
  static let content = "look for times, paths, random names and unsorted lists in what makes this file"
  static let packing = "pack with fixed times, owners, modes and order, as signet pack does"
  static let files = "make both builds from the same sources, with the same programs and settings"
}
