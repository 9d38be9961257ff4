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
    lines.append("module '\(module.identifier)', '\(Self.versions(module.version))'")
    self.lines = lines
  }

  /// The newest version and later ones that promise to work like it: those of the same major version, or of the same
  /// minor version before 1.0 (semver.org, item 4). Only a pre-release that is named is chosen.
  static func versions(_ version: SemanticVersion) -> String {
    let text = "\(version)".split(separator: "+", omittingEmptySubsequences: false)[0]
    if version.isPrerelease { return ">= \(text)" }
    let numbers = text.split(separator: ".")
    return numbers.first == "0" ? "~> \(text)" : "~> \(numbers.prefix(2).joined(separator: "."))"
  }
}
