/// A DSSE envelope with its one signature (DSSE v1.0, `envelope.md` and `protocol.md`).
package struct Envelope: Hashable, Sendable {
  /// The bytes that are signed, as they are: nothing is parsed before the signature is verified.
  package let payload: [UInt8]
  /// The signature over ``preAuthenticationEncoding(of:)``.
  package let signature: [UInt8]
  /// A hint which key signed; empty when there is none. It narrows a search and proves nothing.
  package let keyID: String

  /// The only payload type there is.
  package static let payloadType = "application/vnd.in-toto+json"

  /// An envelope out of its parts.
  package init(payload: [UInt8], signature: [UInt8], keyID: String) {
    self.payload = payload
    self.signature = signature
    self.keyID = keyID
  }

  /// The bytes a signature is over: `DSSEv1`, and type and payload with their lengths, so that no other payload of any
  /// other type has the same bytes.
  package static func preAuthenticationEncoding(of payload: [UInt8]) -> [UInt8] {
    Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
  }
}
