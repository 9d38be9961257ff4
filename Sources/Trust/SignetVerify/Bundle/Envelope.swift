internal import SignetBase

/// A DSSE envelope with its one signature (DSSE v1.0, `envelope.md` and `protocol.md`).
package struct Envelope: Hashable, Sendable {
  /// The signed bytes, unchanged: nothing in them is parsed before the signature is verified.
  package let payload: [UInt8]
  /// The signature over ``preAuthenticationEncoding(of:)``.
  package let signature: [UInt8]
  /// A hint at the key that signed, which may be empty. It narrows a search and proves nothing.
  package let keyID: String

  /// The only payload type that is accepted.
  package static let payloadType = "application/vnd.in-toto+json"

  /// Creates an envelope from its parts.
  package init(payload: [UInt8], signature: [UInt8], keyID: String) {
    self.payload = payload
    self.signature = signature
    self.keyID = keyID
  }

  /// The bytes that a signature covers: `DSSEv1`, then type and payload, each after its length.
  ///
  /// The lengths make sure that no other payload or type gives the same bytes.
  package static func preAuthenticationEncoding(of payload: [UInt8]) -> [UInt8] {
    Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
  }

  /// The maximum size of a signature in bytes: RSA with 8192 bits has 1024.
  private static let signatureLimit = 1024
  /// The maximum size of a hint in bytes: a fingerprint has 50, and other programs' hints have somewhat more.
  static let hintLimit = 1024

  /// Reads the protojson form.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let type = try object.string("payloadType")
    guard type.isExactly(Self.payloadType) else {
      throw SignetError(
        .envelopePayloadType, object.path(of: "payloadType"), "is not the type of an in-toto statement",
        expected: Self.payloadType, found: type)
    }
    let signatures = try object.array("signatures")
    guard signatures.count == 1 else {
      throw SignetError(
        .envelopeSignatureCount, object.path(of: "signatures"), "does not hold exactly one signature", expected: "1",
        found: "\(signatures.count)")
    }
    var first = try JSONObject(
      signatures[0], object.path(of: "signatures"), unknownField: object.unknownField)
    signature = try first.bytes("sig")
    keyID = try first.optionalString("keyid") ?? ""
    try first.finish()
    guard (1...Self.signatureLimit).contains(signature.count) else {
      throw first.wrong("sig", "1 to \(Self.signatureLimit) bytes", "\(signature.count) bytes")
    }
    guard keyID.utf8.count <= Self.hintLimit else {
      throw first.wrong("keyid", "at most \(Self.hintLimit) bytes", "\(keyID.utf8.count) bytes")
    }
    payload = try object.bytes("payload")
    guard payload.count <= JSONLimits.payload.size else {
      throw SignetError(
        .envelopePayloadSize, object.path(of: "payload"), "is too large",
        expected: "at most \(JSONLimits.payload.size) bytes", found: "\(payload.count) bytes")
    }
    try object.finish()
  }

  /// The protojson form.
  var json: JSONValue {
    .object(
      ("payload", .string(Base64.encode(payload))), ("payloadType", .string(Self.payloadType)),
      (
        "signatures",
        .array([.object(("keyid", .string(keyID)), ("sig", .string(Base64.encode(signature))))])
      ))
  }
}
