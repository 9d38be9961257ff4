package import SignetBase
package import SignetNames
package import SignetSystem

/// An archive to sign or verify: its format, its signed bytes, and its signing block.
package struct ArchiveFile: Sendable {
  /// The archive's format.
  package let format: ArchiveFormat
  /// The signed bytes: all of them, except a ZIP's signing block and the offsets that the block moves.
  package let signed: any ByteSource
  /// The signing block, or nil.
  package let block: SigningBlock?
  /// The archive's bytes as they are, with the signing block.
  package let source: any ByteSource
  private let limits: ArchiveLimits
  private let zip: ZIPArchive?

  /// The signed bytes of a ZIP that has a signing block; nil if the whole file is signed.
  var splice: SplicedFile? { block == nil ? nil : zip?.unsigned }

  /// Reads only as much of an archive as is needed to tell which bytes are signed.
  ///
  /// - Throws: `archive.format` if it is not an archive, and what ``ZIPArchive/init(_:limits:)`` throws.
  package init(_ source: any ByteSource, limits: ArchiveLimits) throws(SignetError) {
    self.source = source
    self.limits = limits
    let magic = try source.bytes(in: 0..<min(source.size, Self.magicSize))
    guard let format = Self.format(magic) else {
      throw SignetError(
        .archiveFormat, "archive", "is not a module archive",
        expected: "a ZIP, or a tar as it is or compressed by gzip, xz or Zstandard",
        found: source.size == 0 ? "an empty file" : nil)
    }
    self.format = format
    guard format == .zip else {
      zip = nil
      block = nil
      signed = source
      return
    }
    let archive = try ZIPArchive(source, limits: limits)
    zip = archive
    block = archive.block
    signed = archive.unsigned
  }

  /// Whether the central directory of a ZIP seems to have an entry of this name; false for a tar, which has no
  /// directory.
  package func lists(_ name: String) -> Bool { zip?.lists(name) ?? false }

  /// Reads the entries. A compressed tar is first decompressed into a private file, which goes away with the result.
  ///
  /// - Parameter folder: the folder whose file system holds the private file.
  /// - Throws: `archive.…`, `path.…`, `extraction.failed`.
  package func open(
    snapshotsIn folder: String = TemporaryName.usualFolder
  ) throws(SignetError) -> OpenedArchive {
    guard let zip else { return try TarArchive.open(source, snapshotsIn: folder, limits) }
    return OpenedArchive(source: zip.unsigned, format: .zip, entries: try zip.entries(limits))
  }

  /// The archive with a signing block that holds these bundles, in place of any block it has.
  ///
  /// - Parameter value: the bundles, each a line with its line end.
  /// - Throws: `archive.format` for a tar, `signing.block-size`, `signing.block-offset`,
  ///   `signing.block-ambiguous`.
  package func attaching(_ value: [UInt8]) throws(SignetError) -> SplicedFile {
    guard let zip else {
      throw SignetError(
        .archiveFormat, "archive", "cannot have a signature in it", expected: "a ZIP", found: "\(format)",
        hint: "keep the bundle beside it")
    }
    return try zip.attaching(value)
  }

  /// The number of leading bytes that determine the format.
  package static let magicSize = 512

  /// The format that the first bytes indicate; nil if they indicate none.
  package static func format(_ magic: [UInt8]) -> ArchiveFormat? {
    let isTar = magic.count == magicSize && magic[257..<262].elementsEqual("ustar".utf8)
    // The name of a tar's first entry may begin with PK, too. In a ZIP, control characters follow.
    if magic.starts(with: [0x50, 0x4b]), !isTar || magic[2] < 0x20 { return .zip }
    if magic.starts(with: [0x1f, 0x8b]) { return .tarGzip }
    if magic.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) { return .tarXZ }
    if magic.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return .tarZstandard }
    return isTar ? .tar : nil
  }
}
