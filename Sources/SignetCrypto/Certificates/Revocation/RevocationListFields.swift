/// What stands in a revocation list (RFC 5280, section 5.1).
struct RevocationListFields: Sendable {
  /// The bytes that are signed.
  let body: [UInt8]
  let signatureAlgorithm: CertificateSignatureAlgorithm
  let signature: [UInt8]
  let issuer: DistinguishedName
  let thisUpdate: UnixTime
  let nextUpdate: UnixTime
  /// By the content of the serial number.
  let entries: [[UInt8]: RevocationEntry]
  /// Which of the issuer's keys signed it; nil when the list does not say.
  private(set) var authorityKeyIdentifier: [UInt8]?
  /// Why the list cannot be honoured as written; nil when it can. Only a list that is needed has to be honoured.
  private(set) var objection: String?
  private var hasNumber = false

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
    (entries, objection) = try Self.entries(&fields, isVersion2)
    if fields.nextTag == DERElement.constructed(0) {
      guard isVersion2, var wrapped = fields.element(DERElement.constructed(0)), let extensions = wrapped.sequence(),
        wrapped.isAtEnd, read(extensions)
      else { throw RevocationList.malformed("the extensions") }
    }
    // Sections 5.1.2.1 and 5.2.3; version 1 has no numbers.
    if !hasNumber { objection = objection ?? "has no number (RFC 5280, section 5.2.3)" }
    guard fields.isAtEnd else { throw RevocationList.malformed("what stands behind the last field") }
  }

  private static func entries(
    _ fields: inout DERReader, _ isVersion2: Bool
  ) throws(SignetError) -> ([[UInt8]: RevocationEntry], String?) {
    var entries: [[UInt8]: RevocationEntry] = [:]
    var objection: String?
    guard fields.nextTag == DERElement.sequence else { return (entries, nil) }
    // Section 5.1.2.6: without entries the list of them is absent.
    guard var items = fields.sequence(), !items.isAtEnd else { throw RevocationList.malformed("an empty list") }
    while !items.isAtEnd {
      guard var item = items.sequence(), let serial = item.integer(),
        let entry = RevocationEntry(&item, allowsExtensions: isVersion2)
      else { throw RevocationList.malformed("an entry") }
      objection = objection ?? entry.objection
      guard entries.updateValue(entry, forKey: serial) == nil else {
        throw RevocationList.malformed("two entries for the serial number \(SerialNumber.text(serial))")
      }
    }
    return (entries, objection)
  }

  private mutating func read(_ extensions: DERReader) -> Bool {
    var extensions = extensions
    var seen: Set<ObjectName> = []
    while !extensions.isAtEnd {
      guard let item = RevocationListExtension(&extensions), seen.insert(item.name).inserted else { return false }
      // None of those that are understood may be critical.
      if item.isCritical { objection = "has the critical extension \(item.name)" }
      switch item.name {
      case .authorityKeyIdentifier:
        guard let identifier = AuthorityKeyIdentifier(item.value) else { return false }
        authorityKeyIdentifier = identifier.keyIdentifier
      case .revocationListNumber:
        var value = item.value
        guard let number = value.unsignedInteger(), number.count <= 20, value.isAtEnd else { return false }
        hasNumber = true
      // Sections 5.2.4 and 5.2.5: a list that holds but a part of what its issuer has revoked.
      case .deltaRevocationList: objection = "is a delta list"
      case .issuingDistributionPoint: objection = "covers only some certificates, or those of other issuers"
      default: break
      }
    }
    return !seen.isEmpty
  }
}

/// An extension of a list or of an entry.
struct RevocationListExtension {
  let name: ObjectName
  let isCritical: Bool
  let value: DERReader

  init?(_ list: inout DERReader) {
    guard var item = list.sequence(), let name = item.objectName() else { return nil }
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

extension ObjectName {
  static let revocationListNumber = directory(29, 20)
  static let deltaRevocationList = directory(29, 27)
  static let issuingDistributionPoint = directory(29, 28)
  static let reasonCode = directory(29, 21)
  static let invalidityDate = directory(29, 24)
}
