public import SignetBase
package import SignetSystem

extension SignetError.Code {
  /// There is no store at the path.
  public static let storeMissing = Self("store.missing")
  /// The store would lie on a file system whose locks, renames or syncs cannot be relied on.
  public static let storeFileSystem = Self("store.file-system")
  /// There are modules, and the state that belongs to them is gone.
  public static let storeStateMissing = Self("store.state-missing")
  /// The store's state cannot be read as such.
  public static let storeStateMalformed = Self("store.state-malformed")
  /// Somebody else is using or changing the store.
  public static let storeLocked = Self("store.locked")
  /// The store could not be changed; it is what it was.
  public static let storeWriteFailed = Self("store.write-failed")
  /// The store was changed, and may be what it was before if the machine loses its power now.
  public static let storeNotSynced = Self("store.not-synced")
  /// The store would hold more than a store may.
  public static let storeBounds = Self("store.bounds")
  /// No such release is installed.
  public static let storeNotInstalled = Self("store.not-installed")
  /// What is installed is not what was signed.
  public static let storeDamaged = Self("store.damaged")
  /// A release with this sequence is installed, and has other bytes.
  public static let storeSequenceConflict = Self("store.sequence-conflict")
  /// A release with which the host's process has ended too often.
  public static let moduleCrashed = Self("module.crashed")
  /// The clock shows an earlier time than the store has seen.
  public static let clockRollback = Self("clock.rollback")
}

/// Why an archive could not be fetched.
extension SignetError.Code {
  /// Something that does not say what is to be fetched.
  public static let fetchItem = Self("fetch.item")
  /// A URL that nothing is fetched from.
  public static let fetchURL = Self("fetch.url")
  /// Something else of the module is being fetched, or another host of the store fetches it.
  public static let fetchBusy = Self("fetch.busy")
  /// Nobody waits for it any more.
  public static let fetchCancelled = Self("fetch.cancelled")
  /// The host has no fetcher, or the system denies what fetching takes.
  public static let fetchUnavailable = Self("fetch.unavailable")
  /// The server cannot be reached, or is gone in the middle.
  public static let fetchConnection = Self("fetch.connection")
  /// The server is not who it should be, or that cannot be told.
  public static let fetchTLS = Self("fetch.tls")
  /// It would take too long.
  public static let fetchTimeout = Self("fetch.timeout")
  /// The server has no answer but this status.
  public static let fetchStatus = Self("fetch.status")
  /// The server sends elsewhere, and there nothing is fetched.
  public static let fetchRedirect = Self("fetch.redirect")
  /// The server's answer is not what HTTP says.
  public static let fetchResponse = Self("fetch.response")
  /// The server gives another part than was asked for.
  public static let fetchRange = Self("fetch.range")
  /// The server gives bytes that would have to be decoded.
  public static let fetchEncoding = Self("fetch.encoding")
  /// There are more or fewer bytes than there should be.
  public static let fetchLength = Self("fetch.length")
  /// There are more bytes than are taken.
  public static let fetchTooLarge = Self("fetch.too-large")
  /// Another release came than was offered.
  public static let fetchOtherRelease = Self("fetch.other-release")
}

extension Directory {
  /// Does what changes something of a name in a directory of the store, or, without a name, the directory itself.
  ///
  /// - Throws: `store.write-failed`.
  package func storing<Value>(
    _ name: String = "", _ body: () throws(SystemFailure) -> Value
  ) throws(SignetError) -> Value {
    do throws(SystemFailure) { return try body() } catch {
      throw .storeWriteFailed(shown(Array(name.utf8)), error)
    }
  }
}

extension SignetError {
  /// What becomes of a transfer that nobody waits for.
  package static func fetchCancelled(_ object: String) -> SignetError {
    SignetError(.fetchCancelled, object, "was cancelled: nothing waits for it any longer")
  }

  /// What the system refused when something was written to a store, to its releases or to what is fetched.
  package static func storeWriteFailed(_ path: String, _ failure: SystemFailure) -> SignetError {
    SignetError(
      .storeWriteFailed, path, "cannot be written; the store is unchanged", cause: failure,
      hint: "check that the store is writable and has space, and that its disk works")
  }
}
