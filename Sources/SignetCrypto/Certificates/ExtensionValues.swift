/// Whether the holder may issue certificates, and how many of its own kind may follow (RFC 5280, section 4.2.1.9).
struct BasicConstraints: Sendable {
  let isCA: Bool
  /// How many intermediates that are not self-issued may follow; nil for any number.
  let pathLength: Int?

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd else { return nil }
    if fields.nextTag == DERElement.boolean {
      guard fields.boolean() == true else { return nil }
      isCA = true
    } else {
      isCA = false
    }
    if fields.isAtEnd {
      pathLength = nil
    } else {
      // What is longer than any path is no limit, but a number all the same.
      guard let length = fields.unsignedInteger(), fields.isAtEnd else { return nil }
      pathLength = length.count > 2 ? Int(UInt16.max) : length.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

/// What the key is for (RFC 5280, section 4.2.1.3).
struct KeyUsage: Sendable {
  /// Bit 0 is the highest.
  private let bits: UInt16

  init?(_ value: DERReader) {
    var value = value
    guard let content = value.element(DERElement.bitString)?.rest, value.isAtEnd, (1...3).contains(content.count),
      let unused = content.first, unused < 8
    else { return nil }
    bits = (content.count > 1 ? UInt16(content[1]) << 8 : 0) | (content.count > 2 ? UInt16(content[2]) : 0)
    // X.690, section 11.2.2: trailing zero bits are left out.
    let isShortest = content.count == 1 ? unused == 0 : Int(unused) == content[content.count - 1].trailingZeroBitCount
    guard isShortest else { return nil }
  }

  var isEmpty: Bool { bits == 0 }
  var hasDigitalSignature: Bool { bits & 0x8000 != 0 }
  var hasCertificateSigning: Bool { bits & 0x0400 != 0 }
  var hasRevocationListSigning: Bool { bits & 0x0200 != 0 }
}

/// Which key of the issuer made the signature (RFC 5280, section 4.2.1.1).
struct AuthorityKeyIdentifier: Sendable {
  let keyIdentifier: [UInt8]?

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd else { return nil }
    keyIdentifier = fields.element(DERElement.primitive(0))?.rest
    // Issuer and serial number stand both or neither.
    guard (fields.element(DERElement.constructed(1)) == nil) == (fields.element(DERElement.primitive(2)) == nil),
      fields.isAtEnd
    else { return nil }
  }
}

/// Which names may stand below a CA (RFC 5280, section 4.2.1.10): only their form is read here, OpenSSL compares.
struct NameConstraints: Sendable {
  /// Why a constraint cannot be honoured as written; nil when all can.
  private(set) var objection: String?
  /// The domains in which no DNS name may lie.
  private(set) var excludedDomains: [[UInt8]] = []

  /// OpenSSL gives up beyond 2^20 comparisons; this many constraints are more than any CA has.
  private static let limit = 512

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd, !fields.isAtEnd else { return nil }
    for number in UInt8(0)...1 where fields.nextTag == DERElement.constructed(number) {
      guard var subtrees = fields.element(DERElement.constructed(number)), !subtrees.isAtEnd else { return nil }
      var count = 0
      while !subtrees.isAtEnd {
        count += 1
        guard count <= Self.limit, var subtree = subtrees.sequence(), let (tag, base) = subtree.element() else {
          return nil
        }
        // Section 4.2.1.10: minimum is zero, which is not written, and maximum absent.
        if !subtree.isAtEnd { objection = "has a minimum or a maximum" }
        if number == 1, tag == DERElement.primitive(2) { excludedDomains.append(base.rest) }
        if let fault = Self.fault(tag, base.rest) { objection = fault }
      }
    }
    guard fields.isAtEnd else { return nil }
  }

  private static func fault(_ tag: UInt8, _ base: [UInt8]) -> String? {
    switch tag {
    case DERElement.primitive(2):
      // "Any DNS name that can be constructed by adding zero or more labels": the base is a name, without a period in
      // front, as URIs have it.
      return base.first == UInt8(ascii: ".") || !base.allSatisfy(isHostCharacter) ? "is no DNS name" : nil
    case DERElement.primitive(6): return base.allSatisfy(isHostCharacter) ? nil : "is no host of a URI"
    case DERElement.primitive(1): return base.allSatisfy { (0x21..<0x7f).contains($0) } ? nil : "is no mailbox"
    case DERElement.primitive(7):
      guard base.count == 8 || base.count == 32 else { return "is no range of IP addresses" }
      // A mask is ones, then zeros (RFC 4632).
      let mask = Array(base[(base.count / 2)...])
      let isContiguous =
        zip(mask, mask.dropFirst()).allSatisfy { $0 == 0xff || $1 == 0 }
        && mask.allSatisfy { (~$0 &+ 1) & ~$0 == 0 }
      return isContiguous ? nil : "has a mask with holes"
    case DERElement.constructed(4): return DistinguishedName(der: base) == nil ? "is no name" : nil
    default: return nil
    }
  }

  private static func isHostCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".-_".utf8.contains(byte)
    }
  }
}
