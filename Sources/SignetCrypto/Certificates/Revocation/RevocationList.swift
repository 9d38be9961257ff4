public import SignetBase
public import SignetSystem

/// A certificate revocation list (RFC 5280, section 5), read strictly. It counts for nothing until a
/// ``CertificateChainVerifier`` has found the key that signed it.
///
/// Two lists are equal when their DER is, byte for byte.
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

  /// The longest list that is read, in bytes: a quarter of a million entries.
  public static let sizeLimit = 16 << 20
  /// Lists in one file at most.
  public static let countLimit = 64

  /// Reads one list in DER.
  ///
  /// - Parameter der: a CertificateList (RFC 5280, section 5.1) and nothing behind it.
  /// - Throws: `crl.malformed`.
  public init(der: [UInt8]) throws(SignetError) {
    guard der.count <= Self.sizeLimit else { throw Self.malformed("its length") }
    storage = try Storage(der)
  }

  /// Reads the lists of a file: one in DER, or blocks `X509 CRL` in PEM, text around them ignored.
  ///
  /// - Returns: at least one, in the order of the file.
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

  /// Who made it, as it says itself (section 5.1.2.3).
  public var issuer: DistinguishedName { fields.issuer }

  /// When it was made (section 5.1.2.4).
  public var thisUpdate: UnixTime { fields.thisUpdate }

  /// When the next one is due at the latest (section 5.1.2.5): after that second it is stale.
  public var nextUpdate: UnixTime { fields.nextUpdate }

  static func malformed(_ part: String) -> SignetError {
    SignetError(
      .revocationListMalformed, "revocation list", "cannot be read: \(part)",
      expected: "a certificate revocation list in DER, as RFC 5280 describes it")
  }
}

extension RevocationList: Hashable {
  /// Lists are equal when their DER is.
  public static func == (left: RevocationList, right: RevocationList) -> Bool {
    left.storage === right.storage || left.der == right.der
  }

  /// Hashes the signature, which covers the rest.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields.signature) }
}
