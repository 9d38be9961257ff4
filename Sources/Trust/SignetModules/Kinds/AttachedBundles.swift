internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
package import SignetVerify

/// The bundles in an archive's signing block.
///
/// Only one text of each is accepted. If a byte could change without a change of meaning, no signature would cover
/// that byte.
extension ArchiveFile {
  /// The bundles, before they are parsed. The list is empty if there is no signing block.
  ///
  /// - Throws: `signature.malformed` if the value is not a list of bundles, each on a line with its line end;
  ///   `bundle.count`.
  package func bundles() throws(SignetError) -> [EncodedBundle] {
    guard let block else { return [] }
    let last = try BundleFile.bytes(in: block.value.upperBound - 1..<block.value.upperBound, of: source)
    let lines = try BundleFile.lines(of: source, in: block.value)
    guard last == [UInt8(ascii: "\n")], lines.allSatisfy({ !$0.isEmpty }) else {
      throw SignetError(
        .signatureMalformed, "signing block", "does not hold one bundle a line",
        hint: "get the archive again from its publisher")
    }
    guard lines.count <= SignatureSource.bundleLimit else {
      throw SignetError(
        .bundleCount, "signing block", "has too many bundles", expected: "at most \(SignatureSource.bundleLimit)",
        found: "\(lines.count) or more")
    }
    let bundles = lines.enumerated().map { number, line in
      EncodedBundle(attachedAt: line, in: source, label: "attached bundle \(number + 1)")
    }
    if bundles.count > 1 { try Self.checkTogether(bundles) }
    return bundles
  }

  /// Checks that the bundles have one statement, and that no bundle repeats another.
  ///
  /// If a bundle repeated another, or said something else, its bytes could change or disappear unnoticed.
  private static func checkTogether(_ bundles: [EncodedBundle]) throws(SignetError) {
    var texts: Set<Digest> = []
    var payload: Digest?
    for encoded in bundles {
      guard texts.insert(try Digest.of(try encoded.read(), .sha256)).inserted else {
        throw SignetError(.signatureMalformed, encoded.label, "repeats another bundle")
      }
      // An unparsable bundle is reported when its turn comes.
      guard let bundle = try? encoded.bundle() else { continue }
      let digest = try Digest.of(bundle.envelope.payload, .sha256)
      guard payload == nil || payload == digest else {
        throw SignetError(
          .signatureMalformed, encoded.label, "has another statement than the bundle before it",
          expected: "one statement, signed by all")
      }
      payload = digest
    }
  }
}
