internal import ArgumentParser
internal import SignetCLI

/// The folder with the trusted metadata.
struct MetadataFolderOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The directory of the trusted metadata.", valueName: "dir"),
    completion: .directory)
  var metadataDir: String
}
