public import SignetBase
public import SignetSystem

/// A certificate revocation list (RFC 5280, section 5), read strictly.
///
/// It has no effect until a ``CertificateChainVerifier`` has found the key that signed it. Two lists are equal if
/// their DER is the same, byte for byte.
public struct RevocationList: Sendable {
  final class Storage: Sendable {
    let der: [UInt8]
    let fields: RevocationListFields

    init(_ der: [UInt8]) throws(SignetError) {
      self.der = der
      fields = try RevocationListFields(der: der)
    }
  }

  let storage: Storage
  var fields: RevocationListFields { storage.fields }

  /// The maximum length of a list in bytes, which is enough for a quarter of a million entries.
  public static let sizeLimit = 16 << 20
  /// The maximum number of lists in one file.
  public static let countLimit = 64

  /// Reads one list in DER.
  ///
  /// - Parameter der: a CertificateList (RFC 5280, section 5.1) and nothing after it.
  /// - Throws: `crl.malformed`.
  public init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else { throw Self.malformed("it is longer than \(Self.sizeLimit) bytes") }
    storage = try Storage(der)
  }

  /// Reads the lists of a file: one in DER, or `X509 CRL` blocks in PEM; text around the blocks is ignored.
  ///
  /// - Returns: at least one list, in the order of the file.
  /// - Throws: `crl.malformed`, `certificate.private-key`.
  public static func all(in file: SecretBytes) throws(SignetError) -> [RevocationList] {
    let contents = try CertificateFile.contents(
      of: file, label: "X509 CRL", limit: countLimit, malformed: .revocationListMalformed)
    var lists: [RevocationList] = []
    for der in contents { lists.append(try RevocationList(der: der)) }
    return lists
  }

  /// The whole list in DER.
  public var der: [UInt8] { storage.der }

  /// The name of the list's issuer, as stated in the list (section 5.1.2.3).
  public var issuer: DistinguishedName { fields.issuer }

  /// The time when the list was made (section 5.1.2.4).
  public var thisUpdate: UnixTime { fields.thisUpdate }

  /// The latest time for the next list (section 5.1.2.5); after that second this list is out of date.
  public var nextUpdate: UnixTime { fields.nextUpdate }

  /// What the list revokes, by serial number. In an indirect list, certificates of other issuers are among them.
  package var entries: [(serial: String, entry: RevocationEntry)] { fields.entries.listed }

  static func malformed(_ part: String) -> SignetError {
    SignetError(
      .revocationListMalformed, "revocation list", "cannot be read: \(part)",
      expected: "a certificate revocation list in DER, as RFC 5280 describes it",
      hint: "get the list again from its issuer")
  }
}

extension RevocationList: Hashable {
  /// Lists are equal if their DER is equal.
  public static func == (left: RevocationList, right: RevocationList) -> Bool {
    left.storage === right.storage || left.der == right.der
  }

  /// Hashes the signature, which covers the rest of the list.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields.signature) }
}

/// The fields of a revocation list (RFC 5280, section 5.1).
struct RevocationListFields: Sendable {
  /// The signed bytes.
  let body: [UInt8]
  let signatureAlgorithm: CertificateSignatureAlgorithm
  let signature: [UInt8]
  let issuer: DistinguishedName
  let thisUpdate: UnixTime
  let nextUpdate: UnixTime
  let entries: RevocationEntries
  let extensions: RevocationListExtensions
  /// Why the list cannot be applied as written; nil if it can. Only a list that is needed has to be applied.
  let objection: String?

  /// - Throws: `crl.malformed`.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var list = outer.sequence(), outer.isAtEnd else {
      throw RevocationList.malformed("it is not a sequence of fields, an algorithm and a signature")
    }
    var signed = list
    guard let body = list.encoded(DERElement.sequence), var fields = signed.sequence(),
      let outside = list.encoded(DERElement.sequence),
      let algorithm = CertificateSignatureAlgorithm(der: outside), let signature = list.bitString(), list.isAtEnd
    else { throw RevocationList.malformed("its signature, or the algorithm beside it, is damaged") }
    self.body = body
    signatureAlgorithm = algorithm
    self.signature = signature

    // The version is OPTIONAL; if present, it is 2.
    let isVersion2 = fields.nextTag == DERElement.integer
    if isVersion2, fields.unsignedInteger() != [1] {
      throw RevocationList.malformed("its version is neither 1 nor 2")
    }
    // Section 5.1.1.2: the algorithm must be the same inside the signed part and outside of it.
    guard fields.encoded(DERElement.sequence) == outside else {
      throw RevocationList.malformed("its two algorithms differ")
    }
    guard let name = fields.encoded(DERElement.sequence), let issuer = DistinguishedName(der: name), !issuer.isEmpty
    else { throw RevocationList.malformed("its issuer is not a name") }
    self.issuer = issuer
    // Section 5.1.2.5: nextUpdate must be present; otherwise it is unknown when a list goes out of date.
    guard let thisUpdate = fields.time(), let nextUpdate = fields.time(), thisUpdate <= nextUpdate else {
      throw RevocationList.malformed("the times of this update and the next are missing or out of order")
    }
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
    entries = try RevocationEntries(&fields, of: issuer, isVersion2: isVersion2)
    if fields.nextTag == DERElement.constructed(0) {
      guard isVersion2, var wrapped = fields.element(DERElement.constructed(0)), let list = wrapped.sequence(),
        wrapped.isAtEnd, let extensions = RevocationListExtensions(list)
      else { throw RevocationList.malformed("its extensions are damaged") }
      self.extensions = extensions
    } else {
      extensions = RevocationListExtensions()
    }
    guard fields.isAtEnd else { throw RevocationList.malformed("it has bytes after its last field") }
    objection = Self.objection(entries, extensions)
  }

  private static func objection(_ entries: RevocationEntries, _ extensions: RevocationListExtensions) -> String? {
    if let objection = extensions.objection ?? entries.objection { return objection }
    // Sections 5.1.2.1 and 5.2.3: lists of version 1 have no number.
    guard let number = extensions.number else { return "has no number (RFC 5280, section 5.2.3)" }
    // Section 5.2.4: the base of a delta list was made before it.
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

/// An extension of a list or of an entry (RFC 5280, sections 5.2 and 5.3).
package struct RevocationListExtension {
  package let name: OID
  package let isCritical: Bool
  package let value: DERReader

  package init?(_ list: inout DERReader) {
    guard var item = list.sequence(), let name = item.oid() else { return nil }
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

/// The extensions of a list.
struct RevocationListExtensions: Sendable {
  /// Identifies the issuer's key that signed the list; nil if the list does not identify it.
  private(set) var authorityKeyIdentifier: [UInt8]?
  private(set) var number: RevocationListNumber?
  /// The number of the complete list to which a delta list adds; nil for complete lists.
  private(set) var baseNumber: RevocationListNumber?
  /// The scope of the list; nil if it covers everything that its issuer has issued.
  private(set) var issuingPoint: IssuingDistributionPoint?
  /// Why the list cannot be applied as written; nil if it can.
  private(set) var objection: String?

  /// The maximum number of extensions; lists have about five.
  private static let limit = 32

  init() {}

  /// - Parameter list: the content of the SEQUENCE of extensions; the result is nil if one is malformed or occurs
  ///   twice.
  init?(_ list: DERReader) {
    var list = list
    var seen: Set<OID> = []
    while !list.isAtEnd {
      guard seen.count < Self.limit, let item = RevocationListExtension(&list), seen.insert(item.name).inserted,
        read(item)
      else { return nil }
    }
    if seen.isEmpty { return nil }
  }

  private mutating func read(_ item: RevocationListExtension) -> Bool {
    // Sections 5.2.4 and 5.2.5: these two extensions must be critical; the others of section 5.2 must not be.
    let mustBeCritical = [.deltaRevocationList, .issuingDistributionPoint].contains(item.name)
    if item.isCritical != mustBeCritical {
      if item.isCritical { objection = "has the critical extension \(item.name)" }
      if mustBeCritical { objection = "has the extension \(item.name), which must be critical and is not" }
    }
    switch item.name {
    case .authorityKeyIdentifier:
      guard let identifier = AuthorityKeyIdentifier(item.value) else { return false }
      authorityKeyIdentifier = identifier.keyIdentifier
    case .revocationListNumber:
      number = RevocationListNumber(item.value)
      return number != nil
    case .deltaRevocationList:
      baseNumber = RevocationListNumber(item.value)
      return baseNumber != nil
    case .issuingDistributionPoint:
      issuingPoint = IssuingDistributionPoint(item.value)
      return issuingPoint != nil
    case .issuerAlternativeName: return AccessDescriptions.isNames(item.value)
    case .freshestRevocationList: return DistributionPoint.all(item.value) != nil
    case .authorityInformationAccess: return AccessDescriptions.isAccess(item.value)
    default: break
    }
    return true
  }
}

extension OID {
  static let revocationListNumber = directory(29, 20)
  static let deltaRevocationList = directory(29, 27)
  static let issuingDistributionPoint = directory(29, 28)
  static let reasonCode = directory(29, 21)
  static let invalidityDate = directory(29, 24)
  static let certificateIssuer = directory(29, 29)
}
