/// A table whose entries have owners.
///
/// Something that concerns several tables holds the locks of all of them at once, always in the order of
/// ``Switchboard/tables``. Nothing else holds two of these locks. So nobody sees one table before a change and another
/// one after it, and no two threads wait for each other.
protocol OwnedTable: Sendable {
  /// Locks the table, has `next` lock the others, and removes an owner's entries.
  ///
  /// - Returns: what `next` returned, with what was removed here.
  func remove(then next: () -> Removal) -> Removal

  /// Ends an owner's admissions up to the one in which it acts, and lets later ones register.
  func readmit(_ owner: ModuleOwner)

  /// Lists the table, and what `next` lists before anybody can change this one.
  func list(then next: () -> [TableEntry]) -> [TableEntry]
}

/// A table in which owners register what others call. It keeps everything in one state, under one lock.
protocol RegistrationTable: OwnedTable {
  associatedtype State: OwnedState

  var state: ReadWriteLock<State> { get }
}

/// The state of a table in which owners register.
protocol OwnedState {
  associatedtype Removed

  /// The owners that may no longer register.
  var removed: RemovedOwners { get set }

  /// Removes what an owner has.
  ///
  /// - Returns: what may be released outside of the lock.
  mutating func remove(_ owner: ModuleOwner) -> Removed
}

extension RegistrationTable {
  func remove(then next: () -> Removal) -> Removal {
    state.write { state in
      var removal = next()
      if removal.isFinal { state.removed.insert(removal.owner) }
      removal.values.append(state.remove(removal.owner))
      return removal
    }
  }

  func readmit(_ owner: ModuleOwner) { state.write { $0.removed.readmit(owner) } }
}

/// The removal of everything of an owner.
struct Removal {
  /// The owner, with all of its admissions so far.
  let owner: ModuleOwner
  /// What was removed. It is released when no table is locked any more, because its `deinit` may call back.
  var values: [Any] = []
  /// Calls that tell those concerned, when no table is locked any more.
  var endings: [() -> Void] = []

  /// Whether these admissions end.
  var isFinal: Bool { owner != .host }
}
