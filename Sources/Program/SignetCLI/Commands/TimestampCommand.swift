internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetSystem
internal import Timestamping

struct TimestampCommand: ManyFiles {
  static let configuration = CommandConfiguration(
    commandName: "timestamp",
    abstract: "Have signatures stamped, to outlive certificates.",
    discussion: """
      An authority of timestamps (RFC 3161) states that a signature was there. A policy that trusts the authority then \
      judges the signature at that time: it counts when its certificate has ended, and not if the certificate was revoked \
      before.

      The authority gets the digest of the signature, and nothing of the file. Its token is verified before it is \
      added to the bundles beside each file, to those inside it, or to the bundles that you name in place of the file. \
      Bundles that have a timestamp are left as they are.

      Examples:
        signet timestamp plugin.zip \\
            --timestamp-url http://timestamp.example.com
        signet timestamp release/* --timestamp-authority tsa.pem \\
            --timestamp-url http://timestamp.example.com
      """)

  @Argument(help: "The files and directories whose signatures are stamped, or bundles.", completion: .file())
  var file: [String]

  @OptionGroup var timestamps: TimestampOptions

  @Flag(name: .long, help: "Add another timestamp where there is one.")
  var add = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if timestamps.timestampUrl.isEmpty { throw ValidationError("Name the authority: --timestamp-url URL.") }
    if file.contains(where: StandardInput.isMeant) {
      throw ValidationError("Standard input (-) has no bundle beside it: name the bundle.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    guard let stamper = try timestamps.stamper() else { return .usage }
    return try CommandRun.making("timestamp", about: file.first ?? "files", on: console) {
      (run) throws(SignetError) in
      let named = Set(file)
      var tally = Tally()
      for path in file {
        // A bundle is stamped with the file that it is about.
        if BundleFile.holdsBundles(path), let artifact = BundleFile.artifact(of: path), named.contains(artifact) {
          tally.count("signature file", "signature files", "skipped")
          run.did([Report.skipped(path)])
          continue
        }
        do throws(SignetError) {
          let target: StampingJob.Target = BundleFile.holdsBundles(path) ? .bundle(path) : .artifact(path)
          let outcome = try StampingJob(target: target, addsMore: add, stamper: stamper).run()
          let verdict = outcome.stamped.isEmpty ? "already stamped" : "stamped"
          tally.count(verdict)
          try console.result("\(Console.good()) \(verdict)  \(path.display)")
          try console.result(outcome.files.map { "  bundle   \($0.display)" })
          try console.result(outcome.stamped.map { "  by       \($0.words)" })
          run.did([Report.stamped(path, outcome)])
        } catch  where error.code != .standardOutput {
          tally.count("failed")
          run.ended(path, error)
        }
      }
      if file.count > 1 { try console.result(tally.line) }
    }
  }
}

extension BundleStamper.Stamped {
  /// Who has stamped, and when, for people.
  var words: String { "\(authority.display), \(time.minute)" }
}
