internal import ArgumentParser
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI

/// Where the repositories of specs are kept that a user has added.
struct SpecRepositoryOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory for repositories. By default signet/specs in $XDG_DATA_HOME, or in ~/.local/share.",
      valueName: "dir"),
    completion: .directory)
  var specs: String?

  /// The repositories.
  ///
  /// - Throws: `spec-repo.place` if there is no place for them.
  func repositories() throws(SignetError) -> SpecRepositories {
    SpecRepositories(try path(), git: Self.git)
  }

  /// The program git, with the user's variables for it.
  static var git: SpecGit { SpecGit { ProcessEnvironment.value($0) } }

  private func path() throws(SignetError) -> String {
    if let specs { return specs }
    // Paths that are not absolute do not count (XDG Base Directory Specification).
    if let base = ProcessEnvironment.value("XDG_DATA_HOME"), base.utf8.first == UInt8(ascii: "/") {
      return base + "/signet/specs"
    }
    guard let home = ProcessEnvironment.value("HOME"), home.utf8.first == UInt8(ascii: "/") else {
      throw SignetError(
        .specRepositoryPlace, "the directory for repositories", "has no place, because HOME is not set",
        hint: "name a directory: --specs DIR")
    }
    return home + "/.local/share/signet/specs"
  }
}

/// The policy by which each spec of a repository must be signed.
struct SpecPolicyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Refuse specs that this trust policy does not accept.", valueName: "path"),
    completion: .file())
  var policy: String?

  @OptionGroup var pin: PolicyPinOptions

  func validate() throws {
    try pin.check(policy)
  }

  /// The verifier for the policy; nil if none was named.
  func verifier() throws(SignetError) -> Verifier? {
    guard let policy else { return nil }
    return Verifier(policy: try pin.policy(policy, allowsTestKeys: false), clock: .system)
  }
}
