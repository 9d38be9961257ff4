internal import Signet

/// What was fetched of a module that a lock names: the files in the cache, and how its source describes it.
enum FetchedFiles: Sendable {
  /// The module's archive, the bundles beside it, and its provenance if the release has sources.
  case binary(archive: String, bundles: String?, provenance: String?, ModuleDescription)
  /// The source archive and its provenance.
  case source(archive: String, provenance: String, ModuleDescription)
  /// What a spec describes, in one of its forms.
  case specified(SpecifiedModule)
}
