internal import SignetBase

/// Where a certificate's issuer says that lists about it are to be had (RFC 5280, section 4.2.1.13): the name of a part of
/// the issuer's revocations, the reasons it is about, and who issues it if that is another.
struct DistributionPoint: Sendable {
  let name: DistributionPointName?
  /// The reasons its lists are about; all of them when it does not say.
  let reasons: RevocationReasons
  /// Who issues its lists; nobody when the certificate's issuer does.
  let listIssuers: [DistinguishedName]

  /// Points in one certificate at most; real ones have one to five.
  private static let limit = 64

  /// The points of a CRLDistributionPoints or FreshestCRL extension: at least one.
  static func all(_ value: DERReader) -> [DistributionPoint]? {
    var value = value
    guard var list = value.sequence(), value.isAtEnd, !list.isAtEnd else { return nil }
    var points: [DistributionPoint] = []
    while !list.isAtEnd {
      guard points.count < limit, var fields = list.sequence(), let point = DistributionPoint(&fields) else {
        return nil
      }
      points.append(point)
    }
    return points
  }

  private init?(_ fields: inout DERReader) {
    guard let (name, isNamed) = DistributionPointName.optional(&fields) else { return nil }
    self.name = name
    guard let reasons = RevocationReasons.optional(&fields, DERElement.primitive(1)) else { return nil }
    self.reasons = reasons
    var issuers: [GeneralName] = []
    if let content = fields.element(DERElement.constructed(2)) {
      guard let names = GeneralName.list(content) else { return nil }
      issuers = names
    }
    listIssuers = issuers.compactMap(\.directoryName)
    // Reasons alone are nothing; an issuer has the name that its certificate has.
    guard isNamed || !issuers.isEmpty, listIssuers.isEmpty == issuers.isEmpty, fields.isAtEnd else { return nil }
  }
}

/// The name of a distribution point: several names for the same, or one that goes on where the issuer's ends.
enum DistributionPointName: Sendable {
  case full([GeneralName])
  /// The SET that is appended to the list issuer's name.
  case relative([UInt8])

  /// The name in the first field, if there is one; nil for one that is malformed.
  static func optional(_ fields: inout DERReader) -> (name: DistributionPointName?, isNamed: Bool)? {
    guard fields.nextTag == DERElement.constructed(0) else { return (nil, false) }
    guard var choice = fields.element(DERElement.constructed(0)), let (tag, content) = choice.element(),
      choice.isAtEnd
    else { return nil }
    switch tag {
    case DERElement.constructed(0):
      guard let names = GeneralName.list(content) else { return nil }
      return (.full(names), true)
    case DERElement.constructed(1):
      let set = DERWriter.element(DERElement.set, content.rest)
      guard DistinguishedName(der: DERWriter.sequence(set)) != nil else { return nil }
      return (.relative(set), true)
    default: return nil
    }
  }

  /// The names as they can be compared.
  ///
  /// - Parameter issuer: who issues the list.
  func keys(below issuer: DistinguishedName) -> Set<[UInt8]> {
    switch self {
    case .full(let names): return Set(names.map(\.key))
    case .relative(let set):
      var outer = DERReader(issuer.der)
      let whole = DERWriter.element(DERElement.sequence, (outer.sequence()?.rest ?? []) + set)
      return Set(DistinguishedName(der: whole).map { [GeneralName($0).key] } ?? [])
    }
  }
}

/// Why certificates are revoked, as far as lists are divided by it (ReasonFlags, section 4.2.1.13).
struct RevocationReasons: OptionSet, Sendable {
  let rawValue: UInt16

  /// From keyCompromise, bit 1, to aACompromise, bit 8. Bit 0 is unused.
  static let all = RevocationReasons(rawValue: 0x7f80)

  /// The flags in the next field; all reasons when there is no such field, nil for one that is malformed.
  static func optional(_ fields: inout DERReader, _ tag: UInt8) -> RevocationReasons? {
    guard fields.nextTag == tag else { return .all }
    guard let content = fields.element(tag)?.rest, let bits = NamedBits(content), bits.isShortest else { return nil }
    return RevocationReasons(rawValue: bits.bits).intersection(.all)
  }
}

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
