package import SignetBase

/// Signed data of the Cryptographic Message Syntax (RFC 5652, section 5), read as strict DER.
///
/// Reading it proves nothing. ``SignerInfo/check(_:by:)`` says whether the holder of a certificate has signed, and a chain
/// verifier whose certificate it is.
package struct SignedData: Sendable {
  /// The type of the content (section 5.2).
  package let contentType: OID
  /// The content, if it is inside; nil for a detached signature.
  package let content: [UInt8]?
  /// The certificates that it carries, in DER, as they come. Attribute certificates and other formats are left out.
  package let certificates: [[UInt8]]
  /// The signers, at least one.
  package let signers: [SignerInfo]

  /// 1.2.840.113549.1.7.2
  package static let type = OID.pkcs(7, 2)
  /// 1.2.840.113549.1.7.1: bytes without a meaning of their own.
  package static let plainContent = CMSForm.plainContent

  /// The maximum length in bytes. Detached signatures have some kilobytes, tokens as many.
  package static let sizeLimit = 1 << 20
  private static let certificateLimit = 32
  private static let signerLimit = 16
  private static let digestLimit = 16

  /// Reads a ContentInfo with SignedData (section 3).
  ///
  /// - Throws: `cms.malformed`, `cms.unsupported`.
  package init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else {
      throw SignetError(
        .cmsMalformed, "signed data", "is too long", expected: "at most \(Self.sizeLimit) bytes",
        found: "\(der.count) bytes")
    }
    var reader = DERReader(der)
    guard var info = reader.sequence(), reader.isAtEnd, let type = info.oid() else {
      throw CMSForm.malformed("is no ContentInfo in DER", "3")
    }
    guard type == Self.type else {
      throw SignetError(
        .cmsUnsupported, "signed data", "is CMS of another type", expected: "\(Self.type) (SignedData)",
        found: "\(type)")
    }
    guard var content = info.element(DERElement.constructed(0)), info.isAtEnd, var data = content.sequence(),
      content.isAtEnd
    else { throw CMSForm.malformed("has no content in DER", "3") }
    try self.init(&data)
  }

  private init(_ data: inout DERReader) throws(SignetError) {
    guard let version = data.unsignedInteger(atMost: 5), [1, 3, 4, 5].contains(version) else {
      throw CMSForm.malformed("has no known version", "5.1")
    }
    guard var digests = data.element(DERElement.set) else { throw CMSForm.malformed("names no digests", "5.1") }
    var count = 0
    while !digests.isAtEnd {
      count += 1
      guard count <= Self.digestLimit, digests.sequence() != nil else {
        throw CMSForm.malformed("names no digests", "5.1")
      }
    }
    guard var capsule = data.sequence(), let contentType = capsule.oid() else {
      throw CMSForm.malformed("has no content type", "5.2")
    }
    self.contentType = contentType
    content = try Self.content(&capsule)
    certificates = try Self.certificates(&data)
    if data.nextTag == DERElement.constructed(1) {
      guard let lists = data.element(DERElement.constructed(1)), lists.isWellFormed else {
        throw CMSForm.malformed("has damaged revocation lists", "10.2.1")
      }
    }
    guard var infos = data.element(DERElement.set), data.isAtEnd else {
      throw CMSForm.malformed("names no signers", "5.1")
    }
    var signers: [SignerInfo] = []
    while !infos.isAtEnd {
      guard signers.count < Self.signerLimit else {
        throw SignetError(
          .cmsMalformed, "signed data", "has too many signers", expected: "at most \(Self.signerLimit)")
      }
      guard let info = infos.sequence() else { throw CMSForm.malformed("has a damaged signer", "5.3") }
      signers.append(try SignerInfo(info, of: contentType))
    }
    guard !signers.isEmpty else {
      throw SignetError(.cmsMalformed, "signed data", "is signed by nobody", expected: "a signer")
    }
    self.signers = signers
  }

  private static func content(_ capsule: inout DERReader) throws(SignetError) -> [UInt8]? {
    guard !capsule.isAtEnd else { return nil }
    guard var explicit = capsule.element(DERElement.constructed(0)), capsule.isAtEnd,
      let content = explicit.octetString(), explicit.isAtEnd
    else { throw CMSForm.malformed("has content that is no OCTET STRING", "5.2") }
    return content
  }

  /// CertificateSet (section 10.2.3). RFC 5652 asks for the order of a SET in DER, and few programs keep it.
  private static func certificates(_ data: inout DERReader) throws(SignetError) -> [[UInt8]] {
    guard data.nextTag == DERElement.constructed(0) else { return [] }
    guard var set = data.element(DERElement.constructed(0)) else {
      throw CMSForm.malformed("has damaged certificates", "10.2.3")
    }
    var certificates: [[UInt8]] = []
    while !set.isAtEnd {
      guard certificates.count < certificateLimit else {
        throw SignetError(
          .cmsMalformed, "signed data", "has too many certificates", expected: "at most \(certificateLimit)")
      }
      if let certificate = set.encoded(DERElement.sequence) {
        certificates.append(certificate)
      } else if set.element() == nil {
        throw CMSForm.malformed("has damaged certificates", "10.2.3")
      }
    }
    return certificates
  }
}
