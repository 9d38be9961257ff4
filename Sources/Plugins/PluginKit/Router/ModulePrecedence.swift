/// The rule that a module's routes take precedence over its own routes only.
///
/// Otherwise one module could serve the URLs of all others by a high priority.
struct ModulePrecedence {
  private let owner: ModuleOwner
  private let priority: Int

  init(_ owner: ModuleOwner, _ priority: Int) {
    self.owner = owner
    self.priority = priority
  }

  /// - Throws: `route.conflict` if the pattern matches the same URLs as another owner's, whatever the priorities,
  ///   unless that is a route of the host with a higher priority; `route.priorities` for a priority above 0 with a
  ///   pattern for any host.
  func check(_ pattern: RoutePattern, in tree: RouteTree<some Sendable>) throws(PluginError) {
    guard priority <= 0 || pattern.beginsWithText else {
      throw PluginError(
        .routePriorities, PluginURL.shown(pattern.text), "would take precedence over other modules' routes",
        expected: "priority 0, or a pattern whose first part is a text", found: "priority \(priority)")
    }
    let other = tree.route(at: pattern) { other in
      other.owner != owner && !(other.owner == .host && other.priority > priority)
    }
    guard let other else { return }
    throw PluginError(
      .routeConflict, PluginURL.shown(pattern.text), "matches the same URLs as a route of \(other.owner)",
      expected: "a pattern that only \(owner) has",
      found: "\(PluginURL.shown(other.pattern.text)) of \(other.owner)", hint: "change one of the patterns")
  }
}

extension RoutePattern {
  /// Whether each reading is for one host.
  fileprivate var beginsWithText: Bool {
    shapes.allSatisfy { shape in
      if case .literal? = shape.parts.first { true } else { false }
    }
  }
}
