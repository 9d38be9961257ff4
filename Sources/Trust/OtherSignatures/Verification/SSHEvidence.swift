internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetVerify

/// A signature of `ssh-keygen -Y sign` as evidence about a file's bytes.
struct SSHEvidence: BareSignature {
  let label: String
  private let signature: SSHSignature
  private let isSHA256: Bool

  /// - Throws: `signature.malformed`; `signature.unsupported` for another digest than the two of the protocol.
  init(_ body: [UInt8], _ label: String) throws(SignetError) {
    guard let signature = SSHSignature(body) else {
      throw SignetError(
        .signatureMalformed, label, "is no whole signature of ssh-keygen",
        expected: "PROTOCOL.sshsig of OpenSSH, version 1",
        hint: "get the signature from its publisher again")
    }
    guard ["sha256", "sha512"].contains(where: signature.digest.isExactly) else {
      throw SignetError(
        .signatureUnsupported, label, "is over a digest that is not accepted", expected: "sha256 or sha512",
        found: signature.digest)
    }
    (self.label, self.signature, isSHA256) = (label, signature, signature.digest == "sha256")
  }

  /// The namespace, also one that no policy can name.
  private var namespace: String { String(decoding: signature.namespace, as: UTF8.self) }

  var format: SignatureFormat { SignatureFormat("ssh", namespace) }
  var remarks: [(name: String, text: String)] { [] }

  func over(_ content: inout some BareContent) throws(SignetError) -> any SearchedSignature {
    let found = isSHA256 ? try content.sha256().bytes : try content.hash(.sha512)
    let message =
      SSHSignature.magic + SSHKey.string(signature.namespace) + SSHKey.string(signature.reserved)
      + SSHKey.string(Array(signature.digest.utf8)) + SSHKey.string(found)
    return SearchedSSHSignature(signature: signature, format: format, message: message)
  }
}

/// A signature of `ssh-keygen -Y sign`, and the text that it must be over.
struct SearchedSSHSignature: SearchedSignature {
  let signature: SSHSignature
  let format: SignatureFormat
  let message: [UInt8]

  var material: SigstoreBundle.VerificationMaterial { .publicKey(hint: "") }
  var claimedKeyIDs: [String] { [signature.key.fingerprint] }
  var claimedSigner: String? { "\(signature.key.type) \(signature.key.fingerprint)" }

  /// A bare key is claimed by a signature that names it, and not by a certificate or a token.
  private func isNamed(_ key: PublicKey) -> Bool {
    guard signature.key.certificate == nil, let numbers = signature.key.numbers, numbers.application == nil else {
      return false
    }
    return numbers.info.der == key.der
  }

  func claims(_ key: PublicKey, in formats: Set<SignatureFormat>) -> Bool { isNamed(key) }

  func check(by key: PublicKey) throws(SignetError) -> SignatureCheck {
    guard isNamed(key) else { return .invalid }
    return try isMade() ? .valid : .invalid
  }

  /// Whether the key that it names has made it.
  ///
  /// - Throws: `key.insecure`, `key.…` for a key that must not be used; `crypto.failure`.
  func isMade() throws(SignetError) -> Bool {
    guard let numbers = signature.key.numbers else { return false }
    return try SSHSigning(numbers).hasMade(
      signature.signature, by: signature.algorithm, over: message, signature.token)
  }
}

/// The algorithms of OpenSSH's keys.
struct SSHSigning {
  private let numbers: SSHKey.Numbers
  /// The key, as Signet's own formats have it.
  let key: PublicKey

  /// - Throws: `key.insecure`, `key.malformed`; `crypto.failure`.
  init(_ numbers: SSHKey.Numbers) throws(SignetError) {
    self.numbers = numbers
    key = try PublicKey(der: numbers.info.der)
  }

  /// Whether the key has made a signature. RSA signs by SHA-2 alone: `ssh-rsa` is SHA-1.
  func hasMade(
    _ signature: [UInt8], by algorithm: String, over message: [UInt8], _ token: SSHTokenData?
  ) throws(SignetError) -> Bool {
    var message = message
    if let application = numbers.application {
      // Nobody touched the token: a program alone has asked for it.
      guard let token, token.isPresent else { return false }
      message =
        try Digest.of(application, .sha256).bytes + [token.flags] + token.counter
        + Digest.of(message, .sha256).bytes
    } else if token != nil {
      return false
    }
    switch (algorithm, numbers.info) {
    case ("ssh-ed25519", .ed25519), ("sk-ssh-ed25519@openssh.com", .ed25519):
      return try isValid(signature, message)
    case ("rsa-sha2-256", .rsa(let modulus, _)):
      return try key.handle.verifies(Self.padded(signature, to: modulus.count), over: message, .rsa(.sha256))
    case ("rsa-sha2-512", .rsa(let modulus, _)):
      return try key.handle.verifies(Self.padded(signature, to: modulus.count), over: message, .rsa(.sha512))
    case ("ecdsa-sha2-nistp256", .ec(.p256, _)), ("ecdsa-sha2-nistp384", .ec(.p384, _)),
      ("ecdsa-sha2-nistp521", .ec(.p521, _)), ("sk-ecdsa-sha2-nistp256@openssh.com", .ec(.p256, _)):
      guard let der = Self.numbersInDER(signature) else { return false }
      return try isValid(der, message)
    default: return false
    }
  }

  private func isValid(_ signature: [UInt8], _ message: [UInt8]) throws(SignetError) -> Bool {
    switch key.verify(signature, over: message) {
    case .valid: return true
    case .invalid: return false
    case .couldNotCheck(let error): throw error
    }
  }

  /// Some agents leave zeros at the beginning out; OpenSSH puts them back.
  private static func padded(_ signature: [UInt8], to count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, count - signature.count)) + signature
  }

  /// The two numbers of ECDSA (RFC 5656, section 3.1.2) as everybody else writes them (RFC 3279, section 2.2.3).
  private static func numbersInDER(_ signature: [UInt8]) -> [UInt8]? {
    var reader = SSHReader(signature[...])
    guard let r = reader.string(), let s = reader.string(), reader.isAtEnd else { return nil }
    func magnitude(_ number: [UInt8]) -> [UInt8]? {
      guard let first = number.first, first < 0x80 else { return nil }
      return first == 0 ? Array(number.dropFirst()) : number
    }
    guard let r = magnitude(r), let s = magnitude(s), !r.isEmpty, !s.isEmpty else { return nil }
    return DERWriter.sequence(DERWriter.unsignedInteger(r), DERWriter.unsignedInteger(s))
  }
}
