package import SignetBase

/// No file holds an access token.
package struct AccessTokenRule: LiteralRule {
  package static let about = RuleDescription(
    "access-token", "No file holds an access token",
    help: """
      An access token lets anybody do what its owner can, and tokens in releases are found and used within minutes. \
      Tokens are found by forms that nothing else has: where the service puts a checksum into its tokens, it must be \
      right. Revoke the token at its service first, because the release may already be in other hands; then remove it \
      and build the release again. A web service's own key for browsers, which is meant to be public, can be named in \
      the policy.
      """,
    options: [
      ("allow", "services whose tokens may be in the release: \(TokenForm.services.joined(separator: ", "))")
    ],
    .error)

  private let forms: [TokenForm]

  /// - Throws: `json.wrong-value` for a service that is not known.
  package init(_ options: inout RuleOptions) throws(SignetError) {
    let allowed = try options.values("allow", TokenForm.services.joined(separator: ", ")) { service in
      TokenForm.services.first { $0.isExactly(service) }
    }
    forms = TokenForm.all.filter { form in !allowed.contains { $0.isExactly(form.service) } }
  }

  package var literals: [[UInt8]] { forms.map { Array($0.literal.utf8) } }

  package func reach(of literal: Int) -> ContentMatch.Reach { .usual }

  package func check(
    _ match: ContentMatch, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) -> ContentMatch.Answer {
    guard forms.indices.contains(match.literal), case let form = forms[match.literal],
      let rest = form.rest(TokenPlace(match))
    else { return .done }
    // The window of a match ends before the longest tokens do.
    let length = "\(form.lead + rest)\(rest >= ContentMatch.afterSize ? " or more" : "")"
    findings.note(
      "holds \(form.words)", entry: match.entry, place: "offset \(match.offset - form.lead)",
      expected: "no access tokens",
      found: "\(form.shown)…, \(length) characters",
      hint: "revoke it at its service, remove it, and build the release again")
    return .done
  }
}
