internal import SignetArchive
internal import SignetBase
internal import SignetCrypto

/// What is expected of an artifact: one kind, or whichever of two its statement says.
enum ExpectedKind {
  /// This one.
  case one(ExpectedTerms)
  /// A file or a module.
  case fileOrModule(file: ExpectedTerms, module: ExpectedTerms)

  /// Every kind that will do.
  var kinds: [ExpectedTerms] {
    switch self {
    case .one(let terms): [terms]
    case .fileOrModule(let file, let module): [file, module]
    }
  }

  private var first: ExpectedTerms {
    switch self {
    case .one(let terms): terms
    case .fileOrModule(let file, _): file
    }
  }

  /// What messages and, but for modules, statements call the artifact.
  var name: String { first.name }
  /// What the artifact is taken for before any statement was read; nil where only the statement says that.
  var knownRole: ArtifactRole? {
    if case .one(let terms) = self { terms.knownRole } else { nil }
  }
  /// Whether the artifact has to be a directory.
  var isAboutDirectory: Bool { first.isAboutDirectory }
  /// The digests of the file that a module was unpacked from.
  var unpackedFile: FileDigests? { first.unpackedFile }
  /// The steps that are taken with each bundle, before its statement says otherwise.
  var steps: [Check.Step] { first.steps }

  /// What a statement has to be.
  func terms(for statement: Statement) -> ExpectedTerms {
    if case .fileOrModule(_, let module) = self, statement.module != nil { module } else { first }
  }

  /// The same, with both digests established whatever the policy says.
  func establishingBothDigests() -> ExpectedKind {
    func establishing(_ terms: ExpectedTerms) -> ExpectedTerms {
      var terms = terms
      terms.establishesBothDigests = true
      return terms
    }
    switch self {
    case .one(let terms): return .one(establishing(terms))
    case .fileOrModule(let file, let module):
      return .fileOrModule(file: establishing(file), module: establishing(module))
    }
  }

  /// What is expected of an artifact that looks like this: a bounded look, at the first bytes and a ZIP's end.
  ///
  /// - Throws: `file.is-directory`, `file.changed`, `file.read-failed`.
  func narrowed(to artifact: Artifact) throws(SignetError) -> ExpectedKind {
    guard case .fileOrModule(let file, let module) = self else { return self }
    return switch try ModuleGuess.kind(of: artifact.source()) {
    case .file: .one(file)
    case .module: .one(module)
    case .archive: self
    }
  }

  /// The archive that the artifact has to be, or may be; with a signing block it has to be a module from then on.
  ///
  /// - Throws: why it is none, where it has to be one; what reading throws.
  mutating func openArchive(
    in artifact: Artifact, _ limits: ArchiveLimits
  ) throws(SignetError) -> (file: ArchiveFile?, failure: SignetError?) {
    let mustBe = first.isAboutArchive
    guard mustBe || kinds.contains(where: \.isAboutArchive) else { return (nil, nil) }
    do throws(SignetError) {
      let archive = try ArchiveFile(artifact.source(), limits: limits)
      if archive.block != nil, case .fileOrModule(_, let module) = self { self = .one(module) }
      return (archive, nil)
    } catch {
      guard !mustBe, !error.isAboutReading else { throw error }
      return (nil, error)
    }
  }
}
