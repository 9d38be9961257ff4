internal import SignetNames

/// A statement about one module: its state is in a set.
struct Term: Sendable {
  /// The module's place in the catalog.
  let module: Int
  let states: StateSet
}

/// Terms that are not all true in any solution, each about another module, and why.
struct Incompatibility: Sendable {
  let terms: [Term]
  let cause: Cause

  enum Cause: Sendable {
    /// The host itself is in the solution.
    case root
    /// A release, or the Modfile, requires another module.
    case requirement(Requirement)
    /// Some releases of a module support these versions of the host, and not the host's.
    case host(Term, versions: String, SemanticVersion)
    /// Releases that require each other in a circle cannot be loaded.
    case cycle([Term])
    /// It follows from two others.
    case derived(Int, Int)
  }

  /// A fact: some releases of a module require certain releases of another one.
  struct Requirement: Sendable {
    /// The module that requires, and its releases.
    let dependent: Term
    /// The line of the Modfile, if that requires.
    let line: Int?
    /// The place of the required module in the catalog.
    let module: Int
    /// The accepted versions, as the Modfile or the description has them.
    let versions: String
    /// Whether the required module has such a release.
    let isMet: Bool
  }

  /// Removes terms that say nothing, and those about the host, which is in every solution.
  ///
  /// - Parameter merged: terms, those of one module already made one.
  init(derived merged: [Term], from first: Int, and second: Int) {
    let said = merged.filter { $0.states.size < $0.states.count }
    let others = said.filter { $0.module != Catalog.root }
    terms = others.isEmpty ? said : others
    cause = .derived(first, second)
  }

  init(_ terms: [Term], _ cause: Cause) {
    self.terms = terms
    self.cause = cause
  }

  /// The term about a module.
  func term(about module: Int) -> Term? { terms.first { $0.module == module } }

  /// Whether no solution exists at all.
  var isFailure: Bool { terms.allSatisfy { $0.module == Catalog.root } }
}
