internal import SignetBase
internal import SignetCrypto

/// The subjects of another program's statement: one, or the artifacts of a whole build.
///
/// in-toto Attestation Framework, `spec/v1/statement.md`, `resource_descriptor.md` and `digest_set.md`. Build
/// services sign one statement for all artifacts of a build, with several digests for each. Signet needs a SHA-256 or SHA-512.
/// Other digests and fields are not looked at, and neither are subjects without one: nothing can be verified as them. The signature proves that the signer has made this statement about the artifact with
/// this name and this SHA-256, and nothing about the other subjects.
struct ForeignSubjects: Sendable {
  /// The list as it was read, so that the statement can be written again.
  let json: JSONValue
  /// The subjects that can be looked for; at least one.
  let subjects: [(name: String, digest: Digest)]
  /// The SHA-512 that subjects have besides, by their SHA-256.
  private(set) var others: [Digest: Digest] = [:]

  /// The first subject that can be looked for.
  var first: (name: String, digest: Digest) { subjects[0] }

  /// Reads the list.
  ///
  /// - Throws: `statement.subject-count`, `statement.digest-algorithm` if no subject has one that is read,
  ///   `statement.digest-length`, `statement.digest-form`; `json.…` for fields that are missing or of another kind.
  init(_ list: [JSONValue]) throws(SignetError) {
    guard !list.isEmpty else {
      throw SignetError(
        .statementSubjectCount, "statement.subject", "names no subject", expected: "1 or more", found: "0")
    }
    var subjects: [(name: String, digest: Digest)] = []
    for element in list {
      var subject = try JSONObject(element, "statement.subject", unknownField: .statementUnknownField)
      // Images have no name, and are named by their digest alone.
      let name = try subject.optionalString("name") ?? ""
      var digests = try subject.object("digest")
      if digests.has("sha256") {
        let digest = try digests.sha256("sha256")
        subjects.append((name, digest))
        if digests.has("sha512") { others[digest] = try digests.sha256("sha512", or: .sha512) }
      } else if digests.has("sha512") {
        // npm's statements have no other digest.
        subjects.append((name, try digests.sha256("sha512", or: .sha512)))
      }
    }
    guard !subjects.isEmpty else {
      throw SignetError(
        .statementDigestAlgorithm, "statement.subject", "lacks the digest", expected: "sha256 or sha512")
    }
    json = .array(list)
    self.subjects = subjects
  }

  /// The subjects of a new statement; at least one.
  init(_ subjects: [(name: String, digest: Digest)]) {
    self.subjects = subjects
    json = .array(subjects.map { Self.json($0.name, $0.digest) })
  }

  /// One subject.
  static func json(_ name: String, _ digest: Digest) -> JSONValue {
    .object(("name", .string(name)), ("digest", .object(("sha256", .string(digest.hex)))))
  }

  /// The subject that an artifact is compared with; nil if none has one of the names.
  ///
  /// - Parameters:
  ///   - names: the names that the artifact may have, the most telling first.
  ///   - digest: the artifact's digest, if it is known. The files of two folders may have the same name.
  func subject(_ names: [SubjectName], _ digest: Digest?) -> (name: String, digest: Digest)? {
    for name in names {
      let called = subjects.filter { name.matches($0.name) }
      let same = called.first { $0.digest == digest } ?? called.first { $0.name.isExactly(name.text) }
      if let subject = same ?? called.first { return subject }
    }
    return nil
  }
}
