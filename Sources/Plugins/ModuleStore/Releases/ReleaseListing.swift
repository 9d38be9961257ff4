internal import Signet
internal import SignetBase

/// What a store lists at one time, for callers that open its releases.
///
/// Another process may remove a release after the list was read and before the release is opened. The list changes
/// first, and the files move later. So if a release cannot be opened, the list is read again: only a release that is
/// still listed is damaged.
struct ReleaseListing {
  /// The state that was read.
  let state: StoreState
  /// Whether a release of the list was removed before it could be opened. Then the answer has to be found again in a
  /// new list.
  private(set) var isOutdated = false
  private let store: ModuleStore

  /// How often opening a release is retried when it is removed and installed at the same moment, and how often a list
  /// is read again. An installation removes one release or two of a module and keeps four. A reader that starts over
  /// this often has met dozens of them.
  static let tries = 16

  init(_ store: ModuleStore) throws(SignetError) {
    self.store = store
    state = try store.state()
  }

  /// Opens a release of the list.
  ///
  /// - Throws: `store.not-installed` if the release was removed since the list was read; what
  ///   ``ModuleStore/openPlaced(_:of:)`` throws.
  mutating func open(
    _ release: StoreState.Release, of module: ModuleIdentifier
  ) throws(SignetError) -> InstalledModule {
    try read(release, of: module) { [store] () throws(SignetError) in try store.openPlaced(release, of: module) }
  }

  /// Reads something of a release of the list.
  ///
  /// - Parameter read: reads it. It is called again if it fails and the release was removed and installed meanwhile.
  /// - Throws: `store.not-installed` if the release was removed since the list was read; otherwise what `read` throws.
  mutating func read<Value>(
    _ release: StoreState.Release, of module: ModuleIdentifier, _ read: () throws(SignetError) -> Value
  ) throws(SignetError) -> Value {
    var triesLeft = Self.tries
    while true {
      let before = try store.stateFile()
      do throws(SignetError) {
        return try read()
      } catch {
        let now = try store.storedState()
        guard let listed = now.modules[module]?.release(release.sequence), listed.isSame(as: release) else {
          isOutdated = true
          throw ModuleStore.notInstalled(module, release.sequence)
        }
        triesLeft -= 1
        // The files of a listed release stay in their place as long as nothing changes the store.
        guard triesLeft > 0, try store.stateFile()?.status != before?.status else { throw error }
      }
    }
  }
}

extension ModuleStore {
  /// Answers a question about the list. It starts again as long as releases of the list are removed meanwhile.
  ///
  /// - Throws: `store.locked` if that does not end; errors of reading the state, and what `answer` throws.
  func listing<Answer>(
    _ answer: (inout ReleaseListing) throws(SignetError) -> Answer
  ) throws(SignetError) -> Answer {
    for _ in 0..<ReleaseListing.tries {
      var listing = try ReleaseListing(self)
      do throws(SignetError) {
        let answer = try answer(&listing)
        if !listing.isOutdated { return answer }
      } catch {
        guard listing.isOutdated else { throw error }
      }
    }
    throw SignetError(
      .storeLocked, path, "keeps changing: releases are removed as soon as they are listed",
      hint: "run the command again later")
  }
}
