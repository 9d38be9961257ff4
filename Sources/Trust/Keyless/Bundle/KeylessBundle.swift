package import SignetBase
package import SignetCrypto
internal import SignetNames
package import SignetVerify

/// A bundle of Sigstore with all that proves a signature, of any version and content (`sigstore_bundle.proto`).
///
/// A bundle that was read is not verified: everything in it is a claim.
package struct KeylessBundle: Sendable {
  /// The version, which decides what a bundle must have.
  package let version: Version
  /// Who claims to have signed.
  package let signer: Signer
  /// The entries of logs.
  package let entries: [TransparencyLogEntry]
  /// Timestamps over the signature, in DER.
  package let timestamps: [[UInt8]]
  /// What is signed, and the signature.
  package let content: Content

  /// The versions of the format.
  package enum Version: Int, Sendable, Comparable {
    case v01 = 1
    case v02, v03

    package static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// Who claims to have signed.
  package enum Signer: Sendable {
    /// A key, named by a hint.
    case key(hint: String)
    /// The holder of a certificate; what else the bundle has may be its issuers.
    case certificate(Certificate, others: [Certificate])
  }

  /// What is signed.
  package enum Content: Sendable {
    /// A statement in an envelope (DSSE).
    case envelope(payload: [UInt8], type: String, signature: [UInt8])
    /// The bytes of a file, with their digest as the bundle claims it.
    case message(digest: Digest?, signature: [UInt8])
  }

  /// The bytes of the signature.
  package var signature: [UInt8] {
    switch content {
    case .envelope(_, _, let signature), .message(_, let signature): signature
    }
  }

  private static let mediaTypes: [(String, Version)] = [
    ("application/vnd.dev.sigstore.bundle+json;version=0.1", .v01),
    ("application/vnd.dev.sigstore.bundle+json;version=0.2", .v02),
    ("application/vnd.dev.sigstore.bundle+json;version=0.3", .v03),
    ("application/vnd.dev.sigstore.bundle.v0.3+json", .v03),
  ]
  private static let partLimit = 32
  private static let signatureLimit = 1024

  /// Reads a bundle's JSON.
  ///
  /// - Throws: `keyless.bundle`, with the cause.
  package init(json: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      let value = try JSONReader.read(json, limits: .bundle).withoutNulls
      try self.init(JSONObject(value, "bundle", unknownField: .bundleUnknownField))
    } catch  where error.code != .keylessBundle && error.code != .cryptoFailure {
      throw SignetError(
        .keylessBundle, "bundle", "is not one of Sigstore's", expected: Self.mediaTypes[3].0, cause: error)
    }
  }

  private init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let type = try object.string("mediaType")
    guard let version = Self.mediaTypes.first(where: { $0.0.isExactly(type) })?.1 else {
      throw SignetError(
        .keylessBundle, "bundle", "has a version that is not read",
        expected: Self.mediaTypes.map(\.0).joined(separator: ", "), found: type)
    }
    self.version = version
    var material = try object.object("verificationMaterial")
    signer = try Self.signer(&material)
    var entries: [TransparencyLogEntry] = []
    for entry in try material.objects("tlogEntries", atMost: Self.partLimit) {
      entries.append(try TransparencyLogEntry(entry))
    }
    self.entries = entries
    var timestamps: [[UInt8]] = []
    if var data = try material.optionalObject("timestampVerificationData") {
      for var item in try data.objects("rfc3161Timestamps", atMost: Self.partLimit) {
        timestamps.append(try item.bytes("signedTimestamp"))
        try item.finish()
      }
      try data.finish()
    }
    self.timestamps = timestamps
    try material.finish()
    content = try Self.content(&object)
    try object.finish()
  }

  /// A bundle that was read by its other reader, with a statement in an envelope.
  ///
  /// - Throws: `certificate.…`, `crypto.failure`; `keyless.bundle` without a certificate.
  package init(_ bundle: SigstoreBundle) throws(SignetError) {
    switch bundle.mediaType {
    case .v01: version = .v01
    case .v02: version = .v02
    case .v03, .v03Parameter: version = .v03
    }
    switch bundle.material {
    case .publicKey(let hint): signer = .key(hint: hint)
    case .certificate(let der): signer = .certificate(try Certificate(der: der), others: [])
    case .certificateChain(let chain):
      var certificates: [Certificate] = []
      for der in chain { certificates.append(try Certificate(der: der)) }
      guard let leaf = certificates.first else {
        throw SignetError(.keylessBundle, "bundle", "has no certificate", expected: "a certificate or more")
      }
      signer = .certificate(leaf, others: Array(certificates.dropFirst()))
    }
    (entries, timestamps) = (bundle.logEntries, bundle.timestamps)
    let envelope = bundle.envelope
    content = .envelope(payload: envelope.payload, type: Envelope.payloadType, signature: envelope.signature)
  }

  private static func signer(_ material: inout JSONObject) throws(SignetError) -> Signer {
    let kinds = ["publicKey", "certificate", "x509CertificateChain"].filter { material.has($0) }
    guard kinds.count == 1 else {
      throw SignetError(
        .keylessBundle, "bundle", "does not name exactly one kind of signer",
        expected: "publicKey, certificate or x509CertificateChain", found: kinds.joined(separator: ", "))
    }
    var object = try material.object(kinds[0])
    switch kinds[0] {
    case "publicKey":
      let hint = try object.optionalString("hint") ?? ""
      // Older bundles may hold the key itself, which proves nothing.
      for name in ["rawBytes", "keyDetails", "validFor"] { _ = object.optional(name) }
      try object.finish()
      return .key(hint: hint)
    case "certificate":
      let certificate = try Certificate(der: object.bytes("rawBytes"))
      try object.finish()
      return .certificate(certificate, others: [])
    default:
      var chain: [Certificate] = []
      for var item in try object.objects("certificates", atMost: 8) {
        chain.append(try Certificate(der: item.bytes("rawBytes")))
        try item.finish()
      }
      guard let leaf = chain.first else { throw object.wrong("certificates", "a certificate or more", "none") }
      try object.finish()
      return .certificate(leaf, others: Array(chain.dropFirst()))
    }
  }

  private static func content(_ object: inout JSONObject) throws(SignetError) -> Content {
    guard object.has("dsseEnvelope") != object.has("messageSignature") else {
      throw SignetError(
        .keylessBundle, "bundle", "does not sign exactly one thing", expected: "dsseEnvelope or messageSignature")
    }
    if var message = try object.optionalObject("messageSignature") {
      var claimed: Digest?
      if var digest = try message.optionalObject("messageDigest") {
        let name = try digest.string("algorithm")
        let bytes = try digest.bytes("digest")
        guard let algorithm = digestAlgorithm(name), bytes.count == algorithm.byteCount else {
          throw digest.wrong("algorithm", "SHA2_256, SHA2_384 or SHA2_512, and as many bytes", name)
        }
        claimed = Digest(algorithm: algorithm, bytes: bytes)
        try digest.finish()
      }
      let signature = try signature(message.bytes("signature"))
      try message.finish()
      return .message(digest: claimed, signature: signature)
    }
    var envelope = try object.object("dsseEnvelope")
    let payload = try envelope.bytes("payload")
    let type = try envelope.string("payloadType")
    var signatures = try envelope.objects("signatures", atMost: 8)
    guard signatures.count == 1 else {
      throw SignetError(
        .keylessBundle, "bundle", "has an envelope without exactly one signature", expected: "1",
        found: "\(signatures.count)")
    }
    let bytes = try signature(signatures[0].bytes("sig"))
    _ = try signatures[0].optionalString("keyid")
    try signatures[0].finish()
    try envelope.finish()
    return .envelope(payload: payload, type: type, signature: bytes)
  }

  private static func signature(_ bytes: [UInt8]) throws(SignetError) -> [UInt8] {
    guard (1...signatureLimit).contains(bytes.count) else {
      throw SignetError(
        .keylessBundle, "bundle", "has a signature of a length that none has",
        expected: "1 to \(signatureLimit) bytes",
        found: "\(bytes.count)")
    }
    return bytes
  }

  /// A digest's name in Sigstore's formats.
  static func digestAlgorithm(_ name: String) -> DigestAlgorithm? {
    switch name {
    case "SHA2_256": .sha256
    case "SHA2_384": .sha384
    case "SHA2_512": .sha512
    default: nil
    }
  }
}

extension KeylessBundle {
  /// The bytes that the signature of an envelope covers (DSSE v1.0, `protocol.md`).
  static func preAuthenticationEncoding(_ payload: [UInt8], _ type: String) -> [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
  }
}
