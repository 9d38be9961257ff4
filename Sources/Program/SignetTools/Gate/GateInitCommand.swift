internal import ArgumentParser
internal import ReleaseGate
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

struct GateInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Begin a release policy from what a folder holds.",
    discussion: """
      The policy trusts the keys that you give, for what the folder seems to hold. Its `review` lists what a person has \
      to look at. As long as there is a line in it, the policy lets nothing pass. Correct the policy, and remove each \
      line once you have done what it says. If you have done it all before, say --reviewed: the policy then has no such \
      lines, and the command shows what you have vouched for.

      Examples:
        signet gate init release --key publisher.pub --out release.json
        signet gate init release --key publisher.pub --reviewed \\
            --out release.json
      """)

  @Argument(help: "The folder of the release.", completion: .directory)
  var folder: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A public key that the policy trusts: its file, or the key as text. Repeatable.",
      valueName: "key"), completion: .file())
  var key: [String] = []

  @Option(
    name: .long, help: ArgumentHelp("Where to write the policy. It is not below the folder.", valueName: "path"),
    completion: .file())
  var out: String

  @Flag(
    name: .long,
    help: "You have looked at the keys and at the folder: write a policy without a review. Needs a --key.")
  var reviewed = false

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    // A policy that trusts nobody lets nothing pass, even if somebody has reviewed it.
    if reviewed && key.isEmpty { throw ValidationError("--reviewed goes with --key: somebody has to be trusted.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    for identity in FileStatus.identities(of: [folder]) { try OutputFile.check(out, outside: identity) }
    try OutputFile.check(out, .keep)
    var keys: [PublicKey] = []
    for each in key { keys.append(try KeyFile.publicKey(each)) }
    let starter = try StarterPolicy(for: folder, trusting: keys)
    let text = try starter.text(isReviewed: reviewed, allowsTestKeys: allowTestKeys)
    try Interruption.held { () throws(SignetError) in try OutputFile.write(text, to: out, .keep) }
    try console.result("\(Console.good()) written  \(out.display)")
    if reviewed {
      try console.result(try starter.reviews().map { "  reviewed \($0.display)" })
    } else {
      try console.result("  next     do what each line of its review says, and remove the line")
    }
    if console.isJSON {
      let written = JSONValue.object(("file", .string(out)), ("verdict", .string("written")))
      try console.document(Report.document("gate init", [written], .done))
    }
    return .done
  }
}
