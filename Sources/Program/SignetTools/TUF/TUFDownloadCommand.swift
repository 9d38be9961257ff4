internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem
internal import SignetTUF

struct TUFDownloadCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Download targets of a repository.",
    discussion: """
      Refreshes the metadata, then finds each target in it and downloads it, in this order. Stops at the first target \
      that fails. A file is named after its target: characters other than letters, digits, _ . - ~ are \
      percent-encoded. A file that already is what the repository offers is not fetched again.

      What the metadata verifies is that the repository offers these bytes under this name. Whether a module or a \
      release is signed, verify with signet verify.

      Example:
        signet tuf download --metadata-dir trusted \\
            --metadata-url https://example.com/metadata/ \\
            --target-base-url https://example.com/targets/ \\
            --target-dir . tools/player.zip
      """)

  @Argument(help: "The targets, as the repository names them.")
  var name: [String]

  @OptionGroup var repository: RepositoryOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The URL of the targets. Give it once, or once for each --metadata-url.", valueName: "url"))
  var targetBaseUrl: [String]

  @Option(
    name: .long, help: ArgumentHelp("The directory to write the files to.", valueName: "dir"),
    completion: .directory)
  var targetDir: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard targetBaseUrl.count == 1 || targetBaseUrl.count == repository.metadataUrl.count else {
      throw ValidationError("Give --target-base-url once, or once for each --metadata-url, in the same order.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let folder = repository.folder.metadataDir
    return try CommandRun.judging("tuf download", about: folder, on: console) { (run) throws(SignetError) in
      let client = try repository.client(targetURLs: targetBaseUrl)
      _ = try Directory(opening: targetDir)
      // Each name is told with its own fault, and the refresh with that of the folder.
      var subject = folder
      let outcome = Result { () throws(SignetError) in
        try client.refresh()
        for name in name {
          subject = name
          try download(name, client, &run)
        }
      }
      run.note(client.complaints, of: folder)
      if case .failure(let error) = outcome {
        if error.code == .standardOutput { throw error }
        run.ended(subject, error)
      }
    }
  }

  private func download(_ name: String, _ client: TUFClient, _ run: inout CommandRun) throws(SignetError) {
    guard let target = try client.target(name) else {
      throw SignetError(
        .tufNoTarget, name, "is not offered by the repository", hint: "check the name, as its publisher writes it")
    }
    let path = try client.download(target, to: targetDir)
    let entry = JSONValue.object(
      ("file", .string(name)), ("verdict", .string("downloaded")), ("path", .string(path)),
      ("size", .integer(target.file.length)), ("role", .string(target.role)))
    try run.did(entry, "\(Console.good()) downloaded  \(name.display)", "  file        \(path.display)")
  }
}
