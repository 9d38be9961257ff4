internal import SignetBase
internal import SignetSystem

/// Compresses entries on all cores, and hands them over in their order: what is written does not depend on how many
/// cores there are.
///
/// Entries are taken in runs, and compressed in memory ahead of whoever writes them, as far as memory allows. An entry
/// that is too large for that is left to the writer.
final class CompressionQueue: Sendable {
  /// Entries that follow each other and are compressed by one thread.
  struct Run: Sendable {
    var entries: Range<Int>
    /// Bytes of them before they are compressed.
    var size: Int
    /// Whether it is one entry that is left to the writer.
    let isLarge: Bool
  }

  /// A run ends after so many entries or bytes: so few that no thread waits for another at the end, and so many that
  /// taking them costs nothing.
  private static let runLength = 64
  private static let runSize = 256 << 10
  /// More threads than this wait for memory, not for the processor.
  private static let threadLimit = 64

  /// The runs, in order.
  let runs: [Run]
  private let entries: [PackedEntry]
  private let settings: Settings
  private let progress: ProgressCounter?
  private let state = Monitor(State())

  /// What compressing needs to know.
  struct Settings: Sendable {
    let limits: ArchiveLimits
    let memory: PackingMemory
    /// Bytes of all entries.
    let total: Int

    func compressor() throws(SignetError) -> EntryCompressor { try EntryCompressor(limits, total: total) }
  }

  private typealias Outcome = Result<[EntryCompressor.Compressed], SignetError>

  private struct State {
    /// The first run that nobody has taken.
    var next = 0
    /// Bytes of the runs that were taken and not handed over.
    var size = 0
    var outcomes: [Int: Outcome] = [:]
    var isOver = false
    var threads: [WorkerThread] = []
  }

  /// - Parameter alone: entries that are left to the writer whatever their size.
  init(_ entries: [PackedEntry], _ settings: Settings, alone: Set<Int> = [], _ progress: ProgressCounter?) {
    self.entries = entries
    self.settings = settings
    self.progress = progress
    var runs: [Run] = []
    for (index, entry) in entries.enumerated() {
      let isLarge =
        if case .file(let content, _) = entry.content {
          content.size > settings.memory.entry || alone.contains(index)
        } else {
          false
        }
      if let last = runs.last, !last.isLarge, !isLarge, last.entries.count < Self.runLength,
        last.size + entry.size <= Self.runSize
      {
        runs[runs.count - 1].entries = last.entries.lowerBound..<index + 1
        runs[runs.count - 1].size += entry.size
      } else {
        runs.append(Run(entries: index..<index + 1, size: entry.size, isLarge: isLarge))
      }
    }
    self.runs = runs
  }

  /// Starts threads beside the caller's, where there is work for them; ``stop()`` must follow.
  func start() {
    let count = min(WorkerThreads.processorCount, runs.count { !$0.isLarge }, Self.threadLimit)
    var threads: [WorkerThread] = []
    // Where the system gives fewer, fewer will do.
    while threads.count + 1 < count, let thread = WorkerThread({ self.work() }) { threads.append(thread) }
    state.withLock { $0.threads = threads }
  }

  /// Ends the threads, whether or not everything is done.
  func stop() {
    let threads = state.withLock { state in
      state.isOver = true
      return state.threads
    }
    for thread in threads { thread.join() }
  }

  /// What has become of a run's entries. Runs are asked for in order, each once, but for large ones.
  ///
  /// - Parameter compressor: the caller's, who works on while others do.
  func compressed(
    run: Int, _ compressor: EntryCompressor
  ) throws(SignetError) -> [EntryCompressor.Compressed] {
    while true {
      switch state.wait(until: { state in result(of: run, &state) ?? take(&state).map { .work($0) } }) {
      case .done(let outcome): return try outcome.get()
      case .work(let other): finish(other, compress(other, compressor))
      }
    }
  }

  private enum Step {
    case done(Outcome)
    case work(Int)
  }

  private func result(of run: Int, _ state: inout State) -> Step? {
    guard let outcome = state.outcomes.removeValue(forKey: run) else { return nil }
    state.size -= runs[run].size
    return .done(outcome)
  }

  /// Takes the next run; nil while there is none, or no memory for it. The one that is to be written next is always let
  /// in: all before it have been handed over.
  private func take(_ state: inout State) -> Int? {
    while state.next < runs.count, runs[state.next].isLarge { state.next += 1 }
    guard state.next < runs.count, state.size == 0 || state.size + runs[state.next].size <= settings.memory.total
    else { return nil }
    state.size += runs[state.next].size
    state.next += 1
    return state.next - 1
  }

  private func work() {
    var compressor: EntryCompressor?
    while case let run? = state.wait(until: { state in state.isOver ? .some(nil) : take(&state).map { .some($0) } }) {
      do throws(SignetError) {
        let own = if let compressor { compressor } else { try settings.compressor() }
        compressor = own
        finish(run, compress(run, own))
      } catch {
        finish(run, .failure(error))
      }
    }
  }

  private func finish(_ run: Int, _ outcome: Outcome) { state.withLock { $0.outcomes[run] = outcome } }

  private func compress(_ run: Int, _ compressor: EntryCompressor) -> Outcome {
    var compressed: [EntryCompressor.Compressed] = []
    do throws(SignetError) {
      for entry in entries[runs[run].entries] {
        switch entry.content {
        case .file(let content, _): compressed.append(try compressor.compress(content, entry.path, progress))
        case .directory: compressed.append(.nothing)
        case .symbolicLink(let target):
          compressed.append(try compressor.compress(PackedBytes(Array(target.utf8)), entry.path, nil))
        }
      }
      return .success(compressed)
    } catch {
      return .failure(error)
    }
  }
}

/// How much memory packing takes for files' bytes; they are there twice while they are compressed.
package struct PackingMemory: Sendable {
  /// A larger file is not held in memory: most shared libraries are smaller.
  package var entry = 16 << 20
  /// Bytes of all files that are held at once.
  package var total = 64 << 20

  package init() {}
}
