package import SignetBase
package import SignetCrypto
internal import SignetFiles
package import SignetSystem
internal import Synchronization

/// Unpacks what a signed list names, and nothing else, on all cores and in constant memory.
///
/// No file is reached by a path: each directory is opened by its name in the directory above, no link is followed, and
/// nothing that already exists is written to. So a process that exchanges names below the directory meanwhile can stop
/// the extraction, but cannot cause a write elsewhere. Paths, kinds, modes and targets come from the list; those in the
/// archive are ignored. A file's bytes are hashed as they are written, and the digest is compared at the end of the
/// file.
///
/// Nothing is synced to the disk: one `syncfs` for all files takes a tenth of the time of a sync for each file.
package enum Extraction {
  /// Below these limits, starting threads takes longer than they save.
  private static let threadedCount = 32
  private static let threadedSize = 2 << 20
  /// With more threads than this, threads wait for memory, not for the processor.
  private static let threadLimit = 64

  /// Unpacks into an empty directory.
  ///
  /// The first difference stops the extraction. Then everything in the directory is removed.
  ///
  /// - Parameters:
  ///   - expected: the signed entries.
  ///   - archive: the archive that holds the files' bytes.
  ///   - directory: an empty directory that nobody else writes to.
  ///   - discardsArchive: whether the archive's files are not read again. If the archive is a private copy, its space
  ///     is given back as the files are written.
  /// - Returns: the digests of the files, by the status that the system reported for each when it was finished.
  /// - Throws: `digest.mismatch` for other bytes, another size or a missing file; `extraction.failed`; `archive.…` and
  ///   `path.…` if the list would not be safe to unpack; what reading an archive throws.
  @discardableResult
  package static func extract(
    _ expected: [ExpectedEntry], from archive: OpenedArchive, into directory: Directory,
    limits: ArchiveLimits = ArchiveLimits(), discardsArchive: Bool = false,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> [FileStatus: Digest] {
    let plan = try ExtractionPlan(expected, from: archive, limits)
    try checkEmpty(directory)
    let work = Work(
      plan: plan, source: archive.source, directory: directory, discardsArchive: discardsArchive, progress: progress)
    do throws(SignetError) {
      try work.makeDirectories()
      let isLarge = plan.files.count >= threadedCount || work.size >= threadedSize
      let threads = isLarge ? min(WorkerThreads.processorCount, plan.runs.count, threadLimit) : 1
      progress?.expect(work.size)
      WorkerThreads.run(threads) { work.work() }
      if let failure = work.failure { throw failure }
      // Links come last, so that no link is in the way of a file.
      try work.makeLinks()
      return work.written
    } catch {
      throw removing(directory, after: error)
    }
  }

  private static func checkEmpty(_ directory: Directory) throws(SignetError) {
    let found: (names: [[UInt8]], isWhole: Bool)
    do throws(SystemFailure) {
      found = try directory.names(upTo: 0)
    } catch {
      throw SignetError(.extractionFailed, directory.path, "cannot be read", cause: error)
    }
    guard found.names.isEmpty else {
      throw SignetError(
        .extractionFailed, directory.path, "is not empty", expected: "an empty directory",
        hint: "unpack into a new directory")
    }
  }

  private static func removing(_ directory: Directory, after failure: SignetError) -> SignetError {
    do throws(SystemFailure) {
      try directory.removeContents()
      return failure
    } catch {
      var failure = failure
      failure.hint = "remove what is left in \(directory.path): it could not be removed (\(error))"
      return failure
    }
  }

  /// The plan, and the state that the threads share.
  private final class Work: Sendable {
    /// The number of bytes in all files.
    let size: Int

    private let plan: ExtractionPlan
    private let source: any ByteSource
    private let directory: Directory
    private let discardsArchive: Bool
    private let progress: ProgressCounter?
    private let next = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let firstFailure = Monitor<SignetError?>(nil)
    private let files = Monitor<[FileStatus: Digest]>([:])

    init(
      plan: ExtractionPlan, source: any ByteSource, directory: Directory, discardsArchive: Bool,
      progress: ProgressCounter?
    ) {
      self.plan = plan
      self.source = source
      self.directory = directory
      self.discardsArchive = discardsArchive
      self.progress = progress
      // The rules for archives bound this sum.
      size = plan.files.reduce(0) { $0 + $1.size }
    }

    /// The error that stopped the work; read after all threads have been joined.
    var failure: SignetError? { firstFailure.withLock { $0 } }

    /// The files that were written; read after all threads have been joined.
    var written: [FileStatus: Digest] { files.withLock { $0 } }

    // MARK: Directories and links

    func makeDirectories() throws(SignetError) {
      for path in plan.directories {
        try attempt(path) { (folder, name) throws(SystemFailure) in try folder.makeDirectory(name) }
      }
    }

    func makeLinks() throws(SignetError) {
      for link in plan.links {
        try attempt(link.path) { (folder, name) throws(SystemFailure) in try folder.makeLink(name, to: link.target) }
      }
    }

    /// Runs `body` with the directory that a path lies in, and the name in that directory.
    private func attempt(
      _ path: [UInt8], _ body: (borrowing OpenFolder, [UInt8]) throws(SystemFailure) -> Void
    ) throws(SignetError) {
      let above = ExtractionPlan.folder(of: path) ?? []
      do throws(SystemFailure) {
        let folder = try OpenFolder(above, in: directory)
        try body(folder, above.isEmpty ? path : Array(path[(above.count + 1)...]))
      } catch {
        throw failed(path, error)
      }
    }

    // MARK: Files

    func work() {
      var reader: EntryReader?
      while !isOver.load(ordering: .relaxed) {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < plan.runs.count else { return }
        let entries = reader ?? EntryReader(source, discardsWhatIsRead: discardsArchive)
        reader = entries
        work(plan.runs[number], entries)
      }
    }

    private func work(_ run: ExtractionPlan.Run, _ reader: EntryReader) {
      do throws(SignetError) {
        let folder = try open(run)
        for file in plan.files[run.files] where !isOver.load(ordering: .relaxed) {
          try write(file, in: folder, reader)
        }
      } catch {
        // The first failure gives the reason; the other threads may only have been stopped.
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        firstFailure.withLock { $0 = error }
      }
    }

    private func open(_ run: ExtractionPlan.Run) throws(SignetError) -> OpenFolder {
      do throws(SystemFailure) {
        return try OpenFolder(run.folder, in: directory)
      } catch {
        throw failed(plan.files[run.files.lowerBound].path, error)
      }
    }

    private func write(
      _ file: ExtractionPlan.File, in folder: borrowing OpenFolder, _ reader: EntryReader
    ) throws(SignetError) {
      let made: NewFile
      do throws(SystemFailure) {
        made = try folder.newFile(Array(file.path[file.nameStart...]))
      } catch {
        throw failed(file.path, error)
      }
      try fill(made, with: file, reader)
      do throws(SystemFailure) {
        let status = try made.finish(mode: file.permissions)
        files.withLock { $0[status] = file.sha256 }
      } catch {
        throw failed(file.path, error)
      }
    }

    private func fill(
      _ made: NewFile, with file: ExtractionPlan.File, _ reader: EntryReader
    ) throws(SignetError) {
      let path = String(decoding: file.path, as: UTF8.self)
      let bytes = try ExtractedFile(made, progress) { self.failed(file.path, $0) }
      let (size, found) = try unsafe bytes.fill(size: file.size) { (sink) throws(SignetError) in
        try unsafe reader.read(file.data, size: file.size, path: path) { (piece) throws(SignetError) in
          guard !isOver.load(ordering: .relaxed) else { throw SignetError(.extractionFailed, path, "was abandoned") }
          try unsafe sink(piece)
        }
      }
      guard size == file.size, found == file.sha256 else {
        throw SignetError(
          .digestMismatch, path, "does not have the signed bytes",
          expected: "\(file.size) bytes, \(file.sha256)", found: "\(size) bytes, \(found)",
          hint: "get the archive again from its publisher")
      }
    }

    private func failed(_ path: [UInt8], _ failure: SystemFailure) -> SignetError {
      SignetError(
        .extractionFailed, directory.shown(path), "cannot be written; all extracted files were removed",
        cause: failure, hint: "check that the folder is yours, is writable and has space")
    }
  }
}
