internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetSystem

struct TrustSetCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change a trust policy's terms: threshold, expiry, floors, key lengths.",
    discussion: """
      Terms that you do not name stay unchanged. --floor refuses releases of a module below a sequence; 0 removes the \
      floor.

      Examples:
        signet trust set trust.json --threshold 2
        signet trust set trust.json --expires 2027-12-31
        signet trust set trust.json --floor com.example.player=7
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Option(name: .long, help: ArgumentHelp("How many trusted signers must have signed.", valueName: "number"))
  var threshold: Int?

  @Flag(name: .long, help: "All signers that are trusted for an artifact must have signed it, and no others.")
  var exact = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "When the policy expires: a time, the last day in UTC, or never.", valueName: "time"))
  var expires: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest accepted sequence of a module. Repeatable.", valueName: "identifier=number"))
  var floor: [FloorArgument] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The minimum length of RSA keys in bits, 2048 to 8192.", valueName: "number"))
  var leastRsaBits: Int?

  @Flag(name: .long, help: "Keep a published test key. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  /// A module and its least sequence.
  struct FloorArgument: ExpressibleByArgument {
    let module: ModuleIdentifier
    let sequence: Int

    init?(argument: String) {
      let parts = argument.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let module = ModuleIdentifier(parts[0]), let sequence = Int(parts[1]), sequence >= 0
      else { return nil }
      self.module = module
      self.sequence = sequence
    }
  }

  private static let never = "never"

  func validate() throws {
    if exact && threshold != nil { throw ValidationError("Give --threshold or --exact, not both.") }
    if let threshold, !(1...1000).contains(threshold) {
      throw ValidationError("--threshold takes a number of 1 or more.")
    }
    if let expires, expires != Self.never, TimeArgument.end(expires) == nil {
      throw ValidationError("--expires takes \(TimeArgument.form), or never.")
    }
    if let leastRsaBits, !(2048...8192).contains(leastRsaBits) {
      throw ValidationError("--least-rsa-bits takes a number from 2048 to 8192.")
    }
    guard exact || threshold != nil || expires != nil || leastRsaBits != nil || !floor.isEmpty else {
      throw ValidationError("Say what to set: --threshold, --exact, --expires, --floor or --least-rsa-bits.")
    }
    for (index, each) in floor.enumerated() where floor[..<index].contains(where: { $0.module == each.module }) {
      throw ValidationError("--floor is given twice for \(each.module).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let file = try PolicyFile(policy, allowTestKeys: allowTestKeys)
    var terms = file.policy.terms
    if exact { terms.requirement = .exact }
    if let threshold { terms.requirement = .threshold(threshold) }
    if let expires { terms.expires = expires == Self.never ? nil : TimeArgument.end(expires) }
    if let leastRsaBits { terms.leastRSABits = leastRsaBits }
    for each in floor { terms.floors[each.module] = each.sequence > 0 ? each.sequence : nil }
    let changed = try file.policy.with(terms)
    try file.replace(with: changed)
    try console.result("\(Console.good()) set  \(policy.display)")
    try console.result(PolicyReport.terms(changed).map { "  " + $0 })
    for each in changed.advice(at: SystemTime.now()) where each.entry == nil {
      console.note("unwise: \(each.message.display) [\(each.topic)]")
    }
    if console.isJSON {
      try console.document(Report.document("trust set", [PolicyReport.json(policy, changed)], .done))
    }
    return .done
  }
}
