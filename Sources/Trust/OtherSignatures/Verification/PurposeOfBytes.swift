internal import SignetBase
internal import SignetSystem
internal import SignetVerify

extension BareContent {
  /// Checks that the bytes are not what a signature of another kind covers: the key may have signed that, and no file. This
  /// matters where a signature is over the file as it is, or where RSA and ECDSA hash it as they hash everything.
  ///
  /// - Parameter isHashed: whether the signature is over a digest of the bytes.
  /// - Throws: `bundle.message-signature`.
  func checkPurpose(_ label: String, isHashed: Bool) throws(SignetError) {
    let source = try source()
    guard let purpose = PurposeOfBytes(source), purpose != .digest || !isHashed else { return }
    throw SignetError(
      .bundleMessageSignature, label, "signs \(purpose.words), and perhaps no file",
      expected: "a signature over a file")
  }
}

/// What bytes are that signatures cover which are not over files.
private enum PurposeOfBytes {
  /// The digest that minisign signs: whoever changes two letters of such a signature has one over the digest.
  case digest
  /// The signed attributes of CMS (RFC 5652, section 5.4).
  case attributes
  /// What an authority signs, or whoever asks it: a certificate, a request, a revocation list, an answer of OCSP.
  case certification

  var words: String {
    switch self {
    case .digest: "what has the length of a digest"
    case .attributes: "what a signature in CMS covers"
    case .certification: "what a signature in a certificate, a request or a revocation list covers"
    }
  }

  /// The OID of the content type (RFC 5652, section 11.1), with its tag.
  private static let contentType: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3]
  private static let sizeLimit = 4 << 20

  /// The tags of the parts that are signed, from the first one on: certificates of version 3 and 1, requests, revocation lists
  /// of version 2 and 1, and answers of OCSP.
  private static let shapes: [[UInt8]] = [
    [0xa0, 0x02, 0x30, 0x30, 0x30, 0x30, 0x30], [0x02, 0x30, 0x30, 0x30, 0x30, 0x30], [0x02, 0x30, 0x30, 0xa0],
    [0x02, 0x30, 0x30, 0x17], [0x02, 0x30, 0x30, 0x18], [0x30, 0x30, 0x17], [0x30, 0x30, 0x18], [0xa1, 0x18, 0x30],
    [0xa2, 0x18, 0x30], [0xa0, 0xa1, 0x18, 0x30], [0xa0, 0xa2, 0x18, 0x30],
  ]

  init?(_ source: any ByteSource) {
    if source.size == 64 {
      self = .digest
      return
    }
    guard (2...Self.sizeLimit).contains(source.size), let head = try? source.bytes(in: 0..<2),
      [DERElement.set, DERElement.sequence].contains(head[0]), let bytes = try? source.bytes(in: 0..<source.size)
    else { return nil }
    var reader = DERReader(bytes)
    guard var fields = reader.element(head[0]), reader.isAtEnd else { return nil }
    if head[0] == DERElement.set {
      guard bytes.firstRange(of: Self.contentType) != nil else { return nil }
      self = .attributes
      return
    }
    var tags: [UInt8] = []
    let known: [UInt8] = [0x02, 0x17, 0x18, 0x30, 0xa0, 0xa1, 0xa2, 0xa3]
    while tags.count < 8, !fields.isAtEnd, let tag = known.first(where: { fields.encoded($0) != nil }) {
      tags.append(tag)
    }
    guard Self.shapes.contains(where: tags.starts(with:)) else { return nil }
    self = .certification
  }
}
