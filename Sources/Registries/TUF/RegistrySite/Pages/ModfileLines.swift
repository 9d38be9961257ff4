internal import ModuleCatalog
internal import Signet
internal import SignetBase

/// The lines of a `Modfile` that ask for a module (docs/modfile.md).
struct ModfileLines {
  /// The lines.
  let lines: [String]

  init(_ module: VerifiedRegistry.Module, at address: RegistryAddress?) {
    var lines: [String] = []
    if let address {
      let patterns = module.patterns.map { "'\($0)'" }.joined(separator: ", ")
      lines.append(
        "source 'registry', '\(address.url)', modules: " + (module.patterns.count == 1 ? patterns : "[\(patterns)]"))
    }
    lines.append("module '\(module.identifier)', '\(module.version.compatibleVersions)'")
    self.lines = lines
  }
}
