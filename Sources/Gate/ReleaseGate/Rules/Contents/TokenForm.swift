/// A form of access tokens by which they can be told from everything else.
///
/// A form without a checksum is taken only if its variable part looks random: documents are full of examples.
struct TokenForm: Sendable {
  /// The service that gives the tokens.
  let service: String
  /// What the token is, with its article.
  let words: String
  /// What every such token has in it.
  let literal: String
  /// The part of the token that is no secret.
  let shown: String
  /// The number of characters before the literal.
  let lead: Int
  /// The number of characters from the literal on that belong to a token; nil if no token is there.
  let rest: @Sendable (TokenPlace) -> Int?

  private init(
    _ service: String, _ words: String, literal: String, shown: String? = nil, lead: Int = 0,
    _ rest: @escaping @Sendable (TokenPlace) -> Int?
  ) {
    self.service = service
    self.words = words
    self.literal = literal
    self.shown = shown ?? literal
    self.lead = lead
    self.rest = rest
  }

  /// The names of all services, in order.
  static let services: [String] = all.reduce(into: []) { if $0.last != $1.service { $0.append($1.service) } }

  /// Every form.
  ///
  /// JSON Web Tokens are not among them. Most of those in files are examples or expired, and some are public statements.
  static let all: [TokenForm] = github + gitlab + packages + clouds + slack + models

  // MARK: Hosts of source code

  /// GitHub's forms, and the checksum in the last six characters (github.blog, "Behind GitHub's new authentication
  /// token formats"). That of fine-grained tokens is not published.
  private static let github = [
    TokenForm("github", "a personal access token of GitHub", literal: "ghp_") { $0.base62Checked(36) },
    TokenForm("github", "an OAuth token of GitHub", literal: "gho_") { $0.base62Checked(36) },
    TokenForm("github", "a user's token for a GitHub app", literal: "ghu_") { $0.base62Checked(36) },
    TokenForm("github", "a token of a GitHub app", literal: "ghs_") { $0.base62Checked(36) ?? $0.githubStateless },
    TokenForm("github", "a refresh token of a GitHub app", literal: "ghr_") {
      $0.base62Checked(76) ?? $0.base62Checked(36)
    },
    TokenForm("github", "a fine-grained token of GitHub", literal: "github_pat_") { place in
      let body = place.run(from: 34, .base62)
      guard place.beginsWord, place.run(from: 11, .base62).count == 22, body.count == 59,
        place.text[33] == UInt8(ascii: "_"), TokenText.isMixed(body)
      else { return nil }
      return 93
    },
  ]

  private static let gitlab = [
    TokenForm("gitlab", "a personal access token of GitLab", literal: "glpat-") { $0.gitlab(6) },
    TokenForm("gitlab", "a deploy token of GitLab", literal: "gldt-") { $0.gitlab(5) },
    TokenForm("gitlab", "a pipeline trigger token of GitLab", literal: "glptt-") { place in
      let body = place.run(from: 6, .hexadecimal)
      return body.count == 40 && TokenText.isVaried(body) ? 46 : nil
    },
  ]

  // MARK: Registries of packages

  private static let packages = [
    TokenForm("npm", "an access token of npm", literal: "npm_") { $0.base62Checked(36) },
    TokenForm("pypi", "an upload token of PyPI", literal: "pypi-AgE", shown: "pypi-") { place in
      let body = place.run(from: 5, .base64URL)
      return Macaroon.isPyPI(TokenText.base64URL(body), isWhole: body.endIndex < place.text.count)
        ? 5 + body.count : nil
    },
  ]

  // MARK: Other services

  private static let clouds = [
    TokenForm("aws", "an access key of AWS with its secret", literal: "AKIA") { $0.awsPair },
    TokenForm("aws", "a temporary access key of AWS with its secret", literal: "ASIA") { $0.awsPair },
    TokenForm("google", "an API key of Google", literal: "AIza") { place in
      let body = place.run(from: 4, .base64URL)
      return place.beginsWord && body.count == 35 && TokenText.isMixed(body) ? 39 : nil
    },
    TokenForm("stripe", "a secret key of Stripe", literal: "sk_live_") { $0.stripe },
    TokenForm("stripe", "a restricted key of Stripe", literal: "rk_live_") { $0.stripe },
  ]

  /// Bots, users, workspaces, refreshes, sessions and apps.
  private static let slack = ["b", "p", "a", "r", "s", "o"].map { letter in
    TokenForm("slack", "a token of Slack", literal: "xox\(letter)-") { $0.slack }
  }

  private static let models = [
    TokenForm("anthropic", "a key of Anthropic", literal: "sk-ant-") { place in
      let kind = place.run(from: 7, .letters)
      let digits = place.run(from: kind.endIndex, .digits)
      let body = place.run(from: digits.endIndex + 1, .base64URL)
      guard place.beginsWord, (3...6).contains(kind.count), digits.count == 2,
        place.text.dropFirst(digits.endIndex).first == UInt8(ascii: "-"), (80...200).contains(body.count),
        TokenText.isMixed(body)
      else { return nil }
      return body.endIndex
    },
    TokenForm("openai", "a project's key of OpenAI", literal: "sk-proj-") { $0.openai(8) },
    TokenForm("openai", "a service account's key of OpenAI", literal: "sk-svcacct-") { $0.openai(11) },
    TokenForm("openai", "an administrator's key of OpenAI", literal: "sk-admin-") { $0.openai(9) },
    TokenForm("openai", "a key of OpenAI", literal: TokenPlace.openaiMark, shown: "sk-", lead: 23) { place in
      let head = place.before.suffix(23)
      let body = place.run(from: 8, .base62)
      guard head.count == 23, head.starts(with: "sk-".utf8), head.dropFirst(3).allSatisfy(TokenAlphabet.base62.has),
        body.count == 20, TokenText.isMixed(head.dropFirst(3)), TokenText.isMixed(body)
      else { return nil }
      return 28
    },
  ]
}
