public import SignetBase
public import SignetCrypto

/// An in-toto statement: somebody says something (the predicate) about one artifact (the subject).
///
/// in-toto Attestation Framework, `spec/v1/statement.md`. Exactly one subject, with `sha256` as its only digest, and
/// no fields but the four that the specification has: a signature must not cover what nobody looked at.
public struct Statement: Sendable {
  /// What the statement calls the artifact.
  public let subjectName: String
  /// The subject's digest.
  public let subjectDigest: Digest
  /// What it says about the artifact.
  let predicate: Predicate

  /// What a statement can say.
  enum Predicate: Sendable {
    case file(FilePredicate)
    case directory(DirectoryPredicate)
    case module(ModulePredicate)
    case hostManifest(HostManifestPredicate)
    case foreign(PredicateType, JSONValue)
  }

  /// What it says where its type is `urn:signet:file:v1`, whose subject is a file's raw bytes; otherwise nil.
  public var file: FilePredicate? {
    if case .file(let predicate) = predicate { predicate } else { nil }
  }

  /// What it says where its type is `urn:signet:directory:v1`, whose subject is the listing in it; otherwise nil.
  public var directory: DirectoryPredicate? {
    if case .directory(let predicate) = predicate { predicate } else { nil }
  }

  /// What it says where its type is `urn:signet:module:v1`, whose subject is an archive without its signing block;
  /// otherwise nil.
  public var module: ModulePredicate? {
    if case .module(let predicate) = predicate { predicate } else { nil }
  }

  /// What it says where its type is `urn:signet:host-manifest:v1`, whose subject is a file's raw bytes; otherwise nil.
  public var hostManifest: HostManifestPredicate? {
    if case .hostManifest(let predicate) = predicate { predicate } else { nil }
  }

  /// What it says where its type is another program's, as it stands and not looked into; otherwise nil.
  public var foreignPredicate: JSONValue? {
    if case .foreign(_, let value) = predicate { value } else { nil }
  }

  /// The URI that names the predicate's meaning.
  public var predicateType: PredicateType {
    switch predicate {
    case .file: .file
    case .directory: .directory
    case .module: .module
    case .hostManifest: .hostManifest
    case .foreign(let type, _): type
    }
  }

  /// The subject's tree digest; nil where its type has none.
  var subjectTree: FSVerityDigest? {
    switch predicate {
    case .file(let file): file.fsverity
    case .module(let module): module.archive.fsverity
    case .directory, .hostManifest, .foreign: nil
    }
  }

  /// When the signer says it was made; nil where its type is another program's.
  public var signedAt: UnixTime? {
    switch predicate {
    case .file(let file): file.signedAt
    case .directory(let directory): directory.signedAt
    case .module(let module): module.signedAt
    case .hostManifest(let manifest): manifest.signedAt
    case .foreign: nil
    }
  }

  /// After this it no longer holds; nil where it has no end, or its type is another program's.
  public var notAfter: UnixTime? {
    switch predicate {
    case .file(let file): file.notAfter
    case .directory(let directory): directory.notAfter
    case .module(let module): module.notAfter
    case .hostManifest(let manifest): manifest.notAfter
    case .foreign: nil
    }
  }

  static let typeV1 = "https://in-toto.io/Statement/v1"
  static let typeV01 = "https://in-toto.io/Statement/v0.1"

  /// A statement about a file.
  init(file name: String, digest: Digest, _ predicate: FilePredicate) {
    precondition(digest.algorithm == .sha256)
    subjectName = name
    subjectDigest = digest
    self.predicate = .file(predicate)
  }

  /// A statement about a directory, whose digest is that of the listing.
  init(directory name: String, _ predicate: DirectoryPredicate) {
    subjectName = name
    subjectDigest = predicate.listing.digest
    self.predicate = .directory(predicate)
  }

  /// A statement about a module's archive, whose digest is that without the signing block.
  init(module name: String, digest: Digest, _ predicate: ModulePredicate) {
    precondition(digest.algorithm == .sha256)
    subjectName = name
    subjectDigest = digest
    self.predicate = .module(predicate)
  }

  /// A statement about a host's manifest.
  init(hostManifest name: String, digest: Digest, _ predicate: HostManifestPredicate) {
    precondition(digest.algorithm == .sha256)
    subjectName = name
    subjectDigest = digest
    self.predicate = .hostManifest(predicate)
  }

  /// The canonical JSON text, which is what gets signed; the same statement always gives the same bytes.
  ///
  /// - Throws: `json.number` when a foreign predicate has numbers without a canonical form.
  public func canonicalBytes() throws(SignetError) -> [UInt8] {
    let content =
      switch predicate {
      case .file(let file): file.json
      case .directory(let directory): directory.json
      case .module(let module): module.json
      case .hostManifest(let manifest): manifest.json
      case .foreign(_, let value): value
      }
    return try CanonicalJSON.write(
      .object(
        ("_type", .string(Self.typeV1)), ("predicateType", .string(predicateType.uri)), ("predicate", content),
        (
          "subject",
          .array([
            .object(("name", .string(subjectName)), ("digest", .object(("sha256", .string(subjectDigest.hex)))))
          ])
        )))
  }
}
