internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// The walk of all rules through one artifact: each byte is read once, however many rules there are.
struct ContentWalk {
  private let artifact: ExaminedArtifact
  private let settings: RuleSettings
  /// What each rule has found, in the order of the rules.
  private var found: [RuleFindings]
  private static let readSize = 256 << 10

  init(_ artifact: ExaminedArtifact, _ settings: RuleSettings) {
    self.artifact = artifact
    self.settings = settings
    found = settings.active.map { RuleFindings($0.about.id, $0.level, about: artifact.path) }
  }

  /// What the rules have found.
  var findings: [GateReport.Finding] { found.flatMap(\.all) }

  /// Lets the rules look at the verification and at the names.
  mutating func look(at contents: ArtifactContents) throws(SignetError) {
    for (index, active) in settings.active.enumerated() { try active.rule.check(artifact, contents, &found[index]) }
  }

  /// Reads every file of an archive.
  ///
  /// An entry whose bytes are not what the archive says of them is a finding. If no rule notes it, it is an error:
  /// nobody has looked at these bytes.
  mutating func read(_ archive: OpenedArchive) throws(SignetError) {
    let reader = EntryReader(archive.source)
    for entry in archive.entries {
      guard case .file(let size) = entry.content else { continue }
      var reading = Reading(entry.path, size: size, mode: entry.mode.bits, settings.search)
      do throws(SignetError) {
        try unsafe reader.read(entry.data, size: size, path: entry.path) { (piece) throws(SignetError) in
          try unsafe reading.take(piece) { (match) throws(SignetError) in try note(match) }
        }
      } catch  where error.code == .archiveChecksum || error.code == .archiveData {
        try note(error, of: entry.path)
        continue
      }
      try finish(&reading, nil)
    }
  }

  /// Reads a file.
  mutating func read(_ file: any ByteSource, as entry: String?, mode: UInt32) throws(SignetError) {
    var reading = Reading(entry, size: file.size, mode: mode, settings.search, isAtHand: true)
    var offset = 0
    while offset < file.size {
      let bytes = try file.bytes(in: offset..<min(offset + Self.readSize, file.size))
      var failure: SignetError?
      unsafe bytes.withUnsafeBytes { piece in
        do throws(SignetError) {
          try unsafe reading.take(piece) { (match) throws(SignetError) in try note(match) }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      offset += bytes.count
    }
    try finish(&reading, file)
  }

  private mutating func finish(_ reading: inout Reading, _ source: (any ByteSource)?) throws(SignetError) {
    let file = try reading.finish(source) { (match) throws(SignetError) in try note(match) }
    for (index, active) in settings.active.enumerated() {
      try active.rule.check(file, in: artifact, &found[index])
    }
  }

  private mutating func note(_ match: ContentMatch) throws(SignetError) {
    let owner = settings.owners[match.literal]
    let own = ContentMatch(
      entry: match.entry, isELF: match.isELF, literal: owner.literal, offset: match.offset, before: match.before,
      after: match.after)
    try settings.active[owner.rule].rule.check(own, in: artifact, &found[owner.rule])
  }

  private mutating func note(_ damage: SignetError, of entry: String) throws(SignetError) {
    var isNoted = false
    for (index, active) in settings.active.enumerated() {
      let count = found[index].findings.count
      try active.rule.check(damage, of: entry, in: artifact, &found[index])
      isNoted = isNoted || found[index].findings.count > count
    }
    if !isNoted { throw damage.about("\(artifact.path): \(entry)") }
  }
}

/// One file while its bytes come along.
private struct Reading: ~Copyable {
  private let entry: String?
  private let size: Int
  private let mode: UInt32
  private var scan: LiteralScan?
  private let search: LiteralSearch
  private var head: [UInt8] = []
  /// The bytes of a small file.
  private var bytes: [UInt8] = []
  /// The bytes of a binary in an archive.
  private var copy: Snapshot?
  /// Whether the bytes can be read again from where they are.
  private let isAtHand: Bool

  init(_ entry: String?, size: Int, mode: UInt32, _ search: LiteralSearch, isAtHand: Bool = false) {
    self.entry = entry
    self.size = size
    self.mode = mode
    self.search = search
    self.isAtHand = isAtHand
  }

  mutating func take(
    _ piece: UnsafeRawBufferPointer, _ found: (ContentMatch) throws(SignetError) -> Void
  ) throws(SignetError) {
    if head.count < ContentFile.headSize { unsafe head += piece.prefix(ContentFile.headSize - head.count) }
    if scan == nil {
      // Pieces are at least as long as the magic, unless the file is not.
      scan = LiteralScan(search, isELF: ContentFile.isELF(head), entry: entry)
      if !isAtHand, size > ContentFile.smallSize, ContentFile.isELF(head) {
        copy = try Snapshot(in: Snapshot.usualFolder, of: entry ?? "entry")
      }
    }
    if !isAtHand {
      if size <= ContentFile.smallSize { unsafe bytes += piece }
      try unsafe copy?.append(piece)
    }
    try unsafe scan?.scan(piece, found)
  }

  /// Ends the reading.
  ///
  /// - Returns: the file, with its bytes if rules may want them.
  mutating func finish(
    _ source: (any ByteSource)?, _ found: (ContentMatch) throws(SignetError) -> Void
  ) throws(SignetError) -> ContentFile {
    try scan?.finish(found)
    let again: (any ByteSource)?
    if let source {
      again = source
    } else if let copy {
      again = try copy.finish()
    } else {
      again = size <= ContentFile.smallSize ? BytesInMemory(bytes, path: entry ?? "entry") : nil
    }
    return ContentFile(entry: entry, size: size, mode: mode, head: head, source: again)
  }
}
