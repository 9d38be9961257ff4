internal import SignetBase

/// The extensions of a certificate (RFC 5280, section 4.2): which ones there are, and the values of those that matter
/// here.
///
/// Every extension that RFC 5280 defines is read completely and strictly, whether or not it is used here. Otherwise
/// another reader could find a meaning in what this one cannot read. Other extensions only must not occur twice.
struct CertificateExtensions: Sendable {
  /// The extensions of the certificate, in order.
  private(set) var names: [OID] = []
  /// Whether each extension is critical.
  private(set) var criticality: [OID: Bool] = [:]
  /// The value of the extension; nil if there is no such extension.
  private(set) var basicConstraints: BasicConstraints?
  private(set) var keyUsage: KeyUsage?
  private(set) var extendedKeyUsage: [OID]?
  private(set) var subjectAlternativeNames: [SubjectAlternativeName]?
  private(set) var subjectKeyIdentifier: [UInt8]?
  private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  private(set) var nameConstraints: NameConstraints?
  private(set) var distributionPoints: [DistributionPoint] = []

  /// The maximum number of extensions. No certificate has that many; webpki and others see about ten.
  private static let limit = 64

  init() {}

  /// - Parameter list: the content of the SEQUENCE of extensions.
  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`.
  init(_ list: DERReader) throws(SignetError) {
    var list = list
    guard !list.isAtEnd else { throw Certificate.malformed("its list of extensions is empty") }
    while !list.isAtEnd {
      guard criticality.count < Self.limit, var item = list.sequence(), let name = item.oid() else {
        throw Certificate.malformed("its list of extensions is damaged")
      }
      var isCritical = false
      if item.nextTag == DERElement.boolean {
        // X.690, section 11.5: false is the default, so only true is encoded.
        guard item.boolean() == true else {
          throw Certificate.malformed("it says in a wrong form whether an extension is critical")
        }
        isCritical = true
      }
      guard let value = item.element(DERElement.octetString), item.isAtEnd else {
        throw Certificate.malformed("its extension \(name) is damaged")
      }
      guard criticality.updateValue(isCritical, forKey: name) == nil else {
        throw SignetError(
          .certificateDuplicateExtension, "certificate", "has an extension twice (RFC 5280, section 4.2)",
          expected: "each extension once", found: "\(name)")
      }
      names.append(name)
      guard read(name, value) else { throw Certificate.malformed("its extension \(name) is damaged") }
    }
  }

  private mutating func read(_ name: OID, _ value: DERReader) -> Bool {
    switch name {
    case .basicConstraints:
      basicConstraints = BasicConstraints(value)
      return basicConstraints != nil
    case .keyUsage:
      keyUsage = KeyUsage(value)
      return keyUsage != nil
    case .extendedKeyUsage:
      extendedKeyUsage = Self.names(value)
      return extendedKeyUsage != nil
    case .subjectAlternativeName:
      subjectAlternativeNames = Self.alternativeNames(value)
      return subjectAlternativeNames != nil
    case .subjectKeyIdentifier:
      var value = value
      subjectKeyIdentifier = value.octetString()
      return subjectKeyIdentifier?.isEmpty == false && value.isAtEnd
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = AuthorityKeyIdentifier(value)
      return authorityKeyIdentifier != nil
    case .nameConstraints:
      nameConstraints = NameConstraints(value)
      return nameConstraints != nil
    case .revocationListDistributionPoints:
      guard let points = DistributionPoint.all(value) else { return false }
      distributionPoints = points
      return true
    default: return Self.isWellFormed(name, value)
    }
  }

  /// Checks the extensions of which only the form matters.
  private static func isWellFormed(_ name: OID, _ value: DERReader) -> Bool {
    switch name {
    case .certificatePolicies: PolicyExtensions.isPolicies(value)
    case .policyMappings: PolicyExtensions.isMappings(value)
    case .policyConstraints: PolicyExtensions.isConstraints(value)
    case .inhibitAnyPolicy: PolicyExtensions.isInhibition(value)
    case .issuerAlternativeName: AccessDescriptions.isNames(value)
    case .subjectDirectoryAttributes: AccessDescriptions.isAttributes(value)
    case .authorityInformationAccess, .subjectInformationAccess: AccessDescriptions.isAccess(value)
    case .freshestRevocationList: DistributionPoint.all(value) != nil
    default: true
    }
  }

  /// ExtKeyUsageSyntax. An empty one is read, so that it can be refused with its own reason.
  private static func names(_ value: DERReader) -> [OID]? {
    var value = value
    guard var list = value.sequence(), value.isAtEnd else { return nil }
    var names: [OID] = []
    while !list.isAtEnd {
      guard names.count < limit, let name = list.oid() else { return nil }
      names.append(name)
    }
    return names
  }

  /// GeneralNames: at least one name (section 4.2.1.6).
  private static func alternativeNames(_ value: DERReader) -> [SubjectAlternativeName]? {
    var value = value
    guard var list = value.sequence(), value.isAtEnd else { return nil }
    var names: [SubjectAlternativeName] = []
    while !list.isAtEnd {
      guard let (tag, content) = list.element(), let name = SubjectAlternativeName(tag, content) else { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names
  }
}

extension OID {
  static let subjectDirectoryAttributes = directory(29, 9)
  static let subjectKeyIdentifier = directory(29, 14)
  static let keyUsage = directory(29, 15)
  static let subjectAlternativeName = directory(29, 17)
  static let issuerAlternativeName = directory(29, 18)
  static let basicConstraints = directory(29, 19)
  static let nameConstraints = directory(29, 30)
  static let revocationListDistributionPoints = directory(29, 31)
  static let certificatePolicies = directory(29, 32)
  static let policyMappings = directory(29, 33)
  static let authorityKeyIdentifier = directory(29, 35)
  static let policyConstraints = directory(29, 36)
  static let extendedKeyUsage = directory(29, 37)
  static let inhibitAnyPolicy = directory(29, 54)
  static let freshestRevocationList = directory(29, 46)
  static let authorityInformationAccess = pkix(1, 1)
  static let subjectInformationAccess = pkix(1, 11)

  static let anyExtendedKeyUsage = directory(29, 37, 0)
  static let codeSigning = pkix(3, 3)
  static let timeStamping = pkix(3, 8)
}

/// Whether the holder may issue certificates, and how many intermediates may follow (RFC 5280, section 4.2.1.9).
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
      // A number that exceeds the length of any path is not a real limit, but it is valid.
      guard let length = fields.unsignedInteger(), fields.isAtEnd else { return nil }
      pathLength = length.count > 2 ? Int(UInt16.max) : length.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

/// The purposes of the key (RFC 5280, section 4.2.1.3).
struct KeyUsage: Sendable {
  private let bits: NamedBits

  init?(_ value: DERReader) {
    var value = value
    guard let content = value.element(DERElement.bitString)?.rest, value.isAtEnd, let bits = NamedBits(content) else {
      return nil
    }
    self.bits = bits
  }

  /// Whether trailing zero bits are left out, as DER requires. Some roots in use have such a bit.
  var isShortest: Bool { bits.isShortest }
  var isEmpty: Bool { bits.bits == 0 }
  var hasDigitalSignature: Bool { bits.has(0) }
  var hasContentCommitment: Bool { bits.has(1) }
  var hasCertificateSigning: Bool { bits.has(5) }
  var hasRevocationListSigning: Bool { bits.has(6) }
}

extension KeyUsage: CustomStringConvertible {
  /// The names of the bits, in order (section 4.2.1.3).
  private static let names = [
    "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
    "cRLSign", "encipherOnly", "decipherOnly",
  ]

  var description: String {
    let set = Self.names.indices.filter { bits.has($0) }.map { Self.names[$0] }
    return set.isEmpty ? "a key usage without a known bit" : set.joined(separator: ", ")
  }
}

/// Identifies the issuer's key that made the signature (RFC 5280, section 4.2.1.1).
struct AuthorityKeyIdentifier: Sendable {
  let keyIdentifier: [UInt8]?

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd else { return nil }
    keyIdentifier = fields.element(DERElement.primitive(0))?.rest
    // Issuer and serial number occur together or not at all.
    if let issuer = fields.element(DERElement.constructed(1)) {
      guard GeneralName.list(issuer) != nil, let serial = fields.element(DERElement.primitive(2))?.rest,
        DERReader.isShortestInteger(serial)
      else { return nil }
    }
    guard fields.isAtEnd else { return nil }
  }
}

/// A BIT STRING whose bits have names (X.680, section 22), such as the purposes of a key or the reasons of a
/// revocation.
struct NamedBits: Sendable {
  /// The bits, with bit 0 as the highest; bits from the seventeenth on have no names here.
  let bits: UInt16
  /// Whether trailing zero bits are left out, as DER requires for named bits (X.690, section 11.2.2).
  let isShortest: Bool

  /// The maximum number of content bytes. Extensions define nine bits, so anything longer is not an honest list.
  private static let mostBytes = 3

  /// - Parameter content: the content of the BIT STRING; the result is nil if it breaks DER in any way other than
  ///   trailing zero bits.
  init?(_ content: [UInt8]) {
    guard content.count <= Self.mostBytes, DERReader.isBitString(content), let unused = content.first else {
      return nil
    }
    bits = (content.count > 1 ? UInt16(content[1]) << 8 : 0) | (content.count > 2 ? UInt16(content[2]) : 0)
    isShortest = content.count == 1 || Int(unused) == content[content.count - 1].trailingZeroBitCount
  }

  /// Whether the bit with this number is set.
  func has(_ number: Int) -> Bool { bits & (0x8000 >> number) != 0 }
}
