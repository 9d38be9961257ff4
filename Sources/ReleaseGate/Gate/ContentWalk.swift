internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// The walk of all rules through one artifact, and through archives in it: each byte is read once, however many rules
/// there are.
struct ContentWalk {
  private var notes: RuleNotes
  private var budget: SearchBudget

  /// - Parameter count: how many files of the release are searched.
  init(_ artifact: ExaminedArtifact, _ settings: RuleSettings, among count: Int = 1) {
    notes = RuleNotes(artifact, settings)
    budget = SearchBudget(size: artifact.size, among: count)
  }

  /// What the rules have found.
  var findings: [GateReport.Finding] { notes.findings }

  /// Lets the rules look at the verification and at the names.
  mutating func look(at contents: ArtifactContents) throws(SignetError) { try notes.look(at: contents) }

  // MARK: Files

  /// Reads the file of an artifact, whatever it is.
  ///
  /// - Parameter path: its ending says what the file should be.
  mutating func read(artifact file: any ByteSource, named path: String, mode: UInt32) throws(SignetError) {
    try read(file, at: ContentPlace(entry: nil, mode: mode), expected: ContainerFormat(named: path))
    try notes.lookAtArtifact()
  }

  /// Reads a file of a directory, and what is in it; `entry` is nil for a file that is no artifact, such as a bundle.
  mutating func read(_ file: any ByteSource, as entry: String?, mode: UInt32) throws(SignetError) {
    if entry == nil { notes.hasNoArtifact() }
    try read(file, at: ContentPlace(entry: entry, mode: mode))
  }

  private mutating func read(
    _ file: any ByteSource, at place: ContentPlace, expected: ContainerFormat? = nil
  ) throws(SignetError) {
    let head = try file.bytes(in: 0..<min(file.size, ContentFile.headSize))
    if let format = ContainerFormat(head) {
      return try look(into: file, format, at: place, isNamedAsTar: expected.map { $0 != .zip } ?? false)
    }
    switch expected {
    case .zip?, .tar?: try look(into: file, expected ?? .zip, at: place, isOnlyNamed: true)
    case .compressed(let compression)?:
      try notes.look(
        at: ArtifactContents(
          entries: [], format: compression.moduleFormat, archiveFailure: Self.misnamed(file, "a tar, compressed")))
      try search(file, at: place)
    default: try search(file, at: place, looksInside: true)
    }
  }

  private static func misnamed(_ file: any ByteSource, _ expected: String) -> SignetError {
    SignetError(
      .archiveFormat, file.path, "is not what its name says", expected: expected,
      hint: "give it another name, or pack it again")
  }

  /// Searches the bytes of a file that is at hand.
  ///
  /// - Parameter looksInside: whether it may be a container besides.
  private mutating func search(
    _ file: any ByteSource, at place: ContentPlace, looksInside: Bool = false
  ) throws(SignetError) {
    var reading = Reading(place, called: file.path, notes.settings, source: file, looksInside: looksInside)
    try reading.takeAll { (match) throws(SignetError) in try notes.look(at: match) }
    try end(&reading, at: place)
  }

  /// Ends the reading of a file, and looks into it if it is a container.
  private mutating func end(
    _ reading: inout Reading, at place: ContentPlace, _ faults: Container.Faults = Container.Faults(),
    _ compression: ArchiveFormat? = nil
  ) throws(SignetError) {
    switch try finish(&reading, at: place) {
    case .container(let source, let format):
      try look(into: source, format, at: place, faults, compression)
    case .file(let file, let besides):
      try notes.look(at: file)
      for (source, format) in besides { try look(into: source, format, at: place, isSearched: true) }
    }
  }

  /// Searches the bytes of a container, as far as they are texts. Rules on files look at what is in it.
  private mutating func scan(_ file: any ByteSource, at place: ContentPlace) throws(SignetError) {
    var reading = Reading(place, called: file.path, notes.settings, source: file, looksInside: false)
    try reading.takeAll { (match) throws(SignetError) in try notes.look(at: match) }
    _ = try finish(&reading, at: place)
  }

  private mutating func finish(_ reading: inout Reading, at place: ContentPlace) throws(SignetError)
    -> Reading.Outcome
  {
    let outcome = try reading.finish { (match) throws(SignetError) in try notes.look(at: match) }
    if let reason = reading.unsearched { try notes.note(unsearched: reason, of: place.entry) }
    return outcome
  }

  // MARK: Containers

  /// Looks into a container.
  ///
  /// - Parameters:
  ///   - faults: what is known of it from its compression, which is `compression`.
  ///   - isSearched: whether its bytes were searched as those of a file.
  ///   - isNamedAsTar: whether its name says that it is a tar, compressed or not.
  ///   - isOnlyNamed: whether its name alone says what it is.
  private mutating func look(
    into source: any ByteSource, _ format: ContainerFormat, at place: ContentPlace,
    _ faults: Container.Faults = Container.Faults(), _ compression: ArchiveFormat? = nil, isSearched: Bool = false,
    isNamedAsTar: Bool = false, isOnlyNamed: Bool = false
  ) throws(SignetError) {
    if let reason = budget.reasonNotToLook(into: format, at: place, called: place.entry ?? notes.artifact.path) {
      try notes.note(unsearched: reason, of: place.entry)
      if !isSearched { try search(source, at: place) }
      return
    }
    switch format {
    case .unsupported: break
    case .compressed(let compression): try decompress(source, compression, at: place, isNamedAsTar: isNamedAsTar)
    case .rpm: try readPackage(source, at: place)
    case .zip, .zipBehind, .tar, .cpio, .ar:
      let archive = try Container.open(
        source, format, faults, compression: compression, isPackage: place.isPackage, &budget)
      try read(archive, source, at: place, isSearched: isSearched, isOnlyNamed: isOnlyNamed)
    }
  }

  /// Reads an archive whose entries are known.
  private mutating func read(
    _ container: Container, _ source: any ByteSource, at place: ContentPlace, isSearched: Bool, isOnlyNamed: Bool
  ) throws(SignetError) {
    try notes.look(
      at: ArtifactContents(
        entries: container.entries, format: container.format, archiveFailure: container.danger,
        formFailure: container.form, container: place.entry))
    if let reason = container.incomplete, !isOnlyNamed || !container.entries.isEmpty {
      try notes.note(unsearched: reason, of: place.entry)
    }
    // Another program may see something else in it than this one.
    if !isSearched, container.danger != nil { try search(source, at: place) }
    var place = place
    if container.isPackage { place.isPackage = true }
    if place.isPackage { place.package = PackageFolders(of: container.entries) }
    switch container.content {
    case .strict(let archive):
      var place = place
      if container.isRAMDisk { place.isPackage = true }
      try read(archive, at: place)
      // The parts of a RAM disk are put together as they are, some of them compressed.
      if let (source, format) = container.behind { try look(into: source, format, at: place) }
    case .listed(let source, let format):
      guard container.isListed else { return }
      // The listing has said already why it is not complete.
      try bounded(at: place) { (walk) throws(SignetError) in
        try walk.readListed(source, format, at: place, container)
      }
    case .members: break
    }
    for (part, mode) in container.parts {
      let place = place.inside(part.path, mode: mode)
      try bounded(at: place) { (walk) throws(SignetError) in
        if place.depth > 1 { try walk.budget.spend(part.size, part.path) }
        try walk.read(part, at: place)
      }
    }
  }

  /// Does something that decompresses, and notes if it would decompress too much.
  private mutating func bounded(
    at place: ContentPlace, _ body: (inout ContentWalk) throws(SignetError) -> Void
  ) throws(SignetError) {
    let wasSpent = budget.isSpent
    do throws(SignetError) {
      try body(&self)
    } catch {
      guard budget.isSpent, error.code == .archiveRatio || error.code == .archiveEntryCount else { throw error }
      guard wasSpent else { return try notes.note(error, of: place.entry, isLost: true) }
      try notes.note(unsearched: error, of: place.entry)
    }
  }

  // MARK: Entries

  /// Reads every file of an archive that was verified.
  mutating func read(_ archive: OpenedArchive) throws(SignetError) {
    try read(archive, at: ContentPlace(entry: nil, mode: 0))
  }

  /// Reads every file of a strict archive.
  ///
  /// An entry whose bytes are not what the archive says of them is a finding. If no rule notes it, it is an error:
  /// nobody has looked at these bytes.
  private mutating func read(_ archive: OpenedArchive, at place: ContentPlace) throws(SignetError) {
    let reader = EntryReader(archive.source)
    for entry in archive.entries {
      guard case .file(let size) = entry.content else { continue }
      let place = place.inside(entry.path, mode: entry.mode.bits)
      try bounded(at: place) { (walk) throws(SignetError) in
        // The limits of modules bound the artifact's own archive.
        if place.depth > 1 {
          try walk.budget.spendEntry(entry.path)
          try walk.budget.spend(size, entry.path)
        }
        try walk.read(entry, size, of: archive, reader, at: place)
      }
    }
  }

  private mutating func read(
    _ entry: ArchiveEntry, _ size: Int, of archive: OpenedArchive, _ reader: EntryReader, at place: ContentPlace
  ) throws(SignetError) {
    let isStored = if case .deflated = entry.data.coding { false } else { true }
    var reading = Reading(
      place, called: entry.path, notes.settings, source: isStored ? archive.storedContent(of: entry) : nil)
    do throws(SignetError) {
      try unsafe reader.read(entry.data, size: size, path: entry.path) { (piece) throws(SignetError) in
        try unsafe reading.take(piece) { (match) throws(SignetError) in try notes.look(at: match) }
      }
    } catch {
      guard error.code == .archiveChecksum || error.code == .archiveData else { throw error }
      try notes.note(error, of: place.entry, isLost: error.code == .archiveData)
    }
    try end(&reading, at: place)
  }

  /// Reads every file of an archive that another program made.
  private mutating func readListed(
    _ source: any ByteSource, _ format: ArchiveListing.Format, at place: ContentPlace, _ container: Container
  ) throws(SignetError) {
    do throws(SignetError) {
      try ArchiveListing.with(source, format, decodesAll: container.isBounded) { (listing) throws(SignetError) in
        var count = 0
        while count < SearchBudget.entriesOfOne, let entry = try listing.next() {
          count += 1
          let place = place.inside(entry.path, mode: entry.mode)
          switch entry.kind {
          // The bytes of a file may be with the last of its links.
          case .file, .hardLink: try read(entry, of: listing, at: place, in: container)
          case .directory, .symbolicLink, .special: continue
          }
        }
      }
    } catch {
      guard Container.isRefusal(error), !budget.isSpent else { throw error }
      if container.incomplete == nil { try note(error, of: place.entry, in: container) }
    }
  }

  private mutating func read(
    _ entry: ListedEntry, of listing: ArchiveListing, at place: ContentPlace, in container: Container
  ) throws(SignetError) {
    guard !entry.isEncrypted else {
      return try notes.note(
        unsearched: SignetError(.archiveEncrypted, entry.path, "is encrypted"), of: place.entry)
    }
    var reading = Reading(place, called: entry.path, notes.settings)
    do throws(SignetError) {
      try unsafe listing.read { (piece) throws(SignetError) in
        try budget.spend(piece.count, entry.path)
        try unsafe reading.take(piece) { (match) throws(SignetError) in try notes.look(at: match) }
      }
    } catch {
      switch error.code {
      case .archiveData: try note(error, of: place.entry, in: container)
      case .archiveFilter: try notes.note(unsearched: error, of: place.entry)
      default: throw error
      }
    }
    try end(&reading, at: place)
  }

  /// Notes damage. An archive that is known to be dangerous has one finding for that, and not one for each entry.
  private mutating func note(_ damage: SignetError, of entry: String?, in container: Container) throws(SignetError) {
    guard container.danger == nil else { return try notes.note(unsearched: damage, of: entry) }
    try notes.note(damage, of: entry, isLost: true)
  }

  // MARK: Compressed files and packages

  /// Reads what a compressed file decompresses to: all before a fault, and before what does not belong to the data.
  private mutating func decompress(
    _ source: any ByteSource, _ compression: FileCompression, at outer: ContentPlace, isNamedAsTar: Bool
  ) throws(SignetError) {
    let place = outer.decompressed()
    var reading = Reading(place, called: source.path, notes.settings)
    var faults = Container.Faults()
    var hasTexts = true
    do throws(SignetError) {
      let found = try unsafe FileDecompression.decompress(source, compression) { (piece) throws(SignetError) in
        try budget.spend(piece.count, source.path)
        try unsafe reading.take(piece) { (match) throws(SignetError) in try notes.look(at: match) }
      }
      faults = Container.Faults(danger: found.danger, form: found.form, unread: found.unread)
      hasTexts = found.hasTexts || found.danger != nil || found.unread != nil
    } catch {
      guard Container.isRefusal(error) else { throw error }
      // A bomb is dangerous whatever is in it.
      faults = Container.Faults(danger: error, unread: error)
    }
    // A file that begins like a compressed one by chance, with numbers of four bytes for example, is a file.
    let head = try source.bytes(in: 0..<min(source.size, ContentFile.headSize))
    guard
      faults.unread == nil || isNamedAsTar || compression.isCertain(head)
        || UnreadFormat.words(head, named: outer.entry ?? source.path) != nil
    else { return try search(source, at: outer) }
    // What is beside the data and behind them has room for texts, and so has what was not decompressed.
    if hasTexts { try scan(source, at: outer) }
    if let unread = faults.unread { try notes.note(unsearched: unread, of: place.entry) }
    let isTar = reading.isArchive
    if isNamedAsTar, !isTar {
      // What was not begun may be a tar.
      let isUnknown = faults.unread?.code == .archiveFilter
      let failure = faults.dangerOfArchive ?? (isUnknown ? nil : Self.misnamed(source, "a tar, compressed"))
      try notes.look(at: ArtifactContents(entries: [], format: compression.moduleFormat, archiveFailure: failure))
    } else if !isTar, let danger = faults.danger {
      try notes.note(danger: danger, of: place.entry)
    }
    try end(&reading, at: place, faults, compression.moduleFormat)
  }

  /// Reads a package of RPM: its headers, and the files in its payload.
  private mutating func readPackage(_ source: any ByteSource, at place: ContentPlace) throws(SignetError) {
    let package: RPMPackage
    do throws(SignetError) {
      package = try RPMPackage(source)
    } catch {
      guard Container.isRefusal(error) else { throw error }
      try notes.note(unsearched: error, of: place.entry)
      return try search(source, at: place)
    }
    try search(package.headers, at: place)
    var inner = place
    inner.isPackage = true
    let head = try package.payload.bytes(in: 0..<min(package.payload.size, ContainerFormat.headSize))
    guard let format = ContainerFormat(head) else {
      try notes.note(
        unsearched: SignetError(.archiveFilter, source.path, "is an RPM package with a payload of an unknown form"),
        of: place.entry)
      return try search(package.payload, at: inner)
    }
    try look(into: package.payload, format, at: inner)
  }
}
