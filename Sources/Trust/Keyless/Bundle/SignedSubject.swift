internal import SignetBase
internal import SignetCrypto
internal import SignetNames

/// What a bundle's signature is about: a file, or the subjects of a statement (in-toto's Statement, v0.1 and v1).
struct SignedSubject {
  /// The digests, in groups of which each is about one file.
  private let subjects: [[Digest]]
  /// The statement; nil where a file itself is signed.
  let statement: [UInt8]?
  /// What it is about, in a line.
  let words: String

  private static let statementTypes = ["https://in-toto.io/Statement/v1", "https://in-toto.io/Statement/v0.1"]
  private static let payloadType = "application/vnd.in-toto+json"
  private static let subjectLimit = 100_000

  /// - Throws: `keyless.subject` for a payload that is no statement.
  init(_ bundle: KeylessBundle) throws(SignetError) {
    let (payload, type): ([UInt8], String)
    switch bundle.content {
    case .message(let digest, _):
      // The signature itself binds the file; the claimed digest must not contradict.
      (subjects, statement, words) = (digest.map { [[$0]] } ?? [], nil, "the file itself")
      return
    case .envelope(let content, let name, _): (payload, type) = (content, name)
    }
    guard type.isExactly(Self.payloadType) else {
      throw SignetError(
        .keylessSubject, "statement", "is of another type", expected: Self.payloadType, found: type)
    }
    statement = payload
    do throws(SignetError) {
      let value = try JSONReader.read(payload, limits: .payload).withoutNulls
      var object = try JSONObject(value, "statement", unknownField: .jsonWrongValue)
      let name = try object.string("_type")
      guard Self.statementTypes.contains(where: { $0.isExactly(name) }) else {
        throw object.wrong("_type", Self.statementTypes.joined(separator: " or "), name)
      }
      words = "statement of type \(try object.optionalString("predicateType") ?? "")"
      var subjects: [[Digest]] = []
      for var subject in try object.objects("subject", atMost: Self.subjectLimit) {
        guard let digests = try subject.optionalObject("digest") else { continue }
        var known: [Digest] = []
        for member in digests.all {
          guard let algorithm = DigestAlgorithm(rawValue: member.name) else { continue }
          guard case .string(let hex) = member.value.content, let digest = Digest(algorithm, hex: hex) else {
            // A digest that cannot be read could be another artifact's.
            known = []
            break
          }
          known.append(digest)
        }
        subjects.append(known)
      }
      self.subjects = subjects
    } catch {
      throw SignetError(.keylessSubject, "statement", "cannot be read", cause: error)
    }
  }

  /// Checks that it is about an artifact.
  ///
  /// - Parameter artifact: the digests of the artifact, one of each algorithm.
  /// - Throws: `keyless.subject`.
  func check(_ artifact: [Digest], _ steps: inout KeylessProof.Steps) throws(SignetError) {
    try check(artifact)
    steps.pass(.subject, words)
  }

  private func check(_ artifact: [Digest]) throws(SignetError) {
    if statement == nil {
      guard let claimed = subjects.first?.first else { return }
      guard artifact.contains(claimed) else { throw other([claimed]) }
      return
    }
    // All digests of a subject that are known must be the artifact's, and at least one.
    let algorithms = Set(artifact.map(\.algorithm))
    let isAbout = subjects.contains { subject in
      let known = subject.filter { algorithms.contains($0.algorithm) }
      return !known.isEmpty && known.allSatisfy(artifact.contains)
    }
    guard isAbout else { throw other(subjects.prefix(3).flatMap { $0 }) }
  }

  private func other(_ found: [Digest]) -> SignetError {
    SignetError(
      .keylessSubject, "artifact", "is not what was signed",
      found: found.map(\.description).joined(separator: ", "))
  }
}
