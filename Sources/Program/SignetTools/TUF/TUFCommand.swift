internal import ArgumentParser

struct TUFCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tuf",
    abstract: "Fetch files from a repository of The Update Framework.",
    discussion: """
      A client for any repository of The Update Framework (TUF). Nobody needs to trust the server: only what the keys \
      of the repository's roles have signed is accepted, fresh and without rollback.

      Examples:
        signet tuf init --metadata-dir trusted root.json
        signet tuf refresh --metadata-dir trusted \\
            --metadata-url https://example.com/metadata/
        signet tuf download --metadata-dir trusted \\
            --metadata-url https://example.com/metadata/ \\
            --target-base-url https://example.com/targets/ \\
            --target-dir . tools/player.zip
      """,
    subcommands: [TUFInitCommand.self, TUFRefreshCommand.self, TUFDownloadCommand.self])
}
