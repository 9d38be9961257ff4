public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// There is no signature where one was looked for.
  public static let signatureMissing = Self("signature.missing")
  /// There is a signature, and it may not be read.
  public static let signatureUnreadable = Self("signature.unreadable")
  /// A field of the bundle that nobody knows.
  public static let bundleUnknownField = Self("bundle.unknown-field")
  /// A bundle of another kind or version.
  public static let bundleMediaType = Self("bundle.media-type")
  /// A signature over a bare digest, without a statement that says what it is for.
  public static let bundleMessageSignature = Self("bundle.message-signature")
  /// More than one kind of verification material, or none.
  public static let bundleMaterial = Self("bundle.verification-material")
  /// More bundles than are read for one artifact.
  public static let bundleCount = Self("bundle.count")
  /// The bundles beside an artifact are about different statements.
  public static let bundlePayloadsDiffer = Self("bundle.payloads-differ")
}
