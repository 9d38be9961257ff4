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
      let bytes = try read()
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

  private func read() throws(SignetError) -> [UInt8] {
    let limit = TUFLimits.standard.root
    guard let pin = rootSha256?.digest else {
      do throws(SignetError) {
        return try TrustedContent.read(root, limit: limit).withBytes { Array(copying: $0) }
      } catch  where error.code == .fileOthersMayWrite {
        var error = error
        error.hint = "name the root by its digest, too, once you know which is right: --root-sha256 HEX"
        throw error
      }
    }
    let bytes = try TrustedContent.readPinned(root, limit: limit).withBytes { Array(copying: $0) }
    let found = try Digest.of(bytes, .sha256)
    guard found == pin else {
      throw SignetError(
        .tufRootPinMismatch, root, "does not have the SHA-256 that was given", expected: pin.hex, found: found.hex,
        hint: "get the root and its digest from the repository's publisher")
    }
    return bytes
  }
}

extension SignetError.Code {
  /// The first root is not the one that was named by its digest.
  static let tufRootPinMismatch = Self("tuf.root-pin-mismatch", .refusal)
}
