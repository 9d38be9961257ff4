internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct DigestCommand: ManyFiles {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "Print the SHA-256 and the fs-verity digest of files.",
    discussion: """
      Prints lines that sha256sum -c reads; lines that begin with # are comments. The fs-verity digest is computed \
      over blocks of 4096 bytes without a salt, like that of fsverity digest. For an archive with signatures in it, \
      the digests without the signatures come first: they are what is signed, and what a policy revokes.

      Examples:
        signet digest plugin.zip
        signet digest release/* > SHA256SUMS && sha256sum -c SHA256SUMS
      """)

  @Argument(help: "The files, or - for standard input.", completion: .file())
  var file: [String]

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws { try StandardInput.check(file, descriptors: []) }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("digest", about: file.first ?? "files", on: console) { (run) throws(SignetError) in
      for path in file {
        try run.trying(path) { (run) throws(SignetError) in
          let file = try StandardInput.isMeant(by: path) ? StandardInput.copy() : RegularFile(opening: path)
          let digests = try ProgressBar.show(path, size: file.size, console) {
            (counter) throws(SignetError) -> (signed: FileDigests?, file: FileDigests) in
            try Self.read(file, counter, console)
          }
          try console.result(Self.lines(digests, path))
          run.did([Report.digests(path, digests)])
        }
      }
    }
  }

  private static func read(
    _ file: RegularFile, _ counter: ProgressCounter, _ console: Console
  ) throws(SignetError) -> (signed: FileDigests?, file: FileDigests) {
    do throws(SignetError) {
      let digests = try SignedDigests(of: file, progress: counter)
      return digests.file.map { (digests.signed, $0) } ?? (nil, digests.signed)
    } catch  where error.code == .signatureMalformed {
      // The signed bytes cannot be determined, but the file has a digest all the same.
      console.note(
        "\(file.path.display): has a damaged signing block; these digests are the whole file's")
      return (nil, try file.digests(progress: counter))
    }
  }

  private static func lines(_ digests: (signed: FileDigests?, file: FileDigests), _ path: String) -> [String] {
    let name = path.display
    let signed = digests.signed.map { signed in
      [
        "# \(name) without its signing block, which is what is signed:", "#   sha256   \(signed.sha256.hex)",
        "#   fsverity \(signed.fsverity)", "# and as a whole:",
      ]
    }
    return (signed ?? []) + ["# fsverity \(digests.file.fsverity)  \(name)", sum(digests.file.sha256, path)]
  }

  /// A line as sha256sum writes it. A backslash at its start says that backslashes in the name replace characters that
  /// a line cannot have.
  private static func sum(_ digest: Digest, _ path: String) -> String {
    var name = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\\": name += "\\\\"
      case "\n": name += "\\n"
      case "\r": name += "\\r"
      default: name.unicodeScalars.append(scalar)
      }
    }
    // A program gets the name byte for byte, and a person gets nothing that moves the cursor.
    let shown = StandardStream.output.isTerminal ? name.visible : name
    return "\(name.utf8.count == path.utf8.count ? "" : "\\")\(digest.hex)  \(shown)"
  }
}
