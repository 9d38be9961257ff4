internal import Signet
internal import SignetBase

/// No module asks for more than it did in the last release.
package struct PermissionsGrownRule: ReleaseRule {
  package static let about = RuleDescription(
    "permissions-grown", "No module asks for more than in the last release",
    help: """
      Hosts and users have agreed to what a module asked for until now. A new permission, route, service, action, \
      page, parameter or requirement should be a decision, not an accident or somebody else's change. Look at who added it and why, and \
      mention it in the release notes.
      """,
    .warning)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    release.forEachSuccessor { new, old in
      for demand in Demand.all {
        for text in demand.added(new.description, old.map(\.description)) {
          findings.note(
            "\(demand.words), unlike in the last release", about: new.artifact.path, entry: ModuleDescription.path,
            place: demand.field, expected: "what the last release asked for", found: text,
            hint: "make sure that it is intended, and mention it in the release notes")
        }
      }
    }
  }

  /// Something that a module can ask for.
  private struct Demand {
    let words: String
    /// The field of the description.
    let field: String
    /// What the new description asks for and none of the old ones did, sorted by its bytes.
    let added: @Sendable (_ new: ModuleDescription, _ old: [ModuleDescription]) -> [String]

    /// - Parameter list: what a description asks for.
    init(_ words: String, _ field: String, _ list: @escaping @Sendable (ModuleDescription) -> [String]) {
      self.words = words
      self.field = field
      added = { new, old in
        let known = Set(old.flatMap { list($0).map { Array($0.utf8) } })
        return list(new).filter { !known.contains(Array($0.utf8)) }.sorted { $0.precedesInBytes($1) }
      }
    }

    private init(
      words: String, field: String, added: @escaping @Sendable (ModuleDescription, [ModuleDescription]) -> [String]
    ) {
      self.words = words
      self.field = field
      self.added = added
    }

    static let all = [
      Demand("asks for a permission", "permissions") { $0.permissions },
      Demand("has a route", "routes") { $0.routes },
      Demand("has a service", "services") { $0.services },
      Demand("has an action", "targets") { $0.actions.map(\.name) },
      // A new action is named once, no matter who may call it.
      Demand(words: "lets URLs call an action", field: "targets", added: opened),
      Demand("has a page", "pages") { $0.pages.words },
      Demand("lets URLs set a parameter", "acceptedParameters") { $0.pages.parameterWords },
      Demand("requires these versions of its host", "requires.host") { module in
        module.requirements.host.map { ["\($0)"] } ?? []
      },
      Demand("requires these versions of a module", "requires.modules") { module in
        module.requirements.modules.map { "\($0.identifier) \($0.versions)" }
      },
    ]

    /// Actions that only code could call until now.
    private static func opened(_ new: ModuleDescription, _ old: [ModuleDescription]) -> [String] {
      let known = old.flatMap(\.actions)
      let names = Set(known.map { Array($0.name.utf8) })
      let open = Set(known.filter { $0.value.isExactly(ModuleDescription.openAction) }.map { Array($0.name.utf8) })
      return new.actions.filter { action in
        let name = Array(action.name.utf8)
        return action.value.isExactly(ModuleDescription.openAction) && names.contains(name) && !open.contains(name)
      }.map(\.name).sorted { $0.precedesInBytes($1) }
    }
  }
}
