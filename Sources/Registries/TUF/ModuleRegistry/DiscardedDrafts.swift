internal import Signet
public import SignetBase
internal import SignetTUF

extension ModuleRegistry {
  /// Drops drafts with the signatures that they have. Nothing changes for clients, who never see a draft.
  ///
  /// A publisher that only the draft of the targets has goes with that draft, and a publisher's bins go with its own.
  ///
  /// - Parameter roles: roles that have drafts.
  /// - Returns: the roles whose drafts are dropped, sorted.
  /// - Throws: `repo.no-draft` for a role that has none, and for what a registry that was never published begins with;
  ///   `tuf.no-repository`; `output.failed`. Then nothing is dropped.
  public func discard(_ roles: [String]) throws(SignetError) -> [String] {
    try folder.changing { (content) throws(SignetError) in
      let drafts = try folder.pendingRoles()
      var dropped: [String] = []
      for role in roles {
        guard drafts.contains(where: { $0.isExactly(role) }) else {
          throw SignetError(
            .repoNoDraft, role.display, "has no draft",
            expected: drafts.isEmpty ? "a draft" : drafts.map(\.display).joined(separator: ", "),
            hint: "list the drafts: signet repo status DIRECTORY")
        }
        guard content.root != nil || !["root", "targets"].contains(where: { $0.isExactly(role) }) else {
          throw SignetError(
            .repoNoDraft, role.display, "has a draft that the registry begins with", expected: "a later draft",
            hint: "delete the directory to begin again with other keys")
        }
        var publishers: [Publisher]?
        if role.isExactly("targets"), let targets = content.targets {
          publishers = try Self.publishers(of: targets.role)
        }
        dropped += drafts.filter { draft in
          if draft.isExactly(role) || draft.utf8.starts(with: "\(role).bin-".utf8) { return true }
          guard let publishers, !draft.isExactly("root") else { return false }
          return !publishers.contains { draft.isExactly($0.name) || draft.utf8.starts(with: "\($0.name).bin-".utf8) }
        }
      }
      let unique = Set(dropped.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
        .sorted { $0.precedesInBytes($1) }
      for role in unique { try folder.dropPending(role) }
      return unique
    }
  }
}
