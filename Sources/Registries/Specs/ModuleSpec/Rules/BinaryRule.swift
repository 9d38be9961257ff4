internal import SignetBase

/// A binary is fetched over http or https, and the address has no secret: many people read a spec.
package enum BinaryRule: SpecRule {
  package static let about = SpecRuleDescription(
    "binary", "The binary's address is http or https, without name, password, query and fragment", .error)

  package static func check(_ linted: LintedSpec, _ findings: inout SpecFindings) {
    guard let url = linted.spec.binary?.url, !url.isUnwritten, let fault = fault(of: url) else { return }
    findings.note(
      "binary.url", fault, expected: "an address such as https://example.com/player-1.0.0.zip",
      hint: "give secrets to the program that fetches")
  }

  /// What is wrong with the address of a binary; nil if nothing is. A place on this machine is no address.
  package static func fault(of url: String) -> String? {
    if let fault = SourceURLRule.fault(of: url) { return fault }
    let isFetched = ["http://", "https://"].contains { url.utf8.starts(with: $0.utf8) }
    return isFetched ? nil : "has another scheme than http and https"
  }
}
