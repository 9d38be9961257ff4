public import SignetCrypto

/// Where the bundles for an artifact stand.
///
/// Bundles are read one after the other, so that only one decoded payload is in memory at a time.
public struct SignatureSource: Sendable {
  /// Bundles read for one artifact at most.
  public static let bundleLimit = 16

  /// A bundle that has not been parsed.
  struct Encoded: Sendable {
    /// What to call it in messages.
    let label: String
    let text: Text
  }

  enum Text: Sendable {
    case bytes([UInt8])
    case part(RegularFile, Range<Int>)
  }

  let bundles: [Encoded]

  private init(_ bundles: [Encoded]) throws(SignetError) {
    guard bundles.count <= Self.bundleLimit else {
      throw SignetError(
        .bundleCount, bundles[0].label, "there are too many bundles", expected: "at most \(Self.bundleLimit)",
        found: "\(bundles.count) or more")
    }
    self.bundles = bundles
  }

  /// No signature at all.
  public static let none = SignatureSource(unchecked: [])

  private init(unchecked bundles: [Encoded]) { self.bundles = bundles }

  /// Bundles in memory, each its own JSON text.
  ///
  /// - Throws: `bundle.count`.
  public static func bytes(_ texts: [[UInt8]]) throws(SignetError) -> SignatureSource {
    try SignatureSource(
      texts.enumerated().map { Encoded(label: "bundle \($0.offset + 1)", text: .bytes($0.element)) })
  }

  /// A file that holds one bundle, or a bundle a line.
  ///
  /// - Throws: `signature.missing` and `signature.unreadable` when there is none to read, `signature.malformed`,
  ///   `bundle.count`.
  public static func file(_ path: String) throws(SignetError) -> SignatureSource {
    try SignatureSource(BundleFile.bundles(in: BundleFile.open(path), at: path))
  }

  /// What stands beside an artifact: `NAME.sigstore.json` and `NAME.sigstore.jsonl`, both where both do.
  ///
  /// A source without bundles when neither does.
  ///
  /// - Throws: what ``file(_:)`` throws of one that is there.
  public static func beside(_ artifact: String) throws(SignetError) -> SignatureSource {
    var bundles: [Encoded] = []
    for path in [BundleFile.single(artifact), BundleFile.several(artifact)] {
      do throws(SignetError) {
        bundles += try BundleFile.bundles(in: BundleFile.open(path), at: path)
      } catch  where error.code == .signatureMissing {
        continue
      }
    }
    return try SignatureSource(bundles)
  }
}

extension SignatureSource.Encoded {
  /// The JSON text.
  func read() throws(SignetError) -> [UInt8] {
    switch text {
    case .bytes(let bytes): return bytes
    case .part(let file, let range):
      // Before it is in memory; the reader's own bound comes too late for that.
      guard range.count <= JSONLimits.bundle.size else {
        throw SignetError(
          .signatureMalformed, label, "is too large to be a bundle",
          expected: "at most \(JSONLimits.bundle.size) bytes",
          found: "\(range.count) bytes")
      }
      return try file.bytes(in: range)
    }
  }

  /// The bundle, parsed.
  func bundle() throws(SignetError) -> Bundle {
    do throws(SignetError) {
      return try Bundle(json: read())
    } catch {
      // Inside the bundle the error says where; outside one wants to know which.
      throw SignetError(
        error.code, label, error.object == "bundle" ? error.message : "\(error.object) \(error.message)",
        expected: error.expected, found: error.found, cause: error.cause, hint: error.hint)
    }
  }
}

extension Bundle {
  /// Every bundle of a file, parsed and not verified: to show them, or to add another.
  ///
  /// - Throws: what ``SignatureSource/file(_:)`` and ``init(json:)`` throw.
  public static func all(in path: String) throws(SignetError) -> [Bundle] {
    var bundles: [Bundle] = []
    for encoded in try SignatureSource.file(path).bundles { bundles.append(try encoded.bundle()) }
    return bundles
  }
}
