internal import Signet
public import SignetBase
internal import SignetCrypto
public import SignetSystem

/// Confirms that a release is still what a report says of it, just before an upload.
public struct Recheck: Sendable {
  private let listing: JSONReport.Listing

  /// - Parameter listing: what the report says. Whoever reads it must trust the place where it was kept.
  public init(_ listing: JSONReport.Listing) { self.listing = listing }

  /// One scanned folder, held open.
  private struct Folder {
    let directory: Directory
    let scan: DirectoryScan
  }

  /// Something below a folder.
  private struct Found {
    let path: String
    let folder: Int
    let entry: DirectoryScan.Entry
  }

  /// Compares folders with the report.
  ///
  /// - Parameters:
  ///   - folders: the release's folders, in the order in which they were checked.
  ///   - progress: counts the bytes as they are hashed.
  /// - Returns: every difference, sorted by path: `gate.changed`. Also `gate.refused` if the report says that the
  ///   release was refused.
  /// - Throws: if that could not be found out: `gate.duplicate-path`, `path.…`, `directory.…`, `file.…`,
  ///   `crypto.failure`.
  public func differences(
    in folders: [String], progress: ProgressCounter? = nil
  ) throws(SignetError) -> [SignetError] {
    var reasons: [SignetError] = []
    if !listing.isClean {
      reasons.append(
        SignetError(
          .gateRefused, "report", "says that the release was refused", expected: "a clean release",
          hint: "correct what the report says, and check the release again"))
    }
    var scanned: [Folder] = []
    for folder in folders {
      let directory = try Directory(opening: folder)
      scanned.append(Folder(directory: directory, scan: try DirectoryScan(directory, limits: ReleaseFiles.limits)))
    }
    reasons += try compare(Self.found(in: scanned), scanned, progress)
    for each in scanned { try each.scan.checkUnchanged(each.directory, limits: ReleaseFiles.limits) }
    return reasons
  }

  private static func found(in folders: [Folder]) throws(SignetError) -> [Found] {
    var found: [Found] = []
    for (number, folder) in folders.enumerated() {
      for entry in folder.scan.entries {
        found.append(
          Found(path: try ReleaseFiles.name(of: entry, in: folder.directory), folder: number, entry: entry))
      }
    }
    found.sort { $0.path.precedesInBytes($1.path) }
    return found
  }

  private func compare(
    _ found: [Found], _ folders: [Folder], _ progress: ProgressCounter?
  ) throws(SignetError) -> [SignetError] {
    var reasons: [SignetError] = []
    var files: [(found: Found, expected: JSONReport.Listing.Entry)] = []
    var next = 0
    // What is below a directory that is signed as a whole belongs to that directory.
    var wholes: Set<[UInt8]> = []
    for each in found {
      while next < listing.entries.count, listing.entries[next].path.precedesInBytes(each.path) {
        reasons.append(Self.difference(listing.entries[next].path, "is missing"))
        next += 1
      }
      if !wholes.isEmpty, ReleasePath.folders(of: each.path).contains(where: wholes.contains) { continue }
      guard next < listing.entries.count, listing.entries[next].path.isExactly(each.path) else {
        if each.entry.status.kind != .directory { reasons.append(Self.difference(each.path, "was added")) }
        continue
      }
      let expected = listing.entries[next]
      next += 1
      if expected.kind == .directory { wholes.insert(Array(each.path.utf8)) }
      if let reason = try quickly(each, expected, folders[each.folder].directory, progress) {
        reasons.append(reason)
      } else if expected.kind == .file {
        files.append((each, expected))
      }
    }
    reasons += listing.entries[next...].map { Self.difference($0.path, "is missing") }
    for (number, folder) in folders.enumerated() {
      let own = files.filter { $0.found.folder == number }
      let digests = try folder.directory.sha256(of: own.map(\.found.entry), progress: progress)
      for (file, digest) in zip(own, digests) where digest != file.expected.sha256 {
        reasons.append(
          Self.difference(
            file.expected.path, "was changed", expected: file.expected.sha256.hex, found: digest.hex))
      }
    }
    return reasons.sorted { $0.object.precedesInBytes($1.object) }
  }

  /// What can be compared without reading a file's bytes.
  private func quickly(
    _ found: Found, _ expected: JSONReport.Listing.Entry, _ root: Directory, _ progress: ProgressCounter?
  ) throws(SignetError) -> SignetError? {
    let kind = GateReport.File.Kind(found.entry.status.kind)
    guard kind == expected.kind else {
      return Self.difference(
        expected.path, "is of another kind", expected: expected.kind.rawValue, found: kind.rawValue)
    }
    switch kind {
    case .special: return nil
    case .file:
      guard found.entry.status.size != expected.size else { return nil }
      return Self.difference(
        expected.path, "was changed", expected: "\(expected.size) bytes", found: "\(found.entry.status.size) bytes")
    case .link:
      let digest = try Digest.of(found.entry.target ?? [], .sha256)
      guard digest != expected.sha256 else { return nil }
      return Self.difference(
        expected.path, "leads elsewhere", expected: "a target with the SHA-256 \(expected.sha256.hex)",
        found: String(decoding: found.entry.target ?? [], as: UTF8.self))
    case .directory:
      var directory = root
      for name in ReleasePath.names(of: found.path) { directory = try directory.subdirectory(name) }
      let digest = try DirectoryListing(of: directory, progress: progress).digest
      guard digest != expected.sha256 else { return nil }
      return Self.difference(
        expected.path, "was changed", expected: "a listing with the SHA-256 \(expected.sha256.hex)",
        found: digest.hex)
    }
  }

  private static func difference(
    _ path: String, _ message: String, expected: String? = nil, found: String? = nil
  ) -> SignetError {
    SignetError(
      .gateChanged, path, message, expected: expected, found: found,
      hint: "find out who changed it, and check the release again with signet gate")
  }
}

extension GateReport.File.Kind {
  fileprivate init(_ kind: FileStatus.Kind) {
    switch kind {
    case .regular: self = .file
    case .directory: self = .directory
    case .symbolicLink: self = .link
    case .other: self = .special
    }
  }
}
