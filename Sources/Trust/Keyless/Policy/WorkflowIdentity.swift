internal import SignetBase
internal import SignetVerify

/// The workflows of a repository that are expected to have signed, by what Fulcio certifies about them (`oid-info.md`).
///
/// Everything that is named must be certified, and be equal byte for byte. What is not named may be anything, but the workflow:
/// without one, it is a workflow of the repository itself, and not one of another repository that it calls.
package struct WorkflowIdentity: Sendable, Hashable {
  /// The repository, such as `https://github.com/example/tool`.
  package let repository: String
  /// Who certifies which workflow runs.
  package var issuer = Self.gitHub
  /// The file of the workflow in its repository, or the URI of one in another repository, without its ref.
  package var workflow: String?
  /// The branch or tag that was built, such as `refs/tags/v*`: each part between slashes may have stars.
  package var ref: String?
  /// The commit that was built.
  package var commit: String?
  /// What has started the workflow, such as `push`.
  package var trigger: String?
  /// Where it ran, such as `github-hosted`.
  package var runner: String?

  /// The issuer of GitHub's workflows.
  package static let gitHub = CertifiedIdentity.gitHub

  /// - Parameter repository: its address, or `OWNER/NAME` of one at GitHub.
  /// - Returns: nil for what is neither.
  package init?(_ repository: String) {
    let parts = repository.split(separator: "/", omittingEmptySubsequences: false)
    guard repository.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }), !parts.contains(".."), !parts.contains(".") else {
      return nil
    }
    if repository.contains("://") {
      guard parts.count >= 5, parts[1].isEmpty, parts.indices.allSatisfy({ $0 == 1 || !parts[$0].isEmpty }) else {
        return nil
      }
      self.repository = repository
    } else {
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      self.repository = "https://github.com/\(repository)"
    }
  }

  /// Whether a certificate names such a workflow.
  func matches(_ found: CertifiedIdentity) -> Bool {
    guard found.issuer.map({ issuer.isExactly($0) }) ?? false,
      found.claim("repository").map({ repository.isExactly($0) }) ?? false
    else { return false }
    // The identity is the workflow's address, an at sign, and its ref. Nothing but the workflow decides before the sign.
    let prefix = workflow.map { "\($0.contains("://") ? $0 : "\(repository)/\($0)")@" } ?? "\(repository)/"
    guard found.identity.utf8.starts(with: prefix.utf8) else { return false }
    if let ref, !(found.claim("ref").map { Self.covers(ref, $0) } ?? false) { return false }
    let named = [("commit", commit), ("trigger", trigger), ("runner", runner)]
    return named.allSatisfy { name, text in
      text.map { text in found.claim(name).map { text.isExactly($0) } ?? false } ?? true
    }
  }

  /// Whether a pattern covers a ref: as many parts, each covered by its own.
  static func covers(_ pattern: String, _ ref: String) -> Bool {
    let (patterns, parts) = (
      pattern.split(separator: "/"), ref.split(separator: "/", omittingEmptySubsequences: false)
    )
    return patterns.count == parts.count && !parts.contains(where: \.isEmpty)
      && zip(patterns, parts).allSatisfy { FilePattern(String($0))?.covers(String($1)) ?? false }
  }

  /// Whether a text can be a pattern of a ref.
  package static func isRef(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts[0] == "refs" && parts.allSatisfy { FilePattern(String($0)) != nil }
  }
}

extension WorkflowIdentity: CustomStringConvertible {
  /// The workflows, for people.
  package var description: String {
    var words = workflow.map { "the workflow \($0) of \(repository)" } ?? "workflows of \(repository)"
    if let ref { words += " on \(ref)" }
    if let commit { words += " at \(commit)" }
    if let trigger { words += " started by \(trigger)" }
    if let runner { words += " on a \(runner) runner" }
    return issuer.isExactly(Self.gitHub) ? words : "\(words), by \(issuer)"
  }
}

extension WorkflowIdentity {
  /// Reads an identity of a policy that has the field `repository`.
  ///
  /// - Throws: `policy.malformed` and other codes of documents.
  init(_ object: inout JSONObject) throws(SignetError) {
    let text = try object.string("repository")
    guard let identity = WorkflowIdentity(text), text.contains("://") else {
      throw object.wrong("repository", "an address such as https://github.com/example/tool", text)
    }
    self = identity
    issuer = try object.optionalString("issuer") ?? Self.gitHub
    workflow = try object.optionalString("workflow")
    ref = try object.optionalString("ref")
    if let ref, !Self.isRef(ref) { throw object.wrong("ref", "a ref such as refs/tags/v*", ref) }
    commit = try object.optionalString("commit")
    trigger = try object.optionalString("trigger")
    runner = try object.optionalString("runner")
  }

  /// The form in a policy.
  var json: JSONValue {
    .object(
      ("repository", .string(repository)), ("issuer", issuer.isExactly(Self.gitHub) ? nil : .string(issuer)),
      ("workflow", workflow.map { .string($0) }), ("ref", ref.map { .string($0) }),
      ("commit", commit.map { .string($0) }), ("trigger", trigger.map { .string($0) }),
      ("runner", runner.map { .string($0) }))
  }
}
