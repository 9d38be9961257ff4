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

extension ModuleDeclaration {
  /// - Throws: `route.priorities` if a priority above 0 would take precedence over other modules at URLs that are theirs.
  func checkPriority(_ priority: Int, of pattern: RoutePattern) throws(PluginError) {
    guard priority > 0, let other = urlsOfOthers.first(where: pattern.comesUpon) else { return }
    throw PluginError(
      .routePriorities, PluginURL.shown(pattern.text), "would take precedence at a URL of another module",
      expected: "priority 0, or a pattern that does not match \(PluginURL.shown(other.text))",
      found: "priority \(priority)")
  }
}

extension RoutePattern {
  /// Whether a reading matches a URL, or one below it, by more than its texts. What texts alone match is declared by
  /// whom it belongs to.
  fileprivate func comesUpon(_ url: PluginURL) -> Bool {
    shapes.contains { shape in
      let parts = shape.parts.prefix(shape.headCount)
      return (shape.isGlobal || shape.scheme == url.scheme) && shape.isOpaque == (url.form == .opaque)
        && (shape.hasTail || parts.count >= url.parts.count)
        && zip(parts, url.parts).allSatisfy { $0.takes($1) }
        && !RoutePattern(shape).lies(below: url)
    }
  }

  /// Whether each reading is for one host.
  fileprivate var beginsWithText: Bool {
    shapes.allSatisfy { shape in
      if case .literal? = shape.parts.first { true } else { false }
    }
  }

  /// Whether every URL that the pattern matches, in each reading, is this URL or below it. For a pattern for every
  /// scheme, this is about the URLs with the scheme of this URL.
  public func lies(below url: PluginURL) -> Bool {
    shapes.allSatisfy { shape in
      (shape.isGlobal || shape.scheme == url.scheme) && shape.isOpaque == (url.form == .opaque)
        && shape.parts.count >= url.parts.count
        && zip(shape.parts, url.parts).allSatisfy { part, text in
          if case .literal(let own) = part { own.isSame(as: text) } else { false }
        }
    }
  }
}
