package import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetSystem
internal import SignetVerify

/// What a file looks like before anything in it has been verified.
///
/// Until a signature was found to be good, this is all that is parsed of a file: its first bytes, and of a ZIP its
/// end records, its central directory, the header of its first entry, and its signing block. Nothing is decompressed.
/// No bundle is read either, because an untrusted signer's bundle could then influence the result.
///
/// The look decides only which types of statement are accepted. A wrong look leads to a refusal: a statement of one
/// type never passes for another.
package enum UnverifiedLook {
  /// A file that is not an archive. It can only be verified as a file.
  case file
  /// A ZIP with a signing block. It is taken for a module only.
  case module(ArchiveFile)
  /// A ZIP like ``module(_:)`` whose block is damaged.
  case damagedModule(SignetError)
  /// A ZIP with a `module.json` in its central directory. Its statement says what it is, but a module of Signet is no file.
  case described(ArchiveFile)
  /// A ZIP like ``described(_:)`` that breaks the rules for archives.
  case damagedDescribed(SignetError)
  /// Any other archive. Its statement says what it is.
  case archive(ArchiveFile)
  /// An archive like ``archive(_:)`` that breaks the rules for archives.
  case damagedArchive(SignetError)

  /// Looks at a file that is to be verified.
  ///
  /// - Throws: `file.is-directory`, `file.changed`, `file.read-failed`.
  package init(at source: any ByteSource, _ limits: ArchiveLimits) throws(SignetError) {
    guard let format = try Self.format(of: source) else {
      self = .file
      return
    }
    do throws(SignetError) {
      let archive = try ArchiveFile(source, limits: limits)
      let isDescribed = archive.lists(ModuleDescription.path)
      self = archive.block != nil ? .module(archive) : isDescribed ? .described(archive) : .archive(archive)
    } catch {
      if error.isAboutReading { throw error }
      guard format == .zip, try Self.looksLikeModule(source) else {
        self = .damagedArchive(error)
        return
      }
      self = try Self.mayHoldSignature(source) ? .damagedModule(error) : .damagedDescribed(error)
    }
  }

  /// How many bytes at the end of a damaged ZIP are searched: some thousand records of a central directory.
  private static let tailSize = 1 << 20

  /// The archive format that the first bytes show, or nil.
  package static func format(of source: any ByteSource) throws(SignetError) -> ArchiveFormat? {
    ArchiveFile.format(try source.bytes(in: 0..<min(source.size, ArchiveFile.magicSize)))
  }

  /// Whether a ZIP that breaks the rules has a signing block, whole or damaged.
  private static func mayHoldSignature(_ source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      return try ArchiveFile(source, limits: ArchiveLimits()).block != nil
    } catch {
      if error.isAboutReading { throw error }
      return try error.code == .signatureMalformed ? true : SigningBlock.hasMagic(tail(of: source))
    }
  }

  private static func tail(of source: any ByteSource) throws(SignetError) -> [UInt8] {
    try source.bytes(in: max(0, source.size - tailSize)..<source.size)
  }

  /// Whether a ZIP that breaks the rules has a signing block, or a record of `module.json` in its central directory.
  package static func looksLikeModule(_ source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      // The formats' limits may be wider than the limits that the archive has broken.
      let archive = try ArchiveFile(source, limits: ArchiveLimits())
      return archive.block != nil || archive.lists(ModuleDescription.path)
    } catch {
      if error.isAboutReading { throw error }
      if error.code == .signatureMalformed { return true }
    }
    let tail = try tail(of: source)
    return ZIPArchive.lists(ModuleDescription.path, in: tail) || SigningBlock.hasMagic(tail)
  }
}
