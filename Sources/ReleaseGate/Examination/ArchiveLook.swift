package import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetSystem

/// What a file turns out to be when it is looked at as an archive.
///
/// Its first bytes decide, and where they say nothing, its name does: a file that is named as a ZIP but does not begin
/// as one has something in front of it. A file that is only compressed is no tar, and not a broken one either, unless
/// it is named as a tar.
package struct ArchiveLook: Sendable {
  /// The format of an archive, also of one that is refused; nil for a file that is none.
  package let format: ArchiveFormat?
  /// The archive; nil if the file is none, or is refused.
  package let archive: OpenedArchive?
  /// Why the file cannot be read as the archive that it should be.
  package let failure: SignetError?
  /// What rules on contents search if there is no archive: the file's bytes, or what they decompress to.
  package let content: any ByteSource

  private init(
    content: any ByteSource, format: ArchiveFormat? = nil, archive: OpenedArchive? = nil, failure: SignetError? = nil
  ) {
    self.content = content
    self.format = format
    self.archive = archive
    self.failure = failure
  }

  /// Looks at a file.
  ///
  /// - Parameters:
  ///   - path: the file's path in the release, of which only the ending matters.
  ///   - folder: the folder whose file system holds what is decompressed, until the result goes away.
  /// - Throws: `extraction.failed`, `file.changed`, `file.read-failed`: what keeps it from finding out.
  package static func at(
    _ source: any ByteSource, named path: String, _ limits: ArchiveLimits,
    snapshotsIn folder: String = Snapshot.usualFolder
  ) throws(SignetError) -> ArchiveLook {
    let magic = try source.bytes(in: 0..<min(source.size, ArchiveFile.magicSize))
    let (found, expected) = (format(of: magic), format(named: path))
    guard let format = found ?? expected else { return ArchiveLook(content: source) }
    guard let compression = TarCompression(of: format) else {
      return try opened(format, content: source) { () throws(SignetError) in
        guard format == .zip else { return (source, try TarReader.entries(of: source, limits)) }
        let zip = try ZIPArchive(source, limits: limits)
        return (zip.unsigned, try zip.entries(limits))
      }
    }
    guard found != nil else {
      let failure = SignetError(
        .archiveFormat, source.path, "is not what its name says", expected: "\(format)",
        hint: "give it another name, or pack it again")
      return ArchiveLook(content: source, format: format, failure: failure)
    }
    let isTar = expected.map { $0 != .zip } ?? false
    let file: RegularFile
    do throws(SignetError) {
      file = try TarArchive.decompressed(source, compression, snapshotsIn: folder, limits)
    } catch {
      guard isRefusal(error) else { throw error }
      // What is no tar may be compressed in ways that a tar must not be: in several pieces, or very much.
      return isTar ? ArchiveLook(content: source, format: format, failure: error) : ArchiveLook(content: source)
    }
    if !isTar, try TarArchive.format(of: file) != .tar { return ArchiveLook(content: file) }
    return try opened(format, content: file) { () throws(SignetError) in
      (file, try TarReader.entries(of: file, limits))
    }
  }

  /// The look at an archive, as far as it can be read.
  private static func opened(
    _ format: ArchiveFormat, content: any ByteSource,
    _ read: () throws(SignetError) -> (any ByteSource, [ArchiveEntry])
  ) throws(SignetError) -> ArchiveLook {
    do throws(SignetError) {
      let (bytes, entries) = try read()
      return ArchiveLook(
        content: content, format: format, archive: OpenedArchive(source: bytes, format: format, entries: entries))
    } catch {
      guard isRefusal(error) else { throw error }
      return ArchiveLook(content: content, format: format, failure: error)
    }
  }

  /// Whether an error says that the archive is not as it must be.
  private static func isRefusal(_ error: SignetError) -> Bool {
    Set.aboutArchives.contains(error.code) || Set.aboutPaths.contains(error.code)
      || error.code == .signatureMalformed
  }

  // MARK: Formats

  /// The format that the first bytes of a file state.
  ///
  /// For modules, everything that begins with PK is a ZIP. Here it is so only with the signature of a record.
  private static func format(of magic: [UInt8]) -> ArchiveFormat? {
    let format = ArchiveFile.format(magic)
    guard format == .zip else { return format }
    let records: [[UInt8]] = [[0x03, 0x04], [0x05, 0x06], [0x06, 0x06], [0x07, 0x08]]
    return records.contains { magic.dropFirst(2).starts(with: $0) } ? .zip : nil
  }

  private static let endings: [(ending: String, format: ArchiveFormat)] = [
    (".zip", .zip), (".jar", .zip), (".war", .zip), (".ear", .zip), (".aar", .zip), (".apk", .zip), (".ipa", .zip),
    (".whl", .zip), (".nupkg", .zip), (".vsix", .zip), (".xpi", .zip), (".tar", .tar), (".tar.gz", .tarGzip),
    (".tgz", .tarGzip), (".tar.xz", .tarXZ), (".txz", .tarXZ), (".tar.zst", .tarZstandard), (".tzst", .tarZstandard),
  ]

  /// The format that the ending of a name states.
  private static func format(named path: String) -> ArchiveFormat? {
    let name = path.utf8.suffix(8).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return endings.first { name.suffix($0.ending.utf8.count).elementsEqual($0.ending.utf8) }?.format
  }
}
