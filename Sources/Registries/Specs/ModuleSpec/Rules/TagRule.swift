internal import SignetBase

/// The tag of a release is its version, byte for byte.
///
/// CocoaPods only warns if the tag does not contain the version. Then a spec of 0.1.1 could be built from the sources
/// of 0.1.0, or of 10.1.1.
package enum TagRule: SpecRule {
  package static let about = SpecRuleDescription("tag", "The tag of the source is the version", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let source = linted.spec.source else { return }
    let version = "\(linted.spec.version)"
    guard let tag = source.tag else {
      findings.note("source.tag", "is missing", expected: version, hint: "tag the release, and add `tag`")
      return
    }
    guard !tag.isExactly(version), !tag.isUnwritten else { return }
    findings.note(
      "source.tag", "is not the version", expected: version, found: tag,
      hint: "correct `version` or `tag`; the tag in the repository has no other letters, such as v")
  }
}
