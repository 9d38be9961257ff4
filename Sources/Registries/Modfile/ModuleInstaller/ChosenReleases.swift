internal import ModuleResolver
internal import Signet
internal import SignetBase

/// The releases that an installation has chosen, and the host that they are for.
///
/// A registry's index has what a release requires. A spec may leave it to the module's description, which is there only
/// when the module is. So it is compared then.
struct ChosenReleases: Sendable {
  let modfile: Modfile
  let lock: ModuleLock

  /// Checks that everything that a module requires was chosen.
  ///
  /// - Parameter name: what messages call the module.
  /// - Throws: `install.unmet`.
  func check(_ module: ModuleDescription, called name: String) throws(SignetError) {
    if let range = module.requirements.host, !modfile.supports(range) {
      throw SignetError(
        .installUnmet, name, "requires another host", expected: "host \(range)",
        found: modfile.host.map { "host \($0)" },
        hint: "let the Modfile accept another release of \(module.identifier)")
    }
    for required in module.requirements.modules {
      let version = lock[required.identifier]?.version
      if let version, required.versions.contains(version) { continue }
      throw SignetError(
        .installUnmet, name, "requires a module that was not chosen",
        expected: "\(required.identifier) \(required.versions)",
        found: version.map { "\(required.identifier) \($0)" } ?? "no \(required.identifier)",
        hint: "let the Modfile demand \(required.identifier) in these versions, or another release of "
          + "\(module.identifier)")
    }
  }
}
