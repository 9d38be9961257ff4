extension Presenter {
  /// Everything that a presenter keeps under its lock.
  struct Storage {
    var state = State()
    var onChange: (@Sendable (State) -> Void)?
    /// Who showed a page, and what is to be told when it closes.
    var shown: [Page.ID: (by: ModuleOwner, onClose: OnClose?)] = [:]
    var onChoice: (@Sendable (Int) -> Void)?
    var removed = RemovedOwners()

    /// Removes the alert.
    ///
    /// - Returns: the call that answers it.
    mutating func takeAlert(choosing index: Int = 0) -> [() -> Void] {
      state.shownAlert = nil
      guard let onChoice = onChoice.take() else { return [] }
      return [{ onChoice(index) }]
    }

    /// Takes pages off the screen.
    ///
    /// - Returns: the calls that tell those concerned.
    mutating func take(_ pages: [Page], _ closing: (Page) -> PageClosing) -> [() -> Void] {
      let ids = Set(pages.map(\.id))
      state.remove { ids.contains($0.id) }
      return pages.map { page in
        let onClose = shown.removeValue(forKey: page.id)?.onClose
        let result = closing(page)
        return {
          (page.object as? any PageController)?.didClose(page, result)
          onClose?(result)
        }
      }
    }
  }
}

extension Presenter: OwnedTable {
  func remove(then next: () -> Removal) -> Removal {
    storage.write { storage in
      var removal = next()
      let owner = removal.owner
      if removal.isFinal { storage.removed.insert(owner) }
      let last = storage.state
      var calls = last.shownAlert?.owner == owner ? storage.takeAlert() : []
      calls += storage.take(last.pages.filter { $0.owner == owner }) { _ in .removed }
      // Pages that the owner shows for others stay, but it is not told any more when they close.
      for (id, shown) in storage.shown where shown.by == owner {
        storage.shown[id] = (owner, nil)
        if let onClose = shown.onClose { calls.append { onClose(.removed) } }
      }
      guard storage.state != last else {
        removal.endings += calls
        return removal
      }
      let (state, handler) = (storage.state, storage.onChange)
      removal.values.append(last)
      removal.endings.append {
        handler?(state)
        for call in calls { call() }
      }
      return removal
    }
  }

  func readmit(_ owner: ModuleOwner) { storage.write { $0.removed.readmit(owner) } }

  /// Pages are shown, not registered.
  func list(then next: () -> [TableEntry]) -> [TableEntry] { next() }
}
