internal import ArgumentParser
internal import Signet
internal import SignetBase

/// What a statement says of an artifact, besides its digests.
struct StatementOptions: ParsableArguments {
  @Option(name: .long, help: "The name in the statement (one file or directory only). Default: the base name.")
  var name: String?

  @Option(
    name: .long,
    help: ArgumentHelp("When the statement expires: a time, or the last day in UTC.", valueName: "time"))
  var notAfter: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Sign the file as the manifest of this host (one file only).", valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var hostManifest: ModuleIdentifier?

  @Option(
    name: .long,
    help: ArgumentHelp("The manifest's sequence number, greater than that of the one before.", valueName: "number"))
  var sequence: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Sign as a file or as a module. Default: an archive with a module.json at its root is a module.",
      valueName: "kind"
    ))
  var `as`: SignedKindOption?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest sequence of the module that hosts may fall back to.", valueName: "number"))
  var minimumSequence: Int?

  func validate() throws {
    guard hostManifest != nil || sequence == nil else {
      throw ValidationError("--sequence goes with --host-manifest.")
    }
    try HostManifestOptions.checkSequence(sequence, "--sequence")
    try KindOption.checkOptions(`as`?.kind, hostManifest: hostManifest, type: nil)
    try HostManifestOptions.checkSequence(minimumSequence, "--minimum-sequence")
    if let notAfter, TimeArgument.end(notAfter) == nil {
      throw ValidationError("--not-after takes \(TimeArgument.form).")
    }
  }

  /// How a host's manifest is signed; nil for anything else.
  var manifest: HostManifestOptions? { hostManifest.map { HostManifestOptions(identifier: $0, sequence: sequence) } }

  /// The time after which the statement no longer holds; nil if it has no end.
  var end: UnixTime? { notAfter.flatMap { TimeArgument.end($0) } }
}
