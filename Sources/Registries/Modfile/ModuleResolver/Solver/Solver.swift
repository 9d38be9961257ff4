internal import SignetBase
internal import SignetNames

/// Chooses releases by PubGrub (Natalie Weizenbaum, "PubGrub: Next-Generation Version Solving", 2018): it decides one
/// module after the other, derives what follows, and learns from each conflict an incompatibility that explains it.
///
/// Nothing depends on the order of a dictionary or on time, so the result is the same everywhere.
struct Solver {
  /// The most steps: incompatibilities looked at, and modules looked at for a decision. The largest host that is measured
  /// (`Benchmarks`) takes a small part of it. All of it takes some seconds, and a quarter of a minute in a debug build.
  static let workLimit = 20_000_000
  /// The most terms of all incompatibilities: some hundred MiB of memory.
  static let termLimit = 4_000_000

  private(set) var catalog = Catalog()
  private(set) var incompatibilities: [Incompatibility] = []
  private(set) var solution = PartialSolution()
  private var book: OfferBook
  private let rules: Rules
  /// The incompatibilities about each module.
  private var mentions: [[Int]] = [[]]
  /// For each module, the required modules that are known already, and for which releases.
  private var expanded: [[(module: Int, states: StateSet)]] = [[]]
  /// The state of each module that is taken if it is possible.
  private var preferred: [Int?] = [nil]
  /// The modules that the Modfile names are those up to this place, in the order of its lines.
  private var named = 0
  private var work = 0
  private var termCount = 0
  private let workLimit: Int

  /// What may be chosen, and what is preferred.
  struct Rules {
    /// Whether a release of a module may be chosen.
    let mayChoose: (ModuleIdentifier, OfferBook.Page) -> (CandidateRelease) -> Bool
    /// The version that is taken if it fits.
    let preferred: (ModuleIdentifier) -> SemanticVersion?
  }

  /// What a resolution ends with.
  enum Outcome {
    /// For each module its place and state.
    case solved([(module: Int, state: Int)])
    /// The incompatibility that leaves out every solution.
    case failed(Int)
  }

  init(_ book: OfferBook, _ rules: Rules, workLimit: Int = Self.workLimit) {
    self.book = book
    self.rules = rules
    self.workLimit = workLimit
    solution.add(states: 2)
  }

  /// What was asked for, for another attempt.
  var usedBook: OfferBook { book }

  /// Finds a solution, or the reason why no solution exists.
  ///
  /// - Throws: `resolve.too-hard`, `resolve.bounds`, `resolve.offers`, and what the offers throw.
  mutating func run() throws(SignetError) -> Outcome {
    add([Term(module: Catalog.root, states: StateSet(only: 0, count: 2))], .root)
    // First of all, so that everything else is known to follow from it.
    if let failure = try propagate(Catalog.root) { return .failed(failure) }
    let host = Term(module: Catalog.root, states: StateSet(only: 1, count: 2))
    for request in book.modfile.requests {
      let module = try place(of: request.identifier)
      let accepted = catalog[module].states { request.versions.contains($0) }
      require(host, module: module, accepted: accepted, versions: "\(request.versions)", line: request.line)
    }
    named = catalog.entries.count - 1
    var next = Catalog.root
    while true {
      if let failure = try propagate(next) { return .failed(failure) }
      if let module = try choose() {
        next = module
        try consider(module)
        continue
      }
      try count(catalog.entries.count)
      if let cycle = cycle() {
        add(cycle, .cycle(cycle))
        next = cycle[0].module
      } else {
        return .solved(solution.decisions.map { ($0, solution.decided[$0] ?? 0) })
      }
    }
  }

  private mutating func place(of module: ModuleIdentifier) throws(SignetError) -> Int {
    if let place = catalog.place(of: module) { return place }
    let page = try book.page(of: module)
    let place = catalog.add(module, page, mayChoose: rules.mayChoose(module, page))
    solution.add(states: catalog[place].stateCount)
    let version = rules.preferred(module)
    let index = version.flatMap { version in catalog[place].releases.firstIndex { $0.version == version } }
    preferred.append(index.map { $0 + 1 })
    mentions.append([])
    expanded.append([])
    excludeByHost(place)
    return place
  }

  /// Leaves out the releases that do not support the host's version. A host whose version is unknown leaves out none.
  private mutating func excludeByHost(_ module: Int) {
    guard let host = book.modfile.host else { return }
    let entry = catalog[module]
    var ranges: [String] = []
    var excluded: [String: StateSet] = [:]
    for (index, release) in entry.releases.enumerated() {
      guard let range = release.host, !range.contains(host) else { continue }
      let text = "\(range)"
      if excluded[text] == nil { ranges.append(text) }
      excluded[text, default: StateSet(count: entry.stateCount)].insert(index + 1)
    }
    for range in ranges {
      guard let states = excluded[range] else { continue }
      let term = Term(module: module, states: states)
      add([term], .host(term, versions: range, host))
    }
  }

  private mutating func add(_ terms: [Term], _ cause: Incompatibility.Cause) {
    record(Incompatibility(terms, cause))
    for term in terms { mentions[term.module].append(incompatibilities.count - 1) }
  }

  @discardableResult private mutating func record(_ incompatibility: Incompatibility) -> Int {
    incompatibilities.append(incompatibility)
    termCount += incompatibility.terms.count
    return incompatibilities.count - 1
  }

  /// Adds that releases of one module require releases of another one.
  private mutating func require(
    _ dependent: Term, module: Int, accepted: StateSet, versions: String, line: Int? = nil
  ) {
    let fact = Incompatibility.Requirement(
      dependent: dependent, line: line, module: module, versions: versions, isMet: !accepted.isEmpty)
    // If no release is accepted, the other term is always true and says nothing.
    let other = accepted.isEmpty ? [] : [Term(module: module, states: accepted.complement)]
    add([dependent] + other, .requirement(fact))
  }

  // MARK: Propagation

  private enum Relation {
    case satisfied
    /// All terms but this one are satisfied.
    case almost(Term)
    case open
  }

  private func relation(_ incompatibility: Incompatibility) -> Relation {
    var last: Term?
    for term in incompatibility.terms {
      let known = solution.known[term.module]
      if known.isSubset(of: term.states) { continue }
      if last != nil || known.isDisjoint(with: term.states) { return .open }
      last = term
    }
    return last.map { .almost($0) } ?? .satisfied
  }

  /// Derives what follows from what is known of a module.
  ///
  /// - Returns: the incompatibility that leaves out every solution, if one was found.
  private mutating func propagate(_ module: Int) throws(SignetError) -> Int? {
    var changed = [module]
    while let module = changed.popLast() {
      // What was learned last says the most.
      for index in mentions[module].reversed() {
        try count(1)
        switch relation(incompatibilities[index]) {
        case .open: continue
        case .almost(let term):
          derive(term, index)
          if !changed.contains(term.module) { changed.append(term.module) }
          continue
        case .satisfied: break
        }
        let cause = try resolve(index)
        guard !incompatibilities[cause].isFailure else { return cause }
        guard case .almost(let term) = relation(incompatibilities[cause]) else { continue }
        derive(term, cause)
        changed = [term.module]
        break
      }
    }
    return nil
  }

  private mutating func derive(_ term: Term, _ cause: Int) {
    solution.derive(Term(module: term.module, states: term.states.complement), cause: cause)
  }

  /// Finds the root cause of a conflict, and takes decisions back until it can be avoided.
  ///
  /// - Returns: the incompatibility that follows from the conflict: one that is almost satisfied now, or a failure.
  private mutating func resolve(_ conflict: Int) throws(SignetError) -> Int {
    var current = conflict
    while !incompatibilities[current].isFailure {
      let terms = incompatibilities[current].terms
      try count(terms.count)
      let places = terms.map { solution.place(satisfying: $0) ?? 0 }
      guard let last = terms.indices.max(by: { places[$0] < places[$1] }) else { return current }
      let (term, satisfier) = (terms[last], solution.assignments[places[last]])
      // The level up to which the conflict does not need the satisfier.
      var level = 0
      for (index, place) in places.enumerated() where index != last {
        level = max(level, solution.assignments[place].level)
      }
      if let place = solution.place(satisfying: term, with: satisfier.term.states) {
        level = max(level, solution.assignments[place].level)
      }
      guard let cause = satisfier.cause, level == satisfier.level else {
        try count(catalog.entries.count / 16)
        solution.backtrack(to: level)
        if current != conflict {
          for term in terms { mentions[term.module].append(current) }
        }
        return current
      }
      // Each term of the one is looked for in the other. To compare two numbers is little work.
      try count(terms.count * incompatibilities[cause].terms.count / 32)
      current = record(merged(current, with: cause, term: term, satisfier: satisfier.term))
    }
    return current
  }

  /// The incompatibility that follows from a conflict and the cause of its satisfier.
  private func merged(_ conflict: Int, with cause: Int, term: Term, satisfier: Term) -> Incompatibility {
    var terms = incompatibilities[conflict].terms.filter { $0.module != term.module }
    for other in incompatibilities[cause].terms where other.module != term.module {
      if let index = terms.firstIndex(where: { $0.module == other.module }) {
        terms[index] = Term(module: other.module, states: terms[index].states.intersection(other.states))
      } else {
        terms.append(other)
      }
    }
    // Where the satisfier alone does not satisfy the term, the rest is left.
    if !satisfier.states.isSubset(of: term.states) {
      terms.append(Term(module: term.module, states: term.states.union(satisfier.states.complement)))
    }
    return Incompatibility(derived: terms, from: conflict, and: cause)
  }

  private mutating func count(_ steps: Int) throws(SignetError) {
    work += steps
    guard work <= workLimit, termCount <= Self.termLimit else {
      throw SignetError(
        .resolveTooHard, "Modfile", "takes more work to resolve than is allowed",
        expected: "at most \(workLimit) steps",
        hint: "narrow the versions of some modules, so that fewer choices are left")
    }
  }

  // MARK: Decisions

  /// The module to decide next: one whose preferred release is still possible, then one that the Modfile names, in the
  /// order of its lines, then the one with the fewest releases left, then the first one by name.
  private mutating func choose() throws(SignetError) -> Int? {
    try count(solution.open.count)
    var best: (module: Int, key: (Int, Int, Int))?
    for module in solution.open {
      let key = (
        preferredState(module) == nil ? 1 : 0, module <= named ? module : Int.max, solution.known[module].size
      )
      if let known = best {
        if known.key < key { continue }
        if known.key == key, catalog.name(known.module).precedesInBytes(catalog.name(module)) { continue }
      }
      best = (module, key)
    }
    return best?.module
  }

  private func preferredState(_ module: Int) -> Int? {
    preferred[module].flatMap { solution.known[module].contains($0) ? $0 : nil }
  }

  /// Decides a module, unless that would be a conflict at once: then propagation leaves the release out.
  private mutating func consider(_ module: Int) throws(SignetError) {
    guard let state = preferredState(module) ?? solution.known[module].newest else { return }
    let first = incompatibilities.count
    try expand(module, state)
    let chosen = StateSet(only: state, count: catalog[module].stateCount)
    for incompatibility in incompatibilities[first...] {
      let isConflict = incompatibility.terms.allSatisfy { term in
        (term.module == module ? chosen : solution.known[term.module]).isSubset(of: term.states)
      }
      if isConflict { return }
    }
    solution.decide(module, state)
  }

  /// Adds what a release requires. Neighbouring releases with the same requirement share one incompatibility: that
  /// leaves fewer of them, and says more.
  private mutating func expand(_ module: Int, _ state: Int) throws(SignetError) {
    let entry = catalog[module]
    for requirement in entry.release(state).requirements {
      let required = try place(of: requirement.identifier)
      if expanded[module].contains(where: { $0.module == required && $0.states.contains(state) }) { continue }
      var states = StateSet(only: state, count: entry.stateCount)
      let isSame = { (index: Int) in
        entry.release(index).requirements.contains {
          $0.identifier == requirement.identifier
            && $0.versions.description.isExactly(requirement.versions.description)
        }
      }
      var (low, high) = (state - 1, state + 1)
      while low >= 1, isSame(low) {
        states.insert(low)
        low -= 1
      }
      while high < entry.stateCount, isSame(high) {
        states.insert(high)
        high += 1
      }
      try count((high - low) * (1 + entry.release(state).requirements.count / 8) + catalog[required].stateCount)
      expanded[module].append((required, states))
      let accepted = catalog[required].states { requirement.versions.contains($0) }
      let dependent = Term(module: module, states: states)
      require(dependent, module: required, accepted: accepted, versions: "\(requirement.versions)")
    }
  }

  // MARK: Circles

  /// A circle among the chosen releases: for each of its modules all releases that require the next one.
  private func cycle() -> [Term]? {
    var graph = RequirementGraph(count: catalog.entries.count)
    for module in solution.decisions {
      guard let state = solution.decided[module] else { continue }
      graph.edges[module] = catalog[module].release(state).requirements.compactMap {
        catalog.place(of: $0.identifier)
      }
    }
    guard let circle = graph.circle(from: solution.decisions) else { return nil }
    return circle.enumerated().map { index, module in
      let next = catalog[circle[(index + 1) % circle.count]].identifier
      var states = StateSet(count: catalog[module].stateCount)
      for (place, release) in catalog[module].releases.enumerated()
      where release.requirements.contains(where: { $0.identifier == next }) {
        states.insert(place + 1)
      }
      return Term(module: module, states: states)
    }
  }
}
