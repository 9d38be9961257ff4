internal import ArgumentParser
internal import ModuleInstaller
internal import Signet
internal import SignetBase
internal import SignetCLI

/// What lets releases be younger than the minimum age.
struct AgeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Let this release be younger than the minimum age. Repeatable.", valueName: "module@version"))
  var allowNew: [String] = []

  func validate() throws {
    for text in allowNew where NamedRelease(text) == nil {
      throw ValidationError("--allow-new takes \(NamedRelease.form).")
    }
  }

  /// The releases that are named.
  var named: [NamedRelease] { allowNew.compactMap { NamedRelease($0) } }
}

/// What lets releases have less than the ones before them.
struct ContinuityOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A statement by the signers of the release before (signet trust waive). Repeatable.", valueName: "file"),
    completion: .file())
  var waiver: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("Let this release have less than the one before it. Repeatable.", valueName: "module@version"))
  var allowLess: [String] = []

  func validate() throws {
    for text in allowLess where NamedRelease(text) == nil {
      throw ValidationError("--allow-less takes \(NamedRelease.form).")
    }
  }

  /// The releases that are named.
  var named: [NamedRelease] { allowLess.compactMap { NamedRelease($0) } }

  private func waivers() throws(SignetError) -> [ContinuityWaiver] {
    try waiver.map { (path) throws(SignetError) in try WaiverFile.read(path) }
  }

  /// The exceptions for the modules of a Modfile.
  ///
  /// - Parameter age: which releases may be younger than the minimum age.
  /// - Throws: `file.…`; `continuity.waiver`.
  func ofModfile(_ age: AgeOptions) throws(SignetError) -> InstallExceptions {
    InstallExceptions(less: named, new: age.named, waivers: try waivers())
  }

  /// The exceptions for one module. A waiver of another one is told by its refusal.
  ///
  /// - Throws: `file.…`; `continuity.waiver`.
  func exceptions(for module: ModuleDescription) throws(SignetError) -> ContinuityExceptions {
    let waivers = try waivers()
    let own = waivers.last { $0.module == module.identifier && $0.sequence == module.sequence } ?? waivers.last
    return ContinuityExceptions(
      waiver: own?.text, isNamed: named.contains { $0.isOf(module.identifier, module.version) })
  }
}
