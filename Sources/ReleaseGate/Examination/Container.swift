package import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// An archive whose entries are known, with what is wrong with it.
///
/// It is read as strictly as modules are. One that is refused is read again, as other programs read it, and a survey
/// says whether the refusal is about a danger or only about the form.
package struct Container {
  /// The entries, as far as they could be listed.
  package private(set) var entries: [ArtifactContents.Entry] = []
  package private(set) var format: ArchiveFormat?
  /// Why two readers could see two archives in it, or why it leads out of its folder.
  package private(set) var danger: SignetError?
  /// What a module cannot have, and is no danger.
  package private(set) var form: SignetError?
  /// Why not all entries are known.
  package private(set) var incomplete: SignetError?
  /// Whether its entries can be read.
  package private(set) var isListed = true
  /// Whether it is a package of Linux, or one whose members hold its files.
  package private(set) var isPackage = false
  /// The signatures of Android in a ZIP, which belong to no entry.
  package private(set) var androidBlock: AndroidSigningBlock?
  /// Whether its entries can be decompressed in little memory.
  package private(set) var isBounded = true
  /// Whether it is a cpio that is unpacked as the root of a system that starts.
  package private(set) var isRAMDisk = false
  /// What is behind it and belongs to it: the next part of a RAM disk.
  package private(set) var behind: (source: any ByteSource, format: ContainerFormat)?
  /// Where what is searched one by one is, if there is no danger. Everything else belongs to the structure.
  package private(set) var searched: [Range<Int>] = []
  package let content: Content

  /// How its bytes are read.
  package enum Content {
    case strict(OpenedArchive)
    case listed(any ByteSource, ArchiveListing.Format)
    case members(any ByteSource, [ArMember])
  }

  /// What is read where it is in the file: the members of an ar, and what belongs to no entry of a ZIP.
  package var parts: [(source: any ByteSource, mode: UInt32)] {
    guard case .members(let source, let members) = content else {
      // Other programs put texts beside Android's signatures.
      guard case .listed(let source, _) = content, let range = androidBlock?.range else { return [] }
      return [(source.part(range, called: "APK Signing Block"), 0)]
    }
    return members.map { (source.part($0.content, called: $0.text), $0.mode) }
  }

  /// What is known of data from their compression, before they are read.
  package struct Faults {
    /// Why two programs could see two things in them.
    package var danger: SignetError?
    package var form: SignetError?
    /// Why not all of them are there.
    package var unread: SignetError?

    package init(danger: SignetError? = nil, form: SignetError? = nil, unread: SignetError? = nil) {
      self.danger = danger
      self.form = form
      self.unread = unread
    }

    /// The danger if they are an archive: what is cut or damaged is dangerous, and what is only too large to be
    /// decompressed is not.
    package var dangerOfArchive: SignetError? { danger ?? (unread?.code == .archiveFilter ? nil : unread) }
  }

  /// Reads the structure of an archive.
  ///
  /// - Parameters:
  ///   - format: what it is: a ZIP, a tar, a cpio or an ar.
  ///   - compression: how a tar is compressed, if it is.
  ///   - isPackage: whether it has the files of a package of Linux.
  /// - Throws: `extraction.failed`, `file.changed`, `file.read-failed`: what keeps it from finding out.
  package static func open(
    _ source: any ByteSource, _ format: ContainerFormat, _ faults: Faults, compression: ArchiveFormat? = nil,
    isPackage: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) -> Container {
    let listed: ArchiveListing.Format
    var androidBlock: AndroidSigningBlock?
    var (danger, form) = (faults.dangerOfArchive, faults.form)
    var searched: [Range<Int>] = []
    switch format {
    case .zip:
      let strict = try attempt { () throws(SignetError) in
        let zip = try ZIPArchive(source, limits: ArchiveLimits())
        return OpenedArchive(source: zip.unsigned, format: .zip, entries: try zip.entries(ArchiveLimits()))
      }
      switch strict {
      case .success(let archive): return Container(archive, faults)
      case .failure(let refusal):
        try judge(refusal, &danger, &form) { () throws(SignetError) in
          searched = try ZIPSurvey.check(source, mayHavePrefix: false)
        }
        androidBlock = try danger == nil ? ZIPSurvey.androidBlock(in: source) : nil
      }
      listed = .zip
    case .zipBehind:
      if danger == nil {
        let head = try source.bytes(in: 0..<min(source.size, 10))
        let isProgram = ContainerFormat.carriers.contains { head.starts(with: $0) }
        danger = try fault { () throws(SignetError) in
          searched = try ZIPSurvey.check(source, mayHavePrefix: isProgram)
        }
        // Go's library of time zones has it in an object. No program reads it there.
        if let found = danger, head.starts(with: ContainerFormat.goObject), found.code == .archiveTrailingData {
          (danger, form) = (nil, form ?? found)
        }
      }
      listed = .zip
    case .tar:
      let strict = try attempt { () throws(SignetError) in
        OpenedArchive(
          source: source, format: compression ?? .tar, entries: try TarReader.entries(of: source, ArchiveLimits()))
      }
      switch strict {
      case .success(let archive): return Container(archive, faults)
      case .failure(let refusal):
        try judge(refusal, &danger, &form) { () throws(SignetError) in searched = try TarSurvey.check(source) }
      }
      listed = .tar
    case .cpio: return try Container(cpio: source, faults, isPackage: isPackage, &budget)
    default:
      form =
        form
        ?? SignetError(
          .archiveFormat, source.path, "is \(format.words), which modules cannot be", expected: "a ZIP or a tar")
      return Container(try LibraryContents(source, &budget), source, danger, form)
    }
    var container = Container(
      format: format == .zip ? .zip : format == .tar ? compression ?? .tar : nil, danger, form,
      .listed(source, listed))
    container.androidBlock = androidBlock
    container.searched = searched + (androidBlock.map { [$0.range] } ?? [])
    if listed == .zip {
      // If its headers contradict each other, other ones may count.
      container.isBounded = if danger == nil { try ZIPSurvey.needsLittleMemory(source) } else { false }
    }
    try container.list(source, listed, isPackage, &budget)
    return container
  }

  private init(format: ArchiveFormat?, _ danger: SignetError?, _ form: SignetError?, _ content: Content) {
    self.format = format
    self.danger = danger
    self.form = form
    self.content = content
  }

  private init(
    _ library: LibraryContents, _ source: any ByteSource, _ danger: SignetError?, _ form: SignetError?
  ) {
    entries = library.entries
    self.danger = danger ?? library.danger
    self.form = form
    incomplete = library.incomplete
    isPackage = library.isDebian
    content = .members(source, library.members)
    searched = library.members.map(\.content)
  }

  /// An archive that the strict reader accepts.
  package init(_ archive: OpenedArchive, _ faults: Faults = Faults()) {
    entries = archive.entries.map {
      ArtifactContents.Entry(path: $0.path, content: $0.content, mode: $0.mode.bits)
    }
    format = archive.format
    (danger, form) = (faults.dangerOfArchive, faults.form)
    content = .strict(archive)
    isPackage = archive.format != .zip && Self.isPackage(archive.source.path, from: entries.first?.path)
    searched = Self.places(of: archive.entries)
  }

  /// Where the bytes of files are in an archive.
  private static func places(of entries: [ArchiveEntry]) -> [Range<Int>] {
    entries.compactMap { entry in
      guard case .file = entry.content else { return nil }
      return entry.data.offset..<entry.data.offset + entry.data.storedSize
    }
  }

  /// Whether a tar is a package of Linux by its name and by its first file: of OpenWrt, whose files are in a tar in it, or
  /// of Alpine or Arch Linux. Any tar could begin like one, and people unpack what has another name anywhere.
  private static func isPackage(_ name: String, from first: String?) -> Bool {
    guard let first, ContainerFormat.isPackage(named: name) else { return false }
    return ["debian-binary", ".PKGINFO", ".BUILDINFO", ".MTREE", ".INSTALL"].contains { first.isExactly($0) }
      || first.utf8.starts(with: ".SIGN.".utf8)
  }

  /// A cpio, or several with what follows them in a RAM disk.
  private init(
    cpio source: any ByteSource, _ faults: Faults, isPackage: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) {
    var found: [CPIOArchive.Entry] = []
    var excess: SignetError?
    let archive = try CPIOArchive(source) { (entry) throws(SignetError) in
      guard excess == nil else { return }
      do throws(SignetError) {
        try budget.spendEntry(entry.name.count + entry.target.count, of: source.path)
        guard found.count < SearchBudget.entriesOfOne else { throw SearchBudget.tooManyEntries(source.path) }
        found.append(entry)
      } catch { excess = error }
    }
    let files = found.compactMap(\.file)
    content = .strict(OpenedArchive(source: source, format: .tar, entries: files))
    searched = Self.places(of: files)
    let listed = found.map(\.listed)
    entries = listed.filter { !$0.path.utf8.isEmpty }.map { ArtifactContents.Entry($0) }
    incomplete = archive.fault ?? excess
    danger = faults.dangerOfArchive ?? archive.fault ?? found.lazy.compactMap(\.danger).first
    form =
      faults.form
      ?? SignetError(
        .archiveFormat, source.path, "is \(ContainerFormat.cpio.words), which modules cannot be",
        expected: "a ZIP or a tar")
    if let rest = archive.rest {
      let head = try source.bytes(in: rest..<min(source.size, rest + ContainerFormat.headSize))
      if let format = ContainerFormat(head), case .compressed = format {
        behind = (source.part(rest..<source.size, called: source.path), format)
        searched.append(rest..<source.size)
      } else {
        danger = danger ?? Self.trailing(source, rest)
      }
    }
    // Linux starts `init`. The parts before the last one have what the processor is given first.
    isRAMDisk = archive.count > 1 || behind != nil || listed.contains { $0.path.isExactly("init") }
    var dangers = ListingDangers(isPackage: isPackage || isRAMDisk)
    for (index, entry) in listed.enumerated() {
      // Each part is unpacked over those before it.
      if index > 0, found[index].archive != found[index - 1].archive {
        danger = danger ?? dangers.danger
        dangers = ListingDangers(isPackage: true)
      }
      dangers.note(entry)
    }
    danger = danger ?? dangers.danger
  }

  private static func trailing(_ source: any ByteSource, _ end: Int) -> SignetError {
    SignetError(
      .archiveTrailingData, source.path, "has bytes after the archive's end", expected: "zeros, or nothing",
      found: "other bytes from offset \(end) on",
      hint: "unpack it with the program that made it, and pack the directory")
  }

  /// Lists the entries as other programs see them.
  private mutating func list(
    _ source: any ByteSource, _ format: ArchiveListing.Format, _ isPackage: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) {
    let isUnpacked = !ContainerFormat.isRead(inPlace: source.path)
    var dangers = ListingDangers(isPackage: isPackage, isUnpacked: isUnpacked, comparesFiles: true)
    var found: [ArtifactContents.Entry] = []
    let fault = try Self.fault { () throws(SignetError) in
      if format == .zip { try ZIPSurvey.checkListable(source) }
      try ArchiveListing.with(source, format) { (listing) throws(SignetError) in
        while let entry = try listing.next() {
          try budget.spendEntry(entry.textSize, of: source.path)
          guard found.count < SearchBudget.entriesOfOne else { throw SearchBudget.tooManyEntries(source.path) }
          // Its files are unpacked at the root of Linux.
          if found.isEmpty, format == .tar, Self.isPackage(source.path, from: entry.path) {
            self.isPackage = true
            dangers = ListingDangers(isPackage: true, comparesFiles: true)
          }
          dangers.note(entry)
          guard !entry.path.utf8.isEmpty else { continue }
          found.append(ArtifactContents.Entry(entry))
        }
      }
    }
    entries = found
    // What cannot be listed is not read, either.
    if fault != nil, found.isEmpty { isListed = false }
    if let fault {
      if fault.code == .archiveTrailingData || Self.alwaysDangerous.contains(fault.code) { danger = danger ?? fault }
      // Something behind the archive does not keep anybody from reading it.
      if fault.code != .archiveTrailingData { incomplete = fault }
    }
    danger = danger ?? dangers.danger
    if danger == nil, !dangers.repeatedFiles.isEmpty {
      danger = try RepeatedFiles.difference(
        in: source, format, dangers.repeatedFiles, decodesAll: isBounded, &budget)
      form = form ?? dangers.repeatedFiles.first?.error
    }
    form = form ?? dangers.form
    // The same fault is not named twice.
    if let danger, let form, danger.code == form.code { self.form = nil }
  }
}

extension ListedEntry {
  /// The number of bytes of its texts, which are in memory: its path, and where a link leads.
  fileprivate var textSize: Int {
    switch kind {
    case .symbolicLink(let target), .hardLink(let target): name.bytes.count + target.bytes.count
    case .file, .directory, .special: name.bytes.count
    }
  }
}

extension ArtifactContents.Entry {
  /// An entry that another program made.
  fileprivate init(_ entry: ListedEntry) {
    let content: ArchiveEntry.Content =
      switch entry.kind {
      case .directory: .directory
      case .symbolicLink(let target): .symbolicLink(target: target.text)
      case .file(let size): .file(size: size ?? 0)
      case .hardLink, .special: .file(size: 0)
      }
    let special: ListedEntry.Special? = if case .special(let special) = entry.kind { special } else { nil }
    self.init(path: entry.path, content: content, mode: entry.mode, special: special)
  }
}
