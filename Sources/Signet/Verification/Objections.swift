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

  func toAge(of file: FilePredicate, _ now: UnixTime) -> SignetError? {
    guard let end = file.notAfter, now > end else { return nil }
    return SignetError(
      .statementExpired, label, "is a statement that no longer holds", expected: "a time up to \(end)",
      found: "\(now)", hint: "get a newer release")
  }

  func toContent(_ expected: String, _ found: String) -> SignetError? {
    if expected == found { return nil }
    return SignetError(
      .digestMismatch, terms.name, "is not what was signed: its bytes were changed", expected: expected,
      found: found, hint: "get the artifact anew from where it comes from")
  }
}
