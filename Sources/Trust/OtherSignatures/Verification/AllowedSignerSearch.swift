internal import SignetBase
internal import SignetCrypto
internal import SignetVerify

/// The search for the line of an allowed signers file that a signature's key stands in.
struct AllowedSignerSearch {
  let lines: [AllowedSigner]
  let principal: String?
  let signature: SSHSignature
  let now: UnixTime
  let allowsTestKeys: Bool

  struct Found {
    /// The number of the line among those that say something.
    let line: Int
    let principal: String
    /// The fingerprint of the authority that has certified the key; nil for a key that the line names itself.
    let authority: String?
  }

  /// - Returns: the first line that allows it, or why the one that comes nearest does not.
  func run() throws(SignetError) -> Result<Found, SignetError> {
    var objection: SignetError?
    for (index, line) in lines.enumerated() where speaks(line) {
      switch try judge(line) {
      case .success(let (principal, authority)):
        return .success(Found(line: index, principal: principal, authority: authority))
      case .failure(let reason): objection = objection ?? reason
      }
    }
    return .failure(
      objection
        ?? refusal(
          .signerUntrusted, "is by nobody whom the file names", lines.map(\.principals).joined(separator: " or "),
          found: "\(signature.key.type) \(signature.key.fingerprint)"))
  }

  /// Whether a line is about the signature's key, or about the authority of its certificate.
  private func speaks(_ line: AllowedSigner) -> Bool {
    line.isAuthority
      ? signature.key.certificate.map { $0.authority == line.key.wire } ?? false : line.key == signature.key
  }

  private func judge(_ line: AllowedSigner) throws(SignetError) -> Result<(String, String?), SignetError> {
    if let namespaces = line.namespaces, !SSHPatternList(namespaces).covers(signature.namespace) {
      return .failure(
        refusal(
          .signerOutOfScope, "is by a key that is allowed for other namespaces", namespaces,
          found: String(decoding: signature.namespace, as: UTF8.self)))
    }
    if line.after.map({ now < $0 }) ?? false || line.before.map({ now > $0 }) ?? false {
      let window = [line.after.map { "from \($0)" }, line.before.map { "until \($0)" }].compactMap(\.self)
      return .failure(
        refusal(
          .signerOutsideWindow, "is by a key that is not allowed at this time", window.joined(separator: " "),
          found: "\(now)"))
    }
    let patterns = SSHPatternList(line.principals)
    if let principal, !patterns.covers(Array(principal.utf8)) {
      return .failure(refusal(.signerIdentity, "is by a key of somebody else", principal, found: line.principals))
    }
    guard line.isAuthority, let certificate = signature.key.certificate else {
      return .success((principal ?? line.principals, nil))
    }
    if let reason = try objection(to: certificate) { return .failure(reason) }
    let names = certificate.principals.filter { name in
      principal.map { name == Array($0.utf8) } ?? patterns.covers(name)
    }
    guard let name = names.first else {
      return .failure(
        refusal(
          .signerIdentity, "has a certificate for nobody whom the file names", principal ?? line.principals,
          found: certificate.principals.isEmpty
            ? "a certificate without principals"
            : certificate.principals.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")))
    }
    return .success((String(decoding: name, as: UTF8.self), line.key.fingerprint))
  }

  /// Why a certificate says nothing; nil if it says whose key it certifies.
  private func objection(to certificate: SSHCertificate) throws(SignetError) -> SignetError? {
    let seconds = UInt64(max(0, now.seconds))
    guard certificate.kind == 1 else {
      return refusal(
        .signerIdentity, "has a certificate for a host", "one for users", found: "type \(certificate.kind)")
    }
    guard certificate.validAfter <= seconds, seconds < certificate.validBefore else {
      return refusal(
        .signerOutsideWindow, "has a certificate that is not valid at this time",
        "\(time(certificate.validAfter)) to \(time(certificate.validBefore))", found: "\(now)")
    }
    guard certificate.criticalOptions.isEmpty else {
      return refusal(
        .signerIdentity, "has a certificate with an option that nobody knows for files", "no critical option",
        found: certificate.criticalOptions.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", "))
    }
    guard let authority = SSHKey(certificate.authority)?.numbers, let signing = try? SSHSigning(authority),
      (try? TrustPolicy(trusting: [signing.key], allowsTestKeys: allowsTestKeys)) != nil,
      try signing.hasMade(
        certificate.signature, by: certificate.algorithm, over: certificate.signed, certificate.token)
    else {
      return refusal(
        .signatureInvalid, "has a certificate that its authority has not made",
        SSHKey.fingerprint(of: certificate.authority), found: certificate.algorithm)
    }
    return nil
  }

  private func time(_ seconds: UInt64) -> String {
    seconds == .max ? "always" : "\(UnixTime(seconds: Int64(clamping: seconds)))"
  }

  private func refusal(
    _ code: SignetError.Code, _ what: String, _ expected: String, found: String
  ) -> SignetError {
    SignetError(code, "signature", what, expected: expected, found: found)
  }
}
