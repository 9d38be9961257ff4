internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// Compresses entries on all cores, and returns them in their order: the output does not depend on the number of cores.
///
/// Entries are taken in runs, and are compressed in memory ahead of the writer, as far as memory allows. An entry that
/// is too large for that is left to the writer.
final class CompressionQueue: Sendable {
  /// Consecutive entries that are compressed by one thread.
  struct Run: Sendable {
    var entries: Range<Int>
    /// The number of bytes in the entries before they are compressed.
    var size: Int
    /// Whether the run is one entry that is left to the writer.
    let isLarge: Bool
  }

  /// The numbers of entries and bytes after which a run ends. They are small enough that no thread waits for another at
  /// the end, and large enough that taking a run costs nothing.
  private static let runLength = 64
  private static let runSize = 256 << 10
  /// With more threads than this, threads wait for memory, not for the processor.
  private static let threadLimit = 64

  /// The runs, in order.
  let runs: [Run]
  private let entries: [PackedEntry]
  private let settings: Settings
  private let progress: ProgressCounter?
  private let state = Monitor(State())

  /// The settings of the compression.
  struct Settings: Sendable {
    let limits: ArchiveLimits
    let memory: PackingMemory
    /// The number of bytes in all entries.
    let total: Int

    func compressor() throws(SignetError) -> EntryCompressor { try EntryCompressor(limits, total: total) }
  }

  private typealias Outcome = Result<[EntryCompressor.Compressed], SignetError>

  private struct State {
    /// The first run that no thread has taken.
    var next = 0
    /// The number of bytes in the runs that were taken and not handed over.
    var size = 0
    var outcomes: [Int: Outcome] = [:]
    var isOver = false
    var threads: [WorkerThread] = []
  }

  /// - Parameter alone: the entries that are left to the writer whatever their size.
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

  /// Starts threads in addition to the caller's, if there is work for them; ``stop()`` must follow.
  func start() {
    let count = min(WorkerThreads.processorCount, runs.count { !$0.isLarge }, Self.threadLimit)
    var threads: [WorkerThread] = []
    // If the system gives fewer threads, fewer are enough.
    while threads.count + 1 < count, let thread = WorkerThread({ self.work() }) { threads.append(thread) }
    state.withLock { $0.threads = threads }
  }

  /// Ends the threads, whether or not all work is done.
  func stop() {
    let threads = state.withLock { state in
      state.isOver = true
      return state.threads
    }
    for thread in threads { thread.join() }
  }

  /// The compressed entries of a run. Each run is asked for once and in order; large runs are not asked for.
  ///
  /// - Parameter compressor: the caller's, which compresses other runs while the caller waits.
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

  /// Takes the next run; nil if no run is left, or no memory for it. The run that is to be written next is always taken,
  /// because all runs before it have been handed over.
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

/// How much memory packing uses for the bytes of files. While files are compressed, their bytes are in memory twice.
package struct PackingMemory: Sendable {
  /// The size in bytes of the largest file that is held in memory. Most shared libraries are smaller.
  package var entry = 16 << 20
  /// The number of bytes of all files that are held at once.
  package var total = 64 << 20

  package init() {}
}
