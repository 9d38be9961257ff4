internal import Signet
internal import SignetCrypto

/// A trust policy that is changed: read, and written back in one step. Nobody else changes it meanwhile.
struct PolicyFile {
  let path: String
  let policy: TrustPolicy
  /// The policy itself, where the path is that of a link; locked as long as it is open.
  private let file: RegularFile

  /// How often a file is opened anew because somebody has put another in its place.
  private static let tries = 100

  /// Reads it, once nobody else is changing it.
  init(_ path: String, allowTestKeys: Bool) throws(SignetError) {
    self.path = path
    file = try Self.locked(path)
    do throws(SignetError) {
      policy = try TrustPolicy(json: file.bytes(limit: JSONLimits.policy.size), allowsTestKeys: allowTestKeys)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }

  /// The lock goes with the file and not with its name: whoever had it may have replaced the file.
  private static func locked(_ path: String) throws(SignetError) -> RegularFile {
    for _ in 0..<tries {
      let file = try TrustedPath.open(path, isSecret: false)
      try AdvisoryLock.take(file)
      if FileStatus.identities(of: [file.path]).first == file.status.identity { return file }
    }
    throw SignetError(.fileChanged, path, "is changed all the time", hint: "run it again")
  }

  /// Writes another policy in its place, unless somebody has done so who takes no lock.
  func replace(with other: TrustPolicy) throws(SignetError) {
    try withExtendedLifetime(file) { () throws(SignetError) in
      guard FileStatus.identities(of: [file.path]).first == file.status.identity else {
        throw SignetError(.fileChanged, path, "was changed meanwhile", hint: "run it again")
      }
      try Self.write(other, to: file.path, .replace(unless: []))
    }
  }

  /// Writes a policy in its canonical form.
  static func write(
    _ policy: TrustPolicy, to path: String, _ existing: OutputFile.Existing
  ) throws(SignetError) {
    let text = try policy.canonicalBytes() + [UInt8(ascii: "\n")]
    // Bounds of the text are no bounds of a policy: one that could not be read again must not take another's place.
    do throws(SignetError) {
      _ = try TrustPolicy(json: text, allowsTestKeys: policy.allowsTestKeys)
    } catch {
      var error = error.about("\(path), as it would be: \(error.object)")
      error.hint = nil
      throw error
    }
    try Interruption.held { () throws(SignetError) in try OutputFile.write(text, to: path, existing) }
  }
}

extension TrustPolicy {
  /// The same policy with other entries.
  func with(_ entries: [TrustEntry]) throws(SignetError) -> TrustPolicy {
    var terms = Terms()
    terms.requirement = requirement
    terms.expires = expires
    terms.timestampAuthorities = timestampAuthorities
    terms.revocationLists = revocationLists
    terms.revocations = revocations
    terms.floors = floors
    terms.leastRSABits = leastRSABits
    return try TrustPolicy(entries: entries, terms: terms, allowsTestKeys: allowsTestKeys)
  }
}
