package import SignetBase
package import SignetSystem
internal import Synchronization

/// Computes the digests of a directory's files on all cores: threads take runs of files from one directory.
///
/// A directory is opened again for its run, name by name, so each thread has at most two open descriptors. An
/// exchange since the scan shows in the files' status.
enum DirectoryHasher {
  /// The limits at which a run ends, in files and bytes: low enough that all threads end at about the same time.
  private static let runLength = 64
  private static let runSize = 4 << 20
  /// The minimum work for several threads; below it, starting threads takes longer than they save.
  private static let threadedCount = 32
  private static let threadedSize = 2 << 20
  /// The maximum number of threads; more would wait for memory, not for the processor.
  private static let threadLimit = 64

  static func digests(
    of files: [DirectoryScan.Entry], in directory: Directory, _ progress: ProgressCounter?
  ) throws(SignetError) -> [Digest] {
    let runs = runs(of: files)
    let size = runs.reduce(0) { $0 + $1.size }
    let isLarge = files.count >= threadedCount || size >= threadedSize
    let threads = isLarge ? min(WorkerThreads.processorCount, runs.count, threadLimit) : 1
    progress?.expect(size)
    let work = Work(directory, files: files, runs: runs, progress: progress)
    WorkerThreads.run(threads) { work.work() }
    return try work.digests()
  }

  /// Consecutive files in one directory.
  private struct Run {
    let folder: [UInt8]
    var files: Range<Int>
    var size: Int
  }

  /// The runs, largest first, because the longest work must not begin last.
  private static func runs(of files: [DirectoryScan.Entry]) -> [Run] {
    var runs: [Run] = []
    for (index, file) in files.enumerated() {
      let folder = OpenFolder.path(of: file.path)
      if let last = runs.last, last.folder == folder, last.files.count < runLength, last.size < runSize {
        runs[runs.count - 1].files = last.files.lowerBound..<index + 1
        runs[runs.count - 1].size += file.status.size
      } else {
        runs.append(Run(folder: folder, files: index..<index + 1, size: file.status.size))
      }
    }
    return runs.sorted { $0.size > $1.size }
  }

  /// The runs, and the state that the threads share.
  @safe private final class Work: @unchecked Sendable {
    // Sendable: each slot is written only by the thread that took its run's number from `next`, and is read only
    // after all threads have been joined.
    private let directory: Directory
    private let files: [DirectoryScan.Entry]
    private let runs: [Run]
    private let progress: ProgressCounter?
    private let next = Atomic<Int>(0)
    private let failed = Atomic<Bool>(false)
    private let slots: UnsafeMutableBufferPointer<Result<Digest, SignetError>?>

    init(
      _ directory: Directory, files: [DirectoryScan.Entry], runs: [Run], progress: ProgressCounter?
    ) {
      self.directory = directory
      self.files = files
      self.runs = runs
      self.progress = progress
      unsafe slots = .allocate(capacity: files.count)
      unsafe slots.initialize(repeating: nil)
    }

    deinit {
      unsafe slots.deinitialize()
      unsafe slots.deallocate()
    }

    /// The digests in order, or the failure of the first file that failed.
    func digests() throws(SignetError) -> [Digest] {
      let results = unsafe Array(slots)
      for case .failure(let error) in results { throw error }
      var digests: [Digest] = []
      digests.reserveCapacity(results.count)
      for result in results {
        // Every run was processed, unless one has failed.
        guard case .success(let digest) = result else {
          throw SignetError(.fileReadFailed, directory.path, "was not read completely")
        }
        digests.append(digest)
      }
      return digests
    }

    func work() {
      let buffer = unsafe FlatDigester.buffer(for: files.map(\.status.size).max() ?? 0)
      defer { unsafe buffer.deallocate() }
      while !failed.load(ordering: .relaxed) {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < runs.count else { return }
        unsafe work(runs[number], buffer)
      }
    }

    private func work(_ run: Run, _ buffer: UnsafeMutableRawBufferPointer) {
      var index = run.files.lowerBound
      do throws(SignetError) {
        let folder = try open(run.folder)
        while index < run.files.upperBound {
          let file = try folder.file(files[index])
          let digest = try unsafe FlatDigester.digest(file, buffer, progress)
          try file.checkUnchanged()
          unsafe slots[index] = .success(digest)
          index += 1
        }
      } catch {
        unsafe slots[index] = .failure(error)
        failed.store(true, ordering: .relaxed)
      }
    }

    private func open(_ folder: [UInt8]) throws(SignetError) -> OpenFolder {
      do throws(SystemFailure) {
        return try OpenFolder(folder, in: directory)
      } catch {
        throw directory.complaint(folder, error)
      }
    }
  }
}

extension Directory {
  /// The SHA-256 of regular files of the directory, computed on all cores, in constant memory except for the results.
  ///
  /// - Parameter files: entries of a scan, in its order; their names must be UTF-8.
  /// - Throws: `file.changed` if a file is not the one that was scanned, or is written to meanwhile;
  ///   `file.unreadable`, `file.read-failed`, `crypto.failure`.
  package func sha256(
    of files: [DirectoryScan.Entry], progress: ProgressCounter? = nil
  ) throws(SignetError) -> [Digest] {
    try DirectoryHasher.digests(of: files, in: self, progress)
  }
}
