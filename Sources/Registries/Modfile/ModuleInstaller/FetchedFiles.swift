internal import Signet

/// What was fetched of a module that a lock names: the files in the cache, and how its source describes it.
enum FetchedFiles: Sendable {
  /// The module's archive, the bundles beside it, and its provenance if the release has sources.
  case binary(archive: String, bundles: String?, provenance: String?, waiver: String?, ModuleDescription)
  /// The source archive and its provenance.
  case source(archive: String, provenance: String, waiver: String?, ModuleDescription)
  /// What a spec describes, in one of its forms.
  case specified(SpecifiedModule)

  /// The file with a statement that lets the release have less than the one before it; nil for none.
  var waiver: String? {
    switch self {
    case .binary(_, _, _, let waiver, _), .source(_, _, let waiver, _): waiver
    case .specified: nil
    }
  }
}
