internal import ArgumentParser
package import Signet
package import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

struct TrustWaiveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "waive",
    abstract: "Let one release have less than the one before it.",
    discussion: """
      Stores and installations refuse a release with fewer signers, timestamps or attestations than the one before it, or \
      with other signers: a stolen account looks like that. Where it is meant, the signers of the release before say so. Each \
      of them runs this command with the same reason, and adds a signature to the waiver, a file that is named after the \
      archive. Whoever installs the release names the waiver.

      To replace a key for good, use signet trust rotate.

      Examples:
        signet trust waive player.zip --key old \\
            --reason 'Ann has left the project'
        signet store install player.zip --store modules --policy trust.json \\
            --waiver player.zip.waiver
      """)

  @Argument(help: "The archive of the module's release.", completion: .file())
  var file: String

  @Option(name: .long, help: ArgumentHelp("Why, for those who install it.", valueName: "text"))
  var reason: String

  @OptionGroup var key: SigningKeyOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The key's certificate and its issuers' certificates, in any order.", valueName: "certificates"),
    completion: .file())
  var certificate: String?

  @Option(
    name: .long, help: ArgumentHelp("The waiver. By default FILE.waiver.", valueName: "path"), completion: .file())
  var out: String?

  @Flag(name: .long, help: "Allow a published test key, whose private half is public.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let path = out ?? file + ".waiver"
    return try CommandRun.making("trust waive", about: file, on: console) { (run) throws(SignetError) in
      let input = try InputArtifact(opening: file)
      let module = try ModuleToSign(input.artifact)
      let certificates =
        try certificate.map { (path) throws(SignetError) in try Certificate.all(inTrustedFile: path) } ?? []
      let signer = try Signer(key.source.privateKey(allowsTestKeys: allowTestKeys), certificates: certificates)
      let lock = try ChangeLock(beside: path)
      defer { withExtendedLifetime(lock) {} }
      let isNew = FileStatus.identities(of: [path]).isEmpty
      let before = isNew ? nil : try WaiverFile.read(path)
      let waiver = try signer.waive(module, reason: reason, addingTo: before)
      let inputs = FileStatus.identities(of: key.files + [file] + (certificate.map { [$0] } ?? []))
      try Interruption.held { () throws(SignetError) in
        try OutputFile.write(waiver.text, to: path, isNew ? .keep : .replace(unless: inputs))
      }
      try run.did(
        .object(
          ("file", .string(path)), ("verdict", .string("waived")), ("module", .string("\(waiver.module)")),
          ("sequence", .integer(waiver.sequence)), ("signer", .string("\(signer.publicKey.id)"))),
        "\(Console.good()) waived  \(path.display)", "  module  \(waiver.module), sequence \(waiver.sequence)",
        "  by      \(signer.publicKey.id)", "  reason  \(waiver.reason.display)")
    }
  }
}

/// Files with waivers.
package enum WaiverFile {
  /// Reads a waiver from anybody. Nothing is verified yet.
  ///
  /// - Throws: `continuity.waiver`, `file.…`.
  package static func read(_ path: String) throws(SignetError) -> ContinuityWaiver {
    let content = try TrustedContent.readPinned(path, limit: ContinuityWaiver.sizeLimit + 1)
    do throws(SignetError) {
      return try ContinuityWaiver(reading: content.withBytes { Array(copying: $0) })
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }
}
