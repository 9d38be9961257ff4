package import SignetBase
internal import SignetCrypto

/// A certificate in the list of what an authority has issued.
package struct IssuedCertificate: Sendable, Equatable {
  /// The serial number in hexadecimal, as `signet inspect` shows it.
  package let serial: String
  /// The holder's name, for people.
  package let name: String
  /// Its other names.
  package let names: [String]
  /// The ID of its key.
  package let key: String
  /// The SHA-256 of the certificate.
  package let sha256: String
  package let notBefore: UnixTime
  package let notAfter: UnixTime
  package var revocation: Revocation?

  /// The end of a certificate before its time.
  package struct Revocation: Sendable, Equatable {
    /// When it was revoked.
    package let date: UnixTime
    package let reason: RevocationReason
    /// Since when the key may be somebody else's, if that is known (RFC 5280, section 5.3.2).
    package let since: UnixTime?

    /// What two revocations of one certificate say together: it is revoked since the earliest time of both, and what is known
    /// to be stolen stays so.
    func merged(with other: Revocation) -> Revocation {
      let isStolen = reason == .keyCompromise || other.reason == .keyCompromise
      return Revocation(
        date: min(date, other.date), reason: isStolen ? .keyCompromise : reason,
        since: [since, other.since].compactMap(\.self).min())
    }
  }

  init(_ certificate: Certificate) throws(SignetError) {
    serial = certificate.serialNumber
    name = certificate.name
    names = certificate.subjectAlternativeNames.map(\.description)
    key = try certificate.publicKey().id.description
    sha256 = certificate.fingerprint.hex
    (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
  }

  /// The content of the serial number's INTEGER.
  var serialContent: [UInt8] {
    let magnitude = Hexadecimal.decode(serial) ?? []
    return magnitude.first.map { $0 >= 0x80 } ?? true ? [0] + magnitude : magnitude
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    serial = try object.string("serial")
    guard (2...40).contains(serial.utf8.count), Hexadecimal.decode(serial) != nil else {
      throw object.wrong("serial", "a number in hexadecimal, at most 20 bytes", serial)
    }
    name = try object.string("name")
    names = try object.strings("names", atMost: 64)
    key = try object.string("key")
    sha256 = try object.string("sha256")
    (notBefore, notAfter) = (try object.time("notBefore"), try object.time("notAfter"))
    if var revoked = try object.optionalObject("revoked") {
      let text = try revoked.string("reason")
      guard let reason = RevocationReason(rawValue: text) else {
        throw revoked.wrong("reason", RevocationReason.allCases.map(\.rawValue).joined(separator: ", "), text)
      }
      revocation = Revocation(
        date: try revoked.time("date"), reason: reason, since: try revoked.optionalTime("since"))
      try revoked.finish()
    }
    try object.finish()
  }

  var json: JSONValue {
    .object(
      ("serial", .string(serial)), ("name", .string(name)), ("names", .array(names.map { .string($0) })),
      ("key", .string(key)), ("sha256", .string(sha256)),
      ("notBefore", .string("\(notBefore)")), ("notAfter", .string("\(notAfter)")),
      (
        "revoked",
        revocation.map { revocation in
          .object(
            ("date", .string("\(revocation.date)")), ("reason", .string(revocation.reason.rawValue)),
            ("since", revocation.since.map { .string("\($0)") }))
        }
      ))
  }
}

/// What an authority has issued and revoked, and the number of its last revocation list. It is one file, which is written
/// whole.
package struct IssuedCertificates: Sendable {
  /// The certificates, in the order in which they were issued.
  package private(set) var certificates: [IssuedCertificate]
  /// The number of the last revocation list (RFC 5280, section 5.2.3); 0 before the first.
  package private(set) var listNumber: Int

  private static let version = 1
  /// The number of certificates: a team issues some a year.
  private static let limit = 100_000
  /// The size of the file in bytes: each certificate takes some 300.
  package static let sizeLimit = 64 << 20
  private static let limits = JSONLimits(size: sizeLimit, depth: 8, values: 2_000_000)

  /// Nothing was issued yet.
  package init() { (certificates, listNumber) = ([], 0) }

  /// Reads the list.
  ///
  /// - Throws: `authority.list`, with the cause.
  package init(json: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      var object = try JSONObject(
        JSONReader.read(json, limits: Self.limits), "issued", unknownField: .jsonWrongValue)
      let version = try object.count("version")
      guard version == Self.version else { throw object.wrong("version", "\(Self.version)", "\(version)") }
      listNumber = try object.count("listNumber")
      certificates = []
      for each in try object.objects("certificates", atMost: Self.limit) {
        certificates.append(try IssuedCertificate(each))
      }
      try object.finish()
    } catch  where error.code != .authorityList {
      throw SignetError(
        .authorityList, "issued.json", "is not a list of issued certificates", cause: error,
        hint: "restore it from a copy: without it nobody knows which certificates there are")
    }
  }

  /// The file's text.
  ///
  /// - Throws: nothing in practice, since all numbers are whole.
  package func bytes() throws(SignetError) -> [UInt8] {
    try CanonicalJSON.write(
      .object(
        ("version", .integer(Self.version)), ("listNumber", .integer(listNumber)),
        ("certificates", .array(certificates.map(\.json))))) + [UInt8(ascii: "\n")]
  }

  /// The certificate of a serial number.
  package subscript(serial serial: String) -> IssuedCertificate? {
    certificates.first { $0.serial.isExactly(serial) }
  }

  /// - Throws: `authority.list` if there are too many.
  mutating func add(_ certificate: Certificate) throws(SignetError) {
    guard certificates.count < Self.limit else {
      throw SignetError(
        .authorityList, "issued.json", "has too many certificates", expected: "fewer than \(Self.limit)",
        hint: "begin another authority")
    }
    let issued = try IssuedCertificate(certificate)
    if let stolen = certificates.first(where: {
      $0.key.isExactly(issued.key) && $0.revocation?.reason == .keyCompromise
    }) {
      throw SignetError(
        .authorityTerms, issued.name, "has a key that is known to be stolen", expected: "a new key",
        found: "\(issued.key), revoked with the certificate \(stolen.serial)",
        hint: "make a new key: signet keygen --out PATH")
    }
    certificates.append(issued)
  }

  /// Notes that a certificate is revoked, and for a compromise every other one of its key. Nothing of an earlier revocation is
  /// taken back.
  ///
  /// - Returns: the serial numbers of those of which more is revoked than before.
  /// - Throws: `authority.unknown`.
  mutating func revoke(_ serial: String, _ revocation: IssuedCertificate.Revocation) throws(SignetError) -> [String] {
    guard let named = self[serial: serial] else {
      throw SignetError(
        .authorityUnknown, serial, "is no certificate that this authority has issued",
        hint: "look at what it has issued: signet cert show DIR")
    }
    let isStolen = revocation.reason == .keyCompromise
    var revoked: [String] = []
    for index in certificates.indices {
      let each = certificates[index]
      guard each.serial.isExactly(serial) || isStolen && each.key.isExactly(named.key) else { continue }
      let merged = each.revocation?.merged(with: revocation) ?? revocation
      guard merged != each.revocation else { continue }
      certificates[index].revocation = merged
      revoked.append(each.serial)
    }
    return revoked
  }

  /// Counts a revocation list.
  mutating func countList() -> Int {
    listNumber += 1
    return listNumber
  }
}
