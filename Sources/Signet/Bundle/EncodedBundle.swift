package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A bundle that has not been parsed.
struct EncodedBundle: Sendable {
  /// What to call it in messages.
  let label: String
  let text: Text
  /// Whether it stands in the artifact itself, where only one text of it will do.
  var isAttached = false

  enum Text: Sendable {
    case bytes([UInt8])
    case part(any ByteSource, Range<Int>)
  }

  /// The JSON text.
  ///
  /// - Throws: `signature.malformed`, `signature.unreadable`.
  func read() throws(SignetError) -> [UInt8] {
    switch text {
    case .bytes(let bytes): return bytes
    case .part(let file, let range):
      // Before it is in memory; the reader's own bound comes too late for that.
      guard range.count <= JSONLimits.bundle.size else {
        throw SignetError(
          .signatureMalformed, label, "is too large to be a bundle",
          expected: "at most \(JSONLimits.bundle.size) bytes", found: "\(range.count) bytes")
      }
      return try BundleFile.bytes(in: range, of: file)
    }
  }

  /// The bundle, parsed.
  ///
  /// - Throws: what reading throws, and `signature.malformed`, `bundle.…`, `envelope.…`.
  func bundle() throws(SignetError) -> SigstoreBundle {
    let text = try read()
    do throws(SignetError) {
      let bundle = try SigstoreBundle(json: text)
      if isAttached { try bundle.check(isCanonical: text) }
      return bundle
    } catch {
      // Inside the bundle the error says where; outside one wants to know which.
      throw SignetError(
        error.code, label, error.object == "bundle" ? error.message : "\(error.object) \(error.message)",
        expected: error.expected, found: error.found, cause: error.cause, hint: error.hint)
    }
  }
}

extension SigstoreBundle {
  /// Every bundle of a file, parsed and not verified: to show them, or to add another.
  ///
  /// - Throws: `signature.missing`, `signature.unreadable`, `bundle.count`, and what ``init(json:)`` throws.
  package static func all(in path: String) throws(SignetError) -> [SigstoreBundle] {
    try all(.file(path), path)
  }

  /// Every bundle beside an artifact, parsed and not verified.
  ///
  /// - Throws: what ``all(in:)`` throws.
  package static func all(beside path: String) throws(SignetError) -> [SigstoreBundle] {
    try all(.beside(path), path)
  }

  private static func all(_ source: SignatureSource, _ path: String) throws(SignetError) -> [SigstoreBundle] {
    var bundles: [SigstoreBundle] = []
    for encoded in try source.open(for: path) { bundles.append(try encoded.bundle()) }
    return bundles
  }
}
