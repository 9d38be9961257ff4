internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct TrustSetCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change a trust policy's terms, such as its threshold.",
    discussion: """
      The terms are threshold, expiry, floors, key lengths, authorities of timestamps, revocation lists and OCSP responses, \
      continuity, minimum age and verification summaries. Those that you do not name stay unchanged. --floor refuses \
      releases of a module below a sequence; 0 removes the floor. The options for verification summaries need a signer \
      of summaries: signet trust add --summaries.

      Examples:
        signet trust set trust.json --threshold 2
        signet trust set trust.json --expires 2027-12-31
        signet trust set trust.json --timestamp-authority tsa.pem \\
            --timestamps 1
        signet trust set trust.json --revocation-list team.crl
        signet trust set trust.json --floor com.example.player=7
        signet trust set trust.json --minimum-age 3d
        signet trust set trust.json --summary-level SLSA_BUILD_LEVEL_3
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

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The certificates of authorities of timestamps, in place of those of before: a signature that one of them has stamped is judged at that time. Repeatable.",
      valueName: "path"), completion: .file())
  var timestampAuthority: [String] = []

  @Flag(name: .long, help: "No longer trust an authority of timestamps.")
  var noTimestampAuthority = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many of these authorities must have stamped a signature by a key or a certificate; 0 for none.",
      valueName: "number"))
  var timestamps: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Add revocation lists of authorities from a file or a folder, each in the place of an older one. Repeatable.",
      valueName: "path"), completion: .file())
  var revocationList: [String] = []

  @Flag(name: .long, help: "No longer ask revocation lists.")
  var noRevocationLists = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Add OCSP responses (RFC 6960, DER) from a file or a folder, each in the place of an older one. Repeatable.",
      valueName: "path"), completion: .file())
  var statusResponse: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What must be known about the revocation of certificates: required (of each), current (what is known, the default), or stale-allowed (also by what is out of date).",
      valueName: "demand"), transform: Self.demand)
  var revocation: RevocationDemand?

  @Flag(name: .long, help: "No longer ask OCSP responses.")
  var noStatusResponses = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What happens to a release that is signed with less than the one before it: refuse (the default) or warn.",
      valueName: "demand"), transform: Self.continuity)
  var continuity: Continuity?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long ago a release must have come before it is chosen, such as 3d or 12h; none for at once.",
      valueName: "age"))
  var minimumAge: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The ID that summaries must give the verifier. Signet's gate is urn:signet:gate.", valueName: "uri"))
  var summaryVerifier: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The SHA-256 of the policy that summaries must be about, or any.", valueName: "hex"))
  var summaryPolicySha256: String?

  @Option(
    name: .long,
    help: ArgumentHelp("A level that summaries must have. Repeatable; replaces those of before.", valueName: "level"))
  var summaryLevel: [String] = []

  @Flag(name: .long, help: "No longer demand verification summaries.")
  var noSummary = false

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
  private static let any = "any"

  private static func demand(_ text: String) throws -> RevocationDemand {
    guard let demand = RevocationDemand(rawValue: text) else {
      throw ValidationError("It takes required, current or stale-allowed.")
    }
    return demand
  }

  private static func continuity(_ text: String) throws -> Continuity {
    guard let demand = Continuity(rawValue: text) else { throw ValidationError("It takes refuse or warn.") }
    return demand
  }

  private static let none = "none"

  func validate() throws {
    if let minimumAge, minimumAge != Self.none, MinimumAge(minimumAge) == nil {
      throw ValidationError("--minimum-age takes \(MinimumAge.form), or none.")
    }
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
    let isAboutSummaries = summaryVerifier != nil || summaryPolicySha256 != nil || !summaryLevel.isEmpty
    if noSummary && isAboutSummaries {
      throw ValidationError("Give --no-summary or the other options for summaries, not both.")
    }
    if let summaryPolicySha256, summaryPolicySha256 != Self.any, Digest(.sha256, hex: summaryPolicySha256) == nil {
      throw ValidationError("--summary-policy-sha256 takes 64 digits of lower-case hexadecimal, or any.")
    }
    if let timestamps, !(0...100).contains(timestamps) { throw ValidationError("--timestamps takes a number.") }
    if noTimestampAuthority && !timestampAuthority.isEmpty {
      throw ValidationError("Give --timestamp-authority or --no-timestamp-authority, not both.")
    }
    guard
      exact || threshold != nil || expires != nil || leastRsaBits != nil || !floor.isEmpty || isAboutSummaries
        || noSummary || !timestampAuthority.isEmpty || noTimestampAuthority || timestamps != nil
        || !revocationList.isEmpty || noRevocationLists || !statusResponse.isEmpty || noStatusResponses
        || revocation != nil || continuity != nil || minimumAge != nil
    else {
      throw ValidationError(
        "Say what to set: --threshold, --exact, --expires, --floor, --least-rsa-bits, --timestamp-authority, --timestamps, --revocation-list, --status-response, --revocation, --continuity, --minimum-age, or an option for summaries."
      )
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
    if noTimestampAuthority || !timestampAuthority.isEmpty { terms.timestampAuthorities = [] }
    terms.timestampAuthorities += try TimestampOptions.authorities(timestampAuthority)
    if let timestamps { terms.leastTimestamps = timestamps }
    if noRevocationLists { terms.revocationLists = [] }
    let issuers = try file.policy.with(terms).certificates
    for list in try RevocationFiles.lists.read(revocationList).newest {
      try list.check(by: issuers, at: SystemTime.now())
      try terms.revocationLists.add(list)
    }
    if let continuity { terms.continuity = continuity }
    if let minimumAge { terms.minimumAge = MinimumAge(minimumAge) }
    if let revocation { terms.revocationDemand = revocation }
    if noStatusResponses { terms.statusResponses = .none }
    _ = try terms.staple(RevocationFiles.responses.read(statusResponse), by: issuers, at: SystemTime.now())
    terms.summary = try summary(file.policy.summary)
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

  /// The demand for summaries, with what is set.
  ///
  /// - Throws: `policy.entry` if the policy has no signer of summaries.
  private func summary(_ old: SummaryRequirement?) throws(SignetError) -> SummaryRequirement? {
    if noSummary { return nil }
    guard summaryVerifier != nil || summaryPolicySha256 != nil || !summaryLevel.isEmpty else { return old }
    guard let old else {
      throw SignetError(
        .policyEntry, policy, "trusts no signer of verification summaries",
        hint: "add one first: signet trust add POLICY --name NAME --key KEY --summaries --files PATTERN")
    }
    var digest = old.policySHA256
    if let summaryPolicySha256 { digest = Digest(.sha256, hex: summaryPolicySha256) }
    return try SummaryRequirement(
      signers: old.signers, verifier: summaryVerifier ?? old.verifier, policySHA256: digest,
      levels: summaryLevel.isEmpty ? old.levels : summaryLevel)
  }
}
