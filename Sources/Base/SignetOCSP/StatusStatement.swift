package import SignetBase
package import SignetCrypto
internal import SignetNames

/// What a response says about one certificate (SingleResponse: RFC 6960, section 4.2.1).
package struct StatusStatement: Sendable {
  /// Whether a certificate is revoked.
  package enum Status: Sendable, CustomStringConvertible {
    case good
    case revoked(RevocationEntry)
    /// The responder knows no such certificate.
    case unknown

    /// The status, for people.
    package var description: String {
      switch self {
      case .good: "good"
      case .revoked(let entry): "revoked at \(entry.date), reason: \(entry.reason)"
      case .unknown: "unknown"
      }
    }
  }

  package let id: CertificateID
  package let status: Status
  /// When the status was known to be true.
  package let thisUpdate: UnixTime
  /// When there will be a newer one at the latest; nil if there always is, so that this one is old at once.
  package let nextUpdate: UnixTime?
  /// Why it cannot be applied as written; nil if it can.
  let objection: String?

  /// Whether the certificate is revoked for good.
  var isFinal: Bool { if case .revoked(let entry) = status { entry.reason != .certificateHold } else { false } }

  /// The certificate's serial number in hexadecimal, as certificates show theirs.
  package var serialNumber: String { SerialNumber.text(id.serialNumber) }

  /// Reads a SingleResponse; nil if it is malformed.
  init?(_ list: inout DERReader) {
    guard var fields = list.sequence(), let id = CertificateID(&fields), let status = Self.status(&fields),
      let thisUpdate = fields.generalizedTime()
    else { return nil }
    self.id = id
    self.status = status
    self.thisUpdate = thisUpdate
    var nextUpdate: UnixTime?
    if fields.nextTag == DERElement.constructed(0) {
      guard var wrapped = fields.element(DERElement.constructed(0)), let time = wrapped.generalizedTime(),
        wrapped.isAtEnd, thisUpdate <= time
      else { return nil }
      nextUpdate = time
    }
    self.nextUpdate = nextUpdate
    guard let objection = StatusExtensions.objection(&fields, DERElement.constructed(1)), fields.isAtEnd else {
      return nil
    }
    self.objection =
      objection ?? (nextUpdate == nil ? "does not say how long it is good (RFC 6960, section 2.4)" : nil)
  }

  private static func status(_ fields: inout DERReader) -> Status? {
    switch fields.nextTag {
    case DERElement.primitive(0): return fields.element(DERElement.primitive(0))?.isAtEnd == true ? .good : nil
    case DERElement.primitive(2): return fields.element(DERElement.primitive(2))?.isAtEnd == true ? .unknown : nil
    case DERElement.constructed(1):
      guard var content = fields.element(DERElement.constructed(1)), let date = content.generalizedTime() else {
        return nil
      }
      var reason = RevocationEntry.Reason.unspecified
      if content.nextTag == DERElement.constructed(0) {
        guard var wrapped = content.element(DERElement.constructed(0)),
          let code = wrapped.element(DERElement.enumerated)?.rest, code.count == 1, wrapped.isAtEnd,
          let known = RevocationEntry.Reason(rawValue: Int(code[0]))
        else { return nil }
        reason = known
      }
      return content.isAtEnd ? .revoked(RevocationEntry(date: date, reason: reason)) : nil
    default: return nil
    }
  }
}

/// The extensions of a response, and of what it says about a certificate.
enum StatusExtensions {
  /// The most extensions of one list; responses have one or two.
  private static let limit = 16

  /// Why extensions forbid to apply what has them: one is critical, as none of those that change the meaning is known here.
  ///
  /// - Returns: nil in nil if nothing does; nil if they are malformed.
  static func objection(_ fields: inout DERReader, _ tag: UInt8) -> String?? {
    guard fields.nextTag == tag else { return .some(nil) }
    guard var wrapped = fields.element(tag), var list = wrapped.sequence(), wrapped.isAtEnd, !list.isAtEnd else {
      return nil
    }
    var objection: String?
    var seen: Set<OID> = []
    while !list.isAtEnd {
      guard seen.count < limit, let item = RevocationListExtension(&list), seen.insert(item.name).inserted else {
        return nil
      }
      if item.isCritical { objection = "has the critical extension \(item.name)" }
    }
    return .some(objection)
  }
}
