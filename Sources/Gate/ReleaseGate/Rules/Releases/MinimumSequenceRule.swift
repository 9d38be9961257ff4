internal import Signet
internal import SignetBase

/// No release of a module lets hosts fall back further than the last one did.
package struct MinimumSequenceRule: ReleaseRule {
  package static let about = RuleDescription(
    "minimum-sequence", "A module's minimum sequence is not lower than in the last release",
    help: """
      The minimum sequence keeps hosts from falling back to a release with a known weakness. A host that sees only \
      the newest release knows only the newest minimum. Sign with --minimum-sequence and at least the number of the \
      last release.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    release.forEachSuccessor { new, old in
      guard let last = old.compactMap(\.artifact.minimumSequence).max() else { return }
      let minimum = new.artifact.minimumSequence
      guard minimum ?? 0 < last else { return }
      findings.note(
        minimum == nil ? "has no minimum sequence any more" : "has a lower minimum sequence than the last release",
        about: new.artifact.path, place: "minimum sequence", expected: "\(last) or more",
        found: minimum.map { "\($0)" } ?? "none", hint: "sign it with --minimum-sequence \(last)")
    }
  }
}
