internal import Signet
internal import SignetCrypto

/// A trust policy that is changed: read, and written back in one step.
struct PolicyFile {
  let path: String
  let policy: TrustPolicy
  private let identity: FileStatus.Identity

  /// Reads it. Test keys are let through: what may not be trusted is refused when something is verified.
  init(_ path: String, allowTestKeys: Bool) throws(SignetError) {
    self.path = path
    policy = try TrustPolicy(trustedFile: path, allowsTestKeys: allowTestKeys)
    guard let identity = FileStatus.identities(of: [path]).first else {
      throw SignetError(.fileMissing, path, "is gone")
    }
    self.identity = identity
  }

  /// Writes another policy in its place, unless somebody else has done so meanwhile.
  func replace(with other: TrustPolicy) throws(SignetError) {
    guard FileStatus.identities(of: [path]).first == identity else {
      throw SignetError(.fileChanged, path, "was changed meanwhile", hint: "run it again")
    }
    try Self.write(other, to: path, replacing: identity)
  }

  /// Writes a policy in its canonical form.
  ///
  /// - Parameter replacing: the file that may be replaced; nil for none.
  static func write(
    _ policy: TrustPolicy, to path: String, replacing: FileStatus.Identity?
  ) throws(SignetError) {
    let text = try policy.canonicalBytes() + [UInt8(ascii: "\n")]
    try Interruption.held { () throws(SignetError) in
      try OutputFile.write(text, to: path, replacing == nil ? .keep : .replace(unless: []))
    }
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
