package import SignetBase
internal import SignetNames
package import SignetSystem

/// The entries of a cpio, or of several one behind the other: so the parts of an initial RAM disk are put together
/// (Linux, "initramfs buffer format"), with zeros between them.
///
/// Where an entry ends, the next one must begin. libarchive passes what is no header until it finds one, so that an entry
/// with one wrong digit is not there for it; GNU's program reads that entry.
package struct CPIOArchive {
  /// An entry.
  package struct Entry: Sendable {
    /// Its name up to the first NUL.
    package let name: [UInt8]
    /// Its mode, with its type.
    package let mode: UInt32
    /// Where its content is.
    package let content: Range<Int>
    /// Where a symbolic link leads; empty for everything else.
    package let target: [UInt8]
    /// In which of several archives it is.
    package let archive: Int
  }

  /// The number of archives.
  package private(set) var count = 1
  /// Where something else begins behind the last archive; nil if nothing but zeros follows.
  package private(set) var rest: Int?
  /// What is wrong, and ends the reading.
  package private(set) var fault: SignetError?

  /// The maximum length of a name: what libarchive allows a link's target in a cpio, and a name in an ar.
  static let nameLimit = 1 << 20
  private static let trailer = Array("TRAILER!!!".utf8)

  private let source: any ByteSource
  private var position = 0

  /// Whether a file is a cpio, by its first bytes.
  package static func begins(_ head: [UInt8]) -> Bool { CPIOHeader.begins(head) }

  /// Checks that all readers find the same entries.
  ///
  /// - Throws: `archive.data`, `archive.truncated`, and what reading throws.
  static func check(_ source: any ByteSource) throws(SignetError) {
    if let fault = try CPIOArchive(source, { _ in }).fault { throw fault }
  }

  /// Reads the headers.
  ///
  /// - Parameter found: takes the entries in their order.
  /// - Throws: what `found` throws, and what reading throws.
  package init(
    _ source: any ByteSource, _ found: (Entry) throws(SignetError) -> Void
  ) throws(SignetError) {
    self.source = source
    while fault == nil, try passEntry(found) {}
  }

  /// - Returns: false at the end.
  private mutating func passEntry(_ found: (Entry) throws(SignetError) -> Void) throws(SignetError) -> Bool {
    let bytes = try source.bytes(in: position..<min(source.size, position + CPIOHeader.largestSize))
    guard let header = CPIOHeader(bytes[...]) else {
      let isCut = bytes.count < (CPIOHeader.Form(bytes[...])?.size ?? 6)
      fault = isCut ? truncated() : damaged("a header at offset \(position) that is damaged", "a header of a cpio")
      return false
    }
    guard header.nameSize <= Self.nameLimit else {
      fault = damaged(
        "a header at offset \(position) whose name is too long", "a name of at most \(Self.nameLimit) bytes",
        "\(header.nameSize) bytes")
      return false
    }
    let start = position + header.headSize
    guard start <= source.size, header.size <= source.size - start else {
      fault = truncated()
      return false
    }
    let nameStart = position + header.form.size
    let name = try source.bytes(in: nameStart..<nameStart + header.nameSize)
    guard name.last == 0 else {
      fault = damaged("a header at offset \(position) with a name that does not end", "NUL at its end")
      return false
    }
    let text = Array(name.prefix { $0 != 0 })
    // Some programs end the name at the first NUL, and others where the header says. Zeros may align the content.
    guard name[text.count...].allSatisfy({ $0 == 0 }) else {
      fault = damaged("a header at offset \(position) with a name that goes on behind its end", "zeros behind a NUL")
      return false
    }
    // The last entry may lack what would fill it up.
    position = min(source.size, start + header.contentSize)
    guard text != Self.trailer else {
      // GNU's program reads no further than the name.
      guard header.size == 0 else {
        fault = damaged("an end with content", "none", "\(header.size) bytes")
        return false
      }
      return try passEnd()
    }
    let isLink = header.mode & 0o170000 == 0o120000
    let target = isLink ? try source.bytes(in: start..<start + min(header.size, ArchiveListing.nameLimit + 1)) : []
    try found(
      Entry(
        name: text, mode: header.mode, content: start..<start + header.size, target: target, archive: count - 1))
    return true
  }

  /// Goes on to another archive behind the end of one.
  private mutating func passEnd() throws(SignetError) -> Bool {
    guard let next = try source.firstNonzero(from: position) else { return false }
    let head = try source.bytes(in: next..<min(source.size, next + CPIOHeader.largestSize))
    guard CPIOHeader(head[...]) != nil else {
      rest = next
      return false
    }
    position = next
    count += 1
    return true
  }

  private func truncated() -> SignetError {
    SignetError(
      .archiveTruncated, source.path, "ends before its last entry",
      expected: "an entry \(Self.trailerName) at the end",
      hint: "get the archive again from its publisher")
  }

  private static var trailerName: String { String(decoding: trailer, as: UTF8.self) }

  private func damaged(_ found: String, _ expected: String, _ value: String? = nil) -> SignetError {
    SignetError(
      .archiveData, source.path, "has \(found)", expected: expected, found: value,
      hint: "get the archive again, or pack it anew")
  }
}

extension CPIOArchive.Entry {
  /// The entry as it is listed.
  package var listed: ListedEntry {
    let kind: ListedEntry.Kind =
      switch mode & 0o170000 {
      case 0o040000: .directory
      case 0o120000: .symbolicLink(target: Self.taken(target))
      // Some programs leave out the type.
      case 0o100000, 0: .file(size: content.count)
      case 0o060000: .special(.blockDevice)
      default: .special(.other)
      }
    return ListedEntry(name: Self.taken(name).relative, kind: kind, mode: mode & 0o7777)
  }

  private static func taken(_ name: [UInt8]) -> ListedName {
    let limit = ArchiveListing.nameLimit
    return name.count <= limit ? ListedName(name) : ListedName(Array(name.prefix(limit)), isCut: true)
  }

  private var isFile: Bool { [0o100000, 0].contains(mode & 0o170000) }
  private var isLink: Bool { mode & 0o170000 == 0o120000 }

  /// Why two programs see two things in the archive: behind a directory or a device, some look for the next header right
  /// away, and others pass the content first.
  package var danger: SignetError? {
    guard !isFile, !isLink, !content.isEmpty else { return nil }
    return SignetError(
      .archiveRecord, listed.path, "has content, but is neither a file nor a link", expected: "0 bytes",
      found: "\(content.count) bytes", hint: "get the archive again, or pack it anew")
  }

  /// What has bytes that are searched; nil for a link, and for what is no file and has no content.
  package var file: ArchiveEntry? {
    guard isFile || !isLink && !content.isEmpty else { return nil }
    return ArchiveEntry(
      path: listed.path, content: .file(size: content.count), mode: FileMode(permissions: mode),
      data: ArchiveEntry.DataLocation(offset: content.lowerBound, storedSize: content.count, coding: .plain))
  }
}
