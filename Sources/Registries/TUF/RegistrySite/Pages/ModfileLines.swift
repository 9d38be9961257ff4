internal import ModuleCatalog
internal import Signet
internal import SignetBase

/// The lines of a `Modfile` that ask for a module (docs/modfile.md).
///
/// The source has to cover what the module requires, too, and what that requires: an installation asks no other source. What is
/// required is named module by module. The patterns of its publishers would let the registry serve more than is needed, also
/// what the Modfile has from elsewhere.
struct ModfileLines {
  /// The lines.
  let lines: [String]
  /// The modules that are required and that the registry does not have, in the order of their identifiers.
  let missing: [ModuleIdentifier]
  /// Whether more is required than the lines name.
  let areIncomplete: Bool

  /// The most required modules that are followed. One publisher must not make the pages of all others slow.
  private static let limit = 100
  /// The most bytes of the source's line: a page shows no longer text.
  private static let lengthLimit = 3000

  init(_ module: VerifiedRegistry.Module, in content: VerifiedRegistry, at address: RegistryAddress?) {
    let own = module.patterns.compactMap { ModulePattern($0) }
    var required: [ModuleIdentifier] = []
    var missing: [ModuleIdentifier] = []
    var seen: Set = [module.identifier]
    var waiting = module.required
    while let next = waiting.popLast(), seen.count <= Self.limit {
      guard seen.insert(next).inserted else { continue }
      guard let other = content.byIdentifier[next] else {
        missing.append(next)
        continue
      }
      if !own.contains(where: { $0.covers(next) }) { required.append(next) }
      waiting += other.required
    }
    self.missing = Self.sorted(missing)
    var areIncomplete = seen.count > Self.limit
    var lines: [String] = []
    if let address {
      func line(_ names: [String]) -> String {
        let words = names.map { "'\($0)'" }.joined(separator: ", ")
        return "source 'registry', '\(address.url)', modules: " + (names.count == 1 ? words : "[\(words)]")
      }
      let whole = line(module.patterns + Self.sorted(required).map(\.description))
      areIncomplete = areIncomplete || whole.utf8.count > Self.lengthLimit
      lines.append(areIncomplete ? line(module.patterns) : whole)
    }
    lines.append("module '\(module.identifier)', '\(module.version.compatibleVersions)'")
    self.lines = lines
    self.areIncomplete = areIncomplete
  }

  private static func sorted(_ modules: [ModuleIdentifier]) -> [ModuleIdentifier] {
    modules.sorted { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
  }
}
