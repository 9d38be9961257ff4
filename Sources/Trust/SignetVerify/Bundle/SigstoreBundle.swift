public import SignetBase
internal import SignetCrypto

/// A Sigstore bundle, version 0.3: one signed statement and what it takes to verify it (`sigstore_bundle.proto`).
///
/// A parsed bundle is not verified: everything in it is a claim.
public struct SigstoreBundle: Sendable {
  /// The envelope with payload and signature.
  package let envelope: Envelope
  /// The material that names the claimed signer.
  package let material: VerificationMaterial
  /// What a transparency log claims. It is parsed but not checked.
  package let logEntries: [TransparencyLogEntry]
  /// RFC 3161 timestamps over the signature, in DER. They are kept as bytes and not checked.
  package let timestamps: [[UInt8]]
  /// The media type, which names the version.
  package let mediaType: MediaType

  /// The material that names the claimed signer.
  package enum VerificationMaterial: Hashable, Sendable {
    /// A public key, named by a hint.
    case publicKey(hint: String)
    /// The signer's certificate in DER.
    case certificate([UInt8])
    /// The signer's certificate and intermediates in DER, leaf first.
    case certificateChain([[UInt8]])
  }

  /// The accepted spellings of the bundle's media type.
  package enum MediaType: String, Sendable, CaseIterable {
    /// Version 0.1.
    case v01 = "application/vnd.dev.sigstore.bundle+json;version=0.1"
    /// Version 0.2.
    case v02 = "application/vnd.dev.sigstore.bundle+json;version=0.2"
    /// Version 0.3, in its first spelling.
    case v03Parameter = "application/vnd.dev.sigstore.bundle+json;version=0.3"
    /// Version 0.3, in the spelling that Signet writes, unless there is a chain of certificates.
    case v03 = "application/vnd.dev.sigstore.bundle.v0.3+json"
  }

  /// A bundle with a key's signature.
  ///
  /// The envelope's key ID is the key's fingerprint. So is the hint, if no certificate names the signer.
  ///
  /// - Parameter material: the certificates that name the signer, if there are some.
  package init(payload: [UInt8], signature: [UInt8], key: KeyID, material: VerificationMaterial? = nil) {
    envelope = Envelope(payload: payload, signature: signature, keyID: key.description)
    self.material = material ?? .publicKey(hint: key.description)
    logEntries = []
    timestamps = []
    // Version 0.3 has no place for chains, and others refuse one there.
    if case .certificateChain = self.material { mediaType = .v02 } else { mediaType = .v03 }
  }

  init(
    envelope: Envelope, material: VerificationMaterial, logEntries: [TransparencyLogEntry], timestamps: [[UInt8]],
    mediaType: MediaType
  ) {
    self.envelope = envelope
    self.material = material
    self.logEntries = logEntries
    self.timestamps = timestamps
    self.mediaType = mediaType
  }

  /// The same signature with one more timestamp over it.
  package func adding(timestamp: [UInt8]) -> SigstoreBundle {
    SigstoreBundle(
      envelope: envelope, material: material, logEntries: logEntries, timestamps: timestamps + [timestamp],
      mediaType: mediaType)
  }

  /// The key names that the bundle claims: the hint and the envelope's key ID.
  public var claimedKeyIDs: [String] {
    var claims = envelope.keyID.isEmpty ? [] : [envelope.keyID]
    if case .publicKey(let hint) = material, !hint.isEmpty, !hint.isExactly(envelope.keyID) { claims.append(hint) }
    return claims
  }

  /// The maximum number of certificates in a chain: leaf, six intermediates and a cross-signed one.
  package static let chainLimit = 8
  /// The maximum number of log entries, and of timestamps. Real bundles have only a few.
  private static let extrasLimit = 32

  /// Reads a bundle's JSON text, which need not be canonical.
  ///
  /// - Throws: `signature.malformed`, whose cause says where and why; the `bundle.…` and `envelope.…` codes for a
  ///   well-formed bundle that is not accepted.
  public init(json: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      // A field that is null is absent (ProtoJSON).
      let value = try JSONReader.read(json, limits: .bundle).withoutNulls
      try self.init(JSONObject(value, "bundle", unknownField: .bundleUnknownField))
    } catch  where Set.aboutJSON.contains(error.code) || error.code == .base64Malformed {
      throw SignetError(.signatureMalformed, "bundle", "is not a valid Sigstore bundle", cause: error)
    }
  }

  private init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let name = try object.string("mediaType")
    guard let mediaType = MediaType.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
      throw SignetError(
        .bundleMediaType, object.path(of: "mediaType"), "is not a supported type of bundle",
        expected: MediaType.v03.rawValue, found: name)
    }
    if object.has("messageSignature") {
      throw SignetError(
        .bundleMessageSignature, object.path(of: "messageSignature"),
        "signs a bare digest without a statement, so its purpose is unknown", expected: "dsseEnvelope",
        hint: "ask the publisher for a signature by signet sign, or verify it with the program that made it")
    }
    var holder = try object.object("verificationMaterial")
    self.mediaType = mediaType
    material = try Self.material(&holder)
    logEntries = try Self.logEntries(&holder)
    timestamps = try Self.timestamps(&holder)
    try holder.finish()
    envelope = try Envelope(try object.object("dsseEnvelope"))
    try object.finish()
  }

  private static func material(_ holder: inout JSONObject) throws(SignetError) -> VerificationMaterial {
    let kinds = ["publicKey", "certificate", "x509CertificateChain"].filter { holder.has($0) }
    guard kinds.count == 1 else {
      throw SignetError(
        .bundleMaterial, holder.path, "does not name exactly one kind of signer",
        expected: "publicKey, certificate or x509CertificateChain",
        found: kinds.isEmpty ? "none" : kinds.joined(separator: ", "))
    }
    var object = try holder.object(kinds[0])
    let material: VerificationMaterial
    switch kinds[0] {
    case "publicKey":
      let hint = try object.optionalString("hint") ?? ""
      guard hint.utf8.count <= Envelope.hintLimit else {
        throw object.wrong("hint", "at most \(Envelope.hintLimit) bytes", "\(hint.utf8.count) bytes")
      }
      // Model Signing once had the key itself in place of the hint. It says no more.
      for name in ["rawBytes", "keyDetails"] where hint.isEmpty { _ = object.optional(name) }
      material = .publicKey(hint: hint)
    case "certificate": material = .certificate(try object.bytes("rawBytes"))
    default:
      let list = try object.array("certificates")
      guard (1...chainLimit).contains(list.count) else {
        throw object.wrong("certificates", "1 to \(chainLimit) certificates", "\(list.count)")
      }
      var chain: [[UInt8]] = []
      for value in list {
        var certificate = try JSONObject(
          value, object.path(of: "certificates"), unknownField: .bundleUnknownField)
        chain.append(try certificate.bytes("rawBytes"))
        try certificate.finish()
      }
      material = .certificateChain(chain)
    }
    try object.finish()
    return material
  }

  private static func logEntries(_ holder: inout JSONObject) throws(SignetError) -> [TransparencyLogEntry] {
    let list = try holder.optionalArray("tlogEntries")
    guard list.count <= extrasLimit else {
      throw holder.wrong("tlogEntries", "at most \(extrasLimit)", "\(list.count)")
    }
    var entries: [TransparencyLogEntry] = []
    for value in list {
      entries.append(
        try TransparencyLogEntry(
          JSONObject(value, holder.path(of: "tlogEntries"), unknownField: .bundleUnknownField)))
    }
    return entries
  }

  private static func timestamps(_ holder: inout JSONObject) throws(SignetError) -> [[UInt8]] {
    guard var data = try holder.optionalObject("timestampVerificationData") else { return [] }
    let list = try data.optionalArray("rfc3161Timestamps")
    guard list.count <= extrasLimit else {
      throw data.wrong("rfc3161Timestamps", "at most \(extrasLimit)", "\(list.count)")
    }
    var timestamps: [[UInt8]] = []
    for value in list {
      var timestamp = try JSONObject(
        value, data.path(of: "rfc3161Timestamps"), unknownField: .bundleUnknownField)
      timestamps.append(try timestamp.bytes("signedTimestamp"))
      try timestamp.finish()
    }
    try data.finish()
    return timestamps
  }

  /// The canonical JSON text, in one line without a line end.
  ///
  /// Signet writes this text, and every accepted bundle has one.
  ///
  /// - Throws: nothing in practice, since a bundle has no numbers.
  public func canonicalBytes() throws(SignetError) -> [UInt8] {
    let signer: (String, JSONValue) =
      switch material {
      case .publicKey(let hint): ("publicKey", .object(("hint", .string(hint))))
      case .certificate(let der): ("certificate", .object(("rawBytes", .string(Base64.encode(der)))))
      case .certificateChain(let chain):
        (
          "x509CertificateChain",
          .object(
            ("certificates", .array(chain.map { .object(("rawBytes", .string(Base64.encode($0)))) })))
        )
      }
    let times = JSONValue.object(
      (
        "rfc3161Timestamps",
        .array(timestamps.map { .object(("signedTimestamp", .string(Base64.encode($0)))) })
      ))
    return try CanonicalJSON.write(
      .object(
        ("mediaType", .string(mediaType.rawValue)), ("dsseEnvelope", envelope.json),
        (
          "verificationMaterial",
          .object(
            signer, ("tlogEntries", .array(logEntries.map(\.json))),
            ("timestampVerificationData", timestamps.isEmpty ? nil : times))
        )))
  }
}
