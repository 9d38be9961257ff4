internal import SignetBase
internal import SignetCrypto
internal import SignetNames
internal import SignetSystem
internal import SignetVerify

/// What a log has stored of a signature (Rekor's types), as far as it binds the entry to the signature.
struct EntryBody {
  /// The digest that the entry names, of the artifact or of the envelope's payload.
  let digest: Digest
  /// What the digest is of.
  let subject: Subject
  /// The signature.
  let signature: [UInt8]
  /// The signer's certificate or public key in DER.
  let verifier: [UInt8]

  enum Subject {
    /// What was signed as a message: the artifact, or what the signature of an envelope covers.
    case message
    /// The payload of an envelope.
    case payload
  }

  /// Whether the entry is of Rekor 2, whose entries have no time of their own.
  let isSecond: Bool

  private static let limits = JSONLimits.bundle
  /// Bodies have a certificate and a signature: some kilobytes.
  private static let sizeLimit = 256 << 10

  /// Reads the body of an entry, which must be of the kind and version that the bundle says.
  ///
  /// - Throws: `keyless.other-entry` for a kind that is not read, or a body of another form.
  init(_ entry: TransparencyLogEntry) throws(SignetError) {
    do throws(SignetError) {
      guard entry.canonicalizedBody.count <= Self.sizeLimit else {
        throw SignetError(
          .keylessOtherEntry, "log entry", "is too long", expected: "at most \(Self.sizeLimit) bytes",
          found: "\(entry.canonicalizedBody.count)")
      }
      let value = try JSONReader.read(entry.canonicalizedBody, limits: Self.limits)
      var body = try JSONObject(value, "entry", unknownField: .jsonWrongValue)
      let (kind, version) = (try body.string("kind"), try body.string("apiVersion"))
      guard kind.isExactly(entry.kind), version.isExactly(entry.kindVersion) else {
        throw SignetError(
          .keylessOtherEntry, "log entry", "is of another kind than the bundle says",
          expected: "\(entry.kind) \(entry.kindVersion)", found: "\(kind) \(version)")
      }
      var spec = try body.object("spec")
      switch (kind, version) {
      case ("hashedrekord", "0.0.1"): try self.init(hashed: &spec)
      case ("hashedrekord", "0.0.2"): try self.init(second: &spec)
      case ("dsse", "0.0.1"): try self.init(envelope: &spec)
      case ("intoto", "0.0.2"): try self.init(intoto: &spec)
      default:
        throw SignetError(
          .keylessOtherEntry, "log entry", "is of a kind that is not read",
          expected: "hashedrekord 0.0.1 or 0.0.2, dsse 0.0.1, intoto 0.0.2", found: "\(kind) \(version)")
      }
    } catch  where error.code != .keylessOtherEntry {
      throw SignetError(.keylessOtherEntry, "log entry", "has a body that cannot be read", cause: error)
    }
  }

  private init(hashed spec: inout JSONObject) throws(SignetError) {
    var data = try spec.object("data")
    var hash = try data.object("hash")
    digest = try Self.digest(&hash)
    var holder = try spec.object("signature")
    signature = try holder.bytes("content")
    var key = try holder.object("publicKey")
    verifier = try Self.der(key.bytes("content"))
    (subject, isSecond) = (.message, false)
  }

  private init(second spec: inout JSONObject) throws(SignetError) {
    var entry = try spec.object("hashedRekordV002")
    var data = try entry.object("data")
    let name = try data.string("algorithm")
    let bytes = try data.bytes("digest")
    guard let algorithm = KeylessBundle.digestAlgorithm(name), bytes.count == algorithm.byteCount else {
      throw data.wrong("algorithm", "SHA2_256, SHA2_384 or SHA2_512", name)
    }
    digest = Digest(algorithm: algorithm, bytes: bytes)
    var holder = try entry.object("signature")
    signature = try holder.bytes("content")
    var key = try holder.object("verifier")
    let kinds = ["x509Certificate", "publicKey"].filter { key.has($0) }
    guard kinds.count == 1 else {
      throw key.wrong("x509Certificate", "a certificate or a key", "\(kinds.count) of them")
    }
    var content = try key.object(kinds[0])
    verifier = try content.bytes("rawBytes")
    (subject, isSecond) = (.message, true)
  }

  private init(envelope spec: inout JSONObject) throws(SignetError) {
    var hash = try spec.object("payloadHash")
    digest = try Self.digest(&hash)
    var signatures = try spec.objects("signatures", atMost: 8)
    guard signatures.count == 1 else { throw spec.wrong("signatures", "1 signature", "\(signatures.count)") }
    signature = try signatures[0].bytes("signature")
    verifier = try Self.der(signatures[0].bytes("verifier"))
    (subject, isSecond) = (.payload, false)
  }

  private init(intoto spec: inout JSONObject) throws(SignetError) {
    var content = try spec.object("content")
    var hash = try content.object("payloadHash")
    digest = try Self.digest(&hash)
    var envelope = try content.object("envelope")
    var signatures = try envelope.objects("signatures", atMost: 8)
    guard signatures.count == 1 else { throw envelope.wrong("signatures", "1 signature", "\(signatures.count)") }
    // Base64 of base64.
    signature = try Base64.decode(String(decoding: signatures[0].bytes("sig"), as: UTF8.self))
    verifier = try Self.der(signatures[0].bytes("publicKey"))
    (subject, isSecond) = (.payload, false)
  }

  private static func digest(_ hash: inout JSONObject) throws(SignetError) -> Digest {
    let (name, hex) = (try hash.string("algorithm"), try hash.string("value"))
    guard let algorithm = DigestAlgorithm(rawValue: name), let digest = Digest(algorithm, hex: hex) else {
      throw hash.wrong("value", "a digest by sha256, sha384 or sha512", "\(name):\(hex)")
    }
    return digest
  }

  /// The DER in a block of PEM, of a certificate or of a public key.
  private static func der(_ pem: [UInt8]) throws(SignetError) -> [UInt8] {
    let blocks = try PEM.blocks(of: SecretBytes(pem))
    guard blocks.count == 1, ["CERTIFICATE", "PUBLIC KEY"].contains(blocks[0].label) else {
      throw SignetError(.keylessOtherEntry, "log entry", "names no certificate and no key of its signer")
    }
    return blocks[0].content.withBytes { Array(copying: $0) }
  }
}
