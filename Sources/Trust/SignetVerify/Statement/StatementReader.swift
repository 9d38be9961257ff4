public import SignetBase
package import SignetCrypto

extension Statement {
  /// Reads a payload. Call it only with bytes whose signature was verified, or to show what is claimed.
  ///
  /// Signet's own types must be in canonical form, as Signet writes them. Other programs' types need not be, may be
  /// in-toto 0.1, and may have several subjects.
  ///
  /// - Throws: the `statement.…` codes. The cause of `statement.malformed` says where. Also `directory.…`,
  ///   `archive.…` and `path.…` for the entries of a directory or module, and `crypto.failure`.
  public init(payload: [UInt8]) throws(SignetError) {
    let value: JSONValue
    do throws(SignetError) {
      value = try JSONReader.read(payload, limits: .payload)
    } catch {
      throw SignetError(.statementMalformed, "statement", "is not valid JSON", cause: error)
    }
    do throws(SignetError) {
      try self.init(value)
    } catch  where error.code == .jsonWrongValue || error.code == .jsonMissingField {
      throw SignetError(
        .statementMalformed, error.object, error.message, expected: error.expected, found: error.found)
    }
    guard predicateType.isOwn else { return }
    do throws(SignetError) {
      try CanonicalJSON.check(value, is: payload)
    } catch {
      throw SignetError(.statementNotCanonical, "statement", "is not canonical JSON", cause: error)
    }
  }

  private init(_ value: JSONValue) throws(SignetError) {
    var object = try JSONObject(value, "statement", unknownField: .statementUnknownField)
    let type = try object.string("_type")
    let predicateType = PredicateType(try object.string("predicateType"))
    let accepted = predicateType.isOwn ? [Self.typeV1] : [Self.typeV1, Self.typeV01]
    guard accepted.contains(where: { $0.isExactly(type) }) else {
      throw SignetError(
        .statementType, "statement._type", "is not a supported type of statement", expected: Self.typeV1,
        found: type)
    }
    let list = try object.array("subject")
    let subjects: ForeignSubjects? = predicateType.isOwn ? nil : try ForeignSubjects(list)
    let subject = if let subjects { subjects.first } else { try Self.onlySubject(list) }
    let predicate = try Self.predicate(predicateType, &object)
    self.init(subject: subject, subjects, predicate)
    if let directory { try directory.check(subject: subjectDigest) }
    try object.finish()
  }

  /// The one subject of a statement of Signet's own types.
  private static func onlySubject(_ list: [JSONValue]) throws(SignetError) -> (name: String, digest: Digest) {
    guard list.count == 1 else {
      throw SignetError(
        .statementSubjectCount, "statement.subject", "does not name exactly one subject", expected: "1",
        found: "\(list.count)")
    }
    var subject = try JSONObject(list[0], "statement.subject", unknownField: .statementUnknownField)
    let name = try subject.string("name")
    let digest = try digest(try subject.object("digest"))
    try subject.finish()
    return (name, digest)
  }

  private static func predicate(_ type: PredicateType, _ object: inout JSONObject) throws(SignetError) -> Predicate {
    switch type {
    case .file: return .file(try FilePredicate(try object.object("predicate")))
    case .directory: return .directory(try DirectoryPredicate(try object.object("predicate")))
    case .module: return .module(try ModulePredicate(try object.object("predicate")))
    case .hostManifest: return .hostManifest(try HostManifestPredicate(try object.object("predicate")))
    default: break
    }
    guard !type.isOwn else {
      // The type must not pass for another program's: it may be a kind of statement that a later Signet has.
      throw SignetError(
        .statementPredicateType, "statement.predicateType", "is a Signet type that this version does not know",
        expected: PredicateType.file.uri, found: type.uri)
    }
    // What is published at PyPI has null.
    let value = try object.required("predicate")
    switch value.content {
    case .object, .null: return .foreign(type, value)
    default: throw object.wrong("predicate", "an object", value.kind)
    }
  }

  private static func digest(_ object: JSONObject) throws(SignetError) -> Digest {
    var object = object
    guard object.has("sha256") else {
      throw SignetError(.statementDigestAlgorithm, object.path, "lacks the digest", expected: "sha256")
    }
    let digest = try object.sha256("sha256")
    do throws(SignetError) {
      try object.finish()
    } catch {
      throw SignetError(
        .statementDigestAlgorithm, error.object, "is a digest that Signet does not check", expected: "sha256 alone")
    }
    return digest
  }
}

extension JSONObject {
  /// An fs-verity digest.
  package mutating func fsverity(_ name: String) throws(SignetError) -> FSVerityDigest {
    let text = try string(name)
    guard let digest = FSVerityDigest(text) else {
      throw SignetError(
        .statementDigestForm, path(of: name), "is not an fs-verity digest",
        expected: "sha256: and 64 lower-case hexadecimal digits", found: text)
    }
    return digest
  }

  /// A SHA-256, or another digest, in the form that statements use.
  package mutating func sha256(
    _ name: String, or algorithm: DigestAlgorithm = .sha256
  ) throws(SignetError) -> Digest {
    let text = try string(name)
    guard text.utf8.count == algorithm.byteCount * 2 else {
      throw SignetError(
        .statementDigestLength, path(of: name), "has the wrong length",
        expected: "\(algorithm.byteCount * 2) hexadecimal digits", found: "\(text.utf8.count) bytes")
    }
    guard let digest = Digest(algorithm, hex: text) else {
      throw SignetError(
        .statementDigestForm, path(of: name), "is not lower-case hexadecimal",
        expected: "the digits 0 to 9 and a to f",
        found: text)
    }
    return digest
  }
}
