internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetTUF

struct TUFRefreshCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Update the trusted metadata of a repository.",
    discussion: """
      Fetches newer roots, the timestamp, the snapshot and the top-level targets, and verifies each. What was verified \
      before a failure stays. A mirror that fails, lies, lags or stalls is named, and the next one is asked.

      Examples:
        signet tuf refresh --metadata-dir trusted \\
            --metadata-url https://example.com/metadata/
        signet tuf refresh --metadata-dir trusted \\
            --metadata-url https://a.example/tuf/ \\
            --metadata-url https://b.example/tuf/
      """)

  @OptionGroup var repository: RepositoryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let place = repository.folder.metadataDir
    return try CommandRun.judging("tuf refresh", about: place, on: console) { (run) throws(SignetError) in
      let client = try repository.client()
      let refreshed = Result { () throws(SignetError) in try client.refresh() }
      run.note(client.complaints, of: place)
      try refreshed.get()
      if let targets = client.targets {
        let entry = JSONValue.object(
          ("file", .string(place)), ("verdict", .string("refreshed")), ("roles", targets.facts))
        try console.result(["\(Console.good()) refreshed  \(place.display)"] + targets.lines)
        run.did([entry])
      }
    }
  }
}
