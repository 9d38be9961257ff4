internal import SignetBase

/// A source of revocation lists about a certificate, as its issuer states it (RFC 5280, section 4.2.1.13).
///
/// It gives the name of a part of the issuer's revocations, the reasons that this part covers, and the issuer of the
/// lists if that is not the certificate's issuer.
struct DistributionPoint: Sendable {
  let name: DistributionPointName?
  /// The reasons that its lists cover; all reasons if it does not state any.
  let reasons: RevocationReasons
  /// The issuers of its lists; empty if the certificate's issuer issues them.
  let listIssuers: [DistinguishedName]

  /// The maximum number of points in one certificate; real ones have one to five.
  private static let limit = 64

  /// The points of a CRLDistributionPoints or FreshestCRL extension: at least one point.
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
    // A point must not consist of reasons alone. List issuers must be named as in their certificates, with a
    // directory name.
    guard isNamed || !issuers.isEmpty, listIssuers.isEmpty == issuers.isEmpty, fields.isAtEnd else { return nil }
  }
}

/// The name of a distribution point: several names for the same point, or one that extends the issuer's name.
enum DistributionPointName: Sendable {
  case full([GeneralName])
  /// The SET that is appended to the list issuer's name.
  case relative([UInt8])

  /// The name in the first field, if there is one; the result is nil if it is malformed.
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

  /// The names in the form for comparison.
  ///
  /// - Parameter issuer: the issuer of the list.
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

/// The reasons of revocations by which lists are divided (ReasonFlags, section 4.2.1.13).
struct RevocationReasons: OptionSet, Sendable {
  let rawValue: UInt16

  /// All reasons, from keyCompromise (bit 1) to aACompromise (bit 8). Bit 0 is unused.
  static let all = RevocationReasons(rawValue: 0x7f80)

  /// The flags in the next field; all reasons if there is no such field, nil if it is malformed.
  static func optional(_ fields: inout DERReader, _ tag: UInt8) -> RevocationReasons? {
    guard fields.nextTag == tag else { return .all }
    guard let content = fields.element(tag)?.rest, let bits = NamedBits(content), bits.isShortest else { return nil }
    return RevocationReasons(rawValue: bits.bits).intersection(.all)
  }
}

/// The scope of a list that does not cover everything its issuer has revoked (RFC 5280, section 5.2.5).
struct IssuingDistributionPoint: Sendable {
  /// The certificates that a list covers.
  enum Scope: Hashable, Sendable { case all, holders, authorities, attributes }

  /// The value of the extension, which is the same for lists of the same scope.
  let der: [UInt8]
  /// The part of the issuer's revocations; nil if the list is not divided by parts.
  let name: DistributionPointName?
  let scope: Scope
  let reasons: RevocationReasons
  /// Whether entries may refer to certificates of other issuers.
  let isIndirect: Bool

  /// Returns nil if the value is malformed, or is empty, which section 5.2.5 forbids.
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

  /// A BOOLEAN that is false by default, so that only true is encoded.
  private static func flag(_ fields: inout DERReader, _ number: UInt8) -> Bool? {
    guard fields.nextTag == DERElement.primitive(number) else { return false }
    return fields.element(DERElement.primitive(number))?.rest == [0xff] ? true : nil
  }
}

/// The number of a list (RFC 5280, section 5.2.3), which is greater in a later list of the same issuer and scope.
struct RevocationListNumber: Comparable, Sendable {
  /// The magnitude, big-endian without leading zeros.
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
