public import SignetBase
package import SignetSystem

extension SignetError.Code {
  /// There is no store at the path.
  public static let storeMissing = Self("store.missing")
  /// The store would be on a file system whose locks, renames or syncs are unreliable.
  public static let storeFileSystem = Self("store.file-system")
  /// There are modules in the store, but the state that belongs to them is missing.
  public static let storeStateMissing = Self("store.state-missing")
  /// A file that cannot be read as a store's state.
  public static let storeStateMalformed = Self("store.state-malformed")
  /// Another process is using or changing the store.
  public static let storeLocked = Self("store.locked")
  /// The store could not be changed; it is as it was.
  public static let storeWriteFailed = Self("store.write-failed")
  /// The store was changed, but the change may be lost if the power fails now.
  public static let storeNotSynced = Self("store.not-synced")
  /// The store would exceed a limit.
  public static let storeBounds = Self("store.bounds")
  /// No such release is installed in the store.
  public static let storeNotInstalled = Self("store.not-installed")
  /// An installed release is not what was signed.
  public static let storeDamaged = Self("store.damaged")
  /// A release with this sequence is installed, but has other bytes.
  public static let storeSequenceConflict = Self("store.sequence-conflict")
  /// A release was set aside, because the host's process has ended with it too often.
  public static let moduleCrashed = Self("module.crashed")
  /// The clock shows an earlier time than the store has seen.
  public static let clockRollback = Self("clock.rollback")
}

/// Reasons why an archive could not be fetched.
extension SignetError.Code {
  /// A text that does not describe a download.
  public static let fetchItem = Self("fetch.item")
  /// A URL from which nothing is fetched.
  public static let fetchURL = Self("fetch.url")
  /// Another item of the module is being fetched, or another host of the store is fetching it.
  public static let fetchBusy = Self("fetch.busy")
  /// A transfer was ended, because no caller waits for it any longer.
  public static let fetchCancelled = Self("fetch.cancelled")
  /// The host has no fetcher, or the system denies what fetching needs.
  public static let fetchUnavailable = Self("fetch.unavailable")
  /// The server cannot be reached, or the connection was lost.
  public static let fetchConnection = Self("fetch.connection")
  /// The server of a transfer is not the right one, or that cannot be determined.
  public static let fetchTLS = Self("fetch.tls")
  /// A transfer would take too long.
  public static let fetchTimeout = Self("fetch.timeout")
  /// The server answered with a status that brings no file.
  public static let fetchStatus = Self("fetch.status")
  /// The server redirects too often, or to where nothing is fetched.
  public static let fetchRedirect = Self("fetch.redirect")
  /// The server's answer is not valid HTTP.
  public static let fetchResponse = Self("fetch.response")
  /// The server sends another part than was requested.
  public static let fetchRange = Self("fetch.range")
  /// The server sends bytes that would have to be decoded.
  public static let fetchEncoding = Self("fetch.encoding")
  /// A transfer has more or fewer bytes than expected.
  public static let fetchLength = Self("fetch.length")
  /// A transfer has more bytes than allowed.
  public static let fetchTooLarge = Self("fetch.too-large")
  /// Another release arrived than was offered.
  public static let fetchOtherRelease = Self("fetch.other-release")
}

extension Directory {
  /// Runs a body that changes a name in a directory of the store or, without a name, the directory itself.
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
  /// The error for a transfer for which no caller waits.
  package static func fetchCancelled(_ object: String) -> SignetError {
    SignetError(.fetchCancelled, object, "was cancelled: nothing waits for it any longer")
  }

  /// The error when the system refuses a write to a store, to its releases or to downloads.
  package static func storeWriteFailed(_ path: String, _ failure: SystemFailure) -> SignetError {
    SignetError(
      .storeWriteFailed, path, "cannot be written; the store is unchanged", cause: failure,
      hint: "check that the store is writable and has space, and that its disk works")
  }
}
