package import SignetBase
package import SignetCrypto
internal import SignetSystem
package import SignetVerify

/// Those who may sign by an allowed signers file of OpenSSH (ssh-keygen(1), "ALLOWED SIGNERS"), by keys or by certificates of
/// an authority of their own.
///
/// Other than `ssh-keygen -Y verify`, it refuses a line that it cannot read, a certificate with an option that a verifier
/// must know, and a token's signature for which nobody has touched the token.
package struct AllowedSigners: VouchedSigners {
  private let lines: [AllowedSigner]
  /// The only principal that counts; nil for each that the file names.
  private let principal: String?
  /// What is revoked; nil if nobody has said it.
  private let revocations: SSHRevocations?
  private let allowsTestKeys: Bool

  /// A file of a team has some hundred lines.
  private static let lineLimit = 10_000

  /// Reads the content of a file; nil for anything else.
  ///
  /// - Parameters:
  ///   - principal: the only one that counts; nil for each that the file names.
  ///   - revoked: keys and certificates that do not count.
  ///   - path: what messages call the file.
  /// - Throws: `key.malformed` for a line that cannot be read, `signer.identity` for a principal that no line has.
  package init?(
    _ content: [UInt8], principal: String?, revoked: SSHRevocations? = nil, allowsTestKeys: Bool = false,
    _ path: String
  ) throws(SignetError) {
    guard let text = String(validating: content, as: UTF8.self), Self.isMeant(text) else { return nil }
    var lines: [AllowedSigner] = []
    for (index, line) in SSHText.lines(of: text).enumerated() {
      guard index < Self.lineLimit else {
        throw SignetError(
          .keyMalformed, path, "has too many lines", expected: "at most \(Self.lineLimit)", found: "more")
      }
      if let read = try AllowedSigner(line, "\(path), line \(index + 1)") { lines.append(read) }
    }
    (self.lines, self.principal, revocations, self.allowsTestKeys) = (lines, principal, revoked, allowsTestKeys)
    guard principal.map({ name in lines.contains { SSHPatternList($0.principals).covers(Array(name.utf8)) } }) ?? true
    else {
      throw SignetError(
        .keyMalformed, path, "has no line for the principal that is asked for",
        expected: lines.map(\.principals).joined(separator: " or "), found: principal,
        hint: "name one person whom a line covers, or leave --principal out")
    }
  }

  /// Whether a file is one of these, however its lines read.
  package static func isFile(_ path: String) -> Bool {
    guard let file = try? RegularFile(opening: path), file.size <= 1 << 20,
      let bytes = try? file.bytes(in: 0..<file.size)
    else { return false }
    return String(validating: bytes, as: UTF8.self).map(isMeant) ?? false
  }

  /// Whether a line has principals before a key: one without is a key alone.
  private static func isMeant(_ text: String) -> Bool {
    let types = ["ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp", "sk-ssh-ed25519@", "sk-ecdsa-sha2-"]
    return SSHText.lines(of: text).contains { line in
      ["#", "-", "PuTTY-"].allSatisfy { !line.hasPrefix($0) }
        && types.contains { line.contains(" \($0)") || line.contains("\t\($0)") }
    }
  }

  // MARK: Vouched signers

  package static let field = "allowedSigners"

  /// A policy names keys one by one, each for its namespace.
  package init(_ object: JSONObject) throws(SignetError) {
    throw SignetError(.policyEntry, object.place, "names a file of OpenSSH", expected: "a key, with its format")
  }

  package var json: JSONValue {
    .object(
      ("principal", principal.map { .string($0) }),
      ("lines", .array(lines.map { .string("\($0.principals) \(Base64.encode($0.key.wire))") })))
  }

  package var keys: [PublicKey] { [] }
  package var names: [String] { lines.map(\.principals) }
  package var advice: [(topic: String, message: String)] { [] }
  package var formats: [String] { ["ssh"] }

  package var description: String {
    "\(principal ?? lines.map(\.principals).joined(separator: " or ")), by an allowed signers file"
  }

  package func judge(_ bundle: SigstoreBundle, at now: UnixTime) throws(SignetError) -> VouchedSignature {
    stranger("does not sign in a bundle", found: "a bundle")
  }

  package func judge(
    message text: [UInt8], at now: UnixTime, _ digest: (DigestAlgorithm) throws(SignetError) -> Digest
  ) throws(SignetError) -> VouchedSignature {
    stranger("does not sign in a bundle", found: "a bundle")
  }

  package func judge(
    _ signature: any SearchedSignature, at now: UnixTime
  ) throws(SignetError) -> VouchedSignature {
    guard let signature = signature as? SearchedSSHSignature else {
      return stranger("signs in OpenSSH's format alone", found: signature.format.rawValue)
    }
    let key = signature.signature.key
    if try revocations?.revokes(key) ?? false {
      return VouchedSignature(
        .stranger(
          SignetError(
            .signerRevoked, "signature", "is by a key or a certificate that the list of revoked keys has",
            found: "\(key.type) \(key.fingerprint)", hint: "ask the publisher for a release with a new signature")),
        [])
    }
    let search = AllowedSignerSearch(
      lines: lines, principal: principal, signature: signature.signature, now: now,
      allowsTestKeys: allowsTestKeys)
    switch try search.run() {
    case .failure(let reason): return VouchedSignature(.stranger(reason), [])
    case .success(let found):
      guard try signature.isMade() else {
        return broken(
          SignetError(
            .signatureInvalid, "signature", "is invalid: the signature or the file was changed",
            expected: "a signature by \(signature.claimedSigner ?? "")",
            hint: "get the file and its signature again from their publisher"))
      }
      guard let numbers = signature.signature.key.numbers else {
        return stranger("has a key of another type", found: signature.signature.key.type)
      }
      let key: PublicKey
      do throws(SignetError) { key = try checked(numbers) } catch {
        guard error.code != .cryptoFailure else { throw error }
        return VouchedSignature(.stranger(error), [])
      }
      let identity = ProvenIdentity(
        found.principal, issuer: found.authority, holder: found.principal,
        claims: [("key", signature.signature.key.fingerprint)], times: [])
      return VouchedSignature(
        .holds(key: key, identity, path: nil, names: [found.line]),
        [(.signature, .passed("\(signature.signature.algorithm) over the bytes of the file"))])
    }
  }

  /// The key that has signed, and that must be as strong as any other.
  ///
  /// - Throws: `policy.test-key`, `policy.weak-key`, `key.insecure`.
  private func checked(_ numbers: SSHKey.Numbers) throws(SignetError) -> PublicKey {
    let key = try SSHSigning(numbers).key
    _ = try TrustPolicy(trusting: [key], allowsTestKeys: allowsTestKeys)
    return key
  }

  private func stranger(_ what: String, found: String) -> VouchedSignature {
    VouchedSignature(
      .stranger(SignetError(.signerUntrusted, "allowed signers", what, expected: "ssh:NAMESPACE", found: found)), [])
  }

  private func broken(_ reason: SignetError) -> VouchedSignature {
    VouchedSignature(.broken(reason), [(.signature, .failed(reason))])
  }
}
