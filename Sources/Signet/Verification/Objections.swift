internal import SignetCrypto

/// What can be said against a statement whose signature is good; nil where nothing can.
struct Objections {
  let label: String
  let expectation: Verifier.Expectation

  func toType(of statement: Statement) -> SignetError? {
    if statement.predicateType == expectation.predicateType { return nil }
    return SignetError(
      .statementPredicateType, label, "is a statement of another type", expected: expectation.predicateType.uri,
      found: statement.predicateType.uri)
  }

  func toName(of statement: Statement) -> SignetError? {
    if statement.subjectName.isExactly(expectation.name) { return nil }
    return SignetError(
      .subjectName, label, "is about an artifact of another name", expected: expectation.name,
      found: statement.subjectName, hint: "if the file was renamed, give the name it was signed under")
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
      .digestMismatch, expectation.name, "is not what was signed: its bytes were changed", expected: expected,
      found: found, hint: "get the artifact anew from where it comes from")
  }
}
