package import SignetBase

/// The content of every file can be searched.
package struct UnsearchedRule: UnsearchedFileRule {
  package static let about = RuleDescription(
    "unsearched", "The content of every file can be searched",
    help: """
      The rules on contents and on binaries look into archives, packages and compressed files, and into archives \
      within them. Some cannot be opened: encrypted entries, damaged data, formats that Signet does not read, archives \
      that are nested too deeply, and more data than an artifact may expand to. What is in them was not searched for \
      keys and tokens, and its binaries were not judged. Publish it in another form, or look into it by other means and \
      allow it in the policy.
      """,
    options: [AllowedPlaces.option("need not be searched", like: "*.dmg")], .warning)

  private let allowed: AllowedPlaces

  /// - Throws: `json.wrong-value` for something that is no pattern.
  package init(_ options: inout RuleOptions) throws(SignetError) {
    allowed = try AllowedPlaces(&options, like: "*.dmg")
  }

  package func check(
    unsearched reason: SignetError, of entry: String?, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) -> Bool {
    guard !allowed.cover(entry, in: artifact.path) else { return true }
    findings.note(
      "was not searched: it \(reason.message)", entry: entry, code: reason.code.rawValue,
      expected: reason.expected ?? "a file whose content can be searched", found: reason.found,
      hint: "find out what is in it, or publish it in a form that can be searched")
    return true
  }
}
