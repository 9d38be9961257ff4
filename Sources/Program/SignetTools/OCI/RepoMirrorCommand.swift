internal import ArgumentParser
internal import ModuleImages
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetOCI

struct RepoMirrorCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "mirror",
    abstract: "Copy a registry of modules into an OCI registry.",
    discussion: """
      Uploads the metadata and all targets. Clients see the new state in one moment, when everything is there. Run it \
      after each signet repo refresh: only what is new is uploaded.

      Clients read it from there with oci://HOST/NAME as the source of a Modfile, or as --metadata-url and \
      --target-base-url of signet tuf. They verify it as from any other mirror.

      Example:
        signet repo mirror registry oci://registry.example.com/modules
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @Argument(
    help: "Where to put it: oci://HOST/NAME or oci-layout:DIRECTORY.", completion: OCIPlace.starts,
    transform: OCIPlace.argument)
  var place: OCIPlace

  @OptionGroup var registry: RegistryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if place.manifest != nil { throw ValidationError("Name a place without tag and digest.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo mirror", about: directory, on: console) { (run) throws(SignetError) in
      let tally = try RepositoryImage(directory, to: registry.open(place, isMade: true)).push()
      try console.result(
        "\(Console.good()) mirrored  \(directory.display)", "  to        \(place)",
        "  metadata  \(tally.metadata.of("file", "files"))",
        "  targets   \(tally.targets), \(tally.newTargets) of them new")
      run.did([
        .object(
          ("file", .string(directory)), ("verdict", .string("mirrored")),
          ("place", .string("\(place)")), ("metadata", .integer(tally.metadata)),
          ("targets", .integer(tally.targets)), ("newTargets", .integer(tally.newTargets)))
      ])
    }
  }
}
