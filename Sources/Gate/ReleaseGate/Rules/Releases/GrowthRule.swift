package import SignetBase

/// No artifact has grown much since the last release.
package struct GrowthRule: ReleaseRule {
  package static let about = RuleDescription(
    "growth", "No artifact has grown much since the last release",
    help: """
      An artifact that has suddenly grown often holds debugging information, a second copy of something, or files \
      that should not be published. Look at what was added, which the comparison with the last release lists. If the \
      growth is intended, raise the limits in the policy.
      """,
    options: [
      ("percent", "how many percent an artifact may grow; usually 50"),
      ("bytes", "how many bytes an artifact may grow whatever its size; usually 1048576"),
    ],
    .warning)

  private let percent: Int
  private let bytes: Int

  package init(_ options: inout RuleOptions) throws(SignetError) {
    percent = try options.count("percent", usually: 50)
    bytes = try options.count("bytes", usually: 1 << 20)
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    for pair in release.pairs {
      guard let old = pair.old, let new = pair.new, isTooMuch(from: old.size, to: new.size) else { continue }
      findings.note(
        "has grown much since the last release", about: new.path,
        expected: "at most \(percent) percent or \(Amount.of(bytes, "byte", "bytes")) more than "
          + Amount.of(old.size, "byte", "bytes"),
        found: Amount.of(new.size, "byte", "bytes"),
        hint: "look at what was added, and find out whether users need it")
    }
  }

  /// Whether the growth is above both limits. Sizes from statements may be as large as numbers can be.
  private func isTooMuch(from old: Int, to new: Int) -> Bool {
    guard old >= 0, new > old, new - old > bytes else { return false }
    let growth = UInt(new - old).multipliedFullWidth(by: 100)
    let limit = UInt(old).multipliedFullWidth(by: UInt(percent))
    return (growth.high, growth.low) > (limit.high, limit.low)
  }
}
