internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The entries of a ZIP or a tar as other programs see them, with what is wrong with them.
struct ListedContents {
  /// The entries, as far as they could be listed.
  private(set) var entries: [ArtifactContents.Entry] = []
  private(set) var faults: ContainerFaults
  /// Whether the entries can be read.
  private(set) var isListed = true
  /// Whether it is a package of Linux.
  private(set) var isPackage = false

  /// Lists the entries.
  ///
  /// - Parameters:
  ///   - faults: what is known to be wrong with the archive.
  ///   - isPackage: whether it has the files of a package of Linux.
  /// - Throws: what keeps it from finding out.
  init(
    _ archive: ListedArchive, _ faults: ContainerFaults, isPackage: Bool, _ budget: inout SearchBudget
  ) throws(SignetError) {
    self.faults = faults
    let source = archive.source
    let use: ListingDangers.Use =
      isPackage ? .root : ContainerFormat.isRead(inPlace: source.path) ? .readInPlace : .unpacked
    var dangers = ListingDangers(use, repeats: .compared)
    let fault = try ContainerFaults.fault { () throws(SignetError) in
      if archive.format == .zip { try ZIPSurvey.checkListable(source) }
      try ArchiveListing.with(source, archive.format) { (listing) throws(SignetError) in
        while let entry = try listing.next() {
          try budget.spendEntry(entry.textSize, of: source.path)
          guard entries.count < SearchBudget.entriesOfOne else { throw SearchBudget.tooManyEntries(source.path) }
          // Its files are unpacked at the root of Linux.
          if entries.isEmpty, archive.format == .tar, ContainerFormat.isPackage(source.path, from: entry.path) {
            self.isPackage = true
            dangers = ListingDangers(.root, repeats: .compared)
          }
          dangers.note(entry)
          guard !entry.path.utf8.isEmpty else { continue }
          entries.append(ArtifactContents.Entry(entry))
        }
      }
    }
    note(fault)
    self.faults.danger = self.faults.danger ?? dangers.danger
    if self.faults.danger == nil, !dangers.repeatedFiles.isEmpty {
      self.faults.danger = try RepeatedFiles.difference(
        in: source, archive.format, dangers.repeatedFiles, decodesAll: archive.isBounded, &budget)
      self.faults.form = self.faults.form ?? dangers.repeatedFiles.first?.error
    }
    self.faults.form = self.faults.form ?? dangers.form
    // The same fault is not named twice.
    if let danger = self.faults.danger, danger.code == self.faults.form?.code { self.faults.form = nil }
  }

  /// Notes what has ended the listing.
  private mutating func note(_ fault: SignetError?) {
    guard let fault else {
      // An end record says that there are entries, and leads to none that libarchive finds. Other programs may find them.
      if entries.isEmpty, let danger = faults.danger, Self.losesEntries.contains(danger.code) {
        faults.unread = danger
      }
      return
    }
    // What cannot be listed is not read, either.
    isListed = !entries.isEmpty
    if fault.code == .archiveTrailingData || ContainerFaults.alwaysDangerous.contains(fault.code) {
      faults.danger = faults.danger ?? fault
    }
    // Something behind the archive does not keep anybody from reading it.
    if fault.code != .archiveTrailingData { faults.unread = fault }
  }

  /// The dangers with which programs differ in where they look for entries.
  private static let losesEntries: Set<SignetError.Code> = [.archiveEndRecord, .archiveTruncated, .archiveZIP64]
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
  init(_ entry: ListedEntry) {
    let content: EntryContent =
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
