internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The walk of all rules through one artifact, and through archives in it: each byte is read once for all of them.
struct ContentWalk {
  var files: FileSearch
  var budget: SearchBudget

  /// - Parameter count: how many files of the release are searched.
  init(_ artifact: ExaminedArtifact, _ settings: RuleSettings, among count: Int = 1) {
    files = FileSearch(RuleNotes(artifact, settings))
    budget = SearchBudget(size: artifact.size, among: count)
  }

  /// What the rules have found.
  var findings: [GateReport.Finding] { files.notes.findings }

  /// Lets the rules look at the verification and at the names.
  mutating func look(at contents: ArtifactContents) throws(SignetError) { try files.notes.look(at: contents) }

  // MARK: Files

  /// Reads the file of an artifact, whatever it is.
  ///
  /// - Parameter path: its ending says what the file should be.
  mutating func read(artifact file: any ByteSource, named path: String, mode: UInt32) throws(SignetError) {
    try read(file, at: ContentPlace(entry: nil, mode: mode), expected: ContainerFormat(named: path))
    try files.notes.lookAtArtifact()
  }

  /// Reads a file of a directory, and what is in it; `entry` is nil for a file that is no artifact, such as a bundle.
  mutating func read(_ file: any ByteSource, as entry: String?, mode: UInt32) throws(SignetError) {
    if entry == nil { files.notes.hasNoArtifact() }
    try read(file, at: ContentPlace(entry: entry, mode: mode))
  }

  mutating func read(
    _ file: any ByteSource, at place: ContentPlace, expected: ContainerFormat? = nil
  ) throws(SignetError) {
    let head = try file.bytes(in: 0..<min(file.size, ContentFile.headSize))
    if let format = ContainerFormat(head) {
      return try look(into: file, format, at: place, isNamedAsTar: expected.map { $0 != .zip } ?? false)
    }
    // A script may be before a ZIP: programs in Python and Java are started like this.
    if expected == .zip, head.starts(with: "#!".utf8), try ZIPSurvey.endsAsZIP(file) {
      return try search(file, at: place, looksInside: true)
    }
    switch expected {
    case .zip?, .tar?: try look(into: file, expected ?? .zip, at: place, isOnlyNamed: true)
    case .compressed(let compression)?:
      try files.notes.look(
        atUnlisted: compression.moduleFormat, ContainerFormat.misnamed(file, "a tar, compressed"))
      try search(file, at: place)
    default: try search(file, at: place, looksInside: true)
    }
  }

  /// Searches the bytes of a file that is at hand, and may be a container besides.
  mutating func search(
    _ file: any ByteSource, at place: ContentPlace, looksInside: Bool = false
  ) throws(SignetError) {
    var reading = try files.search(file, at: place, looksInside: looksInside)
    try end(&reading, at: place)
  }

  /// Ends the reading of a file, and looks into it if it is a container.
  mutating func end(
    _ reading: inout Reading, at place: ContentPlace, _ faults: ContainerFaults = ContainerFaults(),
    _ compression: ArchiveFormat? = nil
  ) throws(SignetError) {
    switch try files.finish(&reading, at: place) {
    case .container(let source, let format):
      try look(into: source, format, at: place, faults, compression)
    case .file(let file, let besides):
      let place = try judgeDisk(at: place)
      try files.notes.look(at: file)
      for (source, format) in besides { try look(into: source, format, at: place, isSearched: true) }
    }
  }

  // MARK: Containers

  /// Looks into a container.
  ///
  /// - Parameters:
  ///   - faults: what is known of it from its compression, which is `compression`.
  ///   - isSearched: whether its bytes were searched as those of a file.
  ///   - isNamedAsTar: whether its name says that it is a tar, compressed or not.
  ///   - isOnlyNamed: whether its name alone says what it is.
  mutating func look(
    into source: any ByteSource, _ format: ContainerFormat, at place: ContentPlace,
    _ faults: ContainerFaults = ContainerFaults(), _ compression: ArchiveFormat? = nil, isSearched: Bool = false,
    isNamedAsTar: Bool = false, isOnlyNamed: Bool = false
  ) throws(SignetError) {
    if let reason = budget.reasonNotToLook(into: format, at: place, called: place.entry ?? files.notes.artifact.path)
    {
      try files.notes.note(unsearched: reason, of: place.entry)
      let place = try judgeDisk(at: place)
      if !isSearched { try search(source, at: place) }
      return
    }
    var place = place
    switch format {
    case .cpio, .compressed: break
    default: place = try judgeDisk(at: place)
    }
    switch format {
    case .unsupported: break
    case .compressed(let compression): try decompress(source, compression, at: place, isNamedAsTar: isNamedAsTar)
    case .rpm: try readPackage(source, at: place)
    case .looseEntries(let entries):
      try bounded(at: place) { (walk) throws(SignetError) in try walk.read(entries, in: source, at: place) }
    case .zip, .zipBehind, .tar, .cpio, .ar:
      let archive = try Container.open(
        source, as: format, faults: faults, compression: compression, isPackage: place.isPackage, after: place.disk,
        &budget)
      try read(archive, source, at: place, isSearched: isSearched, isOnlyNamed: isOnlyNamed)
    }
  }

  /// Judges the links of a RAM disk whose next part turns out to be none.
  ///
  /// - Returns: the place without them.
  private mutating func judgeDisk(at place: ContentPlace) throws(SignetError) -> ContentPlace {
    guard let disk = place.disk else { return place }
    if let danger = disk.danger {
      try files.notes.look(
        at: ArtifactContents(entries: [], format: nil, archiveFailure: danger, container: place.entry))
    }
    var place = place
    place.disk = nil
    return place
  }

  /// Reads an archive whose entries are known.
  private mutating func read(
    _ container: Container, _ source: any ByteSource, at place: ContentPlace, isSearched: Bool, isOnlyNamed: Bool
  ) throws(SignetError) {
    try files.notes.look(
      at: ArtifactContents(
        entries: container.entries, format: container.format, archiveFailure: container.faults.danger,
        formFailure: container.faults.form, container: place.entry))
    if let reason = container.faults.unread, !isOnlyNamed || !container.entries.isEmpty {
      try files.notes.note(unsearched: reason, of: place.entry)
    }
    if !isSearched { try searchStructure(of: container, source, at: place) }
    var place = place
    if container.isPackage { place.isPackage = true }
    if place.isPackage { place.package = PackageFolders(of: container.entries) }
    switch container.content {
    case .strict(let archive): try read(archive, at: place)
    case .disk(let archive, let behind):
      try read(archive, at: place)
      // The parts of a RAM disk are put together as they are, some of them compressed.
      place.isPackage = true
      place.disk = behind?.links
      if let behind { try look(into: behind.source, behind.format, at: place) }
    case .listed(let listed):
      // The listing has said already why it is not complete.
      try bounded(at: place) { (walk) throws(SignetError) in
        try walk.readListed(listed, at: place, container.faults)
      }
    case .members, .unlisted: break
    }
    for (part, mode) in container.parts {
      let place = place.inside(part.path, mode: mode)
      try bounded(at: place) { (walk) throws(SignetError) in
        if place.depth > 1 { try walk.budget.spend(part.size, part.path) }
        try walk.read(part, at: place)
      }
    }
  }

  /// Searches what belongs to no entry, and in a dangerous archive everything: another program may see something else in it
  /// than this one.
  private mutating func searchStructure(
    of container: Container, _ source: any ByteSource, at place: ContentPlace
  ) throws(SignetError) {
    var place = place
    place.disk = nil
    switch (container.content, container.faults.danger) {
    case (.unlisted, _), (_, .some): try search(source, at: place)
    default: try files.scan(source, without: container.searched, at: place)
    }
  }

  /// Does something that decompresses, and notes if it would decompress too much.
  mutating func bounded(
    at place: ContentPlace, _ body: (inout ContentWalk) throws(SignetError) -> Void
  ) throws(SignetError) {
    let wasSpent = budget.isSpent
    do throws(SignetError) {
      try body(&self)
    } catch {
      guard budget.isSpent, error.code == .archiveRatio || error.code == .archiveEntryCount else { throw error }
      guard wasSpent else { return try files.notes.note(error, of: place.entry, isLost: true) }
      try files.notes.note(unsearched: error, of: place.entry)
    }
  }

  // MARK: Entries

  /// Reads every file of an archive that was verified, and what is beside them.
  ///
  /// - Parameter file: the archive as it is in the release, with its signing block or compressed.
  mutating func read(_ archive: OpenedArchive, of file: any ByteSource) throws(SignetError) {
    let place = ContentPlace(entry: nil, mode: 0)
    let searched = Container(archive).searched
    if archive.format == .zip || archive.format == .tar {
      try files.scan(file, without: searched, at: place)
    } else {
      for range in try FileDecompression.texts(ofModule: file) {
        try read(file.part(range, called: file.path), at: place.decompressed())
      }
      try files.scan(archive.source, without: searched, at: place)
    }
    try read(archive, at: place)
  }

  /// Reads every file of a strict archive.
  ///
  /// An entry whose bytes are not what the archive says of them is a finding. If no rule notes it, it is an error:
  /// nobody has looked at these bytes.
  private mutating func read(_ archive: OpenedArchive, at place: ContentPlace) throws(SignetError) {
    let reader = EntryReader(archive.source)
    for entry in archive.entries {
      if case .deflated = entry.data.coding, case .symbolicLink(let target) = entry.content {
        try files.scan(text: Array(target.utf8), of: entry.path, at: place.inside(entry.path, mode: 0))
      }
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
    var reading = files.begin(place, called: entry.path, source: isStored ? archive.storedContent(of: entry) : nil)
    do throws(SignetError) {
      try unsafe reader.read(entry.data, size: size, path: entry.path) { (piece) throws(SignetError) in
        try unsafe files.take(piece, &reading)
      }
    } catch {
      guard error.code == .archiveChecksum || error.code == .archiveData else { throw error }
      try files.notes.note(error, of: place.entry, isLost: error.code == .archiveData)
    }
    try end(&reading, at: place)
  }

  /// Reads every file of an archive that another program made.
  private mutating func readListed(
    _ archive: ListedArchive, at place: ContentPlace, _ faults: ContainerFaults
  ) throws(SignetError) {
    let isDangerous = faults.danger != nil
    do throws(SignetError) {
      try archive.list { (listing) throws(SignetError) in
        var count = 0
        while count < SearchBudget.entriesOfOne, let entry = try listing.next() {
          count += 1
          let place = place.inside(entry.path, mode: entry.mode)
          switch entry.kind {
          // The bytes of a file may be with the last of its links.
          case .file, .hardLink: try read(entry, of: listing, at: place, inDangerous: isDangerous)
          // A ZIP has it as the content of the entry; a tar, in the header.
          case .symbolicLink(let target):
            if archive.format == .zip { try files.scan(text: target.bytes, of: entry.path, at: place) }
          // In an old tar, a directory is a file whose name ends with a slash. It may have content.
          case .directory, .special: try read(entry, of: listing, at: place, inDangerous: isDangerous, isFile: false)
          }
        }
      }
    } catch {
      guard ContainerFaults.isRefusal(error), !budget.isSpent else { throw error }
      if faults.unread == nil { try files.notes.note(error, of: place.entry, inDangerous: isDangerous) }
    }
  }

  /// - Parameter isFile: whether the entry is a file even if there are no bytes.
  private mutating func read(
    _ entry: ListedEntry, of listing: ArchiveListing, at place: ContentPlace, inDangerous isDangerous: Bool,
    isFile: Bool = true
  ) throws(SignetError) {
    guard !entry.isEncrypted else {
      return try files.notes.note(unsearched: .encrypted(entry), of: place.entry)
    }
    var reading = files.begin(place, called: entry.path)
    var isNothing = !isFile
    do throws(SignetError) {
      try unsafe listing.read { (piece) throws(SignetError) in
        isNothing = false
        try budget.spend(piece.count, entry.path)
        try unsafe files.take(piece, &reading)
      }
    } catch {
      switch error.code {
      case .archiveData: try files.notes.note(error, of: place.entry, inDangerous: isDangerous)
      case .archiveFilter: try files.notes.note(unsearched: error, of: place.entry)
      default: throw error
      }
    }
    if !isNothing { try end(&reading, at: place) }
  }
}

extension SignetError {
  static func encrypted(_ entry: ListedEntry) -> SignetError {
    SignetError(.archiveEncrypted, entry.path, "is encrypted")
  }
}
