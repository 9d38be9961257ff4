package import SignetBase

/// What is wrong with a repository, as much of it as people read. One publisher could make millions of faults.
package struct FaultList {
  /// The most faults that are told one by one.
  package static let limit = 1000

  private var told: [SignetError] = []
  private var untold = 0

  package init() {}

  /// Adds a fault.
  package mutating func append(_ fault: SignetError) {
    if told.count < Self.limit { told.append(fault) } else { untold += 1 }
  }

  /// Adds the faults of another list.
  package mutating func append(_ other: FaultList) {
    for fault in other.told { append(fault) }
    untold += other.untold
  }

  /// The faults, the last of which may say that there are more.
  package var faults: [SignetError] {
    guard untold > 0 else { return told }
    return told + [
      SignetError(
        .tufMoreFaults, "the repository", "has more faults than are listed", expected: "at most \(Self.limit)",
        found: "\(untold) more", hint: "mend those that are listed, and check again")
    ]
  }
}
