package import SignetBase
internal import SignetFiles
internal import SignetSystem

/// The lock for a file that a run changes; an interruption removes it.
package final class ChangeLock {
  private let lock: AdvisoryLock

  /// Takes the lock.
  ///
  /// - Parameter target: the file itself, not a link to it.
  /// - Throws: `file.locked`, `output.failed`.
  package init(beside target: String) throws(SignetError) {
    lock = try AdvisoryLock(beside: target)
    Interruption.remove(lock.path)
  }

  deinit { Interruption.keep(lock.path) }
}
