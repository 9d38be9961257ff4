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
  package let faults: Faults
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
    case listed(Listed)
    case members(any ByteSource, [ArMember])
    /// Its entries could not be listed, and cannot be read.
    case unlisted
  }

  /// What is known of an archive that another program made, to read it once more.
  package struct Listed {
    package let source: any ByteSource
    package let format: ArchiveListing.Format
    /// Whether its entries can be decompressed in little memory.
    package let isBounded: Bool
    /// The signatures of Android in a ZIP, which belong to no entry.
    package let androidBlock: Range<Int>?

    /// Lists the entries once more, to read them.
    ///
    /// - Throws: what ``ArchiveListing`` and `body` throw.
    package func list(_ body: (ArchiveListing) throws(SignetError) -> Void) throws(SignetError) {
      try ArchiveListing.with(source, format, decodesAll: isBounded, body)
    }
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

  /// What is known to be wrong with data or with an archive.
  package struct Faults {
    /// Why two programs could see two things in them, or why an archive leads out of its folder.
    package var danger: SignetError?
    /// What a module cannot have, and is no danger.
    package var form: SignetError?
    /// Why not all of the data are there, or not all entries are known.
    package var unread: SignetError?

    package init(danger: SignetError? = nil, form: SignetError? = nil, unread: SignetError? = nil) {
      self.danger = danger
      self.form = form
      self.unread = unread
    }

    /// The danger if they are an archive: what is cut or damaged is dangerous, and what is only too large to be
    /// decompressed is not.
    package var dangerOfArchive: SignetError? { danger ?? (unread?.code == .archiveFilter ? nil : unread) }

    /// The faults of an archive in compressed data that have these faults. What is not there of the data was named already.
    fileprivate var ofArchive: Faults { Faults(danger: dangerOfArchive, form: form) }
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
    _ source: any ByteSource, _ format: ContainerFormat, _ faults: Faults, compression: ArchiveFormat? = nil,
    isPackage: Bool, after links: RootLinks? = nil, _ budget: inout SearchBudget
  ) throws(SignetError) -> Container {
    var found = faults.ofArchive
    switch format {
    case .zip:
      let strict = try attempt { () throws(SignetError) in
        let zip = try ZIPArchive(source, limits: ArchiveLimits())
        return OpenedArchive(source: zip.unsigned, format: .zip, entries: try zip.entries(ArchiveLimits()))
      }
      guard case .failure(let refusal) = strict else { return Container(try strict.get(), faults) }
      var searched: [Range<Int>] = []
      try judge(refusal, &found.danger, &found.form) { () throws(SignetError) in
        searched = try ZIPSurvey.check(source).files
      }
      return try Container(listing: source, .zip, as: .zip, found, searched, isPackage, &budget)
    case .zipBehind:
      var searched: [Range<Int>] = []
      let head = try source.bytes(in: 0..<min(source.size, ContainerFormat.carrierSize))
      if found.danger == nil {
        found.danger = try fault { () throws(SignetError) in
          let survey = try ZIPSurvey.check(source, in: ContainerFormat.surroundings(head))
          (searched, found.form) = (survey.files, found.form ?? survey.trailing)
        }
      }
      return try Container(listing: source, .zip, as: nil, found, searched, isPackage, &budget)
    case .tar:
      let format = compression ?? .tar
      let strict = try attempt { () throws(SignetError) in
        OpenedArchive(source: source, format: format, entries: try TarReader.entries(of: source, ArchiveLimits()))
      }
      guard case .failure(let refusal) = strict else { return Container(try strict.get(), faults) }
      var searched: [Range<Int>] = []
      try judge(refusal, &found.danger, &found.form) { () throws(SignetError) in
        searched = try TarSurvey.check(source)
      }
      return try Container(listing: source, .tar, as: format, found, searched, isPackage, &budget)
    case .cpio: return Container(try DiskContents(source, isPackage: isPackage, after: links, &budget), source, found)
    default: return Container(try LibraryContents(source, &budget), source, found, format)
    }
  }

  // MARK: Each kind

  /// An archive that the strict reader accepts.
  package init(_ archive: OpenedArchive, _ faults: Faults = Faults()) {
    entries = archive.entries.map {
      ArtifactContents.Entry(path: $0.path, content: $0.content, mode: $0.mode.bits)
    }
    format = archive.format
    self.faults = faults.ofArchive
    content = .strict(archive)
    isPackage = archive.format != .zip && Self.isPackage(archive.source.path, from: entries.first?.path)
    searched = archive.places
  }

  private init(_ library: LibraryContents, _ source: any ByteSource, _ faults: Faults, _ format: ContainerFormat) {
    entries = library.entries
    self.format = nil
    self.faults = Faults(
      danger: faults.danger ?? library.danger, form: faults.form ?? Self.form(source, format),
      unread: library.incomplete)
    isPackage = library.isDebian
    content = .members(source, library.members)
    searched = library.members.map(\.content)
  }

  private init(_ disk: DiskContents, _ source: any ByteSource, _ faults: Faults) {
    entries = disk.entries
    format = nil
    self.faults = Faults(
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
    listing source: any ByteSource, _ listing: ArchiveListing.Format, as format: ArchiveFormat?, _ faults: Faults,
    _ searched: [Range<Int>], _ isPackage: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) {
    let isZIP = listing == .zip
    let block = isZIP && format != nil && faults.danger == nil ? try ZIPSurvey.androidBlock(in: source)?.range : nil
    // If its headers contradict each other, other ones may count.
    let isBounded =
      if !isZIP { true } else if faults.danger != nil { false } else {
        try ZIPSurvey.needsLittleMemory(source)
      }
    let listed = Listed(source: source, format: listing, isBounded: isBounded, androidBlock: block)
    let found = try ListedContents(listed, faults, isPackage: isPackage, &budget)
    self.entries = found.entries
    self.format = format
    self.faults = found.faults
    self.isPackage = found.isPackage
    self.searched = searched + (block.map { [$0] } ?? [])
    content = found.isListed ? .listed(listed) : .unlisted
  }

  /// Whether a tar is a package of Linux by its name and by its first file: of OpenWrt, whose files are in a tar in it, or
  /// of Alpine or Arch Linux. Any tar could begin like one, and people unpack what has another name anywhere.
  static func isPackage(_ name: String, from first: String?) -> Bool {
    guard let first, ContainerFormat.isPackage(named: name) else { return false }
    return ["debian-binary", ".PKGINFO", ".BUILDINFO", ".MTREE", ".INSTALL"].contains { first.isExactly($0) }
      || first.utf8.starts(with: ".SIGN.".utf8)
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
