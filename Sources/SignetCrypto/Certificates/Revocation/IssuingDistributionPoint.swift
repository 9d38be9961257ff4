internal import SignetBase

/// What a list is about, when it is not everything its issuer has revoked (RFC 5280, section 5.2.5).
struct IssuingDistributionPoint: Sendable {
  /// Which certificates a list is about.
  enum Scope: Hashable, Sendable { case all, holders, authorities, attributes }

  /// The extension's value; lists of the same scope have the same.
  let der: [UInt8]
  /// The part of the issuer's revocations; nil when the list is not divided so.
  let name: DistributionPointName?
  let scope: Scope
  let reasons: RevocationReasons
  /// Whether entries may be about certificates of other issuers.
  let isIndirect: Bool

  /// nil when it is malformed, or empty, which section 5.2.5 forbids.
  init?(_ value: DERReader) {
    der = value.rest
    var value = value
    guard var fields = value.sequence(), value.isAtEnd, !fields.isAtEnd,
      let (name, _) = DistributionPointName.optional(&fields)
    else { return nil }
    self.name = name
    var scopes: [Scope] = []
    for (number, each) in [(UInt8(1), Scope.holders), (2, .authorities)] {
      guard let isSet = Self.flag(&fields, number) else { return nil }
      if isSet { scopes.append(each) }
    }
    guard let reasons = RevocationReasons.optional(&fields, DERElement.primitive(3)),
      let isIndirect = Self.flag(&fields, 4), let isAboutAttributes = Self.flag(&fields, 5), fields.isAtEnd
    else { return nil }
    if isAboutAttributes { scopes.append(.attributes) }
    // "At most one of" these "may be set to TRUE".
    guard scopes.count <= 1 else { return nil }
    scope = scopes.first ?? .all
    self.reasons = reasons
    self.isIndirect = isIndirect
  }

  /// A BOOLEAN that is false by default, so that only true is written.
  private static func flag(_ fields: inout DERReader, _ number: UInt8) -> Bool? {
    guard fields.nextTag == DERElement.primitive(number) else { return false }
    return fields.element(DERElement.primitive(number))?.rest == [0xff] ? true : nil
  }
}

/// The number of a list (RFC 5280, section 5.2.3): a later list of the same issuer and scope has a greater one.
struct RevocationListNumber: Comparable, Sendable {
  /// Big-endian, without leading zeros.
  private let magnitude: [UInt8]

  /// "Conforming CRL issuers MUST NOT use CRLNumber values longer than 20 octets."
  private static let mostBytes = 20

  init?(_ value: DERReader) {
    var value = value
    guard let magnitude = value.unsignedInteger(), magnitude.count <= Self.mostBytes, value.isAtEnd else {
      return nil
    }
    self.magnitude = magnitude
  }

  static func < (left: RevocationListNumber, right: RevocationListNumber) -> Bool {
    left.magnitude.count == right.magnitude.count
      ? left.magnitude.lexicographicallyPrecedes(right.magnitude) : left.magnitude.count < right.magnitude.count
  }
}

extension RevocationListNumber: CustomStringConvertible {
  var description: String { magnitude.isEmpty ? "0" : "0x" + Hexadecimal.encode(magnitude) }
}
