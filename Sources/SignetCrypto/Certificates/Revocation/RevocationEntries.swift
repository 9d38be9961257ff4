internal import SignetBase

/// The entries of a list (RFC 5280, section 5.1.2.6), by whose certificate they are about.
struct RevocationEntries: Sendable {
  private struct Key: Hashable {
    /// The number of the certificate's issuer; 0 is the list's own.
    let issuer: Int
    /// The content of the serial number.
    let serial: [UInt8]
  }

  private var entries: [Key: RevocationEntry] = [:]
  /// The issuers whose certificates are in the list, by their canonical name.
  private var issuers: [[UInt8]: Int]
  /// Whether an entry takes a revocation back, as only those of delta lists may.
  private(set) var hasRemovals = false
  /// Whether an entry names its certificate's issuer, as only those of indirect lists may.
  private(set) var namesIssuers = false
  /// Why the entries cannot be honoured as written; nil when they can.
  private(set) var objection: String?

  /// - Parameters:
  ///   - fields: the fields of the list, of which the next are the entries or what follows.
  ///   - issuer: who made the list.
  ///   - isVersion2: whether entries may have extensions.
  /// - Throws: `crl.malformed`.
  init(_ fields: inout DERReader, of issuer: DistinguishedName, isVersion2: Bool) throws(SignetError) {
    issuers = [issuer.canonical: 0]
    guard fields.nextTag == DERElement.sequence else { return }
    // Section 5.1.2.6: without entries the list of them is absent.
    guard var items = fields.sequence(), !items.isAtEnd else { throw RevocationList.malformed("an empty list") }
    // Section 5.3.3: an entry without an issuer is about a certificate of the same as the entry before.
    var current = 0
    while !items.isAtEnd {
      guard var item = items.sequence(), let serial = item.integer(),
        let entry = RevocationEntry(&item, allowsExtensions: isVersion2)
      else { throw RevocationList.malformed("an entry") }
      objection = objection ?? entry.objection
      if entry.reason == .removeFromCRL { hasRemovals = true }
      if let name = entry.certificateIssuer {
        namesIssuers = true
        current = number(of: name)
      }
      guard entries.updateValue(entry, forKey: Key(issuer: current, serial: serial)) == nil else {
        throw RevocationList.malformed("two entries for the serial number \(SerialNumber.text(serial))")
      }
    }
  }

  private mutating func number(of issuer: [UInt8]) -> Int {
    if let known = issuers[issuer] { return known }
    issuers[issuer] = issuers.count
    return issuers.count - 1
  }

  /// The entry about a certificate.
  subscript(certificate: Certificate) -> RevocationEntry? {
    issuers[certificate.issuer.canonical].flatMap {
      entries[Key(issuer: $0, serial: certificate.serialNumberBytes)]
    }
  }
}
