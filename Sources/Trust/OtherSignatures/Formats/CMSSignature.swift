internal import SignetBase
internal import SignetCrypto

/// Signatures in CMS (RFC 5652): SignedData, in DER or in PEM, or as a part of a mail.
enum CMSSignature {
  /// 1.2.840.113549.1.7.2
  private static let signedData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]

  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    for label in ["PKCS7", "CMS", "PKCS #7 SIGNED DATA"] {
      if let block = ArmoredBlock(label, in: bytes), isSignedData(block.bytes) {
        return OtherSignature(.cms, [.init("encoding", "PEM")] + claims(of: block.bytes))
      }
    }
    if isSignedData(bytes) { return OtherSignature(.cms, [.init("encoding", "DER")] + claims(of: bytes)) }
    let head = String(decoding: bytes.prefix(2048), as: UTF8.self).lowercased()
    guard head.utf8.starts(with: "mime-version:".utf8) || head.utf8.starts(with: "content-type:".utf8),
      head.utf8.firstRange(of: Array("pkcs7-signature".utf8)) != nil
        || head.utf8.firstRange(of: Array("pkcs7-mime".utf8)) != nil
    else { return nil }
    return OtherSignature(.cms, [.init("encoding", "S/MIME")])
  }

  /// Whether it begins as a ContentInfo with signed data, in DER or in an indefinite form of BER.
  private static func isSignedData(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == DERElement.sequence, bytes.count > 20 else { return false }
    let type = [DERElement.objectIdentifier, UInt8(signedData.count)] + signedData
    return bytes.prefix(8 + type.count).firstRange(of: type) != nil
  }

  /// The certificates that it carries, and whether it holds what it signs. Nothing of BER that is not DER.
  private static func claims(of bytes: [UInt8]) -> [OtherSignature.Claim] {
    var reader = DERReader(bytes)
    guard var info = reader.element(DERElement.sequence), info.element(DERElement.objectIdentifier) != nil,
      var content = info.element(DERElement.constructed(0)), var data = content.element(DERElement.sequence),
      data.integer() != nil, data.element(DERElement.set) != nil, var signed = data.element(DERElement.sequence),
      signed.element(DERElement.objectIdentifier) != nil
    else { return [] }
    var claims: [OtherSignature.Claim] = []
    if var certificates = data.element(DERElement.constructed(0)) {
      while claims.count < 8, let der = certificates.encoded(DERElement.sequence) {
        guard let certificate = try? Certificate(der: der) else { continue }
        claims.append(.init("certificate", "\(certificate)"))
      }
    }
    claims.append(.init("content", signed.isAtEnd ? "beside it" : "in it"))
    return claims
  }
}
