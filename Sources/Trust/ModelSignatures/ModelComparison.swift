internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import SignetVerify

/// The comparison of a model with what its statement says (OpenSSF Model Signing 1.0, section 8.4).
struct ModelComparison {
  let manifest: ModelManifest
  /// The files with signatures, which no statement can name.
  let signatures: [FileStatus.Identity]

  /// How much of a model is scanned before it is refused.
  private static let limits = DirectoryScan.Limits(
    entries: 200_000, pathLength: 4096, depth: 128, allPaths: 64 << 20)

  /// The differences of a folder, and the paths in it that were not looked at.
  ///
  /// - Throws: `file.…`, `directory.entry-count`, `path.bounds`; `crypto.failure`.
  func compare(_ directory: Directory) throws(SignetError) -> (differences: [DirectoryDifference], ignored: [String])
  {
    let scan = try DirectoryScan(directory, limits: Self.limits)
    var differences: [DirectoryDifference] = []
    var ignored: Set<[UInt8]> = []
    var whole: [DirectoryScan.Entry] = []
    var found: Set<[UInt8]> = []
    for entry in scan.entries where entry.status.kind != .directory {
      let isSigned = manifest.files[entry.path] != nil
      if let path = manifest.ignored(entry.path) {
        ignored.insert(path)
        // What is signed all the same is compared.
        guard isSigned else { continue }
      }
      guard isSigned else {
        if let difference = extra(entry) { differences.append(difference) }
        continue
      }
      switch entry.status.kind {
      case .regular where manifest.shardSize == nil: whole.append(entry)
      case .regular: try note(directory.file(entry), at: entry.path, &differences)
      case .symbolicLink where manifest.followsLinks:
        try note(RegularFile(opening: directory.shown(entry.path)), at: entry.path, &differences)
      default:
        differences.append(
          DirectoryDifference(shown(entry.path), .type, expected: "a file", found: "a link, or no file"))
      }
      found.insert(entry.path)
    }
    for (entry, digest) in zip(whole, try directory.sha256(of: whole, progress: nil)) {
      note(digest, at: entry.path, &differences)
    }
    for path in manifest.files.keys.filter({ !found.contains($0) }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      differences.append(DirectoryDifference(shown(path), .missing, expected: "a file", found: "nothing"))
    }
    try scan.checkUnchanged(directory, limits: Self.limits)
    return (differences, ignored.map(shown).sorted())
  }

  /// The difference of a file that no statement names; nil if it may be there.
  private func extra(_ entry: DirectoryScan.Entry) -> DirectoryDifference? {
    if entry.status.kind == .regular {
      if signatures.contains(entry.status.identity) { return nil }
      // Empty files have no parts.
      if manifest.shardSize != nil, entry.status.size == 0 { return nil }
    }
    return DirectoryDifference(
      shown(entry.path), .extra, expected: "nothing",
      found: entry.status.kind == .regular ? "a file" : "a link, or no file")
  }

  /// Compares a file that is not in a folder with the one that a statement names.
  ///
  /// - Throws: `file.…`, `crypto.failure`.
  func compare(single source: any ByteSource) throws(SignetError) -> [DirectoryDifference] {
    guard manifest.files.count == 1, let path = manifest.files.keys.first else {
      return [
        DirectoryDifference(
          "", .type, expected: "a folder with \(manifest.files.count) files", found: "a file")
      ]
    }
    var differences: [DirectoryDifference] = []
    try note(source, at: path, &differences)
    return differences
  }

  private func note(_ source: any ByteSource, at path: [UInt8], _ all: inout [DirectoryDifference])
    throws(SignetError)
  {
    guard let file = manifest.files[path] else { return }
    if let size = file.size, size != source.size {
      return all.append(
        DirectoryDifference(shown(path), .content, expected: "\(size) bytes", found: "\(source.size) bytes"))
    }
    let step = manifest.shardSize ?? max(source.size, 1)
    for (index, expected) in file.digests.enumerated() {
      let start = index * step
      let digest = try Self.digest(of: source, in: start..<min(start + step, source.size))
      guard digest != expected else { continue }
      return all.append(
        DirectoryDifference(shown(path), .content, expected: "\(expected)", found: "\(digest)"))
    }
  }

  private func note(_ digest: Digest, at path: [UInt8], _ all: inout [DirectoryDifference]) {
    guard let expected = manifest.files[path]?.digests.first, digest != expected else { return }
    all.append(DirectoryDifference(shown(path), .content, expected: "\(expected)", found: "\(digest)"))
  }

  /// As many bytes are read at once.
  private static let pieceSize = 1 << 20

  private static func digest(of source: any ByteSource, in range: Range<Int>) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(.sha256)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + pieceSize, range.upperBound)
      try digest.update(source.bytes(in: start..<end))
      start = end
    }
    return try digest.finish()
  }

  private func shown(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}
