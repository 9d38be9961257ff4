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
