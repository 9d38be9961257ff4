internal import SignetBase
internal import SignetCrypto
package import SignetSystem

/// The source of the bundles for an artifact: memory, a file, or the files beside the artifact.
///
/// Nothing is opened before the verification. A missing or unreadable signature therefore ends in a refusal like
/// every other fault.
///
/// Bundles are read one after the other, so that only one decoded payload is in memory at a time.
public struct SignatureSource: Sendable {
  /// The maximum number of bundles that are read for one artifact.
  public static let bundleLimit = 16

  private enum Place {
    case bytes([[UInt8]])
    case file(String)
    case beside(String)
    case open(RegularFile, isList: Bool)
    case files([any ByteSource])
  }

  private let place: Place
  /// Signatures of other programs.
  private var others: [any BareSignature] = []

  private init(place: Place) { self.place = place }

  /// The source for an artifact without bundles.
  public static let absent = SignatureSource(place: .bytes([]))

  /// Bundles in memory, each as its own JSON text.
  public static func bytes(_ texts: [[UInt8]]) -> SignatureSource { SignatureSource(place: .bytes(texts)) }

  /// A file that holds one bundle, or one bundle on each line.
  public static func file(_ path: String) -> SignatureSource { SignatureSource(place: .file(path)) }

  /// The files beside an artifact: `NAME.sigstore.json`, `NAME.sigstore.jsonl`, or both.
  ///
  /// If the policy demands a verification summary, `NAME.vsa.sigstore.json` is read, too.
  public static func beside(_ artifact: String) -> SignatureSource { SignatureSource(place: .beside(artifact)) }

  /// An open file that holds one bundle on each line.
  package static func lines(of file: RegularFile) -> SignatureSource {
    SignatureSource(place: .open(file, isList: true))
  }

  /// An open file that holds one bundle, or one bundle on each line.
  package static func file(_ file: RegularFile) -> SignatureSource {
    SignatureSource(place: .open(file, isList: false))
  }

  /// The open files of bundles that are beside an artifact. There may be none.
  package static func files(_ files: [any ByteSource]) -> SignatureSource { SignatureSource(place: .files(files)) }

  /// The same source, with signatures of other programs.
  package func adding(_ others: [any BareSignature]) -> SignatureSource {
    var source = self
    source.others += others
    return source
  }

  /// The bundles, before they are parsed; at least one.
  ///
  /// - Parameters:
  ///   - attached: the bundles in the artifact itself. The others are read all the same: every place with bundles
  ///     must be in order.
  ///   - withSummary: whether a file beside the artifact with its verification summary is read, too.
  /// - Throws: `signature.missing`, `signature.unreadable`, `signature.malformed`, `bundle.count`.
  package func open(
    for artifact: String, attached: [EncodedBundle] = [], withSummary: Bool = false
  ) throws(SignetError) -> [EncodedBundle] {
    var bundles: [EncodedBundle]
    switch place {
    case .bytes(let texts):
      bundles = texts.enumerated().map { EncodedBundle(label: "bundle \($0.offset + 1)", text: .bytes($0.element)) }
    case .file(let path): bundles = try BundleFile.bundles(in: path)
    case .beside(let path): bundles = try Self.beside(path, withSummary)
    case .open(let file, let isList): bundles = try BundleFile.bundles(of: file, isList: isList)
    case .files(let files):
      var found: [[EncodedBundle]] = []
      for file in files { found.append(try Self.limited(BundleFile.bundles(of: file))) }
      bundles = try Self.joined(found)
    }
    bundles += others.map { EncodedBundle($0) }
    guard !bundles.isEmpty || !attached.isEmpty else {
      guard case .beside(let path) = place else { throw .missingSignature(artifact) }
      var error = SignetError.missingSignature(artifact)
      error.expected = "\(BundleFile.single(path)) or \(BundleFile.several(path)), or a bundle that is named"
      throw error
    }
    guard !attached.isEmpty else { return try Self.limited(bundles) }
    // The same bundle may be in both places.
    return try Self.limited(bundles.isEmpty ? attached : Self.distinct(attached + bundles))
  }

  private static func limited(_ bundles: [EncodedBundle]) throws(SignetError) -> [EncodedBundle] {
    guard bundles.count > bundleLimit else { return bundles }
    throw SignetError(
      .bundleCount, bundles[0].label, "comes with too many bundles", expected: "at most \(bundleLimit)",
      found: "\(bundles.count) or more")
  }

  /// The bundles of both files beside an artifact.
  ///
  /// A second signature leaves the first file as it was, and the file of several bundles repeats it. A repeated
  /// bundle is read once, and does not count towards the limit.
  private static func beside(_ artifact: String, _ withSummary: Bool) throws(SignetError) -> [EncodedBundle] {
    var files: [[EncodedBundle]] = []
    for path in BundleFile.suffixes(withSummary: withSummary).map({ artifact + $0 }) {
      do throws(SignetError) {
        files.append(try limited(BundleFile.bundles(in: path)))
      } catch  where error.code == .signatureMissing {
        continue
      }
    }
    return try joined(files)
  }

  private static func joined(_ files: [[EncodedBundle]]) throws(SignetError) -> [EncodedBundle] {
    files.count > 1 ? try distinct(files.flatMap(\.self)) : files.first ?? []
  }

  private static func distinct(_ bundles: [EncodedBundle]) throws(SignetError) -> [EncodedBundle] {
    var distinct: [EncodedBundle] = []
    var digests = Set<Digest>()
    for bundle in bundles {
      // A malformed bundle counts as a separate one. The verification will say what is wrong with it.
      let text = (try? bundle.bundle().canonicalBytes()) ?? Array(bundle.label.utf8)
      if digests.insert(try Digest.of(text, .sha256)).inserted { distinct.append(bundle) }
    }
    return distinct
  }
}

extension SignetError {
  /// The error for an artifact without any signature.
  static func missingSignature(_ artifact: String) -> SignetError {
    SignetError(
      .signatureMissing, artifact, "has no signature", expected: "a Sigstore bundle beside it, or one that is named",
      hint: "get the bundle from the artifact's publisher")
  }
}

extension SigstoreBundle {
  /// Checks that a text is the canonical text of the bundle.
  ///
  /// - Throws: `signature.malformed`.
  func check(isCanonical text: [UInt8]) throws(SignetError) {
    guard text.allSatisfy({ (0x20..<0x7f).contains($0) }), try canonicalBytes() == text else {
      throw SignetError(
        .signatureMalformed, "bundle", "is not canonical JSON in printable ASCII, as attached bundles are",
        hint: "get the archive again from its publisher")
    }
  }

  /// Why an attached bundle cannot be by this key; nil if it can.
  ///
  /// Every field for a key's name must have the signer's key ID.
  package func objection(toNamesBesides key: PublicKey, _ label: String) -> SignetError? {
    var names = [envelope.keyID]
    if case .publicKey(let hint) = material { names.append(hint) }
    guard let other = names.first(where: { !key.id.description.isExactly($0) }) else { return nil }
    return SignetError(
      .signatureMalformed, label, "names a key that did not make the signature", expected: "\(key.id)",
      found: other, hint: "get the archive again from its publisher")
  }
}
