internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The lists of checksums in a release, compared with its files.
struct ReleaseChecksums {
  private let release: ExaminedRelease
  private let allowed: AllowedPlaces
  /// The digests that were computed, by the path and the function.
  private var digests: [Key: Digest] = [:]
  private var others: OtherChecksums
  /// The digests of all files, by the function; none until a line asks for them.
  private var all: [DigestAlgorithm: Set<[UInt8]>] = [:]
  /// The digests of files as texts that were computed, by the path and the function.
  private var universals: [Key: Digest] = [:]
  /// The files by their paths with dashes for blanks and dots; nil until a list asks for them.
  private var plainPaths: [[UInt8]: [String]]?

  /// The last names of all paths; nil until a list asks for them.
  private var lastNames: Set<[UInt8]>?

  /// The files that the last list may be about which has digits alone.
  private var begun: (path: String, files: [String])?

  /// The maximum size of a list: some ten thousand lines.
  private static let sizeLimit = 4 << 20
  private static let readSize = 1 << 20

  /// A path, by its bytes: two of them may differ only in how a character is composed. And the function or the size.
  private struct Key: Hashable {
    let path: [UInt8]
    let kind: String

    init(_ file: ReleaseFile, _ kind: String) { (path, self.kind) = (Array(file.path.utf8), kind) }
  }

  /// A file that a list names.
  private struct Named {
    let file: ReleaseFile
    /// Whether the first character of the name does not belong to it: it says how the file was read.
    var hasMode = false
  }

  init(_ release: ExaminedRelease, unless allowed: AllowedPlaces) {
    self.release = release
    self.allowed = allowed
    others = OtherChecksums(release.files)
  }

  /// Compares every list, and notes what differs.
  ///
  /// - Throws: `file.…` if something cannot be read.
  mutating func compare(_ findings: inout RuleFindings) throws(SignetError) {
    for file in release.files.files where file.kind == .regular {
      switch file.role {
      case .artifact, .part: break
      case .directory, .bundle, .attestation, .excluded, .link, .folder: continue
      }
      guard let kind = ChecksumFile(file.path), !allowed.cover(nil, in: file.path) else { continue }
      let open = try release.files.open(file)
      guard open.size <= Self.sizeLimit else {
        if try kind.mayState(open) {
          findings.note(
            "may have checksums, and is too large for them to be compared", about: file.path,
            expected: "at most \(Self.sizeLimit) bytes", found: "\(open.size) bytes",
            hint: "divide the list, or allow the file if it has no checksums of the release")
        }
        continue
      }
      let whole: String? = if case .part(let whole) = file.role { whole } else { nil }
      var found: [(stated: StatedChecksum, named: Named?)] = []
      var unread: [(line: Int, found: String)] = []
      for text in ChecksumText.readings(try open.bytes(in: 0..<open.size)) {
        let statements = Self.read(text, kind)
        for stated in statements.stated { found.append(try findAny(stated, from: file.path, in: whole, kind)) }
        unread += statements.unread
      }
      // What other projects have published is often in a folder, with their lists, but not with all their files. A list of
      // this release has most of its files.
      let missing = found.count { $0.named == nil }
      let isOfOthers = file.path.utf8.contains(UInt8(ascii: "/")) && 2 * missing > found.count
      for (stated, named) in found where !(isOfOthers && named == nil) {
        try compare(stated, with: named, in: file.path, of: kind, &findings)
      }
      for (line, found) in unread where !isOfOthers {
        Self.note("line \(line)", found.display, in: file.path, &findings)
      }
    }
  }

  /// Notes that a checksum cannot be compared.
  private static func note(_ line: String, _ found: String, in list: String, _ findings: inout RuleFindings) {
    findings.note(
      "has a checksum that cannot be compared", about: list, place: line,
      expected: "a function, a digest as long as its digests are, and a whole path", found: found,
      hint: "make the list anew, with nothing cut")
  }

  /// Whether any file of the release has a digest.
  private mutating func isOfAny(_ digest: Digest?) throws(SignetError) -> Bool {
    guard let digest else { return false }
    if let known = all[digest.algorithm] { return known.contains(digest.bytes) }
    var digests: Set<[UInt8]> = []
    for file in release.files.files where file.kind == .regular {
      digests.insert(try self.digest(of: file, digest.algorithm).bytes)
    }
    all[digest.algorithm] = digests
    return digests.contains(digest.bytes)
  }

  private static func read(_ text: [UInt8], _ kind: ChecksumFile) -> ChecksumStatements {
    switch kind {
    case .list(let naming): ChecksumLines.read(text, about: nil, naming)
    case .beside(let subject, let naming):
      ChecksumLines.read(text, about: ReleasePath.baseName(of: subject), naming)
    case .control: DebianControl.read(text)
    case .feed: UpdateFeed.read(text)
    case .manifest: ChecksumStatements(stated: BinaryTargets.read(text))
    }
  }

  private mutating func compare(
    _ stated: StatedChecksum, with named: Named?, in list: String, of kind: ChecksumFile,
    _ findings: inout RuleFindings
  ) throws(SignetError) {
    let place = "\(list), line \(stated.line)"
    guard let file = named?.file else {
      guard !stated.mayBeElsewhere else { return }
      if stated.isNameUnsure {
        if try isOfAny(stated.asSHA2) { return }
        let name = stated.name.isEmpty ? "no path" : stated.name.display
        return Self.note("line \(stated.line)", name, in: list, &findings)
      }
      return findings.note(
        "states the checksum of a file that is not in the release", about: list, place: "line \(stated.line)",
        expected: stated.name.display, found: "nothing",
        hint: "put the file where the list says, or make the list anew")
    }
    let mode = named?.hasMode == true ? stated.mode : nil
    if mode == .bits {
      return findings.note(
        "has a checksum that cannot be compared", about: list, place: "line \(stated.line)",
        expected: "that of all bytes", found: "one of a text of bits", hint: "make the list anew, without --01")
    }
    let sha2 = stated.asSHA2
    if mode == .universal, let sha2, try universal(of: file, sha2.algorithm) == sha2 { return }
    if try isRight(stated, of: file, kind) { return }
    let hex = Hexadecimal.encode(stated.digest)
    let isUnnamed = stated.function == .unnamed && kind.naming == .none
    guard sha2 != nil || !isUnnamed && (stated.function == .other || kind.naming == .blake3) else {
      return Self.note("line \(stated.line)", hex.display, in: list, &findings)
    }
    var found = "another one"
    if stated.function != .other, let sha2 {
      found = try digest(of: file, sha2.algorithm).hex
      if isUnnamed { found += " by SHA-\(8 * stated.digest.count), and others by \(OtherChecksums.names)" }
    }
    findings.note(
      "does not have the checksum that a list states", about: file.path, place: place, expected: hex, found: found,
      hint: isUnnamed
        ? "find out which of the two is the right one; if it is of a function that is not named here, make the list with "
          + "SHA-256"
        : "find out which of the two is the right one; make lists last, when no file changes any more")
  }

  /// Whether a file has a digest by the function that a list names, or by any that it may mean.
  private mutating func isRight(
    _ stated: StatedChecksum, of file: ReleaseFile, _ kind: ChecksumFile
  ) throws(SignetError) -> Bool {
    if stated.function != .other, let sha2 = stated.asSHA2, try digest(of: file, sha2.algorithm) == sha2 {
      return true
    }
    guard stated.function == .other || stated.function == .unnamed && kind.naming != .sha2 else { return false }
    return try others.has(stated.digest, of: file)
  }

  /// The file that a line names, with the reading of the line that names it: that of a table, if the release has no file with
  /// the name that other programs read.
  private mutating func findAny(
    _ stated: StatedChecksum, from list: String, in whole: String?, _ kind: ChecksumFile
  ) throws(SignetError) -> (stated: StatedChecksum, named: Named?) {
    guard let table = stated.instead.first else { return (stated, try find(stated, from: list, in: whole, kind)) }
    if let named = try find(stated, from: list, in: whole, .list(kind.naming)) { return (stated, named) }
    return (table, try find(table, from: list, in: whole, kind))
  }

  /// The file that a list names: from its own folder, or from the release's. A file that is called after another is about
  /// that one, whatever path the other had when the list was made.
  ///
  /// - Parameter whole: the directory that the list is in, if it is signed as a whole. The list names nothing outside of
  ///   it then.
  private mutating func find(
    _ stated: StatedChecksum, from list: String, in whole: String?, _ kind: ChecksumFile
  ) throws(SignetError) -> Named? {
    var (name, before) = (stated.name, stated.before)
    if stated.mode != nil {
      before.append(name)
      name = String(decoding: Array(name.utf8.dropFirst()), as: UTF8.self)
    }
    if case .beside(let subject, _) = kind, case let base = ReleasePath.baseName(of: subject),
      before.contains(where: { $0.isExactly(base) }) || stated.mode == nil && name.isExactly(base)
    {
      (name, before) = (base, [])
    }
    for name in before where isLastName(ReleasePath.baseName(of: name)) {
      let (paths, outer) = places(of: name, from: list, in: whole, kind, about: nil)
      if let file = regular(paths + (outer.isSure ? [outer.path] : [])) { return Named(file: file) }
    }
    let subject: String? = if case .beside(let subject, _) = kind { subject } else { nil }
    let (paths, outer) = places(of: name, from: list, in: whole, kind, about: subject)
    if let file = regular(paths + (outer.isSure ? [outer.path] : [])) {
      return Named(file: file, hasMode: stated.mode != nil && !before.isEmpty)
    }
    var others = outer.path.isEmpty ? [] : [outer.path]
    if let subject, name.isExactly(ReleasePath.baseName(of: subject)) { others += begun(with: subject) }
    for path in others {
      guard let file = regular([path]) else { continue }
      if try isRight(stated, of: file, kind) { return Named(file: file) }
    }
    return nil
  }

  /// Whether a file of the release has a name. Lines of some programs may mean a hundred others.
  private mutating func isLastName(_ name: String) -> Bool {
    let known = lastNames ?? Set(release.files.files.map { Array(ReleasePath.baseName(of: $0.path).utf8) })
    lastNames = known
    return known.contains(Array(name.utf8))
  }

  /// The first regular file of some paths.
  private func regular(_ paths: [String]) -> ReleaseFile? {
    for path in paths {
      if let file = release.files.file(at: path), file.kind == .regular { return file }
    }
    return nil
  }

  /// The paths that a name may mean: from the list's folder and that of its subject, and the one from the release's folder,
  /// or an empty one.
  private mutating func places(
    of name: String, from list: String, in whole: String?, _ kind: ChecksumFile, about subject: String?
  ) -> (paths: [String], outer: (path: String, isSure: Bool)) {
    let folder = list.utf8.dropLast(ReleasePath.baseName(of: list).utf8.count)
    let names = ReleasePath.names(of: name).filter { !$0.isExactly(".") }
    guard name.utf8.first != UInt8(ascii: "/"), !names.contains(where: { $0.isExactly("..") }), !names.isEmpty else {
      return (subject.map { [$0] } ?? [], ("", false))
    }
    let path = names.joined(separator: "/")
    var paths = [String(decoding: Array(folder), as: UTF8.self) + path]
    // Electron's tools replace blanks by dashes when they upload.
    if case .feed = kind { paths += variants(of: path, in: String(decoding: Array(folder), as: UTF8.self)) }
    if let subject { paths.append(subject) }
    // The list of another project, in a folder, may have names such as LICENSE. Then the release's own is not meant.
    return (paths, (whole.map { "\($0)/\(path)" } ?? path, names.count > 1 || folder.isEmpty))
  }

  /// The files whose names are a path and an ending: `tool.sha256` may be about `tool.tar.gz`.
  private mutating func begun(with path: String) -> [String] {
    if let known = begun, known.path.isExactly(path) { return known.files }
    let start = Array("\(path).".utf8)
    let files = release.files.files.map(\.path).filter { $0.utf8.starts(with: start) }
    begun = (path, files)
    return files
  }

  /// The files whose names differ from a path only by what stands for a blank.
  private mutating func variants(of path: String, in folder: String) -> [String] {
    func plain(_ path: String) -> [UInt8] { path.utf8.map { " .-".utf8.contains($0) ? UInt8(ascii: "-") : $0 } }
    let known = plainPaths ?? Dictionary(grouping: release.files.files.map(\.path), by: plain)
    plainPaths = known
    return known[plain(folder + path)] ?? []
  }

  /// The digest of a file with a line feed at the end of each line (`shasum --UNIVERSAL`).
  private mutating func universal(
    of file: ReleaseFile, _ algorithm: DigestAlgorithm
  ) throws(SignetError) -> Digest {
    let key = Key(file, algorithm.rawValue)
    if let digest = universals[key] { return digest }
    let open = try release.files.open(file)
    var incremental = try IncrementalDigest(algorithm)
    var isAfterReturn = false
    for start in stride(from: 0, to: open.size, by: Self.readSize) {
      let bytes = try open.bytes(in: start..<min(start + Self.readSize, open.size))
      var rest = bytes[...]
      if isAfterReturn, rest.first == 0x0a { rest = rest.dropFirst() }
      isAfterReturn = bytes.last == 0x0d
      var plain: [UInt8] = []
      plain.reserveCapacity(rest.count)
      while let place = rest.firstIndex(of: 0x0d) {
        plain += rest[..<place]
        plain.append(0x0a)
        rest = rest[(place + 1)...]
        if rest.first == 0x0a { rest = rest.dropFirst() }
      }
      plain += rest
      try incremental.update(plain)
    }
    let digest = try incremental.finish()
    universals[key] = digest
    return digest
  }

  private mutating func digest(
    of file: ReleaseFile, _ algorithm: DigestAlgorithm
  ) throws(SignetError) -> Digest {
    let key = Key(file, algorithm.rawValue)
    if let digest = digests[key] { return digest }
    let open = try release.files.open(file)
    let digest: Digest
    if algorithm == .sha256 {
      digest = try open.flatDigest(progress: nil)
    } else {
      var incremental = try IncrementalDigest(algorithm)
      for start in stride(from: 0, to: open.size, by: Self.readSize) {
        try incremental.update(open.bytes(in: start..<min(start + Self.readSize, open.size)))
      }
      digest = try incremental.finish()
    }
    digests[key] = digest
    return digest
  }
}
