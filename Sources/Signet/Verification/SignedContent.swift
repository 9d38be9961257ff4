/// What a statement says of the content of an artifact, where the artifact can be that.
enum SignedContent {
  /// A file's bytes.
  case file(FilePredicate)
  /// What a directory holds.
  case directory(DirectoryPredicate)
  /// A module's archive.
  case module(ModulePredicate)
  /// The directory that a module's archive was unpacked into.
  case unpacked(ModulePredicate)
  /// The bytes of a host's manifest.
  case hostManifest(HostManifestPredicate)
  /// A file's bytes, about which another program says something.
  case foreign

  /// Brings both together; nil where the statement is about something else, or of another type than is expected.
  init?(_ statement: Statement, _ terms: ExpectedTerms, _ artifact: HashedArtifact) {
    guard statement.predicateType == terms.predicateType, statement.predicateType.isOwn == terms.isOwn else {
      return nil
    }
    let isDirectory = artifact.artifact.directory != nil
    let isFile = !isDirectory && !terms.isAboutArchive
    switch statement.predicate {
    case .file(let file) where isFile: self = .file(file)
    case .directory(let directory) where isDirectory && !terms.isUnpacked: self = .directory(directory)
    case .module(let module) where isDirectory && terms.isUnpacked: self = .unpacked(module)
    case .module(let module) where !isDirectory && terms.isAboutArchive: self = .module(module)
    case .hostManifest(let manifest) where isFile: self = .hostManifest(manifest)
    case .foreign where isFile: self = .foreign
    case .file, .directory, .module, .hostManifest, .foreign: return nil
    }
  }
}
