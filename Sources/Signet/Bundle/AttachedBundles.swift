internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// The bundles in an archive's signing block. There is one text for each: a byte that could be another and mean the same
/// would be a byte that nobody has signed.
extension ArchiveFile {
  /// The bundles, not parsed yet; none where there is no block.
  ///
  /// - Throws: `signature.malformed` for a value that is not bundles, each a line with its end; `bundle.count`.
  func bundles() throws(SignetError) -> [EncodedBundle] {
    guard let block else { return [] }
    let last = try BundleFile.bytes(in: block.value.upperBound - 1..<block.value.upperBound, of: source)
    let lines = try BundleFile.lines(of: source, in: block.value)
    guard last == [UInt8(ascii: "\n")], lines.allSatisfy({ !$0.isEmpty }) else {
      throw SignetError(
        .signatureMalformed, "signing block", "does not hold bundles, each a line with its end",
        hint: "get the archive anew from where it comes from")
    }
    guard lines.count <= SignatureSource.bundleLimit else {
      throw SignetError(
        .bundleCount, "signing block", "has too many bundles", expected: "at most \(SignatureSource.bundleLimit)",
        found: "\(lines.count) or more")
    }
    let bundles = lines.enumerated().map { number, line in
      EncodedBundle(label: "attached bundle \(number + 1)", text: .part(source, line), isAttached: true)
    }
    if bundles.count > 1 { try Self.checkTogether(bundles) }
    return bundles
  }

  /// Several signers have signed one statement, each once: of a bundle that repeats another, or says something else, no
  /// byte would be missed.
  private static func checkTogether(_ bundles: [EncodedBundle]) throws(SignetError) {
    var texts: Set<Digest> = []
    var payload: Digest?
    for encoded in bundles {
      guard texts.insert(try Digest.of(try encoded.read(), .sha256)).inserted else {
        throw SignetError(.signatureMalformed, encoded.label, "repeats another")
      }
      // One that is none is found out, and said, when it is its turn.
      guard let bundle = try? encoded.bundle() else { continue }
      let digest = try Digest.of(bundle.envelope.payload, .sha256)
      guard payload == nil || payload == digest else {
        throw SignetError(
          .signatureMalformed, encoded.label, "is about another statement than the one before it",
          expected: "one statement that all have signed")
      }
      payload = digest
    }
  }
}

extension SigstoreBundle {
  /// Makes sure that a text is the one that is written for the bundle.
  ///
  /// - Throws: `signature.malformed`.
  func check(isCanonical text: [UInt8]) throws(SignetError) {
    guard text.allSatisfy({ (0x20..<0x7f).contains($0) }), try canonicalBytes() == text else {
      throw SignetError(
        .signatureMalformed, "bundle", "is not written as attached bundles are: canonically, in printable ASCII",
        hint: "get the archive anew from where it comes from")
    }
  }

  /// Why a bundle that is attached cannot be by this key; nil when it can. Nothing but the signer's name may stand where
  /// names of keys stand.
  func objection(toNamesBesides key: PublicKey, _ label: String) -> SignetError? {
    var names = [envelope.keyID]
    if case .publicKey(let hint) = material { names.append(hint) }
    guard let other = names.first(where: { !key.id.description.isExactly($0) }) else { return nil }
    return SignetError(
      .signatureMalformed, label, "names another key than the one that has signed", expected: "\(key.id)",
      found: other, hint: "get the archive anew from where it comes from")
  }
}
