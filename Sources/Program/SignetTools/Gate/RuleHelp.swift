internal import ReleaseGate
internal import SignetBase
internal import SignetCLI

/// What `signet gate --explain` says of a rule.
struct RuleHelp {
  private let about: RuleDescription

  /// The help of a rule; nil if no rule has that name.
  init?(_ id: String) {
    guard let rule = RuleList.rule(id) else { return nil }
    about = rule.about
  }

  /// Prints the help of one rule, or a list of all of them.
  static func show(_ id: String, _ console: Console) throws(SignetError) -> ExitStatus {
    let help = RuleHelp(id)
    if console.isJSON {
      let rules = help.map { [$0.about] } ?? RuleList.all.map { $0.about }
      try console.document(Report.document("gate", rules.map(json), .done))
    } else if let help {
      try console.result(help.lines)
    } else {
      let width = (RuleList.all.map { Wrapping.columns(of: $0.about.id[...]) }.max() ?? 0) + 2
      for rule in RuleList.all.map({ $0.about }) {
        try console.result(
          Wrapping.padded(rule.id, width) + Wrapping.padded(level(rule.usualLevel), 9) + rule.title)
      }
    }
    return .done
  }

  private var lines: [String] {
    let options = about.options.map { "  \(Wrapping.padded($0.name, 14))\($0.meaning)" }
    return ["\(about.id): \(about.title)", "", about.help, "", "level     usually \(Self.level(about.usualLevel))"]
      + (options.isEmpty ? [] : ["options   of the policy:"] + options)
  }

  private static func level(_ level: GateReport.Level?) -> String { level?.description ?? "off" }

  private static func json(_ rule: RuleDescription) -> JSONValue {
    .object(
      ("id", .string(rule.id)), ("title", .string(rule.title)), ("help", .string(rule.help)),
      ("level", .string(level(rule.usualLevel))),
      (
        "options",
        .array(rule.options.map { .object(("name", .string($0.name)), ("meaning", .string($0.meaning))) })
      ))
  }
}
