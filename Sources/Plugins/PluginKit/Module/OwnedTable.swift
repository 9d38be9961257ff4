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

extension Switchboard {
  /// All tables, in the order in which they are locked.
  private var tables: [any OwnedTable] {
    [router, targets, services, notifications, events, pages, reservedSchemes, presenter]
  }

  /// Removes everything of an owner in one step: routes, targets, services, observers, page factories, and the pages
  /// that are shown.
  ///
  /// No other thread sees a part of it removed and a part still there. A removed module can no longer register anything
  /// until ``readmit(module:)`` lets it. If its code still runs, it changes nothing, because its context stays closed.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let removal = remove(owner, from: tables[...])
    for ending in removal.endings { ending() }
  }

  private func remove(_ owner: ModuleOwner, from tables: ArraySlice<any OwnedTable>) -> Removal {
    guard let table = tables.first else {
      // All tables are locked. Whatever is in them was registered in one of these admissions.
      return Removal(owner: admitted(owner))
    }
    return table.remove { remove(owner, from: tables.dropFirst()) }
  }

  /// Lets a module that was removed register again, by a new context.
  ///
  /// Contexts that were made before stay closed, because the code that holds them is that of the removed release. A
  /// module whose code was entered can still not be entered again: its code stays in the process.
  ///
  /// - Parameter module: the module's identifier.
  public func readmit(module: String) {
    let last = admitted(.module(module))
    for table in tables { table.readmit(last) }
    // Contexts that are made before this line are from before the readmission.
    admissions.write { $0[last] = max($0[last] ?? 1, last.admission + 1) }
  }

  /// An owner in its current admission.
  func admitted(_ owner: ModuleOwner) -> ModuleOwner { owner.admitted(admissions.read { $0[owner] ?? 1 }) }

  /// Everything that is registered at one moment: routes, actions, services, observers and page factories, each kind in
  /// the order of registration.
  public var table: [TableEntry] { Self.list(tables[...]) }

  private static func list(_ tables: ArraySlice<any OwnedTable>) -> [TableEntry] {
    guard let table = tables.first else { return [] }
    return table.list { list(tables.dropFirst()) }
  }
}

extension Router: RegistrationTable {
  func list(then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.tree.routes.map {
        TableEntry(kind: .route, owner: "\($0.owner)", pattern: $0.pattern.text, priority: $0.priority)
      } + next()
    }
  }
}
