public import SignetBase
package import SignetSystem

extension SignetError.Code {
  /// There is no store at the path.
  public static let storeMissing = Self("store.missing", .failure)
  /// The store would be on a file system whose locks, renames or syncs are unreliable.
  public static let storeFileSystem = Self("store.file-system", .failure)
  /// There are modules in the store, but the state that belongs to them is missing.
  public static let storeStateMissing = Self("store.state-missing", .failure)
  /// A file that cannot be read as a store's state.
  public static let storeStateMalformed = Self("store.state-malformed", .failure)
  /// Another process is using or changing the store.
  public static let storeLocked = Self("store.locked", .failure)
  /// The store could not be changed; it is as it was.
  public static let storeWriteFailed = Self("store.write-failed", .failure)
  /// The store was changed, but the change may be lost if the power fails now.
  public static let storeNotSynced = Self("store.not-synced", .failure)
  /// The store would exceed a limit.
  public static let storeBounds = Self("store.bounds", .failure)
  /// No such release is installed in the store.
  public static let storeNotInstalled = Self("store.not-installed", .failure)
  /// An installed release is not what was signed.
  public static let storeDamaged = Self("store.damaged", .refusal)
  /// A release with this sequence is installed, but has other bytes.
  public static let storeSequenceConflict = Self("store.sequence-conflict", .refusal)
  /// A release was set aside, because the host's process has ended with it too often.
  public static let moduleCrashed = Self("module.crashed", .refusal)
  /// The clock shows an earlier time than the store has seen.
  public static let clockRollback = Self("clock.rollback", .refusal)
}

/// Reasons why an archive could not be fetched, beside those of any transfer.
extension SignetError.Code {
  /// A text that does not describe a download.
  public static let fetchItem = Self("fetch.item", .failure)
  /// Another item of the module is being fetched, or another host of the store is fetching it.
  public static let fetchBusy = Self("fetch.busy", .failure)
  /// Another release arrived than was offered.
  public static let fetchOtherRelease = Self("fetch.other-release", .refusal)
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
  /// The error when the system refuses a write to a store, to its releases or to downloads.
  package static func storeWriteFailed(_ path: String, _ failure: SystemFailure) -> SignetError {
    SignetError(
      .storeWriteFailed, path, "cannot be written; the store is unchanged", cause: failure,
      hint: "check that the store is writable and has space, and that its disk works")
  }
}
