package import SignetBase
package import SignetSystem

/// An archive that is to be signed or verified: what kind it is, which of its bytes are signed, and its signing block.
package struct ArchiveFile: Sendable {
  /// What kind of archive it is.
  package let format: ArchiveFormat
  /// The bytes that are signed: all, but for a ZIP's signing block and what it moves.
  package let signed: any ByteSource
  /// The signing block; nil where there is none.
  package let block: SigningBlock?
  /// The archive's bytes as they are.
  package let source: any ByteSource
  private let limits: ArchiveLimits
  private let zip: ZIPArchive?

  /// The signed bytes of a ZIP that has a signing block; nil where the whole file is signed.
  var splice: SplicedFile? { block == nil ? nil : zip?.unsigned }

  /// Reads as much of an archive as it takes to tell what is signed.
  ///
  /// - Throws: `archive.format` for what is no archive, what ``ZIPArchive/init(_:limits:)`` throws.
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

  /// Whether the central directory of a ZIP seems to have an entry of this name; false for a tar, which has none.
  package func lists(_ name: String) -> Bool { zip?.lists(name) ?? false }

  /// Reads what it holds. A compressed tar is decompressed first, into a private file that is gone with the archive.
  ///
  /// - Parameter folder: where the private file takes up space.
  /// - Throws: `archive.…`, `path.…`, `extraction.failed`.
  package func open(
    snapshotsIn folder: String = Snapshot.usualFolder
  ) throws(SignetError) -> OpenedArchive {
    guard let zip else { return try TarArchive.open(source, snapshotsIn: folder, limits) }
    return OpenedArchive(source: zip.unsigned, format: .zip, entries: try zip.entries(limits))
  }

  /// The archive with a signing block that holds these bundles, instead of the one it has.
  ///
  /// - Parameter value: bundles, each a line with its end.
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

  /// How many of the first bytes tell the format.
  package static let magicSize = 512

  /// The format that the first bytes tell.
  package static func format(_ magic: [UInt8]) -> ArchiveFormat? {
    let isTar = magic.count == magicSize && magic[257..<262].elementsEqual("ustar".utf8)
    // The name of a tar's first entry may begin with PK, too; behind that a ZIP has control characters.
    if magic.starts(with: [0x50, 0x4b]), !isTar || magic[2] < 0x20 { return .zip }
    if magic.starts(with: [0x1f, 0x8b]) { return .tarGzip }
    if magic.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) { return .tarXZ }
    if magic.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return .tarZstandard }
    return isTar ? .tar : nil
  }
}
