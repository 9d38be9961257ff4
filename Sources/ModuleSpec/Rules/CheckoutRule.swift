internal import SignetBase

/// A tag that was moved, or was never pushed, does not lead to the sources that the spec records.
package enum CheckoutRule: SpecRule {
  package static let about = SpecRuleDescription(
    "checkout", "The tag is in the checkout of git, and leads to the commit", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let tag = linted.tag, let source = linted.spec.source, let name = source.tag else { return }
    switch tag {
    case .missing:
      findings.note(
        "source.tag", "is not in the checkout", expected: "a tag of this name", found: name,
        hint: "tag the release, or fetch its tag: git fetch --tags")
    case .commit(let commit):
      guard let recorded = source.commit, !recorded.isExactly(commit) else { return }
      findings.note(
        "source.commit", "is not the commit of the tag", expected: commit, found: recorded,
        hint: "find out whether the tag was moved; otherwise correct `commit`")
    }
  }
}
