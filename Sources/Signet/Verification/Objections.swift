internal import SignetBase
internal import SignetCrypto

/// What can be said against a statement whose signature is good; nil where nothing can.
struct Objections {
  let label: String
  let terms: ExpectedTerms

  func toType(of statement: Statement) -> SignetError? {
    let found = statement.predicateType
    if found == terms.predicateType, found.isOwn == terms.isOwn { return nil }
    return SignetError(
      .statementPredicateType, label, "is a statement of another type",
      expected: terms.isOwn == terms.predicateType.isOwn
        ? terms.predicateType.uri : "a type of another program than Signet", found: found.uri,
      hint: "ask the publisher for a signature of the expected type")
  }

  func toName(of statement: Statement) -> SignetError? {
    if statement.subjectName.isExactly(terms.name) { return nil }
    return SignetError(
      .subjectName, label, "is about an artifact of another name", expected: terms.name,
      found: statement.subjectName,
      hint: "ask the publisher which file this is, and for the bundle that belongs to it")
  }

  func toAge(of statement: Statement, _ now: UnixTime) -> SignetError? {
    guard let end = statement.notAfter, now > end else { return nil }
    return SignetError(
      .statementExpired, label, "is a statement that no longer holds", expected: "a time up to \(end)",
      found: "\(now)", hint: "get a newer release")
  }

  func toHost(of manifest: HostManifestPredicate) -> SignetError? {
    guard let host = terms.host, host.identifier != manifest.identifier else { return nil }
    return SignetError(
      .manifestIdentifierMismatch, label, "is a statement about the manifest of another host",
      expected: "\(host.identifier)", found: "\(manifest.identifier)",
      hint: "get the manifest of this host, and the bundle that belongs to it")
  }

  func toSequence(of manifest: HostManifestPredicate) -> SignetError? {
    guard let host = terms.host, manifest.sequence < host.leastSequence else { return nil }
    return SignetError(
      .policyRollback, label, "is a statement about an older manifest than the last that was accepted",
      expected: "sequence \(host.leastSequence) or later", found: "\(manifest.sequence)",
      hint: "get the newest manifest")
  }

  func toModule(_ module: ModuleDescription) -> SignetError? {
    guard let expected = terms.module?.identifier, expected != module.identifier else { return nil }
    return SignetError(
      .moduleIdentifierMismatch, label, "is a statement about another module", expected: "\(expected)",
      found: "\(module.identifier)", hint: "get the module that is meant, and the bundle that belongs to it")
  }

  func toSequence(of module: ModuleDescription) -> SignetError? {
    guard let least = terms.module?.leastSequence, module.sequence < least else { return nil }
    return SignetError(
      .policyRollback, label, "is a statement about an older release than what is accepted",
      expected: "sequence \(least) or later", found: "\(module.sequence)", hint: "get the current release")
  }

  func toContent(_ expected: String, _ found: String) -> SignetError? {
    if expected == found { return nil }
    return SignetError(
      .digestMismatch, terms.name, "is not what was signed: its bytes were changed", expected: expected,
      found: found, hint: "get the artifact anew from where it comes from")
  }
}
