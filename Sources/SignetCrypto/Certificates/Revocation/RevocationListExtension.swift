internal import SignetBase

/// An extension of a list or of an entry (RFC 5280, sections 5.2 and 5.3).
struct RevocationListExtension {
  let name: OID
  let isCritical: Bool
  let value: DERReader

  init?(_ list: inout DERReader) {
    guard var item = list.sequence(), let name = item.oid() else { return nil }
    var isCritical = false
    if item.nextTag == DERElement.boolean {
      guard item.boolean() == true else { return nil }
      isCritical = true
    }
    guard let value = item.element(DERElement.octetString), item.isAtEnd else { return nil }
    self.name = name
    self.isCritical = isCritical
    self.value = value
  }
}

/// The extensions of a list.
struct RevocationListExtensions: Sendable {
  /// Which of the issuer's keys signed it; nil when the list does not say.
  private(set) var authorityKeyIdentifier: [UInt8]?
  private(set) var number: RevocationListNumber?
  /// The complete list that a delta list adds to; nil for complete lists.
  private(set) var baseNumber: RevocationListNumber?
  /// What the list is about; nil when it is about all that its issuer has issued.
  private(set) var issuingPoint: IssuingDistributionPoint?
  /// Why the list cannot be honoured as written; nil when it can.
  private(set) var objection: String?

  /// More than any list has, which is about five.
  private static let limit = 32

  init() {}

  /// - Parameter list: the content of the SEQUENCE of extensions; nil when one is twice or malformed.
  init?(_ list: DERReader) {
    var list = list
    var seen: Set<OID> = []
    while !list.isAtEnd {
      guard seen.count < Self.limit, let item = RevocationListExtension(&list), seen.insert(item.name).inserted,
        read(item)
      else { return nil }
    }
    if seen.isEmpty { return nil }
  }

  private mutating func read(_ item: RevocationListExtension) -> Bool {
    // Sections 5.2.4 and 5.2.5: these two must be critical, the others of that section must not.
    let mustBeCritical = [.deltaRevocationList, .issuingDistributionPoint].contains(item.name)
    if item.isCritical != mustBeCritical {
      if item.isCritical { objection = "has the critical extension \(item.name)" }
      if mustBeCritical { objection = "has the extension \(item.name), which must be critical and is not" }
    }
    switch item.name {
    case .authorityKeyIdentifier:
      guard let identifier = AuthorityKeyIdentifier(item.value) else { return false }
      authorityKeyIdentifier = identifier.keyIdentifier
    case .revocationListNumber:
      number = RevocationListNumber(item.value)
      return number != nil
    case .deltaRevocationList:
      baseNumber = RevocationListNumber(item.value)
      return baseNumber != nil
    case .issuingDistributionPoint:
      issuingPoint = IssuingDistributionPoint(item.value)
      return issuingPoint != nil
    case .issuerAlternativeName: return AccessDescriptions.isNames(item.value)
    case .freshestRevocationList: return DistributionPoint.all(item.value) != nil
    case .authorityInformationAccess: return AccessDescriptions.isAccess(item.value)
    default: break
    }
    return true
  }
}

extension OID {
  static let revocationListNumber = directory(29, 20)
  static let deltaRevocationList = directory(29, 27)
  static let issuingDistributionPoint = directory(29, 28)
  static let reasonCode = directory(29, 21)
  static let invalidityDate = directory(29, 24)
  static let certificateIssuer = directory(29, 29)
}
