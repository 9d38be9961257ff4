public import SignetBase
internal import SignetCrypto

extension SignetError.Code {
  /// The envelope's payload is of another type than in-toto's.
  public static let envelopePayloadType = Self("envelope.payload-type")
  /// No signature, or several, in one envelope.
  public static let envelopeSignatureCount = Self("envelope.signature-count")
  /// The payload is larger than any statement may be.
  public static let envelopePayloadSize = Self("envelope.payload-size")
}
