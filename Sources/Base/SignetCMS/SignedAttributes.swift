package import SignetBase
internal import SignetCrypto

/// The attributes that a signer has signed in the place of the content (RFC 5652, sections 5.3 and 11).
package struct SignedAttributes: Sendable {
  /// The digest of the content (section 11.2).
  package let messageDigest: [UInt8]
  /// When the signer claims to have signed (section 11.3).
  package let signingTime: UnixTime?
  /// The bytes that are signed: the attributes as a SET, whatever they are tagged with (section 5.4).
  package let signed: [UInt8]
  private let values: [OID: DERReader]

  /// 1.2.840.113549.1.9.3
  private static let contentType = OID.pkcs(9, 3)
  /// 1.2.840.113549.1.9.4
  private static let messageDigest = OID.pkcs(9, 4)
  /// 1.2.840.113549.1.9.5
  private static let signingTime = OID.pkcs(9, 5)

  private static let limit = 32

  /// - Parameters:
  ///   - encoded: the attributes with their tag.
  ///   - contentType: the type of the content, which they must name, too.
  /// - Throws: `cms.malformed`.
  init(_ encoded: [UInt8], of contentType: OID) throws(SignetError) {
    var reader = DERReader(encoded)
    guard var set = reader.element(DERElement.constructed(0)), reader.isAtEnd else {
      throw CMSForm.malformedSigner("has damaged attributes")
    }
    var values: [OID: DERReader] = [:]
    while !set.isAtEnd {
      guard values.count < Self.limit, var attribute = set.sequence(), let type = attribute.oid(),
        let content = attribute.element(DERElement.set), attribute.isAtEnd, content.isWellFormed, !content.isAtEnd
      else { throw CMSForm.malformedSigner("has damaged attributes") }
      guard values.updateValue(content, forKey: type) == nil else {
        throw CMSForm.malformedSigner("has the attribute \(type) twice")
      }
    }
    self.values = values
    signed = [DERElement.set] + encoded.dropFirst()
    guard var type = values[Self.contentType], type.oid() == contentType, type.isAtEnd else {
      throw CMSForm.malformedSigner("does not sign the type of the content")
    }
    guard var digest = values[Self.messageDigest], let bytes = digest.octetString(), digest.isAtEnd else {
      throw CMSForm.malformedSigner("signs no digest of the content")
    }
    messageDigest = bytes
    if var time = values[Self.signingTime] {
      guard let value = time.time(), time.isAtEnd else { throw CMSForm.malformedSigner("has a damaged signing time") }
      signingTime = value
    } else {
      signingTime = nil
    }
  }

  /// The only value of an attribute; nil if there is none, or several.
  package func value(_ type: OID) -> DERReader? {
    guard let values = values[type] else { return nil }
    var after = values
    guard after.element() != nil, after.isAtEnd else { return nil }
    return values
  }

  /// Whether there is such an attribute.
  package func has(_ type: OID) -> Bool { values[type] != nil }
}
