internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The state that was read last. A host asks for each of its modules, and most of the time nothing has changed: then it is not read
/// again.
///
/// The file that it was read from stays open, so that no other can get its number: a file with the same number is the same file, and
/// nobody changes one in its place (``StoreState/write(into:by:)``). Who does so by other ways changes its times.
final class KnownState: Sendable {
  private struct Known {
    let file: RegularFile
    let state: StoreState
  }

  private let known = Monitor<Known?>(nil)

  /// The state that was read last; nil before the first time.
  var last: StoreState? { known.withLock { $0?.state } }

  /// - Throws: `store.state-malformed`, `file.…`.
  func state(in file: RegularFile) throws(SignetError) -> StoreState {
    if let state = known.withLock({ $0.flatMap { $0.file.status == file.status ? $0.state : nil } }) { return state }
    let state = try StoreState(try file.bytes(in: 0..<file.size), file.path)
    known.withLock { $0 = Known(file: file, state: state) }
    return state
  }
}
