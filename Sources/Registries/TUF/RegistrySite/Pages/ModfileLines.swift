internal import ModuleCatalog
internal import Signet
internal import SignetBase

/// The lines of a `Modfile` that ask for a module (docs/modfile.md).
///
/// The source has to cover what the module requires, too, and what that requires: an installation asks no other source.
struct ModfileLines {
  /// The lines.
  let lines: [String]
  /// The modules that are required and that the registry does not have, in the order of their identifiers.
  let missing: [ModuleIdentifier]

  /// The most modules that are followed. More of them cannot be installed at once.
  private static let limit = 10_000

  init(_ module: VerifiedRegistry.Module, in content: VerifiedRegistry, at address: RegistryAddress?) {
    var patterns = module.patterns
    var missing: [ModuleIdentifier] = []
    var seen: Set = [module.identifier]
    var waiting = module.required
    while let next = waiting.popLast(), seen.count < Self.limit {
      guard seen.insert(next).inserted else { continue }
      guard let other = content.byIdentifier[next] else {
        missing.append(next)
        continue
      }
      for pattern in other.patterns where !patterns.contains(where: { $0.isExactly(pattern) }) {
        patterns.append(pattern)
      }
      waiting += other.required
    }
    self.missing = missing.sorted { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
    var lines: [String] = []
    if let address {
      let words = patterns.map { "'\($0)'" }.joined(separator: ", ")
      lines.append("source 'registry', '\(address.url)', modules: " + (patterns.count == 1 ? words : "[\(words)]"))
    }
    lines.append("module '\(module.identifier)', '\(module.version.compatibleVersions)'")
    self.lines = lines
  }
}
