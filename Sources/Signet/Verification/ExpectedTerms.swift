internal import SignetCrypto

/// What a statement must be, whatever the proof.
struct ExpectedTerms {
  let name: String
  let predicateType: PredicateType
  /// Whether a statement of one of Signet's own types is expected.
  let isOwn: Bool
  /// What the artifact is taken for.
  let role: ArtifactRole
  /// The host a manifest must be for, and the least sequence it must have.
  var host: (identifier: ModuleIdentifier, leastSequence: Int)?

  /// The module that is expected, and the least sequence it must have.
  var module: (identifier: ModuleIdentifier?, leastSequence: Int)?
  /// Whether it is the directory that a module was unpacked into, and not the module's archive.
  var isUnpacked = false
  /// The digests of the file it was unpacked from, where those are not what is signed.
  var unpackedFile: FileDigests?
  /// Whether the flat and the tree digest both have to be compared.
  var establishesBothDigests = false

  /// A file signed by Signet.
  static func file(named name: String, as role: ArtifactRole) -> ExpectedTerms {
    ExpectedTerms(name: name, predicateType: .file, isOwn: true, role: role.named(name))
  }

  /// A module's archive.
  static func module(
    _ identifier: ModuleIdentifier?, at uri: ModuleURI?, leastSequence: Int, named name: String
  ) -> ExpectedTerms {
    var terms = ExpectedTerms(name: name, predicateType: .module, isOwn: true, role: ArtifactRole(uri: uri))
    terms.module = (identifier, leastSequence)
    return terms
  }

  /// What the artifact is taken for before any statement was read; nil where only the statement says that.
  var knownRole: ArtifactRole? { module == nil ? role : nil }

  /// What the artifact is taken for once a statement was read.
  func role(by statement: Statement) -> ArtifactRole {
    guard module != nil, let description = statement.module?.module else { return role }
    return ArtifactRole(module: description.identifier, uri: role.uri)
  }

  /// Whether the artifact has to be a directory.
  var isAboutDirectory: Bool { isOwn && predicateType == .directory || isUnpacked }
  /// Whether the artifact has to be an archive.
  var isAboutArchive: Bool { module != nil && !isUnpacked }
  /// The steps that are taken with each bundle.
  var steps: [Check.Step] { isOwn ? Check.Step.ofBundle(predicateType) : Check.Step.ofBundle }
}
