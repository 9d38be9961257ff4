internal import SignetBase
package import SignetCrypto

/// Who is expected to have signed.
package enum ExpectedSigner: Sendable {
  /// One of these identities, each with who has established it.
  case identities([ExpectedIdentity])
  /// The holder of a key.
  case key(PublicKey)
}

/// An identity that is expected to have signed: one exactly, or workflows of a repository.
package struct ExpectedIdentity: Sendable, Hashable {
  private let kind: Kind

  private enum Kind: Sendable, Hashable {
    case exact(String, issuer: String?)
    case workflow(WorkflowIdentity)
  }

  /// - Parameter issuer: who must have established it; nil for authorities whose certificates do not say it, as GitHub's for
  ///   releases.
  package init(_ name: String, issuer: String?) { kind = .exact(name, issuer: issuer) }

  /// Workflows of a repository.
  package init(_ workflow: WorkflowIdentity) { kind = .workflow(workflow) }

  /// Whether it is one exactly, that nobody is to have established.
  var isWithoutIssuer: Bool {
    if case .exact(_, nil) = kind { true } else { false }
  }

  /// The workflows; nil for one identity.
  var workflow: WorkflowIdentity? {
    if case .workflow(let workflow) = kind { workflow } else { nil }
  }

  /// Whether it is the identity of a certificate.
  func matches(_ found: CertifiedIdentity) -> Bool {
    switch kind {
    case .workflow(let workflow): return workflow.matches(found)
    case .exact(let name, let issuer):
      guard name.isExactly(found.identity) else { return false }
      switch (issuer, found.issuer) {
      case (nil, nil): return true
      case (let expected?, let found?): return expected.isExactly(found)
      default: return false
      }
    }
  }
}

extension ExpectedIdentity: CustomStringConvertible {
  /// The identity, for people.
  package var description: String {
    switch kind {
    case .exact(let name, let issuer): "\(name) (by \(issuer ?? "nobody"))"
    case .workflow(let workflow): "\(workflow)"
    }
  }
}

extension ExpectedIdentity {
  /// Reads an identity of a policy.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    if object.has("repository") {
      self.init(try WorkflowIdentity(&object))
    } else {
      let name = try object.string("identity")
      guard !name.isEmpty else { throw object.wrong("identity", "an identity such as release@example.com", name) }
      self.init(name, issuer: try object.optionalString("issuer"))
    }
    try object.finish()
  }

  /// The form in a policy.
  var json: JSONValue {
    switch kind {
    case .exact(let name, let issuer): .object(("identity", .string(name)), ("issuer", issuer.map { .string($0) }))
    case .workflow(let workflow): workflow.json
    }
  }
}
