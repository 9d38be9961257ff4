internal import Signet
internal import SignetBase

/// A tag that was moved, or was never pushed, does not lead to the sources that the spec records. And a commit without the
/// spec cannot be installed as source: the spec's place in it says where the module's files are.
package enum CheckoutRule: SpecRule {
  package static let about = SpecRuleDescription(
    "checkout", "The tag is in the checkout of git and leads to the commit, which has the spec and its files", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let tag = linted.tag, let source = linted.spec.source, let name = source.tag else { return }
    switch tag {
    case .missing:
      findings.note(
        "source.tag", "is not in the checkout", expected: "a tag of this name", found: name,
        hint: "tag the release, or fetch its tag: git fetch --tags")
    case .commit(let commit, let contents):
      if let recorded = source.commit, !recorded.isExactly(commit) {
        findings.note(
          "source.commit", "is not the commit of the tag", expected: commit, found: recorded,
          hint: "find out whether the tag was moved; otherwise correct `commit`")
      }
      if let contents { check(contents, of: linted.spec, &findings) }
    }
  }

  /// Checks that a commit has what is installed of it.
  private static func check(
    _ contents: LintedSpec.CommitContents, of spec: ModuleSpec, _ findings: inout SpecFindings
  ) {
    let name = ModuleSpec.fileName(of: spec.name)
    let again = "commit it, tag that commit with \(spec.version), and write the commit's ID into `commit`"
    guard let place = contents.specs.first, contents.specs.count == 1 else {
      findings.note(
        "source.commit",
        contents.specs.isEmpty
          ? "is a commit without this spec, which nobody can install as source"
          : "is a commit with several specs of this name, which nobody can install as source",
        expected: "one file \(name) in the commit; its `commit` may be another one",
        found: contents.specs.isEmpty ? "none" : contents.specs.prefix(4).joined(separator: ", "),
        hint: contents.specs.isEmpty ? again : "keep one of them; \(again)")
      return
    }
    if !contents.hasDescription {
      findings.note(
        "source.commit", "is a commit without the module's description, which nobody can install as source",
        expected: "\(ModuleDescription.path) beside \(place)", hint: again)
    }
    if !contents.hasSources {
      findings.note(
        "source.commit", "is a commit without the module's source files, which nobody can install as source",
        expected: "a file of source_files in the folder of \(place)", hint: again)
    }
  }
}
