internal import SignetBase
internal import SignetVerify

/// The workflows of a repository that are expected to have signed, by what Fulcio certifies about them (`oid-info.md`).
///
/// Everything that is named must be certified, and be equal byte for byte. What is not named may be anything, but the workflow:
/// without one, it is a workflow of the repository itself, and not one of another repository that it calls.
package struct WorkflowIdentity: Sendable, Hashable {
  /// The repository, such as `https://github.com/example/tool`.
  package let repository: String
  /// Who certifies which workflow runs; empty if that is not known.
  package var issuer: String
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

  /// - Parameter repository: its address, or `OWNER/NAME` of one at GitHub, as people write it.
  /// - Returns: nil for what is neither.
  package init?(_ repository: String) {
    var text = repository[...]
    if text.hasPrefix("github.com/") { text = "https://\(text)" }
    if text.hasSuffix("/") { text = text.dropLast() }
    if text.hasSuffix(".git") { text = text.dropLast(4) }
    self.init(address: text.contains("://") ? String(text) : "https://github.com/\(text)")
    guard text.contains("://") || text.split(separator: "/", omittingEmptySubsequences: false).count == 2 else {
      return nil
    }
  }

  /// - Parameter address: the address as it is certified.
  init?(address: String) {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 5, parts[1].isEmpty, parts.indices.allSatisfy({ $0 == 1 || !parts[$0].isEmpty }),
      !parts.contains(".."), !parts.contains("."), address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != 0x40 })
    else { return nil }
    repository = address
    issuer = Self.issuers.first { parts[0] == "https:" && parts[2] == $0.host }?.issuer ?? ""
  }

  /// Who certifies the workflows of repositories at some hosts. At others, somebody has to say it.
  private static let issuers = [("github.com", gitHub), ("gitlab.com", "https://gitlab.com")].map {
    (host: $0.0, issuer: $0.1)
  }

  /// Takes the workflow as people write it: the file's name, its path, or `OWNER/NAME/PATH` or the address of one elsewhere.
  ///
  /// - Returns: whether it can be one.
  package mutating func take(workflow text: String) -> Bool {
    guard !text.isEmpty else { return false }
    let isGitHub = issuer.isExactly(Self.gitHub)
    if text.contains("://") {
      workflow = text
    } else if isGitHub, !text.contains("/") {
      workflow = ".github/workflows/\(text)"
    } else if isGitHub, !text.hasPrefix(".github/") {
      workflow = "https://github.com/\(text)"
    } else {
      workflow = text
    }
    return workflow.map(isWorkflow) ?? false
  }

  /// Whether a text can be a workflow: no ref is behind it, and GitHub's are in one folder.
  private func isWorkflow(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains(0x40)
      && (!issuer.isExactly(Self.gitHub) || text.hasPrefix(".github/workflows/")
        || text.contains("/.github/workflows/"))
  }

  /// Whether a certificate names such a workflow.
  func matches(_ found: CertifiedIdentity) -> Bool {
    guard found.issuer.map({ issuer.isExactly($0) }) ?? false,
      found.claim("repository").map({ isSame($0, as: repository) }) ?? false
    else { return false }
    // The identity is the workflow's address, an at sign, and its ref. Nothing but the workflow decides before the sign.
    guard let place = workflow, place.contains("://") else {
      let (head, rest) = (
        found.identity.utf8.prefix(repository.utf8.count), found.identity.utf8.dropFirst(repository.utf8.count)
      )
      let path = workflow.map { "/\($0)@" } ?? "/"
      guard isSame(String(decoding: Array(head), as: UTF8.self), as: repository), rest.starts(with: path.utf8) else {
        return false
      }
      return (workflow == nil || Self.isRef(rest.dropFirst(path.utf8.count))) && agrees(found)
    }
    let head = Array("\(place)@".utf8)
    return found.identity.utf8.starts(with: head) && Self.isRef(found.identity.utf8.dropFirst(head.count))
      && agrees(found)
  }

  /// Whether an address is that of a repository. At GitHub, the case of letters makes no difference.
  private func isSame(_ address: String, as repository: String) -> Bool {
    guard repository.hasPrefix("https://github.com/") else { return address.isExactly(repository) }
    func folded(_ text: String) -> [UInt8] { text.utf8.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 } }
    return folded(address) == folded(repository)
  }

  /// Whether a certificate is about the repository, whichever workflow it names.
  func isAboutRepository(_ found: CertifiedIdentity) -> Bool {
    found.issuer.map({ issuer.isExactly($0) }) ?? false
      && found.claim("repository").map({ isSame($0, as: repository) }) ?? false
  }

  /// Whether the workflow that a certificate names is in the repository itself.
  func isItsOwn(_ found: CertifiedIdentity) -> Bool { found.identity.utf8.starts(with: "\(repository)/".utf8) }

  /// Whether a certificate says what is named besides repository and workflow.
  private func agrees(_ found: CertifiedIdentity) -> Bool {
    if let ref, !(found.claim("ref").map { Self.covers(ref, $0) } ?? false) { return false }
    let named = [("commit", commit), ("trigger", trigger), ("runner", runner)]
    return named.allSatisfy { name, text in
      text.map { text in found.claim(name).map { text.isExactly($0) } ?? false } ?? true
    }
  }

  /// Whether what is behind a workflow is the ref that it was taken from, or a commit.
  private static func isRef(_ text: String.UTF8View.SubSequence) -> Bool {
    text.starts(with: "refs/".utf8) || !text.isEmpty && text.allSatisfy { "0123456789abcdef".utf8.contains($0) }
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
    return issuer.isExactly(Self.gitHub) ? words : "\(words), as \(issuer) certifies"
  }
}

extension WorkflowIdentity {
  /// Reads an identity of a policy that has the field `repository`.
  ///
  /// - Throws: `policy.malformed` and other codes of documents.
  init(_ object: inout JSONObject) throws(SignetError) {
    let text = try object.string("repository")
    guard let identity = WorkflowIdentity(address: text) else {
      throw object.wrong("repository", "an address such as https://github.com/example/tool", text)
    }
    self = identity
    if let text = try object.optionalString("issuer") { issuer = text }
    guard !issuer.isEmpty else { throw object.wrong("issuer", "who certifies the workflows of this host", "none") }
    workflow = try object.optionalString("workflow")
    if let workflow, !isWorkflow(workflow) {
      throw object.wrong("workflow", "a path such as .github/workflows/release.yml, without a ref", workflow)
    }
    ref = try object.optionalString("ref")
    if let ref, !Self.isRef(ref) { throw object.wrong("ref", "a ref such as refs/tags/v*", ref) }
    commit = try object.optionalString("commit")
    trigger = try object.optionalString("trigger")
    runner = try object.optionalString("runner")
  }

  /// The form in a policy.
  var json: JSONValue {
    .object(
      ("repository", .string(repository)),
      ("issuer", WorkflowIdentity(address: repository)?.issuer.isExactly(issuer) ?? false ? nil : .string(issuer)),
      ("workflow", workflow.map { .string($0) }), ("ref", ref.map { .string($0) }),
      ("commit", commit.map { .string($0) }), ("trigger", trigger.map { .string($0) }),
      ("runner", runner.map { .string($0) }))
  }
}
