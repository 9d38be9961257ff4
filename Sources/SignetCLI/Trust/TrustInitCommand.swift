internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct TrustInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a trust policy that trusts nobody yet.")

  @Argument(help: "The policy to write; nothing is ever overwritten.", completion: .file())
  var policy: String

  @Option(name: .long, help: "How many of those who are trusted must have signed.")
  var threshold: Int?

  @Flag(name: .long, help: "All of those who are trusted for an artifact must have signed, and nobody else.")
  var exact = false

  @Option(
    name: .long,
    help: ArgumentHelp("After this time, or this day in UTC, the policy trusts nobody.", valueName: "time"))
  var expires: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if exact && threshold != nil { throw ValidationError("Give --threshold or --exact, not both.") }
    if let threshold, !(1...1000).contains(threshold) {
      throw ValidationError("--threshold takes a number from 1 on.")
    }
    if let expires, TimeArgument.end(expires) == nil {
      throw ValidationError("--expires takes \(TimeArgument.form).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    var terms = TrustPolicy.Terms()
    terms.requirement = exact ? .exact : .threshold(threshold ?? 1)
    terms.expires = expires.flatMap { TimeArgument.end($0) }
    let made = try TrustPolicy(entries: [], terms: terms)
    // Nor a policy that no command would take afterwards.
    do throws(SignetError) {
      try TrustedPath.checkFolder(of: policy)
    } catch  where error.code == .fileOthersMayWrite {
      var error = error
      error.hint = "make it in a folder that belongs to you and that nobody else may write"
      throw error
    } catch {
      // What is missing is told when it is written.
    }
    try PolicyFile.write(made, to: policy, .keep)
    let until = terms.expires.map { ", and nobody after \($0)" } ?? ""
    try console.result("made: \(policy.display), which trusts nobody yet\(until)")
    if console.isJSON {
      try console.document(Report.document("trust init", [PolicyReport.json(policy, made)], .done))
    }
    return .done
  }
}
