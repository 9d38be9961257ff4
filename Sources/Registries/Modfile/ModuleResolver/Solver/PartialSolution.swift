/// What is known of each module's state so far: decisions, and what follows from them.
struct PartialSolution {
  /// A decision or a derivation.
  struct Assignment {
    let term: Term
    /// What was known of the module together with this.
    let known: StateSet
    /// The number of decisions up to this one.
    let level: Int
    /// The incompatibility from which the term follows; nil for a decision.
    let cause: Int?
  }

  private(set) var assignments: [Assignment] = []
  /// What is known of each module.
  private(set) var known: [StateSet] = []
  /// The places of each module's assignments.
  private var places: [[Int]] = []
  /// The state of each module that was decided.
  private(set) var decided: [Int?] = []
  /// The modules that were decided, in order.
  private(set) var decisions: [Int] = []
  /// The modules that are certainly in the solution and not decided yet.
  private(set) var open: [Int] = []

  var level: Int { decisions.count }

  /// Adds a module of which nothing is known.
  mutating func add(states count: Int) {
    known.append(.all(count: count))
    places.append([])
    decided.append(nil)
  }

  mutating func decide(_ module: Int, _ state: Int) {
    decisions.append(module)
    decided[module] = state
    assign(Term(module: module, states: StateSet(only: state, count: known[module].count)), cause: nil)
    open.removeAll { $0 == module }
  }

  mutating func derive(_ term: Term, cause: Int) { assign(term, cause: cause) }

  private mutating func assign(_ term: Term, cause: Int?) {
    let wasPresent = known[term.module].isPresent
    known[term.module] = known[term.module].intersection(term.states)
    if !wasPresent, known[term.module].isPresent, decided[term.module] == nil, term.module != Catalog.root {
      open.append(term.module)
    }
    places[term.module].append(assignments.count)
    assignments.append(Assignment(term: term, known: known[term.module], level: level, cause: cause))
  }

  /// Takes back everything that is above a level.
  mutating func backtrack(to level: Int) {
    while let last = assignments.last, last.level > level {
      let module = last.term.module
      assignments.removeLast()
      places[module].removeLast()
      if last.cause == nil {
        decided[module] = nil
        decisions.removeLast()
      }
      known[module] = places[module].last.map { assignments[$0].known } ?? .all(count: last.known.count)
    }
    open = known.indices.filter { known[$0].isPresent && decided[$0] == nil && $0 != Catalog.root }
  }

  /// The place of the first assignment with which a term follows, together with some states that hold anyway.
  ///
  /// - Returns: nil if the term holds without any assignment.
  func place(satisfying term: Term, with states: StateSet? = nil) -> Int? {
    if let states, states.isSubset(of: term.states) { return nil }
    // What is known only grows, so the first place can be searched by halves.
    let places = places[term.module]
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      let known = assignments[places[middle]].known
      let isSatisfied = (states.map { known.intersection($0) } ?? known).isSubset(of: term.states)
      if isSatisfied { high = middle } else { low = middle + 1 }
    }
    return low < places.count ? places[low] : nil
  }
}
