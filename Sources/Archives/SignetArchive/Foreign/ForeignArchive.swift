package import SignetBase
package import SignetNames
package import SignetSystem

/// An archive of a kind that modules cannot have, read to be packed again.
///
/// It is the publisher's own input, but is read as if it were not: in one pass, into a private file, with the limits of
/// a module. Content that cannot be converted faithfully is refused: devices, names that are not UTF-8, hard links to
/// missing files, and anything that libarchive warns about. Owners, times and extended attributes are left out, as they
/// are when a directory is packed.
package struct ForeignArchive {
  /// The entries of the new archive, in the order of the old one.
  package let entries: [PackedEntry]
  /// Files and directories whose modes have bits that no module has, with those modes.
  package let specialModes: [(path: String, mode: UInt32)]

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - source: the archive, which may be compressed as a whole.
  ///   - folder: the folder whose file system holds the bytes while they are packed.
  /// - Returns: nil if the source begins like a ZIP, or does not begin like any other known archive.
  /// - Throws: `archive.…`, `path.…`, `extraction.failed`, `file.changed`, `file.read-failed`.
  package static func open(
    _ source: any ByteSource, _ limits: ArchiveLimits,
    snapshotsIn folder: String = TemporaryName.usualFolder
  ) throws(SignetError) -> ForeignArchive? {
    // A ZIP that is also a tar or a disk image counts as a ZIP, because programs take it for one.
    let magic = try source.bytes(in: 0..<min(ArchiveFile.magicSize, source.size))
    guard ArchiveFile.format(magic) != .zip else { return nil }
    let bytes = try ForeignCompression.removed(from: source, limits, snapshotsIn: folder)
    guard let format = try ForeignFormat(of: bytes ?? source) else {
      guard bytes == nil else {
        throw SignetError(
          .archiveFormat, source.path, "is compressed, but holds no archive that can be read this way",
          expected: "a compressed tar, or another compressed archive except a ZIP",
          hint: "decompress it, and pack the result")
      }
      return nil
    }
    return try UTF8Locale.with { () throws(SignetError) in
      let bytes = bytes ?? source
      guard format == .ar else { return try ForeignArchive(bytes, format, limits, snapshotsIn: folder) }
      let members = try members(of: bytes, limits)
      guard DebianPackage.isOne(members) else { return try ForeignArchive(members, of: bytes, limits) }
      let tar = try DebianPackage.tar(of: bytes, members, limits, snapshotsIn: folder)
      return try ForeignArchive(tar, .tar, limits, snapshotsIn: folder)
    }
  }

  private init(
    _ source: any ByteSource, _ format: ForeignFormat, _ limits: ArchiveLimits, snapshotsIn folder: String
  ) throws(SignetError) {
    let reader = try ForeignReader(source, format)
    let spool = try ForeignSpool(in: folder, of: source.path, limits)
    var contents = Contents()
    var count = 0
    while let header = try reader.next() {
      // Repeated entries count, too, because libarchive remembers each of them.
      count += 1
      try ArchiveRules.checkCount(count, limits)
      try contents.add(header, reader, spool)
    }
    entries = contents.entries(in: try spool.finish())
    specialModes = contents.specialModes
  }

  /// The members of an archive of ar.
  private static func members(
    of source: any ByteSource, _ limits: ArchiveLimits
  ) throws(SignetError) -> [ArMember] {
    var reader = try ArReader(source)
    var members: [ArMember] = []
    while let member = try reader.next() {
      try ArchiveRules.checkCount(members.count + 1, limits)
      members.append(member)
    }
    return members
  }

  /// The files of an archive of ar, where they are in it. Its tables are of no use in another archive.
  private init(_ members: [ArMember], of source: any ByteSource, _ limits: ArchiveLimits) throws(SignetError) {
    var entries: [PackedEntry] = []
    for member in members where member.role == .file {
      guard !member.isCut else { throw Self.tooLong(member.name, "more than \(member.name.count) bytes") }
      let path = try Self.text(Self.relative(member.name), "a path")
      guard member.content.count <= limits.fileSize else {
        throw SignetError(
          .archiveSize, path, "is too large", expected: "at most \(limits.fileSize) bytes",
          found: "\(member.content.count)")
      }
      entries.append(
        PackedEntry(
          path: path,
          content: .file(FilePart(source, member.content, path: path), isExecutable: member.mode & 0o111 != 0)))
    }
    self.entries = entries
    specialModes = zip(entries, members.filter { $0.role == .file }).filter { $1.mode & 0o7000 != 0 }.map {
      (path: $0.path, mode: $1.mode)
    }
  }

  /// The content of the archive that has been read so far.
  private struct Contents {
    private enum Content {
      /// `place` is an index into the places in the spool; hard links share one.
      case file(place: Int, isExecutable: Bool)
      case directory
      case symbolicLink(target: String)
    }

    private var found: [(path: String, content: Content)] = []
    private var places: [Range<Int>] = []
    private var files: [[UInt8]: (place: Int, isExecutable: Bool)] = [:]
    private var directories: Set<[UInt8]> = []
    private(set) var specialModes: [(path: String, mode: UInt32)] = []

    /// Adds an entry, with its bytes if it has any.
    mutating func add(
      _ header: ForeignReader.Header, _ reader: ForeignReader, _ spool: ForeignSpool
    ) throws(SignetError) {
      let bytes = ForeignArchive.relative(header.path)
      let path = try ForeignArchive.text(bytes, "a path")
      switch header.kind {
      case .file:
        let isExecutable = header.permissions & 0o111 != 0
        places.append(try spool.take(header, path, from: reader))
        files[bytes] = (places.count - 1, isExecutable)
        found.append((path, .file(place: places.count - 1, isExecutable: isExecutable)))
        if header.permissions & 0o7000 != 0 { specialModes.append((path, header.permissions)) }
      case .hardLink(let target):
        guard let file = files[ForeignArchive.relative(target)] else {
          throw SignetError(
            .archiveHardLink, path, "is a hard link to a file that does not come before it",
            found: String(decoding: target, as: UTF8.self), hint: "unpack the archive, and pack the directory")
        }
        // A cpio stores the bytes of a file with the last of its links. Bytes that are already there are not replaced.
        let place = try spool.take(header, path, from: reader)
        if !place.isEmpty {
          guard places[file.place].isEmpty else {
            throw SignetError(
              .archiveHardLink, path, "is a hard link with bytes of its own",
              hint: "unpack the archive, and pack the directory")
          }
          places[file.place] = place
        }
        files[bytes] = file
        found.append((path, .file(place: file.place, isExecutable: file.isExecutable)))
      case .directory:
        // The root needs no entry, and programs that add to an archive list a directory again.
        guard !bytes.isEmpty, directories.insert(bytes).inserted else { return }
        found.append((path, .directory))
        if header.permissions & 0o7000 != 0 { specialModes.append((path, header.permissions)) }
      case .symbolicLink(let target):
        found.append((path, .symbolicLink(target: try ForeignArchive.text(target, "the target of \(path)"))))
      case .other:
        throw SignetError(
          .archiveSpecialFile, path, "is not a file, a directory or a symbolic link",
          hint: "pack the module without it")
      }
    }

    /// The entries of the new archive.
    func entries(in spool: RegularFile) -> [PackedEntry] {
      found.map { path, content in
        switch content {
        case .file(let place, let isExecutable):
          PackedEntry(
            path: path, content: .file(FilePart(spool, places[place], path: path), isExecutable: isExecutable))
        case .directory: PackedEntry(path: path, content: .directory)
        case .symbolicLink(let target): PackedEntry(path: path, content: .symbolicLink(target: target))
        }
      }
    }
  }

  /// A path without what programs put around it: `./` before it, and `/` after it.
  private static func relative(_ path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var path = path[...]
    while path.starts(with: [UInt8(ascii: "."), slash]) { path = path.dropFirst(2) }
    while path.count > 1, path.last == slash { path = path.dropLast() }
    return path.elementsEqual([UInt8(ascii: ".")]) ? [] : Array(path)
  }

  private static func text(_ bytes: [UInt8], _ what: String) throws(SignetError) -> String {
    guard bytes.count <= EntryPath.lengthLimit else { throw tooLong(bytes, "\(bytes.count) bytes") }
    let text = String(decoding: bytes, as: UTF8.self)
    guard UTF8Check.firstFault(in: bytes) == nil else {
      throw SignetError(.pathNotUTF8, text, "\(what) in the archive is not UTF-8")
    }
    return text
  }

  private static func tooLong(_ name: [UInt8], _ found: String) -> SignetError {
    SignetError(
      .pathBounds, String(decoding: name.prefix(60), as: UTF8.self) + "…", "is too long",
      expected: "at most \(EntryPath.lengthLimit) bytes", found: found)
  }
}
