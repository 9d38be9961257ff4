internal import SignetBase

/// The extensions of a certificate (RFC 5280, section 4.2): which there are, and what those say that matter here.
///
/// Every extension that RFC 5280 defines is read whole and strictly, whether it is used here or not: what one reader cannot
/// read another may take for something. The others only have to stand once.
struct CertificateExtensions: Sendable {
  /// Those that there are, in order.
  private(set) var names: [OID] = []
  /// Whether each is critical.
  private(set) var criticality: [OID: Bool] = [:]
  /// nil when there is no such extension.
  private(set) var basicConstraints: BasicConstraints?
  private(set) var keyUsage: KeyUsage?
  private(set) var extendedKeyUsage: [OID]?
  private(set) var subjectAlternativeNames: [SubjectAlternativeName]?
  private(set) var subjectKeyIdentifier: [UInt8]?
  private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  private(set) var nameConstraints: NameConstraints?
  private(set) var distributionPoints: [DistributionPoint] = []

  /// More than any certificate has; webpki and others see about ten.
  private static let limit = 64

  init() {}

  /// - Parameter list: the content of the SEQUENCE of extensions.
  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`.
  init(_ list: DERReader) throws(SignetError) {
    var list = list
    guard !list.isAtEnd else { throw Certificate.malformed("an empty list of extensions") }
    while !list.isAtEnd {
      guard criticality.count < Self.limit, var item = list.sequence(), let name = item.oid() else {
        throw Certificate.malformed("the list of extensions")
      }
      var isCritical = false
      if item.nextTag == DERElement.boolean {
        // Only true is written (X.690, section 11.5): false is the default.
        guard item.boolean() == true else { throw Certificate.malformed("the criticality of an extension") }
        isCritical = true
      }
      guard let value = item.element(DERElement.octetString), item.isAtEnd else {
        throw Certificate.malformed("the extension \(name)")
      }
      guard criticality.updateValue(isCritical, forKey: name) == nil else {
        throw SignetError(
          .certificateDuplicateExtension, "certificate", "has an extension twice (RFC 5280, section 4.2)",
          expected: "each extension once", found: "\(name)")
      }
      names.append(name)
      guard read(name, value) else { throw Certificate.malformed("the extension \(name)") }
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

  /// The extensions of which only the form counts.
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

  /// ExtKeyUsageSyntax; an empty one is read, so that it can be refused for what it is.
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

  /// GeneralNames: at least one (section 4.2.1.6).
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
}
