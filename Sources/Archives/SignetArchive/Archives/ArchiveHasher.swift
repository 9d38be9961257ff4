package import SignetBase
package import SignetCrypto
package import SignetSystem
internal import Synchronization

/// Computes every digest of a statement about a module, on all cores: the flat digest and the tree digest of the signed
/// bytes, and the digest of each file in the archive.
///
/// The flat digest is one sequential chain, and so is the digest of each file. Threads take these chains first, the
/// longest first. Then they take the pieces of the tree, which fill every gap. The bytes are read from the page cache
/// more than once; the caller must check whether they changed meanwhile.
package enum ArchiveHasher {
  /// - Returns: the digests of the signed bytes, and of the entries in order; nil for an entry that is not a file.
  /// - Throws: `archive.checksum`, `archive.data`, `file.changed`, `file.read-failed`, `crypto.failure`.
  package static func digests(
    _ archive: ArchiveFile, _ opened: OpenedArchive, progress: ProgressCounter?
  ) throws(SignetError) -> (whole: FileDigests, entries: [Digest?]) {
    let work = Work(archive.signed, opened, progress)
    progress?.expect(archive.signed.size * 2 + work.size)
    let tree = try archive.signed.treeDigest(progress: progress) { work.work() }
    let (flat, entries) = try work.results()
    return (FileDigests(size: archive.signed.size, sha256: flat, fsverity: tree), entries)
  }

  /// The chains, and the state that the threads share.
  @safe private final class Work: @unchecked Sendable {
    // Each slot is written by the one thread that took its number from `next`. It is read only after all threads have
    // been joined.
    private let signed: any ByteSource
    private let opened: OpenedArchive
    private let progress: ProgressCounter?
    /// The indices of files, the largest file first.
    private let files: [Int]
    private let next = Atomic<Int>(-1)
    private let failed = Atomic<Bool>(false)
    private let slots: UnsafeMutableBufferPointer<Result<Digest, SignetError>?>
    /// The number of bytes in all files.
    let size: Int

    init(_ signed: any ByteSource, _ opened: OpenedArchive, _ progress: ProgressCounter?) {
      self.signed = signed
      self.opened = opened
      self.progress = progress
      let sizes = opened.entries.map { entry in if case .file(let size) = entry.content { size } else { -1 } }
      files = sizes.indices.filter { sizes[$0] >= 0 }.sorted { sizes[$0] > sizes[$1] }
      size = files.reduce(0) { $0 + sizes[$1] }
      unsafe slots = .allocate(capacity: sizes.count + 1)
      unsafe slots.initialize(repeating: nil)
    }

    deinit {
      unsafe slots.deinitialize()
      unsafe slots.deallocate()
    }

    /// The flat digest, and those of the entries.
    func results() throws(SignetError) -> (Digest, [Digest?]) {
      var digests: [Digest?] = []
      for index in 0..<opened.entries.count { digests.append(try unsafe slots[index]?.get()) }
      guard let flat = try unsafe slots[opened.entries.count]?.get(),
        files.allSatisfy({ digests[$0] != nil })
      else { throw SignetError(.fileReadFailed, signed.path, "was not read completely") }
      return (flat, digests)
    }

    /// Hashes chains until none is left to begin.
    func work() {
      var reader: EntryReader?
      while !failed.load(ordering: .relaxed) {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < files.count else { return }
        let slot = number < 0 ? opened.entries.count : files[number]
        do throws(SignetError) {
          if number < 0 {
            unsafe slots[slot] = .success(try signed.flatDigest(progress: progress))
          } else {
            let entries = reader ?? EntryReader(opened.source)
            reader = entries
            unsafe slots[slot] = .success(try digest(of: opened.entries[slot], entries))
          }
        } catch {
          unsafe slots[slot] = .failure(error)
          failed.store(true, ordering: .relaxed)
        }
      }
    }

    private func digest(of entry: ArchiveEntry, _ reader: EntryReader) throws(SignetError) -> Digest {
      guard case .file(let size) = entry.content else { return try Digest.of([], .sha256) }
      var digest = try IncrementalDigest(.sha256)
      try unsafe reader.read(entry.data, size: size, path: entry.path) { (piece) throws(SignetError) in
        try unsafe digest.update(piece)
        progress?.add(piece.count)
      }
      return try digest.finish()
    }
  }
}
