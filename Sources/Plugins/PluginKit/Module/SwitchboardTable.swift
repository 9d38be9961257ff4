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

  /// The table as JSON: a list of objects with `kind`, `owner`, `pattern` and `priority`, one per line.
  public var tableJSON: String {
    let lines = table.map { entry in
      "  {\"kind\":\(TableText.quote(entry.kind.rawValue)),\"owner\":\(TableText.quote(entry.owner)),"
        + "\"pattern\":\(TableText.quote(entry.pattern)),\"priority\":\(entry.priority)}"
    }
    return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}

/// Texts in JSON (RFC 8259, section 7).
enum TableText {
  static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
