internal import SignetBase

/// One revoked certificate of a list: when, and why (RFC 5280, section 5.3).
struct RevocationEntry: Sendable {
  /// CRLReason (section 5.3.1).
  enum Reason: Int, Sendable {
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

    /// Somebody else may have had the key, nobody knows since when.
    var isCompromise: Bool { self == .keyCompromise || self == .caCompromise || self == .aaCompromise }
  }

  let date: UnixTime
  let reason: Reason
  /// Since when the key is suspected, as far as the issuer says so (section 5.3.2).
  private(set) var invalidityDate: UnixTime?
  /// Who has issued the certificate, as a canonical name, when the entry says so (section 5.3.3).
  private(set) var certificateIssuer: [UInt8]?
  /// Why the entry cannot be honoured as written; nil when it can.
  private(set) var objection: String?

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
  /// A revocation holds from its date, or from the invalidity date where that is earlier (section 5.3.2). One for a
  /// compromise of the key holds always: its date says when the issuer learnt of it, not when the key was lost, and a
  /// thief can sign for any time.
  func holds(at time: UnixTime) -> Bool {
    // What takes a revocation back is none.
    if reason == .removeFromCRL { return false }
    return reason.isCompromise || date <= time || invalidityDate.map { $0 <= time } ?? false
  }
}
