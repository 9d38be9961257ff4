package import SignetBase
package import SignetSystem
package import SignetVerify

extension SigstoreBundle {
  /// All bundles of a file, parsed but not verified, to show them or to add another.
  ///
  /// - Throws: `signature.missing`, `signature.unreadable`, `bundle.count`, and what ``init(json:)`` throws.
  package static func all(in path: String) throws(SignetError) -> [SigstoreBundle] {
    try all(.file(path), path)
  }

  /// All bundles beside an artifact, parsed but not verified.
  ///
  /// - Throws: what ``all(in:)`` throws.
  package static func all(beside path: String) throws(SignetError) -> [SigstoreBundle] {
    try all(.beside(path), path)
  }

  /// The bundles in an open file, of which each line holds one if it is a list.
  package static func all(in file: RegularFile, isList: Bool) throws(SignetError) -> [SigstoreBundle] {
    try all(isList ? .lines(of: file) : .file(file), file.path)
  }

  /// The bundles of open files that can be parsed.
  ///
  /// - Throws: `signature.unreadable`, `signature.malformed`, `bundle.count`.
  package static func readable(in files: [any ByteSource]) throws(SignetError) -> [SigstoreBundle] {
    guard !files.isEmpty else { return [] }
    return try SignatureSource.files(files).open(for: files[0].path).compactMap { try? $0.bundle() }
  }

  private static func all(_ source: SignatureSource, _ path: String) throws(SignetError) -> [SigstoreBundle] {
    var bundles: [SigstoreBundle] = []
    for encoded in try source.open(for: path) { bundles.append(try encoded.bundle()) }
    return bundles
  }
}

extension SignatureSource {
  /// Reads the canonical texts of the bundles, one after the other, as nobody has verified them yet.
  ///
  /// - Parameters:
  ///   - artifact: what messages call the artifact.
  ///   - withSummary: whether a file beside the artifact with its verification summary is read, too.
  /// - Throws: what the body throws; `signature.…`, `bundle.…`, `envelope.…`. That there are none is no error.
  package func readBundles(
    for artifact: String, withSummary: Bool, _ body: (_ text: [UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let bundles: [EncodedBundle]
    do throws(SignetError) { bundles = try open(for: artifact, withSummary: withSummary) } catch
      where error.code == .signatureMissing
    { return }
    for encoded in bundles { try body(encoded.bundle().canonicalBytes()) }
  }
}
