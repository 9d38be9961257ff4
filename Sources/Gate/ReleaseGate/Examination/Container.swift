package import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetNames
package import SignetSystem

/// An archive whose entries are known, with what is wrong with it.
///
/// It is read as strictly as modules are. One that is refused is read again, as other programs read it, and a survey
/// says whether the refusal is about a danger or only about the form.
package struct Container {
  /// The entries, as far as they could be listed.
  package let entries: [ArtifactContents.Entry]
  /// The format, if a module may have it.
  package let format: ArchiveFormat?
  /// What is wrong with it, and why not all entries are known.
  package let faults: ContainerFaults
  /// Whether it is a package of Linux, or one whose members hold its files.
  package let isPackage: Bool
  /// Where what is searched one by one is, if there is no danger. Everything else belongs to the structure.
  package let searched: [Range<Int>]
  package let content: Content

  /// How its bytes are read.
  package enum Content {
    case strict(OpenedArchive)
    /// The cpio archives of an initial RAM disk, and the next part of it, which is compressed.
    case disk(OpenedArchive, behind: DiskContents.NextPart?)
    case listed(ListedArchive)
    case members(any ByteSource, [ArMember])
    /// Its entries could not be listed, and cannot be read.
    case unlisted
  }

  /// What is read where it is in the file: the members of an ar, and what belongs to no entry of a ZIP.
  package var parts: [(source: any ByteSource, mode: UInt32)] {
    switch content {
    case .strict, .disk, .unlisted: []
    case .members(let source, let members): members.map { (source.part($0.content, called: $0.text), $0.mode) }
    case .listed(let listed):
      if let block = listed.androidBlock {
        // Other programs put texts beside Android's signatures.
        [(listed.source.part(block, called: "APK Signing Block"), 0)]
      } else {
        []
      }
    }
  }

  /// Reads the structure of an archive.
  ///
  /// - Parameters:
  ///   - format: what it is: a ZIP, a tar, a cpio or an ar.
  ///   - faults: those of the compressed data in which it is.
  ///   - compression: how a tar is compressed, if it is.
  ///   - isPackage: whether it has the files of a package of Linux.
  ///   - links: those of the parts of a RAM disk that are before it, or nil.
  /// - Throws: `extraction.failed`, `file.changed`, `file.read-failed`: what keeps it from finding out.
  package static func open(
    _ source: any ByteSource, as format: ContainerFormat, faults: ContainerFaults, compression: ArchiveFormat? = nil,
    isPackage: Bool, after links: RootLinks? = nil, _ budget: inout SearchBudget
  ) throws(SignetError) -> Container {
    var found = faults.ofArchive
    switch format {
    case .zip:
      let strict = try ContainerFaults.attempt { () throws(SignetError) in
        let zip = try ZIPArchive(source, limits: ArchiveLimits())
        return OpenedArchive(source: zip.unsigned, format: .zip, entries: try zip.entries(ArchiveLimits()))
      }
      guard case .failure(let refusal) = strict else { return Container(try strict.get(), faults) }
      var searched: [Range<Int>] = []
      try ContainerFaults.judge(refusal, danger: &found.danger, form: &found.form) { () throws(SignetError) in
        searched = try ZIPSurvey.check(source).files
      }
      return try Container(
        listing: source, form: .zip, as: .zip, faults: found, searched: searched, isPackage: isPackage, &budget)
    case .zipBehind:
      var searched: [Range<Int>] = []
      let head = try source.bytes(in: 0..<min(source.size, ContainerFormat.carrierSize))
      if found.danger == nil {
        found.danger = try ContainerFaults.fault { () throws(SignetError) in
          let survey = try ZIPSurvey.check(source, in: ContainerFormat.surroundings(head))
          (searched, found.form) = (survey.files, found.form ?? survey.trailing)
        }
      }
      return try Container(
        listing: source, form: .zip, as: nil, faults: found, searched: searched, isPackage: isPackage, &budget)
    case .tar:
      let format = compression ?? .tar
      let strict = try ContainerFaults.attempt { () throws(SignetError) in
        OpenedArchive(source: source, format: format, entries: try TarReader.entries(of: source, ArchiveLimits()))
      }
      guard case .failure(let refusal) = strict else { return Container(try strict.get(), faults) }
      var searched: [Range<Int>] = []
      try ContainerFaults.judge(refusal, danger: &found.danger, form: &found.form) { () throws(SignetError) in
        searched = try TarSurvey.check(source)
      }
      return try Container(
        listing: source, form: .tar, as: format, faults: found, searched: searched, isPackage: isPackage, &budget)
    case .cpio: return Container(try DiskContents(source, isPackage: isPackage, after: links, &budget), source, found)
    default: return Container(try LibraryContents(source, &budget), from: source, faults: found, as: format)
    }
  }

  // MARK: Each kind

  /// An archive that the strict reader accepts.
  package init(_ archive: OpenedArchive, _ faults: ContainerFaults = ContainerFaults()) {
    entries = archive.entries.map {
      ArtifactContents.Entry(path: $0.path, content: $0.content, mode: $0.mode.bits)
    }
    format = archive.format
    self.faults = faults.ofArchive
    content = .strict(archive)
    isPackage = archive.format != .zip && ContainerFormat.isPackage(archive.source.path, from: entries.first?.path)
    searched = archive.places
  }

  private init(
    _ library: LibraryContents, from source: any ByteSource, faults: ContainerFaults, as format: ContainerFormat
  ) {
    entries = library.entries
    self.format = nil
    self.faults = ContainerFaults(
      danger: faults.danger ?? library.danger, form: faults.form ?? Self.form(source, format),
      unread: library.incomplete)
    isPackage = library.isDebian
    content = .members(source, library.members)
    searched = library.members.map(\.content)
  }

  private init(_ disk: DiskContents, _ source: any ByteSource, _ faults: ContainerFaults) {
    entries = disk.entries
    format = nil
    self.faults = ContainerFaults(
      danger: faults.danger ?? disk.danger, form: faults.form ?? Self.form(source, .cpio), unread: disk.incomplete)
    isPackage = false
    content = .disk(disk.archive, behind: disk.behind)
    searched = disk.archive.places + (disk.behind.map { [source.size - $0.source.size..<source.size] } ?? [])
  }

  private static func form(_ source: any ByteSource, _ format: ContainerFormat) -> SignetError {
    SignetError(
      .archiveFormat, source.path, "is \(format.words), which modules cannot be", expected: "a ZIP or a tar")
  }

  /// An archive of another program, whose entries are listed.
  private init(
    listing source: any ByteSource, form listing: ArchiveListing.Format, as format: ArchiveFormat?,
    faults: ContainerFaults,
    searched: [Range<Int>], isPackage: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) {
    let isZIP = listing == .zip
    let block = isZIP && format != nil && faults.danger == nil ? try ZIPSurvey.androidBlock(in: source)?.range : nil
    // If its headers contradict each other, other ones may count.
    let isBounded =
      if !isZIP { true } else if faults.danger != nil { false } else {
        try ZIPSurvey.needsLittleMemory(source)
      }
    let listed = ListedArchive(source: source, format: listing, isBounded: isBounded, androidBlock: block)
    let found = try ListedContents(listed, faults, isPackage: isPackage, &budget)
    self.entries = found.entries
    self.format = format
    self.faults = found.faults
    self.isPackage = found.isPackage
    self.searched = searched + (block.map { [$0] } ?? [])
    content = found.isListed ? .listed(listed) : .unlisted
  }
}

extension OpenedArchive {
  /// Where the bytes of files are.
  fileprivate var places: [Range<Int>] {
    entries.compactMap { entry in
      guard case .file = entry.content else { return nil }
      return entry.data.offset..<entry.data.offset + entry.data.storedSize
    }
  }
}
