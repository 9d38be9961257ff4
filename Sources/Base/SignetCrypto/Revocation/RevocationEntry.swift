package import SignetBase

/// An entry of a list: the time and the reason of a certificate's revocation (RFC 5280, section 5.3).
package struct RevocationEntry: Sendable {
  /// The reason of a revocation: CRLReason (section 5.3.1).
  package enum Reason: Int, Sendable {
    case unspecified = 0
    case keyCompromise = 1
    case caCompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    case certificateHold = 6
    case removeFromCRL = 8
    case privilegeWithdrawn = 9
    case aaCompromise = 10

    /// Whether others may have had the key, since an unknown time.
    var isCompromise: Bool { self == .keyCompromise || self == .caCompromise || self == .aaCompromise }
  }

  package let date: UnixTime
  package let reason: Reason
  /// The time since which the key is suspected, if the issuer states it (section 5.3.2).
  package private(set) var invalidityDate: UnixTime?
  /// The canonical name of the certificate's issuer, if the entry states it (section 5.3.3).
  private(set) var certificateIssuer: [UInt8]?
  /// Why the entry cannot be applied as written; nil if it can.
  private(set) var objection: String?

  package init(date: UnixTime, reason: Reason) { (self.date, self.reason) = (date, reason) }

  init?(_ item: inout DERReader, allowsExtensions: Bool) {
    guard let date = item.time() else { return nil }
    self.date = date
    var reason = Reason.unspecified
    if !item.isAtEnd {
      guard allowsExtensions, var extensions = item.sequence(), item.isAtEnd, !extensions.isAtEnd else { return nil }
      var seen: Set<OID> = []
      while !extensions.isAtEnd {
        guard let each = RevocationListExtension(&extensions), seen.insert(each.name).inserted else { return nil }
        var value = each.value
        switch each.name {
        case .reasonCode:
          guard let code = value.element(DERElement.enumerated)?.rest, code.count == 1, value.isAtEnd,
            let known = Reason(rawValue: Int(code[0]))
          else { return nil }
          reason = known
        case .invalidityDate:
          guard let time = value.generalizedTime(), value.isAtEnd else { return nil }
          invalidityDate = time
        case .certificateIssuer:
          guard let names = value.sequence(), value.isAtEnd, let issuers = GeneralName.list(names) else { return nil }
          certificateIssuer = issuers.compactMap { $0.directoryName?.canonical }.first
          if issuers.count != 1 || certificateIssuer == nil || !each.isCritical {
            objection = "has an entry whose certificate issuer is not one name in a critical extension"
          }
        default: if each.isCritical { objection = "has an entry with the unknown critical extension \(each.name)" }
        }
      }
    }
    self.reason = reason
  }

  /// Whether the certificate was revoked at a time.
  ///
  /// A revocation is in effect from its date, or from the invalidity date if that is earlier (section 5.3.2). If the
  /// key was compromised, a thief can sign for any time: the revocation is then in effect for every time that is not proven.
  package func holds(at time: UnixTime, isProven: Bool) -> Bool {
    // An entry that removes a revocation is not a revocation.
    if reason == .removeFromCRL { return false }
    return reason.isCompromise && !isProven || date <= time || invalidityDate.map { $0 <= time } ?? false
  }
}

/// The entries of a list (RFC 5280, section 5.1.2.6), by the certificate to which they refer.
struct RevocationEntries: Sendable {
  private struct Key: Hashable {
    /// The number of the certificate's issuer; 0 is the issuer of the list.
    let issuer: Int
    /// The content of the serial number's INTEGER.
    let serial: [UInt8]
  }

  private var entries: [Key: RevocationEntry] = [:]
  /// The issuers of the certificates in the list, by canonical name.
  private var issuers: [[UInt8]: Int]
  /// Whether an entry removes a revocation, which is allowed in delta lists only.
  private(set) var hasRemovals = false
  /// Whether an entry names its certificate's issuer, which is allowed in indirect lists only.
  private(set) var namesIssuers = false
  /// Why the entries cannot be applied as written; nil if they can.
  private(set) var objection: String?

  /// Reads the entries of a list.
  ///
  /// - Parameters:
  ///   - fields: the fields of the list; the next field is the entries, if there are any.
  ///   - issuer: the issuer of the list.
  ///   - isVersion2: whether entries may have extensions.
  /// - Throws: `crl.malformed`.
  init(_ fields: inout DERReader, of issuer: DistinguishedName, isVersion2: Bool) throws(SignetError) {
    issuers = [issuer.canonical: 0]
    guard fields.nextTag == DERElement.sequence else { return }
    // Section 5.1.2.6: if there are no entries, the field is absent.
    guard var items = fields.sequence(), !items.isAtEnd else {
      throw RevocationList.malformed("its list of entries is empty, which must then be left out")
    }
    // Section 5.3.3: an entry without an issuer has the same issuer as the entry before it.
    var current = 0
    while !items.isAtEnd {
      guard var item = items.sequence(), let serial = item.integer(),
        let entry = RevocationEntry(&item, allowsExtensions: isVersion2)
      else { throw RevocationList.malformed("an entry is damaged") }
      objection = objection ?? entry.objection
      if entry.reason == .removeFromCRL { hasRemovals = true }
      if let name = entry.certificateIssuer {
        namesIssuers = true
        current = number(of: name)
      }
      guard entries.updateValue(entry, forKey: Key(issuer: current, serial: serial)) == nil else {
        throw RevocationList.malformed("it has two entries for the serial number \(SerialNumber.text(serial))")
      }
    }
  }

  private mutating func number(of issuer: [UInt8]) -> Int {
    if let known = issuers[issuer] { return known }
    issuers[issuer] = issuers.count
    return issuers.count - 1
  }

  /// All of them, by the serial numbers as messages show them.
  var listed: [(serial: String, entry: RevocationEntry)] {
    entries.map { (SerialNumber.text($0.key.serial), $0.value) }.sorted { $0.serial < $1.serial }
  }

  /// The entry for a certificate.
  subscript(certificate: Certificate) -> RevocationEntry? {
    issuers[certificate.issuer.canonical].flatMap {
      entries[Key(issuer: $0, serial: certificate.serialNumberBytes)]
    }
  }
}
