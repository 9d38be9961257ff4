internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Files that are several times in one archive. Every program unpacks the same if all have the same bytes, as in what
/// cargo, Ant and Gradle write.
struct RepeatedFiles {
  private let names: Set<[UInt8]>
  private var first: [[UInt8]: File] = [:]
  private var compared: Set<[UInt8]> = []

  /// A file, as far as programs could tell it from another.
  private struct File: Equatable {
    let sha256: Digest
    let mode: UInt32
  }

  /// What is said of a file that is there again with other bytes; nil if all files of a name are equal.
  ///
  /// - Parameters:
  ///   - repeated: the names that are there several times, and what is said of each.
  ///   - decodesAll: whether all entries are decompressed, whatever memory they ask for.
  /// - Throws: what keeps it from finding out.
  static func difference(
    in source: any ByteSource, _ format: ArchiveListing.Format, _ repeated: [(name: [UInt8], error: SignetError)],
    decodesAll: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) -> SignetError? {
    var files = RepeatedFiles(names: Set(repeated.map(\.name)))
    var different: [UInt8]?
    do throws(SignetError) {
      try ArchiveListing.with(source, format, decodesAll: decodesAll) { (listing) throws(SignetError) in
        while different == nil, let entry = try listing.next() {
          if try !files.isAlike(entry, of: listing, &budget) { different = entry.name.plain }
        }
      }
    } catch {
      // What cannot be read cannot be compared.
      guard ContainerFaults.isRefusal(error) else { throw error }
      return repeated.first?.error
    }
    // Names that only some programs take for one are not compared.
    return repeated.first { $0.name == different || different == nil && !files.compared.contains($0.name) }?.error
  }

  private init(names: Set<[UInt8]>) { self.names = names }

  /// Whether an entry is not among these files, is the first of its name, or is the same as the first.
  private mutating func isAlike(
    _ entry: ListedEntry, of listing: ArchiveListing, _ budget: inout SearchBudget
  ) throws(SignetError) -> Bool {
    let name = entry.name.plain
    guard names.contains(name) else { return true }
    guard case .file = entry.kind, !entry.isEncrypted else { return false }
    var digest = try IncrementalDigest(.sha256)
    try unsafe listing.read { (piece) throws(SignetError) in
      try budget.spend(piece.count, entry.path)
      try unsafe digest.update(piece)
    }
    let file = File(sha256: try digest.finish(), mode: entry.mode)
    guard let other = first.updateValue(file, forKey: name) else { return true }
    compared.insert(name)
    return other == file
  }
}
