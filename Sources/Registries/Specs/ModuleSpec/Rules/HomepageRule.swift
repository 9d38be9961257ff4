internal import SignetAddresses
internal import SignetBase

/// A release has a page where people find out more.
package enum HomepageRule: SpecRule {
  package static let about = SpecRuleDescription("homepage", "There is a homepage, by http or https", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    let hint = "add the address of the module's page as `homepage`"
    guard let homepage = linted.spec.homepage else {
      findings.note("homepage", "is missing", expected: "an address such as https://example.com", hint: hint)
      return
    }
    guard !homepage.isUnwritten else { return }
    do throws(SignetError) { _ = try DownloadURL(homepage) } catch {
      findings.note(
        "homepage", error.message, expected: error.expected, found: error.object, hint: error.hint ?? hint)
    }
  }
}
