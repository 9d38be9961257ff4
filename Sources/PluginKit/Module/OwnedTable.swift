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

  /// Lists the table, and what `next` lists before anybody can change this one.
  func list(then next: () -> [TableEntry]) -> [TableEntry]
}

/// The removal of everything of an owner.
struct Removal {
  /// The owner, with all of its contexts so far.
  let owner: ModuleOwner
  /// What was removed. It is released when no table is locked any more, because its `deinit` may call back.
  var values: [Any] = []
  /// Calls that tell those concerned, when no table is locked any more.
  var endings: [() -> Void] = []

  /// Whether the contexts so far can no longer register anything.
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
  /// No other thread sees a part of it removed and a part still there. The contexts that the module has so far can no
  /// longer register anything: if its code still runs, it changes nothing. A context that is made afterwards can.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let removal = remove(owner, from: tables[...])
    for ending in removal.endings { ending() }
  }

  private func remove(_ owner: ModuleOwner, from tables: ArraySlice<any OwnedTable>) -> Removal {
    guard let table = tables.first else {
      // All tables are locked. Whatever is in them was registered through one of these contexts.
      return Removal(owner: owner.admitted(admissions.read { $0 }))
    }
    return table.remove { remove(owner, from: tables.dropFirst()) }
  }

  /// Everything that is registered at one moment: routes, actions, services, observers and page factories, each kind in
  /// the order of registration.
  public var table: [TableEntry] { Self.list(tables[...]) }

  private static func list(_ tables: ArraySlice<any OwnedTable>) -> [TableEntry] {
    guard let table = tables.first else { return [] }
    return table.list { list(tables.dropFirst()) }
  }
}

extension Router: OwnedTable {
  func remove(then next: () -> Removal) -> Removal {
    state.write { state in
      var removal = next()
      if removal.isFinal { state.removed.insert(removal.owner) }
      state.refusals.remove(removal.owner)
      removal.values.append(state.tree.removeAll(ownedBy: removal.owner))
      return removal
    }
  }

  func list(then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.tree.routes.map {
        TableEntry(kind: .route, owner: "\($0.owner)", pattern: $0.pattern.text, priority: $0.priority)
      } + next()
    }
  }
}
