internal import ArgumentParser
internal import KeyLineages
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetKeys
internal import SignetOCSP
internal import SignetSystem

struct TrustCheckCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report errors and unwise settings in a trust policy.",
    discussion: """
      A policy is not sound if it cannot be read, or if no signature can ever satisfy one of its entries: the \
      certificate of an authority must be one that may certify signers. Exit status: 0 for a sound policy, even an \
      unwise one; 1 for one that is not sound.
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Option(name: .long, help: ArgumentHelp("Check at this time.", valueName: "time"))
  var at: String?

  @Flag(name: .long, help: "Allow published test keys. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let at, TimeArgument.start(at) == nil { throw ValidationError("--at takes \(TimeArgument.form).") }
  }

  /// The codes for faults of the policy itself, or of a key, certificate or list in it.
  private static let refusals = Set.aboutPolicies.union(Set.aboutKeys).union(Set.aboutCertificates)
    .union(Set.aboutRevocationLists).union(Set.aboutStatusResponses).union(Set.aboutLineages)

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let read: TrustPolicy
    do throws(SignetError) {
      read = try TrustPolicy(trustedFile: policy, allowsTestKeys: allowTestKeys, with: .all)
    } catch {
      guard Self.refusals.contains(error.code) else { throw error }
      // The policy is what is examined, with all that it has in it.
      var refusal = error
      refusal.isVerdict = true
      console.tell(of: refusal, policy)
      if console.isJSON { try console.document(Report.ended(refusal, ExitStatus(refusal))) }
      return ExitStatus(refusal)
    }
    let advice = read.advice(at: at.flatMap { TimeArgument.start($0) } ?? SystemTime.now())
    for each in advice {
      let subject = each.entry.map { "\($0): " } ?? ""
      try console.result("unwise: \(subject)\(each.message.display) [\(each.topic)]")
    }
    let useless = read.uselessEntries()
    guard useless.isEmpty else {
      console.refuse(policy, useless.compactMap(\.objection))
      if console.isJSON { try console.document(Report.document("trust check", entries(advice, useless), .refused)) }
      return .refused
    }
    try console.result(
      "sound: \(policy.display), \((read.entries.count + (read.summary?.signers.count ?? 0)).of("entry", "entries")), \(advice.count.of("warning", "warnings"))"
    )
    if console.isJSON { try console.document(Report.document("trust check", entries(advice, []), .done)) }
    return .done
  }

  private func entries(_ advice: [PolicyAdvice], _ useless: [EntryStanding]) -> [JSONValue] {
    let unwise = advice.map { each in
      JSONValue.object(
        ("topic", .string(each.topic)), ("entry", each.entry.map { .string($0) }),
        ("message", .string(each.message)))
    }
    let faults = useless.compactMap { standing in
      standing.objection.map { objection in
        JSONValue.object(
          ("topic", .string("useless-entry")), ("entry", .string(standing.entry.name)),
          ("message", .string(objection.message)), ("code", .string("\(objection.code)")))
      }
    }
    return unwise + faults
  }
}
