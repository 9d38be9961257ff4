public import SignetBase
public import SignetCrypto

/// An in-toto statement: a signer's claim (the predicate) about one artifact (the subject).
///
/// in-toto Attestation Framework, `spec/v1/statement.md`. A statement of Signet's own types has exactly one subject,
/// whose only digest is `sha256`, and only the four fields of the specification: a signature must not cover what was
/// never checked. Another program's statement may have several subjects.
public struct Statement: Sendable {
  /// What the statement calls the artifact.
  ///
  /// If another program's statement has several subjects, a verified statement has the name and the digest of the
  /// artifact. One that was only read has those of the first subject.
  public private(set) var subjectName: String
  /// The subject's digest.
  public private(set) var subjectDigest: Digest
  /// Every subject of another program's statement as it was read; nil for Signet's own types, and for new statements.
  private let foreignSubjects: ForeignSubjects?
  /// What the statement says about the artifact.
  package let predicate: Predicate

  /// The possible predicates.
  package enum Predicate: Sendable {
    case file(FilePredicate)
    case directory(DirectoryPredicate)
    case module(ModulePredicate)
    case hostManifest(HostManifestPredicate)
    case foreign(PredicateType, JSONValue)
    /// Bytes that were signed alone, without a statement.
    case message
  }

  /// The predicate of a `urn:signet:file:v1` statement, whose subject is a file's raw bytes; otherwise nil.
  public var file: FilePredicate? {
    if case .file(let predicate) = predicate { predicate } else { nil }
  }

  /// The predicate of a `urn:signet:directory:v1` statement, whose subject is the listing in it; otherwise nil.
  public var directory: DirectoryPredicate? {
    if case .directory(let predicate) = predicate { predicate } else { nil }
  }

  /// The predicate of a `urn:signet:module:v1` statement; otherwise nil.
  ///
  /// The subject is an archive without its signing block.
  public var module: ModulePredicate? {
    if case .module(let predicate) = predicate { predicate } else { nil }
  }

  /// The predicate of a `urn:signet:host-manifest:v1` statement, whose subject is a file's raw bytes; otherwise nil.
  public var hostManifest: HostManifestPredicate? {
    if case .hostManifest(let predicate) = predicate { predicate } else { nil }
  }

  /// The predicate of another program's statement, unchanged and not interpreted; otherwise nil.
  public var foreignPredicate: JSONValue? {
    if case .foreign(_, let value) = predicate { value } else { nil }
  }

  /// The type of the predicate, which gives its meaning.
  public var predicateType: PredicateType {
    switch predicate {
    case .file: .file
    case .directory: .directory
    case .module: .module
    case .hostManifest: .hostManifest
    case .foreign(let type, _): type
    case .message: .message
    }
  }

  /// The subject's tree digest; nil if its type has none.
  var subjectTree: FSVerityDigest? {
    switch predicate {
    case .file(let file): file.fsverity
    case .module(let module): module.archive.fsverity
    case .directory, .hostManifest, .foreign, .message: nil
    }
  }

  /// When the signer says the statement was made; nil for another program's type.
  public var signedAt: UnixTime? {
    switch predicate {
    case .file(let file): file.signedAt
    case .directory(let directory): directory.signedAt
    case .module(let module): module.signedAt
    case .hostManifest(let manifest): manifest.signedAt
    case .foreign, .message: nil
    }
  }

  /// The time after which the statement no longer holds; nil if it names no such time, or is of another program's type.
  public var notAfter: UnixTime? {
    switch predicate {
    case .file(let file): file.notAfter
    case .directory(let directory): directory.notAfter
    case .module(let module): module.notAfter
    case .hostManifest(let manifest): manifest.notAfter
    case .foreign, .message: nil
    }
  }

  static let typeV1 = "https://in-toto.io/Statement/v1"
  static let typeV01 = "https://in-toto.io/Statement/v0.1"

  /// A statement about a file.
  package init(file name: String, digest: Digest, _ predicate: FilePredicate) {
    precondition(digest.algorithm == .sha256)
    subjectName = name
    subjectDigest = digest
    foreignSubjects = nil
    self.predicate = .file(predicate)
  }

  /// A statement about a directory, whose digest is its listing's.
  package init(directory name: String, _ predicate: DirectoryPredicate) {
    subjectName = name
    subjectDigest = predicate.listing.digest
    foreignSubjects = nil
    self.predicate = .directory(predicate)
  }

  /// A statement about a module's archive, with the digest of the archive without its signing block.
  package init(module name: String, digest: Digest, _ predicate: ModulePredicate) {
    precondition(digest.algorithm == .sha256)
    subjectName = name
    subjectDigest = digest
    foreignSubjects = nil
    self.predicate = .module(predicate)
  }

  /// A statement about a host's manifest.
  package init(hostManifest name: String, digest: Digest, _ predicate: HostManifestPredicate) {
    precondition(digest.algorithm == .sha256)
    subjectName = name
    subjectDigest = digest
    foreignSubjects = nil
    self.predicate = .hostManifest(predicate)
  }

  /// What a signature of bytes alone says.
  init(message digest: Digest) {
    (subjectName, subjectDigest, foreignSubjects, predicate) = ("", digest, nil, .message)
  }

  /// A statement of another program's type about an artifact.
  ///
  /// - Parameters:
  ///   - type: a type that is not one of Signet's own.
  ///   - subjects: the names and digests of what the statement is about; at least one.
  package init(foreign type: PredicateType, about subjects: [(name: String, digest: Digest)], _ predicate: JSONValue)
  {
    precondition(!subjects.isEmpty && subjects.allSatisfy { $0.digest.algorithm == .sha256 } && !type.isOwn)
    subjectName = subjects[0].name
    subjectDigest = subjects[0].digest
    foreignSubjects = subjects.count > 1 ? ForeignSubjects(subjects) : nil
    self.predicate = .foreign(type, predicate)
  }

  /// A statement that was read.
  init(subject: (name: String, digest: Digest), _ subjects: ForeignSubjects?, _ predicate: Predicate) {
    subjectName = subject.name
    subjectDigest = subject.digest
    foreignSubjects = subjects
    self.predicate = predicate
  }

  /// Every subject that something can be verified as, in the order of the statement.
  package var subjects: [(name: String, digest: Digest)] {
    foreignSubjects?.subjects ?? [(subjectName, subjectDigest)]
  }

  /// The SHA-512 that the subject has besides its SHA-256; nil if it has none.
  var otherDigest: Digest? { foreignSubjects?.others[subjectDigest] }

  /// The same statement with the name and the digest of the subject that is meant, if it has several subjects.
  ///
  /// - Parameters:
  ///   - names: the names that the artifact may have, the most telling first.
  ///   - digest: the artifact's digest, if it is known. It decides between subjects of the same name.
  func about(_ names: [SubjectName], _ digest: Digest?) -> Statement {
    guard let subject = foreignSubjects?.subject(names, digest) else { return self }
    var statement = self
    statement.subjectName = subject.name
    statement.subjectDigest = subject.digest
    return statement
  }

  /// The same statement with the name and the digest of the subject that has a digest, if it has several subjects.
  func about(bytes digest: Digest?) -> Statement {
    guard let subjects = foreignSubjects?.subjects,
      let subject = subjects.first(where: { $0.digest == digest })
        ?? subjects.first(where: { $0.digest.algorithm != .sha256 })
    else { return self }
    var statement = self
    statement.subjectName = subject.name
    statement.subjectDigest = subject.digest
    return statement
  }

  /// The canonical JSON text, which gets signed. The same statement always gives the same bytes.
  ///
  /// - Throws: `json.number` if a foreign predicate has numbers without a canonical form.
  public func canonicalBytes() throws(SignetError) -> [UInt8] {
    let content =
      switch predicate {
      case .file(let file): file.json
      case .directory(let directory): directory.json
      case .module(let module): module.json
      case .hostManifest(let manifest): manifest.json
      case .foreign(_, let value): value
      case .message: JSONValue(.null)
      }
    let subject = ForeignSubjects.json(subjectName, subjectDigest)
    return try CanonicalJSON.write(
      .object(
        ("_type", .string(Self.typeV1)), ("predicateType", .string(predicateType.uri)), ("predicate", content),
        ("subject", foreignSubjects?.json ?? .array([subject]))))
  }
}
