internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Compares a directory with signed listings.
///
/// The directory is scanned once and each file is read once, however many listings there are.
package struct DirectoryComparison {
  private let directory: Directory
  private let progress: ProgressCounter?
  private var scan: DirectoryScan?
  /// The digests of the files that were read, by the index of their entries in the scan.
  private var digests: [Int: Digest] = [:]
  /// The digests of files that this process wrote, by the file status at that time.
  private let written: [FileStatus: Digest]

  /// - Parameter written: digests of files as this process wrote them. A file with the same status is not read again.
  package init(_ directory: Directory, written: [FileStatus: Digest] = [:], _ progress: ProgressCounter?) {
    self.directory = directory
    self.written = written
    self.progress = progress
  }

  /// The differences between the directory and a listing.
  ///
  /// Only files of the listed size are read. If an entry is missing, extra or of another type, what lies below it is
  /// not reported as well.
  ///
  /// - Throws: `directory.entry-count`, `path.bounds`, `file.changed`, `file.unreadable`, `file.read-failed`,
  ///   `crypto.failure`.
  package mutating func differences(from listing: DirectoryListing) throws(SignetError) -> DirectoryDifferences {
    let limits = DirectoryListing.scanLimits
    return try differences(from: listing.entries, try scanned(limits), limits)
  }

  /// The differences between the directory and a module's contents as they are once unpacked.
  ///
  /// Unpacked files have the permissions that unpacking gives them. Every directory that a path names is there, and
  /// nothing belongs to another user.
  ///
  /// - Throws: what ``differences(from:)`` throws, and `file.others-may-write`.
  package mutating func differences(fromUnpacked contents: ModuleContents) throws(SignetError) -> DirectoryDifferences
  {
    let entries = contents.unpacked()
    let usual = DirectoryListing.scanLimits
    // A module may have more directories than entries. Extra entries are reported by name, within bounds.
    let limits = DirectoryScan.Limits(
      entries: max(usual.entries, entries.count + DirectoryDifferences.limit), pathLength: usual.pathLength,
      depth: usual.depth)
    let scan = try scanned(limits)
    for entry in scan.entries { try TrustedPath.checkOwner(entry.status, directory.shown(entry.path)) }
    return try differences(from: entries, scan, limits)
  }

  private mutating func differences(
    from signed: [DirectoryListing.Entry], _ scan: DirectoryScan, _ limits: DirectoryScan.Limits
  ) throws(SignetError) -> DirectoryDifferences {
    var pairing = Pairing()
    pairing.run(signed, scan.entries)
    try read(pairing.files.map(\.found), scan)
    for (entry, index) in pairing.files {
      guard case .file(_, _, let expected) = entry.content, let found = digests[index], found != expected else {
        continue
      }
      pairing.note(.content, at: entry.path, expected: "\(expected)", found: "\(found)")
    }
    try scan.checkUnchanged(directory, limits: limits)
    return DirectoryDifferences(pairing.differences)
  }

  private mutating func scanned(_ limits: DirectoryScan.Limits) throws(SignetError) -> DirectoryScan {
    if let scan { return scan }
    let new = try DirectoryScan(directory, limits: limits)
    scan = new
    return new
  }

  private mutating func read(_ indices: [Int], _ scan: DirectoryScan) throws(SignetError) {
    if !written.isEmpty {
      for index in indices where digests[index] == nil { digests[index] = written[scan.entries[index].status] }
    }
    let unread = indices.filter { digests[$0] == nil }
    let new = try directory.sha256(of: unread.map { scan.entries[$0] }, progress: progress)
    for (index, digest) in zip(unread, new) { digests[index] = digest }
  }
}

/// Pairs signed and found entries by their paths.
private struct Pairing {
  private(set) var differences: [DirectoryDifference] = []
  /// Files whose contents must be compared, each with the index of the found entry in the scan.
  private(set) var files: [(signed: DirectoryListing.Entry, found: Int)] = []
  /// Paths that are missing, extra or of another type, and everything below them.
  private var settled = Set<[UInt8]>()

  mutating func run(_ signed: [DirectoryListing.Entry], _ found: [DirectoryScan.Entry]) {
    var next = 0
    for entry in signed {
      let path = Array(entry.path.utf8)
      while next < found.count, found[next].path.lexicographicallyPrecedes(path) {
        noteExtra(found[next])
        next += 1
      }
      if next < found.count, found[next].path == path {
        compare(entry, found[next], at: next)
        next += 1
      } else if settle(path) {
        note(.missing, at: entry.path, expected: entry.content.words, found: "nothing")
      }
    }
    for entry in found[next...] { noteExtra(entry) }
  }

  mutating func note(_ kind: DirectoryDifference.Kind, at path: String, expected: String, found: String) {
    differences.append(DirectoryDifference(path, kind, expected: expected, found: found))
  }

  private mutating func noteExtra(_ entry: DirectoryScan.Entry) {
    guard settle(entry.path) else { return }
    note(.extra, at: String(decoding: entry.path, as: UTF8.self), expected: "nothing", found: entry.status.kind.words)
  }

  /// Marks a path as settled, so that nothing below it is reported.
  ///
  /// - Returns: whether the path itself must be reported.
  private mutating func settle(_ path: [UInt8]) -> Bool {
    settled.insert(path)
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return true }
    return !settled.contains(Array(path[..<slash]))
  }

  private mutating func compare(_ signed: DirectoryListing.Entry, _ found: DirectoryScan.Entry, at index: Int) {
    switch (signed.content, found.status.kind) {
    case (.file(let mode, let size, _), .regular):
      if found.status.size == size {
        files.append((signed, index))
      } else {
        note(.content, at: signed.path, expected: "\(size) bytes", found: "\(found.status.size) bytes")
      }
      compare(mode, found, signed.path)
    case (.directory(let mode), .directory): compare(mode, found, signed.path)
    case (.symbolicLink(let target), .symbolicLink):
      if !target.utf8.elementsEqual(found.target ?? []) {
        note(.target, at: signed.path, expected: target, found: String(decoding: found.target ?? [], as: UTF8.self))
      }
    default:
      if settle(found.path) {
        note(.type, at: signed.path, expected: signed.content.words, found: found.status.kind.words)
      }
    }
  }

  private mutating func compare(_ mode: FileMode, _ found: DirectoryScan.Entry, _ path: String) {
    guard mode.bits != found.status.mode else { return }
    note(.mode, at: path, expected: "\(mode)", found: FileMode.text(found.status.mode))
  }
}

extension DirectoryListing.Content {
  fileprivate var words: String {
    switch self {
    case .file: "a file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    }
  }
}

extension FileStatus.Kind {
  fileprivate var words: String {
    switch self {
    case .regular: "a file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    case .other: "a pipe, device or socket"
    }
  }
}

/// One difference between a directory and what was signed.
package struct DirectoryDifference {
  let path: String
  let kind: Kind
  let expected: String
  let found: String

  package init(_ path: String, _ kind: Kind, expected: String, found: String) {
    (self.path, self.kind, self.expected, self.found) = (path, kind, expected, found)
  }

  /// The kind of difference. The most telling kinds come first.
  package enum Kind: Int {
    case content, type, target, missing, extra, mode
  }

  var code: SignetError.Code {
    switch kind {
    case .content: .digestMismatch
    case .type: .directoryTypeMismatch
    case .target: .directoryTargetMismatch
    case .missing: .directoryMissingEntry
    case .extra: .directoryExtraEntry
    case .mode: .directoryModeMismatch
    }
  }

  private var message: String {
    switch kind {
    case .content: "is not what was signed: its bytes were changed"
    case .type: "is of another kind than what was signed"
    case .target: "is a link to something else than what was signed"
    case .missing: "was signed, but is missing"
    case .extra: "was not signed"
    case .mode: "has other permissions than those that were signed"
    }
  }

  /// The difference as a reason to refuse the directory, which messages call by this name.
  func reason(in name: String) -> SignetError {
    SignetError(
      code, "\(name)/\(path)", message, expected: expected, found: found,
      hint: kind == .mode
        ? "permissions are signed, too: get the directory again with its permissions (tar -p, or the signer's umask)"
        : "get the directory again from its publisher")
  }
}

/// The differences between a directory and what was signed: the most telling ones, and how many more there are.
package struct DirectoryDifferences {
  /// The maximum number of differences that are reported one by one.
  static let limit = 100

  let told: [DirectoryDifference]
  let untold: Int

  package init(_ all: [DirectoryDifference]) {
    // Sorted by kind. Within a kind, the differences keep their order, which is that of the paths.
    told = Array(
      all.enumerated().sorted { ($0.element.kind.rawValue, $0.offset) < ($1.element.kind.rawValue, $1.offset) }
        .map(\.element).prefix(Self.limit))
    untold = all.count - told.count
  }

  /// A reason for each reported difference, and one that counts the others.
  package func reasons(in name: String) -> [SignetError] {
    var reasons = told.map { $0.reason(in: name) }
    if untold > 0 {
      reasons.append(
        SignetError(
          .directoryMoreDifferences, name, "has more differences than are listed",
          expected: "the signed directory", found: "\(untold) more"))
    }
    return reasons
  }
}
