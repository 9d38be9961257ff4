package import SignetBase
package import SignetCMS
package import SignetCrypto
package import TransparencyLog

/// Whom a Sigstore instance is made of, and when: Sigstore's `trusted_root.json` (`sigstore_trustroot.proto`, versions 0.1 and
/// 0.2).
package struct SigstoreRoot: Sendable {
  /// The authorities that certify signers.
  package let certificateAuthorities: [CertificateAuthority]
  /// The authorities that state times.
  package let timestampAuthorities: [TimestampAuthority]
  /// The logs of signatures.
  package let logs: [TrustedLog]
  /// The logs of certificates.
  package let certificateLogs: [TrustedLog]

  /// An authority that certifies signers: its certificates, leaf side first, and when they count.
  package struct CertificateAuthority: Sendable {
    package let chain: [Certificate]
    package let window: TimeWindow
  }

  /// A log, and when it counts.
  package struct TrustedLog: Sendable {
    package let key: LogKey
    package let window: TimeWindow
  }

  private static let mediaTypes = [
    "application/vnd.dev.sigstore.trustedroot+json;version=0.1", "application/vnd.dev.sigstore.trustedroot.v0.1+json",
    "application/vnd.dev.sigstore.trustedroot.v0.2+json",
  ]
  /// The maximum number of each kind of part.
  private static let partLimit = 64
  private static let limits = JSONLimits.bundle

  /// Reads a trusted root.
  ///
  /// Keys of kinds that are not understood stay unused. All that decides whom to trust is read strictly.
  ///
  /// - Throws: `keyless.root`, with the cause.
  package init(json: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(json, limits: Self.limits).withoutNulls
      try self.init(JSONObject(value, "root", unknownField: .jsonWrongValue))
    } catch  where error.code != .keylessRoot && error.code != .cryptoFailure {
      throw SignetError(
        .keylessRoot, "trusted root", "is not one of Sigstore's", expected: Self.mediaTypes[1], cause: error)
    }
  }

  private init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let type = try object.string("mediaType")
    guard Self.mediaTypes.contains(where: { $0.isExactly(type) }) else {
      throw SignetError(
        .keylessRoot, "trusted root", "has a version that is not read",
        expected: Self.mediaTypes.joined(separator: ", "),
        found: type)
    }
    logs = try Self.logs(&object, "tlogs")
    certificateLogs = try Self.logs(&object, "ctlogs")
    var read: [[UInt8]: Certificate] = [:]
    var authorities: [CertificateAuthority] = []
    for part in try object.objects("certificateAuthorities", atMost: Self.partLimit) {
      let (chain, window) = try Self.authority(part, &read)
      authorities.append(CertificateAuthority(chain: chain, window: window))
    }
    certificateAuthorities = authorities
    var clocks: [TimestampAuthority] = []
    for part in try object.objects("timestampAuthorities", atMost: Self.partLimit) {
      let (chain, window) = try Self.authority(part, &read)
      if let clock = TimestampAuthority(chain, window: window) { clocks.append(clock) }
    }
    timestampAuthorities = clocks
    try object.finish()
  }

  /// - Parameter read: the certificates that were read. Authorities of several times have the same issuers.
  private static func authority(
    _ part: JSONObject, _ read: inout [[UInt8]: Certificate]
  ) throws(SignetError) -> ([Certificate], TimeWindow) {
    var part = part
    // Names of people and addresses decide nothing.
    for name in ["subject", "uri", "operator"] { _ = part.optional(name) }
    var holder = try part.object("certChain")
    var chain: [Certificate] = []
    for var item in try holder.objects("certificates", atMost: 8) {
      let der = try item.bytes("rawBytes")
      let certificate: Certificate
      if let known = read[der] { certificate = known } else { certificate = try Certificate(der: der) }
      read[der] = certificate
      chain.append(certificate)
      try item.finish()
    }
    guard !chain.isEmpty else { throw holder.wrong("certificates", "a certificate or more", "none") }
    try holder.finish()
    let window = try window(part.optionalObject("validFor"), mustBegin: false)
    try part.finish()
    return (chain, window)
  }

  private static func logs(_ object: inout JSONObject, _ name: String) throws(SignetError) -> [TrustedLog] {
    var logs: [TrustedLog] = []
    for var part in try object.objects(name, atMost: partLimit) {
      _ = part.optional("operator")
      let address = try part.optionalString("baseUrl") ?? ""
      let digest = try part.optionalString("hashAlgorithm")
      var holder = try part.object("publicKey")
      let der = try holder.bytes("rawBytes")
      let details = try holder.optionalString("keyDetails") ?? ""
      let window = try window(holder.optionalObject("validFor"), mustBegin: true)
      try holder.finish()
      var id = try part.object("logId")
      let keyID = try id.bytes("keyId")
      try id.finish()
      var noteID = keyID
      if var other = try part.optionalObject("checkpointKeyId") {
        noteID = try other.bytes("keyId")
        try other.finish()
      }
      try part.finish()
      // A log of another hash, or a key in another form, cannot be used.
      guard digest == nil || digest?.isExactly("SHA2_256") == true, let key = try? PublicKey(der: der),
        signs(key, details), keyID.count >= 4, noteID.count >= 4
      else { continue }
      logs.append(TrustedLog(key: LogKey(host(address), key, id: keyID, noteID: noteID), window: window))
    }
    return logs
  }

  /// Whether a key signs as the root says, and as it is verified here.
  private static func signs(_ key: PublicKey, _ details: String) -> Bool {
    switch key.algorithm {
    case .ed25519: details.isExactly("PKIX_ED25519")
    case .p256: details.isExactly("PKIX_ECDSA_P256_SHA_256")
    case .p384: details.isExactly("PKIX_ECDSA_P384_SHA_384")
    case .p521: details.isExactly("PKIX_ECDSA_P521_SHA_512")
    case .rsa(let bits): details.isExactly("PKIX_RSA_PKCS1V15_\(bits)_SHA256")
    }
  }

  /// An address without its scheme and without a slash at its end, as notes name a log.
  private static func host(_ address: String) -> String {
    let rest =
      address.utf8.firstRange(of: Array("://".utf8)).map { address.utf8[$0.upperBound...] } ?? address.utf8[...]
    let name = rest.last == UInt8(ascii: "/") ? rest.dropLast() : rest
    return String(decoding: Array(name), as: UTF8.self)
  }

  /// A range of times, both ends included.
  ///
  /// - Parameter mustBegin: whether the begin is required, as it is of logs.
  private static func window(_ range: JSONObject?, mustBegin: Bool) throws(SignetError) -> TimeWindow {
    guard var range else {
      guard !mustBegin else {
        throw SignetError(.keylessRoot, "trusted root", "has a log that does not say from when on it counts")
      }
      return TimeWindow()
    }
    let start = try time(&range, "start")
    guard !mustBegin || start != nil else {
      throw SignetError(.keylessRoot, "trusted root", "has a log that does not say from when on it counts")
    }
    let end = try time(&range, "end")
    try range.finish()
    return TimeWindow(from: start, until: end)
  }

  /// A time of protojson, which may have a fraction of a second.
  private static func time(_ range: inout JSONObject, _ name: String) throws(SignetError) -> UnixTime? {
    guard let text = try range.optionalString(name) else { return nil }
    let bytes = Array(text.utf8)
    var whole = bytes
    if bytes.count > 20, bytes[19] == UInt8(ascii: "."), bytes.last == UInt8(ascii: "Z"),
      bytes[20..<(bytes.count - 1)].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      bytes.count <= 30
    {
      whole = bytes[..<19] + [UInt8(ascii: "Z")]
    }
    guard let time = UnixTime(String(decoding: whole, as: UTF8.self)) else {
      throw range.wrong(name, "a time such as 2021-01-12T11:53:27Z", text)
    }
    return time
  }
}
