internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

/// One file while its bytes come along: they are searched, or kept if the file is a container.
///
/// Memory stays constant: what must be read again is copied into a private file, unless it is small or can be read
/// again from where it is.
struct Reading: ~Copyable {
  /// What a file turns out to be.
  enum Outcome {
    /// A file that was searched, with the containers that it is besides.
    case file(ContentFile, besides: [(source: any ByteSource, format: ContainerFormat)])
    /// A container, whose bytes were not searched.
    case container(any ByteSource, ContainerFormat)
  }

  private let entry: String?
  /// The name in messages.
  private let path: String
  private let mode: UInt32
  private let package: PackageFolders?
  private let settings: RuleSettings
  /// The bytes, if they can be read again from where they are.
  private let source: (any ByteSource)?
  private let looksInside: Bool
  private var scan: LiteralScan?
  private var head: [UInt8] = []
  private var size = 0
  /// The first bytes, until there are enough to tell what the file is.
  private var start: [UInt8] = []
  private var isBegun = false
  private var container: ContainerFormat?
  /// All bytes as long as they are few.
  private var bytes: [UInt8] = []
  /// The bytes if they are many, and must be read again.
  private var copy: Snapshot?
  private var digest: IncrementalDigest?
  /// The offsets of the marks of each kind of container that may tell something.
  private var marks = Marks()
  /// The number of this reading among all of an artifact: several files may have one name.
  private let number: Int

  /// - Parameters:
  ///   - number: one that no other reading of the artifact has.
  ///   - path: its name in messages.
  ///   - source: the bytes, if they can be read again.
  ///   - looksInside: whether a container is told from other files.
  init(
    _ number: Int, _ place: ContentPlace, called path: String, _ settings: RuleSettings,
    source: (any ByteSource)? = nil, looksInside: Bool = true
  ) {
    self.number = number
    entry = place.entry
    self.path = path
    mode = place.mode
    package = place.package
    self.settings = settings
    self.source = source
    self.looksInside = looksInside
  }

  /// Takes the next bytes.
  ///
  /// - Parameter found: gets the matches of the rules' literals.
  mutating func take(
    _ piece: UnsafeRawBufferPointer, _ found: LiteralScan.Found
  ) throws(SignetError) {
    guard !isBegun else { return try unsafe pass(piece, found) }
    if start.isEmpty, piece.count >= ContainerFormat.headSize {
      try begin(unsafe Array(piece.prefix(ContentFile.headSize)))
      return try unsafe pass(piece, found)
    }
    unsafe start += piece
    if start.count >= ContainerFormat.headSize { try passStart(found) }
  }

  private static let readSize = 256 << 10

  /// Takes all bytes of a file that is at hand.
  ///
  /// - Parameter found: gets the matches of the rules' literals.
  mutating func takeAll(_ found: LiteralScan.Found) throws(SignetError) {
    guard let source else { return }
    for start in stride(from: 0, to: source.size, by: Self.readSize) {
      let bytes = try source.bytes(in: start..<min(start + Self.readSize, source.size))
      var failure: SignetError?
      unsafe bytes.withUnsafeBytes { piece in
        do throws(SignetError) { try unsafe take(piece, found) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  private mutating func begin(_ first: [UInt8]) throws(SignetError) {
    isBegun = true
    if looksInside { container = ContainerFormat(first) }
    if container == nil, settings.wantsDigests { digest = try IncrementalDigest(.sha256) }
    if container == nil {
      scan = LiteralScan(
        settings.search, settings.reaches, ruleLiterals: settings.owners.count, isELF: ContentFile.isELF(first),
        entry: entry, reading: number)
    }
  }

  private mutating func passStart(_ found: LiteralScan.Found) throws(SignetError) {
    let first = start
    start = []
    try begin(Array(first.prefix(ContentFile.headSize)))
    var failure: SignetError?
    unsafe first.withUnsafeBytes { piece in
      do throws(SignetError) { try unsafe pass(piece, found) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private mutating func pass(
    _ piece: UnsafeRawBufferPointer, _ found: LiteralScan.Found
  ) throws(SignetError) {
    if head.count < ContentFile.headSize { unsafe head += piece.prefix(ContentFile.headSize - head.count) }
    size += piece.count
    try unsafe digest?.update(piece)
    if source == nil { try unsafe keep(piece) }
    let rules = settings.owners.count
    var seen = marks
    try unsafe scan?.scan(piece) { (match) throws(SignetError) in
      try Self.sort(match, rules: rules, marks: &seen, found: found)
    }
    marks = seen
  }

  /// Keeps bytes that rules may want, or that are a container's.
  private mutating func keep(_ piece: UnsafeRawBufferPointer) throws(SignetError) {
    if let copy { return try unsafe copy.append(piece) }
    guard size > ContentFile.smallSize else {
      unsafe bytes += piece
      return
    }
    if container != nil || isProgram {
      let copy = try Snapshot(in: TemporaryName.usualFolder, of: path)
      try copy.append(bytes)
      try unsafe copy.append(piece)
      self.copy = copy
    }
    bytes = []
  }

  /// Whether a ZIP may be behind the file, or rules may want it because it is a program.
  private var isProgram: Bool { ContainerFormat.surroundings(head) != .nothing }

  /// Whether the file is a tar or another archive, by the bytes that have come so far.
  var isArchive: Bool {
    switch isBegun ? container : ContainerFormat(start) {
    case .tar?, .cpio?, .zip?, .ar?: true
    case .compressed?, .rpm?, .unsupported?, .zipBehind?, .looseEntries?, nil: false
    }
  }

  /// Why not every place that a rule asked for was looked at; nil if all were. It is known at the end.
  private(set) var unsearched: SignetError?

  /// Ends the reading.
  mutating func finish(_ found: LiteralScan.Found) throws(SignetError) -> Outcome {
    if !isBegun { try passStart(found) }
    let rules = settings.owners.count
    var seen = marks
    try scan?.finish { (match) throws(SignetError) in try Self.sort(match, rules: rules, marks: &seen, found: found) }
    marks = seen
    if scan?.isCrowded ?? false {
      unsearched = SignetError(
        .gateCrowded, path, "has too many beginnings of keys, tokens or paths to look at all of them",
        expected: "one for 16 bytes at most, on average, and one JSON Web Key for 64")
    } else if scan?.isTooFar ?? false {
      let most = ContentMatch.Reach.wide.most
      unsearched = SignetError(
        .gateCrowded, path, "has a JSON Web Key that is too long to look at all of it",
        expected: "its parts within \(most.before >> 10) KiB before and \(most.after >> 10) KiB behind its kind")
    }
    let again: (any ByteSource)?
    if let source {
      again = source
    } else if let copy {
      again = try copy.finish()
    } else {
      again = size <= ContentFile.smallSize ? BytesInMemory(bytes, path: path) : nil
    }
    if let container, let again { return .container(again, container) }
    let sha256 = try takeDigest()
    let file = ContentFile(
      entry: entry, size: size, mode: mode, head: head, source: again, package: package, sha256: sha256,
      reading: number)
    return .file(file, besides: looksInside ? try besides(again) : [])
  }

  private mutating func takeDigest() throws(SignetError) -> Digest? {
    guard let digest = digest.take() else { return nil }
    return try digest.finish()
  }

  /// Passes on a match of a rule's literal, and remembers a mark of a container.
  private static func sort(
    _ match: ContentMatch, rules: Int, marks: inout Marks, found: LiteralScan.Found
  ) throws(SignetError) -> ContentMatch.Answer {
    let mark = match.literal - rules
    guard mark >= 0 else { return try found(match) }
    if mark == ContainerFormat.entryMark {
      marks.entries.take(match)
    } else if ContainerFormat.isPlace(ofMark: mark, match.offset) {
      marks.others[mark] = ContainerFormat.places(ofMark: mark, marks.others[mark], and: match.offset)
    }
    return .done
  }

  /// Where marks of containers are.
  private struct Marks {
    /// Those that may tell something, for each mark.
    var others = [[Int]](repeating: [], count: ContainerFormat.marks.count)
    var entries = LooseEntries()
  }

  /// The containers that the file is besides: by a mark at its end or in its middle, or by its name alone.
  private func besides(_ again: (any ByteSource)?) throws(SignetError) -> [(any ByteSource, ContainerFormat)] {
    var found: [(any ByteSource, ContainerFormat)] = []
    let nothing = BytesInMemory([], path: path)
    let size = size
    for (mark, offsets) in marks.others.enumerated() {
      let formats = offsets.lazy.compactMap { ContainerFormat.format(mark: mark, at: $0, of: size) }
      guard let format = formats.first else { continue }
      guard format == .zipBehind else {
        found.append((again ?? nothing, format))
        continue
      }
      // What is large and no program is not kept.
      guard let again else {
        found.append((nothing, .unsupported("a ZIP behind other bytes")))
        continue
      }
      if try ZIPSurvey.endsAsZIP(again) { found.append((again, format)) }
    }
    if let again {
      let entries = try marks.entries.without(zipsIn: found, head)
      if !entries.isEmpty { found.append((again, .looseEntries(entries))) }
    } else if found.isEmpty, marks.entries.isCertain(within: size) {
      found.append((nothing, .unsupported("a ZIP among other bytes")))
    }
    if found.isEmpty, let words = UnreadFormat.words(head, named: entry ?? path) {
      found.append((again ?? nothing, .unsupported(words)))
    }
    return found
  }
}
