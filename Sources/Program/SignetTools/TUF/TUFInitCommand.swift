internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

struct TUFInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Begin to trust a repository by its root metadata.",
    discussion: """
      Copies the root into the directory, which is made if it is missing. Requests nothing. Get the root from the \
      repository's publisher by a way that you trust, as you would a public key. It must be signed by its own keys; \
      it may have expired, because newer roots follow from it. A root that is there already is never replaced.

      Examples:
        signet tuf init --metadata-dir trusted root.json
        signet tuf init --metadata-dir trusted root.json --root-sha256 HEX
      """)

  @Argument(help: "The root metadata.", completion: .file())
  var root: String

  @OptionGroup var folder: MetadataFolderOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The root's SHA-256. Only this root is accepted, no matter who owns or can write its file.", valueName: "hex"))
  var rootSha256: SHA256Argument?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("tuf init", about: root, on: console) { (run) throws(SignetError) in
      let bytes = try FirstRoot.read(root, pin: rootSha256)
      let role = try begin(bytes)
      let digest = try Digest.of(bytes, .sha256)
      let entry = JSONValue.object(
        ("file", .string(folder.metadataDir)), ("verdict", .string("begun")), ("root", role.facts),
        ("sha256", .string(digest.hex)))
      try run.did(
        entry,
        "\(Console.good()) begun  \(folder.metadataDir.display)", "  root     \(role.words)",
        "  signed   by \(role.root.threshold) or more of \(Set(role.root.keyIDs).count) keys",
        "  sha256   \(digest.hex)")
    }
  }

  private func begin(_ bytes: [UInt8]) throws(SignetError) -> RootRole {
    let role = try TrustedRoot(bytes, name: root).role
    do throws(SignetError) {
      try TrustedMetadataFolder(folder.metadataDir).begin(with: bytes)
    } catch  where error.code == .outputExists {
      throw SignetError(
        .outputExists, folder.metadataDir, "has another trusted root already",
        hint: "choose another directory, or remove this one to begin anew")
    }
    return role
  }
}
