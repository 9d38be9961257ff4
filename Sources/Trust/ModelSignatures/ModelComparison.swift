internal import SignetBase
internal import SignetCrypto
internal import SignetSystem
internal import SignetVerify

/// The comparison of a model with what its statement says (OpenSSF Model Signing 1.0, section 8.4).
struct ModelComparison {
  let manifest: ModelManifest
  /// The path of the file with the signature, which no statement can name; nil if it is not in the model.
  let signature: [UInt8]?
  /// Whether links count as the files that they lead to, whatever the signer did.
  let followsLinks: Bool

  /// How much of a model is scanned before it is refused.
  private static let limits = DirectoryScan.Limits(
    entries: 200_000, pathLength: 4096, depth: 128, allPaths: 64 << 20)

  /// The differences of a folder, and the paths in it that nothing verifies.
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
      if let path = manifest.leavesOut(entry.path) {
        ignored.insert(path)
        // What is signed all the same is compared.
        guard isSigned else { continue }
      }
      guard isSigned else {
        if isAllowed(entry) {
          ignored.insert(entry.path)
        } else {
          differences.append(
            DirectoryDifference(
              shown(entry.path), .extra, expected: "nothing",
              found: entry.status.kind == .regular ? "a file" : "a link, or no file"))
        }
        continue
      }
      switch entry.status.kind {
      case .regular where manifest.shardSize == nil: whole.append(entry)
      case .regular: try note(directory.file(entry), at: entry.path, &differences)
      case .symbolicLink where followsLinks || manifest.followsLinks:
        try note(RegularFile(opening: directory.shown(entry.path)), at: entry.path, &differences)
      default:
        differences.append(
          DirectoryDifference(shown(entry.path), .type, expected: "a file", found: "a link, or no file"))
      }
      found.insert(entry.path)
    }
    // The digests come in the order of the files.
    for (entry, digest) in zip(whole, try directory.sha256(of: whole, progress: nil)) {
      note(digest, at: entry.path, &differences)
    }
    for path in manifest.files.keys.filter({ !found.contains($0) }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      differences.append(DirectoryDifference(shown(path), .missing, expected: "a file", found: "nothing"))
    }
    try scan.checkUnchanged(directory, limits: Self.limits)
    return (differences, ignored.map(shown).sorted())
  }

  /// Whether a file may be there that no statement names: that with the signature, and an empty one, which has no parts.
  private func isAllowed(_ entry: DirectoryScan.Entry) -> Bool {
    entry.status.kind == .regular
      && (entry.path == signature || manifest.shardSize != nil && entry.status.size == 0)
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
    var start = 0
    for expected in file.digests {
      let end = start + min(manifest.shardSize ?? source.size, source.size - start)
      let digest = try Self.digest(of: source, in: start..<end)
      start = end
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
