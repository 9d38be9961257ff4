internal import SignetBase

/// What stands in a revocation list (RFC 5280, section 5.1).
struct RevocationListFields: Sendable {
  /// The bytes that are signed.
  let body: [UInt8]
  let signatureAlgorithm: CertificateSignatureAlgorithm
  let signature: [UInt8]
  let issuer: DistinguishedName
  let thisUpdate: UnixTime
  let nextUpdate: UnixTime
  let entries: RevocationEntries
  let extensions: RevocationListExtensions
  /// Why the list cannot be honoured as written; nil when it can. Only a list that is needed has to be honoured.
  let objection: String?

  /// - Throws: `crl.malformed`.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var list = outer.sequence(), outer.isAtEnd else { throw RevocationList.malformed("the outermost sequence") }
    var signed = list
    guard let body = list.encoded(DERElement.sequence), var fields = signed.sequence(),
      let outside = list.encoded(DERElement.sequence),
      let algorithm = CertificateSignatureAlgorithm(der: outside), let signature = list.bitString(), list.isAtEnd
    else { throw RevocationList.malformed("the signature") }
    self.body = body
    signatureAlgorithm = algorithm
    self.signature = signature

    // OPTIONAL, and 2 where it stands.
    let isVersion2 = fields.nextTag == DERElement.integer
    if isVersion2, fields.unsignedInteger() != [1] { throw RevocationList.malformed("the version") }
    // Section 5.1.1.2: the same algorithm inside and outside.
    guard fields.encoded(DERElement.sequence) == outside else {
      throw RevocationList.malformed("the signature algorithm")
    }
    guard let name = fields.encoded(DERElement.sequence), let issuer = DistinguishedName(der: name), !issuer.isEmpty
    else { throw RevocationList.malformed("the issuer") }
    self.issuer = issuer
    // Section 5.1.2.5: nextUpdate must stand; without it nobody can say when a list is stale.
    guard let thisUpdate = fields.time(), let nextUpdate = fields.time(), thisUpdate <= nextUpdate else {
      throw RevocationList.malformed("the times of this update and the next")
    }
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
    entries = try RevocationEntries(&fields, of: issuer, isVersion2: isVersion2)
    if fields.nextTag == DERElement.constructed(0) {
      guard isVersion2, var wrapped = fields.element(DERElement.constructed(0)), let list = wrapped.sequence(),
        wrapped.isAtEnd, let extensions = RevocationListExtensions(list)
      else { throw RevocationList.malformed("the extensions") }
      self.extensions = extensions
    } else {
      extensions = RevocationListExtensions()
    }
    guard fields.isAtEnd else { throw RevocationList.malformed("what stands behind the last field") }
    objection = Self.objection(entries, extensions)
  }

  private static func objection(_ entries: RevocationEntries, _ extensions: RevocationListExtensions) -> String? {
    if let objection = extensions.objection ?? entries.objection { return objection }
    // Sections 5.1.2.1 and 5.2.3; version 1 has no numbers.
    guard let number = extensions.number else { return "has no number (RFC 5280, section 5.2.3)" }
    // Section 5.2.4: what a delta list adds to came before it.
    if let base = extensions.baseNumber, base > number { return "is a delta list to a list that came after it" }
    if entries.hasRemovals, extensions.baseNumber == nil {
      return "takes a revocation back without being a delta list (RFC 5280, section 5.3.1)"
    }
    if entries.namesIssuers, extensions.issuingPoint?.isIndirect != true {
      return "names the issuers of certificates without being an indirect list (RFC 5280, section 5.3.3)"
    }
    return nil
  }
}
