internal import SignetBase

/// A commit is named by its full ID: a tag or a branch can come to mean another one.
package enum CommitRule: SpecRule {
  package static let about = SpecRuleDescription(
    "commit", "The source names the commit by its full ID", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let source = linted.spec.source else { return }
    let expected = "40 or 64 lower-case hexadecimal digits"
    let hint = "git rev-parse 'TAG^{commit}' prints the ID of the commit that the release's tag names"
    guard let commit = source.commit else {
      findings.note("source.commit", "is missing", expected: expected, hint: hint)
      return
    }
    // SHA-1 and SHA-256 (git's hash-function-transition).
    guard ![20, 32].contains(Hexadecimal.decode(commit)?.count), !commit.isUnwritten else { return }
    findings.note(
      "source.commit",
      commit.isExactly("HEAD") ? "is whatever was checked out last" : "is not the full ID of a commit",
      expected: expected, found: commit, hint: hint)
  }
}
