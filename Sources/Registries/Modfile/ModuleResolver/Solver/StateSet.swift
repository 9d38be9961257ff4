/// A set of states of one module. State 0 is that the module is absent; the others are its releases, oldest first.
///
/// PubGrub's terms are such sets: "not com.example.player 1.0" is the set with absence and all other releases. So all
/// that the algorithm asks of terms becomes an operation on bits. All sets of a module have the same number of states.
struct StateSet: Hashable, Sendable {
  /// The number of states of the module.
  let count: Int
  // Most modules have fewer than 64 states, and their sets need no memory of their own.
  private var first: UInt64
  private var rest: [UInt64]

  /// The set without any state, for a module with so many.
  init(count: Int) {
    self.count = count
    first = 0
    rest = [UInt64](repeating: 0, count: (count - 1) / 64)
  }

  /// The set of one state.
  init(only state: Int, count: Int) {
    self.init(count: count)
    insert(state)
  }

  /// The set of all states.
  static func all(count: Int) -> StateSet { StateSet(count: count).complement }

  mutating func insert(_ state: Int) {
    if state < 64 { first |= 1 << state } else { rest[state / 64 - 1] |= 1 << (state % 64) }
  }

  func contains(_ state: Int) -> Bool {
    (state < 64 ? first >> state : rest[state / 64 - 1] >> (state % 64)) & 1 == 1
  }

  var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }
  /// Whether the module is certainly in the solution.
  var isPresent: Bool { first & 1 == 0 }
  /// The number of states in the set.
  var size: Int { rest.reduce(first.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

  /// The newest release of the set; nil if it has none.
  var newest: Int? {
    for index in rest.indices.reversed() where rest[index] != 0 {
      return (index + 1) * 64 + 63 - rest[index].leadingZeroBitCount
    }
    let newest = 63 - first.leadingZeroBitCount
    return newest > 0 ? newest : nil
  }

  var complement: StateSet {
    var set = self
    set.first = ~first
    for index in rest.indices { set.rest[index] = ~rest[index] }
    let used = count % 64
    guard used != 0 else { return set }
    let mask = UInt64.max >> (64 - used)
    if rest.isEmpty { set.first &= mask } else { set.rest[rest.count - 1] &= mask }
    return set
  }

  func intersection(_ other: StateSet) -> StateSet {
    var set = self
    set.first &= other.first
    for index in rest.indices { set.rest[index] &= other.rest[index] }
    return set
  }

  func union(_ other: StateSet) -> StateSet {
    var set = self
    set.first |= other.first
    for index in rest.indices { set.rest[index] |= other.rest[index] }
    return set
  }

  func isSubset(of other: StateSet) -> Bool {
    guard first & ~other.first == 0 else { return false }
    for index in rest.indices where rest[index] & ~other.rest[index] != 0 { return false }
    return true
  }

  func isDisjoint(with other: StateSet) -> Bool {
    guard first & other.first == 0 else { return false }
    for index in rest.indices where rest[index] & other.rest[index] != 0 { return false }
    return true
  }
}
