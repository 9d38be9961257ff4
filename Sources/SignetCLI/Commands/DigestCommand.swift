internal import ArgumentParser
internal import Signet
internal import SignetCrypto

struct DigestCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "Print the SHA-256 and the fs-verity digest of files.",
    discussion: """
      The fs-verity digest is the one of blocks of 4096 bytes without a salt, as fsverity digest prints it.

      Example:
        signet digest plugin.zip
      """)

  @Argument(help: "The files.", completion: .file())
  var file: [String]

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    var status = ExitStatus.done
    var entries: [JSONValue] = []
    for path in file {
      do throws(SignetError) {
        let file = try RegularFile(opening: path)
        let digests = try ProgressBar.show(path, size: file.size, console) { (counter) throws(SignetError) in
          try file.digests(progress: counter)
        }
        try console.result(
          "sha256    \(digests.sha256.hex)  \(path.display)", "fsverity  \(digests.fsverity)  \(path.display)")
        entries.append(Report.digests(path, digests))
      } catch  where error.code != .standardOutput {
        status = status.combined(with: .failed)
        console.complain("error", path, error)
        entries.append(Report.failed(path, error))
      }
    }
    if console.isJSON { try console.document(Report.document("digest", entries, status)) }
    return status
  }
}
