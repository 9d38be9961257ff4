internal import SignetBase

extension Solver {
  /// The error for a failure: what is wrong, in one code, and the whole derivation as the cause.
  func error(_ failure: Int) -> SignetError {
    let phrases = Phrases(catalog: catalog)
    let explanation = Explanation(incompatibilities: incompatibilities, phrases: phrases)
    let sentences = explanation.sentences(of: failure)
    let facts = explanation.facts(of: failure)
    for index in facts {
      guard case .requirement(let fact) = incompatibilities[index].cause, isMissing(fact.module) else { continue }
      return SignetError(
        .resolveMissing, catalog.name(fact.module), "cannot be had, and is required",
        expected: "a source that offers it", found: path(to: fact.module), cause: sentences,
        hint: "correct the requirement, or add the module to the source that you trust for it")
    }
    for index in facts {
      guard case .cycle(let terms) = incompatibilities[index].cause else { continue }
      return SignetError(
        .resolveCycle, catalog.name(terms[0].module), "requires itself through other modules",
        expected: "requirements without a circle", found: circle(terms), cause: sentences,
        hint: "ask the publisher of one of these modules to remove the requirement")
    }
    return SignetError(
      .resolveConflict, "Modfile", "asks for modules that do not fit together",
      expected: "releases that meet all requirements", cause: sentences,
      hint: "widen the versions of a module that the explanation names")
  }

  /// Whether nothing of a module is offered at all.
  private func isMissing(_ module: Int) -> Bool {
    catalog[module].releases.isEmpty && catalog[module].leftOut.isEmpty
  }

  /// The names of a circle's modules, from one of them to itself.
  private func circle(_ terms: [Term]) -> String {
    (terms + terms.prefix(1)).map { catalog.name($0.module) }.joined(separator: " requires ")
  }

  /// The shortest chain of requirements that leads to a module, of all that were found.
  private func path(to module: Int) -> String {
    var graph = RequirementGraph(count: catalog.entries.count)
    for incompatibility in incompatibilities {
      guard case .requirement(let fact) = incompatibility.cause else { continue }
      graph.edges[fact.dependent.module].append(fact.module)
    }
    let path = graph.path(from: Catalog.root, to: module) ?? [module]
    return path.map { $0 == Catalog.root ? "Modfile" : catalog.name($0) }.joined(separator: " requires ")
  }
}
